"""Text on pictures: names of joints without clutter, captions, and the scale bar."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.render.camera import Camera
from mummer.render.draw import Picture
from mummer.render.look import Rgb
from mummer.report import elided

Box = tuple[float, float, float, float]


@lru_cache(maxsize=16)
def font(size: int) -> Any:
    """The typeface that comes with Pillow, ``size`` pixels tall."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


def write_names(
    picture: Picture, camera: Camera, joints: FloatArray, names: tuple[str, ...], order: IntArray, ink: Rgb
) -> Picture:
    """The picture with the names of joints beside them; a name that finds no free place is left out.

    Args:
        picture: (rows, columns, 3) sRGB bytes.
        camera: who sees the joints.
        joints: (J, 3) metres.
        names: J names.
        order: joints, the most important first.
        ink: colour of the text.
    """
    from PIL import Image, ImageDraw

    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    letters = font(max(9, round(min(camera.size) / 44)))
    places = camera.project(joints)
    names = without_common_prefix(names)
    middle = float(np.nanmean(places[:, 0])) if np.isfinite(places[:, 0]).any() else 0.0
    taken: list[Box] = []
    for joint in order:
        column, row, _ = places[joint]
        if not (np.isfinite(column) and 0 <= column < camera.size[0] and 0 <= row < camera.size[1]):
            continue
        width, height = draw.textbbox((0, 0), names[joint], font=letters)[2:]
        box = _free_place(column, row, width, height, taken, camera.size, outward=1 if column >= middle - 1 else -1)
        if box is None:
            continue
        taken.append(box)
        anchor = (box[0] if box[0] > column else box[2], 0.5 * (box[1] + box[3]))
        draw.line([(column, row), anchor], fill=(*ink,), width=1)
        draw.text(box[:2], names[joint], font=letters, fill=ink, stroke_width=2, stroke_fill=(255, 255, 255))
    return np.asarray(image)


def without_common_prefix(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names without what nearly all of them begin with, up to a colon, bar or underscore.

    Example:
        >>> without_common_prefix(("root", *(f"rig:{part}" for part in ("hips", "spine", "neck", "head"))))
        ('root', 'hips', 'spine', 'neck', 'head')
    """
    for mark in ":|_":
        heads = [name.rpartition(mark)[0] + mark for name in names if mark in name.strip(mark)]
        common = max(set(heads), key=heads.count) if heads else ""
        if common and heads.count(common) >= 0.8 * len(names):
            return tuple(name.removeprefix(common) for name in names)
    return names


def _free_place(
    column: float, row: float, width: float, height: float, taken: list[Box], size: tuple[int, int], *, outward: int
) -> Box | None:
    """A box beside a place that overlaps no box taken before: near places first, outward before inward."""
    for reach in (0.9, 2.0, 3.4):
        gap = reach * height
        for across, down in ((1, 0), (1, -1), (1, 1), (-1, 0), (-1, -1), (-1, 1)):
            left = column + gap if across * outward > 0 else column - gap - width
            top = row - 0.5 * height + down * 0.8 * gap
            box = (left, top, left + width, top + height)
            inside = left >= 2 and top >= 2 and box[2] <= size[0] - 2 and box[3] <= size[1] - 2
            if inside and not any(_overlap(box, other) for other in taken):
                return box
    return None


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] + 2 and b[0] < a[2] + 2 and a[1] < b[3] + 1 and b[1] < a[3] + 1


def write_line(picture: Picture, text: str, *, at: tuple[float, float], anchor: str, size: int, ink: Rgb) -> Picture:
    """The picture with one line of text.

    Args:
        picture: (rows, columns, 3) sRGB bytes.
        text: what to write; its middle left out if it is wider than the picture.
        at: column and row of the anchor.
        anchor: Pillow's two letters: ``ls`` left on the base line, ``ms`` middle, ``rt`` right at the top ...
        size: pixels tall.
        ink: colour.
    """
    from PIL import Image, ImageDraw

    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    letters = font(size)
    room = picture.shape[1] - 8
    short, width = text, len(text)
    while width > 1 and draw.textlength(short, font=letters) > room:
        width -= 1
        short = elided(text, width)
    draw.text(at, short, font=letters, fill=ink, anchor=anchor)
    return np.asarray(image)
