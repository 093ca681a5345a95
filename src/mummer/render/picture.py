"""One picture."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from mummer.character import Pose
from mummer.errors import InputError
from mummer.render.draw import Picture
from mummer.render.frames import draw_setting
from mummer.render.options import OptionsDict, options_from
from mummer.render.setting import build_setting
from mummer.render.subject import SubjectLike, Times, subjects_of

WAY_FRAMES = 120
"""Moments from which the trails up to a given time are drawn."""


def picture(
    subject: SubjectLike, pose: Pose | None = None, *, time: float | None = None, **options: Unpack[OptionsDict]
) -> Picture:
    """A picture of a body, of a body in a pose, of a moment of a motion, or of several bodies side by side.

    Args:
        subject: a character, a pair (character, pose or motion), a clip, or a list of these, who stand side by side.
        pose: how a single character stands; its default pose if None.
        time: seconds at which a motion is shown; its last moment if None. Trails lead up to it.
        options: see `Options`.

    Returns:
        (rows, columns, 3) sRGB bytes.

    Example:
        >>> picture(hero, view="front", skeleton=True)  # doctest: +SKIP
    """
    wanted = options_from(options)
    if pose is not None:
        if not isinstance(pose, Pose):
            raise InputError(f"cannot show a body as {pose!r}; expected a pose, or (body, motion) as the subject")
        if pose.shape:
            raise InputError(f"the pose is a batch of shape {pose.shape}; a picture shows one pose")
        subject = (subject, pose)
    times: Times = None
    if time is not None:
        times = np.linspace(0.0, time, WAY_FRAMES) if wanted.trails or wanted.floor_path else [time]
    setting = build_setting(subjects_of(subject, times=times), wanted)
    return next(draw_setting(setting, wanted, [len(setting) - 1]))
