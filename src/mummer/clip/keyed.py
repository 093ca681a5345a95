"""Keyed: motion drawn by hand, as curves through keys for each joint."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character, Pose, Recording
from mummer.character.marks import Mark
from mummer.character.recording import CurvePath
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.key_curves import KeyCurves
from mummer.clip.keys import SAME_TIME, Key, Track
from mummer.clip.standing import fill_translations
from mummer.clip.weights import morph_joint
from mummer.errors import InputError, UnknownNameError


@dataclass(frozen=True, eq=False, repr=False)
class Keyed(Clip):
    """Curves through keys; what has no key is at rest and left to other clips.

    Keys are met exactly. Nothing is changed in place: putting in, moving or taking out a key gives another clip.

    Attributes:
        character: the body.
        tracks: the keys, at most one track for a property of a joint.
        annotations: named moments.

    Example:
        >>> from mummer.zoo import body
        >>> nod = Keyed(body("adult")).with_key("head", 0, (0, 0, 0, 1)).with_key("head", 0.4, (0.2, 0, 0, 0.98))
        >>> nod.duration
        0.4
    """

    character: Character
    tracks: tuple[Track, ...] = ()
    annotations: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "tracks", tuple(self.tracks))
        seen: set[tuple[str, str]] = set()
        for track in self.tracks:
            self._target(track)
            if (track.target, track.path) in seen:
                raise InputError(f"the {track.path} of {track.target!r} is keyed by two tracks; expected one")
            seen.add((track.target, track.path))

    @classmethod
    def from_recording(cls, character: Character, recording: Recording) -> Keyed:
        """The keys of a recording, to be edited: step stays step, linear stays linear, and cubic becomes Hermite.

        Poses and velocities at the keys are those of the recording. Between keys of a cubic rotation this clip goes
        along the rotation group where files mix four numbers, so the two differ a little there: `Sampled` plays what
        the file says.
        """
        from mummer.clip.key_import import tracks_of

        return cls(character, tracks_of(character, recording))

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.character

    @property
    def start(self) -> float:
        """Time of the first key; zero if there is none."""
        return min((track.keys[0].time for track in self.tracks), default=0.0)

    @property
    def end(self) -> float:
        """Time of the last key; zero if there is none."""
        return max((track.keys[-1].time for track in self.tracks), default=0.0)

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) joints with keys; morphs count for the joint that carries the face."""
        moved = np.zeros(len(self.character.skeleton), bool)
        for track in self.tracks:
            moved[morph_joint(self.body) if track.path == "morph" else self._target(track)] = True
        return locked(moved, bool)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The annotations."""
        return tuple(sorted(self.annotations))

    # Editing ------------------------------------------------------------------------------------------------------

    def track(self, target: str, path: CurvePath = "rotation") -> Track:
        """The keys of one property of one joint or morph.

        Raises:
            UnknownNameError: if it has none, with what has.
        """
        for track in self.tracks:
            if (track.target, track.path) == (target, path):
                return track
        choices = [track.target for track in self.tracks if track.path == path]
        raise UnknownNameError("this clip", f"keyed {path} of", target, choices)

    def with_key(
        self, target: str, time: float, value: npt.ArrayLike, *, path: CurvePath = "rotation", **options: Any
    ) -> Keyed:
        """This clip with one more key, or another in place of the one at ``time``.

        Args:
            target: the name of a joint; with ``path="morph"``, of a morph.
            time: seconds.
            value: (4,), (3,) or one number, as ``path`` needs it.
            path: ``rotation``, ``translation``, ``scale`` or ``morph``.
            options: ``between``, ``tangents``, ``arriving``, ``leaving``, ``reach``: see `Key`.
        """
        key = Key(time, tuple(np.atleast_1d(np.asarray(value, np.float64)).tolist()), **options)
        if any((track.target, track.path) == (target, path) for track in self.tracks):
            return self._exchange(self.track(target, path).with_key(key))
        return dataclasses.replace(self, tracks=(*self.tracks, Track(target, path, (key,))))

    def with_pose(self, time: float, pose: Pose, *, joints: Iterable[str] | None = None, **options: Any) -> Keyed:
        """This clip with a rotation key for every joint, or for ``joints``, and one for the place of joint 0."""
        names = self.character.skeleton.names if joints is None else tuple(joints)
        made = self
        for name in names:
            joint = self.character.skeleton.index(name)
            made = made.with_key(name, time, pose.rotations[joint], **options)
            if joint == 0 and pose.root_translation is not None:
                made = made.with_key(name, time, pose.root_translation, path="translation", **options)
        return made

    def moved_key(self, target: str, time: float, to: float, *, path: CurvePath = "rotation") -> Keyed:
        """This clip with the key at ``time`` moved to the time ``to``, between its neighbours or beyond them.

        Raises:
            InputError: if there is no such key, or another at ``to``.
        """
        track = self.track(target, path)
        place = track.index(time)
        others = track.keys[:place] + track.keys[place + 1 :]
        if any(abs(key.time - to) <= SAME_TIME for key in others):
            raise InputError(f"the {path} of {target!r} already has a key at {to:g} s; take it out first")
        moved = dataclasses.replace(track.keys[place], time=to)
        return self._exchange(Track(target, path, tuple(sorted([*others, moved], key=lambda key: key.time))))

    def without_key(self, target: str, time: float, *, path: CurvePath = "rotation") -> Keyed:
        """This clip without the key at ``time``; with its last key, a track goes too."""
        track = self.track(target, path)
        place = track.index(time)
        others = track.keys[:place] + track.keys[place + 1 :]
        if others:
            return self._exchange(Track(target, path, others))
        return dataclasses.replace(self, tracks=tuple(each for each in self.tracks if each is not track))

    def _exchange(self, track: Track) -> Keyed:
        same = [(each.target, each.path) == (track.target, track.path) for each in self.tracks]
        tracks = [track if is_same else each for is_same, each in zip(same, self.tracks, strict=True)]
        return dataclasses.replace(self, tracks=tuple(tracks))

    # Playing ------------------------------------------------------------------------------------------------------

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made, curves = Frames.of_pose(Pose.rest(self.character.skeleton), len(times)), self._curves
        if "rotation" in curves:
            curves["rotation"].fill(made.rotations, times)
        if "translation" in curves:
            if np.any(curves["translation"].targets):
                fill_translations(made, self.body)
            out = made.root[:, None] if made.translations is None else made.translations
            curves["translation"].fill(out, times)
        if "scale" in curves:
            made.scales = np.repeat(self.character.skeleton.rest_scales[None], len(times), axis=0)
            curves["scale"].fill(made.scales, times)
        if "morph" in curves:
            made.morphs = np.zeros((len(times), len(self.character.morph_names)))
            curves["morph"].fill(made.morphs[..., None], times)
        return made

    @cached_property
    def _curves(self) -> dict[str, KeyCurves]:
        found: dict[str, KeyCurves] = {}
        for path in dict.fromkeys(track.path for track in self.tracks):
            tracks = [track for track in self.tracks if track.path == path]
            found[path] = KeyCurves.of(tracks, [self._target(track) for track in tracks])
        return found

    def _target(self, track: Track) -> int:
        if track.path != "morph":
            return self.character.skeleton.index(track.target)
        if track.target not in self.character.morph_names:
            raise UnknownNameError(repr(self.character.name), "morph", track.target, self.character.morph_names)
        return self.character.morph_names.index(track.target)
