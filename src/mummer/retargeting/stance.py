"""Feet kept in place: where each foot of the target stands, worked out once from the whole motion of the source."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.clip.analysis.spells import Spell, spells
from mummer.clip.analysis.tracks import smoothed
from mummer.math import quaternion
from mummer.math.steps import smooth_step, smoother_step
from mummer.math.vectors import rejection
from mummer.retargeting import columns
from mummer.retargeting.laying import grounding
from mummer.retargeting.leg_loops import GIVE
from mummer.retargeting.slides import slide_path
from mummer.retargeting.survey import FootSurvey, Survey
from mummer.retargeting.terrain import Ground
from mummer.retargeting.transfer import Transfer

FADE = 0.5
"""Seconds over which a foot that has left for long forgets where it stood."""
DEEPEST = 0.15
"""How far the hips come down at most for feet to be in reach, in leg lengths."""
SHORT, UNEVEN_SHORT = 0.06, 0.012
"""How far a foot may stay off its place before the hips come down, in leg lengths: knees show more than feet do.

On a level floor the source's legs reached too, so what is missing is a foot that is built differently, and passes."""
STANDS = 0.02
"""How much a moment counts at which a foot stands but does not lie flat, where it belongs below the body."""
FOLLOWS = 0.1
"""How far the body goes up or down with its feet at most, in leg lengths."""
SETTLE = 0.1
"""Seconds over which it does so."""
SINK = 0.008
"""How deep feet may sink into the ground before they are lifted, as a share of the body's height."""
SINK_OF_LEG = 0.016
"""The same as a share of the legs, which counts where they are short."""


@dataclass(frozen=True)
class Floors:
    """Heights in metres of the floor of the source and of that which the target is put on."""

    source: float
    target: float


def level_shifts(transfer: Transfer, floors: Floors) -> FloatArray:
    """(1, 5 + 14 L) the shifts that put a body on a level floor, and leave its feet alone."""
    shifts = np.zeros((1, transfer.shift_width))
    shifts[0, :3] = (floors.target - transfer.scale * floors.source + transfer.higher) * transfer.target.anatomy.up
    shifts[0, columns.FLOOR] = floors.source
    return shifts


def stance_shifts(survey: Survey, floors: Floors, ground: Ground | None = None) -> FloatArray:
    """(N, 5 + 14 L) the shifts that keep feet in place, on the ground and within reach.

    Args:
        survey: what the source does.
        floors: how high the floors are.
        ground: uneven ground, or None for a level floor.
    """
    transfer, up, count = survey.transfer, survey.up, len(survey.times)
    base = floors.target - transfer.scale * floors.source
    feet = [_foot_shift(survey, foot, floors) + base * up for foot in survey.feet]
    level = np.repeat(((base + transfer.higher) * up)[None], count, axis=0)
    grounded = [_grounded(survey, *each, level, floors) for each in zip(survey.feet, feet, strict=True)]
    level = level + _with_laid(survey, level, feet, grounded, floors)[:, None] * up
    feet = grounded
    lifts: list[FloatArray] = [np.zeros(count) for _ in feet]
    tilts: list[FloatArray] = [np.zeros((count, 3)) for _ in feet]
    raised: FloatArray = np.zeros(count)
    if ground is not None:
        pairs = list(zip(survey.feet, feet, strict=True))
        lifts = [ground.rise(survey, foot, shift, floors.target) for foot, shift in pairs]
        tilts = [ground.tilt(survey, foot, shift) for foot, shift in pairs]
        raised = ground.body_rise(survey, lifts, floors.target)
    levels = [floors.target + lift for lift in lifts]
    short = SHORT if ground is None else UNEVEN_SHORT
    if ground is None:
        level = level + _following(survey, level, feet, floors)[:, None] * up
    level = level - _drop(survey, level, raised, feet, lifts, floors, short)[:, None] * up
    if ground is None:
        lifts = [_lift(survey, *each, level, floors) for each in zip(survey.feet, feet, strict=True)]
        raised = _raised(survey, lifts, floors)
        lifts = [np.maximum(lift, raised) for lift in lifts]
    body = level + raised[:, None] * up
    found = [body, np.full((count, 1), floors.source), raised[:, None]]
    for foot, shift, lift, under, tilt in zip(survey.feet, feet, lifts, levels, tilts, strict=True):
        found += [shift, lift[:, None], under[:, None], tilt, foot.laid, foot.toes_laid]
    return np.concatenate(found, axis=1)


def _following(survey: Survey, level: FloatArray, shifts: list[FloatArray], floors: Floors) -> FloatArray:
    """(N,) how far the body goes up or down with the feet that stand, so that their legs need not bend, metres.

    Hips of another width that roll, legs that are not as long as one another: the foot is where it belongs, and it is
    the body that gives way.
    """
    wanted, weights = np.zeros(len(survey.times)), np.zeros(len(survey.times))
    for foot, shift in zip(survey.feet, shifts, strict=True):
        away = (ankles_of(survey, foot, shift, level, floors) - foot.ankle - level) @ survey.up
        weight = _flatness(survey, foot, floors) + STANDS * foot.planted
        wanted, weights = wanted + weight * away, weights + weight
    most = FOLLOWS * survey.transfer.target.size
    return most * np.tanh(smoothed(wanted / (weights + STANDS), SETTLE / survey.step) / most)


