"""Load any file, save to any format: the two calls that everybody starts with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mummer.character import Character, Recording, load_anatomy, sidecar_of
from mummer.errors import FileError, MalformedFileError, MummerError
from mummer.io import formats, guard
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.report import Report


def load(path: str | os.PathLike[str], *, limits: ReadLimits = DEFAULT_LIMITS, **options: Any) -> Character:
    """The character, skeleton or motion in a file, whatever its format: what it is, is seen from its content.

    Args:
        path: a glTF, GLB, VRM, BVH, FBX, USD, .sk or .skm file.
        limits: how much the file may ask for.
        options: passed to the format's reader, for instance ``skeleton`` for .skm.

    Returns:
        A character in our axes and units; ``character.report`` says what was found, repaired or guessed.

    Raises:
        FileError: one line that says what is wrong and where.
        MissingExtraError: if the format needs an optional part that is not installed.

    Example:
        >>> hero = load("hero.glb")  # doctest: +SKIP
    """
    file = Path(path)
    data = guard.read_bytes(file, limits)
    found = formats.detect(data[: formats.HEAD_BYTES], file)
    if found.reader is None:
        raise FileError(file, f"is {found.title}, which can be written but not read")
    try:
        character: Character = formats.resolve(found.reader)(data, file, limits, **options)
    except FileError:
        raise
    except MummerError as error:
        if isinstance(error, ImportError):
            raise
        raise MalformedFileError(file, str(error)) from None
    except RecursionError:
        raise MalformedFileError(file, "is nested too deeply") from None
    except MemoryError:
        raise MalformedFileError(file, "asks for more memory than there is") from None
    return _with_sidecar(character, file)


def _with_sidecar(character: Character, file: Path) -> Character:
    """The character with the anatomy that is kept beside its file, if there is one and the file has none itself."""
    sidecar = sidecar_of(file)
    if character.anatomy is not None or not sidecar.is_file():
        return character
    return character.replace(anatomy=load_anatomy(sidecar, character.skeleton))


def save(character: Character, path: str | os.PathLike[str], **options: Any) -> Report:
    """Write a character, with its recordings, in the format that the extension of ``path`` names.

    The file is written whole or not at all.

    Args:
        character: what to write.
        path: ends in .glb, .gltf, .vrm, .bvh, .usda, .usdc or .usdz.
        options: passed to the format's writer.

    Returns:
        What the format could not hold.
    """
    file = Path(path)
    chosen = formats.for_writing(file)
    assert chosen.writer is not None
    report: Report = formats.resolve(chosen.writer)(character, file, **options)
    return report


def save_motions(
    character: Character,
    recordings: Sequence[Recording],
    path: str | os.PathLike[str],
    *,
    only_new: bool = False,
    **options: Any,
) -> Report:
    """Write a character with new motions beside those that it has, each under a name that is free.

    Args:
        character: whose motions they are.
        recordings: the new motions.
        path: see `save`; a file of a format that plays one motion only gets the new ones alone.
        only_new: whether the character's own motions are left out, and with them their data.
        options: passed to the format's writer.

    Returns:
        What the format could not hold.
    """
    only = only_new or formats.for_writing(Path(path)).single
    return save(character.with_recordings(*recordings, only=only), path, **options)
