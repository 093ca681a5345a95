"""The set-up of a retarget: everything that stays the same from frame to frame, in flat tables for the inner loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.clip.frames import Frames
from mummer.kernels.place import CPU
from mummer.math import quaternion
from mummer.retarget import columns, loops
from mummer.retarget.align import align
from mummer.retarget.build import Build
from mummer.retarget.chains import Pair
from mummer.retarget.leg import Leg
from mummer.retarget.pairing import pair_joints
from mummer.retarget.roles import is_upright
from mummer.retarget.shifts import Shifts

GRAIN = 128
"""Frames that a thread is handed at a time."""
SOFTNESS = 0.01
NEAR = 0.032
"""The height above the floor, in leg lengths, up to which a foot follows the source's exactly."""
ROLL = 0.2
"""The slope of a foot, as a share of its length, at which heel or ball alone counts as standing."""


@dataclass(frozen=True, eq=False)
class LegPair:
    """A leg of the target and the leg of the source that it follows."""

    source: Leg
    target: Leg


@dataclass(frozen=True, eq=False)
class Transfer:
    """How to turn poses of one body into poses of another.

    Attributes:
        source, target: the bodies.
        pairs: for each joint of the target that has a counterpart, where it takes its turns from.
        legs: legs whose feet are put where they belong.
        scale: metres of the target for a metre of the source.
        target_from_source: (4,) turns the world of the source's motion into that of the target; no turn unless the
            two have different ideas of up.
        plan, constants, settings, leg_joints, leg_numbers: the tables of `mummer.retarget.columns`.
    """

    source: Build
    target: Build
    pairs: dict[int, Pair]
    legs: tuple[LegPair, ...]
    scale: float
    target_from_source: FloatArray
    plan: IntArray
    constants: FloatArray
    settings: FloatArray
    leg_joints: IntArray
    leg_numbers: FloatArray

    @property
    def higher(self) -> float:
        """Metres that the target's girdle is above the scaled source's, both standing on one floor.

        Legs of upright bodies are to be stretched alike; other bodies are to stand as they do at rest.
        """
        if self.legs and is_upright(self.source.anatomy) and is_upright(self.target.anatomy):
            return self.target.ankle_height - self.scale * self.source.ankle_height
        return self.target.girdle_height - self.scale * self.source.girdle_height

    @property
    def shift_width(self) -> int:
        """How many numbers the shifts of one frame are."""
        return columns.FIRST_LEG + columns.A_LEG * len(self.legs)

    def frames(self, times: FloatArray, frames: Frames, shifts: Shifts, *, feet: bool) -> tuple[FloatArray, FloatArray]:
        """The target's poses for frames of the source.

        Args:
            times: (T,) seconds.
            frames: T poses of the source.
            shifts: what is added to where the body and its feet are.
            feet: whether feet are put where they belong; else legs point as the source's do.

        Returns:
            rotations (T, J, 4) parent_from_joint, and where the target's root is, (T, 3).
        """
        count, legs = len(times), slice(None) if feet else slice(0)
        rotations, roots = np.empty((count, len(self.target.skeleton), 4)), np.empty((count, 3))
        CPU.run(
            loops.transfer_frames, count, times, *self._source(frames), self.plan, self.constants,
            self._settings(shifts), self.source.girdle, self.target.girdle, shifts.values, self.leg_joints[legs],
            self.leg_numbers[legs], rotations, roots, grain=GRAIN,
        )  # fmt: skip
        return rotations, roots

    def live(self, shifts: Shifts, *, feet: bool) -> tuple[Callable[..., Any], IntArray, tuple[Any, ...]]:
        """The compiled loop for single frames, and its arguments before and after those that change."""
        legs = slice(None) if feet else slice(0)
        after = (
            self.plan, self.constants, self._settings(shifts), self.source.girdle, self.target.girdle, shifts.values,
            self.leg_joints[legs], self.leg_numbers[legs],
        )  # fmt: skip
        return loops.transfer_frames.loop("float64"), self.source.skeleton.parents, after

    def _source(self, frames: Frames) -> tuple[FloatArray | IntArray, ...]:
        scales, offsets = self.source.lengths(frames.translations, frames.scales)
        rotations, roots = np.ascontiguousarray(frames.rotations), np.ascontiguousarray(frames.root)
        return self.source.skeleton.parents, scales, offsets, rotations, roots

    def _settings(self, shifts: Shifts) -> FloatArray:
        settings = self.settings.copy()
        settings[columns.START], settings[columns.RATE] = shifts.start, shifts.rate
        return settings

    def pose_both(self, frames: Frames) -> Posed:
        """Both bodies in the world, the target with its root at the origin and its feet left alone."""
        theirs, mine, count = len(self.source.skeleton), len(self.target.skeleton), len(frames)
        shapes = ((theirs, 4), (theirs, 3), (mine, 4), (mine, 3), (mine, 4))
        made = [np.empty((count, *shape)) for shape in shapes]
        CPU.run(
            loops.pose_frames, count, *self._source(frames), self.plan, self.constants, self.settings, *made,
            grain=GRAIN,
        )  # fmt: skip
        return Posed(*made[:4])


@dataclass(frozen=True, eq=False)
class Posed:
    """Both bodies at T moments.

    Attributes:
        source_turns, source_places: (T, Js, 4), (T, Js, 3) of the source, in the world of the target.
        turns, places: (T, J, 4), (T, J, 3) of the target, as if its roots were at the origin.
    """

    source_turns: FloatArray
    source_places: FloatArray
    turns: FloatArray
    places: FloatArray


