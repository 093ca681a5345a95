"""Feet kept in place: where each foot of the target stands, worked out once from the whole motion of the source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.clip.analysis.contacts import contacts
from mummer.clip.analysis.feet import feet_of
from mummer.clip.analysis.spells import Spell, spells
from mummer.clip.analysis.tracks import smoothed
from mummer.clip.clip import Clip
from mummer.clip.marks import Mark
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.measure.floor import rest_heights
from mummer.measure.skate import in_contact
from mummer.retarget import loops
from mummer.retarget.terrain import Ground
from mummer.retarget.transfer import LegPair, Posed, Transfer

FADE = 0.5
"""Seconds over which a foot that has left for long forgets where it stood."""
STRETCH = 0.985
"""How far a leg may be stretched before the hips come down, as a share of its length; more where the source's is."""
UNSETTLED = 0.06
"""How far a standing foot may be off the floor in a recording and still be put onto it, in leg lengths."""
SINK = 0.002
"""How deep feet may sink into the ground before they are lifted, as a share of the body's height."""


@dataclass(frozen=True, eq=False)
class Survey:
    """The source's motion as the target would do it with its feet left alone, at even steps of time.

    Attributes:
        transfer: between the bodies.
        times: (N,) seconds.
        posed: the poses, with no shifts but the difference of the floors.
        floor: height of the source's floor in metres.
        base: (3,) what brings the scaled source onto the target's floor.
        headings: (N, 4) how the body is turned about the vertical.
        planted: (N, L) whether feet stand.
    """

    transfer: Transfer
    times: FloatArray
    posed: Posed
    floor: float
    base: FloatArray
    headings: FloatArray
    planted: BoolArray

    @property
    def step(self) -> float:
        """Seconds from one moment to the next."""
        return float(self.times[1] - self.times[0]) if len(self.times) > 1 else 1.0


def stance_shifts(survey: Survey, ground: Ground | None = None) -> FloatArray:
    """(N, 3 + 3 L) the shifts that keep feet in place, on the ground and within reach.

    Args:
        survey: what the source does.
        ground: uneven ground, or None for a level floor.
    """
    transfer = survey.transfer
    feet = [_foot_shift(survey, place) for place in range(len(transfer.legs))]
    body = np.repeat(survey.base[None], len(survey.times), axis=0)
    body = body + (transfer.target.ankle_height - transfer.scale * transfer.source.ankle_height) * _up(survey)
    if ground is not None:
        rises = [ground.rise(survey, place, shift) for place, shift in enumerate(feet)]
        feet = [shift + rise[:, None] * _up(survey) for shift, rise in zip(feet, rises, strict=True)]
        body = body + ground.body_rise(survey, rises)[:, None] * _up(survey)
    else:
        feet = [shift + _lift(survey, place, shift)[:, None] * _up(survey) for place, shift in enumerate(feet)]
    body = body - _drop(survey, body, feet)[:, None] * _up(survey)
    return np.concatenate([body, *feet], axis=1)


def planted_feet(clip: Clip, transfer: Transfer, times: FloatArray, marks: tuple[Mark, ...] | None) -> BoolArray:
    """(N, L) when the feet of the source stand, by its marks if it has such, else found from the motion."""
    planted = np.zeros((len(times), len(transfer.legs)), bool)
    names = _foot_names(transfer)
    if not names:
        return planted
    if marks is None:
        marks = tuple(mark for mark in clip.marks if mark.name.endswith(" contact")) or contacts(clip)
    for place, pair in enumerate(transfer.legs):
        planted[:, place] = in_contact(marks, names.get(pair.source.foot, ""), times)
    return planted


def sole_of(survey: Survey, pair: LegPair, *, of_source: bool, column: int | None = None) -> FloatArray:
    """(N, 3) where a point of the sole is: of the source, or of the target with its feet left alone.

    Args:
        survey: what the source does.
        pair: the leg.
        of_source: whose.
        column: which point of the table of legs; the ball's if left out.
    """
    row = survey.transfer.legs.index(pair)
    leg = pair.source if of_source else pair.target
    if column is None:
        column = loops.BALL_S if of_source else loops.BALL_T
    point = survey.transfer.leg_numbers[row, column : column + 3]
    posed = survey.posed
    if of_source:
        return posed.source_places[:, leg.foot] + quaternion.rotate(posed.source_turns[:, leg.foot], point)
    return posed.places[:, leg.foot] + posed.roots + quaternion.rotate(posed.turns[:, leg.foot], point)


