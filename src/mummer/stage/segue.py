"""Segues: from one motion into the next, with a duration, a shape, steps, and room for the limbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from mummer.clip import Clip, Composite, Glue, Transition
from mummer.clip.bands import Graft
from mummer.clip.standing import up_of
from mummer.errors import InputError, UnknownNameError
from mummer.ik import Constrained, Goal
from mummer.stage.clearance import cleared
from mummer.stage.durations import Durations
from mummer.stage.stepper import Step, foot_goals, steps_between
from mummer.stage.timing import JOININGS, TIMINGS, Gap, Joining, Timing, gap_between, group_seconds, joined

Geometry = Literal["blend", "warp", "hermite", "best", "warp-named", "graft"]
GEOMETRIES: tuple[Geometry, ...] = ("blend", "warp", "hermite", "best", "warp-named", "graft")
RELEASE, ACHIEVE = "release", "achieve"
"""The marks at which a motion is left and entered where nothing else is said."""
BLEND_IN = 0.3
"""Part of a transition over which grafted detail comes in and goes out, so that it begins and ends exactly."""


@dataclass(frozen=True, eq=False)
class Segue:
    """The way from one motion into the next.

    Attributes:
        first, second: the motions, standing where they are played.
        exit: seconds of the first at which it is left.
        entry: seconds of the second at which it is entered.
        glue: the clip in between, in the time of the first, from ``exit`` on.
        gap: what had to be bridged.
        by_group: seconds that each group would have taken by itself.
        steps: what the feet do.
        around: limbs that were led around the body.
    """

    first: Clip
    second: Clip
    exit: float
    entry: float
    glue: Clip
    gap: Gap
    by_group: dict[str, float]
    steps: tuple[Step, ...]
    around: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return self.glue.duration

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """What the feet have to meet on the way, in the time of the first."""
        return foot_goals(self.steps, self.glue.start, self.glue.end, up_of(self.first.body))

    @property
    def whole(self) -> Clip:
        """The rough cut with every goal met; the legs give way a little before and after, so that nothing jumps."""
        return Constrained(self.rough, self.goals) if self.goals else self.rough

    @cached_property
    def rough(self) -> Composite:
        """The first motion, the glue and the second, in the time of the first."""
        return self.onto(Composite(self.first.body).with_segment(self.first, seconds=self.exit - self.first.start))

    def onto(self, timeline: Composite, level: int = 0, groups: Sequence[str] = ()) -> Composite:
        """A timeline, which plays the first motion, with the glue and the second added."""
        end = self.exit + self.seconds
        entrance = Glue(self.exit, end, self.glue)
        return timeline.with_segment(
            self.second, at=end, source=self.entry, level=level, groups=groups, entrance=entrance
        )


@dataclass(frozen=True)
class Manner:
    """How a motion is come into.

    Attributes:
        timing: see `mummer.stage.timing.group_seconds`.
        join: see `mummer.stage.timing.joined`.
        geometry: ``blend``, ``warp``, ``hermite`` or ``best``, see `Transition`; ``warp-named`` warps the groups in
            ``warp`` and goes straight with the others; ``graft`` goes straight and has the fine detail of what leads
            in to the second.
        warp: for ``warp-named``, groups whose detail counts.
        durations: speed limits and what was learned; those that ship if None.
        steps: whether feet that stand stay, or step where they have to be elsewhere.
        clear: whether limbs are led around the body, and what still sinks in is pushed out; ``arms`` for those alone
            whose feet are not led anyway.
    """

    timing: Timing = "learned"
    join: Joining = "mean"
    geometry: Geometry = "best"
    warp: tuple[str, ...] = ()
    durations: Durations | None = None
    steps: bool = True
    clear: bool | Literal["arms"] = True

    def __post_init__(self) -> None:
        for what, value, known in (
            ("timing", self.timing, TIMINGS), ("join", self.join, JOININGS), ("geometry", self.geometry, GEOMETRIES)
        ):  # fmt: skip
            if value not in known:
                raise UnknownNameError("a segue", what, value, known)
        if self.geometry == "warp-named" and not self.warp:
            raise InputError("warp-named needs the groups to be warped; expected at least one name in warp")


def segue(
    first: Clip,
    second: Clip,
    *,
    exit: float | None = None,  # noqa: A002
    entry: float | None = None,
    seconds: float | None = None,
    **manner: Any,
) -> Segue:
    """The way from one motion into another.

    Args:
        first: the motion that is left.
        second: the motion that is entered, of the same body; both stand where they are played.
        exit: seconds at which the first is left; at its mark ``release``, else at its end, if None.
        entry: seconds at which the second is entered; at its mark ``achieve``, else at its start, if None.
        seconds: how long it takes; by ``timing`` and ``join`` if None.
        manner: fields of `Manner`.

    Raises:
        InputError: if a time lies outside its clip.
        UnknownNameError: for a way that there is not.
    """
    how = Manner(**manner)
    leaves = _moment(first, RELEASE, first.end) if exit is None else float(exit)
    enters = _moment(second, ACHIEVE, second.start) if entry is None else float(entry)
    gap = gap_between(first, second, leaves, enters)
    by_group = group_seconds(gap, how.timing, how.durations)
    span = joined(by_group, how.join, gap, how.durations) if seconds is None else float(seconds)
    plan: tuple[Step, ...] = ()
    if how.steps:
        plan, needed = steps_between(first, second, leaves, enters, span)
        span = max(span, needed) if seconds is None else span
    glue: Clip = _shaped(first, second, leaves, enters, span, how)
    around: tuple[str, ...] = ()
    if how.clear:
        glue, around = cleared(glue, [step.foot.heel for step in plan] if how.clear == "arms" else [])
    return Segue(first, second, leaves, enters, glue, gap, by_group, plan, around)


def _moment(clip: Clip, name: str, otherwise: float) -> float:
    return next((mark.time for mark in clip.marks if mark.name == name), otherwise)


def _shaped(first: Clip, second: Clip, leaves: float, enters: float, span: float, how: Manner) -> Clip:
    if how.geometry == "warp-named":
        return Transition(first, second, leaves, enters, span, "hermite", dict.fromkeys(how.warp, "warp"))
    if how.geometry != "graft":
        return Transition(first, second, leaves, enters, span, how.geometry)
    base = Transition(first, second, leaves, enters, span, "hermite")
    if not enters > second.start + 0.1 or span < 0.2:
        return base
    # What leads in is cut to the time there is, or slowed to fill it: detail that went back and forth would jerk.
    lead = second.trimmed(max(second.start, enters - span), enters)
    detail = Graft(lead.warped((lead.start, 0.0), (lead.end, span)), base, bands=4, rate=60.0)
    return Composite(base.body).with_segment(base).with_layer(detail, fade=BLEND_IN * span)
