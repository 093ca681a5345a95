"""The character: everything that is known about one body."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mummer.character.anatomy import Anatomy
from mummer.character.limits import Limits
from mummer.character.mass import Mass
from mummer.character.mesh import Mesh
from mummer.character.pose import Pose
from mummer.character.recording import Recording
from mummer.character.skeleton import Skeleton
from mummer.character.source import Source
from mummer.errors import InputError, UnknownNameError
from mummer.notebook import shown
from mummer.report import Report

SHOWN = 6
"""Recordings that are named where a character is printed."""


@dataclass(frozen=True, eq=False)
class Character:
    """A body: skeleton, surface, what its parts are, and the motions that came with it.

    Attributes:
        name: what to call it.
        skeleton: its joints.
        meshes: its surface; empty for a bare skeleton.
        recordings: motions that came with it.
        default_pose: how it stands when nothing moves it. Often the rest pose, but a file may hold its body in
            mid-action.
        anatomy: what its parts are, once that is known.
        limits: how far its joints turn, once that is known.
        mass: how heavy its parts are, once that is known.
        source: the file it came from.
        report: what was found, repaired or guessed while reading it.
    """

    name: str
    skeleton: Skeleton
    meshes: tuple[Mesh, ...] = ()
    recordings: tuple[Recording, ...] = ()
    default_pose: Pose = field(default=None)  # type: ignore[assignment]
    anatomy: Anatomy | None = None
    limits: Limits | None = None
    mass: Mass | None = None
    source: Source | None = None
    report: Report = field(default_factory=Report)

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "meshes", tuple(self.meshes))
        set_field(self, "recordings", tuple(self.recordings))
        if self.default_pose is None:
            set_field(self, "default_pose", Pose.rest(self.skeleton))
        count = len(self.skeleton)
        for mesh in self.meshes:
            if mesh.skin.joints.size and not 0 <= mesh.skin.joints.min() <= mesh.skin.joints.max() < count:
                raise InputError(f"mesh {mesh.name!r} of {self.name!r} is bound to a joint outside its skeleton")
        for recording in self.recordings:
            if recording.base.joint_count != count:
                raise InputError(
                    f"recording {recording.name!r} of {self.name!r} is for {recording.base.joint_count} joints; "
                    f"expected {count}"
                )
        self._require_fit()

    def _require_fit(self) -> None:
        counts = {
            "default_pose": self.default_pose.joint_count,
            "anatomy": None if self.anatomy is None else len(self.anatomy.mirror),
            "limits": None if self.limits is None else len(self.limits),
            "mass": None if self.mass is None else len(self.mass.masses),
        }
        for part, found in counts.items():
            if found not in (None, len(self.skeleton)):
                raise InputError(f"{part} of {self.name!r} is for {found} joints; expected {len(self.skeleton)}")
        # Compiled loops trust these.
        for problem in () if self.anatomy is None else self.anatomy.outside(len(self.skeleton)):
            raise InputError(f"anatomy of {self.name!r}: {problem}")
        if self.default_pose.shape:
            raise InputError(f"default_pose of {self.name!r} is a batch; expected one pose")
        morphs = self.default_pose.morphs
        if morphs is not None and len(morphs) != len(self.morph_names):
            raise InputError(
                f"default_pose of {self.name!r} has {len(morphs)} morph weights; expected {len(self.morph_names)}"
            )

    def __repr__(self) -> str:
        known = [] if self.anatomy is None else [self.anatomy.kind, f"{self.anatomy.height:.2f} m"]
        vertices = sum(len(mesh.positions) for mesh in self.meshes)
        parts = [f"{len(self.skeleton)} joints", f"{len(self.meshes)} meshes", f"{vertices} vertices"]
        names = [recording.name for recording in self.recordings]
        told = f": {', '.join(names[:SHOWN])}{' ...' if len(names) > SHOWN else ''}" if names else ""
        return f"Character({self.name!r}, {', '.join([*known, *parts])}, {len(names)} recordings{told})"

    def _repr_html_(self) -> str:
        return shown(self)

    @cached_property
    def morph_names(self) -> tuple[str, ...]:
        """Every morph of any mesh once, in order of appearance: the order of a pose's morph weights."""
        return tuple(dict.fromkeys(morph.name for mesh in self.meshes for morph in mesh.morphs))

    def recording(self, name: str) -> Recording:
        """The recording called ``name``.

        Raises:
            UnknownNameError: with the closest names there are.
        """
        for recording in self.recordings:
            if recording.name == name:
                return recording
        raise UnknownNameError(
            f"character {self.name!r}", "recording", name, [recording.name for recording in self.recordings]
        )

    def with_recordings(self, *recordings: Recording, only: bool = False) -> Character:
        """The character with further recordings beside its own, each under a name that is free: ``walk``, ``walk.001``.

        Args:
            recordings: of this character.
            only: whether its own are left out.
        """
        kept = () if only else self.recordings
        taken = {recording.name for recording in kept}
        added = []
        for recording in recordings:
            name, number = recording.name, 1
            while name in taken:
                name, number = f"{recording.name}.{number:03d}", number + 1
            taken.add(name)
            added.append(recording if name == recording.name else dataclasses.replace(recording, name=name))
        return self.replace(recordings=(*kept, *added))

    def replace(self, **changes: Any) -> Character:
        """A character with some of its parts exchanged."""
        return dataclasses.replace(self, **changes)
