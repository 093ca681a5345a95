"""Limbs as the engine bends them: two stiff segments, and a tip that keeps its own way of turning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character, Limits, Pose, Skeleton, clamp, rest_positions
from mummer.clip.frames import Frames
from mummer.ik.rigid_body import RigidBody
from mummer.math import quaternion

STRAIGHT = 0.985
"""Part of its length up to which a limb may be stretched without caution."""
PREFERENCE = 0.1
"""How much the usual plane of bending counts beside the one that a limb has now: it decides for a straight limb."""
LEAST_BEND = 0.25
"""Radians; a limb that is bent less than this is kept a little away from straight, where it could bend either way."""
SLACK = 1e-7
"""Radians; what is past its limits by no more is where it was."""


@dataclass(frozen=True)
class Chain:
    """The joints of a limb.

    Attributes:
        base: where it turns against the body, a hip.
        middle: where it bends, a knee.
        tip: its end, an ankle.
    """

    base: int
    middle: int
    tip: int

    @property
    def joints(self) -> tuple[int, int, int]:
        """Base, middle and tip."""
        return (self.base, self.middle, self.tip)


@dataclass(frozen=True, eq=False)
class Bend:
    """How to move limbs so that their tips are where they should be, for T poses.

    Attributes:
        base_turn: (T, 4) put before the rotation of the base in the world.
        middle_turn: (T, 4) put before that of the middle, before the base's.
        tip: (T, 3) where the tip comes to be.
    """

    base_turn: FloatArray
    middle_turn: FloatArray
    tip: FloatArray


def find_chain(skeleton: Skeleton, tip: int) -> Chain | None:
    """The two-segment limb that ends at joint ``tip``; None if there is none.

    The limb goes up to where the body branches, or not quite: of the joints on the way those are taken which make two
    long segments of about equal length. Joints at one place count as one, and the lowest of them turns.
    """
    places = rest_positions(skeleton)
    above = [tip]
    while (parent := int(skeleton.parents[above[-1]])) >= 0 and not _branches(skeleton, parent, above[-1]):
        above.append(parent)
    size = max(float(np.ptp(places, axis=0).max()), 1e-9)
    knots = [tip]
    for joint in above[1:]:
        if np.linalg.norm(places[joint] - places[knots[-1]]) > 1e-3 * size:
            knots.append(joint)
    if len(knots) < 3:
        return None
    pairs = [(middle, base) for middle in range(1, len(knots) - 1) for base in range(middle + 1, len(knots))]
    middle, base = min(pairs, key=lambda pair: _unevenness(places[knots], *pair))
    return Chain(knots[base], knots[middle], tip)


def _unevenness(places: FloatArray, middle: int, base: int) -> float:
    """How unlike both segments are, less how much of the whole way up they make."""
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    first, second = float(steps[middle:base].sum()), float(steps[:middle].sum())
    return abs(first - second) / (first + second) - 0.5 * (first + second) / float(steps.sum())


def _branches(skeleton: Skeleton, joint: int, came_from: int) -> bool:
    """Whether more than one limb leaves ``joint``, or it is a root; twist joints and ends do not count as limbs."""
    if skeleton.parents[joint] < 0:
        return True
    others = [child for child in np.flatnonzero(skeleton.parents == joint) if child != came_from]
    own = len(skeleton.descendants(came_from))
    return any(len(skeleton.descendants(int(child))) > max(2, own // 2) for child in others)


def flexion_axes(base: FloatArray, middle: FloatArray, tip: FloatArray) -> FloatArray:
    """(T, 3) the axis about which a limb is bent, as long as the sine of the angle."""
    first, second = middle - base, tip - middle
    lengths = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    return np.asarray(np.cross(first, second) / np.maximum(lengths, 1e-12)[:, None])


def allowed_length(
    base: FloatArray, middle: FloatArray, tip: FloatArray, usual_axes: FloatArray, care: FloatArray
) -> FloatArray:
    """(T,) how long limbs may be without looking stretched: about as they are now, but not quite straight.

    A limb bent backwards, as a knee in a careless recording, counts as nearly straight, so that what a motion makes of
    it changes smoothly when it passes through straight. Where ``care`` (T,) is 0 a limb may be as long as it is now.
    """
    first, second = middle - base, tip - middle
    long_first, long_second = np.linalg.norm(first, axis=-1), np.linalg.norm(second, axis=-1)
    sine = np.vecdot(flexion_axes(base, middle, tip), usual_axes)
    cosine = np.vecdot(first, second) / np.maximum(long_first * long_second, 1e-12)
    angle = np.arctan2(sine, cosine)
    kept = 0.5 * (angle + np.hypot(angle, LEAST_BEND))
    length = np.sqrt(long_first**2 + long_second**2 + 2 * long_first * long_second * np.cos(kept))
    enough = STRAIGHT * (long_first + long_second)
    now = np.maximum(np.linalg.norm(tip - base, axis=-1), enough)
    return np.asarray(now + care * (np.maximum(length, enough) - now))


def bend_limb(
    base: FloatArray,
    middle: FloatArray,
    tip: FloatArray,
    target: FloatArray,
    usual_axes: FloatArray,
    care: FloatArray,
    hinges: FloatArray | None = None,
) -> Bend:
    """Turn a limb at its base and middle so that its tip reaches ``target``, turning as little as possible.

    Beyond reach the limb comes near to straight without ever snapping.

    Args:
        base: (T, 3) where the limb begins.
        middle: (T, 3) where it bends.
        tip: (T, 3) where it ends.
        target: (T, 3) where the tip shall be.
        usual_axes: (T, 3) unit vectors about which this limb usually bends.
        care: (T,) from 0, where a limb that is left alone stays exactly as it is, to 1, where it is kept from being
            straight or bent back.
        hinges: (T, 3) unit vectors about which the middle can turn and no others; any if None.
    """
    first, second = middle - base, tip - middle
    long_first, long_second = np.linalg.norm(first, axis=-1), np.linalg.norm(second, axis=-1)
    longest = long_first + long_second
    free = allowed_length(base, middle, tip, usual_axes, care)
    way = target - base
    length = _within_reach(np.linalg.norm(way, axis=-1), free, longest, np.abs(long_first - long_second))
    cosine = (length**2 - long_first**2 - long_second**2) / np.maximum(2 * long_first * long_second, 1e-12)
    angle = np.arccos(np.clip(cosine, -1.0, 1.0))
    forward = _forward_axes(flexion_axes(base, middle, tip), usual_axes, care)
    if hinges is None:
        along = first / np.maximum(long_first, 1e-12)[:, None]
        across = _unit(np.cross(forward, along), quaternion.perpendicular(along))
        bent = long_second[:, None] * (np.cos(angle)[:, None] * along + np.sin(angle)[:, None] * across)
        middle_turn = quaternion.between_vectors(second, bent)
    else:
        middle_turn = _turn_hinge(first, second, hinges, length, np.vecdot(forward, usual_axes))
        bent = quaternion.rotate(middle_turn, second)
    base_turn = quaternion.between_vectors(first + bent, way)
    return Bend(base_turn, middle_turn, base + quaternion.rotate(base_turn, first + bent))


def _turn_hinge(
    first: FloatArray, second: FloatArray, hinges: FloatArray, length: FloatArray, forward: FloatArray
) -> FloatArray:
    """(T, 4) turns of the middle about ``hinges`` that make limbs so long.

    With ``δ`` the angle, ``first · R(δ) second`` is ``level + cosine cos δ + sine sin δ``. Of the two angles that solve
    it the one that bends the limb as usual is taken, or where ``forward`` (T,) is below zero the other.
    """
    level = np.vecdot(first, hinges) * np.vecdot(second, hinges)
    cosine, sine = np.vecdot(first, second) - level, np.vecdot(first, np.cross(hinges, second))
    lengths = np.vecdot(first, first) + np.vecdot(second, second)
    wanted = (0.5 * (length**2 - lengths) - level) / np.maximum(np.hypot(cosine, sine), 1e-12)
    bend = np.arccos(np.clip(wanted, -1.0, 1.0))
    return quaternion.exp((np.arctan2(sine, cosine) + np.where(forward < 0, -bend, bend))[:, None] * hinges)


def _forward_axes(axes: FloatArray, usual: FloatArray, care: FloatArray) -> FloatArray:
    """(T, 3) ``axes`` where limbs are bent as usual, going over smoothly to ``usual`` where straight or bent back."""
    along = np.vecdot(axes, usual)[:, None]
    return np.asarray(axes + care[:, None] * (np.hypot(along, PREFERENCE) - along) * usual)


def _within_reach(wanted: FloatArray, free: FloatArray, longest: FloatArray, shortest: FloatArray) -> FloatArray:
    """(T,) lengths, drawn in beyond ``free`` so that ``longest`` is approached and never passed."""
    room = np.maximum(longest - free, 1e-9 * longest)
    beyond = np.maximum(wanted - free, 0.0)
    drawn = np.minimum(wanted, free) + room * -np.expm1(-beyond / room)
    return np.clip(drawn, shortest + 1e-6 * longest, longest * (1 - 1e-12))


def _unit(vectors: FloatArray, instead: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(lengths > 1e-9, vectors / np.maximum(lengths, 1e-9), instead)


def hold_limits(body: Character, frames: Frames, given: Pose) -> BoolArray:
    """Turn back what is farther past its limits in ``frames`` than in ``given`` (T,), as far as it is there.

    Returns:
        (T, J) which joints were turned back.
    """
    if body.limits is None:
        return np.zeros(frames.rotations.shape[:2], bool)
    within, past = _past(body, frames.rotations)
    before = _past(body, given.rotations)[1]
    size, allowed = (np.linalg.norm(each, axis=-1) for each in (past, before))
    too_far = size > allowed + SLACK
    share = np.where(too_far, allowed / np.maximum(size, SLACK), 1.0)
    held = quaternion.multiply(within, quaternion.exp(share[..., None] * past))
    frames.rotations[too_far] = held[too_far]
    return np.asarray(too_far, bool)


def kept_past(body: Character, start: Pose, found: FloatArray) -> FloatArray:
    """(T, J, 4) rotations ``found`` from ``start`` as if it were within its limits, with what it was past them."""
    if body.limits is None:
        return found
    return quaternion.multiply(found, quaternion.exp(_past(body, start.rotations)[1]))


def held_joint(body: RigidBody, joint: int, rotations: FloatArray) -> FloatArray:
    """(T, 4) rotations of one joint against its parent, held in its limits."""
    limits, own = body.limits, slice(joint, joint + 1)
    alone = Limits(
        limits.kinds[own], limits.axes[own], limits.second_axes[own], limits.ranges[own], limits.second_ranges[own]
    )
    skeleton = Skeleton(("joint",), np.array([-1]), np.zeros((1, 3)), body.rest_rotations[own])
    return clamp(alone, skeleton, Pose(rotations[:, None], np.zeros((len(rotations), 3)))).rotations[:, 0]


def _past(body: Character, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(T, J, 4) rotations held in the limits, and (T, J, 3) rotation vectors of how far they were past them."""
    assert body.limits is not None
    within = clamp(body.limits, body.skeleton, Pose(rotations.copy(), np.zeros((len(rotations), 3)))).rotations
    apart = quaternion.multiply(quaternion.conjugate(within), rotations)
    return within, quaternion.log(np.where(apart[..., 3:] < 0, -apart, apart))
