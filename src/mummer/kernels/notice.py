"""Say that code is being compiled when that takes a while: it happens once, but the first time can take a minute."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds of compiling that need no word."""

_tell: Callable[[], None] | None = None


def on_slow_compiling(tell: Callable[[], None] | None) -> None:
    """Have ``tell`` called, once, when compiling takes longer than `PATIENCE`; None for silence, as a library keeps."""
    global _tell
    _tell = tell


@contextmanager
def noticed() -> Iterator[None]:
    """Around compiling."""
    timer = threading.Timer(PATIENCE, _say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _say() -> None:
    global _tell
    tell, _tell = _tell, None
    if tell is not None:
        tell()
