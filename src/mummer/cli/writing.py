"""Where results go: one place that says, before any work is done, whether a file may be written."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from mummer.errors import FileError

FORCE: bool = typer.Option(False, "--force", help="Write over the input, or over a file that is read-only.")
ANY_WRITE = 0o222


def require_format(output: Path, *pictures: str) -> None:
    """Raise unless ``output`` ends as a file of bodies and motions that can be written does, or as ``pictures`` say.

    Raises:
        UnknownFormatError: with the closest ending.
        MissingExtraError: if a film needs a part that is not installed.
    """
    from mummer.io import formats

    suffix = output.suffix.lower()
    if suffix not in pictures:
        formats.for_writing(output, also=pictures)
    elif suffix == ".mp4":
        from mummer.render.mp4 import ffmpeg

        ffmpeg()


def require_writable(output: Path | None, *sources: str, force: bool = False) -> None:
    """Raise unless ``output`` is a file that may be written, or nothing.

    Args:
        output: the file to write, which need not be there.
        sources: what is read: files, or what else commands take; none of them is written over.
        force: whether the input and read-only files may be written over.

    Raises:
        FileError: in one line, with what to do instead.
    """
    if output is None:
        return
    if output.is_dir():
        raise FileError(output, f"is a folder; expected the name of a file, such as {output / 'out.glb'}")
    require_folder(output.parent)
    if force or not output.exists():
        return
    if any(os.path.exists(source) and os.path.samefile(source, output) for source in sources):
        raise FileError(output, "is the input; write elsewhere, or give --force to write over it")
    if not output.stat().st_mode & ANY_WRITE:
        raise FileError(output, "is read-only; write elsewhere, or give --force to write over it")


def require_folder(folder: Path) -> None:
    """Raise unless files can be put into ``folder``, which is made when it is needed.

    Raises:
        FileError: naming the nearest folder above that is there.
    """
    there = next(above for above in (folder, *folder.absolute().parents) if above.exists())
    if not there.is_dir():
        raise FileError(there, "is a file; expected a folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise FileError(there, "is a folder in which nothing can be written; write elsewhere")
