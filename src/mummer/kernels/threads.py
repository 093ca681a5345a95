"""Threads of our own that share out the items of a kernel.

Compiled loops let go of Python's global lock, so ordinary threads run them side by side. Compared with numba's
``prange`` this needs one compilation less, is safe after ``fork`` and from several Python threads at once (of numba's
threading layers that pip brings, none is both), and hands out small pieces, so a thread that the system delays holds
up the others less.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class _Mine(threading.local):
    """What each thread knows of itself."""

    is_sharing = False


_mine = _Mine()
_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None


def thread_count() -> int:
    """How many threads a batch may use: ``NUMBA_NUM_THREADS``, else the cores this process may run on."""
    from numba import config

    return int(getattr(config, "NUMBA_NUM_THREADS"))  # noqa: B009


def share_out(loop: Callable[..., Any], count: int, grain: int, arguments: Sequence[Any]) -> None:
    """Run ``loop(start, stop, *arguments)`` over all of ``range(count)``, on several threads when it is worth it.

    Args:
        loop: a compiled loop whose items do not depend on each other, or a Python function that mostly runs such loops.
        count: the number of items.
        grain: items a piece; a batch of one piece runs on the calling thread, with no overhead.
        arguments: passed on.
    """
    workers = 1 if count <= grain or _mine.is_sharing else min(thread_count(), -(-count // grain))
    if workers <= 1:
        loop(0, count, *arguments)
        return
    starts, starts_lock = iter(range(0, count, grain)), threading.Lock()

    def work() -> None:
        # What a piece itself would share out runs on its own thread: all are busy already.
        _mine.is_sharing = True
        try:
            while True:
                with starts_lock:
                    start = next(starts, None)
                if start is None:
                    return
                loop(start, min(count, start + grain), *arguments)
        finally:
            _mine.is_sharing = False

    pool = _shared_pool()
    helpers: list[Future[None]] = [pool.submit(work) for _ in range(workers - 1)]
    try:
        work()
    finally:
        for helper in helpers:
            # One that never started has nothing left to do: the calling thread emptied the list.
            if not helper.cancel():
                helper.result()


def _shared_pool() -> ThreadPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max(1, thread_count() - 1), thread_name_prefix="mummer-kernel")
        return _pool


def _forget_pool() -> None:
    """A forked child has the pool's memory without its threads, and perhaps a lock that nobody will release."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)
