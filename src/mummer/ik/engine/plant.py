"""Feet that stay where they stand: goals from footholds, and a motion that meets them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import rest_positions
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import Feet
from mummer.clip.clip import Clip
from mummer.clip.standing import up_of
from mummer.ik.body_point import BodyPoint, Part, as_point, joint_of
from mummer.ik.engine.constrained import EASE, Constrained
from mummer.ik.engine.foothold import HEEL, TOE, Sole, footholds, sole_of
from mummer.ik.engine.unit import SOFT_FLOOR
from mummer.ik.goal import Goal
from mummer.ik.goals import HalfSpace, Place
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

RATE = 120.0
NEARBY = 0.1
"""Seconds; heel and toes that stand so soon after each other belong to one stand."""
CONTACT = "contact"


@dataclass(frozen=True)
class Stand:
    """One stand of one foot.

    Attributes:
        heel, toe: seconds (from, to) at which each is held; either may be None.
    """

    heel: tuple[float, float] | None
    toe: tuple[float, float] | None

    @property
    def flat(self) -> tuple[float, float]:
        """When both are held, or the one that is; the moment between if one is let go of before the other is held."""
        if self.heel is None or self.toe is None:
            held = self.heel or self.toe
            assert held is not None
            return held
        begin, end = sorted((max(self.heel[0], self.toe[0]), min(self.heel[1], self.toe[1])))
        return begin, end


def planted(
    clip: Clip,
    *,
    contacts: Sequence[Mark] | None = None,
    feet: Feet | None = None,
    ground: float | None = None,
    floor: bool = False,
    ease: float = EASE,
) -> Constrained:
    """The motion with every foot staying where it stands.

    Args:
        clip: any clip of a body with feet; see `keep_contacts` for the others.
        contacts: when feet stand.
        feet: which joints are feet.
        ground: height of the ground.
        floor: whether feet are kept from sinking below where they stand.
        ease: seconds; see `Constrained`.

    Example:
        >>> import mummer as mm
        >>> from mummer.ik.engine import planted, with_footholds
        >>> walk = mm.clip.of("walk.bvh")  # doctest: +SKIP
        >>> clean = planted(with_footholds(walk).blended_into(run))  # doctest: +SKIP
    """
    goals = keep_contacts(clip, contacts=contacts, feet=feet, ground=ground, floor=floor)
    return Constrained(clip, goals, ease=ease)


def keep_contacts(
    clip: Clip,
    *,
    contacts: Sequence[Mark] | None = None,
    feet: Feet | None = None,
    ground: float | None = None,
    floor: bool = False,
) -> tuple[Goal, ...]:
    """Goals that hold each foot at one place while it stands: where it stands on average, turned as it is on average.

    Args:
        clip: any clip of a body with feet.
        contacts: when feet stand: marks ``NAME heel_down``, ``NAME toe_down`` (see `footholds`) or ``NAME contact``,
            each with an end. By default those that the clip brings along, else those found in it. A motion whose feet
            slide tells little of when they should stand: mark its footholds before it is changed.
        feet: joint names of the feet, to find footholds where nothing is marked.
        ground: height of the ground along the body's up, metres: feet stand as high above it as they do at rest. By
            default each stands as high as it is on average.
        floor: whether heels and balls also stay above the lowest height at which each of them stands, to two
            millimetres, in flight.

    Returns:
        Hard goals: places, earliest first, and then the floor.
    """
    marks = _marks(clip, contacts, feet)
    goals: list[Place] = []
    for name, stands in stands_of(marks).items():
        joint = joint_of(clip.body, name)
        sole = sole_of(clip.body, joint)
        for stand in stands:
            goals += _held(clip, name, sole, stand, ground)
    goals.sort(key=lambda goal: goal.interval or (0.0, 0.0))
    return (*goals, *(_floors(clip, goals) if floor else ()))


def _floors(clip: Clip, goals: Sequence[Place]) -> list[HalfSpace]:
    """One for each point that is held, as low as it ever stands."""
    up = up_of(clip.body)
    lowest: dict[tuple[int, tuple[float, float, float]], float] = {}
    parts: dict[tuple[int, tuple[float, float, float]], Part] = {}
    for goal in goals:
        key = (joint_of(clip.body, goal.part), as_point(goal.part).offset)
        parts[key] = goal.part
        lowest[key] = min(lowest.get(key, np.inf), float(np.asarray(goal.at) @ up))
    x, y, z = up.tolist()
    # A floor lifts a little before it is reached; where feet stand it must not.
    return [HalfSpace(part, normal=(x, y, z), distance=lowest[key] - SOFT_FLOOR) for key, part in parts.items()]


def stands_of(marks: Sequence[Mark]) -> dict[str, list[Stand]]:
    """The stands of each foot by its name: spells of heel and toes at about the same time belong together."""
    spells: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for mark in marks:
        name, _, part = mark.name.rpartition(" ")
        if part in (HEEL, TOE, CONTACT) and mark.until > mark.time:
            key = HEEL if part == HEEL else TOE
            spells.setdefault(name, {HEEL: [], TOE: []})[key].append((mark.time, mark.until))
    found: dict[str, list[Stand]] = {}
    for name, by_part in spells.items():
        heels, toes = _merged(by_part[HEEL]), _merged(by_part[TOE])
        stands = []
        for toe in toes:
            with_it = [heel for heel in heels if heel[0] <= toe[1] + NEARBY and toe[0] <= heel[1] + NEARBY]
            # Of several heels in one stand of the toes the longest counts.
            heel = max(with_it, key=lambda each: each[1] - each[0]) if with_it else None
            heels = [each for each in heels if each not in with_it]
            stands.append(Stand(heel, toe))
        found[name] = sorted([*stands, *(Stand(heel, None) for heel in heels)], key=lambda each: each.flat)
    return found


def _marks(clip: Clip, contacts: Sequence[Mark] | None, feet: Feet | None) -> Sequence[Mark]:
    if contacts is not None:
        return contacts
    brought = [mark for mark in clip.marks if mark.name.rpartition(" ")[2] in (HEEL, TOE)]
    return brought or footholds(clip, feet=feet)


def _merged(spells: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spells that overlap as one, earliest first."""
    joined: list[tuple[float, float]] = []
    for begin, end in sorted(spells):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


