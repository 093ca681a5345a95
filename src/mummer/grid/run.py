"""Running the grid: play what is not yet played, note every verdict, and write the page."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from mummer import __version__
from mummer.atomic import write_bytes
from mummer.errors import InputError
from mummer.grid.history import past_of, remember
from mummer.grid.journal import Journal
from mummer.grid.page_folder import Page
from mummer.grid.plan import Plan
from mummer.grid.play import Outcome, Task
from mummer.grid.summary import Summary, summarize
from mummer.grid.verdict import Verdict
from mummer.grid.workers import play_all

Progress = Callable[[Verdict, int, int], None]
"""Told of every verdict as it is reached, with how many there are so far and how many there will be."""
LIMIT = 120.0
"""Seconds that one cell may take; most take a fraction of one, and compiling for the first time under a minute."""


def run_grid(
    plan: Plan,
    folder: Path,
    *,
    workers: int = 1,
    limit: float = LIMIT,
    cluster: str = "",
    fresh: bool = False,
    shown: bool = True,
    progress: Progress | None = None,
) -> Summary:
    """Play every cell of a plan and write the page, the summary and the history into ``folder``.

    A run that was interrupted goes on where it was. The order of results is that of the plan, whoever played them.

    Args:
        plan: animations and bodies.
        folder: where the page goes: open its ``index.html``.
        workers: processes on this machine.
        limit: seconds that one cell may take.
        cluster: address of a Dask scheduler to send the cells to, instead of playing them here.
        fresh: whether to play all again even where an interrupted run could go on.
        shown: whether the page must be one that a browser can show; else it may lack the viewer, if none was built.
        progress: told of every verdict.

    Raises:
        InputError: if there is nothing to play.
        MissingExtraError: if a cluster is asked for and Dask is not installed.
    """
    if not plan.cells:
        raise InputError(f"a grid of {len(plan.animations)} animations and {len(plan.bodies)} bodies has no cells")
    page = Page(folder, shown=shown)
    journal = Journal.open(folder, plan, fresh=fresh)
    finished = False
    try:
        tasks = _tasks(plan, journal, page)
        with closing(_play(tasks, workers, limit, cluster)) as outcomes:
            _note(outcomes, journal, page, len(plan.cells), progress)
        finished = True
    finally:
        journal.close(finished=finished)
    return _conclude(plan, folder, page, [journal.verdicts[cell] for cell in plan.cells])


def _tasks(plan: Plan, journal: Journal, page: Page) -> list[Task]:
    """What is left to do; the motion of a cell that was judged is there already."""
    return [
        Task(cell, plan.player, plan.keeps(place), not page.has_body(cell.body))
        for place, cell in enumerate(plan.cells)
        if cell not in journal.verdicts
    ]


def _play(tasks: Sequence[Task], workers: int, limit: float, cluster: str) -> Generator[Outcome]:
    if cluster:
        from mummer.grid.cluster import play_on_cluster

        return play_on_cluster(tasks, cluster, limit=limit)
    return play_all(tasks, workers=workers, limit=limit)


def _note(outcomes: Iterable[Outcome], journal: Journal, page: Page, total: int, progress: Progress | None) -> None:
    for outcome in outcomes:
        # The motion first: what the journal knows is not played again.
        page.keep(outcome)
        journal.add(outcome.verdict)
        if progress is not None:
            progress(outcome.verdict, len(journal.verdicts), total)


def _conclude(plan: Plan, folder: Path, page: Page, verdicts: list[Verdict]) -> Summary:
    """Write what the run comes to."""
    summary = summarize(verdicts)
    when = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    page.add_bodies(plan.bodies)
    past = remember(folder, past_of(verdicts, when=when, version=__version__))
    page.write(plan, verdicts, past)
    write_bytes(folder / "summary.json", msgspec.json.format(msgspec.json.encode(summary), indent=1))
    return summary
