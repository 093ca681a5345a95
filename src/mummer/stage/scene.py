"""A scene: all that is on stage while a play is cut, and what has happened to it so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from mummer.errors import UnknownNameError
from mummer.report import ReportBuilder
from mummer.stage.cut import Done
from mummer.stage.line import Line
from mummer.stage.play import Play
from mummer.stage.prop import Prop
from mummer.stage.prop_path import PropPath


@dataclass(eq=False)
class Scene:
    """What a cut knows of itself in the making.

    Attributes:
        play: what is cut.
        lines: what each actor has done so far, by name.
        props, paths: things, and what has happened to them.
        done: actions that were done, by name.
        report: what is worth telling.
    """

    play: Play
    lines: dict[str, Line]
    props: dict[str, Prop]
    paths: dict[str, PropPath]
    done: dict[str, Done] = field(default_factory=dict)
    report: ReportBuilder = field(default_factory=ReportBuilder)

    def action_in(self, event: str) -> str:
        """The action that an event such as ``grab.release`` speaks of."""
        name, names = event.partition(".")[0], [doing.name for doing in self.play.doings]
        if name not in names:
            raise UnknownNameError(f"play {self.play.name!r}", "action", name, names)
        return name

    def event(self, event: str, usual: str) -> float:
        """Seconds of an event; of an action alone, of its key time ``usual``."""
        name, _, key = event.partition(".")
        done = self.done[name]
        return done.events[key] if key in done.events else done.key_times[key or usual]

    def path(self, name: str) -> PropPath:
        """A prop's way, held by all that its holders have done by now."""
        return self.paths[name].by({who: line.seen for who, line in self.lines.items()})
