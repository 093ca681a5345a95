"""The stack: streams of motions over one another, who drives what, and how control comes and goes.

Level 0 is one stream of motions that follow one another; streams above it begin when they are told to. Before a motion
is laid over others it asks for the body groups that it needs and for its goals, over all of its time, and is refused
where those below need them more. Where it ends, what is below resumes; where what is below ends first, it takes over
the rest of the body, and with it the goals that the other had kept from it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mummer.character import Character
from mummer.clip import Clip, Composite, Glue, Mix, Still, Transition
from mummer.errors import InputError
from mummer.ik import Constrained, Goal, joint_of
from mummer.model.retimed import delayed
from mummer.report import Report, ReportBuilder
from mummer.stage.cue import Cue, How, Tag
from mummer.stage.segue import segue
from mummer.stage.starts import resumption_seconds, seconds_before
from mummer.stage.timing import transition_seconds


@dataclass(frozen=True, eq=False)
class Placed:
    """A cue on the stack.

    Attributes:
        cue: the motion.
        level: 0 for the lowest.
        begin: seconds at which the transition into it begins.
        entered: seconds at which it has taken over.
        until: seconds at which it lets go.
        shares: by group, the part that it has of it: 1 drives it alone.
        goals: in the time of the stack.
    """

    cue: Cue
    level: int
    begin: float
    entered: float
    until: float
    shares: Mapping[str, float]
    goals: tuple[Goal, ...] = ()

    @property
    def delay(self) -> float:
        """What is added to the clip's times."""
        return self.entered - self.cue.enters


