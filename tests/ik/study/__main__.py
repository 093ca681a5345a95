"""``python -m tests.ik.study --problems 500000 --solver mass_weighted --jobs 2``; ``--replay BODY SEED`` for one."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from mummer.ik.solve import HOMES
from tests.ik.study.replay import replay
from tests.ik.study.run import BATCH, run_study, stretch_of
from tests.ik.study.tally import Tally

SHOWN = 3
"""Cases of a kind that the table shows; the object for programs has more."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ik.study", description=__doc__)
    parser.add_argument("--problems", type=int, default=500_000, help="how many, over all bodies")
    parser.add_argument("--solver", default="mass_weighted", choices=sorted(HOMES))
    parser.add_argument("--bodies", default="all", help="all, zoo, creatures, rigs, or one name as replays print it")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--first-seed", type=int, default=0, help="another number gives other problems")
    parser.add_argument("--json", action="store_true", help="one object for programs")
    parser.add_argument("--replay", nargs=2, metavar=("BODY", "SEED"), help="solve one batch again and show it")
    parser.add_argument("--index", type=int, help="with --replay: one problem of the batch")
    parser.add_argument("--picture", help="with --index: write a picture of start, answer and moved answer")
    options = parser.parse_args()
    if options.replay:
        body, seed = options.replay
        return replay(options.solver, body, int(seed), options.index, options.picture)
    tally = Tally(stretch_of(options.solver))
    with _progress(quiet=options.json) as progress:
        task = progress.add_task(options.solver, total=options.problems)
        pieces = run_study(
            options.solver, options.problems, which=options.bodies, jobs=options.jobs, first_seed=options.first_seed
        )
        for piece in pieces:
            tally.merge(piece)
            done = sum(number for name, number in piece.counts.items() if name in (*tally.jumps, "refused"))
            progress.advance(task, done or BATCH)
    summary = {"solver": options.solver, "first_seed": options.first_seed, "bodies": options.bodies, **tally.summary()}
    print(json.dumps(summary) if options.json else table(summary, tally))  # noqa: T201
    return 0


def table(summary: dict[str, Any], tally: Tally) -> str:
    lines = [f"{summary['solver']}: {summary['problems']} problems, {summary['microseconds_a_problem']:.1f} µs each"]
    lines += [f"  {name:28} {number}" for name, number in sorted(summary["counts"].items())]
    missed, jumps = summary["missed_percentiles"], summary["jump_percentiles"]
    lines.append(f"  reachable met: {100 * summary['met_share']:.3f} %   missed by: {_row(missed)}")
    lines.append("    " + "  ".join(f"{name} {100 * share:.2f} %" for name, share in summary["met_shares"].items()))
    lines += [f"  pose change per goal change, {kind:12} {_row(row)}" for kind, row in jumps.items()]
    for message, entry in list(summary["refused"].items())[:SHOWN]:
        lines.append(f"  refused {entry['problems']}: {message}   {entry['case']}")
    for what, cases in sorted(tally.worst.items()):
        lines += [f"  worst, {what}: {case}" for case in cases[:SHOWN]]
    return "\n".join(lines)


def _row(percentiles: dict[str, float]) -> str:
    return "  ".join(f"{name}: {value:.4g}" for name, value in percentiles.items())


def _progress(*, quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    return Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True), disable=quiet)


if __name__ == "__main__":
    sys.exit(main())
