"""Where compiled code is kept when numba finds no place for it: neither beside the source nor in the user's home."""

from __future__ import annotations

from types import FunctionType

from mummer.disk_cache import private_folder


def provide_folder(function: FunctionType) -> None:
    """Have numba keep code among temporary files of this user alone, if it has nowhere to keep that of ``function``."""
    from numba.core import caching, config

    try:
        caching.FunctionCache(function)
    except RuntimeError:
        folder = private_folder()
        if folder is not None:
            config.CACHE_DIR = str(folder)
