"""Timing side by side: contenders take turns, the best round counts, and a yardstick says how the machine was."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Contender:
    """One way to do the work of a case.

    Attributes:
        name: what it is.
        run: does the work once; None when it is not installed.
        kind: ``ours``, ``peer`` or ``limit``.
        seconds: measures one run by itself where a call from here would not, such as in another process.
    """

    name: str
    run: Callable[[], object] | None
    kind: str = "peer"
    seconds: Callable[[], float] | None = None

    @property
    def here(self) -> bool:
        return self.run is not None or self.seconds is not None


@dataclass(frozen=True)
class Case:
    """The same work done by several contenders; ratios are the first one's time over each of the others'."""

    name: str
    work: str
    frames: int
    contenders: list[Contender]
    close: Callable[[], None] = field(default=lambda: None)


@dataclass(frozen=True)
class Row:
    contender: str
    kind: str
    best: float | None
    worst: float | None
    ratio: float | None


def clock(contender: Contender, inner: int) -> float:
    """Seconds a run, the mean over ``inner`` of them."""
    if contender.seconds is not None:
        return contender.seconds()
    assert contender.run is not None
    start = time.perf_counter()
    for _ in range(inner):
        contender.run()
    return (time.perf_counter() - start) / inner


def side_by_side(case: Case, *, rounds: int, floor: float) -> list[Row]:
    """Time the contenders in turns, each turn at least ``floor`` seconds long."""
    present = [contender for contender in case.contenders if contender.here]
    inner = {}
    for contender in present:
        clock(contender, 1)
        inner[contender.name] = max(1, round(floor / max(1e-7, clock(contender, 1))))
    times: dict[str, list[float]] = {contender.name: [] for contender in present}
    gc.disable()
    try:
        for _ in range(rounds):
            for contender in present:
                times[contender.name].append(clock(contender, inner[contender.name]))
    finally:
        gc.enable()
    ours = min(times[case.contenders[0].name])
    return [row_of(contender, times.get(contender.name), ours) for contender in case.contenders]


def row_of(contender: Contender, times: list[float] | None, ours: float) -> Row:
    if times is None:
        return Row(contender.name, contender.kind, None, None, None)
    return Row(contender.name, contender.kind, min(times), max(times), ours / min(times))


def yardstick() -> dict[str, float]:
    """How fast the machine is just now: microseconds of a pure-Python sum, the load, and CPU ticks stolen so far."""
    best = min(clock(Contender("sum", lambda: sum(range(100_000))), 3) for _ in range(5))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    stat = Path("/proc/stat")
    stolen = float(stat.read_text().split("\n")[0].split()[8]) if stat.exists() else float("nan")
    return {"python_sum_us": round(1e6 * best, 1), "load": load, "stolen_ticks": stolen}
