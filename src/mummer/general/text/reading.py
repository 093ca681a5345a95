"""From text to the fields of a general animation, with errors that name file, line and field."""

from __future__ import annotations

from pathlib import Path

from mummer.general.text.schema import ANIMATION_VERSION, AnimationText
from mummer.toml_text import parse_toml, read_toml_text

WHAT = "a general animation"


def parse_animation(text: str, path: Path | str | None = None) -> AnimationText:
    """The fields of the animation that ``text`` (TOML) holds; curves and names are not checked yet.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    return parse_toml(text, AnimationText, version=ANIMATION_VERSION, what=WHAT, path=path)


def read_animation_text(path: Path | str) -> str:
    """The text of a file.

    Raises:
        MalformedFileError: if it is not text.
        InputError: if it cannot be read.
    """
    return read_toml_text(path, WHAT)