def _held(clip: Clip, name: str, sole: Sole, stand: Stand, ground: float | None) -> list[Place]:
    """The goals of one stand: heel and ball of a stiff foot."""
    place, turn = _average(clip, sole, stand)
    ball = None if sole.ball is None else place + quaternion.rotate(turn, sole.ball)
    if ground is not None:
        lift = _height_at_rest(clip, sole, ball is not None and stand.toe is not None) + ground
        standing = place if ball is None or stand.toe is None else ball
        shift = (lift - float(standing @ up_of(clip.body))) * up_of(clip.body)
        place, ball = place + shift, None if ball is None else ball + shift
    goals = []
    if stand.heel is not None or ball is None:
        goals.append(Place(name, place, interval=stand.heel or stand.toe))
    if stand.toe is not None and ball is not None and sole.ball is not None:
        x, y, z = sole.ball.tolist()
        goals.append(Place(BodyPoint(name, (x, y, z)), ball, interval=stand.toe))
    return goals


def _average(clip: Clip, sole: Sole, stand: Stand) -> tuple[FloatArray, FloatArray]:
    """(3,) the mean place of the heel joint and (4,) its mean rotation while the foot is flat."""
    begin, end = stand.flat
    times = np.linspace(begin, end, max(2, round((end - begin) * RATE) + 1))
    state = WorldState(clip.body, clip.sample(times))
    turn = quaternion.normalize(quaternion.continuous(state.rotations[:, sole.joint]).mean(axis=0))
    if stand.heel is not None or sole.ball is None:
        return state.positions[:, sole.joint].mean(axis=0), turn
    # The ball alone is held: its mean is what counts.
    return sole.place(state, TOE).mean(axis=0) - quaternion.rotate(turn, sole.ball), turn


def _height_at_rest(clip: Clip, sole: Sole, of_ball: bool) -> float:
    """Metres from the ground to the heel joint or the ball at rest."""
    places, up = rest_positions(clip.body.skeleton), up_of(clip.body)
    anatomy = clip.body.anatomy
    floor = float((places @ up).min()) if anatomy is None else anatomy.ground
    standing = places[sole.joint]
    if of_ball:
        standing = places[np.flatnonzero(clip.body.skeleton.parents == sole.joint)].mean(axis=0)
    return float(standing @ up) - floor
