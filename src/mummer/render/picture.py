"""One picture."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.errors import InputError
from mummer.render.draw import Picture
from mummer.render.frames import draw_setting
from mummer.render.options import Options, OptionsDict, options_from
from mummer.render.setting import build_setting
from mummer.render.subject import Subject, SubjectLike, subject_of, subjects_of

WAY_FRAMES = 120
"""Moments from which trails up to a given time are drawn."""


def picture(
    subject: SubjectLike, pose: Pose | None = None, *, time: float | None = None, **options: Unpack[OptionsDict]
) -> Picture:
    """A picture of a body, of a body in a pose, of a moment of a recording, or of several bodies side by side.

    Args:
        subject: a character, a pair (character, pose or recording), or a list of these, who stand side by side.
        pose: how a single character stands; its default pose if None.
        time: seconds at which a recording is shown; its last moment, trails complete, if None.
        options: see `Options`.

    Returns:
        (rows, columns, 3) sRGB bytes.

    Example:
        >>> picture(hero, view="front", skeleton=True)  # doctest: +SKIP
    """
    wanted = options_from(options)
    if pose is not None:
        if pose.shape:
            raise InputError(f"the pose is a batch of shape {pose.shape}; a picture shows one pose")
        subjects: tuple[Subject, ...] = (subject_of(subject, pose),)
    else:
        subjects = subjects_of(subject, times=None if time is None else _times(time, wanted))
    setting = build_setting(subjects, wanted)
    return next(draw_setting(setting, wanted, [len(setting) - 1]))


def _times(time: float, options: Options) -> FloatArray:
    """The moment alone, or, where the way to it is drawn, moments that lead up to it."""
    return np.linspace(0.0, time, WAY_FRAMES) if options.trails or options.floor_path else np.array([time])
