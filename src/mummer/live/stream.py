"""Poses of one body in, poses of another out, a frame at a time: the map between them is worked out once."""

from __future__ import annotations

import numpy as np

from mummer.arrays import locked
from mummer.character import Character, Pose
from mummer.errors import InputError
from mummer.recognition import recognized
from mummer.retargeting.build import build_of
from mummer.retargeting.carry import carried_by
from mummer.retargeting.columns import Source
from mummer.retargeting.shifts import Shifts
from mummer.retargeting.stance import Floors, level_shifts
from mummer.retargeting.transfer import transfer_of


class Stream:
    """Puts poses of a source onto a target as they come.

    Attributes:
        source: whose poses come in.
        target: whose poses go out.

    Example:
        >>> import mummer as mm
        >>> stream = Stream(mm.zoo.body("adult"), mm.zoo.body("child"))
        >>> pose = stream.put(Pose.rest(stream.source.skeleton))
        >>> pose.joint_count == len(stream.target.skeleton)
        True
    """

    def __init__(self, source: Character, target: Character) -> None:
        """A stream; both bodies are recognised if nobody knows their parts.

        Raises:
            InputError: if the target hangs together in a way that single poses cannot be put onto.
        """
        self.source, self.target = recognized(source), recognized(target)
        transfer = transfer_of(build_of(self.source), build_of(self.target))
        carried = carried_by(transfer)
        if carried.glued or transfer.target.carrier != 0:
            raise InputError(f"{target.name!r} has parts beside its root, which a stream cannot carry; retarget a clip")
        self._morphs = carried.morphs
        shifts = Shifts(0.0, 1.0, level_shifts(transfer, Floors(transfer.source.floor, transfer.target.floor)))
        self._run, self._tables = transfer.live(shifts, feet=False)
        joints = len(self.source.skeleton)
        self._rotations, self._root = np.empty((1, joints, 4)), np.empty((1, 3))
        offsets = self.source.skeleton.rest_translations[None]
        # The loop is compiled for what cannot be written to: views of what is.
        given = [array.view() for array in (transfer.source.above, offsets, self._rotations, self._root)]
        for view in given:
            view.flags.writeable = False
        self._source = Source(transfer.parents, *given)
        self._shifts, self._room = locked(shifts.values, copy=False), transfer.room(1)
        self._time, self._shift = np.zeros(1), np.empty((1, shifts.values.shape[1]))
        self._joints = len(self.target.skeleton)
        self.put(Pose.rest(self.source.skeleton))

    def put(self, pose: Pose) -> Pose:
        """The target's pose for one of the source's; translations and scales of single joints are left out."""
        self._rotations[0] = pose.rotations
        root = pose.root_translation
        self._root[0] = self.source.skeleton.rest_translations[0] if root is None else root
        rotations, moved = np.empty((1, self._joints, 4)), np.empty((1, 3))
        self._run(0, 1, self._time, self._source, self._tables, self._shifts, self._room, self._shift, rotations, moved)
        morphs = None
        if pose.morphs is not None and len(self._morphs):
            morphs = np.zeros(len(self.target.morph_names))
            morphs[self._morphs[:, 0]] = pose.morphs[self._morphs[:, 1]]
        return Pose.unchecked(rotations[0], moved[0], None, None, morphs)
