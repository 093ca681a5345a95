"""Writing that never leaves half a file: write to a temporary name beside the target, then rename."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Container, Iterator
from contextvars import ContextVar
from pathlib import Path

from mummer.errors import FileError

LONGEST = 80
"""Letters of a name that its temporary name has too."""
_TEMPORARY = re.compile(r"\.(.+)\.[a-z0-9_]{8}(\.[^.]*)?", re.DOTALL)
_syncs: ContextVar[bool] = ContextVar("syncs", default=True)


@contextlib.contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Gives a temporary path in the same folder; it takes the place of ``path`` when the block ends well.

    If the block raises, or the process dies, what stood at ``path`` is untouched.

    Example:
        >>> with replacing("out.txt") as temporary:  # doctest: +SKIP
        ...     temporary.write_text("all or nothing")
    """
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:LONGEST]}.", suffix=target.suffix, dir=target.parent)
        os.close(handle)
    except OSError as error:
        raise FileError(target, f"cannot be written: {error.strerror or error}") from None
    temporary = Path(name)
    try:
        yield temporary
        if _syncs.get():
            with open(temporary, "rb") as stream:
                os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        raise FileError(target, f"cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def unsynced() -> Iterator[None]:
    """Within it files are left to the system to bring to the disk in its own time.

    They are still written whole or not at all if the process dies; only a power cut may undo the last of them. For work
    that can be done again and writes thousands of files, each of which would wait for the disk.
    """
    token = _syncs.set(False)
    try:
        yield
    finally:
        _syncs.reset(token)


def strays(folder: Path, names: Container[str]) -> Iterator[Path]:
    """Temporary files for ``names`` in a folder that a process which was killed has left behind."""
    for path in folder.iterdir() if folder.is_dir() else ():
        found = _TEMPORARY.fullmatch(path.name)
        if found is not None and found[1] in names:
            yield path


def write_bytes(path: Path | str, data: bytes | bytearray | memoryview) -> None:
    """Put ``data`` at ``path``, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def write_text(path: Path | str, text: str) -> None:
    """Put ``text`` at ``path`` as UTF-8, whole or not at all."""
    write_bytes(path, text.encode())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
