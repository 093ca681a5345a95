"""Constrained: a motion that meets goals over intervals, changed as little as possible and without a jump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character.whole import Whole
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.standing import up_of
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.constraints.carriage import GRID, carry_further, find_carriage
from mummer.ik.constraints.limb import hold_limits
from mummer.ik.constraints.track import span_of, within
from mummer.ik.constraints.unit import Unit, care_of, find_units, limb_goals, limbs_suffice
from mummer.ik.constraints.whole_body import Displacement, WholeBody, curve, no_displacement, snapshot, value_of
from mummer.ik.goal import Goal
from mummer.ik.goals import Place
from mummer.ik.loose import PutTogether, goal_of, taken_apart, whole_for
from mummer.ik.moving import at_times
from mummer.ik.world_state import WorldState
from mummer.math import interpolate
from mummer.math.steps import smoother_step

SAME = 1e-3
"""Metres by which the targets of two points of a joint may differ from their distance and still go together."""
EASE = 0.4
Method = Literal["auto", "limbs", "between", "limbs_alone", "whole_body"]
SOLVERS: tuple[Method, ...] = ("auto", "limbs", "between", "limbs_alone", "whole_body")
LOOKS, OFTEN = 4, 4.0
"""Moments of each goal, at least and a second, at which it is looked whether limbs alone meet it."""
MISSED = 5e-4
"""Body heights by which a place that is met may be missed: not quite a millimetre of a man's."""
SOON = 0.15
"""Seconds before and after a limb is held in which the body comes to help it against its limits."""
_LAST = "_last_frames"
"""Under which the frames that were asked for last are kept: who looks whether goals are met often records some then."""
ROUNDS = 3
"""How often the body as a whole is asked to give way."""


@dataclass(frozen=True, eq=False)
class Layers:
    """Goals to meet first, and those to meet in the result.

    Attributes:
        first: all but those that overrule others; empty if there are none.
        last: all but those that are overruled.
        overruled: met first and then given up where the later goal asks otherwise.
    """

    first: tuple[Goal, ...]
    last: tuple[Goal, ...]
    overruled: tuple[Goal, ...]


def layers_of(clip: Clip, goals: Sequence[Goal]) -> Layers:
    """``goals`` in layers within which none contradicts another; only hard ones can."""
    overruling, overruled = set(), set()
    for later in range(len(goals)):
        for earlier in range(later):
            if _contradict(clip, goals[earlier], goals[later]):
                overruling.add(later)
                overruled.add(earlier)
    if not overruled:
        return Layers((), tuple(goals), ())
    first = tuple(goal for place, goal in enumerate(goals) if place not in overruling)
    last = tuple(goal for place, goal in enumerate(goals) if place not in overruled)
    return Layers(first, last, tuple(goals[place] for place in sorted(overruled)))


def _contradict(clip: Clip, one: Goal, other: Goal) -> bool:
    spans = span_of(clip, one), span_of(clip, other)
    begin, end = max(span[0] for span in spans), min(span[1] for span in spans)
    if begin >= end or not one.is_hard or not other.is_hard:
        return False
    key = value_of(clip, one)
    if key is not None and key == value_of(clip, other):
        return True
    if not isinstance(one, Place) or not isinstance(other, Place) or one.axes != "xyz" or other.axes != "xyz":
        return False
    return joint_of(clip.body, one.part) == joint_of(clip.body, other.part) and not _go_together(one, other, begin)


def _go_together(one: Place, other: Place, time: float) -> bool:
    """Whether two points of a joint are asked to be as far from each other as they are."""
    now = np.array([time])
    asked = at_times(one.at, 3, 1, now, "a place") - at_times(other.at, 3, 1, now, "a place")
    apart = np.subtract(as_point(one.part).offset, as_point(other.part).offset)
    return abs(float(np.linalg.norm(asked)) - float(np.linalg.norm(apart))) < SAME


