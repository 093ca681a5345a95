"""Where compiled code is kept when numba finds no place for it: neither beside the source nor in the user's home."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from types import FunctionType


def provide_folder(function: FunctionType) -> None:
    """Have numba keep code among temporary files of this user alone, if it has nowhere to keep that of ``function``."""
    from numba.core import caching, config

    try:
        caching.FunctionCache(function)
    except RuntimeError:
        folder = private_folder()
        if folder is not None:
            config.CACHE_DIR = str(folder)


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
