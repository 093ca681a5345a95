"""The set-up of a retarget: everything that stays the same from frame to frame, in flat tables for the inner loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.clip.frames import Frames
from mummer.kernels.place import CPU
from mummer.math import quaternion
from mummer.retarget import loops
from mummer.retarget.align import align
from mummer.retarget.build import Build
from mummer.retarget.leg import Leg
from mummer.retarget.pairing import Pair, pair_joints

BLOCK = 256
"""Frames that are made at one go: few enough that what the loops write in passing stays in the cache."""
SOFTNESS = 0.01
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
        plan, constants, settings, leg_joints, leg_numbers: the tables of `mummer.retarget.loops`.
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

    def poses(self, frames: Frames, shifts: FloatArray, *, feet: bool = True) -> Posed:
        """The target's poses for frames of the source.

        Args:
            frames: T poses of the source.
            shifts: (T, 3 + 3 L) metres: what is added to where the body is and to where each foot is, after scaling.
            feet: whether feet are put where they belong; else legs point as the source's do.
        """
        made = Posed.empty(self, len(frames))
        offsets = self.source.frame_offsets(frames.translations, frames.scales)
        legs = slice(None) if feet else slice(0)
        for begin in range(0, len(frames), BLOCK):
            rows = slice(begin, begin + BLOCK)
            CPU.run(
                loops.transfer_frames, len(frames.rotations[rows]),
                self.source.skeleton.parents, np.ascontiguousarray(offsets if len(offsets) == 1 else offsets[rows]),
                np.ascontiguousarray(frames.rotations[rows]), np.ascontiguousarray(frames.root[rows]),
                self.plan, self.constants, self.settings, self.source.girdle, self.target.girdle,
                np.ascontiguousarray(shifts[rows]), self.leg_joints[legs], self.leg_numbers[legs],
                *(part[rows] for part in made.parts), grain=BLOCK,
            )  # fmt: skip
        return made


@dataclass(frozen=True, eq=False)
class Posed:
    """Poses of the target, with what was worked out on the way; legs before their feet were put in place.

    Attributes:
        source_turns, source_places: (T, Js, 4), (T, Js, 3) of the source, in the world of the target.
        turns, places: (T, J, 4), (T, J, 3) of the target, as if its roots were at the origin.
        rotations: (T, J, 4) parent_from_joint of the target.
        roots: (T, 3) where the target's root is.
    """

    source_turns: FloatArray
    source_places: FloatArray
    turns: FloatArray
    places: FloatArray
    rotations: FloatArray
    roots: FloatArray

    @classmethod
    def empty(cls, transfer: Transfer, count: int) -> Posed:
        """Room for ``count`` poses."""
        theirs, mine = len(transfer.source.skeleton), len(transfer.target.skeleton)
        shapes = ((theirs, 4), (theirs, 3), (mine, 4), (mine, 3), (mine, 4), (3,))
        return cls(*[np.empty((count, *shape)) for shape in shapes])

    @property
    def parts(self) -> tuple[FloatArray, ...]:
        """All arrays, in order."""
        return self.source_turns, self.source_places, self.turns, self.places, self.rotations, self.roots


def make_transfer(source: Build, target: Build) -> Transfer:
    """The set-up that moves motions of one body onto another."""
    pairs = pair_joints(source, target)
    turns = align(source, target, pairs)
    scale = target.size / source.size
    body = quaternion.multiply(target.world_from_body, quaternion.conjugate(source.world_from_body))
    is_upright = float(source.anatomy.up @ target.anatomy.up) > 1 - 1e-6
    left = np.array([0.0, 0.0, 0.0, 1.0]) if is_upright else body
    legs = _leg_pairs(source, target, pairs)
    plan, constants = _joint_tables(source, target, pairs, turns, body)
    tables = [_leg_tables(source, target, leg, scale, left, body, turns) for leg in legs]
    leg_joints = np.array([ints for ints, _ in tables], np.int64).reshape(-1, loops.LEG_INTS)
    leg_numbers = np.array([numbers for _, numbers in tables]).reshape(-1, loops.LEG_FLOATS)
    settings = np.concatenate([left, [scale], target.anatomy.up])
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
    plan, constants = np.full((count, loops.JOINT_INTS), -1, np.int64), np.zeros((count, loops.JOINT_FLOATS))
    plan[:, loops.PARENT] = target.skeleton.parents
    constants[:, loops.REST : loops.REST + 4] = target.skeleton.rest_rotations
    constants[:, loops.OFFSET : loops.OFFSET + 3] = target.offsets
    aligned = quaternion.multiply(quaternion.conjugate(target_from_source), quaternion.multiply(turns, target.turns))
    for joint, pair in pairs.items():
        plan[joint, loops.FIRST] = pair.first
        constants[joint, loops.RIGHT : loops.RIGHT + 4] = quaternion.multiply(
            quaternion.conjugate(source.turns[pair.first]), aligned[joint]
        )
        if pair.share > 0:
            plan[joint, loops.SECOND] = pair.second
            constants[joint, loops.OTHER_RIGHT : loops.OTHER_RIGHT + 4] = quaternion.multiply(
                quaternion.conjugate(source.turns[pair.second]), aligned[joint]
            )
            constants[joint, loops.SHARE] = pair.share
    return plan, constants


def _leg_tables(
    source: Build, target: Build, pair: LegPair, scale: float, left: FloatArray, body: FloatArray, turns: FloatArray
) -> tuple[list[int], FloatArray]:
    mine, theirs = pair.target, pair.source
    parents = target.skeleton.parents
    is_attached = mine.lower in target.skeleton.ancestors(mine.foot)
    ints = [
        mine.upper, mine.lower, mine.foot, int(parents[mine.upper]), int(parents[mine.lower]),
        int(parents[mine.foot]) if is_attached else -1, theirs.foot,
    ]  # fmt: skip
    numbers = np.zeros(loops.LEG_FLOATS)
    # A foot without toes says nothing of its ball: then both are followed below the ankle.
    has_balls = mine.ball != mine.foot and theirs.ball != theirs.foot
    ball_s, ball_t = (theirs.sole_ball, mine.sole_ball) if has_balls else (theirs.sole_heel, mine.sole_heel)
    world_s = quaternion.rotate(quaternion.multiply(left, source.turns[theirs.foot]), ball_s - theirs.sole_heel)
    facing = quaternion.multiply(left, quaternion.multiply(quaternion.conjugate(body), turns[mine.foot]))
    world_t = quaternion.rotate(quaternion.multiply(facing, target.turns[mine.foot]), ball_t - mine.sole_heel)
    parts = {
        loops.BALL_S: ball_s,
        loops.HEEL_S: theirs.sole_heel,
        loops.BALL_T: ball_t,
        loops.HEEL_T: mine.sole_heel,
        loops.LONGER: world_t - scale * world_s,
        loops.HINGE: _hinge(target, mine),
        loops.ANKLE: _seen_from(target, mine.lower, mine.foot),
        loops.FOOT_REST: quaternion.conjugate(quaternion.multiply(left, source.turns[theirs.foot])),
        loops.ROLL: [ROLL * float(np.linalg.norm(world_s)) if has_balls else 0.0],
        loops.SOFTNESS: [SOFTNESS],
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
