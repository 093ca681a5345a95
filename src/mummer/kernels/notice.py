"""Say that code is being compiled when that takes a while: it happens once, but can take minutes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds of compiling that need no word."""

Tell = Callable[[bool], None]
_tell: Tell | None = None


def on_slow_compiling(tell: Tell | None) -> None:
    """Have ``tell`` called, once, when compiling takes longer than `PATIENCE`; None for silence, as a library keeps.

    Args:
        tell: told whether what is compiled is kept for the next time.
    """
    global _tell
    _tell = tell


@contextmanager
def noticed(*, kept: bool) -> Iterator[None]:
    """Around compiling, never around reading what was compiled before.

    Args:
        kept: whether the result is kept for the next time.
    """
    timer = threading.Timer(PATIENCE, _say, [kept])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _say(kept: bool) -> None:
    global _tell
    tell, _tell = _tell, None
    if tell is not None:
        tell(kept)
