"""Writing that never leaves half a file: write to a temporary name beside the target, then rename."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mummer.errors import FileError


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
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=target.suffix, dir=target.parent)
        os.close(handle)
    except OSError as error:
        raise FileError(target, f"cannot be written: {error.strerror or error}") from None
    temporary = Path(name)
    try:
        yield temporary
        with open(temporary, "rb") as stream:
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        raise FileError(target, f"cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


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
