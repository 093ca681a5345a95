"""Cuts: what comes of a play. A clip for each actor, a way for each prop, and all of them together as one scene."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose, Recording
from mummer.character.attachment import moved_rigidly
from mummer.character.cast import cast, join_poses
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.model.action import Action
from mummer.model.key_times import KeyTimes
from mummer.model.model import COMMON
from mummer.report import Report
from mummer.stage.play import Doing
from mummer.stage.prop_path import PropPath

STILL: dict[str, Any] = {"follow": False}
"""The camera of a stage stands still and sees all of it, so that one can tell who goes where."""
SHEET: dict[str, Any] = {**STILL, "views": ["three_quarter"], "times": 12, "columns": 4, "size": (420, 300)}
"""How a sheet of a play looks if nothing else is said."""
PICTURES, FILMS = (".png",), (".mp4", ".gif")


@dataclass(frozen=True, eq=False)
class Done:
    """An action of a play as it came out.

    Attributes:
        doing: what the play says.
        action: what the model made of it, in its own time.
        shift: seconds to be added to the action's times.
        begin: seconds at which it is first seen, its transition included.
        seconds: how long the transition into it takes.
        late: seconds by which it is later than the play asks for.
        events: further moments by name, such as ``strike``.
    """

    doing: Doing
    action: Action
    shift: float
    begin: float
    seconds: float = 0.0
    late: float = 0.0
    events: Mapping[str, float] = field(default_factory=dict)

    @property
    def key_times(self) -> KeyTimes:
        """On the timeline of the play."""
        return self.action.key_times.shifted(self.shift)


@dataclass(frozen=True, eq=False)
class Cut:
    """A play that was cut.

    Attributes:
        name: of the play.
        clips: the motion of each actor, on the timeline of the play, by name.
        paths: of the props, by name.
        done: all actions by name.
        report: what was guessed, clipped, missed, or came late.
    """

    name: str
    clips: Mapping[str, Clip]
    paths: Mapping[str, PropPath] = field(default_factory=dict)
    done: Mapping[str, Done] = field(default_factory=dict)
    report: Report = field(default_factory=Report)

    @cached_property
    def duration(self) -> float:
        """Seconds from 0 until everybody has come to rest."""
        return max([0.0, *(clip.end for clip in self.clips.values()), *(path.end for path in self.paths.values())])

    @cached_property
    def cast(self) -> Character:
        """Everybody and everything as one character, whose joints are called ``ann.left_hand``."""
        made = cast(
            {
                **{name: clip.body for name, clip in self.clips.items()},
                **{name: path.body for name, path in self.paths.items()},
            }
        )
        # Props rest about their middle, below the ground of the stage.
        return made if made.anatomy is None else made.replace(anatomy=replace(made.anatomy, ground=0.0))

    def times(self, rate: float) -> FloatArray:
        """(T,) seconds of the frames, ``rate`` a second."""
        return np.arange(int(np.floor(self.duration * rate + 1e-6)) + 1) / rate

    def sample(self, times: FloatArray) -> Pose:
        """A batch of poses of the `cast`."""
        poses = {name: clip.sample(np.clip(times, clip.start, clip.end)) for name, clip in self.clips.items()}
        for name, path in self.paths.items():
            body = path.body
            still = body.default_pose.broadcast_to((len(times),))
            poses[name] = moved_rigidly(body.skeleton, still, path.at(times))
        return join_poses(self.cast, poses)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Key times of all actions: ``fetch.release``."""
        moments = [(f"{name}.{key}", time) for name, each in self.done.items() for key, time in each.key_times]
        return tuple(sorted(Mark(time, name) for name, time in moments if 0 <= time <= self.duration))

    def recording(self, rate: float = 30.0) -> Recording:
        """The whole play as one recording of the `cast`."""
        times = self.times(rate)
        low, high = float(times[0]), float(times[-1])
        marks = tuple(filter(None, (mark.within(low, high) for mark in self.marks)))
        return replace(Recording.from_poses(self.name, times, self.sample(times)), marks=marks)

    def save(self, path: str | os.PathLike[str], *, rate: float = 30.0, **options: Any) -> None:
        """Write it: .glb, .usda ... one scene with everybody in it, .png a sheet, .mp4 or .gif a film.

        Args:
            path: the file.
            rate: frames a second.
            options: of pictures, see `mummer.render.Options`.

        Raises:
            MummerError: if it cannot be written; nothing half-written is left.
        """
        file, shown = Path(path), (self.cast, self.recording(rate))
        suffix = file.suffix.lower()
        if suffix in PICTURES:
            from mummer.render import contact_sheet, save_png

            save_png(contact_sheet(shown, **{**SHEET, **options}), file)
        elif suffix in FILMS:
            from mummer.render import save_video

            save_video(file, shown, fps=rate, **{**STILL, **options})
        else:
            from mummer.io import save_motions

            save_motions(shown[0], [shown[1]], file)

    def _parameters(self, name: str, done: Done) -> dict[str, Any]:
        """Values of an action; where somebody stands who has done something before depends on that."""
        mine = [other for other, each in self.done.items() if each.doing.actor == done.doing.actor]
        facts = done.action.values.facts()
        for each in COMMON:
            if each.name in facts and each.name not in done.doing.values and name != mine[0]:
                facts[each.name]["from"] = "before"
        return facts

    def facts(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "play": self.name, "duration": self.duration, "actors": list(self.clips), "props": list(self.paths),
            "actions": [
                {
                    "name": name, "actor": each.doing.actor, "model": each.action.model, "style": each.action.style,
                    "begin": each.begin, "transition": each.seconds, "key_times": dict(each.key_times),
                    "events": dict(each.events), "parameters": self._parameters(name, each),
                }
                for name, each in self.done.items()
            ],
            "findings": [{"kind": each.kind, "message": each.message} for each in self.report],
        }  # fmt: skip
