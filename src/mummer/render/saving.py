"""A picture or a film of anything, by the ending of its file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from mummer.render.draw import Picture
from mummer.render.png import png_bytes, save_png
from mummer.render.sheet import contact_sheet
from mummer.render.subject import MotionOfBody, SubjectLike
from mummer.render.video import save_video

MOMENTS = 6
"""Pictures of a motion on a sheet."""
SMALL = (150, 150)
"""Columns and rows of each picture that a notebook shows."""


def save_picture(subject: SubjectLike, path: str | os.PathLike[str], **options: Any) -> None:
    """Write a body from three sides, or a motion at moments of it, as .png; or as a film, .gif or .mp4.

    Args:
        subject: see `mummer.render.subject.SubjectLike`.
        path: the file.
        options: of `contact_sheet` for .png, of `save_video` else.
    """
    if Path(path).suffix.lower() != ".png":
        save_video(path, subject, **options)
        return
    save_png(_sheet(subject, **options), path)


def small_png(subject: SubjectLike) -> bytes:
    """The same small, as the bytes of a .png, for a notebook."""
    return png_bytes(_sheet(subject, size=SMALL))


def _sheet(subject: SubjectLike, **options: Any) -> Picture:
    if isinstance(subject, MotionOfBody):
        options = {"views": "three_quarter", "times": MOMENTS, **options}
    return contact_sheet(subject, **options)
