"""Limbs as the engine bends them: for every distance from base to tip one way to fold, tabulated once.

A limb that is asked to be shorter or longer goes along one path from straight over rest to folded, on which all of its
hinges go by the same share of what each can do; then its base points it at the target. A man's leg and the leg of a
spider with three knees are the same to it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character.limits import HINGE, PIVOT
from mummer.engine.tables import integers
from mummer.general.context_limbs import end_point
from mummer.general.gait.legs import legs_of
from mummer.general.physique import Physique
from mummer.ik.limb_joints import LimbJoints, find_limb, preferred_axis
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.volume.volume import volume_of
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Parents
from mummer.math import quaternion

ROWS = 65
"""How many distances are tabulated."""
TRIES = 121
MOST_BENT = 2.7
"""Radians that a joint whose limits nobody knows bends at most from straight."""
FOLDS = 0.5
"""From which part of the rest of its limb on a foot that goes along with it is long enough to be folded as well."""
LOOSE = 0.5
"""From which `Leg.tilts` on a foot goes along with its leg: a hoof, a claw, the toes of a bird."""


class Limbs(NamedTuple):
    """The M limbs that can be placed.

    Attributes:
        tip: (M,) the joint that is placed.
        carrier: (M,) the parent of the base.
        point: (M, 3) from the tip joint to what is placed: zero, where a hoof stands, or the end of a feeler.
        first, number: (M,) where the limb's joints are in ``chain``: base first, the tip last if it folds as well.
        length: (M,) metres from base to tip, as long as it can be.
        side: (M,) 1 left, -1 right, 0 in the middle.
        leg: (M,) which of the legs that walk it is, see `Legs`, -1 if none.
        flat: (M,) 1 for feet that are kept flat on the ground, and for tips that fold with their limb; 0 for others.
        hangs: (M,) for arms that hang, and swing while legs walk, how far aside of the shoulder, in lengths of the arm;
            0 for what does not hang.
        mate: (M,) the first of the limbs that begin with the same joints, as hands that share an arm do; itself if none
            does.
        shared: (M,) how many joints each shares with its mates.
        chain: (C,) joints.
        axes: (C, 3) the axis about which each bends, unit.
        knee: (M, 3) to which side of the line from base to tip the limb folds as it hangs at rest, unit; zero of one
            that does not fold.
        folds: (M, ROWS, 1 + longest) distances from base to tip, ever less, and the angles of the joints at each.
    """

    tip: Parents
    carrier: Parents
    point: Floats2
    first: Parents
    number: Parents
    length: Floats1
    side: Floats1
    leg: Parents
    flat: Floats1
    hangs: Floats1
    mate: Parents
    shared: Parents
    chain: Parents
    axes: Floats2
    knee: Floats2
    folds: Floats3


def limbs_table(physique: Physique) -> tuple[Limbs, dict[int, int]]:
    """The limbs of a body, and the number of the limb that each tip has."""
    trunk = {physique.root, *physique.spine, *rigid_body(physique.character).skeleton.ancestors(physique.root)}
    found = [
        (tip, limb)
        for tip in _tips(physique)
        # What hangs on the trunk by one joint alone has none to be placed by: the trunk is not bent for it.
        if (limb := find_limb(rigid_body(physique.character), tip)) and not trunk & {limb.base, limb.middle}
    ]
    stands = {leg.foot: leg.contact - physique.positions[leg.foot] for leg in legs_of(physique) if leg.tilts > LOOSE}
    walkers = [leg.foot for leg in legs_of(physique) if leg.foot in {tip for tip, _ in found}]
    feet = set(walkers)
    points = [stands.get(tip, np.zeros(3) if tip in feet else end_point(physique, tip)) for tip, _ in found]
    chains = [_chain(physique, limb, point) for (_, limb), point in zip(found, points, strict=True)]
    longest = max((len(chain) for chain in chains), default=1)
    axes = [_axis(physique, limb, joint) for (_, limb), chain in zip(found, chains, strict=True) for joint in chain]
    tables = [
        _folds(physique, limb, chain, longest, point)
        for (_, limb), chain, point in zip(found, chains, points, strict=True)
    ]
    first = np.cumsum([0, *(len(chain) for chain in chains)])[:-1]
    parents = rigid_body(physique.character).parents
    mates, shared = _mates(chains, [tip in feet for tip, _ in found])
    table = Limbs(
        integers([tip for tip, _ in found]),
        integers([max(int(parents[chain[0]]), 0) for chain in chains]),
        locked(np.array(points, np.float64).reshape(-1, 3)),
        integers(first.tolist()),
        integers([len(chain) for chain in chains]),
        locked(np.array([table[0, 0] for table in tables], np.float64)),
        locked(np.array([_side(physique, tip) for tip, _ in found], np.float64)),
        integers([walkers.index(tip) if tip in feet else -1 for tip, _ in found]),
        locked(
            np.array(
                [
                    float(tip in chain or (tip in feet and tip not in stands))
                    for (tip, _), chain in zip(found, chains, strict=True)
                ],
                np.float64,
            )
        ),
        locked(_asides(physique, [tip for tip, _ in found], chains, tables)),
        integers(mates),
        integers(shared),
        integers([joint for chain in chains for joint in chain]),
        locked(np.array(axes, np.float64).reshape(-1, 3)),
        locked(
            np.array(
                [
                    _knee(physique, limb, chain, table, point)
                    for (_, limb), chain, table, point in zip(found, chains, tables, points, strict=True)
                ],
                np.float64,
            ).reshape(-1, 3)
        ),
        locked(np.array(tables, np.float64).reshape(-1, ROWS, 1 + longest)),
    )
    return table, {tip: number for number, (tip, _) in enumerate(found)}


def _tips(physique: Physique) -> list[int]:
    """Feet and hands, each once."""
    able = physique.anatomy.capabilities
    return sorted({leg.foot for leg in legs_of(physique)} | set(able.get("grasper", ())))


def _chain(physique: Physique, limb: LimbJoints, point: FloatArray) -> list[int]:
    """From the base down to the parent of the tip; to the tip where it is long, as what a horse has above its hoof.

    A head that carries feelers is none of theirs.
    """
    body, able = rigid_body(physique.character), physique.anatomy.capabilities
    parents = body.parents
    length = float(np.linalg.norm(physique.positions[limb.tip] - physique.positions[limb.base]))
    folds = np.linalg.norm(point) > FOLDS * length and body.limits.kinds[limb.tip] in (HINGE, PIVOT)
    others = {*able.get("head", ()), *able.get("neck", ()), *physique.spine}
    found = [limb.tip, int(parents[limb.tip])] if folds else [int(parents[limb.tip])]
    while found[-1] != limb.base and int(parents[found[-1]]) not in others:
        found.append(int(parents[found[-1]]))
    return found[::-1]


def _mates(chains: list[list[int]], stands: list[bool]) -> tuple[list[int], list[int]]:
    """See `Limbs.mate` and `Limbs.shared`; legs have none."""
    mates, shared = list(range(len(chains))), [0] * len(chains)
    for one, chain in enumerate(chains):
        for other in range(one):
            common = sum(a == b for a, b in zip(chain, chains[other], strict=False))
            if common and not stands[one] and not stands[other]:
                mates[one] = min(mates[one], mates[other])
                shared[one], shared[other] = max(shared[one], common), max(shared[other], common)
    return mates, shared


def _axis(physique: Physique, limb: LimbJoints, joint: int) -> FloatArray:
    """(3,) about which a joint bends, in character space."""
    limits = rigid_body(physique.character).limits
    if limits.kinds[joint] in (HINGE, PIVOT):
        return quaternion.rotate(physique.rotations[joint], limits.axes[joint])
    return quaternion.rotate(physique.rotations[limb.base], preferred_axis(rigid_body(physique.character), limb))


def _folds(physique: Physique, limb: LimbJoints, chain: list[int], longest: int, point: FloatArray) -> FloatArray:
    """(ROWS, 1 + longest) of `Limbs.folds`."""
    limits = rigid_body(physique.character).limits
    axes = np.array([_axis(physique, limb, joint) for joint in chain])
    ends = np.zeros((2, len(chain)))
    for place, joint in enumerate(chain):
        if place > 0 and (joint in (limb.middle, limb.tip) or limits.kinds[joint] in (HINGE, PIVOT)):
            ends[:, place] = _straight_and_folded(physique, chain, limb.tip, axes, place, point)
        if joint == limb.tip and joint in {leg.foot for leg in legs_of(physique)}:
            # Legs reach as far as they do with feet as they are at rest.
            ends[0, place] = 0.0
    shares = np.linspace(-1.0, 1.0, ROWS)[:, None]
    angles = np.where(shares < 0, -shares * ends[0], shares * ends[1])
    far = _distances(physique, chain, limb.tip, axes, angles, point)
    step = 1e-6 * max(float(far.max()), 1e-9)
    for row in range(1, ROWS):
        far[row] = min(far[row], far[row - 1] - step)
    return np.concatenate([far[:, None], angles, np.zeros((ROWS, longest - len(chain)))], axis=1)


def _straight_and_folded(
    physique: Physique, chain: list[int], tip: int, axes: FloatArray, place: int, point: FloatArray
) -> tuple[float, float]:
    """The angle at which a joint makes the limb as long as it should ever be, and that at which it is folded."""
    limits, joint = rigid_body(physique.character).limits, chain[place]
    is_hinge = limits.kinds[joint] in (HINGE, PIVOT) or joint == tip
    low, high = limits.ranges[joint] if is_hinge else (-MOST_BENT, MOST_BENT)
    tried = np.linspace(max(min(low, 0.0), -np.pi), min(max(high, 0.0), np.pi), TRIES)
    angles = np.zeros((TRIES, len(chain)))
    angles[:, place] = tried
    far = _distances(physique, chain, tip, axes, angles, point)
    best = int(np.argmax(far))
    if not is_hinge:
        # It bends on to the side to which it is bent, or would bend, and no farther than anything does.
        return float(tried[best]), float(min(tried[best] + MOST_BENT, np.pi))
    folded = low if tried[best] - low > high - tried[best] else high
    return float(tried[best]), float(folded)


def _knee(
    physique: Physique, limb: LimbJoints, chain: list[int], table: FloatArray, point: FloatArray
) -> FloatArray:  # fmt: skip
    """(3,) see `Limbs.knee`."""
    places, turn = [np.zeros(3)], np.array([0.0, 0.0, 0.0, 1.0])
    for place, joint in enumerate(chain):
        below = chain[place + 1] if place + 1 < len(chain) else limb.tip
        bent = quaternion.exp(table[ROWS // 2 + ROWS // 4, 1 + place] * _axis(physique, limb, joint))
        turn = quaternion.multiply(turn, bent)
        end = point if joint == limb.tip else physique.positions[below] - physique.positions[joint]
        places.append(places[-1] + quaternion.rotate(turn, end))
    rest = physique.positions[limb.tip] + point - physique.positions[chain[0]]
    joints = quaternion.rotate(quaternion.between_vectors(places[-1], rest), np.array(places[:-1]))
    aside = joints - np.outer(joints @ rest, rest) / max(float(rest @ rest), 1e-18)
    farthest = aside[int(np.argmax(np.linalg.norm(aside, axis=1)))]
    return farthest / max(float(np.linalg.norm(farthest)), 1e-12)


def _distances(
    physique: Physique, chain: list[int], tip: int, axes: FloatArray, angles: FloatArray, point: FloatArray
) -> FloatArray:
    """(n,) metres from base to tip with joints bent by ``angles`` (n, C)."""
    below, end = tip, np.repeat(point[None], len(angles), axis=0)
    for place in range(len(chain) - 1, -1, -1):
        bone = physique.positions[below] - physique.positions[chain[place]]
        end = quaternion.rotate(quaternion.exp(angles[:, place, None] * axes[place]), bone + end)
        below = chain[place]
    return np.linalg.norm(end, axis=1)


def _side(physique: Physique, joint: int) -> float:
    aside = float(physique.positions[joint, 0])
    return 0.0 if abs(aside) < 0.01 * physique.height else float(np.sign(aside))


ASIDE = (0.16, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4)
"""How far aside of their shoulders hands hang, beside how far below: the first at which the arm is clear. Arms on round
trunks are held out, but not stretched out as they were bound."""
WIDE = 1.0
"""How far aside arms hang at most that were not bound farther out."""
HAND = 1.6
"""How far from its shoulder the longest finger of an arm ends at most, in its lengths: what is longer is held."""
CLEAR, FROM = 0.9, 0.4
"""Parts of its thickness that an arm is away from body and ground, and from which part of its length on."""


def _asides(physique: Physique, tips: list[int], chains: list[list[int]], tables: list[FloatArray]) -> FloatArray:
    """(M,) see `Limbs.hangs`; both arms of a pair, and all their hands, hang as far aside as that with least room."""
    feet = {leg.foot for leg in legs_of(physique)}
    arms = {joint for limb in physique.anatomy.limbs if limb.kind == "arm" for joint in limb.joints} - feet
    found: dict[int, float] = {}
    for tip, chain, table in zip(tips, chains, tables, strict=True):
        aside = _aside(physique, tip, chain, table[0, 0]) if tip in arms else 0.0
        for base in (chain[0], int(physique.anatomy.mirror[chain[0]])):
            found[base] = max(found.get(base, 0.0), aside)
    return np.array([found[chain[0]] * (tip in arms) for tip, chain in zip(tips, chains, strict=True)], np.float64)


def _aside(physique: Physique, tip: int, chain: list[int], length: float) -> float:
    """How far aside an arm hangs: it, and all that its hands hold, no deeper in anything than at rest."""
    base, volume = physique.positions[chain[0]], volume_of(physique.character)
    arm = {chain[0], *physique.character.skeleton.descendants(chain[0])}
    if abs(base[0]) <= 0.02 * physique.height:
        return 0.0
    own, bones = np.isin(volume.joints, list(arm)), np.isin(volume.joints, chain)
    ends = quaternion.rotate(physique.rotations[volume.joints][:, None], volume.ends)
    ends = physique.positions[volume.joints][:, None] + ends
    rest = physique.positions[tip] - base
    thick = float(np.mean(volume.radii[bones])) if bones.any() else 0.0
    # To the ends of the longest fingers, of whichever hand.
    past = np.linalg.norm(volume.ends[own], axis=-1) + volume.radii[own]
    far = physique.limb_lengths[volume.joints[own]] - physique.limb_lengths[chain[0]]
    longest = np.clip(np.max(far + past.max(axis=1, initial=0.0), initial=0.0), length, HAND * length)
    along = np.append(np.linspace(FROM, 1.0, 7) * length, longest)[:, None] * rest / np.linalg.norm(rest)
    balls = np.concatenate([along, ends[own & ~bones].reshape(-1, 3) - base])
    radii = CLEAR * np.concatenate([np.full(len(along), thick), volume.radii[own & ~bones].reshape(-1)])

    def room(turn: FloatArray) -> tuple[FloatArray, FloatArray]:
        places = base + quaternion.rotate(turn, balls)
        return signed_distance(places[:, None], ends[~own], volume.radii[~own])[0], places[:, 1]

    known, high = room(quaternion.IDENTITY)
    # None is held farther out than it was bound.
    bound = abs(rest[0]) / max(float(np.hypot(rest[1], rest[2])), 1e-9)
    for aside in (each for each in ASIDE if each <= max(bound, WIDE)):
        way = np.array([np.sign(base[0]) * aside, -1.0, 0.0])
        hung, low = room(quaternion.between_vectors(rest, way))
        if np.all(hung >= np.minimum(known, radii[:, None])) and np.all(low >= np.minimum(high, radii)):
            return aside
    return 0.0
