"""Rehearsal: perform, review, update. A script or motion, with sketches and edits that can be changed at any time."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from mummer.clip.clip import Clip
from mummer.clip.sampled import Sampled
from mummer.io.subjects import BodyLike, as_character
from mummer.recognition import recognized
from mummer.report import Report
from mummer.script.action import Addressed, Script
from mummer.script.dofs import Dofs, dofs_of
from mummer.script.execute import execute
from mummer.script.integrate import Direction, make_plan
from mummer.script.plan import Plan
from mummer.script.reading import read_clip
from mummer.script.script_text import ScriptText, load_script
from mummer.script.sketch import Sketch, load_sketch, sketch_from_text


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """A performance in the making: every change gives another one, and what has not changed is not made again.

    Attributes:
        script: what is done.
        dofs: of the body that does it.
        direction: how: sketches, edits, moods.

    Example:
        >>> import mummer as mm
        >>> take = Rehearsal.of_clip(mm.perform("zoo:adult", "wave")).sketch("old_man")
        >>> slower = take.edit("SetDuration {*} REL 1.5")
        >>> slower.clip.duration > take.clip.duration
        True
    """

    script: Script
    dofs: Dofs
    direction: Direction = field(default_factory=Direction)

    @classmethod
    def of_clip(cls, clip: Clip, name: str | None = None, *, arrives: bool = False) -> Rehearsal:
        """Any motion of a body whose anatomy is known, read back into actions.

        Args:
            clip: the motion.
            name: of the action; that of the clip if None.
            arrives: whether it is to end where it ends, however wide sketches have it done.
        """
        dofs = dofs_of(clip.body)
        action = read_clip(dofs, clip, name, arrives=arrives)
        return cls(Script(action.name, (("body", (action,)),)), dofs)

    @classmethod
    def of_script(cls, script: str | Path | ScriptText, body: BodyLike) -> Rehearsal:
        """A script that ships or lies in a file, done by any body."""
        character = recognized(as_character(body, asker="a script"))
        dofs = dofs_of(character)
        text = script if isinstance(script, ScriptText) else load_script(script)
        return cls(text.on(dofs), dofs)

    def sketch(self, *sketches: str | Path | Sketch) -> Rehearsal:
        """With more sketches: names of those that ship, or files."""
        found = tuple(load_sketch(each) for each in sketches)
        return self._directed(sketches=(*self.direction.sketches, *found))

    def without_sketches(self) -> Rehearsal:
        """As before any sketch."""
        return self._directed(sketches=())

    def edit(self, *lines: str) -> Rehearsal:
        """With more edits, each a line as in a sketch; they are heard after all sketches."""
        found: tuple[Addressed, ...] = sketch_from_text("\n".join(lines), name="edit").said
        return self._directed(edits=(*self.direction.edits, *found))

    def undone(self, count: int = 1) -> Rehearsal:
        """Without the last edits."""
        return self._directed(edits=self.direction.edits[: len(self.direction.edits) - count])

    def in_mood(self, **moods: float) -> Rehearsal:
        """In a mood, of which there is so much, 0 to 1: ``take.in_mood(tired=0.8)``."""
        return self._directed(moods={**self.direction.moods, **moods})

    def held(self, posture: float) -> Rehearsal:
        """With so much of the postures that sketches ask for, 0 to 1."""
        return self._directed(posture=posture)

    @cached_property
    def plan(self) -> Plan:
        """What every degree of freedom does when."""
        return make_plan(self.dofs, self.script, self.direction)

    @cached_property
    def clip(self) -> Sampled:
        """The motion."""
        return execute(self.plan, name=self.script.name)

    @property
    def report(self) -> Report:
        """What could not be done."""
        return self.clip.report

    def save(self, path: str | os.PathLike[str], **options: Any) -> Report:
        """Write the motion with its body; see `Clip.save`."""
        return self.clip.save(path, **options)

    def _directed(self, **changes: Any) -> Rehearsal:
        return dataclasses.replace(self, direction=dataclasses.replace(self.direction, **changes))


def sketched(clip: Clip, *sketches: str | Path | Sketch, **moods: float) -> Sampled:
    """A motion as a character of a sketch would do it, on whatever body.

    Example:
        >>> import mummer as mm
        >>> old = sketched(mm.perform("zoo:spider", "walk"), "old_man")
    """
    return Rehearsal.of_clip(clip).sketch(*sketches).in_mood(**moods).clip
