"""Clips as text that a person can read, write and keep in a file.

The first line is ``mummer clip 1``. Then comes the clip, as the call that makes it; parts that are used more than once,
or deserve a name, may be set aside before it::

    mummer clip 1
    walk = Sampled("walk.bvh", "walk")
    Mix(Mirror(Trim(walk, begin=0.5, finish=2.0)), walk, weights={"head": 0.5})

Operators and their arguments are those of Python. Bodies are files beside the text (or below its folder), ``zoo:dog``,
or ``random:42``; an anatomy beside a file is read along with it. The text is read, not run.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mummer.atomic import write_text
from mummer.character import Character
from mummer.clip.clip import Clip
from mummer.clip.text_names import HEADER
from mummer.clip.text_read import MOST_BYTES, read
from mummer.clip.text_write import write
from mummer.clip.tree import tree
from mummer.errors import MalformedFileError

__all__ = ["HEADER", "from_text", "load_clip", "save_clip", "to_text", "tree"]


def to_text(clip: Clip, *, folder: str | os.PathLike[str] = ".", bodies: Mapping[str, Character] | None = None) -> str:
    """The clip as text.

    Args:
        clip: any clip whose bodies come from files, the zoo or ``bodies``.
        folder: where the text will be kept; bodies must be files here or below.
        bodies: names for bodies that come from elsewhere; `from_text` needs them again.

    Raises:
        InputError: if something in it cannot be said in text.

    Example:
        >>> from mummer.clip.hold import Hold
        >>> from mummer.clip.keyed import Keyed
        >>> from mummer.zoo import body
        >>> print(to_text(Hold(Keyed(body("dog")), time=0.0, seconds=2.0)), end="")
        mummer clip 1
        Hold(Keyed("zoo:dog"), time=0.0, seconds=2.0)
    """
    return write(clip, Path(folder), bodies or {})


def from_text(
    text: str, *, folder: str | os.PathLike[str] = ".", bodies: Mapping[str, Character] | None = None
) -> Clip:
    """The clip that a text describes; see `to_text`.

    Raises:
        MalformedFileError: with line and column, what was expected, and the nearest name.
    """
    return read(text, None, Path(folder), bodies or {})


def save_clip(
    clip: Clip,
    path: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    bodies: Mapping[str, Character] | None = None,
) -> None:
    """Write a clip to a text file, whole or not at all.

    Args:
        clip: see `to_text`.
        path: by custom ends in ``.clip``.
        folder: the folder that files are named from; that of ``path`` if left out.
        bodies: see `to_text`.
    """
    write_text(Path(path), to_text(clip, folder=Path(path).parent if folder is None else folder, bodies=bodies))


def load_clip(
    path: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    bodies: Mapping[str, Character] | None = None,
) -> Clip:
    """Read a clip from a text file; see `save_clip`.

    Raises:
        FileError: one line that says what is wrong and where.
    """
    from mummer.io.guard import read_bytes
    from mummer.io.limits import ReadLimits

    file = Path(path)
    data = read_bytes(file, ReadLimits(file_bytes=MOST_BYTES))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise MalformedFileError(file, "is not text in UTF-8", place=f"byte {error.start}") from None
    return read(text, file, file.parent if folder is None else Path(folder), bodies or {})
