"""Actions as trees: an action is a sequence of cycles, a cycle of poses, a pose a set of degrees of freedom.

A tree is structure alone. What it means, angles, times, manner, is said by the properties that hang on its nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from mummer.script.property import Property
    from mummer.script.source import Source

Origin = Literal["action", "sketch", "edit"]
ORIGINS: tuple[Origin, ...] = ("action", "sketch", "edit")
"""Who has said a property, in the order in which they are heard: what is heard later has more to say."""
LEVELS = ("action", "cycle", "pose", "dof")


@dataclass(frozen=True, eq=False)
class Said:
    """A property as somebody has said it of a node.

    Attributes:
        value: the property.
        origin: who says it.
        level: how deep in the tree the node is, 0 for an action to 3 for a degree of freedom.
        dof: the degrees of freedom that are meant, as they are spelled; all if empty.
        where: file, line and column.
    """

    value: Property
    origin: Origin = "action"
    level: int = 0
    dof: str = ""
    where: str = ""


@dataclass(frozen=True, eq=False)
class Entry:
    """A degree of freedom of a pose."""

    dof: str
    said: tuple[Said, ...] = ()


@dataclass(frozen=True, eq=False)
class PoseNode:
    """Degrees of freedom that are brought somewhere together.

    Attributes:
        entries: what it speaks of.
        said: its properties.
        window: seconds of the recording that it was read from: where it is left from, reached, and left again.
    """

    entries: tuple[Entry, ...]
    said: tuple[Said, ...] = ()
    window: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Cycle:
    """Poses one after another, repeated ``times`` times."""

    poses: tuple[PoseNode, ...]
    said: tuple[Said, ...] = ()
    times: int = 1


@dataclass(frozen=True, eq=False)
class Action:
    """A unit of a script.

    Attributes:
        name: what it is called; several may be called alike.
        cycles: one after another.
        said: its properties.
        source: the recording that it was read from, if it was.
        arrives: whether it ends where it was recorded to, however wide it is done.
    """

    name: str
    cycles: tuple[Cycle, ...] = ()
    said: tuple[Said, ...] = ()
    source: Source | None = field(default=None, repr=False)
    arrives: bool = False

    def poses(self) -> Iterator[tuple[int, int, Cycle, PoseNode]]:
        """Number of the cycle, number of the pose, both from 1, and the two, each as often as it is repeated."""
        for number, cycle in enumerate(self.cycles, 1):
            for _ in range(cycle.times):
                for place, pose in enumerate(cycle.poses, 1):
                    yield number, place, cycle, pose


@dataclass(frozen=True, eq=False)
class Script:
    """Who does what when: tracks, in each of which actions follow one another.

    Attributes:
        name: of the script.
        tracks: actions by the name of their track.
        edits: what the animator has said about them, addressed.
        links: pairs of actions, the second of which begins at the same point of the first, whatever becomes of that.
    """

    name: str
    tracks: tuple[tuple[str, tuple[Action, ...]], ...]
    edits: tuple[Addressed, ...] = ()
    links: tuple[tuple[str, str], ...] = ()

    def with_track(self, name: str, *actions: Action) -> Script:
        """The script with one more track."""
        return replace(self, tracks=(*self.tracks, (name, actions)))

    def actions(self) -> Iterator[Action]:
        """All actions, track by track."""
        for _, actions in self.tracks:
            yield from actions


@dataclass(frozen=True, eq=False)
class Addressed:
    """A property and the nodes that it is meant for.

    Attributes:
        value: the property.
        address: patterns for action, cycle, pose and degree of freedom; as many as were said.
        where: file, line and column.
        unless: what must be true of action and mood; see `Condition`.
    """

    value: Property
    address: tuple[str, ...] = ("*",)
    where: str = ""
    conditions: tuple[Condition, ...] = ()

    def matches(self, action: str, cycle: int, pose: int) -> bool:
        """Whether a pose is meant, or something in it."""
        said = [(action, self.address[0])]
        said += [(str(number), pattern) for number, pattern in zip((cycle, pose), self.address[1:3], strict=False)]
        return all(pattern in ("*", name) for name, pattern in said)

    def said(self, origin: Origin) -> Said:
        """The property as said by somebody at its level."""
        dof = self.address[3] if len(self.address) > 3 and self.address[3] != "*" else ""
        return Said(self.value, origin, len(self.address) - 1, dof, self.where)


@dataclass(frozen=True)
class Condition:
    """What must be true for a part of a sketch to count.

    Attributes:
        about: ``action`` or ``mood``.
        names: any of these actions, or the mood.
        above: of a mood, how much of it there must be, 0 to 1.
    """

    about: Literal["action", "mood"]
    names: tuple[str, ...]
    above: float = 0.0

    def holds(self, action: str, moods: dict[str, float]) -> bool:
        """Whether it is true of an action of somebody in a mood."""
        if self.about == "action":
            return action in self.names
        return moods.get(self.names[0], 0.0) > self.above
