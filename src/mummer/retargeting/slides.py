"""Slides: how the foot of another size must move for the part of it that stands to slide no more than the source's."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.analysis.spells import spells
from mummer.clip.analysis.tracks import rates, smoothed
from mummer.math import quaternion
from mummer.math.vectors import rejection
from mummer.retargeting import columns
from mummer.retargeting.leg import HEEL_BACK
from mummer.retargeting.survey import FootSurvey, Survey

SMOOTH = 0.02
"""Seconds over which it is told which part of a foot stands."""
MOST = 0.1
"""How far a foot is taken from where the scaled source has it at most, in leg lengths, because a body is larger."""


def slide_path(survey: Survey, foot: FootSurvey) -> FloatArray:
    """(N, 3) metres over the ground that are added to the ball of a foot while it stands.

    The ball follows the scaled source's. A foot that pivots on its heel would then slide by as much as it is longer,
    and what slides a little on a man would slide by far on a giant, for whom a floor is no more slippery.
    """
    step, scale, up = survey.step, survey.transfer.scale, survey.up
    if len(survey.times) < 2 or not foot.planted.any():
        return np.zeros_like(foot.ball)
    numbers = foot.numbers
    along = numbers[columns.BALL_T : columns.BALL_T + 3] - numbers[columns.HEEL_T : columns.HEEL_T + 3]
    longer = quaternion.rotate(foot.turn, along) - scale * (foot.ball - foot.heel)
    ankle = foot.ball - (foot.ball - foot.heel) / (1.0 + HEEL_BACK)
    tracks = [rejection(each, up) for each in (foot.ball, ankle, longer / (1.0 + HEEL_BACK))]
    by_ball, by_ankle = (_speeds(track, step) for track in tracks[:2])
    share = (by_ball / np.maximum(by_ball + by_ankle, 1e-12))[:-1]
    ball, other, more = (np.diff(track, axis=0) for track in tracks)
    pivot, slide = (_summed(steps) for steps in (share * more, (1.0 - share) * ball + share * other))
    return pivot - max(scale - 1.0, 0.0) * _at_most(slide, foot, survey)


def _at_most(slide: FloatArray, foot: FootSurvey, survey: Survey) -> FloatArray:
    """(N, 3) slides, smaller in spells in which they are too long to be mended."""
    kept, scale = slide.copy(), survey.transfer.scale
    for spell in spells(foot.planted):
        rows = slice(spell.first, spell.last + 1)
        far = float(np.linalg.norm(np.ptp(slide[rows], axis=0))) * max(scale - 1.0, 0.0)
        kept[rows] *= min(1.0, MOST * foot.pair.target.length / max(far, 1e-12)) ** 2
    return kept


def _speeds(track: FloatArray, step: float) -> FloatArray:
    """(N, 1) how fast a point moves, squared, without its trembling."""
    return np.asarray(np.sum(rates(smoothed(track, SMOOTH / step), step) ** 2, axis=1, keepdims=True))


def _summed(steps: FloatArray) -> FloatArray:
    return np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
