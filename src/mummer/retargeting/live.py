"""Single poses of a motion on another body, with as little around the arithmetic as Python allows."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character import Pose
from mummer.clip.clip import Clip
from mummer.clip.sampled import Sampled
from mummer.retargeting.carry import Carried
from mummer.retargeting.columns import Source
from mummer.retargeting.shifts import Shifts


class Live:
    """Plays a clip on another body frame by frame, where nothing but rotations and scales is carried over."""

    def __init__(self, clip: Clip, carried: Carried, shifts: Shifts, *, feet: bool) -> None:
        transfer = carried.transfer
        self.clip, self.carried, self.transfer = clip, carried, transfer
        self.start, self.end = clip.start, clip.end
        self.joints = len(transfer.target.skeleton)
        self.run, self.tables = transfer.live(shifts, feet=feet)
        self.shifts = locked(shifts.values, copy=False)
        self.still, self.above = transfer.source.skeleton.rest_translations[None], transfer.source.above
        self.filler = clip.filler if isinstance(clip, Sampled) else None

    def at(self, time: float) -> Pose:
        """The target's pose at one time in seconds."""
        time = min(max(time, self.start), self.end)
        given, moved, scales = self._given(time)
        above, offsets, grown = self.above, self.still if len(moved) == 1 else moved[None], None
        if scales is not None:
            above, offsets = self.transfer.source.lengths(offsets, scales[None])
            grown = self.carried.scales(scales[None])
        rotations, root, shift = np.empty((1, self.joints, 4)), np.empty((1, 3)), np.empty((1, self.shifts.shape[1]))
        source = Source(
            self.transfer.parents, locked(above, copy=False), locked(offsets, copy=False),
            locked(given[None], copy=False), locked(moved[:1], copy=False),
        )  # fmt: skip
        room = self.transfer.room(1)
        self.run(0, 1, np.array((time,)), source, self.tables, self.shifts, room, shift, rotations, root)
        return Pose.unchecked(rotations[0], root[0], None, None if grown is None else grown[0])

    def _given(self, time: float) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """The source's (J, 4) rotations, (J, 3) or (1, 3) translations, and scales, without making a pose if it may."""
        if self.filler is not None:
            return self.filler.values(time)
        pose = self.clip.at(time)
        assert pose.root_translation is not None
        moved = pose.root_translation[None] if pose.translations is None else pose.translations
        return pose.rotations, moved, pose.scales