@dataclass(frozen=True, eq=False)
class Stack:
    """What one actor does.

    Attributes:
        body: who.
        placed: in the order in which they were executed.
        rough: all of it, joined and layered, before goals are met.
        told: what was refused, dropped or shared.

    Example:
        ``Stack(body).followed(walk).layered(wave, at=1.0).followed(sit).final.save("scene.glb")``
    """

    body: Character
    placed: tuple[Placed, ...] = ()
    rough: Composite | None = None
    told: Report = dataclasses.field(default_factory=Report)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """Everything that has to hold, in seconds of the stack."""
        return tuple(goal for placed in self.placed for goal in placed.goals)

    @cached_property
    def final(self) -> Clip:
        """The final cut: the rough one with every goal met."""
        if self.rough is None:
            raise InputError("nobody does anything on this stack; put a cue on it first")
        return Constrained(self.rough, self.goals) if self.goals else self.rough

    # One after the other ------------------------------------------------------------------------------------------

    def followed(self, cue: Cue, *, hold: bool = False, ratios: Mapping[str, float] | None = None, **how: Any) -> Stack:
        """The stack with a motion after the last of level 0.

        Args:
            cue: what comes next.
            hold: whether the pose in which the last is left is kept as far as the motion lets it; see `Cue.held`.
            ratios: for ``hold``.
            how: see `mummer.stage.segue.segue`.
        """
        groups = dict.fromkeys(self._groups, 1.0)
        last = max((each for each in self.placed if each.level == 0), key=lambda each: each.until, default=None)
        if last is None or self.rough is None:
            begin = cue.clip.start
            timeline = Composite(self.body).with_segment(cue.clip)
            placed = Placed(cue, 0, begin, cue.enters, cue.clip.end, groups, cue.goals)
            return dataclasses.replace(self, placed=(*self.placed, placed), rough=timeline)
        exit = last.cue.leaves + last.delay  # noqa: A001
        played = last.cue.clip.shifted(last.delay)
        cue = cue.held(played, exit, ratios) if hold else cue
        made = segue(played, cue.clip, exit=exit, entry=cue.enters, **how)
        entered = exit + made.seconds
        ends = entered + cue.clip.end - cue.enters
        goals = (*cut_goals(_moved(cue.goals, entered - cue.enters), entered, ends), *made.goals)
        ended = dataclasses.replace(last, until=exit, goals=cut_goals(last.goals, last.begin, exit))
        placed = Placed(cue, 0, exit, entered, ends, groups, goals)
        others = tuple(ended if each is last else each for each in self.placed)
        return dataclasses.replace(self, placed=(*others, placed), rough=made.onto(self.rough))

    # Over one another ---------------------------------------------------------------------------------------------

    def layered(
        self, cue: Cue, *, at: float | None = None, achieve_at: float | None = None, seconds: float | None = None
    ) -> Stack:
        """The stack with a motion over those that are there; unchanged, but for what is told, where it is refused.

        Args:
            cue: what is done at the same time.
            at: seconds at which the transition into it begins.
            achieve_at: seconds at which it shall achieve its goal, instead of ``at``; see `mummer.stage.starts`.
            seconds: how long the transition takes; as the poses ask for if None.

        Raises:
            InputError: if neither or both of the times are given, or nothing is there at that time.
        """
        below = self.rough
        if (at is None) == (achieve_at is None):
            raise InputError(f"{cue.name!r} is layered at a time, or so that it achieves at one; expected one of both")
        if below is None:
            raise InputError(f"{cue.name!r} cannot be layered over nothing; let a first motion be followed first")
        if achieve_at is not None:
            span = seconds_before(below, cue.clip, achieve_at, cue.enters) if seconds is None else seconds
            begin = achieve_at - span
        else:
            assert at is not None
            begin = at
            span = 0.0 if seconds is None else seconds
        if not below.start <= begin < below.end:
            raise InputError(
                f"{cue.name!r} cannot begin at {begin:g} s: "
                f"what it lies over runs from {below.start:g} to {below.end:g} s"
            )
        span = span or transition_seconds(below, cue.clip, begin, cue.enters)
        until = begin + span + cue.leaves - cue.enters
        report = ReportBuilder()
        report.add_all(self.told)
        shares = self._shares(cue, begin, until, report)
        goals = None if shares is None else self._goals(cue, (begin, begin + span, until), shares, report)
        if shares is None or goals is None:
            return dataclasses.replace(self, told=report.build())
        level = 1 + max(each.level for each in self.placed if each.until > begin)
        placed = Placed(cue, level, begin, begin + span, until, shares, goals)
        rough = self._resumed_up(_laid_over(below, placed, span), placed)
        return dataclasses.replace(self, placed=(*self.placed, placed), rough=rough, told=report.build())

    def _resumed_up(self, rough: Composite, placed: Placed) -> Composite:
        """With the rest of the body given to a motion that goes on when those below it have ended."""
        ends = max(each.until for each in self.placed if each.level == 0)
        below = self.rough
        if below is None or placed.until <= ends + 1e-6 or placed.begin >= ends:
            return rough
        last = max((each for each in self.placed if each.level == 0), key=lambda each: each.until)
        exit = max(last.cue.leaves + last.delay, placed.entered)  # noqa: A001
        clip, time = placed.cue.clip, exit - placed.delay
        span = resumption_seconds(below, exit, clip, time, placed.entered - placed.begin)
        span = min(span, max(clip.end - time, 1e-3))
        glue = Transition(below, clip, exit, time + span, span)
        return rough.with_segment(
            clip, at=exit + span, source=time + span, level=placed.level,
            groups=[name for name in self._groups if placed.shares.get(name, 0.0) < 1.0],
            entrance=Glue(exit, exit + span, glue),
        )  # fmt: skip

    # Who may ------------------------------------------------------------------------------------------------------

    @property
    def _groups(self) -> tuple[str, ...]:
        if self.body.anatomy is None:
            raise InputError(f"the anatomy of {self.body.name!r} is not known; motions are layered by its groups")
        return tuple(self.body.anatomy.groups)

    def _under(self, group: str, begin: float, end: float) -> list[Cue]:
        return [
            each.cue
            for each in self.placed
            if each.begin < end and each.until > begin and each.shares.get(group, 0.0) > 0
        ]

    def _shares(self, cue: Cue, begin: float, end: float, report: ReportBuilder) -> dict[str, float] | None:
        """The part that a cue gets of each group, or None where it is refused one that it needs."""
        shares: dict[str, float] = {}
        for group in self._groups:
            tag, under = cue.tag(group), self._under(group, begin, end)
            theirs = [each.tag(group) for each in under]
            weight = max((each.importance for each in theirs), default=0.0)
            if tag.how == "control":
                granted = tag.importance >= weight if tag.required else tag.importance > weight
                shares[group] = 1.0 if granted or not under else 0.0
            else:
                granted = not any(each.how == "control" and each.required for each in theirs)
                part = tag.importance / max(tag.importance + weight, 1e-9) if tag.how == "blend" else 1.0
                shares[group] = part if granted else 0.0
            if tag.required and not granted and under:
                names = ", ".join(each.name for each in under)
                what = f"{cue.name!r} needs the group {group!r} ({tag.how}, {tag.importance:g})"
                report.add("refused", f"{what}, which {names} holds ({weight:g}) between {begin:.2f} and {end:.2f} s")
                return None
        return shares

    def _goals(
        self, cue: Cue, when: tuple[float, float, float], shares: Mapping[str, float], report: ReportBuilder
    ) -> tuple[Goal, ...] | None:
        """The goals that a cue gets, or None where it is refused one that it needs.

        ``when`` is when it begins, has taken over and lets go. What it has no share in it may ask for only when those
        below have ended.
        """
        begin, entered, until = when
        ends = max((each.until for each in self.placed if each.level == 0), default=begin)
        groups = self.body.anatomy.groups if self.body.anatomy is not None else {}
        owner = {joint: name for name, joints in groups.items() for joint in joints}
        found: list[Goal] = []
        for goal in cut_goals(_moved(cue.goals, entered - cue.enters), begin, until):
            span = goal.interval or (begin, until)
            taken = [
                (each, (other.interval or (each.begin, each.until))[1])
                for each in self.placed
                for other in each.goals
                if _same(self.body, goal, other) and _meet(span, other.interval or (each.begin, each.until))
            ]
            parts = {owner[joint_of(self.body, part)] for part in goal.points}
            if taken and any(cue.tag(part).required for part in parts):
                what = f"{cue.name!r} needs {type(goal).__name__} of {', '.join(sorted(parts))}"
                report.add("refused", f"{what}, which {taken[0][0].cue.name} holds")
                return None
            free = max((end for _, end in taken), default=span[0])
            if not any(shares.get(part, 0.0) > 0 for part in parts or ("waist",)):
                free = max(free, ends)
            if free < span[1]:
                found.append(dataclasses.replace(goal, interval=(max(free, span[0]), span[1])))
        return tuple(found)


