"""Load any file, save to any format: the two calls that everybody starts with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from mummer.character import Character, Recording, load_anatomy, sidecar_of
from mummer.errors import FileError, InputError, MalformedFileError, MummerError, closest_names
from mummer.io import formats, guard
from mummer.io.built_in import built_in, is_built_in
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.report import Report


def load(path: str | os.PathLike[str], *, limits: ReadLimits = DEFAULT_LIMITS, **options: Any) -> Character:
    """The character, skeleton or motion in a file, whatever its format: what it is, is seen from its content.

    Args:
        path: a glTF, GLB, VRM, BVH, FBX, USD, .sk or .skm file; ``zoo:NAME`` for a built-in body; ``random:SEED`` for
            a random creature.
        limits: how much the file may ask for.
        options: passed to the format's reader, for instance ``skeleton`` for .skm.

    Returns:
        A character in our axes and units; ``character.report`` says what was found, repaired or guessed.

    Raises:
        FileError: one line that says what is wrong and where.
        MissingExtraError: if the format needs an optional part that is not installed.

    Example:
        >>> hero = load("hero.glb")  # doctest: +SKIP
        >>> load("zoo:dog").name
        'dog'
    """
    file = _path_of(path, "load()")
    if is_built_in(str(file)):
        return built_in(str(file))
    _require_there(file)
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


def _path_of(given: object, asker: str) -> Path:
    if isinstance(given, (str, os.PathLike)):
        return Path(given)
    raise InputError(f"{asker} expected a path, such as 'hero.glb'; got {type(given).__name__}")


def _require_there(file: Path) -> None:
    """Raise where somebody has named a body of the zoo as if it were a file."""
    if file.suffix or file.exists():
        return
    from mummer.zoo import names

    near = closest_names(file.name, names(), most=1)
    if near:
        raise FileError(file, f"is not there; did you mean 'zoo:{near[0]}'?")


@runtime_checkable
class Recordable(Protocol):
    """What can be written as a recording of its body: a clip."""

    @property
    def body(self) -> Character:
        """The body."""

    def to_recording(self, rate: float | None = None, *, name: str | None = None) -> Recording:
        """The motion, baked."""


PICTURES = (".png", ".gif", ".mp4")
"""Endings of pictures and films, which `mummer.render` draws."""


def save(subject: Character | Recordable, path: str | os.PathLike[str], **options: Any) -> Report:
    """Write a character with its recordings, or a clip with its body, in the format that the ending of ``path`` names.

    The file is written whole or not at all.

    Args:
        subject: a character; or a clip, which is written with its body, beside the recordings that this has.
        path: ends in .glb, .gltf, .vrm, .bvh, .usda, .usdc or .usdz; or in .png, .gif or .mp4 for a picture, a contact
            sheet or a film.
        options: passed to the format's writer; for a clip also ``rate`` and ``name``, see
            `mummer.clip.Clip.to_recording`, and ``only_new``, see `save_motions`.

    Returns:
        What the format could not hold.

    Raises:
        InputError: if ``subject`` is neither.
        UnknownFormatError: if there is no writer for the ending.
    """
    if not isinstance(subject, (Character, Recordable)):
        wrong = type(subject).__name__
        raise InputError(f"save() expected a character or a clip first, then a path; got {wrong}")
    file = _path_of(path, "save()")
    if file.suffix.lower() in PICTURES:
        formats.resolve("mummer.render.saving:save_picture")(subject, file, **options)
        return Report()
    if not isinstance(subject, Character):
        said = {name: options.pop(name) for name in ("rate", "name") if name in options}
        return save_motions(subject.body, [subject.to_recording(**said)], file, **options)
    chosen = formats.for_writing(file)
    assert chosen.writer is not None
    report: Report = formats.resolve(chosen.writer)(subject, file, **options)
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