@dataclass(frozen=True, eq=False, repr=False)
class Constrained(Operated):
    """The clip bent so that it meets goals wherever they hold.

    Attributes:
        goals: each with the interval over which it holds, or for the whole clip. Where two hard ones ask for the same
            at once, the later in the list has its way, as a person's correction has over what came before it.
        ease: seconds before and after its interval during which the effect of a goal comes and goes.
        solver: ``limbs`` bends each limb by itself, in closed form, while the hips go along with the feet and down
            where a leg would be overstretched; ``between`` is the same for a piece between two others: the body stays
            as it is at both ends, so that nothing jumps there; with ``limbs_alone`` the body does not help limbs
            against their limits; ``whole_body`` lets all of the body give way. ``auto`` takes ``limbs`` where they can
            meet the goals.
    """

    goals: tuple[Goal, ...]
    ease: float = EASE
    solver: Method = "auto"

    def __post_init__(self) -> None:
        object.__setattr__(self, "goals", (self.goals,) if isinstance(self.goals, Goal) else tuple(self.goals))
        if self.solver not in SOLVERS:
            raise UnknownNameError("Constrained", "solver", self.solver, SOLVERS)
        for goal in self.goals:
            for point in goal.points:
                joint_of(self.body, point)
        if not 0 <= self.ease < np.inf:
            raise InputError(f"goals cannot be eased over {self.ease:g} s; expected zero or more")

    @cached_property
    def _reached(self) -> tuple[Goal, ...]:
        """The goals that hold at some time of the clip."""
        spans = [span_of(self.clip, goal) for goal in self.goals]
        return tuple(goal for goal, (begin, end) in zip(self.goals, spans, strict=True) if begin <= end)

    @cached_property
    def _layers(self) -> Layers:
        return layers_of(self.clip, self._reached)

    @cached_property
    def _together(self) -> tuple[Whole, Constrained] | None:
        """The body put together, and its motion, where goals are about what hangs beside it."""
        whole = whole_for(self.body, self._reached)
        if whole is None:
            return None
        goals = tuple(goal_of(whole, goal) for goal in self._reached)
        return whole, Constrained(PutTogether(self.clip, whole), goals, self.ease, self.solver)

    @property
    def overruled(self) -> tuple[Goal, ...]:
        """The goals that later ones contradict; they are met only where those let them."""
        return self._layers.overruled

    @cached_property
    def chosen(self) -> Method:
        """The solver that is used; never ``auto``."""
        if self.solver != "auto":
            return self.solver
        goals = self._layers.last
        if not limbs_suffice(self.clip, goals):
            return "whole_body"
        alone = self._alone
        return "whole_body" if alone.breaks_limits() or alone.misses() else "limbs"

    @cached_property
    def _alone(self) -> Bending:
        """What limbs by themselves make of the goals that hold in the end."""
        return Bending(self.clip, self._layers.last, self.ease, "limbs")

    @cached_property
    def _bending(self) -> Bending:
        first, last = self._layers.first, self._layers.last
        if not first and self.chosen == "limbs":
            return self._alone
        clip = self.clip
        if first:
            # All of it at once: edges of goals are looked at again and again, and are met in the end anyway.
            clip = Constrained(self.clip, first, self.ease, self.solver).baked(GRID).sampled
        return Bending(clip, last, self.ease, self.chosen)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        if not self._reached or not len(times):
            return self.clip.frames(times)
        last: tuple[FloatArray, Frames] | None = self.__dict__.get(_LAST)
        if last is not None:
            rows = np.minimum(np.searchsorted(last[0], times), len(last[0]) - 1)
            if np.array_equal(last[0][rows], times):
                return last[1].select(rows)
        whole = self._together
        made = self._bending.frames(times) if whole is None else taken_apart(whole[0], whole[1].frames(times))
        if np.all(times[1:] >= times[:-1]):
            self.__dict__[_LAST] = times.copy(), made
        return made.select(np.arange(len(times)))


