"""``mummer clip``: trim, mirror, loop, speed up, blend, keep in place, resample and smooth motions in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.ranges import MOST_RATE, require_between
from mummer.cli.subjects import SUBJECT_HELP
from mummer.cli.telling import finding_rows, say_findings, say_json
from mummer.cli.writing import FORCE, require_writable

if TYPE_CHECKING:
    from mummer.character import Character
    from mummer.character.marks import Mark
    from mummer.clip.clip import Clip
    from mummer.report import ReportBuilder


def clip(
    file: str = typer.Argument(..., help=SUBJECT_HELP, metavar="FILE"),
    output: Path = typer.Option(None, "--output", "-o", help="The file to write: .glb .gltf .bvh .usda ..."),
    name: str = typer.Option("", "--clip", help="Which animation of the file; the first if left out."),
    trim: str = typer.Option("", help="Keep only this stretch, in seconds.", metavar="A:B"),
    cycle: bool = typer.Option(False, "--cycle", help="Keep one cycle, found where the motion repeats best."),
    smooth: float = typer.Option(0.0, help="Take away what is fast: 0 nothing, 1 most.", metavar="AMOUNT"),
    reverse: bool = typer.Option(False, "--reverse", help="Play it backwards."),
    speed: float = typer.Option(1.0, help="Play it so many times as fast.", metavar="FACTOR"),
    mirror: bool = typer.Option(False, "--mirror", help="Left for right."),
    loop: int = typer.Option(1, min=1, max=1000, help="Repeat it so often, without a jump at the seam.", metavar="N"),
    blend: str = typer.Option("", help="Flow into this: an animation of FILE, or another file.", metavar="OTHER"),
    overlap: float = typer.Option(0.3, help="Seconds that the two overlap.", metavar="S"),
    in_place: bool = typer.Option(False, "--in-place", help="Take out the way over the ground."),
    way: str = typer.Option(
        "composite",
        help="What of it: all (composite), or its straight and steady part (linear).",
        metavar="linear|composite",
    ),
    resample: float = typer.Option(
        0.0, help="Frames a second to write; those of the file if left out.", metavar="RATE"
    ),
    contacts: bool = typer.Option(False, "--contacts", help="Say when which foot is on the ground."),
    feet: str = typer.Option("", help="Joints that are feet, if the file does not say.", metavar="NAME,NAME"),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Do everyday things to a motion: trim, mirror, loop, speed, blend, in place, resample, smooth.

    Whatever the order on the command line, they are done in this order: trim, cycle, smooth, reverse, speed, mirror,
    loop, blend, in-place, resample. With --contacts and an output, OUT.contacts.json is written as well.

    \b
    Examples:
      mummer clip walk.bvh -o walk_loop.glb --cycle --loop 4
      mummer clip walk.bvh -o step.bvh --trim 0.5:1.6 --mirror --speed 0.8
      mummer clip knight.glb -o both.glb --clip Walking_A --blend Running_A --overlap 0.4
      mummer clip run.fbx -o run_in_place.glb --in-place
      mummer clip walk.bvh --contacts
    """
    from mummer.cli.clip_steps import Edits, edit, parse_span, played, rate_of
    from mummer.cli.subjects import load_subject
    from mummer.report import ReportBuilder

    _require_output(output, contacts)
    for target in (output, _beside(output) if contacts and output is not None else None):
        require_writable(target, file, blend, force=force)
    require_between("--resample", resample or None, 0, MOST_RATE, unit="frames a second")
    require_between("--speed", speed, 0, 1000, unit="times as fast")
    mode = _mode(way)
    report = ReportBuilder()
    character = load_subject(file)
    report.add_all(character.report)
    character = _prepared(character, mirror=mirror, report=report)
    edits = Edits(
        trim=parse_span(trim) if trim else None, cycle=cycle, smooth=smooth, reverse=reverse, speed=speed,
        mirror=mirror, loop=loop, overlap=overlap, in_place=mode if in_place else None,
        blend=_other(character, blend, report) if blend else None,
    )  # fmt: skip
    start = played(character, name)
    made = edit(start, edits, report)
    marks = _contacts(made, feet, report) if contacts else ()
    rate = resample or rate_of(start)
    facts: dict[str, Any] = {"file": file, "clip": start.recording.name, "duration": round(made.duration, 6)}
    if output is not None:
        facts |= _write(made, start.recording.name, output, rate, marks if contacts else None, report)
    if contacts:
        facts["contacts"] = _rows(made, marks)
    _tell(facts, report, as_json=json)


