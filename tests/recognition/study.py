"""How well rigs are recognised when they are made harder: ``python -m tests.recognition.study [--json]``.

Families of rigs are split in two. The second half was held out once and has been looked at since: both halves say how
well weights are fitted, and the split serves to compare with earlier figures. ``--failures`` names those of the first.
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from mummer.recognition import recognize
from tests.conftest import find_data
from tests.recognition.rigs import Rig, judge, load_rigs
from tests.recognition.variants import NAMINGS, VARIANTS, Change


@dataclass(frozen=True)
class Outcome:
    """How one rig fared in one variant."""

    variant: str
    names: bool
    file: str
    held_out: bool
    wrong: tuple[str, ...]
    swapped: tuple[str, ...]


def held_out(rigs: list[Rig]) -> set[str]:
    """The families that nobody looks at while setting weights: every second one."""
    return set(sorted({rig.family for rig in rigs})[1::2])


def trials(only: str) -> Iterator[tuple[str, bool, Change]]:
    """Every variant with and without names."""
    for variant, change in VARIANTS.items():
        for names in (False, True):
            if only in variant:
                yield variant, names, change
    for variant, change in NAMINGS.items():
        if only in variant:
            yield variant, True, change


def study(rigs: list[Rig], only: str = "") -> Iterator[Outcome]:
    """Every rig in every variant that it can take; the same chance each time."""
    hidden = held_out(rigs)
    for variant, names, change in trials(only):
        for rig in rigs:
            harder = change(rig, np.random.default_rng(zlib.crc32(f"{variant} {rig.file}".encode())))
            if harder is None:
                continue
            wrong, swapped = judge(harder, recognize(harder.character, ignore_names=not names))
            yield Outcome(variant, names, rig.file, rig.family in hidden, tuple(wrong), tuple(swapped))


def rows(outcomes: list[Outcome]) -> Iterator[dict[str, object]]:
    """One row a variant: how many rigs are wholly right in each half, and how many sides are confidently wrong."""
    for variant, names in dict.fromkeys((each.variant, each.names) for each in outcomes):
        found = [each for each in outcomes if (each.variant, each.names) == (variant, names)]
        halves = [[each for each in found if each.held_out == hidden] for hidden in (False, True)]
        tuned, other = ([not each.wrong for each in half] for half in halves)
        yield {
            "variant": variant, "names": names, "seen": [sum(tuned), len(tuned)], "held_out": [sum(other), len(other)],
            "confident_swaps": sum(bool(each.swapped) for each in found),
        }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--only", default="", help="variants whose name holds this word")
    parser.add_argument("--failures", action="store_true", help="name what fails in the half that may be looked at")
    options = parser.parse_args()
    data = find_data()
    if data is None:
        print("real files are not here: set MUMMER_DATA to the folder that holds characters/ and motions/")
        return 2
    outcomes: list[Outcome] = []
    for _, group in groupby(study(load_rigs(data), options.only), key=lambda each: (each.variant, each.names)):
        variant = list(group)
        outcomes += variant
        for row in rows(variant):
            print(json.dumps(row) if options.json else _line(row), flush=True)
    if not options.json:
        print(_totals(outcomes))
    for each in outcomes if options.failures else ():
        if each.wrong and not each.held_out:
            print(f"{each.variant}, names {each.names}: {each.file}: {' '.join(each.wrong[:6])} | {len(each.swapped)}")
    return 0


def _line(row: dict[str, object]) -> str:
    (right, count), (others, rest) = row["seen"], row["held_out"]  # type: ignore[misc]
    names = "with names" if row["names"] else "without"
    return (
        f"{row['variant']!s:26}{names:12}{right:3} of {count:2}   held out {others:3} of {rest:2}"
        f"   confident swaps {row['confident_swaps']}"
    )


def _totals(outcomes: list[Outcome]) -> str:
    parts = []
    for names in (False, True):
        for hidden in (False, True):
            half = [each for each in outcomes if (each.names, each.held_out) == (names, hidden)]
            share = np.mean([not each.wrong for each in half]) if half else 1.0
            parts.append(f"{'names' if names else 'shape'} {'held out' if hidden else 'seen'} {share:.1%}")
    return f"{', '.join(parts)}, confident swaps {sum(bool(each.swapped) for each in outcomes)}"


if __name__ == "__main__":
    sys.exit(main())
