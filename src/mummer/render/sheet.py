"""The contact sheet: many small pictures on one page, by body, view and time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from mummer.errors import InputError
from mummer.render.draw import Picture
from mummer.render.frames import draw_setting
from mummer.render.labels import write_line
from mummer.render.look import Look
from mummer.render.options import Options, OptionsDict, options_from
from mummer.render.setting import Setting, build_setting, with_room
from mummer.render.subject import Subject, SubjectLike, Times, subjects_of
from mummer.render.view import View, views_of

CELL = (320, 320)
GUTTER = 6
MOST_CELLS = 4096
Progress = Callable[[int, int], None]
"""Called with how many pictures are done, and of how many."""


@dataclass(frozen=True, eq=False)
class Row:
    """One body from one view: a picture for each of its frames.

    Attributes:
        subject: body and poses.
        options: with the view.
        setting: the shot made ready.
        captions: of each frame.
    """

    subject: Subject
    options: Options
    setting: Setting
    captions: tuple[str, ...]


def contact_sheet(
    subjects: SubjectLike,
    *,
    views: Any = ("three_quarter", "front", "side"),
    times: Times = 8,
    columns: int | None = None,
    captions: bool = True,
    same_scale: bool = False,
    progress: Progress | None = None,
    **options: Unpack[OptionsDict],
) -> Picture:
    """One page with a picture for each body, view and moment.

    Args:
        subjects: a character, a pair (character, pose or motion), a clip, or a list of these.
        views: one view or a list of them, each a name or a pair of degrees (yaw, pitch).
        times: moments of motions: how many, evenly spread, or (T,) seconds.
        columns: pictures in a row; if None, moments stand in a row, else views, else as many as make a fair page.
        captions: write beneath each picture what it shows.
        same_scale: show all bodies at the same scale, else each as large as fits.
        progress: told after each picture.
        options: see `Options`; ``size`` is that of one picture, (320, 320) if not given. The camera goes with a body
            unless ``follow`` is False.

    Returns:
        (rows, columns, 3) sRGB bytes.
    """
    wanted = options_from({"size": CELL, "follow": True, **options})
    several = views_of(views)
    shown = subjects_of(subjects, times=times)
    total = sum(len(subject) for subject in shown) * len(several)
    if total > MOST_CELLS:
        raise InputError(f"a sheet of {total} pictures is too large; expected at most {MOST_CELLS}")
    rows: Iterable[Row] = (_row(subject, view, wanted) for subject in shown for view in several)
    if same_scale:
        rows = _same_scale(list(rows))
    across = columns if columns is not None else _columns(shown, len(several))
    if across < 1:
        raise InputError(f"columns is {columns}; expected one or more")
    return _page(_cells(rows, captions=captions, progress=progress, total=total), across, total)


def _row(subject: Subject, view: View, options: Options) -> Row:
    own = replace(options, view=view)
    captions = [f"{subject.caption} · {view.name}"] * len(subject)
    if len(subject) > 1:
        captions = [f"{caption} · {time:.2f} s" for caption, time in zip(captions, subject.times, strict=True)]
    return Row(subject, own, build_setting([subject], own), tuple(captions))


def _same_scale(rows: list[Row]) -> list[Row]:
    """Every body in the room that the largest one needs."""
    width = max(row.setting.width for row in rows)
    height = max(row.setting.height for row in rows)
    return [replace(row, setting=with_room(row.setting, row.options, width, height)) for row in rows]


def _columns(subjects: Sequence[Subject], views: int) -> int:
    moments = max(len(subject) for subject in subjects)
    if moments > 1:
        return moments
    if views > 1:
        return views
    return max(1, round(math.sqrt(1.6 * len(subjects))))


def _cells(rows: Iterable[Row], *, captions: bool, progress: Progress | None, total: int) -> Iterator[Picture]:
    done = 0
    for row in rows:
        for caption, cell in zip(row.captions, draw_setting(row.setting, row.options), strict=True):
            yield _captioned(cell, caption, row.options.look) if captions else cell
            done += 1
            if progress is not None:
                progress(done, total)


def _captioned(cell: Picture, caption: str, look: Look) -> Picture:
    """The picture with a strip beneath that says what it shows."""
    size = max(10, round(min(cell.shape[:2]) / 24))
    strip = np.empty((round(1.9 * size), cell.shape[1], 3), np.uint8)
    strip[:] = 250
    middle = (0.5 * cell.shape[1], 0.5 * len(strip))
    strip = write_line(strip, caption, at=middle, anchor="mm", size=size, ink=look.ink)
    return np.concatenate([cell, strip])


def _page(cells: Iterator[Picture], columns: int, total: int) -> Picture:
    """The pictures laid out row by row on a white page."""
    columns = min(columns, total)
    page: Picture | None = None
    for place, cell in enumerate(cells):
        height, width = cell.shape[0] + GUTTER, cell.shape[1] + GUTTER
        if page is None:
            page = np.full((-(-total // columns) * height + GUTTER, columns * width + GUTTER, 3), 255, np.uint8)
        top, left = GUTTER + (place // columns) * height, GUTTER + (place % columns) * width
        page[top : top + cell.shape[0], left : left + cell.shape[1]] = cell
    assert page is not None
    return page