def _foot_names(transfer: Transfer) -> dict[int, str]:
    try:
        return {foot.heel: foot.name for foot in feet_of(transfer.source.character)}
    except InputError:
        return {}


def _up(survey: Survey) -> FloatArray:
    return survey.transfer.target.anatomy.up


def _foot_shift(survey: Survey, place: int) -> FloatArray:
    """(N, 3) the shift of one foot: the difference of the two bodies' stance, held while the foot stands."""
    pair, scale = survey.transfer.legs[place], survey.transfer.scale
    natural = sole_of(survey, pair, of_source=False) - scale * sole_of(survey, pair, of_source=True)
    up = _up(survey)
    natural = natural - (natural @ up)[:, None] * up
    wider = quaternion.rotate(quaternion.conjugate(survey.headings), natural).mean(axis=0)
    free = quaternion.rotate(survey.headings, wider)
    free = free + _settling(survey, place)[:, None] * up
    held = free + _holding(free, survey.planted[:, place], survey.step)
    return np.asarray(held + (survey.base @ up) * up)


def _settling(survey: Survey, place: int) -> FloatArray:
    """(N,) what brings a foot onto the floor while it stands: recordings float and sink by a little, metres."""
    pair, up, scale = survey.transfer.legs[place], _up(survey), survey.transfer.scale
    heights = sole_of(survey, pair, of_source=True) @ up
    if survey.transfer.leg_numbers[place, loops.ROLL] > 0:
        heights = np.minimum(heights, sole_of(survey, pair, of_source=True, column=loops.HEEL_S) @ up)
    most, settled = UNSETTLED * pair.source.length, np.zeros(len(heights))
    for spell in spells(survey.planted[:, place]):
        rows = slice(spell.first, spell.last + 1)
        settled[rows] = np.clip(np.median(heights[rows]) - survey.floor, -most, most)
    return -scale * settled


def _holding(free: FloatArray, planted: BoolArray, step: float) -> FloatArray:
    """(N, 3) what must be added to ``free`` for it to be constant in each spell of ``planted``, fading in between."""
    extra = np.zeros_like(free)
    stands = spells(planted)
    for spell in stands:
        rows = slice(spell.first, spell.last + 1)
        extra[rows] = free[rows].mean(axis=0) - free[rows]
    gaps = [Spell(a.last + 1, b.first - 1) for a, b in zip([Spell(-1, -1), *stands], [*stands, None], strict=True) if b]
    for gap in [*gaps, Spell(stands[-1].last + 1, len(free) - 1)] if stands else []:
        rows = np.arange(gap.first, gap.last + 1)
        if gap.first > 0:
            extra[rows] += extra[gap.first - 1] * _fading(rows - gap.first + 1, len(rows), step)
        if gap.last < len(free) - 1:
            extra[rows] += extra[gap.last + 1] * _fading(gap.last + 1 - rows, len(rows), step)
    return extra


def _fading(away: FloatArray, count: int, step: float) -> FloatArray:
    """(n, 1) from one at the edge of a gap to zero at its other edge, or after `FADE`."""
    share = np.clip(1.0 - away / min(count + 1, max(FADE / step, 1.0)), 0.0, 1.0)
    return np.asarray(share**3 * (share * (6.0 * share - 15.0) + 10.0))[:, None]


def _lift(survey: Survey, place: int, shift: FloatArray) -> FloatArray:
    """(N,) how far a foot must be lifted so that no part of it sinks into a level floor, metres."""
    pair, target, posed, up = survey.transfer.legs[place], survey.transfer.target, survey.posed, _up(survey)
    ankle = ankle_places(survey, place, shift) @ up
    joints = [*target.skeleton.descendants(pair.target.foot)]
    above = (posed.places[:, joints] - posed.places[:, [pair.target.foot]]) @ up + ankle[:, None]
    above = above - rest_heights(target.character, joints) - target_floor(survey)
    depth = np.maximum(-above.min(axis=1) - SINK * target.anatomy.height, 0.0)
    return _covering(depth, survey.step, 0.04)


