"""The set-up of a retarget: everything that stays the same from frame to frame, in flat tables for the inner loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character.derive import size_of
from mummer.clip.frames import Frames
from mummer.kernels.place import CPU
from mummer.math import quaternion
from mummer.retargeting import columns, loops
from mummer.retargeting.align import align
from mummer.retargeting.build import Build
from mummer.retargeting.chains import Pair
from mummer.retargeting.leg_pairing import pair_legs
from mummer.retargeting.leg_table import LegPair, foot_pitch, leg_row
from mummer.retargeting.pairing import pair_joints
from mummer.retargeting.roles import is_upright
from mummer.retargeting.shifts import Shifts

GRAIN = 128
"""Frames that a thread is handed at a time."""
BLOCK = 1024
"""Frames that there is room for at a time."""
LOW = 0.1
"""How high hips are at least, as a share of the body's height, for bodies to be compared by it."""
LINE = 0.05
"""How far apart the legs must begin for the line between them to tell how a pelvis is turned, in leg lengths."""


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
        plan, constants, settings, leg_joints, leg_numbers, trunk: the tables of `mummer.retargeting.columns`.
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
    trunk: IntArray

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

    def frames(
        self, times: FloatArray, frames: Frames, shifts: Shifts, rotations: FloatArray, roots: FloatArray, *, feet: bool
    ) -> None:
        """Make the target's poses of frames of the source.

        Args:
            times: (T,) seconds.
            frames: T poses of the source.
            shifts: what is added to where the body and its feet are.
            rotations: (T, J, 4) is filled with parent_from_joint of the target.
            roots: (T, 3) is filled with where the target's root is.
            feet: whether feet are put where they belong; else legs point as the source's do.
        """
        source, tables = self._source(frames), self._tables(shifts, feet=feet)
        values, room = locked(shifts.values, copy=False), self.room(min(len(times), BLOCK))
        shift = np.empty((len(room.turns), values.shape[1]))
        for begin in range(0, len(times), BLOCK):
            part = slice(begin, min(begin + BLOCK, len(times)))
            offsets = source.offsets if len(source.offsets) == 1 else source.offsets[part]
            some = source._replace(offsets=offsets, rotations=source.rotations[part], roots=source.roots[part])
            CPU.run(
                loops.transfer_frames, part.stop - begin, locked(times[part]), some, tables, values, room, shift,
                rotations[part], roots[part], grain=GRAIN,
            )  # fmt: skip

    def live(self, shifts: Shifts, *, feet: bool) -> tuple[Callable[..., Any], columns.Tables]:
        """The compiled loop for single frames, and the tables."""
        return loops.transfer_frames.loop("float64"), self._tables(shifts, feet=feet)

    @cached_property
    def parents(self) -> IntArray:
        """(J,) of the source's joints, as the inner loops take them."""
        return locked(self.source.skeleton.parents, np.int64)

    def room(self, count: int) -> columns.Room:
        """Room for so many frames of both bodies."""
        theirs, mine = len(self.source.skeleton), len(self.target.skeleton)
        return columns.Room(*(np.empty((count, *shape)) for shape in ((theirs, 4), (theirs, 3), (mine, 4), (mine, 3))))

    def _source(self, frames: Frames) -> columns.Source:
        scales, offsets = self.source.lengths(frames.translations, frames.scales)
        floats = (locked(each, copy=False) for each in (scales, offsets, frames.rotations, frames.root))
        return columns.Source(self.parents, *floats)

    def _tables(self, shifts: Shifts, *, feet: bool) -> columns.Tables:
        settings, legs = self.settings.copy(), slice(None) if feet else slice(0)
        settings[columns.START], settings[columns.RATE] = shifts.start, shifts.rate
        return self._with(settings, legs)

    def _with(self, settings: FloatArray, legs: slice) -> columns.Tables:
        return columns.Tables(
            locked(self.plan, np.int64), locked(self.constants), locked(settings), locked(self.trunk, np.int64),
            locked(self.source.girdle, np.int64), locked(self.target.girdle, np.int64),
            locked(self.leg_joints[legs], np.int64), locked(self.leg_numbers[legs]),
        )  # fmt: skip

    def pose_both(self, frames: Frames) -> columns.Room:
        """Both bodies in the world, the target with its root at the origin and its feet left alone."""
        room, count = self.room(len(frames)), len(frames)
        tables = self._with(self.settings, slice(None))
        made = np.empty((count, len(self.target.skeleton), 4))
        CPU.run(loops.pose_frames, count, self._source(frames), tables, room, made, grain=GRAIN)
        return room


