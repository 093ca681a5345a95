"""Say that code is being compiled when that takes a while: it happens once, but can take minutes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds of compiling that need no word."""

Tell = Callable[[bool], None]


def sentence(kept: bool) -> str:
    """What is being waited for.

    Example:
        >>> sentence(True)
        'compiling for this machine, which is kept for the next time; it can take a few minutes ...'
    """
    after = (
        "which is kept for the next time" if kept else "for this run alone, as no folder to keep it in can be written"
    )
    return f"compiling for this machine, {after}; it can take a few minutes ..."


def _log(kept: bool) -> None:
    import logging

    logging.getLogger("mummer").warning("mummer: %s", sentence(kept))


_tell: Tell | None = _log


def on_slow_compiling(tell: Tell | None) -> None:
    """Have ``tell`` called, once, when compiling takes longer than `PATIENCE`; None for silence.

    Who says nothing gets a warning of the logger ``mummer``, which Python shows unless told otherwise.

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
        with _interruptible():
            yield
    finally:
        timer.cancel()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Lets an interruption through that the compiler, which calls back from C, would swallow or fail of.

    Raises:
        KeyboardInterrupt: if there was one.
    """
    swallowed: list[type[BaseException]] = []
    before = sys.unraisablehook

    def heard(found: sys.UnraisableHookArgs) -> None:
        if issubclass(found.exc_type, KeyboardInterrupt):
            swallowed.append(found.exc_type)
        else:
            before(found)

    sys.unraisablehook = heard
    try:
        yield
    except Exception:
        if not swallowed:
            raise
    finally:
        sys.unraisablehook = before
    if swallowed:
        raise KeyboardInterrupt


def _say(kept: bool) -> None:
    global _tell
    tell, _tell = _tell, None
    if tell is not None:
        tell(kept)
