"""The realiser: blocks come in at any moment, join what goes on, and every moment of them is reported once."""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Protocol

from mummer.bml.block import Block, Element
from mummer.bml.feedback import Feedback, Warned
from mummer.bml.read import read_blocks
from mummer.bml.schedule import Timed, schedule
from mummer.bml.timing import phases_of
from mummer.errors import MummerError

MOST_WAITING = 10_000
"""Blocks that may be under way or wait at once."""
REMEMBERED = 1_000
"""Blocks that are over and may still be referred to."""
TARGET = "thing or person"
"""What an error calls a target that is not there."""
EPSILON = 1e-9


@dataclass(frozen=True)
class Prepared:
    """A behaviour as somebody will do it.

    Attributes:
        times: seconds of its sync points by themselves, first to last, by their names in BML.
        channels: what it holds on to: two at once that hold the same are in conflict.
        acting: whatever does it.
        warnings: where it is not quite what was asked.
    """

    times: Mapping[str, float]
    channels: frozenset[str] = frozenset()
    acting: Any = None
    warnings: tuple[Warned, ...] = ()


class Cast(Protocol):
    """Who does what blocks ask for."""

    def find(self, character: str) -> str:
        """The name of who is meant; ``character`` may be empty.

        Raises:
            MummerError: if there is nobody of that name.
        """

    def prepare(self, who: str, element: Element) -> Prepared:
        """A behaviour of somebody.

        Raises:
            MummerError: if the body cannot do it, or it is not understood.
        """

    def begin(self, who: str, prepared: Prepared, times: Mapping[str, float], delay: float) -> None:
        """Start a behaviour in ``delay`` seconds; its sync points shall be so many seconds after that."""

    def end(self, who: str, prepared: Prepared) -> None:
        """Break a behaviour off."""

    def unfinished(self, who: str, prepared: Prepared, delay: float) -> bool:
        """Whether a behaviour that should be over in ``delay`` seconds needs more time."""

    def step(self, seconds: float) -> None:
        """Let time pass."""


@dataclass(eq=False)
class Act:
    """One behaviour of a block that is to be done or is being done.

    Attributes:
        element: what was asked.
        prepared: how it is done.
        times: seconds after the start of the block, by sync point.
        begun: whether it has started.
        over: whether it has ended.
    """

    element: Element
    prepared: Prepared
    times: dict[str, float]
    begun: bool = False
    over: bool = False


@dataclass(eq=False)
class Playing:
    """A block that waits, is under way, or is over.

    Attributes:
        block: what was asked.
        who: does it.
        acts: its behaviours.
        start: seconds on the clock; what is expected while it waits.
        state: ``waiting``, ``playing`` or ``over``.
        waits: names of the blocks that must end first.
        due: moments that are still to be reported: time, order, behaviour (None for the block), sync point.
    """

    block: Block
    who: str
    acts: list[Act]
    start: float
    state: str = "waiting"
    waits: set[str] = field(default_factory=set)
    due: list[tuple[float, int, Act | None, str]] = field(default_factory=list)

    @property
    def duration(self) -> float:
        """Seconds from its start to its end."""
        return max((max(act.times.values()) for act in self.acts), default=0.0)

    @property
    def relaxed(self) -> float:
        """Seconds from its start until all of it relaxes."""
        return max((act.times.get("relax", max(act.times.values())) for act in self.acts), default=0.0)