def _laid_over(below: Composite, placed: Placed, span: float) -> Composite:
    """A timeline with a motion over it on the groups that it got, and the way back where it ends before."""
    cue, level, begin, entered = placed.cue, placed.level, placed.begin, placed.entered
    clip, until, made = cue.clip, placed.until, below
    ways: dict[str, list[str]] = {}
    for group, share in placed.shares.items():
        if share > 0:
            ways.setdefault(_way(cue.tag(group), share), []).append(group)
    back: float | None = None
    if until < below.end - 1e-6:
        back = min(resumption_seconds(clip, cue.leaves, below, until, span), below.end - until)
    for how, groups in ways.items():
        if how == "control":
            entrance = Glue(begin, entered, Transition(below, clip, begin, cue.enters, span))
            resumption = None
            if back is not None:
                way = Transition(clip.shifted(placed.delay), below, until, until + back, back)
                resumption = Glue(until, until + back, way)
            made = made.with_segment(
                clip, at=entered, source=cue.enters, seconds=until - entered, groups=groups, level=level,
                entrance=entrance, resumption=resumption,
            )  # fmt: skip
            continue
        end = min(until + (back or 0.0), below.end)
        weights = {name: placed.shares[name] for name in groups}
        mode: Any = "blend" if how == "blend" else "difference"
        made = made.with_segment(
            Mix(below, _during(clip.shifted(placed.delay), begin, end), weights, mode), at=begin, source=begin,
            seconds=end - begin, groups=groups, level=level,
            entrance=Glue(begin, min(entered, end)), resumption=Glue(until, end) if back is not None else None,
        )  # fmt: skip
    return made


def _during(clip: Clip, begin: float, end: float) -> Clip:
    """A clip that is there from ``begin`` to ``end``: before its start and after its end it stays as it is then."""
    made = Composite(clip.body)
    for time, low, high in ((clip.start, begin, clip.start), (clip.end, clip.end, end)):
        if high - low > 1e-6:
            made = made.with_segment(Still(clip.body, clip.at(time), high - low).shifted(low))
    return made.with_segment(clip) if made.segments else clip


def _way(tag: Tag, share: float) -> How:
    """How a motion gets at a group: one that shares with nobody has it alone."""
    return "control" if tag.how == "blend" and share >= 1 else tag.how


def _moved(goals: tuple[Goal, ...], by: float) -> tuple[Goal, ...]:
    return tuple(delayed(goal, by) for goal in goals)


def cut_goals(goals: tuple[Goal, ...], begin: float, end: float) -> tuple[Goal, ...]:
    """The goals as far as they hold between two times."""
    found = []
    for goal in goals:
        low, high = goal.interval or (begin, end)
        low, high = max(low, begin), min(high, end)
        if low <= high:
            found.append(dataclasses.replace(goal, interval=(low, high)))
    return tuple(found)


def _same(body: Character, one: Goal, other: Goal) -> bool:
    """Whether two goals speak of the same thing: only one of them can be met."""
    joints = [{joint_of(body, part) for part in goal.points} for goal in (one, other)]
    return type(one) is type(other) and joints[0] == joints[1]


def _meet(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] < other[1] and other[0] < one[1]
