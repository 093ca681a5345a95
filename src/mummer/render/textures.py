"""Textures decoded and laid end to end, each with smaller and smaller copies for surfaces far away."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray

LARGEST = 1024
"""Columns or rows that a texture keeps at most: no picture shows more of it."""
MOST_PIXELS = 64 * 2**20
"""Pixels beyond which an image is not decoded at all: it would not fit in memory."""
LEVELS = 11
"""Copies of a texture: full size, half, quarter ... down to one texel."""

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Atlas:
    """Textures as flat bytes.

    Attributes:
        texels: RGBA bytes, sRGB, of every level of every texture.
        levels: (N, 3 * LEVELS) start in ``texels``, columns and rows of each level of each texture.
    """

    texels: Bytes
    levels: FloatArray


def build_atlas(images: Sequence[bytes]) -> Atlas:
    """The textures decoded from ``images``; one that cannot be decoded becomes plain white.

    Args:
        images: PNG, JPEG, WebP ... bytes.
    """
    chunks: list[Bytes] = []
    levels = np.zeros((max(1, len(images)), 3 * LEVELS))
    start = 0
    for place, encoded in enumerate(images):
        for level, image in enumerate(_copies(encoded)):
            levels[place, 3 * level : 3 * level + 3] = start, image.shape[1], image.shape[0]
            chunks.append(image.reshape(-1))
            start += image.size
    texels = np.concatenate(chunks) if chunks else np.full(4, 255, np.uint8)
    if not images:
        levels[0] = np.tile([0, 1, 1], LEVELS)
    return Atlas(texels, levels)


def has_holes(encoded: bytes) -> bool:
    """Whether an image has texels that are less than half opaque."""
    return bool(np.any(_copies(encoded)[0][..., 3] < 128))


@lru_cache(maxsize=16)
def _copies(encoded: bytes) -> tuple[Bytes, ...]:
    copies = [_decode(encoded)]
    while len(copies) < LEVELS:
        copies.append(_halved(copies[-1]))
    return tuple(copies)


def _decode(encoded: bytes) -> Bytes:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened = Image.open(io.BytesIO(encoded))
            if opened.width * opened.height > MOST_PIXELS:
                return np.full((1, 1, 4), 255, np.uint8)
            opened.draft("RGB", (LARGEST, LARGEST))
            opened.thumbnail((LARGEST, LARGEST))
            return np.asarray(opened.convert("RGBA"))
    except Exception:  # every decoder has its own way to refuse, and a picture without a texture beats none
        return np.full((1, 1, 4), 255, np.uint8)


def _halved(image: Bytes) -> Bytes:
    """Each two by two texels averaged; a last odd row or column is left out, a single one kept."""
    rows, columns = max(1, image.shape[0] // 2), max(1, image.shape[1] // 2)
    wide = image.astype(np.uint16)
    if image.shape[0] > 1:
        wide = (wide[0 : 2 * rows : 2] + wide[1 : 2 * rows : 2]) // 2
    if image.shape[1] > 1:
        wide = (wide[:, 0 : 2 * columns : 2] + wide[:, 1 : 2 * columns : 2]) // 2
    return wide.astype(np.uint8)
