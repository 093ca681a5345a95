"""Contacts: when which foot is on the ground, with heel strike, toe strike and lift-off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import Feet, Foot, alike, feet_of
from mummer.clip.analysis.ground import resting_levels
from mummer.clip.analysis.spells import Spell, first_true, latched, spells, without_short
from mummer.clip.analysis.tracks import follow
from mummer.clip.annotated import Annotated
from mummer.clip.clip import Clip
from mummer.clip.standing import up_of
from mummer.errors import InputError


@dataclass(frozen=True)
class ContactSettings:
    """How contact is told; lengths count in leg lengths, so that giants and mice are judged alike.

    Attributes:
        height: how far above its resting level a still part of a foot may be, in leg lengths.
        speed: how fast a part at its resting level may move, in leg lengths a second.
        leave: how many times further and faster a part must be to leave than to arrive.
        landed: how far above the height at which a part settles it has landed, in leg lengths.
        shortest: seconds; contacts shorter than this are noise.
        gap: seconds; a foot does not leave the ground for less than this.
        drift: how far the ground may rise within ``window``, in leg lengths.
        window: seconds to either side within which the level of the ground is looked for.
        rate: samples a second.
        smoothing: seconds; width of the bell that places are averaged with.
    """

    height: float = 0.04
    speed: float = 0.95
    leave: float = 1.1
    landed: float = 0.01
    shortest: float = 0.04
    gap: float = 0.05
    drift: float = 0.05
    window: float = 1.5
    rate: float = 120.0
    smoothing: float = 0.012

    def __post_init__(self) -> None:
        for name in ("height", "speed", "window", "rate"):
            if not 0 < getattr(self, name) < np.inf:
                raise InputError(f"{name} of contact settings is {getattr(self, name)}; expected a positive number")
        if self.leave < 1:
            raise InputError(f"leave of contact settings is {self.leave:g}; expected 1 or more")


DEFAULT = ContactSettings()
_KEPT = "_contacts"


def contacts(clip: Clip, *, feet: Feet | None = None, settings: ContactSettings = DEFAULT) -> tuple[Mark, ...]:
    """When the feet are on the ground.

    A part of a foot rests when it is both near the level at which it usually rests and slow; a foot is in contact while
    any part of it rests. The ground is worked out from the motion, and may slope or drift.

    Args:
        clip: any clip of a body with feet.
        feet: joint names of the feet, or joint names by the names that marks shall use; by default the anatomy's feet.
        settings: what counts as near, slow and long.

    Returns:
        Marks, earliest first: for each foot ``NAME contact`` with its end, and the moments ``NAME heel_strike``,
        ``NAME toe_strike`` and ``NAME lift_off``. A foot that is one joint has ``NAME strike`` instead of the two.
        What the start or the end of the clip cuts off has no moment there.

    Raises:
        InputError: if which joints are feet is not known.
    """
    chosen = feet_of(clip.body, feet)
    # A clip never changes, and whoever puts it onto twenty bodies asks twenty times; marks are small.
    kept: dict[object, tuple[Mark, ...]] = clip.__dict__.setdefault(_KEPT, {})
    found = kept.get((chosen, settings))
    if found is None:
        marks = [mark for steps in _steps(clip, chosen, settings) for mark in _marks_of(steps, settings)]
        found = kept[chosen, settings] = tuple(sorted(marks))
    return found


def with_contacts(clip: Clip, *, feet: Feet | None = None, settings: ContactSettings = DEFAULT) -> Annotated:
    """The clip with its contacts marked; see `contacts`."""
    return Annotated(clip, contacts(clip, feet=feet, settings=settings))


@dataclass(frozen=True, eq=False)
class Steps:
    """What one foot does.

    Attributes:
        foot: which.
        times: (T,) seconds, evenly apart.
        heights: (T, n) how high each of its parts is, metres.
        rests: (T, n) whether each of them is near its resting level and slow.
    """

    foot: Foot
    times: FloatArray
    heights: FloatArray
    rests: BoolArray


def foot_steps(clip: Clip, *, feet: Feet | None = None, settings: ContactSettings = DEFAULT) -> tuple[Steps, ...]:
    """What each part of each foot does over the whole clip; see `contacts` for the arguments."""
    return tuple(_steps(clip, feet_of(clip.body, feet), settings))


def _steps(clip: Clip, feet: Sequence[Foot], settings: ContactSettings) -> list[Steps]:
    joints = [joint for foot in feet for joint in foot.parts]
    tracks = follow(clip, joints, rate=settings.rate, smoothing=settings.smoothing)
    ends = np.cumsum([len(foot.parts) for foot in feet])
    columns = [np.arange(end - len(foot.parts), end) for foot, end in zip(feet, ends, strict=True)]
    heights, speeds = tracks.places @ up_of(clip.body), np.linalg.norm(tracks.velocities, axis=-1)
    above = heights - _levels(tracks.times, heights, speeds, feet, columns, settings)
    steps = []
    for foot, own in zip(feet, columns, strict=True):
        rests = _rests(above[:, own], speeds[:, own], foot.leg, settings)
        steps.append(Steps(foot, tracks.times, heights[:, own], rests))
    return steps


def _levels(
    times: FloatArray,
    heights: FloatArray,
    speeds: FloatArray,
    feet: Sequence[Foot],
    columns: Sequence[IntArray],
    settings: ContactSettings,
) -> FloatArray:
    """(T, n) how high each part is when it rests; feet that stand alike say it for one another."""
    levels = np.empty_like(heights)
    for group in alike(feet):
        leg = float(np.mean([feet[place].leg for place in group]))
        for same in zip(*(columns[place] for place in group), strict=True):
            chosen = list(same)
            levels[:, chosen] = resting_levels(
                times,
                heights[:, chosen],
                speeds[:, chosen] < 0.25 * settings.speed * leg,
                window=settings.window,
                nearby=0.2 * settings.window,
                drift=settings.drift * leg,
            )
    return levels


def _rests(above: FloatArray, speeds: FloatArray, leg: float, settings: ContactSettings) -> BoolArray:
    """(T, n) whether parts rest: near and slow together, with a wider bound to leave than to arrive."""
    apart = np.hypot(np.maximum(above, 0) / (settings.height * leg), speeds / (settings.speed * leg))
    return np.stack([latched(column < 1.0, column < settings.leave) for column in apart.T], axis=1)


def _marks_of(steps: Steps, settings: ContactSettings) -> list[Mark]:
    times, name = steps.times, steps.foot.name
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    gap, shortest = round(settings.gap / step), round(settings.shortest / step)
    marks = []
    down = np.asarray(steps.rests.any(axis=1), bool)
    for spell in spells(without_short(down, gap=gap, shortest=shortest)):
        marks.append(Mark(float(times[spell.first]), f"{name} contact", float(times[spell.last])))
        marks += [Mark(float(times[at]), f"{name} {what}") for what, at in _moments(steps, spell, settings)]
    return marks


def _moments(steps: Steps, spell: Spell, settings: ContactSettings) -> list[tuple[str, int]]:
    """The moments of one contact, as names and places in time."""
    found = []
    # Nothing is known of what was before the start.
    if spell.first > 0:
        found += _strikes(steps, spell, settings.landed * steps.foot.leg)
    if spell.last < len(steps.times) - 1:
        found.append(("lift_off", spell.last))
    return found


def _strikes(steps: Steps, spell: Spell, near: float) -> list[tuple[str, int]]:
    """The part that rests first strikes when the contact begins; the other when it has come down for good."""
    if not steps.foot.toes:
        return [("strike", spell.first)]
    during = slice(spell.first, spell.last + 1)
    rests, heights = steps.rests[during], steps.heights[during]
    found = []
    for name, part in (("heel_strike", slice(0, 1)), ("toe_strike", slice(1, None))):
        places = [_landing(*pair, near) for pair in zip(rests[:, part].T, heights[:, part].T, strict=True)]
        known = [place for place in places if place is not None]
        if rests[0, part].any():
            found.append((name, spell.first))
        elif known:
            found.append((name, spell.first + min(known)))
    return found


def _landing(rests: BoolArray, heights: FloatArray, near: float) -> int | None:
    """Where a part has come down to the height at which it settles, if it rests at all."""
    if not rests.any():
        return None
    return first_true(rests & (heights <= np.median(heights[rests]) + near))
