"""A place to reach for, look at or point at, where nobody has said one."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.animation import TargetPlace
from mummer.general.context import select
from mummer.general.context_limbs import swing_length, walk_limb
from mummer.general.feet import standing_feet
from mummer.general.mouth import mouth_point
from mummer.general.physique import Physique
from mummer.general.predicates import fits
from mummer.general.variants import Variant, side_of
from mummer.ik.volume import volume_of
from mummer.ik.volume.capsule import signed_distance
from mummer.kernels import quaternions

LOWEST = 0.02
"""No target is nearer to the ground than this part of the body's longest side, or the thickness of what takes it."""

LOW = 0.6
"""What lies on the ground is lower than this part of how high what takes it is at rest."""
STOOP = 0.18
"""How far a body on feet stoops to take something from the ground with its mouth: this part of its neck's height."""
EASY = (0.85, 0.92)
"""Shares of its length that a neck is long when it takes something from the ground: at least, and at most."""
STEEP, RAISED, HALF_RAISED = 0.95, 0.8, 0.35
"""Radians: what is taken from above is this steeply above a neck's base, or this much above where the neck points; and
above where a head without a neck does."""
DOWN = 2.6
"""What a hand of a body on feet takes from the ground is at most so many lengths of its arm below its shoulder."""
BEFORE = 0.5
"""What a mouth takes from the ground is at least this part of its neck's length before the body."""

ASIDE = (0.25, 0.4, 0.6, 0.8, 1.0, 1.3)
"""How far to its side a hand reaches that nobody told where, over how far up and ahead: the first at which it is clear
of the body."""
FROM = 0.6
"""From which part of the way to what it reaches on a hand is clear of the body."""

HEADLONG = (0.75, 0.45)
"""What a mouth of an upright body that floats takes from the ground is so many lengths of its spine and of its neck
before it."""


def default_target(physique: Physique, variant: Variant, kind: TargetPlace = "reach") -> FloatArray:
    """(3,) in the world, a place for the target of an animation.

    Args:
        physique: the body.
        variant: who will play; what leads in it should reach the place.
        kind: see `Animation.target`.
    """
    heads = select(physique, "head") or select(physique, "eye") or (physique.root,)
    joint = (variant.leads or heads)[0]
    rest, length = physique.positions[joint] + mouth_point(physique, joint), _length(physique, joint)
    base = physique.positions[physique.limb_bases[joint]]
    side = float(side_of(physique, joint) or 1)
    if kind == "far":
        place = physique.positions[heads[0]] + np.array([0.6 * side, 0.1, 1.6]) * physique.height
    elif kind == "ground":
        place = _on_ground(physique, joint, side)
    elif joint in select(physique, "grasper"):
        way = np.array([0.1 * side, 0.75, 0.5] if kind == "above" else [0.1 * side, -0.2, 0.8])
        place = _shoulder(physique, joint) + _clear(physique, joint, way * swing_length(physique, joint))
    elif kind == "above":
        has_neck = walk_limb(physique, [joint], "shoulder")[0] != int(physique.character.skeleton.parents[joint])
        place = base + _raised(rest - base, side, RAISED if has_neck else HALF_RAISED) * length
    else:
        place = rest + np.array([0.0, -0.25, 0.25]) * float(physique.limb_lengths[joint])
    place = np.array([place[0], max(place[1], _lowest(physique, joint)), place[2]])
    return np.asarray(physique.origin + quaternions.rotate(physique.axes, place))


def _clear(physique: Physique, joint: int, way: FloatArray) -> FloatArray:
    """(3,) from a shoulder to where its hand reaches, turned out as little as that takes to be clear of the body."""
    shoulder = walk_limb(physique, [joint], "shoulder")[0]
    volume, skeleton = volume_of(physique.character), physique.character.skeleton
    own = np.isin(volume.joints, [shoulder, *skeleton.descendants(shoulder)])
    mine = np.isin(volume.joints, [joint, *skeleton.descendants(joint)])
    if not mine.any() or own.all():
        return way
    joints, thick = volume.joints[~own], _thickness(physique, joint)
    ends = quaternions.rotate(physique.rotations[joints][:, None], volume.ends[~own])
    ends = physique.positions[joints][:, None] + ends
    along = np.linspace(FROM, 1.0, 5)[:, None, None]
    for aside in (0.0, *ASIDE):
        turned = np.array([np.sign(way[0]) * max(aside * np.linalg.norm(way[1:]), abs(way[0])), *way[1:]])
        turned *= np.linalg.norm(way) / np.linalg.norm(turned)
        points = physique.positions[shoulder] + along * turned
        if (signed_distance(points, ends, volume.radii[~own])[0] > thick).all():
            return np.asarray(turned)
    return way


