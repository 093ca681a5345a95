"""``mummer retarget``: motions onto bodies, one or thousands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.ranges import MOST_JOBS
from mummer.cli.simulating import PHYSICS, PUSH, TENSION, Physics, simulate_file
from mummer.cli.subjects import SKELETON, TRAVEL_HELP, UNIT, travel_of
from mummer.cli.telling import LONGEST
from mummer.cli.writing import FORCE, require_folder, require_writable
from mummer.report import elided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mummer.retargeting.batch import Job

SHOWN = (
    ("foot_skate", "skate", "mm/frame"), ("ground_penetration", "sinks", "%"), ("ground_float", "floats", "%"),
    ("bone_direction_error", "direction", "°"), ("jerk_ratio", "jerk", "×"), ("contact_recall", "contacts", ""),
)  # fmt: skip
"""The measures of the table, what to call them there, and their units."""
WAS = "was finished"
SHORTEST = 40
"""Letters that a name in the table has at least."""


def retarget(
    motion: str = typer.Argument(..., help="A motion, or a folder of them.", metavar="MOTION"),
    characters: list[str] = typer.Argument(..., help="Files, folders of files, or zoo:NAME.", metavar="CHARACTER..."),
    output: Path = typer.Option(
        ..., "--output", "-o", help="The file to write, or the folder for several.", metavar="FILE|DIR"
    ),
    clip: list[str] = typer.Option([], "--clip", help="Take only this animation; may be given several times."),
    suffix: str = typer.Option(
        "", "--format", help="What to write into a folder: glb (if not given), bvh, usda ...", metavar="FORMAT"
    ),
    jobs: int = typer.Option(
        0, "--jobs", "-j", min=0, max=MOST_JOBS, help="Processes; as many as there are cores if 0.", metavar="N"
    ),
    measure: bool = typer.Option(True, help="Measure the results for the report."),
    bare: bool = typer.Option(False, "--bare", help="Write joints and motions alone, without meshes and pictures."),
    travel: str = typer.Option("auto", help=TRAVEL_HELP, metavar="auto|hips|root"),
    only_new: bool = typer.Option(False, "--only-new", help="Leave out the animations that a character came with."),
    physics: bool = PHYSICS,
    push: list[str] = PUSH,
    tension: list[str] = TENSION,
    unit: str = UNIT,
    skeleton: str = SKELETON,
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print one JSON object a result."),
) -> None:
    """Move motions onto bodies: one motion onto one character, or every motion onto every character into a folder.

    Bodies are recognised, whatever their joints are called. In a folder, what is finished is not done again: interrupt
    it and start it once more to go on. DIR/report.json holds the measures of every result; docs/guides/measures.md says
    what good values are. One bad file does not stop the rest.

    \b
    Examples:
      mummer retarget walk.bvh hero.glb -o hero_walks.glb
      mummer retarget mocap/ characters/ zoo:giant -o out --format bvh
      mummer retarget knight.glb zoo:adult -o out --clip Walking_A
      mummer retarget walk.bvh zoo:dog --push 1s:chest:left:20 -o pushed.glb
    """
    reading = tuple((name, value) for name, value in (("unit", unit), ("skeleton", skeleton)) if value)
    options: dict[str, Any] = {"clips": tuple(clip), "measured": measure, "bare": bare, "only_new": only_new,
                               "travel": travel_of(travel)}  # fmt: skip
    planned = _planned(motion, characters, output, suffix, reading=reading, **options)
    for job in planned:
        require_writable(job.output, job.motion, job.character, force=force)
    muscles = Physics(physics, tuple(push), (), tuple(tension))
    muscles.check()
    results = _work(planned, jobs or len(os.sched_getaffinity(0)), as_json=json)
    if muscles.wanted:
        _simulate(results, tuple(clip), muscles)
    alone = not planned[0].kept
    if not alone:
        _report(output, planned, results)
    failed = [job for job, facts in results if "error" in facts]
    if not json and not (alone and failed):
        _table(results)
        many = "" if alone else f"{len(results) - len(failed)} of {len(results)} written to "
        typer.echo(f"wrote {output}" if alone else f"{many}{output}; measures: report.json")
    if failed:
        raise typer.Exit(2 if len(failed) == len(results) else 1)


def _simulate(results: Sequence[tuple[Job, dict[str, Any]]], names: tuple[str, ...], muscles: Physics) -> None:
    """Have muscles carry out what was written, and write that."""
    from mummer.cli.telling import say_findings

    for job, facts in results:
        if "error" not in facts and not facts.get("skipped"):
            say_findings(simulate_file(job.output, names, muscles))


def _planned(motion: str, characters: list[str], output: Path, suffix: str, **options: Any) -> list[Job]:
    """The work: one job that writes the file ``output``, or as many as are asked for into the folder ``output``."""
    from dataclasses import replace

    from mummer.errors import InputError
    from mummer.io import formats
    from mummer.retargeting import batch

    ending = f".{suffix.lstrip('.').lower()}" if suffix else ".glb"
    is_file = output.suffix[1:].isalpha() and not output.is_dir()
    if is_file:
        formats.for_writing(output)
    else:
        formats.for_writing(output / f"any{ending}")
        require_folder(output)
    planned = batch.plan([motion], characters, output, suffix=ending, **options)
    if not is_file:
        return planned
    if len(planned) > 1:
        raise InputError(f"-o {output} is one file, but there are {len(planned)} results; expected a folder for them")
    if suffix and ending != output.suffix.lower():
        raise InputError(f"-o {output} is no {ending}; leave --format out, or let both say the same")
    return [replace(planned[0], output=output, kept=False)]


def _work(planned: Sequence[Job], workers: int, *, as_json: bool) -> list[tuple[Job, dict[str, Any]]]:
    """Do the jobs, telling how far they are."""
    import msgspec
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from mummer.retargeting import batch

    results, said = [], set[str]()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[now]}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(planned), now="")
        for job, facts in batch.run(planned, workers=min(workers, max(1, len(planned)))):
            results.append((job, _short(facts)))
            progress.update(task, advance=1, now=job.output.name)
            if "error" in facts:
                typer.echo(f"mummer: {job.output.name}: {' '.join(facts['error'].split())}", err=True)
            if not as_json:
                for line in (
                    *facts.get("files", ()),
                    *(f"{job.output.name}: {one}" for one in facts.get("findings", ())),
                ):
                    if line not in said:  # a file goes into many results
                        typer.echo(f"mummer: {line}", err=True)
                    said.add(line)
            else:
                typer.echo(msgspec.json.encode({**facts, "output": str(job.output)}).decode())
    return results


def _short(facts: dict[str, Any]) -> dict[str, Any]:
    """Only what the table shows, so that ten thousand results need little memory."""
    kept: dict[str, Any] = {key: facts[key] for key in ("error", "skipped", "frames") if key in facts}
    clips = facts.get("clips", {})
    for name, _, _ in SHOWN:
        values = [each[name]["value"] for each in clips.values() if each.get(name, {}).get("value") is not None]
        kept[name] = sum(values) / len(values) if values else None
    return kept


def _report(folder: Path, planned: Sequence[Job], results: Sequence[tuple[Job, dict[str, Any]]]) -> None:
    """Write report.json: every result with all its measures, one after the other from what each job kept."""
    import msgspec

    from mummer.atomic import replacing

    errors = {job.output: facts["error"] for job, facts in results if "error" in facts}
    with replacing(folder / "report.json") as temporary, temporary.open("wb") as stream:
        stream.write(b"[\n")
        for place, job in enumerate(planned):
            if job.output in errors:
                entry = {"motion": job.motion, "character": job.character, "error": errors[job.output]}
            else:
                entry = msgspec.json.decode(job.record.read_bytes())["facts"]
            stream.write((b",\n" if place else b"") + msgspec.json.encode(entry))
        stream.write(b"\n]\n")


def _table(results: Sequence[tuple[Job, dict[str, Any]]], most: int = 40) -> None:
    from rich.console import Console
    from rich.table import Table

    shown = [each for each in SHOWN if any(facts[each[0]] is not None for _, facts in results)]
    console, titles = Console(), [f"{title} {unit}".strip() for _, title, unit in shown]
    others = sum(len(title) + 2 for title in (*titles, WAS))
    room = max(SHORTEST, console.width - others) if console.is_terminal else LONGEST
    console.width = room + others
    table = Table(box=None, pad_edge=False)
    table.add_column("result", no_wrap=True)
    for title in (*titles, ""):
        table.add_column(title, justify="right", no_wrap=True)
    for job, facts in results[:most]:
        cells = ["-" if facts[name] is None else f"{facts[name]:.2f}" for name, _, _ in shown]
        state = "failed" if "error" in facts else WAS if facts.get("skipped") else ""
        table.add_row(elided(job.output.name, room), *cells, state)
    if shown or results[0][0].kept:
        console.print(table)
    if len(results) > most:
        typer.echo(f"and {len(results) - most} more")
