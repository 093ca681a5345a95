"""``mummer annotate``: a style file for a recording, proposed, and a sheet to look at it."""

from __future__ import annotations

from pathlib import Path

import typer

from mummer.cli.perform import VIEW
from mummer.cli.subjects import SKELETON, SUBJECT_HELP, UNIT
from mummer.cli.writing import FORCE, require_writable


def annotate(
    file: str = typer.Argument(..., help=SUBJECT_HELP, metavar="FILE"),
    model: str = typer.Option("", help="The model whose key times are looked for; what it seems to be if not given."),
    clip: str = typer.Option("", help="Which of several recordings, by name; the first if not given."),
    part: str = typer.Option("", help="The part that acts, such as right_hand; the one that moves most if not given."),
    skeleton: str = SKELETON,
    unit: str = UNIT,
    output: Path = typer.Option(None, "--output", "-o", help="The style file to write; printed if not given."),
    sheet: Path = typer.Option(None, help="A .png with the body at each key time."),
    view: str = typer.Option(VIEW, help="Where the sheet is taken from, such as front or side."),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was found as one JSON object."),
) -> None:
    """Propose key times, footsteps and the place that is reached in a recording, as a style file to be corrected.

    \b
    Examples:
      mummer annotate reach.bvh -o styles/mine.toml --sheet mine.png
      mummer annotate jump.fbx --model jump --json
    """
    require_writable(output, file, force=force)
    require_writable(sheet, file, force=force)
    from mummer.atomic import write_text
    from mummer.cli.subjects import load_subject
    from mummer.cli.telling import say_json
    from mummer.clip.motions import of
    from mummer.model import annotate as propose

    motion = of(load_subject(file, unit=unit, skeleton=skeleton), clip or None)
    found = propose(
        motion, model=model or None, file=_from(file, output), skeleton=_from(skeleton, output), part=part or None
    )
    if sheet is not None:
        from mummer.render import contact_sheet, save_png
        from mummer.render.view import find_view

        times = [time for _, time in found.key_times]
        save_png(contact_sheet(found.clip, views=[find_view(view)], times=times), sheet)
    if output is not None:
        write_text(output, found.text)
    if json:
        say_json({
            "file": file, "model": found.model, "part": found.part, "target": list(found.target),
            "key_times": dict(found.key_times),
            "footsteps": [{"name": mark.name, "from": mark.time, "to": mark.until} for mark in found.footsteps],
            "output": None if output is None else str(output),
        })  # fmt: skip
    elif output is None:
        typer.echo(found.text, nl=False)
    else:
        typer.echo(f"{found.part or 'nothing'} acts, wrote {output}")
        for name, time in found.key_times:
            typer.echo(f"  {time:6.2f} s  {name}")


def _from(file: str, output: Path | None) -> str:
    """A file as a style file beside ``output`` names it."""
    import os

    if not file or output is None or ":" in Path(file).parts[0]:
        return file
    return os.path.relpath(file, output.parent)
