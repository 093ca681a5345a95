"""``mummer plan``: what a script or motion becomes before it moves: tracks, stage by stage, and a score of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mummer.cli.subjects import SUBJECT_HELP
from mummer.cli.watching import waiting
from mummer.cli.writing import FORCE, require_writable

if TYPE_CHECKING:
    from mummer.character import Character
    from mummer.script import Rehearsal


def plan(
    body: str = typer.Argument("", help=SUBJECT_HELP, metavar="BODY"),
    what: str = typer.Argument("", help="An animation, a gait, a script or a file with a motion.", metavar="WHAT"),
    sketch: list[str] = typer.Option(None, "--sketch", help="A character, or a .sketch file; may be repeated."),
    edit: list[str] = typer.Option(None, "--edit", help="A line as in a sketch, heard after it; may be repeated."),
    listed: bool = typer.Option(False, "--list", help="List the scripts, sketches and properties that ship."),
    show: bool = typer.Option(False, "--show", help="Tell every stage of the making, and the tracks that move most."),
    output: Path = typer.Option(None, "--output", "-o", help="A picture of the tracks, like a score: .svg."),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Plan what a body does and how, and look at the plan.

    \b
    Examples:
      mummer plan --list
      mummer plan zoo:adult reach_inspect_show --sketch old_man --show
      mummer plan zoo:dog wave --sketch energetic -o score.svg
    """
    from mummer.atomic import write_text
    from mummer.cli.telling import finding_rows, say_findings, say_json
    from mummer.errors import InputError
    from mummer.script.drawing import moving_tracks, score_svg, stage_rows

    if listed or not body:
        _list(as_json=json)
        return
    if not what:
        raise InputError(f"nothing for {body} to do; mummer plan --list shows what ships")
    if output is not None and output.suffix.lower() != ".svg":
        raise InputError(f"--output {output}: a score is written as .svg")
    require_writable(output, body, what, force=force)
    with waiting(quiet=json) as say:
        say("planning")
        made = rehearsal_of(body, what).sketch(*(sketch or ())).edit(*(edit or ())).plan
    if output is not None:
        write_text(output, score_svg(made))
    if json:
        tracks = {
            dof: [{"action": made.actions[e.action][0], "start": e.start, "duration": e.duration, "hold": e.hold,
                   "value": e.value, "tension": e.tension} for e in made.tracks[dof]]
            for dof in moving_tracks(made)
        }  # fmt: skip
        say_json({"body": body, "duration": made.duration, "stages": stage_rows(made), "tracks": tracks,
                  "findings": finding_rows(made.report)})  # fmt: skip
        return
    typer.echo(f"{body} {what}: {made.duration:.2f} s" + (f", wrote {output}" if output is not None else ""))
    for row in stage_rows(made) if show else ():
        typer.echo(f"  {row['stage']:<3} {row['name']:<14} {row['tracks']:4} tracks {row['elements']:6} elements "
                   f"{row['seconds']:8.2f} s")  # fmt: skip
    for dof in moving_tracks(made)[:12] if show else ():
        said = "  ".join(f"{e.start:.2f}+{e.duration:.2f}+{e.hold:.2f}→{e.value:.2f}" for e in made.tracks[dof][:6])
        typer.echo(f"  {dof:<26} {said}")
    say_findings(made.report)


def rehearsal_of(body: str | Character, what: str) -> Rehearsal:
    """A motion or script of a body, ready to be sketched.

    Raises:
        MummerError: if there is no such thing.
    """
    from mummer.cli.subjects import load_subject
    from mummer.engine import perform
    from mummer.errors import UnknownNameError
    from mummer.general import animation_names
    from mummer.general.gait import style_names
    from mummer.recognition import recognized
    from mummer.retargeting.retarget import retarget
    from mummer.script import Rehearsal, script_names
    from mummer.script.script_text import ENDING

    character = recognized(load_subject(body)) if isinstance(body, str) else body
    if what in script_names() or what.endswith(ENDING):
        return Rehearsal.of_script(what, character)
    if what in (*animation_names(), *style_names()) or what.endswith(".toml"):
        return Rehearsal.of_clip(perform(character, what))
    if any(recording.name == what for recording in character.recordings):
        from mummer.clip import of

        return Rehearsal.of_clip(of(character, what))
    if Path(what).is_file():
        return Rehearsal.of_clip(retarget(what, character))
    names = (*animation_names(), *style_names(), *script_names(), *(each.name for each in character.recordings))
    raise UnknownNameError(repr(character.name), "motion, script or recording", what, names)


def _list(*, as_json: bool) -> None:
    from mummer.cli.telling import say_json
    from mummer.script import script_names, sketch_names
    from mummer.script.property import built_in
    from mummer.script.words import usage

    ways = {name: usage(kind) for name, kind in sorted(built_in().items())}
    if as_json:
        say_json({"scripts": list(script_names()), "sketches": list(sketch_names()), "properties": ways})
        return
    typer.echo(f"scripts     {' '.join(script_names())}")
    typer.echo(f"sketches    {' '.join(sketch_names())}")
    for way in ways.values():
        typer.echo(f"  {way}")
