"""Steps between two motions: feet that stand stay where they are, or step to where the next motion has them.

A foot that stands at both ends and has to be elsewhere would slide: it is lifted and set down, one foot after the
other, while the others stay. One that is where it has to be is held there, so that a step of the lead-in is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.clip import Clip
from mummer.clip.analysis.feet import Foot, known_feet
from mummer.clip.standing import up_of
from mummer.ik import Goal, Moving, Orient, Place, WorldState
from mummer.ik.constraints.plant import TOE, sole_of

STANDS = 0.05
"""Height above its height at rest, in lengths of the leg, up to which a foot stands."""
SLOW = 0.5
"""Lengths of the leg a second up to which a foot stands."""
SAME = 0.01
"""Lengths of the leg that a foot may be off its place without a step."""
FAR = 1.0
"""Lengths of the leg that one step goes at most: who has to be further away has to walk there."""
LIFT = 0.08
"""Height of a step in lengths of the leg, and `RISE` of the way in addition."""
RISE = 0.2
SHORTEST = 0.28
"""Seconds that a step takes at least."""


@dataclass(frozen=True, eq=False)
class Step:
    """What one foot does between two motions.

    Attributes:
        foot: which.
        lift, land: seconds, in the time of the first motion; the same for a foot that stays.
        places: (2, 3) metres, where its heel joint is at exit and entry.
        turns: (2, 4) world_from_joint of the heel joint there.
    """

    foot: Foot
    lift: float
    land: float
    places: FloatArray
    turns: FloatArray

    @property
    def is_step(self) -> bool:
        """Whether it is lifted at all."""
        return self.land > self.lift


def steps_between(
    first: Clip,
    second: Clip,
    exit: float,  # noqa: A002
    entry: float,
    seconds: float,
) -> tuple[tuple[Step, ...], float]:
    """What the feet that stand at both ends do, and the seconds that they need for it.

    Args:
        first: the motion that is left.
        second: the motion that is entered, of the same body; both stand where they are played.
        exit: seconds at which the first is left.
        entry: seconds at which the second is entered.
        seconds: how long the transition shall take; it is lengthened where steps do not fit.
    """
    feet = known_feet(first.body)
    leaving, arriving = (_stood(clip, time) for clip, time in ((first, exit), (second, entry)))
    stand = [foot for foot in feet if leaving[foot.heel][2] and arriving[foot.heel][2]]
    # A foot that rolls has its heel elsewhere, and stays.
    ways = {foot.heel: [arriving[foot.heel][part] - leaving[foot.heel][part] for part in (0, 3)] for foot in stand}
    far = {foot.heel: min(float(np.linalg.norm(way)) for way in ways[foot.heel]) / foot.leg for foot in stand}
    stand = [foot for foot in stand if far[foot.heel] < FAR]
    moving = sorted((foot for foot in stand if far[foot.heel] > SAME), key=lambda foot: -far[foot.heel])
    needed = len(moving) * SHORTEST
    span = max(seconds, needed)
    begins = exit + span * np.linspace(0.0, 1.0, len(moving) + 1) if moving else np.zeros(0)
    when = {foot.heel: (float(begins[at]), float(begins[at + 1])) for at, foot in enumerate(moving)}
    plan = tuple(
        Step(
            foot,
            *when.get(foot.heel, (exit, exit)),
            np.stack([leaving[foot.heel][0], arriving[foot.heel][0]]),
            np.stack([leaving[foot.heel][1], arriving[foot.heel][1]]),
        )
        for foot in stand
    )
    return plan, needed


def foot_goals(steps: tuple[Step, ...], begin: float, end: float, up: FloatArray) -> tuple[Goal, ...]:
    """Goals for the heel joints from ``begin`` to ``end``, by which the feet stay and step as planned.

    Args:
        steps: see `steps_between`.
        begin: seconds at which the transition begins, in the time of the first motion.
        end: seconds at which it ends.
        up: (3,) unit.
    """
    goals: list[Goal] = []
    for step in steps:
        here, there = step.places
        ends = np.array([step.lift, step.land] if step.is_step else [begin, end])
        # It stands before and after, so that it comes off the ground and onto it without a jerk.
        times, way = [ends[0] - 1, ends[0], ends[1], ends[1] + 1], [here, here, there, there]
        if step.is_step:
            rise = LIFT * step.foot.leg + RISE * float(np.linalg.norm(there - here))
            times.insert(2, ends.mean())
            way.insert(2, 0.5 * (here + there) + rise * up)
        goals.append(Place(step.foot.heel, Moving(np.array(times), np.stack(way)), interval=(begin, end)))
        # Who stands on many stands on points: soles laid flat would turn legs about, and the body with them.
        if len(steps) <= 2:
            goals.append(Orient(step.foot.heel, Moving(ends, step.turns), interval=(begin, end)))
    return tuple(goals)


def _stood(clip: Clip, time: float) -> dict[int, tuple[FloatArray, FloatArray, bool, FloatArray]]:
    """For the heel joint of each foot its place, its turn, whether it stands, and where its ball is."""
    body = clip.body
    times = np.clip(np.array([time, time - 1 / 60, time + 1 / 60]), clip.start, clip.end)
    state, rest = WorldState(body, clip.sample(times)), WorldState(body, Pose.rest(body.skeleton))
    # Many skeletons rest with their hips at the origin: how high a foot stands is told by the ground below it there.
    ground = 0.0 if body.anatomy is None else body.anatomy.ground
    up, found = up_of(body), {}
    span = max(float(times[2] - times[1]), 1e-6)
    for foot in known_feet(body):
        sole = sole_of(body, foot.heel)
        ball, still = sole.place(state, TOE), sole.place(rest, TOE)
        high = (float((ball[0] - still[0]) @ up) + ground) / foot.leg
        speed = float(np.linalg.norm(ball[2] - ball[1])) / span / foot.leg
        place = state.positions[0, foot.heel], state.rotations[0, foot.heel]
        found[foot.heel] = (*place, high < STANDS and speed < SLOW, ball[0])
    return found
