"""What of a body can touch: the skin that each joint carries, as ground meets it, and capsules that meet one another.

The ground is met by the skin itself: of what a joint carries, a few points are kept that are outermost in some
direction, so that the lowest of them is the lowest of the skin, however the joint is turned. Parts of the body meet
one another as the capsules that `ik.volume` fits into the skin.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.engine.limbs import Limbs
from mummer.engine.tables import integers
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume.pairs import pairs_of
from mummer.ik.volume.skin_points import skin_points
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


class Solids(NamedTuple):
    """Skin and capsules of a body with J joints.

    Attributes:
        owner: (J,) the joint that each goes along with: itself where it is moved.
        first, number: (J,) where the points of what each joint carries are in ``points``.
        points: (P, 3) from the joint to outermost points of the skin that goes along with it, at rest.
        middle: (J, 3) from the joint to the middle of them.
        bound: (J,) metres from the joint to the farthest of them.
        sunk: (J,) metres by which the lowest of them is below the ground at rest.
        firm: (J,) 1 for the trunk; less for what can get out of the ground by itself, beside which a root that has
            risen sinks again.
        yields: (J,) `BROUGHT` for what goes where it is brought, whatever the root does: necks, trunks of elephants;
            `WALKS` for legs, for which a root that walks does not rise.
        spare: (J,) metres by which each may be deeper before the root rises for it.
        raised: joints of trunk, necks and limbs, but of no arms that hang, for which the root rises.
        hangs: (J,) what bends by itself where it comes to the ground: `LOOSE` for tails, wings and ears, the number of
            the limb for its tip, and `HELD` for all others.
        joint: (C,) the joint that carries each capsule.
        ends: (C, 2, 3) from that joint to the centres of both balls, at rest.
        radii: (C, 2) of these balls.
        ball: (C, 4) the ball around each capsule: from the joint to its centre, and its radius.
        first_pair, pair_number: (M,) where the pairs of the tip of each limb are.
        own, other: (Q,) capsules that may touch: one of a limb, and one of another part.
        gives: (Q,) metres by which they may be in each other: flesh gives, and some are at rest.
    """

    owner: Parents
    first: Parents
    number: Parents
    points: Floats2
    middle: Floats2
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


def solids_table(
    physique: Physique, limbs: Limbs, core: Collection[int], brought: Iterable[int], loose: Iterable[int]
) -> Solids:
    """What of a body can touch what.

    Args:
        physique: of the body.
        limbs: whose tips take all that hangs on them along.
        core: joints of trunk and necks.
        brought: those of necks and of what else reaches; the spine is none of them.
        loose: joints that sway or beat.
    """
    placed = {*core, *limbs.chain.tolist(), *limbs.tip.tolist()}
    hanging = {joint for limb in physique.anatomy.limbs for joint in limb.joints}
    owners = _owners(physique, set(limbs.tip.tolist()), placed | hanging | set(loose))
    places, joints = _skin(physique)
    clouds = [places[owners[joints] == joint] - physique.positions[joint] for joint in range(len(physique))]
    kept = [_outermost(cloud, FINE * physique.height) for cloud in clouds]
    counts = [len(some) for some in kept]
    volume = volume_of(physique.character)
    ends = quaternion.rotate(physique.rotations[volume.joints][:, None], volume.ends)
    middles = ends.mean(axis=1)
    around = np.linalg.norm(ends - middles[:, None], axis=-1) + volume.radii
    firm = _firm(physique, limbs, brought)
    rows = [_pairs(physique, owners, limbs, number, placed) for number in range(len(limbs.tip))]
    lengths = [len(some) for some in rows]
    flat = [row for some in rows for row in some]
    return Solids(
        integers(owners),
        integers(np.cumsum([0, *counts])[:-1]),
        integers(counts),
        locked(np.concatenate([np.zeros((0, 3)), *kept])),
        locked(np.array([some.mean(axis=0) if len(some) else np.zeros(3) for some in kept])),
        locked(np.array([np.linalg.norm(some, axis=1).max(initial=0.0) for some in kept])),
        locked(np.array([_sunk(physique, joint, some) for joint, some in enumerate(kept)])),
        locked(firm),
        integers(_yields(firm, limbs, core)),
        locked(_spare(physique, limbs)),
        integers([joint for joint in sorted(placed - _hanging(limbs)) if counts[joint]]),
        integers([_hangs(joint, limbs, placed) if counts[joint] else HELD for joint in range(len(physique))]),
        integers(volume.joints),
        locked(ends.reshape(-1, 2, 3)),
        locked(volume.radii.reshape(-1, 2)),
        locked(np.concatenate([middles, around.max(axis=1, initial=0.0)[:, None]], axis=1).reshape(-1, 4)),
        integers(np.cumsum([0, *lengths])[:-1]),
        integers(lengths),
        integers([own for own, _, _ in flat]),
        integers([other for _, other, _ in flat]),
        locked(np.array([give for _, _, give in flat], np.float64)),
    )


def _owners(physique: Physique, tips: set[int], moved: Container[int]) -> IntArray:
    """(J,) whom each joint goes along with: the tip that it hangs on, else itself or the next above that is moved."""
    owners = np.arange(len(physique))
    for joint, parent in enumerate(rigid_body(physique.character).parents):
        if parent >= 0 and (owners[parent] in tips or joint not in moved):
            owners[joint] = owners[parent]
    return owners


def _skin(physique: Physique) -> tuple[FloatArray, IntArray]:
    """(N, 3) points of the skin in character space, of capsules where there is none, and (N,) who carries each."""
    if any(len(mesh.triangles) for mesh in physique.character.meshes):
        skin = skin_points(physique.character)
        away = quaternion.conjugate(physique.axes)
        return quaternion.rotate(away, skin.places - physique.origin), skin.joints
    volume = volume_of(physique.character)
    ends = quaternion.rotate(physique.rotations[volume.joints][:, None], volume.ends)
    ends = physique.positions[volume.joints][:, None] + ends
    points = ends[:, :, None] + volume.radii[:, :, None, None] * _directions(DIRECTIONS)
    return points.reshape(-1, 3), np.repeat(volume.joints, 2 * DIRECTIONS)


def _directions(count: int) -> FloatArray:
    """(count, 3) unit vectors spread evenly over all directions."""
    up = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    around = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    level = np.sqrt(1.0 - up**2)
    return np.stack([level * np.cos(around), up, level * np.sin(around)], axis=1)


def _outermost(points: FloatArray, fine: float) -> FloatArray:
    """(n, 3) of some points those that reach as far in every direction as all of them, but for ``fine`` metres."""
    if not len(points):
        return points
    reach = _directions(DIRECTIONS) @ points.T
    farthest = reach.max(axis=1)
    chosen: list[int] = []
    lacking = np.full(len(reach), np.inf)
    while len(chosen) < MOST and lacking.max() > fine:
        chosen.append(int(np.argmax(reach[int(np.argmax(lacking))])))
        lacking = farthest - reach[:, chosen].max(axis=1)
    return points[chosen]


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


def _hangs(joint: int, limbs: Limbs, placed: Container[int]) -> int:
    """See `Solids.hangs`."""
    tips = limbs.tip.tolist()
    return tips.index(joint) if joint in tips else HELD if joint in placed else LOOSE


def _spare(physique: Physique, limbs: Limbs) -> FloatArray:
    """(J,) see `Solids.spare`."""
    spare = np.zeros(len(physique))
    for tip, first, number, length in zip(limbs.tip, limbs.first, limbs.number, limbs.length, strict=True):
        spare[[tip, *limbs.chain[first : first + number]]] = SPARED * length
    for tip, length, flat in zip(limbs.tip, limbs.length, limbs.flat, strict=True):
        if flat and tip not in limbs.chain:
            spare[tip] = ROLLED * length
    return spare


def _yields(firm: FloatArray, limbs: Limbs, core: Collection[int]) -> IntArray:
    """(J,) see `Solids.yields`."""
    found = np.zeros(len(firm), np.int64)
    found[[joint for joint in core if firm[joint] < 1.0]] = BROUGHT
    for leg, tip, first, number in zip(limbs.leg, limbs.tip, limbs.first, limbs.number, strict=True):
        if leg >= 0:
            found[[tip, *limbs.chain[first : first + number]]] = WALKS
    return found


def _firm(physique: Physique, limbs: Limbs, brought: Iterable[int]) -> FloatArray:
    """(J,) see `Solids.firm`."""
    firm = np.ones(len(physique))
    firm[[*limbs.tip, *limbs.chain]] = LIMBS_STAY
    firm[[*brought, *limbs.chain[limbs.first]]] = STAYS
    firm[[*physique.spine, physique.root]] = 1.0
    return firm


def _pairs(
    physique: Physique, owners: IntArray, limbs: Limbs, limb: int, placed: Container[int]
) -> Sequence[tuple[int, int, float]]:
    """Capsules of the tip of a limb and those of trunk and limbs that they may touch, and how deep they may."""
    volume, pairs = volume_of(physique.character), pairs_of(physique.character)
    tips = set(limbs.tip.tolist())
    tip, first = int(limbs.tip[limb]), int(limbs.first[limb])
    mine = {tip, *limbs.chain[first : first + int(limbs.number[limb])].tolist()}
    found = []
    for one, two, give in zip(pairs.first.tolist(), pairs.second.tolist(), pairs.gives.tolist(), strict=True):
        for own, other in ((one, two), (two, one)):
            there = int(volume.joints[other])
            carrier = int(owners[there])
            is_small = carrier in tips and there not in tips
            if int(volume.joints[own]) == tip and carrier in placed and carrier not in mine and not is_small:
                found.append((own, other, float(give)))
    return found