def make_transfer(source: Build, target: Build) -> Transfer:
    """The set-up that moves motions of one body onto another."""
    pairs = pair_joints(source, target)
    turns = align(source, target, pairs)
    scale = target.size / source.size
    body = quaternion.multiply(target.world_from_body, quaternion.conjugate(source.world_from_body))
    same_up = float(source.anatomy.up @ target.anatomy.up) > 1 - 1e-6
    left = np.array([0.0, 0.0, 0.0, 1.0]) if same_up else body
    legs = _leg_pairs(source, target, pairs)
    plan, constants = _joint_tables(source, target, pairs, turns, body)
    tables = [_leg_tables(target, leg, scale) for leg in legs]
    leg_joints = np.array([ints for ints, _ in tables], np.int64).reshape(-1, columns.LEG_INTS)
    leg_numbers = np.array([numbers for _, numbers in tables]).reshape(-1, columns.LEG_FLOATS)
    settings = np.concatenate([left, [scale], target.anatomy.up, [0.0, 1.0]])
    return Transfer(source, target, pairs, legs, scale, left, plan, constants, settings, leg_joints, leg_numbers)


def _leg_pairs(source: Build, target: Build, pairs: dict[int, Pair]) -> tuple[LegPair, ...]:
    """Legs of the target whose joints follow the joints of one leg of the source."""
    found = []
    by_foot = {leg.foot: leg for leg in source.legs}
    for leg in target.legs:
        pair = pairs.get(leg.foot)
        other = None if pair is None else by_foot.get(pair.first)
        if other is not None and leg.upper in pairs and leg.lower in pairs:
            found.append(LegPair(other, leg))
    return tuple(found)


def _joint_tables(
    source: Build, target: Build, pairs: dict[int, Pair], turns: FloatArray, target_from_source: FloatArray
) -> tuple[IntArray, FloatArray]:
    count = len(target.skeleton)
    plan, constants = np.full((count, columns.JOINT_INTS), -1, np.int64), np.zeros((count, columns.JOINT_FLOATS))
    plan[:, columns.PARENT] = target.skeleton.parents
    constants[:, columns.REST : columns.REST + 4] = target.skeleton.rest_rotations
    constants[:, columns.OFFSET : columns.OFFSET + 3] = target.offsets
    aligned = quaternion.multiply(quaternion.conjugate(target_from_source), quaternion.multiply(turns, target.turns))
    for joint, pair in pairs.items():
        plan[joint, columns.FIRST] = pair.first
        constants[joint, columns.RIGHT : columns.RIGHT + 4] = quaternion.multiply(
            quaternion.conjugate(source.turns[pair.first]), aligned[joint]
        )
        if pair.share > 0:
            plan[joint, columns.SECOND] = pair.second
            constants[joint, columns.OTHER_RIGHT : columns.OTHER_RIGHT + 4] = quaternion.multiply(
                quaternion.conjugate(source.turns[pair.second]), aligned[joint]
            )
            constants[joint, columns.SHARE] = pair.share
    return plan, constants


def _leg_tables(target: Build, pair: LegPair, scale: float) -> tuple[list[int], FloatArray]:
    mine, theirs = pair.target, pair.source
    parents = target.skeleton.parents
    is_attached = mine.lower in target.skeleton.ancestors(mine.foot)
    ints = [
        mine.upper, mine.lower, mine.foot, int(parents[mine.upper]), int(parents[mine.lower]),
        int(parents[mine.foot]) if is_attached else -1, theirs.foot,
    ]  # fmt: skip
    numbers = np.zeros(columns.LEG_FLOATS)
    # A foot without toes says nothing of its ball: then both are followed below the ankle.
    has_balls = mine.ball != mine.foot and theirs.ball != theirs.foot
    parts: dict[int, FloatArray | list[float]] = {
        columns.BALL_S: theirs.ball_point if has_balls else theirs.heel_point,
        columns.HEEL_S: theirs.heel_point,
        columns.BALL_T: mine.ball_point if has_balls else mine.heel_point,
        columns.HEEL_T: mine.heel_point,
        columns.HINGE: _hinge(target, mine),
        columns.ANKLE: _seen_from(target, mine.lower, mine.foot),
        columns.ROLL: [ROLL * float(np.linalg.norm(theirs.ball_point - theirs.heel_point)) if has_balls else 0.0],
        columns.SOFTNESS: [SOFTNESS],
        columns.BALL_HIGH: [theirs.ball_height if has_balls else 0.0],
        columns.BALL_LIFT: [mine.ball_height - scale * theirs.ball_height if has_balls else 0.0],
        columns.NEAR: [NEAR * theirs.length],
    }
    for column, values in parts.items():
        numbers[column : column + len(values)] = values
    return ints, numbers


def _seen_from(body: Build, joint: int, other: int) -> FloatArray:
    """(3,) where ``other`` is at rest in the frame of ``joint``, metres."""
    return quaternion.rotate(quaternion.conjugate(body.turns[joint]), body.places[other] - body.places[joint])


def _hinge(body: Build, leg: Leg) -> FloatArray:
    """(3,) the axis in the hip's frame that the knee bends about: as it is bent at rest, else as a knee does."""
    thigh, shin = (body.places[b] - body.places[a] for a, b in ((leg.upper, leg.lower), (leg.lower, leg.foot)))
    bent = np.cross(thigh, shin) / max(float(np.linalg.norm(thigh) * np.linalg.norm(shin)), 1e-12)
    knee = -body.anatomy.left if leg.name.startswith("front") else body.anatomy.left
    axis = bent if np.linalg.norm(bent) > 0.2 else bent + 0.2 * knee
    axis = axis / max(float(np.linalg.norm(axis)), 1e-12)
    return quaternion.rotate(quaternion.conjugate(body.turns[leg.upper]), axis)
