"""One guard against hostile files: bounded reads, paths that stay in their folder, counts that fit what is there."""

from __future__ import annotations

import itertools
import os
import stat
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mummer.errors import FileError, LimitError, MalformedFileError, closest_names
from mummer.io.limits import ReadLimits


def read_bytes(path: Path, limits: ReadLimits) -> bytes:
    """The content of a regular file.

    Raises:
        FileError: if it is not there, cannot be read, or is not a regular file.
        LimitError: if it is larger than ``limits.file_bytes``.
    """
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise FileError(path, "is a folder; expected a file")
        if not stat.S_ISREG(status.st_mode):
            raise FileError(path, "is not a regular file")
        if status.st_size > limits.file_bytes:
            raise LimitError(path, f"is {status.st_size:,} bytes long; the limit is {limits.file_bytes:,}")
        with open(path, "rb") as stream:
            data = stream.read(limits.file_bytes + 1)
    except FileNotFoundError:
        raise FileError(path, f"is not there{_nearest(path)}") from None
    except (OSError, ValueError) as error:
        # ValueError: a path with a NUL in it.
        raise FileError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > limits.file_bytes:
        raise LimitError(path, f"is longer than the limit of {limits.file_bytes:,} bytes")
    return data


def _nearest(path: Path) -> str:
    """The file of the same folder that was perhaps meant, for the error message."""
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry in itertools.islice(entries, 2000)]
    except OSError:
        return ""
    near = closest_names(path.name, names, most=1)
    return f"; closest: {near[0]!r}" if near else ""


def path_beside(path: Path | None, uri: str) -> Path:
    """The file that ``uri`` means, which must lie in the folder of ``path`` or below it.

    Raises:
        MalformedFileError: if it climbs out of the folder, is absolute, or names a scheme.
    """
    if path is None:
        raise MalformedFileError(path, f"names the side file {uri[:80]!r}, but is not itself a file in a folder")
    try:
        parts = urlsplit(uri)
        name = unquote(parts.path)
    except ValueError:
        raise MalformedFileError(path, f"names a side file that is no address: {uri[:80]!r}") from None
    if parts.scheme or parts.netloc:
        raise MalformedFileError(path, f"names {uri[:80]!r}; only files beside it are read")
    folder = path.resolve().parent
    try:
        target = (folder / name).resolve()
        inside = target.is_relative_to(folder)
    except (OSError, ValueError, RuntimeError):
        inside = False
    if not inside or "\0" in name or Path(name).is_absolute():
        raise MalformedFileError(path, f"names {uri[:80]!r}, which lies outside its folder")
    return target


def require_at_most(path: Path | None, count: int, most: int, what: str) -> None:
    """Raise unless ``count`` of something is within a limit.

    Raises:
        LimitError: saying what there is too much of.
    """
    if count > most:
        raise LimitError(path, f"has {count:,} {what}; the limit is {most:,}")