def _raised(way: FloatArray, side: float, most: float) -> FloatArray:
    """(3,) in lengths of a neck that points along ``way`` at rest: up and ahead, but no farther up than it turns."""
    steep = min(STEEP, float(np.arctan2(way[1], np.hypot(way[0], way[2]))) + most)
    return np.array([0.2 * side, 0.86 * np.sin(steep), 0.86 * np.cos(steep)])


def _on_ground(physique: Physique, joint: int, side: float) -> FloatArray:
    """(3,) in character space: before what reaches for it, and beside the legs if that is a hand."""
    length, front = _length(physique, joint), physique.positions[joint] + mouth_point(physique, joint)
    if joint in select(physique, "grasper"):
        shoulder, arm = _shoulder(physique, joint), swing_length(physique, joint)
        low = max(shoulder[1] - DOWN * arm, 0.0) if standing_feet(physique) else 0.0
        return np.array([shoulder[0] + 0.22 * side * arm, low, shoulder[2] + 0.6 * arm])
    base = physique.positions[physique.limb_bases[joint]]
    if fits(physique, {"floats": True, "upright_spine": True}):
        # It comes down headlong, its spine turned about its root.
        root = physique.positions[physique.root]
        ahead = root[2] + HEADLONG[0] * float(np.linalg.norm(base - root)) + HEADLONG[1] * length
        return np.array([base[0], 0.0, ahead])
    if not standing_feet(physique):
        return np.array([base[0], 0.0, max(front[2], base[2]) + 0.15 * length])
    down = (1.0 - STOOP) * base[1] - _lowest(physique, joint)
    rest = float(np.linalg.norm(front - base))
    easy = np.clip(rest, EASY[0] * length, EASY[1] * length)
    before = max(BEFORE * length, float(np.sqrt(max(easy**2 - down**2, 0.0))))
    # A spine that comes down for a neck which is too short turns about the root: from upright it comes ahead.
    lacking = max(down - float(np.sqrt(easy**2 - (BEFORE * length) ** 2)), 0.0)
    up, ahead = (base - physique.positions[physique.root])[1:]
    lower = max(up - lacking, 0.0)
    return np.array([base[0], 0.0, base[2] + before + float(np.sqrt(up**2 + ahead**2 - lower**2)) - abs(ahead)])


def _length(physique: Physique, joint: int) -> float:
    """Metres along the bones from the spine to a joint, to the front of a jaw."""
    return float(physique.limb_lengths[joint] + np.linalg.norm(mouth_point(physique, joint)))


def _shoulder(physique: Physique, joint: int) -> FloatArray:
    """(3,) where the limb of a joint swings from, in character space."""
    return np.asarray(physique.positions[walk_limb(physique, [joint], "shoulder")[0]])


def _lowest(physique: Physique, joint: int) -> float:
    """Metres above the ground, below which no target of a part is."""
    return max(LOWEST * physique.height, min(_thickness(physique, joint), LOW * float(physique.positions[joint, 1])))


def _thickness(physique: Physique, joint: int) -> float:
    """Metres: how near to the ground a part can be; the palm of a hand with its fingers down, half as far as these."""
    volume = volume_of(physique.character)
    own = np.isin(volume.joints, [joint, *physique.character.skeleton.descendants(joint)])
    ends = physique.limb_lengths[volume.joints[own], None] + np.linalg.norm(volume.ends[own], axis=-1)
    fingers = float(np.max(ends, initial=0.0)) - float(physique.limb_lengths[joint])
    mine = volume.joints == joint
    if joint in select(physique, "grasper"):
        return max(float(np.max(volume.radii[mine], initial=0.0)), 0.5 * fingers)
    # A mouth takes hold with its front: a head comes down snout first.
    away = quaternions.rotate(physique.rotations[joint], volume.ends[mine]) - mouth_point(physique, joint)
    return float(volume.radii[mine].flat[int(np.argmin(np.linalg.norm(away, axis=-1)))]) if mine.any() else 0.0
