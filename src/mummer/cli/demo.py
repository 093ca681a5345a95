"""``mummer demo``: the best thing the project can do today, on built-in content."""

from __future__ import annotations

from pathlib import Path

import typer

BODY = "adult"
LINE_UP = ("adult", "dog", "horse", "bird", "frog", "spider", "dragon", "centaur", "crab", "ghost")


def demo(
    output: Path = typer.Option(Path("out"), "--output", "-o", help="The folder to write to."),
    body: str = typer.Option(BODY, "--body", help="Which built-in body performs."),
) -> None:
    """Make a built-in body perform: leaves an animated .glb and a contact sheet .png.

    \b
    Examples:
      mummer demo
      mummer demo --body giant --output /tmp/demo
    """
    from rich.progress import Progress

    from mummer import render, zoo
    from mummer.cli.demo_motion import greeting
    from mummer.io import save

    with Progress(transient=True) as progress:
        work = progress.add_task(f"Building the body '{body}'", total=4)
        character = zoo.body(body)
        recording = greeting(character)
        progress.update(work, advance=1, description="Writing the animated .glb")
        animated = output / f"{body}-greeting.glb"
        save(character.replace(recordings=(recording,)), animated)
        progress.update(work, advance=1, description="Drawing the contact sheet")
        sheet = output / f"{body}-greeting.png"
        still = greeting(character, turntable=False)
        page = render.contact_sheet((character, still), views=("three_quarter", "front"), times=6)
        render.save_png(page, sheet)
        progress.update(work, advance=1, description="Drawing the line-up")
        line_up = output / "zoo.png"
        bodies = [zoo.body(name) for name in LINE_UP]
        render.save_png(render.contact_sheet(bodies, views="three_quarter", columns=5), line_up)
        progress.update(work, advance=1)
    typer.echo(
        f"""
{animated}   an animated character: drop it into any glTF viewer, three.js, Godot, Unity or Blender
{sheet}   six moments of it, from two sides
{line_up}   some of the built-in bodies

What to try next:
  .venv/bin/mummer render {animated} -o {output}/greeting.gif
  .venv/bin/mummer inspect {animated}
  .venv/bin/mummer zoo --random 42 -o {output}/creature.glb
  .venv/bin/mummer inspect YOUR_OWN.fbx
""".rstrip()
    )
