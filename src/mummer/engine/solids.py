"""What of a body can touch: the skin that each joint carries, as ground meets it, and capsules that meet one another.

The ground is met by the skin itself: of what a joint carries, a few points are kept that are outermost in some
direction, so that the lowest of them is the lowest of the skin, however the joint is turned. Parts of the body meet
one another as the capsules that `ik.volume` fits into the skin.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence, Sized
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Pose, deform
from mummer.engine.capsules import Capsules, make_capsules
from mummer.engine.limbs import Limbs
from mummer.engine.tables import integers
from mummer.general.fingers import curls_of
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.volume.pairs import all_pairs_of, give_of
from mummer.ik.volume.volume import volume_of
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Parents
from mummer.math import quaternion

DIRECTIONS = 162
"""In how many directions the outermost points of skin are looked for."""
FINE, MOST = 2e-3, 24
"""Heights by which the points that are kept may fall short of the skin, and how many are kept at most for a joint."""


STAYS, LIMBS_STAY = 0.8, 0.5
"""How much of what it has risen a root stays raised for a head that is on the ground, since necks bend up, and for
limbs, which may be there whatever the root does."""


SPARED, ROLLED = 0.02, 0.3
"""Lengths of a limb by which it may be in the ground before the root rises for it, and a foot that rolls."""
BROUGHT, WALKS = 1, 2
LOOSE, HELD = -1, -2
UPWARDS = np.array([0.0, 1.0, 0.1])
CARRIED = 0.25
"""How much of a point of the skin a joint must carry for the point to go along with it: where limbs bend, two do."""


class Solids(NamedTuple):
    """Skin and capsules of a body with J joints.

    Attributes:
        owner: (J,) the joint that each goes along with: itself where it is moved.
        first, number: (J,) where the points of what each joint carries are in ``points``.
        points: (P, 3) from the joint to outermost points of the skin that goes along with it, at rest.
        curls: (P, 3) from there to where they are once fingers are closed.
        middle: (J, 3) from the joint to the middle of them; of hands to the skin that is nearest to it, where they take
            hold: what is thick would have it inside.
        aside: (J, 3) square to that, unit: the side to which what is below the body bends, up where there is an up.
        bound: (J,) metres from the joint to the farthest of them.
        sunk: (J,) metres by which the lowest of them is below the ground at rest.
        firm: (J,) 1 for the trunk; less for what can get out of the ground by itself, beside which a root that has
            risen sinks again.
        yields: (J,) `BROUGHT` for what goes where it is brought, whatever the root does: necks, trunks of elephants;
            `WALKS` and the number of the leg for legs, for which a root that walks does not rise.
        spare: (J,) metres by which each may be deeper before the root rises for it.
        raised: joints of trunk, necks and limbs, but of no arms that hang, for which the root rises; legs come last.
        hangs: (J,) what bends by itself where it comes to the ground: `LOOSE` for arms, tails, wings, ears and jaws,
            the number of the leg for a foot, and `HELD` for all others.
        joint: (C,) the joint that carries each capsule.
        ends: (C, 2, 3) from that joint to the centres of both balls, at rest.
        radii: (C, 2) of these balls.
        ball: (C, 4) the ball around each capsule: from the joint to its centre, and its radius.
        first_pair, pair_number: (M,) where the pairs of the tip of each limb are.
        own, other: (Q,) capsules that may touch: one of a limb, and one of another part.
        gives: (Q,) metres by which they may be in each other: flesh gives, and some are at rest.
        first_side, side_number: (M,) where the pairs of what is between base and tip of each limb are.
        side_own, side_other: (S,) capsules that may touch, in the order of the limb's joints: its own, and others'.
        side_gives: (S,) metres by which they may be in each other.
        side_trims: (S, 2) from where to where, as shares of its axis, the own one counts: not near a shoulder.
    """

    owner: Parents
    first: Parents
    number: Parents
    points: Floats2
    curls: Floats2
    middle: Floats2
    aside: Floats2
    bound: Floats1
    sunk: Floats1
    firm: Floats1
    yields: Parents
    spare: Floats1
    raised: Parents
    hangs: Parents
    joint: Parents
    ends: Floats3
    radii: Floats2
    ball: Floats2
    first_pair: Parents
    pair_number: Parents
    own: Parents
    other: Parents
    gives: Floats1
    first_side: Parents
    side_number: Parents
    side_own: Parents
    side_other: Parents
    side_gives: Floats1
    side_trims: Floats2


def solids_table(
    physique: Physique, limbs: Limbs, legs: IntArray, core: Collection[int], brought: Iterable[int],
    loose: Iterable[int],
) -> Solids:  # fmt: skip
    """What of a body can touch what.

    Args:
        physique: of the body.
        limbs: whose tips take all that hangs on them along.
        legs: (L,) those that walk.
        core: joints of trunk and necks.
        brought: those of necks and of what else reaches; the spine is none of them.
        loose: joints that sway or beat, and jaws.
    """
    placed = {*core, *limbs.chain.tolist(), *limbs.tip.tolist()}
    hanging = {joint for limb in physique.anatomy.limbs for joint in limb.joints}
    owners = _owners(physique, set(limbs.tip.tolist()), placed | hanging | set(loose))
    clouds = _clouds(physique, owners, Pose.rest(physique.character.skeleton))
    closed = _clouds(physique, owners, _closed(physique, limbs))
    fine = FINE * physique.height
    chosen = [
        np.union1d(_outermost(cloud, fine), _outermost(other, fine)) if joint in limbs.tip else _outermost(cloud, fine)
        for joint, (cloud, other) in enumerate(zip(clouds, closed, strict=True))
    ]
    kept = [cloud[rows] for cloud, rows in zip(clouds, chosen, strict=True)]
    curls = [other[rows] - cloud[rows] for cloud, other, rows in zip(clouds, closed, chosen, strict=True)]
    counts = [len(some) for some in kept]
    middle = np.array([some.mean(axis=0) if len(some) else np.zeros(3) for some in kept])
    for tip, leg in zip(limbs.tip.tolist(), limbs.leg, strict=True):
        if leg < 0 and counts[tip]:
            middle[tip] = _palm(clouds[tip], middle[tip], curls[tip].mean(axis=0))
    walks = {joint for limb in legs.tolist() for joint in _joints(limbs, limb)}
    hangs = dict.fromkeys({*limbs.chain.tolist(), *limbs.tip.tolist()} - walks - {*core}, LOOSE)
    hangs |= {int(limbs.tip[limb]): leg for leg, limb in enumerate(legs)}
    capsules = make_capsules(physique, clouds, core)
    ends, radii = capsules.ends, capsules.radii
    middles = ends.mean(axis=1)
    around = np.linalg.norm(ends - middles[:, None], axis=-1) + radii
    firm = _firm(physique, limbs, brought)
    yields = _yields(firm, limbs, legs, core)
    raised = [joint for joint in sorted(placed - _hanging(limbs)) if counts[joint]]
    raised.sort(key=lambda joint: bool(yields[joint] >= WALKS))
    pairs = [_pairs(physique, capsules, owners, limbs, number, kept) for number in range(len(limbs.tip))]
    tips, sides = [some for some, _ in pairs], [some for _, some in pairs]
    return Solids(
        integers(owners),
        integers(np.cumsum([0, *counts])[:-1]),
        integers(counts),
        locked(np.concatenate([np.zeros((0, 3)), *kept])),
        locked(np.concatenate([np.zeros((0, 3)), *curls])),
        locked(middle),
        locked(_aside(middle)),
        locked(np.array([np.linalg.norm(some, axis=1).max(initial=0.0) for some in kept])),
        locked(np.array([_sunk(physique, joint, some) for joint, some in enumerate(kept)])),
        locked(firm),
        integers(yields),
        locked(_spare(physique, limbs)),
        integers(raised),
        integers(
            [
                hangs.get(joint, HELD if joint in placed else LOOSE) if counts[joint] else HELD
                for joint in range(len(physique))
            ]
        ),
        integers(capsules.joints),
        locked(ends.reshape(-1, 2, 3)),
        locked(radii.reshape(-1, 2)),
        locked(np.concatenate([middles, around.max(axis=1, initial=0.0)[:, None]], axis=1).reshape(-1, 4)),
        *_slices(tips),
        integers([pair.own for some in tips for pair in some]),
        integers([pair.other for some in tips for pair in some]),
        locked(np.array([pair.give for some in tips for pair in some], np.float64)),
        *_slices(sides),
        integers([pair.own for some in sides for pair in some]),
        integers([pair.other for some in sides for pair in some]),
        locked(np.array([pair.give for some in sides for pair in some], np.float64)),
        locked(np.array([pair.trim for some in sides for pair in some], np.float64).reshape(-1, 2)),
    )


def _slices(rows: Sequence[Sized]) -> tuple[Parents, Parents]:
    """Where the rows of each begin, and how many there are."""
    lengths = [len(some) for some in rows]
    return integers(np.cumsum([0, *lengths])[:-1]), integers(lengths)


def _owners(physique: Physique, tips: set[int], moved: Container[int]) -> IntArray:
    """(J,) whom each joint goes along with: the tip that it hangs on, else itself or the next above that is moved."""
    owners = np.arange(len(physique))
    for joint, parent in enumerate(rigid_body(physique.character).parents):
        if parent >= 0 and (owners[parent] in tips or joint not in moved):
            owners[joint] = owners[parent]
    return owners


def _closed(physique: Physique, limbs: Limbs) -> Pose:
    """At rest, but with fingers closed; feet stand on their toes as they are."""
    rest = Pose.rest(physique.character.skeleton)
    rotations = rest.rotations.copy()
    for tip, leg in zip(limbs.tip.tolist(), limbs.leg, strict=True):
        for curl in curls_of(physique, tip) if leg < 0 else ():
            rotations[curl.joint] = quaternion.multiply(rotations[curl.joint], quaternion.exp(curl.closed * curl.axis))
    return replace(rest, rotations=rotations)


def _clouds(physique: Physique, owners: IntArray, pose: Pose) -> list[FloatArray]:
    """For each joint, (n, 3) from it to the points of the skin that go along with it, in character space in a pose.

    Where there is no skin they are those of capsules.
    """
    character, count = physique.character, len(physique)
    if not any(len(mesh.triangles) for mesh in character.meshes):
        volume = volume_of(character)
        ends = quaternion.rotate(physique.rotations[volume.joints][:, None], volume.ends)
        ends = physique.positions[volume.joints][:, None] + ends
        around = ends[:, :, None] + volume.radii[:, :, None, None] * directions(DIRECTIONS)
        skin, carriers = around.reshape(-1, 3), np.repeat(volume.joints, 2 * DIRECTIONS)
        return [skin[owners[carriers] == joint] - physique.positions[joint] for joint in range(count)]
    clouds: list[list[FloatArray]] = [[np.zeros((0, 3))] for _ in range(count)]
    bent = deform(character, pose, with_normals=False)
    for mesh, shape in zip(character.meshes, bent, strict=True):
        places = quaternion.rotate(quaternion.conjugate(physique.axes), shape.positions - physique.origin)
        rows = np.arange(len(places))[:, None]
        keys, which = np.unique(rows * count + owners[mesh.skin.joints[mesh.skin.indices]], return_inverse=True)
        keys = keys[np.bincount(which.reshape(-1), mesh.skin.weights.reshape(-1)) >= CARRIED]
        keys = keys[np.isfinite(places[keys // count]).all(axis=1)]
        for joint in range(count):
            clouds[joint].append(places[keys[keys % count == joint] // count] - physique.positions[joint])
    return [np.concatenate(some) for some in clouds]


def _palm(skin: FloatArray, middle: FloatArray, curl: FloatArray) -> FloatArray:
    """(3,) of the skin of a hand what is nearest to its middle, rather on the side to which its fingers close."""
    away = skin - middle
    inside = away @ curl / max(float(np.linalg.norm(curl)), 1e-9)
    return np.asarray(skin[int(np.argmin(np.linalg.norm(away, axis=1) - 0.5 * inside))])


def directions(count: int) -> FloatArray:
    """(count, 3) unit vectors spread evenly over all directions."""
    up = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    around = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    level = np.sqrt(1.0 - up**2)
    return np.stack([level * np.cos(around), up, level * np.sin(around)], axis=1)


def _outermost(points: FloatArray, fine: float) -> IntArray:
    """(n,) which of some points reach as far in every direction as all of them, but for ``fine`` metres."""
    if not len(points):
        return np.zeros(0, np.int64)
    reach = directions(DIRECTIONS) @ points.T
    farthest = reach.max(axis=1)
    chosen: list[int] = []
    lacking = np.full(len(reach), np.inf)
    while len(chosen) < MOST and lacking.max() > fine:
        chosen.append(int(np.argmax(reach[int(np.argmax(lacking))])))
        lacking = farthest - reach[:, chosen].max(axis=1)
    return np.array(chosen, np.int64)


def _sunk(physique: Physique, joint: int, points: FloatArray) -> float:
    """Metres below the ground at rest."""
    return max(0.0, -float(physique.positions[joint, 1] + points[:, 1].min())) if len(points) else 0.0


def _hanging(limbs: Limbs) -> set[int]:
    """Joints of arms that hang and swing."""
    found: set[int] = set()
    for tip, first, number, hangs in zip(limbs.tip, limbs.first, limbs.number, limbs.hangs, strict=True):
        if hangs > 0.0:
            found |= {int(tip), *limbs.chain[first : first + number].tolist()}
    return found


def _joints(limbs: Limbs, limb: int) -> list[int]:
    """The joints of a limb, with its tip."""
    first, number = int(limbs.first[limb]), int(limbs.number[limb])
    return [*limbs.chain[first : first + number].tolist(), int(limbs.tip[limb])]


def _aside(middle: FloatArray) -> FloatArray:
    """(J, 3) see `Solids.aside`."""
    ways = middle / np.maximum(np.linalg.norm(middle, axis=1, keepdims=True), 1e-12)
    found = UPWARDS - ways * (ways @ UPWARDS)[:, None]
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def _spare(physique: Physique, limbs: Limbs) -> FloatArray:
    """(J,) see `Solids.spare`."""
    spare = np.zeros(len(physique))
    for tip, first, number, length in zip(limbs.tip, limbs.first, limbs.number, limbs.length, strict=True):
        spare[[tip, *limbs.chain[first : first + number]]] = SPARED * length
    for tip, length, flat in zip(limbs.tip, limbs.length, limbs.flat, strict=True):
        if flat and tip not in limbs.chain:
            spare[tip] = ROLLED * length
    return spare


def _yields(firm: FloatArray, limbs: Limbs, legs: IntArray, core: Collection[int]) -> IntArray:
    """(J,) see `Solids.yields`."""
    found = np.zeros(len(firm), np.int64)
    found[[joint for joint in core if firm[joint] < 1.0]] = BROUGHT
    for leg, limb in enumerate(legs.tolist()):
        found[_joints(limbs, limb)] = WALKS + leg
    return found


def _firm(physique: Physique, limbs: Limbs, brought: Iterable[int]) -> FloatArray:
    """(J,) see `Solids.firm`."""
    firm = np.ones(len(physique))
    firm[[*limbs.tip, *limbs.chain]] = LIMBS_STAY
    firm[[*brought, *limbs.chain[limbs.first]]] = STAYS
    firm[[*physique.spine, physique.root]] = 1.0
    return firm


class Pair(NamedTuple):
    """A capsule of a limb, one of another part, how deep they may be in each other, and what of the own one counts."""

    own: int
    other: int
    give: float
    trim: tuple[float, float]


def _pairs(
    physique: Physique, capsules: Capsules, owners: IntArray, limbs: Limbs, limb: int, skin: Sequence[FloatArray]
) -> tuple[list[Pair], list[Pair]]:
    """The pairs of the tip of a limb, and those of the rest of it; fingers and toes are told by the tip they hang on.

    What a limb begins with is left alone by the trunk that it leaves. The skin of a tip may be as deep as at rest, too.
    """
    joints, pairs = capsules.joints, all_pairs_of(physique.character)
    tips, tip, mine = set(limbs.tip.tolist()), int(limbs.tip[limb]), _joints(limbs, limb)
    found: tuple[list[Pair], list[Pair]] = [], []
    rows = zip(pairs.first.tolist(), pairs.second.tolist(), pairs.gives.tolist(), pairs.trims.tolist(), strict=True)
    for one, two, give, trims in rows:
        for own, other, trim in ((one, two, tuple(trims[0])), (two, one, tuple(trims[1]))):
            here, there = int(joints[own]), int(joints[other])
            is_small = int(owners[there]) in tips and there not in tips
            leaves = here == mine[0] and here in physique.character.skeleton.descendants(there)
            if here not in mine or int(owners[there]) in mine or is_small or leaves:
                continue
            for each in np.flatnonzero(capsules.beside == other).tolist():
                most = max(
                    give if each == other else 0.0, _give(physique, capsules, own, each, _along(capsules, own, *trim))
                )
                if here == tip:
                    most = max(most, _give(physique, capsules, own, each, (skin[tip], np.zeros(len(skin[tip])))))
                found[here != tip].append(Pair(own, each, most, trim))
    found[0].sort(key=lambda pair: pair.other)
    return found[0], sorted(found[1], key=lambda pair: mine.index(int(joints[pair.own])))


def _along(capsules: Capsules, own: int, low: float = 0.0, high: float = 1.0) -> tuple[FloatArray, FloatArray]:
    """Balls along a capsule: (n, 3) from the joint that carries it, and (n,) how thick they are."""
    share = np.linspace(low, high, 9)
    (start, end), (first, last) = capsules.ends[own], capsules.radii[own]
    return start + share[:, None] * (end - start), first + share * (last - first)


def _give(
    physique: Physique, capsules: Capsules, own: int, other: int, balls: tuple[FloatArray, FloatArray]
) -> float:  # fmt: skip
    """Metres by which balls of what carries a capsule may be in another one: flesh gives, and some are at rest."""
    here, there = (physique.positions[capsules.joints[each]] for each in (own, other))
    far, _, _ = signed_distance(here + balls[0], there + capsules.ends[other], capsules.radii[other])
    thin = np.minimum(capsules.radii[own].mean(), capsules.radii[other].mean())
    return float(give_of((balls[1] - far).max(initial=-np.inf), thin))
