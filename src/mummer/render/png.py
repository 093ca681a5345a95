"""Pictures as .png."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np

from mummer.atomic import replacing
from mummer.errors import InputError, UnknownFormatError
from mummer.render.draw import Picture


def save_png(picture: Picture, path: str | os.PathLike[str]) -> None:
    """Write a picture (rows, columns, 3) of sRGB bytes to ``path``, whole or not at all.

    Raises:
        InputError: if it is no picture.
        UnknownFormatError: if ``path`` does not end in .png.
    """
    file, data = Path(path), png_bytes(picture)
    if file.suffix.lower() != ".png":
        raise UnknownFormatError(file, "is no picture that can be written; choose .png")
    with replacing(file) as temporary:
        temporary.write_bytes(data)


def png_bytes(picture: Picture) -> bytes:
    """A picture (rows, columns, 3) of sRGB bytes as the content of a .png.

    Raises:
        InputError: if it is no picture.
    """
    from PIL import Image

    pixels = np.asarray(picture)
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
        raise InputError(f"a picture is (rows, columns, 3) of bytes, not {pixels.shape} of {pixels.dtype}")
    made = io.BytesIO()
    Image.fromarray(pixels).save(made, format="PNG", optimize=False, compress_level=6)
    return made.getvalue()
