"""The body: all that motion needs to know of a character, measured once, as flat arrays that kernels take as one.

Everything is in *character space* at rest: +X to the left, +Y up, +Z ahead, the origin on the ground below the root.
A joint's *turn* is how far it is turned from rest in the world, so that a body that stands at rest has one turn for all
joints; its *bend* is its turn against its parent's. Where a joint's own axes point is nobody's business but that of the
two columns that make rotations of files of bends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Character
from mummer.engine.legs import Legs, legs_table
from mummer.engine.limbs import Limbs, limbs_table
from mummer.engine.necks import Necks, necks_table
from mummer.engine.reaches import Reaches, reaches_table
from mummer.engine.solids import Solids, solids_table
from mummer.engine.swaying import Sways, sways_table
from mummer.engine.tables import integers
from mummer.engine.waves import Waves, waves_table
from mummer.engine.wings import Wings, wings_table
from mummer.general.gait.style import StyleLike
from mummer.general.physique import Physique, physique_of
from mummer.ik.limits import AXIS, KIND, RANGE, REST, SECOND_AXIS, SECOND_RANGE, WIDTH
from mummer.ik.rigid_body import rigid_body
from mummer.kept import kept
from mummer.kernels.arguments import Count, Floats1, Floats2, Number, Parents
from mummer.math import quaternion

TRUNK_OR_LEG, NECK = 1, 2


class Frame(NamedTuple):
    """The skeleton at rest.

    Attributes:
        parents: (J,) -1 for the first joint, which carries all others.
        places: (J, 3) joints, metres.
        bones: (J, 3) from each joint's parent to it.
        before, after: (J, 4) a joint's rotation against its parent in the file is ``before · bend · after``.
        limits: (J, WIDTH) of `joint_table`, for bends.
        sudden: (J,) radians a second squared beyond which a joint is taken to jump.
        early: (J,) `TRUNK_OR_LEG` and `NECK` for joints that are settled before what depends on them is placed, 0 for
            all others: necks and heads once legs hold the root.
        core: (C,) the joints that carry limbs or heads, the first joint of all first.
        spine: (S,) the joints of the spine above the root.
        root: the joint that is moved on the stage.
        height: metres, the longest side of the body.
    """

    parents: Parents
    places: Floats2
    bones: Floats2
    before: Floats2
    after: Floats2
    limits: Floats2
    sudden: Floats1
    early: Parents
    core: Parents
    spine: Parents
    root: Count
    height: Number


class Body(NamedTuple):
    """What motion needs to know of one character; see the parts for what they hold."""

    frame: Frame
    limbs: Limbs
    legs: Legs
    necks: Necks
    reaches: Reaches
    sways: Sways
    waves: Waves
    solids: Solids
    wings: Wings


def body_of(character: Character, style: StyleLike = "walk") -> Body:
    """The body of a character whose anatomy is known; made once for each character and gait style.

    Raises:
        InputError: if its anatomy is not known.
    """
    return _body(physique_of(character), style if isinstance(style, str) else tuple(style))  # type: ignore[arg-type]


@kept
def _body(physique: Physique, style: StyleLike) -> Body:
    limbs, numbers = limbs_table(physique)
    necks, reaches = necks_table(physique), reaches_table(physique, numbers)
    waves, legs = waves_table(physique), legs_table(physique, numbers, limbs.length, style)
    chained = (limbs.chain, necks.joints, reaches.chain, waves.joint)
    brought = [*necks.joints.tolist(), *reaches.chain.tolist()]
    frame = _frame(physique, brought, legs, limbs)
    # What carries a limb does not sway: its hand would miss what it is to hold.
    taken = {*numbers, *frame.core.tolist(), *(int(joint) for joints in chained for joint in joints)}
    taken |= _bound_folded(physique)
    sways = sways_table(physique, frozenset(taken))
    loose = [*sways.joint.tolist(), *waves.joint.tolist(), *reaches.tip.tolist()]
    solids = solids_table(physique, limbs, legs.limb, frame.core.tolist(), brought, loose)
    wings = wings_table(physique, frozenset(taken), frame.limits)
    return Body(frame, limbs, legs, necks, reaches, sways, waves, solids, wings)


SPREAD = 0.7
"""How far the end of a wing is from its base at rest, in lengths of the wing, up to which it is folded there."""


def _bound_folded(physique: Physique) -> set[int]:
    """The joints of wings that lie folded on the body at rest, as those of hens do: they neither fold nor sway."""
    found: set[int] = set()
    for limb in physique.anatomy.limbs:
        places = physique.positions[list(limb.joints)]
        length = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
        if limb.kind == "wing" and float(np.linalg.norm(places[-1] - places[0])) < SPREAD * length:
            found |= set(physique.character.skeleton.descendants(limb.joints[0]))
    return found


def _frame(physique: Physique, brought: list[int], legs: Legs, limbs: Limbs) -> Frame:
    parents = np.array(rigid_body(physique.character).parents, np.int64)
    above = np.where(parents >= 0, parents, 0)
    bones = physique.positions - physique.positions[above]
    before = quaternion.conjugate(physique.rotations)[above]
    before[parents < 0] = quaternion.IDENTITY
    trunk = _above(parents, [*physique.spine, physique.root, *limbs.carrier.tolist()])
    core = sorted(trunk | _above(parents, brought))
    legged = [joint for limb in legs.limb.tolist() for joint in _joints(limbs, limb)]
    return Frame(
        locked(parents, np.int64),
        physique.positions,
        locked(bones),
        locked(before),
        physique.rotations,
        locked(_limits(physique)),
        locked(_sudden(physique, sorted(trunk), core, legged, legs.quick)),
        integers(
            [
                TRUNK_OR_LEG if joint in trunk or joint in legged else NECK if joint in core else 0
                for joint in range(len(physique))
            ]
        ),
        locked(np.array(core, np.int64), np.int64),
        locked(np.array([joint for joint in physique.spine if joint != physique.root], np.int64), np.int64),
        physique.root,
        physique.height,
    )


TRUNK, LIMBS, STEPPING = 0.06, 0.012, 0.009
"""Seconds that joints take at the quickest to turn by another radian in a unit of time: those that carry limbs, all
others, and those of legs."""


FLUNG, TWITCH = 30.0, 140.0
"""How much faster in a second a joint lets the end of what it carries go at most, in the body's longest side over a
unit of time, and over a second: long arms are turned less suddenly than short ones, and what small bodies do is still
to be seen. Legs go where feet do."""


def _sudden(physique: Physique, trunk: list[int], core: list[int], legged: list[int], unit: float) -> FloatArray:
    """(J,) see `Frame.sudden`; the smaller a body the quicker it is."""
    places, takes = physique.positions, np.full(len(physique), LIMBS)
    takes[trunk], takes[legged] = TRUNK, STEPPING
    levers = np.zeros(len(physique))
    for joint, parent in enumerate(rigid_body(physique.character).parents):
        while parent >= 0:
            levers[parent] = max(levers[parent], float(np.linalg.norm(places[joint] - places[parent])))
            parent = rigid_body(physique.character).parents[parent]
    most = min(FLUNG / unit, TWITCH) * float(np.ptp(places, axis=0).max())
    sudden = 1.0 / (unit * takes)
    others = np.setdiff1d(np.arange(len(physique)), legged)
    sudden[others] = np.minimum(sudden, most / np.maximum(levers, 1e-9))[others]
    # The joints of a spine turn together, and those of a neck: the more there are, the less suddenly each.
    skeleton = rigid_body(physique.character).skeleton
    for chain, least in ((set(trunk), 1.5), (set(core) - set(trunk), 2.0)):
        for joint in chain:
            sudden[joint] /= np.sqrt(max(len({joint, *skeleton.ancestors(joint)} & chain) / least, 1.0))
    return sudden


def _joints(limbs: Limbs, limb: int) -> list[int]:
    """The joints of a limb, with its tip."""
    first, number = int(limbs.first[limb]), int(limbs.number[limb])
    return [*limbs.chain[first : first + number].tolist(), int(limbs.tip[limb])]


def _above(parents: IntArray, joints: list[int]) -> set[int]:
    """Joints and all above them."""
    found: set[int] = set()
    for joint in joints:
        while joint >= 0 and joint not in found:
            found.add(joint)
            joint = int(parents[joint])
    return found


def _limits(physique: Physique) -> FloatArray:
    """(J, WIDTH) the limits of joints as bends have them: axes in character space, and rest no turn."""
    limits = rigid_body(physique.character).limits
    table = np.zeros((len(physique), WIDTH))
    table[:, KIND] = limits.kinds
    table[:, AXIS : AXIS + 3] = quaternion.rotate(physique.rotations, limits.axes)
    table[:, SECOND_AXIS : SECOND_AXIS + 3] = quaternion.rotate(physique.rotations, limits.second_axes)
    table[:, RANGE : RANGE + 2], table[:, SECOND_RANGE : SECOND_RANGE + 2] = limits.ranges, limits.second_ranges
    table[:, REST : REST + 4] = quaternion.IDENTITY
    return table
