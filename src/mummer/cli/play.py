"""``mummer play``: a play is cut and written as one scene, a film or a sheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mummer.cli.perform import MOOD, PICTURE, VIDEOS, mood_of
from mummer.cli.ranges import MOST_RATE, require_between
from mummer.cli.simulating import PHYSICS
from mummer.cli.watching import drawing, waiting
from mummer.cli.writing import FORCE, require_format, require_writable

if TYPE_CHECKING:
    from mummer.stage import Play


def play(
    story: str = typer.Argument("", help="A play that ships, or its .toml file.", metavar="STORY"),
    listed: bool = typer.Option(False, "--list", help="List the plays that ship."),
    rate: float = typer.Option(30.0, help="Frames a second of what is written."),
    output: Path = typer.Option(
        None, "--output", "-o", help="What to write: .glb .usda ... the whole scene, .png a sheet, .mp4 a film."
    ),
    view: str = typer.Option("three-quarter", help="Where pictures are taken from, such as front or side."),
    sketch: list[str] = typer.Option(
        [],
        "--sketch",
        help="A character that somebody, or everybody, is: ann:old_man, energetic.",
        metavar="[ACTOR:]SKETCH",
    ),
    mood: list[str] = MOOD,
    physics: bool = PHYSICS,
    push: list[str] = typer.Option(
        [],
        "--push",
        help="What pushes whom, as in ann:1.2s:chest:left:40 (newton seconds); implies --physics.",
        metavar="ACTOR:TIME:PART:WAY:IMPULSE",
    ),
    answer: list[str] = typer.Option(
        [],
        "--answer",
        help="What somebody does who is hit or pushed, as in ann:flinch; implies --physics.",
        metavar="ACTOR:ACTION",
    ),
    style: str = typer.Option(
        "",
        "--as-style",
        help="Write how this action is done, tweaks and all, as a style of its model.",
        metavar="ACTION",
    ),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Let bodies act a play: who is on stage, what lies about, who does what when.

    \b
    Examples:
      mummer play --list
      mummer play fetch -o fetch.glb
      mummer play story.toml -o story.mp4 --json
      mummer play fetch --sketch ann:old_man -o old.mp4
      mummer play story.toml --as-style look -o keen.toml
      mummer play fetch --push ann:2s:chest:back:40 -o pushed.mp4
    """
    from mummer.cli.telling import say_findings, say_json
    from mummer.stage import load_play, play_names

    if listed or not story:
        if json:
            say_json({"plays": list(play_names())})
        for name in () if json else play_names():
            typer.echo(f"  {name}")
        return
    if style:
        _write_style(story, style, output, force=force)
        return
    if output is not None:
        require_format(output, PICTURE, *VIDEOS)
    require_writable(output, story, force=force)
    require_between("--rate", rate, 0, MOST_RATE, unit="frames a second")
    with waiting(quiet=json) as say:
        say(f"cutting {story}")
        told = _directed(load_play(story), sketch, dict(mood_of(each) for each in mood))
        if physics or push or answer:
            from mummer.cli.simulating import simulated_cut

            say(f"cutting {story} and simulating")
            cut = simulated_cut(told, tuple(push), tuple(answer))
        else:
            cut = told.cut()
    if output is not None:
        from mummer.render.view import find_view

        seen = find_view(view)
        if output.suffix.lower() in VIDEOS:
            with drawing(quiet=json) as progress:
                cut.save(output, rate=rate, view=seen, progress=progress)
        else:
            cut.save(output, rate=rate, **({"views": [seen]} if output.suffix.lower() == PICTURE else {}))
    if json:
        say_json({**cut.facts(), "output": None if output is None else str(output)})
        return
    typer.echo(f"{cut.name}: {cut.duration:.2f} s" + (f", wrote {output}" if output is not None else ""))
    for name, done in sorted(cut.done.items(), key=lambda each: each[1].begin):
        typer.echo(f"  {done.begin:6.2f} s  {done.doing.actor} {done.action.model} ({name})")
    say_findings(cut.report)


def _write_style(story: str, action: str, output: Path | None, *, force: bool) -> None:
    from mummer.atomic import write_text
    from mummer.errors import InputError
    from mummer.stage import load_play, style_to_text

    if output is None or output.suffix.lower() != ".toml":
        raise InputError(f"--as-style writes a style; expected -o with a .toml file, not {output}")
    require_writable(output, story, force=force)
    write_text(output, style_to_text(load_play(story), action, output.stem))
    typer.echo(f"wrote {output}")


def _directed(play: Play, sketches: list[str], moods: dict[str, float]) -> Play:
    """The play with actors as the command has them; everybody's moods."""
    play = play.sketched(moods=moods)
    for text in sketches:
        actor, _, name = text.partition(":")
        play = play.sketched(name, actor=actor) if name else play.sketched(actor)
    return play
