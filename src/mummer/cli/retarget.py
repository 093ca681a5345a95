"""``mummer retarget``: motions onto bodies, one or thousands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.subjects import SKELETON, UNIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mummer.retargeting.batch import Job

SHOWN = (
    ("foot_skate", "skate", "mm/frame"), ("ground_penetration", "sinks", "%"), ("ground_float", "floats", "%"),
    ("bone_direction_error", "direction", "°"), ("jerk_ratio", "jerk", "×"), ("contact_recall", "contacts", ""),
)  # fmt: skip
"""The measures of the table, what to call them there, and their units."""


def retarget(
    motion: str = typer.Argument(..., help="A motion, or a folder of them.", metavar="MOTION"),
    characters: list[str] = typer.Argument(..., help="Files, folders of files, or zoo:NAME.", metavar="CHARACTER..."),
    output: Path = typer.Option(..., "--output", "-o", help="The folder to write to.", metavar="DIR"),
    clip: list[str] = typer.Option([], "--clip", help="Take only this animation; may be given several times."),
    suffix: str = typer.Option("glb", "--format", help="What to write: glb, bvh, usda ...", metavar="FORMAT"),
    jobs: int = typer.Option(0, "--jobs", "-j", help="Processes; as many as there are cores if 0.", metavar="N"),
    measure: bool = typer.Option(True, help="Measure the results for the report."),
    bare: bool = typer.Option(False, "--bare", help="Write joints and motions alone, without meshes and pictures."),
    only_new: bool = typer.Option(False, "--only-new", help="Leave out the animations that a character came with."),
    unit: str = UNIT,
    skeleton: str = SKELETON,
    json: bool = typer.Option(False, "--json", help="Print one JSON object a result."),
) -> None:
    """Move motions onto bodies: every motion onto every character, one file each.

    Bodies are recognised, whatever their joints are called. What is finished is not done again: interrupt it and start
    it once more to go on. DIR/report.json holds the measures of every result; docs/guides/measures.md says what good
    values are. One bad file does not stop the rest.

    \b
    Examples:
      mummer retarget walk.bvh hero.glb -o out
      mummer retarget mocap/ characters/ zoo:giant -o out --format bvh
      mummer retarget knight.glb zoo:adult -o out --clip Walking_A
    """
    from mummer.io import formats
    from mummer.retargeting import batch

    ending = f".{suffix.lstrip('.')}"
    formats.for_writing(output / f"any{ending}")
    reading = tuple((name, value) for name, value in (("unit", unit), ("skeleton", skeleton)) if value)
    options: dict[str, Any] = {"clips": tuple(clip), "measured": measure, "bare": bare, "only_new": only_new}
    planned = batch.plan([motion], characters, output, suffix=ending, reading=reading, **options)
    results = _work(planned, jobs or len(os.sched_getaffinity(0)), as_json=json)
    _report(output, planned, results)
    failed = [job for job, facts in results if "error" in facts]
    if not json:
        _table(results)
        typer.echo(f"{len(results) - len(failed)} of {len(results)} written to {output}; measures: report.json")
    if failed:
        raise typer.Exit(2 if len(failed) == len(results) else 1)


def _work(planned: Sequence[Job], workers: int, *, as_json: bool) -> list[tuple[Job, dict[str, Any]]]:
    """Do the jobs, telling how far they are."""
    import msgspec
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from mummer.retargeting import batch

    results = []
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[now]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(planned), now="")
        for job, facts in batch.run(planned, workers=min(workers, max(1, len(planned)))):
            results.append((job, _short(facts)))
            progress.update(task, advance=1, now=job.output.name)
            if "error" in facts:
                typer.echo(f"mummer: {job.output.name}: {' '.join(facts['error'].split())}", err=True)
            if as_json:
                typer.echo(msgspec.json.encode({"output": str(job.output), **facts}).decode())
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

    table = Table(box=None, pad_edge=False)
    table.add_column("result")
    for _, title, unit in SHOWN:
        table.add_column(f"{title} {unit}".strip(), justify="right")
    for job, facts in results[:most]:
        cells = ["-" if facts[name] is None else f"{facts[name]:.2f}" for name, _, _ in SHOWN]
        state = " (failed)" if "error" in facts else " (was finished)" if facts.get("skipped") else ""
        table.add_row(job.output.name + state, *cells)
    Console().print(table)
    if len(results) > most:
        typer.echo(f"and {len(results) - most} more")
