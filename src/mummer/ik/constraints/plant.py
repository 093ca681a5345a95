"""Feet that stay where they stand: footholds found in a motion, goals made of them, and a motion that meets these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character, rest_positions
from mummer.character.marks import Mark
from mummer.clip.analysis.contacts import ContactSettings, Steps, foot_steps
from mummer.clip.analysis.feet import Feet, Foot
from mummer.clip.analysis.spells import Spell, spells, without_short
from mummer.clip.analysis.tracks import rates, smoothed
from mummer.clip.annotated import Annotated
from mummer.clip.clip import Clip
from mummer.clip.standing import up_of
from mummer.ik.body_point import BodyPoint, Part, as_point, joint_of
from mummer.ik.constraints.constrained import EASE, Constrained
from mummer.ik.constraints.unit import SOFT_FLOOR
from mummer.ik.goal import Goal
from mummer.ik.goals import HalfSpace, Place
from mummer.ik.rigid_body import rigid_body
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions
from mummer.math import quaternion

HEEL, TOE = "heel_down", "toe_down"
"""What the marks of footholds end in, after the name of the foot."""
SLIP = 0.01
"""How far a part may be from where it settles and still count as standing, in leg lengths."""
SPEED = 0.2
"""How fast a part that stands may be, in leg lengths a second."""
LOOSER = (1.0, 3.0, 10.0)
"""How many times as far and fast a part may move that slides."""
LEAST = 0.1
"""Part of the time it rests that a part stands at least; if it is less, it slides."""
RATE = 120.0
NEARBY = 0.1
"""Seconds; heel and toes that stand so soon after each other belong to one stand."""
CONTACT = "contact"


@dataclass(frozen=True, eq=False)
class Sole:
    """The two points of a foot that stand: its heel, and for a foot with toes its ball, in the frame of the heel joint.

    Attributes:
        joint: the heel joint.
        ball: (3,) metres, the middle of the joints that the toes begin at; None for a foot without toes.
    """

    joint: int
    ball: FloatArray | None

    def place(self, state: WorldState, part: str) -> FloatArray:
        """(T, 3) where a part, `HEEL` or `TOE`, is."""
        heel = state.positions[:, self.joint]
        if part == HEEL or self.ball is None:
            return heel
        return np.asarray(heel + quaternions.rotate(state.rotations[:, self.joint], self.ball))


def sole_of(character: Character, joint: int) -> Sole:
    """The sole of the foot whose heel joint is ``joint``."""
    toes = np.flatnonzero(character.skeleton.parents == joint)
    if not len(toes):
        return Sole(joint, None)
    return Sole(joint, rigid_body(character).offsets[toes].mean(axis=0))


def footholds(clip: Clip, *, feet: Feet | None = None) -> tuple[Mark, ...]:
    """When the heels and the toes of the feet stand still.

    A part stands while it rests on the ground (see `mummer.clip.analysis.contacts`) within `SLIP` of where it
    settles. A foot that rolls is let go of by its heel before its toes. Where a part slides, so that it would hardly
    stand at all, it may be farther away.

    Args:
        clip: any clip of a body with feet.
        feet: joint names of the feet; by default those of the anatomy.

    Returns:
        Marks ``NAME heel_down`` and ``NAME toe_down`` with their ends, earliest first.
    """
    how = ContactSettings()
    marks: list[Mark] = []
    for steps in foot_steps(clip, feet=feet, settings=how):
        state = WorldState(clip.body, clip.sample(steps.times))
        sole = sole_of(clip.body, steps.foot.heel)
        parts = [(part, rests, sole.place(state, part)) for part, rests in _parts(clip.body, steps, sole)]
        for part, spell in _standing(steps, parts, how):
            begin, end = float(steps.times[spell.first]), float(steps.times[spell.last])
            marks.append(Mark(begin, f"{steps.foot.name} {part}", end))
    return tuple(sorted(marks))


def with_footholds(clip: Clip, *, feet: Feet | None = None) -> Annotated:
    """The clip with its footholds marked, so that whatever is made of it knows them; see `footholds`."""
    return Annotated(clip, footholds(clip, feet=feet))


def _parts(character: Character, steps: Steps, sole: Sole) -> list[tuple[str, BoolArray]]:
    """The parts that a foot has, with (T,) whether each rests."""
    found = [(HEEL, steps.rests[:, 0])]
    if sole.ball is not None:
        first = [place for place, joint in enumerate(steps.foot.parts) if _is_below(character, steps.foot, joint)]
        found.append((TOE, np.asarray(steps.rests[:, first].any(axis=1), bool)))
    return found


def _is_below(character: Character, foot: Foot, joint: int) -> bool:
    return int(character.skeleton.parents[joint]) == foot.heel


def _standing(
    steps: Steps, parts: Sequence[tuple[str, BoolArray, FloatArray]], settings: ContactSettings
) -> list[tuple[str, Spell]]:
    """Of each spell of rest of each part of a foot the longest stretch in which it hardly moves."""
    step = float(steps.times[1] - steps.times[0]) if len(steps.times) > 1 else 1.0
    gap, shortest = round(settings.gap / step), max(2, round(settings.shortest / step))
    resting: list[tuple[str, Spell, FloatArray]] = []
    for part, rests, places in parts:
        speeds = np.linalg.norm(rates(smoothed(places, settings.smoothing / step), step), axis=-1)
        for spell in spells(without_short(rests, gap=gap, shortest=shortest)):
            rows = slice(spell.first, spell.last + 1)
            away = np.linalg.norm(places[rows] - _settled(places[rows]), axis=-1)
            moving = np.maximum(away / (SLIP * steps.foot.leg), speeds[rows] / (SPEED * steps.foot.leg))
            resting.append((part, spell, moving))
    found: list[tuple[str, Spell]] = []
    for looser in LOOSER:
        found = []
        for part, spell, moving in resting:
            run = _longest(np.asarray(moving <= looser, bool), shortest)
            if run is not None:
                found.append((part, Spell(spell.first + run.first, spell.first + run.last)))
        if sum(len(spell) for _, spell in found) >= LEAST * sum(len(spell) for _, spell, _ in resting):
            break
    return found


def _longest(still: BoolArray, shortest: int) -> Spell | None:
    """The longest stretch of true, if it is long enough."""
    runs = [run for run in spells(still) if len(run) >= shortest]
    return max(runs, key=len) if runs else None


def _settled(places: FloatArray) -> FloatArray:
    """(3,) where a part comes to rest: the median of the slower half of its places."""
    if len(places) < 4:
        return np.asarray(places.mean(axis=0))
    speeds = np.linalg.norm(rates(places, 1.0), axis=-1)
    return np.asarray(np.median(places[np.argsort(speeds)[: len(places) // 2]], axis=0))


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
        >>> from mummer.ik.constraints import planted, with_footholds
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
        by_toe: dict[tuple[float, float] | None, list[tuple[float, float]]] = {toe: [] for toe in toes} | {None: []}
        for heel in heels:
            # A foot that is set down again at once has toes before and after: those with which the heel stands count.
            nearest = max(toes, key=lambda toe: _together(toe, heel), default=None)
            by_toe[nearest if nearest is not None and _together(nearest, heel) >= -NEARBY else None].append(heel)
        # Of several heels in one stand of the toes the longest counts.
        stands = [
            Stand(max(with_it, key=lambda each: each[1] - each[0], default=None), toe)
            for toe, with_it in by_toe.items() if toe is not None
        ]  # fmt: skip
        found[name] = sorted([*stands, *(Stand(heel, None) for heel in by_toe[None])], key=lambda each: each.flat)
    return found


def _together(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Seconds for which two spells last together; below zero those between them."""
    return min(one[1], other[1]) - max(one[0], other[0])


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
    ball = None if sole.ball is None else place + quaternions.rotate(turn, sole.ball)
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
    return sole.place(state, TOE).mean(axis=0) - quaternions.rotate(turn, sole.ball), turn


def _height_at_rest(clip: Clip, sole: Sole, of_ball: bool) -> float:
    """Metres from the ground to the heel joint or the ball at rest."""
    places, up = rest_positions(clip.body.skeleton), up_of(clip.body)
    anatomy = clip.body.anatomy
    floor = float((places @ up).min()) if anatomy is None else anatomy.ground
    standing = places[sole.joint]
    if of_ball:
        standing = places[np.flatnonzero(clip.body.skeleton.parents == sole.joint)].mean(axis=0)
    return float(standing @ up) - floor