def _foot_shift(survey: Survey, foot: FootSurvey, floors: Floors) -> FloatArray:
    """(N, 3) the shift of one foot: the difference of the two bodies' stance, held while the foot stands."""
    scale, up, numbers = survey.transfer.scale, survey.up, foot.numbers
    ball = foot.ankle + quaternion.rotate(foot.turn, numbers[columns.BALL_T : columns.BALL_T + 3])
    natural = rejection(ball - scale * foot.ball, up)
    seen = quaternion.rotate(quaternion.conjugate(survey.headings), natural)
    # A foot that never lies flat, as in a file that rests on its toes, still stands.
    weights = _flatness(survey, foot, floors) + STANDS * foot.planted + 1e-3
    free = quaternion.rotate(survey.headings, np.average(seen, axis=0, weights=weights))
    return free + _holding(free, foot.planted, survey.step, slide_path(survey, foot))


def _grounded(survey: Survey, foot: FootSurvey, shift: FloatArray, level: FloatArray, floors: Floors) -> FloatArray:
    """(N, 3) the shift of one foot with what puts its sole on the ground where it lies still."""
    ball = quaternion.rotate(foot.turn, foot.numbers[columns.BALL_T : columns.BALL_T + 3])
    high = (ankles_of(survey, foot, shift, level, floors) + ball) @ survey.up - floors.target
    rest = foot.numbers[columns.BALL_LIFT] + survey.transfer.scale * foot.numbers[columns.BALL_HIGH]
    leg = foot.pair.target.length
    return np.asarray(shift + grounding(high - rest, foot.still, leg, survey.step)[:, None] * survey.up)


def _with_laid(
    survey: Survey, level: FloatArray, before: list[FloatArray], after: list[FloatArray], floors: Floors
) -> FloatArray:  # fmt: skip
    """(N,) how far ankles of feet that stand went up because soles were laid flat on the ground: so does the body."""
    total, counts = np.zeros(len(survey.times)), np.full(len(survey.times), 1e-9)
    for foot, old, new in zip(survey.feet, before, after, strict=True):
        plain = replace(foot, turn=quaternion.multiply(quaternion.exp(-foot.laid), foot.turn))
        moved = ankles_of(survey, foot, new, level, floors) - ankles_of(survey, plain, old, level, floors)
        weight = smoothed(foot.planted.astype(np.float64), SETTLE / survey.step) + 1e-3
        total, counts = total + weight * (moved @ survey.up), counts + weight
    return total / counts


def _flatness(survey: Survey, foot: FootSurvey, floors: Floors) -> FloatArray:
    """(N,) 1 where a foot stands flat on the floor, down to 0 where it is high or steep."""
    ball, heel = heights_of(survey, foot, floors.source)
    near = foot.numbers[columns.NEAR]
    return np.exp(-(((ball - heel) / near) ** 2) - (np.maximum(np.minimum(ball, heel), 0.0) / near) ** 2)


def heights_of(survey: Survey, foot: FootSurvey, floor: float) -> tuple[FloatArray, FloatArray]:
    """(N,), (N,) how far ball and heel of the source are above where they would stand on its floor, metres."""
    return foot.ball @ survey.up - foot.numbers[columns.BALL_HIGH] - floor, foot.heel @ survey.up - floor


def _holding(free: FloatArray, planted: BoolArray, step: float, path: FloatArray) -> FloatArray:
    """(N, 3) what is added to ``free`` for it to move as ``path`` in each spell of ``planted``, fading in between."""
    extra, stands, last = np.zeros_like(free), spells(planted), len(free) - 1
    if not stands:
        return extra
    for spell in stands:
        rows = slice(spell.first, spell.last + 1)
        extra[rows] = free[rows].mean(axis=0) - free[rows] + path[rows] - path[rows].mean(axis=0)
    starts, ends = [0, *(spell.last + 1 for spell in stands)], [*(spell.first - 1 for spell in stands), last]
    for gap in (Spell(first, end) for first, end in zip(starts, ends, strict=True)):
        places = np.arange(gap.first, gap.last + 1)
        if gap.first > 0:
            extra[places] += extra[gap.first - 1] * _fading(places - gap.first + 1, len(places), step)
        if gap.last < last:
            extra[places] += extra[gap.last + 1] * _fading(gap.last + 1 - places, len(places), step)
    return extra


def _fading(away: FloatArray | IntArray, count: int, step: float) -> FloatArray:
    """(n, 1) from one at the edge of a gap to zero at its other edge, or after `FADE`."""
    return smoother_step(1.0 - away / min(count + 1, max(FADE / step, 1.0)))[:, None]


def _lift(survey: Survey, foot: FootSurvey, shift: FloatArray, level: FloatArray, floors: Floors) -> FloatArray:
    """(N,) how far a foot must be lifted so that no part of it sinks into a level floor, metres."""
    above = ankles_of(survey, foot, shift, level, floors) @ survey.up + foot.lowest - floors.target
    target = survey.transfer.target
    allowed = min(SINK * target.anatomy.height, SINK_OF_LEG * target.size)
    depth = np.maximum(-above - allowed, 0.0)
    return _covering(depth, survey.step, 0.04)