_KEPT, _MOST = "_transfers", 8


def transfer_of(source: Build, target: Build) -> Transfer:
    """The set-up that moves motions of one body onto another; the last few of each source are remembered."""
    kept: dict[int, Transfer] = source.__dict__.setdefault(_KEPT, {})
    found = kept.pop(id(target), None)
    # The transfer holds its target, so that the same number is the same body.
    kept[id(target)] = make_transfer(source, target) if found is None else found
    if len(kept) > _MOST:
        del kept[next(iter(kept))]
    return kept[id(target)]


def make_transfer(source: Build, target: Build) -> Transfer:
    """The set-up that moves motions of one body onto another, made afresh."""
    pairs = pair_joints(source, target)
    legs = pair_legs(source, target, pairs)
    turns = align(source, target, pairs)
    scale = _scale(source, target)
    body = quaternion.multiply(target.world_from_body, quaternion.conjugate(source.world_from_body))
    same_up = float(source.anatomy.up @ target.anatomy.up) > 1 - 1e-6
    left = np.array([0.0, 0.0, 0.0, 1.0]) if same_up else body
    plan, constants = _joint_tables(source, target, pairs, turns, body)
    tables = [leg_row(source, target, leg, scale, constants[leg.target.foot, :4]) for leg in legs]
    leg_joints = np.array([ints for ints, _ in tables], np.int64).reshape(-1, columns.LEG_INTS)
    leg_numbers = np.array([numbers for _, numbers in tables]).reshape(-1, columns.LEG_FLOATS)
    for leg, (_, row) in zip(legs, tables, strict=True):
        more, ahead = foot_pitch(target, leg, row, scale)
        constants[leg.target.foot, columns.PITCH : columns.PITCH + 4] = more, *ahead
    trunk = _trunk(source, target, pairs)
    settings = np.concatenate([left, [scale], target.anatomy.up, [0.0, 1.0], _pelvis(source), _fixed(target, trunk)])
    return Transfer(source, target, pairs, legs, scale, left, plan, constants, settings, leg_joints, leg_numbers, trunk)


def _scale(source: Build, target: Build) -> float:
    """Metres of the target for a metre of the source: by legs; where one has none by heights of body or hips."""
    is_both = is_upright(source.anatomy) and is_upright(target.anatomy)
    if bool(source.legs) == bool(target.legs) or not is_both:
        return target.size / source.size
    mine, theirs = (body.anatomy.height or size_of(body.places) or 1.0 for body in (target, source))
    hips = [target.girdle_height / mine, source.girdle_height / theirs]
    # The smaller, for a toy without knees bounces on its short legs as nobody does on long ones.
    return mine / theirs * (min(hips[0] / hips[1], 1.0) if min(hips) > LOW else 1.0)


def _pelvis(source: Build) -> FloatArray:
    """(6,) the settings of the source's pelvis, see `mummer.retargeting.columns`."""
    one, other = source.girdle[[0, -1]]
    line = source.places[one] - source.places[other]
    if len(source.girdle) != 2 or float(np.linalg.norm(line)) < LINE * source.size:
        return np.full(6, -1.0)
    seen = quaternion.rotate(quaternion.conjugate(source.turns[source.hips]), line)
    return np.array([source.hips, one, other, *seen])


def _fixed(target: Build, trunk: IntArray) -> FloatArray:
    """(3,) from the target's hips to the first joint of its trunk, in the frame of what carries both."""
    if not len(trunk):
        return np.zeros(3)
    fork, first = trunk[columns.TRUNK_FIRST : columns.TRUNK_FIRST + 2]
    return quaternion.rotate(
        quaternion.conjugate(target.turns[fork]), target.places[first] - target.places[target.hips]
    )


def _trunk(source: Build, target: Build, pairs: dict[int, Pair]) -> IntArray:
    """The joints between hips and neck, for bodies that both stand upright; else none."""
    none = np.zeros(0, np.int64)
    if not (is_upright(source.anatomy) and is_upright(target.anatomy)) or target.fork not in pairs:
        return none
    top, other = (_top(body) for body in (target, source))
    if top is None or other is None or target.fork not in target.skeleton.ancestors(top):
        return none
    chain = target.skeleton.chain(target.fork, top)
    # The first above the hips must turn by itself, or there is nothing to lean with.
    if len(chain) < 3 or chain[1] not in pairs:
        return none
    return np.array([source.hips, other, *chain], np.int64)


def _top(body: Build) -> int | None:
    roles = body.anatomy.roles
    return next((roles[role] for role in ("neck", "head") if role in roles), None)


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
