"""``mummer serve``: characters in real time over HTTP and WebSocket."""

from __future__ import annotations

from pathlib import Path

import typer

from mummer.cli.bml import BODY_HELP, SET_HELP, THING_HELP, read_bodies, read_things


def serve(
    body: list[str] = typer.Option(["zoo:adult"], "--body", "-b", help=BODY_HELP),
    thing: list[str] = typer.Option([], "--thing", help=THING_HELP),
    sets: list[Path] = typer.Option([], "--set", help=SET_HELP, metavar="FILE"),
    port: int = typer.Option(8765, help="Where it listens; 0 for any port that is free."),
    address: str = typer.Option("127.0.0.1", help="Who may come in: 127.0.0.1 for this machine only, 0.0.0.0 for all."),
    token: str = typer.Option(None, help="What who comes in must know; made up if left out, none if empty."),
    origin: list[str] = typer.Option([], help="Pages of other origins that may come in, such as http://studio:3000."),
    json: bool = typer.Option(False, "--json", help="Print where it serves as one JSON object."),
) -> None:
    """Let characters live in real time: BML and messages in, poses, sound and feedback out, 60 times a second.

    \b
    Examples:
      mummer serve
      mummer serve --body ann=zoo:adult --body rex=zoo:dog
      mummer serve --body hero.glb --port 9000 --thing ball=0.5,1,1
    """
    from mummer.cli.telling import say_json
    from mummer.cli.watching import waiting
    from mummer.grid.pack import as_glb
    from mummer.grid.viewer import live_page
    from mummer.live import Hall, World
    from mummer.live import serve as serve_hall

    with waiting(quiet=json) as say:
        say("making bodies")
        world = World(read_bodies(body), things=read_things(thing))
        world.company.take_sets(sets)
        world.step(1.0 / 60.0)
    hall = Hall(world, token=token, origins=tuple(origin), address=address)

    def ready(found: int) -> None:
        where = f"http://{f'[{address}]' if ':' in address else address}:{found}"
        page = f"{where}/?token={hall.token}" if hall.token else f"{where}/"
        if json:
            facts = {"address": where, "token": hall.token, "page": page, "live": f"ws{where[4:]}/live"}
            say_json({**facts, "characters": list(world.numbers)})
        else:
            typer.echo(f"serving {', '.join(world.numbers)} at {page}")

    serve_hall(hall, port=port, page=live_page, body=as_glb, ready=ready)