def target_floor(survey: Survey) -> float:
    """Height of the floor that the target moves on, metres."""
    return float(survey.base @ _up(survey)) + survey.transfer.scale * survey.floor


def ankle_places(survey: Survey, place: int, shift: FloatArray) -> FloatArray:
    """(N, 3) where the ankle is to be, with the foot following the ball or the heel, as the inner loops do it."""
    pair, posed, up = survey.transfer.legs[place], survey.posed, _up(survey)
    numbers, scale = survey.transfer.leg_numbers[place], survey.transfer.scale
    turn, foot = posed.source_turns[:, pair.source.foot], posed.turns[:, pair.target.foot]
    ankle = posed.source_places[:, pair.source.foot]
    ball, heel = (ankle + quaternion.rotate(turn, numbers[c : c + 3]) for c in (loops.BALL_S, loops.HEEL_S))
    by_ball = scale * ball + shift - quaternion.rotate(foot, numbers[loops.BALL_T : loops.BALL_T + 3])
    if numbers[loops.ROLL] <= 0:
        return by_ball
    share = np.clip(0.5 + 0.5 * ((heel - ball) @ up) / numbers[loops.ROLL], 0.0, 1.0)
    share = (share * share * (3 - 2 * share))[:, None]
    facing = quaternion.multiply(turn, numbers[loops.FOOT_REST : loops.FOOT_REST + 4])
    longer = quaternion.rotate(about_up(facing, up), numbers[loops.LONGER : loops.LONGER + 3])
    by_heel = scale * heel + shift - longer - quaternion.rotate(foot, numbers[loops.HEEL_T : loops.HEEL_T + 3])
    return np.asarray((1 - share) * by_heel + share * by_ball)


def about_up(rotations: FloatArray, up: FloatArray) -> FloatArray:
    """(N, 4) the parts of rotations that turn about ``up``."""
    along = rotations[..., :3] @ up
    length = np.hypot(along, rotations[..., 3])
    known = length > 1e-9
    along, w = np.where(known, along, 0.0), np.where(known, rotations[..., 3], 1.0)
    made = np.concatenate([along[..., None] * up, w[..., None]], axis=-1)
    return quaternion.normalize(made)


def _drop(survey: Survey, body: FloatArray, feet: list[FloatArray]) -> FloatArray:
    """(N,) how far the hips must come down for planted feet to be within reach, metres."""
    raw = np.zeros(len(survey.times))
    for place, shift in enumerate(feet):
        raw = np.maximum(raw, _missing(survey, place, body, shift))
    return _covering(raw, survey.step, 0.08)


def _missing(survey: Survey, place: int, body: FloatArray, shift: FloatArray) -> FloatArray:
    """(N,) how far one hip must come down for its leg to reach, where the foot is near the ground."""
    pair, posed, up = survey.transfer.legs[place], survey.posed, _up(survey)
    moved = body - survey.base
    hip = posed.places[:, pair.target.upper] + posed.roots + moved
    away = ankle_places(survey, place, shift) - hip
    across = away - (away @ up)[:, None] * up
    source = posed.source_places
    used = np.linalg.norm(source[:, pair.source.foot] - source[:, pair.source.upper], axis=1) / pair.source.length
    reach = pair.target.length * np.clip(used, STRETCH, 1.0)
    below = np.sqrt(np.maximum(reach**2 - np.sum(across**2, axis=1), (0.5 * reach) ** 2))
    height = sole_of(survey, pair, of_source=True) @ up - survey.floor
    low = np.clip(2.0 - height / (0.06 * pair.source.length), 0.0, 1.0)
    return np.maximum(-(away @ up) - below, 0.0) * np.maximum(low, survey.planted[:, place])


def _covering(values: FloatArray, step: float, seconds: float) -> FloatArray:
    """(N,) a smooth curve that is nowhere below ``values`` by much: the highest near by, averaged."""
    from scipy.ndimage import maximum_filter1d

    if not np.any(values > 0):
        return values
    width = max(1, round(2.5 * seconds / step))
    return np.maximum(smoothed(maximum_filter1d(values, 2 * width + 1, mode="nearest"), seconds / step), 0.0)
