"""Load any file, save to any format: the two calls that everybody starts with."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from mummer.character import Character, Recording, load_anatomy, sidecar_of
from mummer.character.derive import rest_positions, size_of
from mummer.errors import FileError, InputError, MalformedFileError, MummerError, closest_names
from mummer.io import formats, guard, units
from mummer.io.built_in import built_in, is_built_in
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.io.marks import with_marks
from mummer.report import Report, ReportBuilder

ODD_SIZES = (0.02, 40.0)
"""Metres; a smaller or larger body is told of: no mouse and no whale is."""


def load(
    path: str | os.PathLike[str],
    *,
    limits: ReadLimits = DEFAULT_LIMITS,
    unit: str | float | None = None,
    **options: Any,
) -> Character:
    """The character, skeleton or motion in a file, whatever its format: what it is, is seen from its content.

    Args:
        path: a glTF, GLB, VRM, BVH, FBX, USD, .sk, .skm, .asf, .amc or .c3d file; ``zoo:NAME`` for a built-in body;
            ``random:SEED`` for a random creature.
        limits: how much the file may ask for.
        unit: how long a unit is in formats that do not say, ``cm``, ``inch`` ... or metres as a number; guessed and
            reported if None.
        options: passed to the format's reader, for instance ``skeleton`` for .skm and .amc.

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
        if unit is not None or options:
            said = ", ".join(["unit"] * (unit is not None) + list(options))
            raise InputError(f"{file} takes no {said}: built-in bodies are in metres and have all that they need")
        return built_in(str(file))
    _require_there(file)
    data = guard.read_bytes(file, limits)
    found = formats.detect(data[: formats.HEAD_BYTES], file)
    if found.reader is None:
        raise FileError(file, f"is {found.title}, which can be written but not read")
    read = formats.resolve(found.reader)
    given = _options(read, f"{file}: reading {found.title}", unit, options)
    try:
        character: Character = read(data, file, limits, **given)
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
    return _with_sidecar(with_marks(_with_size(character), file), file)


def _with_size(character: Character) -> Character:
    """The character, whose report says if it is of a size that few bodies are meant to have."""
    size = size_of(rest_positions(character.skeleton))
    if size <= 0 or ODD_SIZES[0] <= size <= ODD_SIZES[1]:
        return character
    report = ReportBuilder()
    report.add_all(character.report)
    unit = "a file that counts in another unit than its format states makes bodies too large or too small"
    report.add("unusual", f"the body is {size:.3g} m in size; {unit}")
    return character.replace(report=report.build())


def _with_sidecar(character: Character, file: Path) -> Character:
    """The character with the anatomy that is kept beside its file, if there is one and the file has none itself."""
    sidecar = sidecar_of(file)
    if character.anatomy is not None or not sidecar.is_file():
        return character
    return character.replace(anatomy=load_anatomy(sidecar, character.skeleton))


def _options(
    function: Callable[..., Any], owner: str, unit: str | float | None, given: dict[str, Any]
) -> dict[str, Any]:
    """The options of a reader or writer, with the unit in metres.

    Raises:
        InputError: if it takes no such option.
    """
    named = given if unit is None else {**given, "metres_per_unit": units.unit_length(unit)}
    taken = [name for name, one in inspect.signature(function).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in named:
        if name not in taken:
            if name not in given:
                raise InputError(f"{owner} takes no unit, since the format states its own")
            choices = f"there are {', '.join(taken)}" if taken else "there is none"
            raise InputError(f"{owner} takes no option {name!r}; {choices}")
    return named


def _path_of(given: object, asker: str) -> Path:
    if isinstance(given, (str, os.PathLike)) and given != "":
        return Path(given)
    wrong = "an empty name" if given == "" else type(given).__name__
    raise InputError(f"{asker} expected a path, such as 'hero.glb'; got {wrong}")


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


PAGES = (".html", ".htm")
"""Endings of pages for the browser, which `mummer.grid` makes."""
PICTURES = (".png", ".gif", ".mp4")
"""Endings of pictures and films, which `mummer.render` draws."""


def save(
    subject: Character | Recordable, path: str | os.PathLike[str], *, unit: str | float | None = None, **options: Any
) -> Report:
    """Write a character with its recordings, or a clip with its body, in the format that the ending of ``path`` names.

    The file is written whole or not at all.

    Args:
        subject: a character; or a clip, which is written with its body, beside the recordings that this has.
        path: ends in .glb, .gltf, .vrm, .vrma, .bvh, .usda, .usdc or .usdz; or in .png, .gif or .mp4 for a picture, a
            contact sheet or a film; or in .html for a page that plays it in the browser.
        unit: how long a unit shall be in formats that do not say (BVH), ``cm``, ``inch`` ... or metres as a number.
        options: passed to the format's writer; for a clip also ``rate``, ``name`` and ``travel``, see
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
    if file.suffix.lower() in PAGES:
        formats.resolve("mummer.grid.viewer:save_page")(subject, file, **options)
        return Report()
    if file.suffix.lower() in PICTURES:
        formats.resolve("mummer.render.saving:save_picture")(subject, file, **options)
        return Report()
    if not isinstance(subject, Character):
        said = {name: options.pop(name) for name in ("rate", "name", "travel") if name in options}
        return save_motions(subject.body, [subject.to_recording(**said)], file, unit=unit, **options)
    chosen = formats.for_writing(file)
    assert chosen.writer is not None
    write = formats.resolve(chosen.writer)
    report: Report = write(subject, file, **_options(write, f"{file}: writing {chosen.title}", unit, options))
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
