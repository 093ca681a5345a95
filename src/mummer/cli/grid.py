"""``mummer grid``: every animation on every body, judged, and a page that shows it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mummer.cli.ranges import MOST_JOBS, require_between
from mummer.cli.writing import require_folder

if TYPE_CHECKING:
    from mummer.grid import Summary
    from mummer.grid.run import Progress

SHOWN = 15
"""Failures that are listed in the terminal; the page has all."""


def grid(
    animations: str = typer.Option(
        "", "--animations", "-a", help="Names, by commas; all animations and gaits if left out."
    ),
    bodies: str = typer.Option(
        "", "--bodies", "-b", help="Names of the zoo, zoo for all of it, random:SEED, files or folders, by commas."
    ),
    random: int = typer.Option(0, "--random", min=0, help="Add so many random creatures.", metavar="N"),
    seed: int = typer.Option(1, "--seed", help="Of the first random creature.", metavar="S"),
    output: Path = typer.Option(Path("grid"), "--output", "-o", help="The folder of the page.", metavar="DIR"),
    jobs: int = typer.Option(
        0, "--jobs", "-j", min=0, max=MOST_JOBS, help="Processes; as many as there are cores if 0.", metavar="N"
    ),
    limit: float = typer.Option(120.0, "--limit", help="Seconds that one cell may take.", metavar="SECONDS"),
    cluster: str = typer.Option("", "--cluster", help="Send the cells to this Dask scheduler.", metavar="ADDRESS"),
    player: str = typer.Option("", "--player", help="What makes the motions, as module:function.", metavar="NAME"),
    fresh: bool = typer.Option(False, "--fresh", help="Play all again, even if a run was interrupted."),
    strict: bool = typer.Option(False, "--strict", help="Leave with code 1 unless every cell passed."),
    json: bool = typer.Option(False, "--json", help="Print the result as one JSON object."),
) -> None:
    """Play every animation on every body, judge the motions, and write a page that shows them.

    Open DIR/index.html in a browser: it needs no server. Click a cell to see it play, and why it failed. A run that was
    interrupted goes on where it was when it is started again. docs/guides/grid.md says what is measured. The exit code
    is 1 if a cell could not be played, and 2 if none could.

    \b
    Examples:
      mummer grid
      mummer grid --animations wave,nod --bodies adult,dog,spider -o out
      mummer grid --bodies zoo,creatures/ --random 500 --seed 1 --json
      mummer grid --random 5000 --cluster tcp://10.0.0.5:8786
    """
    import msgspec

    from mummer.grid import Plan, all_bodies, run_grid
    from mummer.grid.player import PERFORM, find_player

    require_between("--limit", limit, 0, 24 * 3600.0, unit="seconds")
    require_folder(output)
    name = player or PERFORM
    find_player(name)
    plan = Plan(_animations(animations, name), all_bodies(_words(bodies), random=random, seed=seed), name)
    try:
        with _progress(len(plan.cells), quiet=json) as progress:
            summary = run_grid(
                plan, output, workers=jobs or len(os.sched_getaffinity(0)), limit=limit, cluster=cluster, fresh=fresh,
                shown=not json, progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        typer.echo(f"what was played is kept in {output}; the same command goes on from there", err=True)
        raise
    if json:
        typer.echo(msgspec.json.encode(summary).decode())
    else:
        _tell(summary, output)
    if summary.crashed:
        raise typer.Exit(2 if summary.crashed == summary.cells else 1)
    if strict and summary.failed:
        raise typer.Exit(1)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _animations(text: str, player: str) -> tuple[str, ...]:
    """The animations asked for; those of the library are checked before anything is played."""
    from mummer.general import load_animation
    from mummer.grid.player import PERFORM, performable

    words = _words(text)
    if player != PERFORM:
        return tuple(dict.fromkeys(words))
    known = performable()
    for word in words:
        if word not in known:
            load_animation(word)
    return tuple(dict.fromkeys(words or known))


def _tell(summary: Summary, folder: Path) -> None:
    """The result in a few lines."""
    for failure in summary.failures[:SHOWN]:
        typer.echo(
            f"{failure.animation} on {failure.body}: {failure.measure} {failure.value:g} > {failure.threshold:g}"
            f"{' (' + failure.where + ')' if failure.where else ''}"
        )
    if len(summary.failures) > SHOWN:
        typer.echo(f"and {len(summary.failures) - SHOWN} more")
    for crash in summary.crashes[:SHOWN]:
        typer.echo(f"{crash.animation} on {crash.body}: crashed: {crash.reason}")
    for name in ("touch", "support"):
        if name in summary.measures:
            tally = summary.measures[name]
            typer.echo(f"beside that, {name}: {tally.passed} of {tally.judged} pass")
    typer.echo(
        f"{summary.passed} of {summary.cells - summary.not_admitted} passed ({100 * summary.share_passed:.1f} %), "
        f"{summary.failed} failed, {summary.crashed} crashed, {summary.not_admitted} not admitted; "
        f"open {folder / 'index.html'}"
    )


@contextlib.contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[Progress | None]:
    """A bar on the terminal that tells how far the grid is; nothing where nobody watches."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from mummer.grid import Verdict

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[now]}"))
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total, now="")

        def told(verdict: Verdict, done: int, _: int) -> None:
            bar.update(task, completed=done, now=f"{verdict.animation} on {verdict.body}: {verdict.status}")

        yield told