def _raised(survey: Survey, lifts: list[FloatArray], floors: Floors) -> FloatArray:
    """(N,) how far the whole body is lifted with its feet, so that knees need not bend: unless a foot must stay."""
    if not lifts:
        return _kept_out(survey, floors)
    most = np.max(lifts, axis=0)
    free = [1.0 - held_of(survey, foot, floors) * foot.planted for foot in survey.feet]
    least = np.min([lift + (most - lift) * each for lift, each in zip(lifts, free, strict=True)], axis=0)
    return smoothed(least, 0.04 / survey.step)


def _kept_out(survey: Survey, floors: Floors) -> FloatArray:
    """(N,) how far a body is lifted whose feet follow nobody's, so that they do not sink; metres."""
    transfer = survey.transfer
    level = float(level_shifts(transfer, floors)[0, :3] @ survey.up)
    most = 0.5 * max(transfer.target.girdle_height, transfer.target.anatomy.height)
    sink = np.clip(floors.target - survey.lowest - level, 0.0, most)
    return _covering(np.maximum(sink - 0.5 * SINK * transfer.target.anatomy.height, 0.0), survey.step, 0.06)


def held_of(survey: Survey, foot: FootSurvey, floors: Floors) -> FloatArray:
    """(N,) how much a foot is held, as `leg_loops.let_go` has it."""
    low = np.minimum(*heights_of(survey, foot, floors.source)) / foot.numbers[columns.NEAR]
    return smooth_step((columns.FREE - low) / (columns.FREE - columns.HELD))


def ankles_of(survey: Survey, foot: FootSurvey, shift: FloatArray, level: FloatArray, floors: Floors) -> FloatArray:
    """(N, 3) where the ankle of one leg is to be before it is lifted, as `leg_loops.ankle_target` has it.

    Args:
        survey: what the source does.
        foot: the leg.
        shift: (N, 3) of the foot.
        level: (N, 3) the shift of the body on a level floor.
        floors: how high the floors are.
    """
    up, numbers, scale = survey.up, foot.numbers, survey.transfer.scale
    ball_height, heel_height = heights_of(survey, foot, floors.source)
    held, roll = held_of(survey, foot, floors)[:, None], numbers[columns.ROLL]
    share = smooth_step(0.5 + 0.5 * (heel_height - ball_height) / roll) if roll > 0 else np.ones(len(held))
    by_ball = scale * foot.ball + shift - quaternion.rotate(foot.turn, numbers[columns.BALL_T : columns.BALL_T + 3])
    by_heel = scale * foot.heel + shift - quaternion.rotate(foot.turn, numbers[columns.HEEL_T : columns.HEEL_T + 3])
    rise = share * numbers[columns.BALL_LIFT] + (1 - share) * ((by_heel - by_ball) @ up)
    return np.asarray(held * (by_ball + rise[:, None] * up) + (1 - held) * (foot.ankle + level))


def _drop(
    survey: Survey, level: FloatArray, raised: FloatArray, shifts: list[FloatArray], lifts: list[FloatArray],
    floors: Floors, short: float,
) -> FloatArray:  # fmt: skip
    """(N,) how far the hips must come down for feet near the ground to be within reach, metres."""
    raw = np.zeros(len(survey.times))
    body = level + raised[:, None] * survey.up
    for foot, shift, lift in zip(survey.feet, shifts, lifts, strict=True):
        ankle = ankles_of(survey, foot, shift, level, floors) + lift[:, None] * survey.up
        raw = np.maximum(raw, _missing(survey, foot, ankle, body, short) * foot.planted)
    # Never by much: rather a foot that slides a little than a body that sits down.
    most = DEEPEST * survey.transfer.target.size
    return most * (1.0 - np.exp(-_covering(raw, survey.step, 0.08) / most))


def _missing(survey: Survey, foot: FootSurvey, ankle: FloatArray, body: FloatArray, short: float) -> FloatArray:
    """(N,) how far one hip must come down for its leg to reach the ankle's place, metres."""
    up, longest = survey.up, foot.pair.target.length
    away = ankle - foot.hip - body
    level = rejection(away, up)
    natural = np.linalg.norm(foot.ankle - foot.hip, axis=1)
    reach = natural + GIVE * np.maximum(longest - natural, 0.0) + short * longest
    below = np.sqrt(np.maximum(reach**2 - np.sum(level**2, axis=1), (0.5 * reach) ** 2))
    return np.maximum(-(away @ up) - below, 0.0)


def _covering(values: FloatArray, step: float, seconds: float) -> FloatArray:
    """(N,) a smooth curve that is nowhere below ``values`` by much: the highest near by, averaged."""
    from scipy.ndimage import maximum_filter1d

    if not np.any(values > 0):
        return values
    width = max(1, round(2.5 * seconds / step))
    return np.maximum(smoothed(maximum_filter1d(values, 2 * width + 1, mode="nearest"), seconds / step), 0.0)
