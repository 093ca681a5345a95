"""Footholds: when which part of a foot stands still, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.analysis.contacts import ContactSettings, Steps, foot_steps
from mummer.clip.analysis.feet import Feet, Foot
from mummer.clip.analysis.spells import Spell, spells, without_short
from mummer.clip.analysis.tracks import rates, smoothed
from mummer.clip.annotated import Annotated
from mummer.clip.clip import Clip
from mummer.ik.rigid_body import rigid_body
from mummer.ik.world_state import WorldState
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
        return np.asarray(heel + quaternion.rotate(state.rotations[:, self.joint], self.ball))


def sole_of(character: Character, joint: int) -> Sole:
    """The sole of the foot whose heel joint is ``joint``."""
    toes = np.flatnonzero(character.skeleton.parents == joint)
    if not len(toes):
        return Sole(joint, None)
    return Sole(joint, rigid_body(character).offsets[toes].mean(axis=0))


def footholds(
    clip: Clip, *, feet: Feet | None = None, settings: ContactSettings | None = None, slip: float = SLIP
) -> tuple[Mark, ...]:
    """When the heels and the toes of the feet stand still.

    A part stands while it rests on the ground (see `mummer.clip.analysis.contacts`) within ``slip`` of where it
    settles. A foot that rolls is let go of by its heel before its toes. Where a part slides, so that it would hardly
    stand at all, it may be farther away.

    Args:
        clip: any clip of a body with feet.
        feet: joint names of the feet; by default those of the anatomy.
        settings: what counts as contact.
        slip: how far from where it settles a part still stands, in leg lengths.

    Returns:
        Marks ``NAME heel_down`` and ``NAME toe_down`` with their ends, earliest first.
    """
    how = ContactSettings() if settings is None else settings
    marks: list[Mark] = []
    for steps in foot_steps(clip, feet=feet, settings=how):
        state = WorldState(clip.body, clip.sample(steps.times))
        sole = sole_of(clip.body, steps.foot.heel)
        parts = [(part, rests, sole.place(state, part)) for part, rests in _parts(clip.body, steps, sole)]
        for part, spell in _standing(steps, parts, slip, how):
            begin, end = float(steps.times[spell.first]), float(steps.times[spell.last])
            marks.append(Mark(begin, f"{steps.foot.name} {part}", end))
    return tuple(sorted(marks))


def with_footholds(clip: Clip, *, feet: Feet | None = None, slip: float = SLIP) -> Annotated:
    """The clip with its footholds marked, so that whatever is made of it knows them; see `footholds`."""
    return Annotated(clip, footholds(clip, feet=feet, slip=slip))


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
    steps: Steps, parts: Sequence[tuple[str, BoolArray, FloatArray]], slip: float, settings: ContactSettings
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
            moving = np.maximum(away / (slip * steps.foot.leg), speeds[rows] / (SPEED * steps.foot.leg))
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
