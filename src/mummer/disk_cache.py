"""What takes a while to make and is the same every time, kept in the user's cache between runs.

The folder is ``$MUMMER_CACHE``, else ``mummer`` where the system keeps caches, else one among temporary files that
outlasts the process; where none can be written to, things are made anew each time. An entry is used only by the very
program that wrote it: any change of a file of the package, of Python or of numpy makes it void.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from mummer.atomic import unsynced, write_bytes
from mummer.errors import MummerError

VARIABLE = "MUMMER_CACHE"
MOST = 256
"""Entries that are kept; the oldest make room."""
ALIGNMENT = 64
"""Bytes; where each array begins in a file."""
ARRAYS = ("numpy", "numpy._core.numeric", "numpy._core.multiarray")
"""Modules of numpy whose names an entry may refer to, beside classes of this package."""

Made = TypeVar("Made")


def cached(kind: str, key: bytes, make: Callable[[], Made]) -> Made:
    """What ``make`` gives; read from the cache if it was made before.

    Args:
        kind: what it is, a word; part of the name of the file.
        key: everything that it depends on, beside the program itself.
        make: makes it, a value of frozen dataclasses, tuples and read-only arrays.
    """
    folder = cache_folder()
    stamp = program_stamp()
    if folder is None or stamp is None:
        return make()
    place = folder / f"{kind}-{hashlib.sha256(_package().as_posix().encode() + b'|' + key).hexdigest()[:24]}"
    with contextlib.suppress(Exception):  # whatever is wrong with an entry, it can be made again
        found: Made = _unpacked(place.read_bytes(), stamp)
        return found
    made = make()
    with contextlib.suppress(OSError, MummerError), unsynced():
        write_bytes(place, _packed(made, stamp))
        _make_room(folder)
    return made


def key_of(*parts: str | np.ndarray[Any, Any] | None) -> bytes:
    """A short key that differs when any of ``parts`` does."""
    digest = hashlib.sha256()
    for part in parts:
        array = None if part is None or isinstance(part, str) else np.ascontiguousarray(part)
        about = repr(part) if array is None else f"{array.dtype} {array.shape}"
        digest.update(about.encode())
        if array is not None:
            digest.update(array.data)
    return digest.digest()


@lru_cache(maxsize=1)
def program_stamp() -> bytes | None:
    """What the program is made of: a digest that any edit or new installation changes; None if it is no folder."""
    digest = hashlib.sha256(f"{sys.version} {np.__version__} {pickle.HIGHEST_PROTOCOL}".encode())
    files = sorted(_files(_package()))
    for name, found in files:
        digest.update(f"{name} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}\n".encode())
    return digest.digest() if files else None


def cache_folder() -> Path | None:
    """Where this user's caches are; None where nothing can be kept."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    with contextlib.suppress(RuntimeError):  # no home
        folder = _system_folder()
        there = next((each for each in (folder, *folder.parents) if each.exists()), None)
        if there is not None and os.access(there, os.W_OK):
            return folder
    return private_folder()


def _system_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "mummer"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "mummer"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mummer"


def private_folder() -> Path | None:
    """A temporary folder that outlasts the process and that this user alone can write to; None if there is none."""
    user = os.getuid() if hasattr(os, "getuid") else None  # without user numbers, temporary files are apart anyway
    try:
        folder = Path(tempfile.gettempdir()) / ("mummer" if user is None else f"mummer-{user}")
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    is_safe = user is None or (found.st_uid == user and not found.st_mode & 0o022)
    return folder if is_safe and stat.S_ISDIR(found.st_mode) else None


def _package() -> Path:
    return Path(__file__).parent


def _files(folder: Path | str) -> Iterator[tuple[str, os.stat_result]]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _files(entry.path)
            elif entry.name.endswith((".py", ".toml")):
                yield entry.path, entry.stat()


def _packed(value: object, stamp: bytes) -> bytes:
    """The stamp, how long each part is, what is to be read, and the arrays behind it."""
    arrays: list[pickle.PickleBuffer] = []
    text = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    parts = [memoryview(text), *(array.raw() for array in arrays)]
    stream = io.BytesIO()
    stream.write(stamp)
    stream.write(np.array([len(parts), *(part.nbytes for part in parts)], "<i8").tobytes())
    for part in parts:
        stream.write(bytes(-stream.tell() % ALIGNMENT))
        stream.write(part)
    return stream.getvalue()


def _unpacked(data: bytes, stamp: bytes) -> Any:
    """The value, with arrays that are views of ``data`` and so cannot be written to."""
    if data[: len(stamp)] != stamp:
        raise ValueError("another program wrote this")
    place = len(stamp)
    count = int.from_bytes(data[place : place + 8], "little")
    sizes = np.frombuffer(data, "<i8", count, place + 8).tolist()
    place += 8 * (1 + count)
    parts = []
    for size in sizes:
        place += -place % ALIGNMENT
        parts.append(memoryview(data)[place : place + size])
        place += size
    return _Reader(io.BytesIO(parts[0]), buffers=parts[1:]).load()


class _Reader(pickle.Unpickler):
    """Reads values of this package and arrays, and runs nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name)
        if module not in ARRAYS and not (module.startswith("mummer.") and isinstance(found, type)):
            raise pickle.UnpicklingError(f"{module}.{name} has no place in a cache")
        return found


def _make_room(folder: Path) -> None:
    with os.scandir(folder) as found:
        entries = [(entry.stat().st_mtime_ns, entry.path) for entry in found if entry.is_file()]
    for _, path in sorted(entries)[: max(0, len(entries) - MOST)]:
        os.unlink(path)
