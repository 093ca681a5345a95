"""Pictures as a looping .gif."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mummer.atomic import replacing
from mummer.errors import InputError
from mummer.render.draw import Picture

SAMPLE = 13
"""Every how many-th pixel of each picture helps to choose the colours."""
MOST_SAMPLES = 2_000_000


def write_gif(path: Path, pictures: Iterable[Picture], *, fps: float, size: tuple[int, int]) -> None:
    """Write pictures to ``path``, whole or not at all, as a gif that loops for ever.

    All pictures share one palette, so that colours do not flicker. A gif counts hundredths of a second, so each
    picture is shown for the nearest such time, and the differences do not add up.

    Args:
        path: the file.
        pictures: (rows, columns, 3) sRGB bytes each.
        fps: pictures a second, at most 50.
        size: columns and rows of each.
    """
    if not 0 < fps <= 50:
        raise InputError(f"a gif cannot show {fps:g} pictures a second; expected more than 0 and at most 50")
    packed, colors = _pack(pictures)
    if not packed:
        raise InputError("a video needs at least one picture")
    palette = _palette(colors)
    images = _images(packed, size, palette)
    first = next(images)
    with replacing(path) as temporary:
        first.save(
            temporary,
            format="GIF",
            save_all=True,
            append_images=images,
            duration=durations(len(packed), fps),
            loop=0,
            optimize=False,
            disposal=1,
        )


def durations(count: int, fps: float) -> list[int]:
    """Milliseconds for each of ``count`` pictures: multiples of ten whose sum stays nearest to the true time."""
    ends = np.round(100.0 * np.arange(1, count + 1) / fps).astype(int)
    return [int(10 * length) for length in np.diff(ends, prepend=0)]


def _pack(pictures: Iterable[Picture]) -> tuple[list[bytes], Picture]:
    """The pictures compressed, since all are needed before the first can be written, and some of their colours."""
    packed, colors, kept = [], [], 0
    for picture in pictures:
        packed.append(zlib.compress(np.ascontiguousarray(picture).tobytes(), 1))
        if kept < MOST_SAMPLES:
            colors.append(picture.reshape(-1, 3)[::SAMPLE])
            kept += len(colors[-1])
    return packed, np.concatenate(colors) if colors else np.empty((0, 3), np.uint8)


def _palette(colors: Picture) -> Any:
    from PIL import Image

    columns = 256
    rows = max(1, len(colors) // columns)
    grid = np.resize(colors, (rows, columns, 3)).astype(np.uint8)
    return Image.fromarray(grid).quantize(256, method=Image.Quantize.MEDIANCUT)


def _images(packed: list[bytes], size: tuple[int, int], palette: Any) -> Iterator[Any]:
    from PIL import Image

    for each in packed:
        pixels = np.frombuffer(zlib.decompress(each), np.uint8).reshape(size[1], size[0], 3)
        yield Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE)
