"""Limbs as the engine bends them: two stiff segments, and a tip that keeps its own way of turning."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.ik.limits import joint_table
from mummer.ik.one_bone import hold_joints
from mummer.ik.reach import bend_for, reach_terms
from mummer.ik.rigid_body import RigidBody, rigid_body
from mummer.kernels import quaternions
from mummer.kernels.arguments import Floats2, Output2
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU
from mummer.kernels.vectors import (
    about,
    across,
    cross,
    direction,
    dot,
    plus,
    put_four,
    put_three,
    scaled,
    shortest,
    size,
    three,
    turned,
)
from mummer.math.steps import smoother_step

STRAIGHT = 0.985
"""Part of its length up to which a limb may be stretched without caution."""
PREFERENCE = 0.1
"""How much the usual plane of bending counts beside the one that a limb has now: it decides for a straight limb."""
FIRST, SECOND, WAY, FORWARD, HINGED, LENGTH, ASKED = 0, 3, 6, 9, 12, 15, 16
"""Columns of what `bend_limbs` is asked."""
LEAST_BEND = 0.25
"""Radians; a limb that is bent less than this is kept a little away from straight, where it could bend either way."""
ASKED_FOR = 0.006
"""Part of its length by which the tip of a limb must be moved for it to be bent with all the care there is."""
SLACK = 1e-7
"""Radians; what is past its limits by no more is where it was."""


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


def flexion_axes(base: FloatArray, middle: FloatArray, tip: FloatArray) -> FloatArray:
    """(T, 3) the axis about which a limb is bent, as long as the sine of the angle."""
    first, second = middle - base, tip - middle
    lengths = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    return np.asarray(np.cross(first, second) / np.maximum(lengths, 1e-12)[:, None])


def length_of(base: FloatArray, middle: FloatArray, tip: FloatArray) -> FloatArray:
    """(T,) how long limbs are when they are straight."""
    return np.asarray(np.linalg.norm(middle - base, axis=-1) + np.linalg.norm(tip - middle, axis=-1))


def reach_of(base: FloatArray, middle: FloatArray, tip: FloatArray) -> FloatArray:
    """(T,) how long limbs may be without caution: not quite straight, or as they are."""
    return np.maximum(STRAIGHT * length_of(base, middle, tip), np.linalg.norm(tip - base, axis=-1))


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
    now = reach_of(base, middle, tip)
    return np.asarray(now + care * (np.maximum(length, STRAIGHT * (long_first + long_second)) - now))


def care_for(care: FloatArray, tip: FloatArray, target: FloatArray, length: FloatArray) -> FloatArray:
    """(T,) ``care`` for limbs whose tips are asked to move: one that is all but where it should be stays as it is."""
    return care * smoother_step(np.linalg.norm(target - tip, axis=-1) / (ASKED_FOR * length))


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
    free, way = allowed_length(base, middle, tip, usual_axes, care), target - base
    shortest_length, longest = np.abs(long_first - long_second), long_first + long_second
    length = _within_reach(np.linalg.norm(way, axis=-1), free, longest, shortest_length)
    forward = _forward_axes(flexion_axes(base, middle, tip), usual_axes, care)
    asked = np.empty((len(way), ASKED))
    asked[:, :3], asked[:, 3:6], asked[:, 6:9], asked[:, 9:12], asked[:, 12:15] = first, second, way, forward, 0.0
    asked[:, 15] = length
    if hinges is not None:
        asked[:, 12:15] = hinges
    bend = Bend(np.empty((len(way), 4)), np.empty((len(way), 4)), np.empty((len(way), 3)))
    CPU.run(bend_limbs, len(way), asked, bend.base_turn, bend.middle_turn, bend.tip, grain=256)
    return Bend(bend.base_turn, bend.middle_turn, base + bend.tip)


@kernel
def bend_limbs(frame: int, asked: Floats2, base_turns: Output2, middle_turns: Output2, tips: Output2) -> None:
    """One item is one frame: fold a limb to its length, about its hinge or in the plane that it bends in, and swing it.

    The columns asked: both segments, the way to the target, the axis it bends forward about, its hinge or zeros, and
    its length.
    """
    first, second, hinge = three(asked, frame, FIRST), three(asked, frame, SECOND), three(asked, frame, HINGED)
    length, along = asked[frame, LENGTH], direction(first, (0.0, -1.0, 0.0))
    if size(hinge) > 0.0:
        constant, turning, straight = reach_terms(first, second, hinge)
        middle = about(hinge, straight + hinge_bend(straight, bend_for(constant, turning, length)))
    else:
        angle = bend_for(dot(first, first) + dot(second, second), size(first) * size(second), length)
        across_it = direction(cross(three(asked, frame, FORWARD), along), across(along))
        middle = shortest(second, plus(scaled(along, math.cos(angle)), scaled(across_it, math.sin(angle))))
    end = plus(first, turned(middle, second))
    base = shortest(end, three(asked, frame, WAY))
    put_four(base_turns, frame, 0, base)
    put_four(middle_turns, frame, 0, middle)
    put_three(tips, frame, 0, turned(base, end))


def hinge_bend(straight: float, bend: float) -> float:
    """Radians from straight, forward positive, of a hinge that is asked to be bent so much, either way.

    One that is well bent backward stays so: limits are there for that. One that is a little, as an elbow held straight
    in a careless recording, comes over as it folds, the later the farther back it is, and is as it was if it does not.

    Args:
        straight: radians that it would have to be turned forward about its axis to be straight.
        bend: radians, not negative.
    """
    if straight <= 0.0:
        return bend
    if straight >= LEAST_BEND:
        return -bend
    share = min(max((bend - straight) / LEAST_BEND * (1.0 - straight / LEAST_BEND), 0.0), 1.0)
    return bend * (2.0 * share * share * (3.0 - 2.0 * share) - 1.0)


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


def hold_limits(body: Character, frames: Frames, given: Pose) -> BoolArray:
    """Turn back what is farther past its limits in ``frames`` than in ``given`` (T,), as far as it is there.

    Returns:
        (T, J) which joints were turned back.
    """
    if body.limits is None:
        return np.zeros(frames.rotations.shape[:2], bool)
    held = np.zeros(frames.rotations.shape[:2], bool)
    # Joints that are as they were given need no look, nor do those given that are within their limits now.
    moved = np.flatnonzero((frames.rotations != given.rotations).any(axis=(0, 2)))
    within, past = _past(body, frames.rotations[:, moved], moved)
    size = np.linalg.norm(past, axis=-1)
    out = np.flatnonzero((size > SLACK).any(axis=0))
    moved, within, past, size = moved[out], within[:, out], past[:, out], size[:, out]
    allowed = np.linalg.norm(_past(body, given.rotations[:, moved], moved)[1], axis=-1)
    too_far = size > allowed + SLACK
    share = np.where(too_far, allowed / np.maximum(size, SLACK), 1.0)
    turned = quaternions.multiply(within, quaternions.exp(share[..., None] * past))
    frames.rotations[:, moved] = np.where(too_far[..., None], turned, frames.rotations[:, moved])
    held[:, moved] = too_far
    return held


@dataclass(frozen=True, eq=False, repr=False)
class WithinLimits(Operated):
    """The clip with no joint further past its limits than in another, which it was made of.

    Attributes:
        given: that other.
    """

    given: Clip

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self.clip.frames(times)
        hold_limits(self.body, made, self.given.sample(times))
        return made


def kept_past(body: Character, start: Pose, found: FloatArray) -> FloatArray:
    """(T, J, 4) rotations ``found`` from ``start`` as if it were within its limits, with what it was past them."""
    if body.limits is None:
        return found
    return quaternions.multiply(found, quaternions.exp(_past(body, start.rotations, np.arange(len(body.skeleton)))[1]))


def held_joint(body: RigidBody, joint: int, rotations: FloatArray) -> FloatArray:
    """(T, 4) rotations of one joint against its parent, held in its limits."""
    return _held(body, rotations[:, None], np.array([joint]))[0][:, 0]


def _past(body: Character, rotations: FloatArray, joints: IntArray) -> tuple[FloatArray, FloatArray]:
    """(T, n, 4) rotations of n joints held in their limits, and (T, n, 3) turns of how far they were past them."""
    return _held(rigid_body(body), rotations, joints)


def _held(body: RigidBody, rotations: FloatArray, joints: IntArray) -> tuple[FloatArray, FloatArray]:
    within = np.empty(rotations.shape)
    CPU.run(hold_joints, len(rotations), joint_table(body)[joints], np.ascontiguousarray(rotations), within)
    return within, quaternions.log(quaternions.multiply(quaternions.conjugate(within), rotations))