def _require_output(output: Path | None, contacts: bool) -> None:
    from mummer.errors import InputError
    from mummer.io import formats

    if output is not None:
        formats.for_writing(output)
    elif not contacts:
        raise InputError("say where to write the result: -o out.glb (or --contacts to look at the motion alone)")


def _beside(output: Path) -> Path:
    """Where contacts are written beside a motion."""
    return output.with_name(f"{output.name}.contacts.json")


def _prepared(character: Character, *, mirror: bool, report: ReportBuilder) -> Character:
    from mummer.cli.clip_body import with_sides

    return with_sides(character, report) if mirror else character


def _mode(text: str) -> Any:
    from mummer.clip.ground_path import MODES
    from mummer.errors import UnknownNameError

    if text not in MODES:
        raise UnknownNameError("--way", "mode", text, MODES)
    return text


def _other(character: Character, text: str, report: ReportBuilder) -> Clip:
    """The clip to blend into: an animation of the same file if one has this name, else a file."""
    from mummer.cli.clip_steps import played, played_on
    from mummer.cli.subjects import load_subject
    from mummer.errors import UnknownNameError

    names = [recording.name for recording in character.recordings]
    if text in names:
        return played(character, text)
    if not Path(text).suffix and not Path(text).exists() and ":" not in text:
        raise UnknownNameError(f"{character.name!r}", "animation", text, names)
    return played_on(character, load_subject(text), "", report)


def _contacts(made: Clip, feet: str, report: ReportBuilder) -> tuple[Mark, ...]:
    from mummer.cli.clip_body import named_feet
    from mummer.clip.analysis import contacts as find_contacts

    return find_contacts(made, feet=named_feet(made.body, feet, report))


def _write(
    made: Clip, name: str, output: Path, rate: float, marks: tuple[Mark, ...] | None, report: ReportBuilder
) -> dict[str, Any]:
    import msgspec

    from mummer.atomic import replacing
    from mummer.io import save

    recording = made.to_recording(rate, name=name)
    # Sides that were guessed for mirroring are no anatomy, and are not written.
    known = made.body.anatomy is not None and made.body.anatomy.kind != "unknown"
    body = made.body if known else made.body.replace(anatomy=None)
    report.add_all(save(body.replace(recordings=(recording,)), output))
    facts: dict[str, Any] = {"target": str(output), "bytes": output.stat().st_size, "rate": rate}
    facts["frames"] = len(recording.key_times)
    if marks is not None:
        beside = _beside(output)
        with replacing(beside) as temporary:
            temporary.write_bytes(msgspec.json.format(msgspec.json.encode({"contacts": _rows(made, marks)})))
        facts["contacts_file"] = str(beside)
    return facts


def _rows(made: Clip, marks: tuple[Mark, ...]) -> list[dict[str, Any]]:
    """The marks as plain data; times count from the start of what is written."""
    return [
        {"name": mark.name, "time": round(mark.time - made.start, 4), "until": round(mark.until - made.start, 4)}
        for mark in marks
    ]


def _tell(facts: dict[str, Any], report: ReportBuilder, *, as_json: bool) -> None:
    findings = report.build()
    if as_json:
        say_json({**facts, "findings": finding_rows(findings)})
        return
    say_findings(findings)
    for row in facts.get("contacts", ()):
        until = f" to {row['until']:.3f}" if row["until"] > row["time"] else ""
        typer.echo(f"{row['time']:8.3f}{until:10} s  {row['name']}")
    if "target" in facts:
        size = f"{facts['duration']:.3f} s, {facts['frames']} frames at {facts['rate']:g} a second"
        typer.echo(f"wrote {facts['target']} ({size})")