class Realizer:
    """Plays blocks of BML and reports on them.

    Attributes:
        cast: who does what is asked.
        clock: seconds since it was made.

    Example:
        >>> from mummer.bml.rehearsal import Rehearsal
        >>> realizer = Realizer(Rehearsal())
        >>> reports = realizer.submit('<bml id="b"><wait id="w" start="0" end="1"/></bml>')
        >>> while not realizer.idle:
        ...     reports += realizer.step(1 / 60)
        >>> [report.sync for report in reports if report.kind == "progress" and report.behavior]
        ['start', 'end']
    """

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.clock = 0.0
        self._live: OrderedDict[str, Playing] = OrderedDict()
        self._past: OrderedDict[str, Playing] = OrderedDict()
        self._unnamed = count(1)
        self._order = count()

    @property
    def idle(self) -> bool:
        """Whether nothing is under way or waits."""
        return not self._live

    @property
    def blocks(self) -> tuple[str, ...]:
        """Names of the blocks that are under way or wait."""
        return tuple(self._live)

    def blocks_of(self, who: str) -> tuple[str, ...]:
        """Names of the blocks of somebody that are under way or wait."""
        return tuple(name for name, playing in self._live.items() if playing.who == who)

    def submit(self, source: str | bytes | Block, *, name: str = "BML") -> list[Feedback]:
        """Take blocks in.

        Args:
            source: XML, or a block.
            name: what errors call it.

        Returns:
            Warnings, and the predictions for what will be done.

        Raises:
            FileError: if it is no BML at all; nothing is done then.
        """
        if isinstance(source, Block):
            return self._take(source)
        reports = []
        for block in read_blocks(source, name=name, unnamed=f"block{next(self._unnamed)}_"):
            reports += self._take(block)
        return reports

    def interrupt(self, block: str) -> list[Feedback]:
        """End a block, in the middle of whatever it does."""
        playing = self._live.get(block)
        return [] if playing is None else self._finish(playing, interrupted=True)

    def step(self, seconds: float) -> list[Feedback]:
        """Let time pass; everything that happens meanwhile is reported, in order."""
        end = self.clock + seconds
        reports: list[Feedback] = []
        self._hold_back(end)
        while True:
            moment = self._next(end)
            if moment is None:
                break
            reports += moment
        self.cast.step(seconds)
        self.clock = end
        return reports

    def _hold_back(self, end: float) -> None:
        """What is not over yet though it should be holds back all that is still to come in its block."""
        for playing in self._live.values():
            if playing.state != "playing":
                continue
            late = [act for act in playing.acts if act.begun and not act.over and self._is_late(playing, act, end)]
            if not late:
                continue
            for act in playing.acts:
                limit = self.clock - playing.start
                for point, time in act.times.items():
                    if time > limit - EPSILON and (act in late or not act.begun):
                        act.times[point] = time + end - self.clock
            self._plan(playing, [entry[2:] for entry in playing.due])

    def _is_late(self, playing: Playing, act: Act, end: float) -> bool:
        due = playing.start + max(act.times.values())
        return due <= end + EPSILON and self.cast.unfinished(playing.who, act.prepared, end - self.clock)

    def _next(self, end: float) -> list[Feedback] | None:
        """What happens next before ``end``; None if nothing does."""
        best: Playing | None = None
        for playing in self._live.values():
            if playing.state == "waiting" and not playing.waits and playing.start <= end + EPSILON:
                return self._start(playing)
            soon = playing.state == "playing" and playing.due[0][0] <= end + EPSILON
            if soon and (best is None or playing.due[0][:2] < best.due[0][:2]):
                best = playing
        return None if best is None else self._reach(best)

    def _reach(self, playing: Playing) -> list[Feedback]:
        time, _, act, point = heapq.heappop(playing.due)
        if act is None:
            return self._finish(playing)
        if not act.begun:
            act.begun = True
            base = min(act.times.values())
            times = {name: at - base for name, at in act.times.items()}
            self.cast.begin(playing.who, act.prepared, times, max(0.0, time - self.clock))
        report = self._progress(playing, act.element.id, point, time)
        if point == list(act.times)[-1]:
            act.over = True
        reports = [report]
        if act.element.kind == "interrupt" and point == "start":
            for name in act.element.attributes.get("target", "").replace(",", " ").split():
                reports += self.interrupt(name)
        self._relax(playing, time)
        return reports

    def _relax(self, playing: Playing, time: float) -> None:
        """Let blocks go that wait for nothing but that this one relaxes."""
        for other in self._live.values():
            waits = other.block.chunk and playing.block.id in other.waits
            if waits and not any(self._holds(entry[2], entry[3]) for entry in playing.due):
                other.waits.discard(playing.block.id)
                other.start = time

    @staticmethod
    def _holds(act: Act | None, point: str) -> bool:
        return act is not None and not (point == "end" and "relax" in act.times)

    def _take(self, block: Block) -> list[Feedback]:
        reports: list[Feedback] = []
        who = block.character

        def warn(*warnings: Warned) -> None:
            reports.extend(
                Feedback("warning", block.id, who, each.behavior, "", 0.0, self.clock, each.type, each.text)
                for each in warnings
            )

        warn(*block.warnings)
        if block.id in self._live:
            warn(Warned("DUPLICATE_ID", f"a block {block.id!r} is under way; this one is dropped"))
            return reports
        if len(self._live) >= MOST_WAITING:
            warn(Warned("IMPOSSIBLE_TO_SCHEDULE", f"{MOST_WAITING} blocks wait already; this one is dropped"))
            return reports
        try:
            who = self.cast.find(block.character)
        except MummerError as error:
            warn(Warned("NO_SUCH_TARGET", f"{error}; the block is dropped"))
            return reports
        if block.failed:
            return reports
        playing = self._prepared(block, who, warn)
        if playing is None:
            return reports
        for name in block.interrupts if block.composition != "REPLACE" else tuple(self._live):
            reports += self.interrupt(name)
        self._live[block.id] = playing
        self._conflicts(playing, warn)
        reports += self._predictions(playing)
        if playing.start <= self.clock and not playing.waits:
            reports += self._start(playing)
        return reports

    def _prepared(self, block: Block, who: str, warn: Any) -> Playing | None:
        """A block with everything made and timed, or None if it cannot be done."""
        acts: dict[str, tuple[Element, Prepared]] = {}
        for element in block.elements:
            try:
                made = self.cast.prepare(who, element)
                acts[element.id] = element, made
                warn(*made.warnings)
            except MummerError as error:
                what = "NO_SUCH_TARGET" if getattr(error, "kind", "") == TARGET else "CANNOT_CREATE_BEHAVIOR"
                warn(Warned(what, f"{error}; {element.id!r} is dropped", element.id))
                if element.required:
                    warn(Warned("CANNOT_CREATE_BEHAVIOR", f"{element.id!r} is required, so the block is dropped"))
                    return None
        waits = self._waits(block)
        start = max((self._expected(self._live[name], block.chunk) for name in waits), default=self.clock)
        timed = [
            Timed(name, tuple(made.times), phases_of(element.kind, made.times), element.times, element.required)
            for name, (element, made) in acts.items()
        ]
        known = {
            (name, act.element.id, point): playing.start + time - start
            for group in (self._past, self._live) for name, playing in group.items()
            for act in playing.acts for point, time in act.times.items()
        } if _refers(block) else {}  # fmt: skip
        plan = schedule(timed, block.constraints, known)
        warn(*plan.warnings)
        if plan.failed:
            return None
        made_acts = [Act(*acts[name], dict(times)) for name, times in plan.times.items()]
        return Playing(block, who, made_acts, start, waits=waits)

    def _waits(self, block: Block) -> set[str]:
        waits = {name for name in block.after if name in self._live}
        if block.composition == "APPEND":
            waits |= set(self._live)
        for name in block.before:
            if name in self._live and self._live[name].state == "waiting":
                self._live[name].waits.add(block.id)
        return waits

    @staticmethod
    def _expected(playing: Playing, chunk: bool) -> float:
        return playing.start + (playing.relaxed if chunk else playing.duration)

    def _conflicts(self, playing: Playing, warn: Any) -> None:
        """Warn about behaviours that hold on to the same at the same time."""
        mine = [(act, playing) for act in playing.acts]
        others = [
            (act, each) for each in self._live.values() if each.who == playing.who for act in each.acts if not act.over
        ]
        told = set()
        for act, _ in mine:
            for other, where in others:
                shared = act.prepared.channels & other.prepared.channels
                if other is act or not shared or (id(other), id(act)) in told:
                    continue
                told.add((id(act), id(other)))
                a, b = min(act.times.values()) + playing.start, max(act.times.values()) + playing.start
                c, d = min(other.times.values()) + where.start, max(other.times.values()) + where.start
                if min(b, d) - max(a, c) > 1e-3:
                    name = other.element.id if where is playing else f"{where.block.id}:{other.element.id}"
                    text = f"{act.element.id!r} and {name!r} both want {', '.join(sorted(shared))} at the same time"
                    warn(Warned("CONFLICT", text, act.element.id))

    def _predictions(self, playing: Playing) -> list[Feedback]:
        made = [
            Feedback("prediction", playing.block.id, playing.who, "", sync, time, playing.start + time, "bml")
            for sync, time in (("start", 0.0), ("end", playing.duration))
        ]
        for act in playing.acts:
            made += [
                Feedback(
                    "prediction", playing.block.id, playing.who, act.element.id, point, time, playing.start + time,
                    act.element.kind,
                ) for point, time in act.times.items()
            ]  # fmt: skip
        return made

    def _start(self, playing: Playing) -> list[Feedback]:
        playing.state, playing.start = "playing", max(playing.start, self.clock)
        self._plan(playing, [(act, point) for act in playing.acts for point in act.times] + [(None, "end")])
        return [self._progress(playing, "", "start", playing.start)]

    def _plan(self, playing: Playing, moments: Iterable[tuple[Act | None, str]]) -> None:
        playing.due = [
            (playing.start + (playing.duration if act is None else act.times[point]), next(self._order), act, point)
            for act, point in moments
        ]
        heapq.heapify(playing.due)

    def _finish(self, playing: Playing, *, interrupted: bool = False) -> list[Feedback]:
        time = self.clock if interrupted else playing.start + playing.duration
        was, playing.state = playing.state, "over"
        for act in playing.acts:
            if act.begun and not act.over:
                self.cast.end(playing.who, act.prepared)
        del self._live[playing.block.id]
        self._past[playing.block.id] = playing
        while len(self._past) > REMEMBERED:
            self._past.popitem(last=False)
        for other in self._live.values():
            if playing.block.id in other.waits:
                other.waits.discard(playing.block.id)
                other.start = time
        if was == "waiting":
            return []
        report = self._progress(playing, "", "end", time)
        return [replace(report, type="INTERRUPTED") if interrupted else report]

    @staticmethod
    def _progress(playing: Playing, behavior: str, sync: str, time: float) -> Feedback:
        return Feedback("progress", playing.block.id, playing.who, behavior, sync, time - playing.start, time)


def _refers(block: Block) -> bool:
    """Whether a block speaks of moments of others."""
    refs = [ref for element in block.elements for ref in element.times.values()]
    refs += [ref for constraint in block.constraints for ref in constraint.moments]
    return any(ref.block for ref in refs)