class Bending:
    """A clip bent so that it meets goals, none of which contradicts another.

    What must be known of the whole clip, how the body is carried and gives way, is worked out once, when first needed;
    frames are then made each by itself.

    Args:
        clip: any clip.
        goals: that hold at some time of it.
        ease: seconds.
        way: see `Constrained.solver`; not ``auto``.
    """

    def __init__(self, clip: Clip, goals: Sequence[Goal], ease: float, way: Method) -> None:
        self.clip, self.goals, self.ease, self.way = clip, tuple(goals), ease, way
        self.gives_way, self.stays = way == "whole_body", way == "between"

    @cached_property
    def _limb_goals(self) -> tuple[Goal, ...]:
        return limb_goals(self.clip, self.goals)

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        return find_units(self.clip, self._limb_goals, self.ease)

    @cached_property
    def _grid(self) -> tuple[FloatArray, WorldState]:
        times = self.clip.times(GRID)
        return times, WorldState(self.clip.body, self.clip.sample(times))

    @cached_property
    def _carriage(self) -> FloatArray:
        times, given = self._grid
        return find_carriage(given, times, self._units, up_of(self.clip.body), stays=self.stays)

    @cached_property
    def _whole(self) -> WholeBody:
        others = [goal for goal in self.goals if not any(goal is each for each in self._limb_goals)]
        return WholeBody(self.clip, others, self._units, self.ease)

    @cached_property
    def _displacement(self) -> Displacement:
        """How the body as a whole gives way, in a few rounds: limbs that follow it change what is left to do."""
        times, given = self._grid
        found = no_displacement(times, self._whole.giving)
        for place in range(ROUNDS):
            made = self._displaced(times, found)
            self._bend(made, snapshot(self.clip.body, made), given, times, self._units if place else self._legs)
            found = found.then(self._whole.displacement(given, snapshot(self.clip.body, made), times))
            moved = snapshot(self.clip.body, self._displaced(times, found))
            further = carry_further(given, moved, times, self._units, up_of(self.clip.body), arms=place == ROUNDS - 1)
            found = found.shifted(further)
        return found

    def _displaced(self, times: FloatArray, by: Displacement) -> Frames:
        made = self.clip.frames(times)
        made.root += curve(self._grid[0], self._carriage, times)
        by.add_to(made, times)
        return made

    @property
    def _legs(self) -> tuple[Unit, ...]:
        return tuple(unit for unit in self._units if unit.follows)

    def _bend(
        self, made: Frames, moved: WorldState, given: WorldState, times: FloatArray, units: Sequence[Unit]
    ) -> list[tuple[FloatArray, FloatArray]]:
        """Bend ``units`` in frames of the body as ``moved``; where their tips were to be."""
        targets = [unit.target(given, times, moved) for unit in units]
        for unit, target in zip(units, targets, strict=True):
            unit.bend(made, moved, target, self._care(unit, times))
        return targets

    def _care(self, unit: Unit, times: FloatArray) -> FloatArray:
        care = care_of(self._legs if unit.follows else [unit], times)
        return care * within(times, self.clip.start, self.clip.end) if self.stays else care

    @cached_property
    def _helped(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """For each unit the moments between which it is helped: while held, and sooner and later if it is then."""
        edges = np.unique([time for unit in self._units for span in unit.spans for time in span])
        if not len(edges):
            return tuple(() for _ in self._units)
        turned = self._bent(edges).held
        hindered = [set(edges[turned[:, unit.chain.joints].any(axis=1)].tolist()) for unit in self._units]
        return tuple(
            tuple((begin - SOON * (begin in own), end + SOON * (end in own)) for begin, end in unit.spans)
            for unit, own in zip(self._units, hindered, strict=True)
        )

    def _hindered(self, held: BoolArray, times: FloatArray) -> FloatArray:
        """(n, T) how much each limb that goals hold needs help, turned back into its limits as ``held`` (T, J) says.

        A foot in flight that its ankle cannot turn as far as asked is let be; one that stands is worth moving hips for,
        and so is one that is about to, more and more.
        """
        found = np.zeros((len(self._units), len(times)))
        for row, (unit, spans) in enumerate(zip(self._units, self._helped, strict=True)):
            turned = held[:, unit.chain.joints].any(axis=1)
            for (low, high), (begin, end) in zip(spans, unit.spans, strict=True):
                near = turned & (times >= low) & (times <= high)
                away = np.maximum(np.maximum(begin - times, times - end), 0.0)
                found[row] = np.maximum(found[row], np.where(near, 1.0 - smoother_step(away / SOON), 0.0))
        return found

    def breaks_limits(self) -> bool:
        """Whether a limb whose tip is turned cannot be, by itself, because of its limits."""
        turned = [unit for unit in self._units if unit.turning is not None]
        if self.clip.body.limits is None or not turned:
            return False
        times, given = self._grid
        made = self.clip.frames(times)
        moved = snapshot(self.clip.body, made)
        self._bend(made, moved, given, times, turned)
        return bool((self._hindered(hold_limits(self.clip.body, made, given.pose), times) >= 1.0).any())

    def misses(self) -> bool:
        """Whether limbs by themselves do not get to a place they are asked to be at, as one does that is stretched."""
        asked = [goal for goal in self.goals if isinstance(goal, Place) and goal.is_hard]
        if not asked:
            return False
        spans = [span_of(self.clip, goal) for goal in asked]
        looked = [np.linspace(begin, end, max(LOOKS, round(OFTEN * (end - begin)))) for begin, end in spans]
        times = np.unique(np.concatenate(looked))
        state = snapshot(self.clip.body, self.frames(times))
        size = 1.0 if self.clip.body.anatomy is None else self.clip.body.anatomy.height
        worst = [goal.error(state, times)[np.isin(times, own)].max() for goal, own in zip(asked, looked, strict=True)]
        return bool(max(worst) > MISSED * size)

    def _bent(self, times: FloatArray) -> Bent:
        made = self.clip.frames(times)
        given = snapshot(self.clip.body, made)
        made.root += curve(self._grid[0], self._carriage, times)
        if self.gives_way:
            self._displacement.add_to(made, times)
        moved = snapshot(self.clip.body, made)
        targets = self._bend(made, moved, given, times, self._units)
        self._whole.turn_eyes(made, moved, given, times)
        return Bent(made, given, targets, hold_limits(self.clip.body, made, given.pose))

    def frames(self, times: FloatArray) -> Frames:
        """The clip at ``times`` (T,), bent."""
        made, given, targets, held = self._bent(times)
        if self.way == "limbs_alone":
            return made
        counts: FloatArray = np.ones((len(self._units), len(times)))
        share: FloatArray = np.ones(len(times))
        if not self.gives_way:
            counts = self._hindered(held, times)
            share = counts.max(axis=0, initial=0.0)
            # A foot in flight stays on its way, but asks nothing of a body that helps one that stands.
            for count, unit in zip(counts, self._units, strict=True):
                count[unit.holds(times)] = 1.0
        rows = np.flatnonzero(share)
        if len(rows):
            turns, root = made.rotations[rows], made.root[rows]
            self._whole.polish(made, snapshot(self.clip.body, made), given, times, targets, rows, counts)
            self._let_fly(made, times, targets, rows, counts)
            hold_limits(self.clip.body, made, given.pose)
            part = np.flatnonzero(share[rows] < 1.0)
            there = rows[part]
            made.rotations[there] = interpolate.slerp(turns[part], made.rotations[there], share[there, None])
            made.root[there] = root[part] + share[there, None] * (made.root[there] - root[part])
        return made

    def _let_fly(
        self, made: Frames, times: FloatArray, targets: Sequence[tuple[FloatArray, FloatArray]], rows: IntArray,
        counts: FloatArray,
    ) -> None:  # fmt: skip
        """Bend limbs that do not count to where they were to be, in a body that has moved for the sake of others."""
        for unit, (place, turn), count in zip(self._units, targets, counts, strict=True):
            free = rows[count[rows] < 1.0]
            if not len(free):
                continue
            frames, joints = made.select(free), list(unit.chain.joints)
            unit.bend(
                frames, snapshot(self.clip.body, frames), (place[free], turn[free]), self._care(unit, times)[free]
            )
            dragged = made.rotations[free[:, None], joints]
            share = count[free, None]
            made.rotations[free[:, None], joints] = interpolate.slerp(frames.rotations[:, joints], dragged, share)


class Bent(NamedTuple):
    """Frames of which limbs have been bent, each by itself.

    Attributes:
        frames: so far.
        given: the body in the clip.
        targets: where the tips of limbs shall be, and how they shall be turned.
        held: (T, J) the joints that were turned back into their limits.
    """

    frames: Frames
    given: WorldState
    targets: list[tuple[FloatArray, FloatArray]]
    held: BoolArray
