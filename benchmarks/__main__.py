"""``python -m benchmarks [case…] [--json]``: run named cases and print how we compare."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import platform
import sys
from dataclasses import asdict

import numpy as np

from benchmarks import cases
from benchmarks.timing import Case, Row, side_by_side, yardstick

UNITS = ((1e-3, "µs", 1e6), (1.0, "ms", 1e3), (float("inf"), "s", 1.0))


def main() -> int:
    names = sorted(module.name for module in pkgutil.iter_modules(cases.__path__))
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time the kernels beside their peers.")
    parser.add_argument("case", nargs="*", help=f"which to run (default: all): {', '.join(names)}")
    parser.add_argument("--json", action="store_true", help="one object a line for programs")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each contender; the best counts")
    parser.add_argument("--floor", type=float, default=0.1, help="seconds a turn lasts at least")
    options = parser.parse_args()
    for unknown in sorted(set(options.case) - set(names)):
        parser.error(f"no case '{unknown}'; there are: {', '.join(names)}")
    report(options.json, {"machine": machine(), **yardstick()})
    for name in options.case or names:
        for case in importlib.import_module(f"benchmarks.cases.{name}").cases():
            try:
                rows = side_by_side(case, rounds=options.rounds, floor=options.floor)
            finally:
                case.close()
            print_case(case, rows, as_json=options.json)
    report(options.json, yardstick())
    return 0


def machine() -> str:
    from mummer.kernels import thread_count

    return f"Python {platform.python_version()}, numpy {np.__version__}, {thread_count()} threads, {platform.machine()}"


def report(as_json: bool, values: dict[str, object]) -> None:
    print(
        json.dumps(values) if as_json else "yardstick: " + ", ".join(f"{k} {v}" for k, v in values.items()), flush=True
    )


def print_case(case: Case, rows: list[Row], *, as_json: bool) -> None:
    if as_json:
        for row in rows:
            print(json.dumps({"case": case.name, "frames": case.frames, **asdict(row)}), flush=True)
        return
    print(f"\n{case.name}: {case.work}")
    print(f"  {'':44} {'best':>10} {'worst':>10} {'a frame':>10}   ours / this")
    for row in rows:
        if row.best is None or row.worst is None:
            print(f"  {row.contender:44} {'not installed':>10}")
            continue
        per_frame = f"{row.best / case.frames * 1e6:.3f} µs"
        times = f"{shown(row.best):>10} {shown(row.worst):>10} {per_frame:>10}"
        print(f"  {row.contender:44} {times}   {row.ratio:8.3f}   {row.kind}", flush=True)


def shown(seconds: float) -> str:
    for limit, unit, scale in UNITS:
        if seconds < limit:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds} s"


if __name__ == "__main__":
    sys.exit(main())
