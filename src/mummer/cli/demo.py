"""``mummer demo``: the best thing the project can do today, on built-in content."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

import typer

from mummer.cli.telling import say_json
from mummer.cli.writing import require_folder

if TYPE_CHECKING:
    from mummer.character import Character
    from mummer.clip import Clip

BODY = "adult"
LINE_UP = ("adult", "dog", "horse", "bird", "frog", "spider", "dragon", "centaur", "crab", "ghost")
DANCERS = ("adult", "dog", "spider", "bird", "dragon", "crab")
PLAYED = ("wave", "dance_bounce", "walk")
STORY = "apple"


def played(character: Character, name: str) -> Clip:
    """An animation, or a round of a gait, of the library on any body, with loose parts that swing along."""
    from mummer.cli.perform import Asked, play

    return play(character, Asked((name,)))[1]


def _typed() -> str:
    """The command as it was called, or shorter if a shell finds the same by its name alone.

    `make` finds the command of a checkout in .venv without the caller's shell having it on its path.
    """
    called = Path(sys.argv[0])
    if called.stem != "mummer":
        return f"{Path(sys.executable).name} -m mummer"
    return "mummer" if str(called) == which("mummer") else str(called)


def demo(
    output: Path = typer.Option(Path("out"), "--output", "-o", help="The folder to write to."),
    body: str = typer.Option(BODY, "--body", help="Which built-in body performs."),
    json: bool = typer.Option(False, "--json", help="Print what was written as one JSON object."),
) -> None:
    """Let bodies of every kind perform: leaves an animated .glb and contact sheets .png.

    \b
    Examples:
      mummer demo
      mummer demo --body spider --output /tmp/demo
    """
    from rich.console import Console
    from rich.progress import Progress

    from mummer import render, zoo
    from mummer.io import save
    from mummer.stage import load_play

    require_folder(output)
    character = zoo.body(body)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        work = progress.add_task(f"'{body}' performs", total=4 + len(PLAYED))
        recordings = []
        for name in PLAYED:
            progress.update(work, advance=1, description=f"'{body}' performs: {name}")
            recordings.append(played(character, name).to_recording(30.0, name=name))
        animated = output / f"{body}.glb"
        save(character.replace(recordings=tuple(recordings)), animated)
        progress.update(work, advance=1, description="One dance, six bodies")
        sheet = output / "dance.png"
        clips = [played(zoo.body(name), "dance_bounce") for name in DANCERS]
        render.save_png(render.contact_sheet(clips, views="three_quarter", times=6, size=(220, 220)), sheet)
        progress.update(work, advance=1, description="Drawing the line-up")
        line_up = output / "zoo.png"
        bodies = [zoo.body(name) for name in LINE_UP]
        render.save_png(render.contact_sheet(bodies, views="three_quarter", columns=5), line_up)
        progress.update(work, advance=1, description=f"A story: {STORY}")
        story = output / f"{STORY}.glb"
        load_play(STORY).cut().save(story)
        progress.update(work, advance=1)
    if json:
        say_json({"body": body, "files": [str(path) for path in (animated, sheet, line_up, story)]})
        return
    command = _typed()
    typer.echo(
        f"""
{animated}   it waves, dances and walks: drop it into any glTF viewer, three.js, Godot, Unity or Blender
{sheet}   one dance, written once, on six bodies
{line_up}   some of the built-in bodies
{story}   a story: a child jumps for an apple

What to try next:
  {command} perform --list
  {command} perform random:7 dance_twist -o {output}/twist.gif
  {command} perform zoo:spider walk --path '0,0 0,2 1,3' -o {output}/stroll.glb
  {command} play --list
  {command} perform YOUR_OWN.glb wave -o {output}/wave.glb
""".rstrip()
    )
