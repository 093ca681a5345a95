"""Moving pictures: frame after frame of a motion, or a body turned once round."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import numpy as np

from mummer.errors import InputError, UnknownFormatError, closest_names
from mummer.render.draw import Picture
from mummer.render.frames import draw_setting
from mummer.render.gif import write_gif
from mummer.render.mp4 import write_mp4
from mummer.render.options import Options, OptionsDict, options_from
from mummer.render.setting import build_setting
from mummer.render.sheet import Progress
from mummer.render.subject import Subject, SubjectLike, Times, subjects_of

TURN_SECONDS = 4.0
"""How long a body that does not move is turned round."""
GIF_SIZE = (480, 360)
"""Columns and rows of a .gif if nothing else is said: it is hardly compressed, and goes into pages and messages."""
WRITERS = {".gif": write_gif, ".mp4": write_mp4}


@dataclass(frozen=True)
class VideoFacts:
    """What was written.

    Attributes:
        path: the file.
        frames: pictures in it.
        fps: pictures a second.
        size: columns and rows.
    """

    path: Path
    frames: int
    fps: float
    size: tuple[int, int]


def video(
    subjects: SubjectLike, *, fps: float = 30.0, times: Times = None, **options: Unpack[OptionsDict]
) -> Iterator[Picture]:
    """Pictures of a motion one after the other, each drawn when it is asked for.

    Args:
        subjects: a character, a pair (character, motion), a clip, or a list of these, who stand side by side. The
            camera goes once round a body that does not move.
        fps: pictures a second.
        times: moments of the motion: how many, evenly spread, or (T,) seconds; all at ``fps`` if None.
        options: see `Options`.

    Returns:
        An iterator over (rows, columns, 3) sRGB bytes.
    """
    shown, wanted = _prepare(subjects, fps, times, options)
    return draw_setting(build_setting(shown, wanted), wanted)


def save_video(
    path: str | os.PathLike[str],
    subjects: SubjectLike,
    *,
    fps: float = 30.0,
    times: Times = None,
    progress: Progress | None = None,
    audio: Path | None = None,
    **options: Unpack[OptionsDict],
) -> VideoFacts:
    """Write a motion as .mp4 or .gif, whole or not at all; see `video` for the arguments.

    Args:
        path: ends in .gif, or in .mp4, which needs the extra ``video``.
        subjects: who is shown.
        fps: pictures a second.
        times: moments of the motion.
        progress: told after each picture.
        audio: a .wav that is heard with an .mp4.
        options: see `Options`; a .gif is smaller than other pictures if no ``size`` is given.

    Raises:
        UnknownFormatError: for another ending.
        MissingExtraError: for .mp4 without the extra.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"save_video() expected a path first, then who is shown; got {type(path).__name__}")
    file = Path(path)
    write = WRITERS.get(file.suffix.lower())
    if write is None:
        near = closest_names(file.suffix.lower(), WRITERS) or tuple(WRITERS)
        raise UnknownFormatError(file, f"is no video that can be written; choose {' or '.join(near)}")
    if audio is not None and file.suffix.lower() != ".mp4":
        raise UnknownFormatError(file, "cannot be heard; choose .mp4")
    if file.suffix.lower() == ".gif":
        options = {"size": GIF_SIZE, **options}
    shown, wanted = _prepare(subjects, fps, times, options)
    setting = build_setting(shown, wanted)
    pictures = _told(draw_setting(setting, wanted), len(setting), progress)
    if audio is None:
        write(file, pictures, fps=fps, size=wanted.size)
    else:
        write_mp4(file, pictures, fps=fps, size=wanted.size, audio=audio)
    return VideoFacts(file, len(setting), fps, wanted.size)


def _prepare(
    subjects: SubjectLike, fps: float, times: Times, options: OptionsDict
) -> tuple[tuple[Subject, ...], Options]:
    wanted = options_from(options)
    shown = subjects_of(subjects, times=times, rate=fps)
    if all(len(subject) == 1 for subject in shown):
        count = max(2, round(TURN_SECONDS * fps))
        first = shown[0]
        still = first.at(np.zeros(count, np.int64))
        shown = (replace(still, times=np.arange(count) / fps), *shown[1:])
        if wanted.turns == 0:
            # The last picture would equal the first: it is left out so that the turn loops without a stop.
            wanted = replace(wanted, turns=(count - 1) / count)
    return shown, wanted


def _told(pictures: Iterable[Picture], total: int, progress: Progress | None) -> Iterator[Picture]:
    for done, picture in enumerate(pictures, 1):
        yield picture
        if progress is not None:
            progress(done, total)
