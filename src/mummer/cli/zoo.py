"""``mummer zoo``: the built-in bodies, and creatures nobody has seen before."""

from __future__ import annotations

from pathlib import Path

import typer

from mummer.cli.telling import finding_rows, say_json
from mummer.cli.writing import FORCE, require_writable


def zoo(
    name: str = typer.Argument("", help="A built-in body; leave it out to list them.", metavar="[NAME]"),
    random: int = typer.Option(None, "--random", help="Make the random creature with this seed.", metavar="SEED"),
    output: Path = typer.Option(None, "--output", "-o", help="Where to write it: .glb .gltf .bvh .usda ..."),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """List the built-in bodies, or write one of them, or a random creature, to a file.

    \b
    Examples:
      mummer zoo
      mummer zoo dragon -o dragon.glb
      mummer zoo --random 42 -o creature.glb
    """
    from mummer.errors import InputError
    from mummer.zoo import body, names, random_creature

    if name and random is not None:
        raise InputError("give a name or --random SEED, not both")
    if not name and random is None:
        if json:
            say_json({"bodies": list(names())})
        else:
            typer.echo("\n".join(names()))
        return
    if output is None and (random is not None or name in names()):
        raise InputError(f"say where to write it: -o {name or f'creature{random}'}.glb")
    from mummer.io import formats, save

    if output is not None:
        formats.for_writing(output)
    require_writable(output, force=force)
    character = body(name) if random is None else random_creature(random)

    report = save(character, output)
    facts = {
        "name": character.name,
        "target": str(output),
        "joints": len(character.skeleton),
        "vertices": sum(len(mesh.positions) for mesh in character.meshes),
        "findings": finding_rows(report),
    }
    if json:
        say_json(facts)
    else:
        typer.echo(f"wrote {output}: {facts['name']}, {facts['joints']} joints, {facts['vertices']} vertices")
