"""``mummer bml``: blocks of BML are played, and every moment of them is told."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.perform import PICTURE, VIDEOS
from mummer.cli.writing import FORCE, require_format, require_writable

if TYPE_CHECKING:
    from mummer.bml import Feedback, Realizer

STEP = 1.0 / 60.0
LONGEST = 3600.0
"""Seconds of playing after which it is enough."""
BODY_HELP = "Who plays: a file or zoo:NAME, or NAME=FILE; may be said again for more."
SET_HELP = "A style of a motion model, such as recordings of one who reaches, that blocks may name; may be said again."
THING_HELP = "What there is to look at or reach for: NAME=X,Y,Z in metres; may be said again."


def bml(
    files: list[str] = typer.Argument(..., help="Files of BML; FILE@2.5 comes in after 2.5 s.", metavar="FILE..."),
    body: list[str] = typer.Option([], "--body", "-b", help=f"{BODY_HELP} Only times are told if left out."),
    thing: list[str] = typer.Option([], "--thing", help=THING_HELP),
    sets: list[Path] = typer.Option([], "--set", help=SET_HELP, metavar="FILE"),
    output: Path = typer.Option(None, "--output", "-o", help="What to write of the first body: .glb .mp4 .png ..."),
    rate: float = typer.Option(30.0, help="Frames a second of a film."),
    xml: bool = typer.Option(False, "--xml", help="Print feedback as the XML of BML 1.0, an element a line."),
    json: bool = typer.Option(False, "--json", help="Print each prediction, sync point and warning as a line of JSON."),
    force: bool = FORCE,
) -> None:
    """Play blocks of BML 1.0 as fast as it can, and tell every predicted and every actual sync point.

    \b
    Examples:
      mummer bml hello.xml --json
      mummer bml hello.xml more.xml@2.5 --body zoo:adult --json
      mummer bml hello.xml --body zoo:dragon --thing gem=1,0.5,2 -o hello.mp4
    """
    from mummer.bml import Company, Realizer, Rehearsal
    from mummer.errors import InputError

    waiting = sorted((_parts(each) for each in files), key=lambda part: part[1])
    if output is not None:
        require_format(output, PICTURE, *VIDEOS)
        require_writable(output, *[path for path, _ in waiting], force=force)
        if not body:
            raise InputError(f"{output} needs a body: give --body")
    company = Company.of(read_bodies(body), read_things(thing)) if body else None
    if company is not None:
        company.take_sets(sets)
    realizer = Realizer(company or Rehearsal())
    poses: list[Any] = []

    def say(reports: Iterable[Feedback]) -> None:
        for report in reports:
            typer.echo(_line(report, xml=xml, json=json))

    failed = _play(realizer, waiting, say, lambda: poses.append(company.first) if output and company else None)
    if output is not None and company is not None and poses:
        company.recorded(poses, 1.0 / STEP).save(output, **({"rate": rate} if output.suffix in VIDEOS else {}))
    if failed:
        raise typer.Exit(2 if failed == len(files) else 1)


def _play(realizer: Realizer, waiting: list[tuple[str, float]], say: Any, stepped: Any) -> int:
    """Play all files; how many could not be."""
    from mummer.errors import FileError, InputError

    failed = 0
    while waiting or not realizer.idle:
        while waiting and waiting[0][1] <= realizer.clock + 1e-9:
            path = waiting.pop(0)[0]
            try:
                told = realizer.submit(Path(path).read_bytes(), name=path)
            except (FileError, OSError) as error:
                failed += 1
                why = error.strerror if isinstance(error, OSError) else str(error)
                typer.echo(f"mummer: {f'{path}: {why}' if isinstance(error, OSError) else why}", err=True)
            else:
                say(told)
        say(realizer.step(STEP))
        stepped()
        if realizer.clock > LONGEST:
            raise InputError(f"blocks still go on after {LONGEST:g} seconds: {', '.join(realizer.blocks[:5])}")
    return failed


def _line(report: Feedback, *, xml: bool, json: bool) -> str:
    if xml:
        return report.xml()
    if json:
        import msgspec

        return msgspec.json.encode(report.facts()).decode()
    name = ":".join(part for part in (report.block, report.behavior, report.sync) if part)
    if report.kind == "warning":
        return f"{report.global_time:8.3f}  warning  {name}: {report.text} ({report.type})"
    return f"{report.global_time:8.3f}  {report.kind}  {name}"


def _parts(said: str) -> tuple[str, float]:
    """A file, and the seconds after which it comes in."""
    path, at, seconds = said.rpartition("@")
    if at and not Path(said).exists():
        try:
            return path, max(0.0, float(seconds))
        except ValueError:
            pass
    return said, 0.0


def read_bodies(said: list[str]) -> dict[str, Any]:
    """Bodies by name."""
    from mummer.cli.subjects import load_subject
    from mummer.errors import InputError

    found: dict[str, Any] = {}
    for each in said:
        name, equals, source = each.partition("=")
        character = load_subject(source if equals else each)
        name = name if equals else character.name
        if name in found:
            raise InputError(f"two bodies are called {name!r}; name them: --body ann={source or each}")
        found[name] = character
    return found


def read_things(said: list[str]) -> dict[str, Any] | None:
    """Things by name, or None if nobody said any."""
    from mummer.errors import InputError

    found: dict[str, Any] = {}
    for each in said:
        name, _, place = each.partition("=")
        try:
            x, y, z = (float(part) for part in place.split(","))
        except ValueError:
            raise InputError(f"--thing {each}: expected NAME=X,Y,Z in metres, such as ball=0.5,1,1") from None
        found[name] = (x, y, z)
    if not found:
        return None
    from mummer.bml.company import SCENERY

    return {**SCENERY, **found}
