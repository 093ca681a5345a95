"""``mummer inspect``: what a file holds."""

from __future__ import annotations

from typing import Any

import typer

from mummer.cli.subjects import SKELETON, SUBJECT_HELP, UNIT
from mummer.cli.telling import say_json


def inspect(
    files: list[str] = typer.Argument(..., help=SUBJECT_HELP, metavar="FILE..."),
    json: bool = typer.Option(False, "--json", help="One JSON object a line for each file."),
    unit: str = UNIT,
    skeleton: str = SKELETON,
    tree: bool = typer.Option(True, help="Show the tree of joints."),
    most: int = typer.Option(200, min=1, help="Show at most this many joints of the tree."),
) -> None:
    """Say what is in a file: tree, counts, sizes, anatomy, animations, and what is unusual about it.

    \b
    Examples:
      mummer inspect hero.glb
      mummer inspect *.fbx --json | jq .joint_count
      mummer inspect zoo:dragon --no-tree
    """
    failed = 0
    for file in files:
        failed += not _inspect_one(file, as_json=json, most=most if tree else 0, unit=unit, skeleton=skeleton)
    if failed:
        raise typer.Exit(2 if failed == len(files) else 1)


def _inspect_one(file: str, *, as_json: bool, most: int, **reading: str) -> bool:
    from mummer.cli.describe import describe
    from mummer.cli.subjects import load_subject
    from mummer.errors import MummerError

    try:
        facts = {"file": file, **describe(load_subject(file, **reading))}
    except MummerError as error:
        message = " ".join(str(error).split())
        if as_json:
            say_json({"file": file, "error": message})
        typer.echo(f"mummer: {message}", err=True)
        return False
    if as_json:
        say_json(facts)
    else:
        _show(facts, most)
    return True


def _show(facts: dict[str, Any], most: int) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.tree import Tree

    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]{escape(facts['file'])}[/]  {facts['format'] or ''}")
    for label, text in _lines(facts):
        console.print(f"  [dim]{label:<11}[/]{escape(text)}")
    if most:
        tree = Tree("[dim]joints[/]", guide_style="dim")
        branches: dict[int, Tree] = {-1: tree}
        for index, joint in enumerate(facts["joints"][:most]):
            branches[index] = branches[joint["parent"]].add(escape(joint["name"]))
        console.print(tree)
        if len(facts["joints"]) > most:
            console.print(f"  ... and {len(facts['joints']) - most} more (--most shows more)")


def _lines(facts: dict[str, Any]) -> list[tuple[str, str]]:
    width, height, depth = facts["size"]
    lines = [
        ("joints", f"{facts['joint_count']}, {facts['depth'] + 1} deep, from {', '.join(facts['roots'][:4])}"),
        ("size", f"{width:.3g} × {height:.3g} × {depth:.3g} m (width × height × depth)"),
        ("meshes", f"{len(facts['meshes'])} with {facts['vertices']:,} vertices, {facts['triangles']:,} triangles"),
    ]
    if facts["up"] != "+Y" or facts["metres_per_unit"] != 1.0:
        lines.append(("file axes", f"up {facts['up']}, one unit is {facts['metres_per_unit']:g} m"))
    if facts["morphs"]:
        lines.append(("morphs", f"{len(facts['morphs'])}: {', '.join(facts['morphs'][:8])}"))
    for clip in facts["animations"]:
        rate = f" at {clip['frame_rate']:g} frames/s" if clip["frame_rate"] else ""
        lines.append(("animation", f"{clip['name']}: {clip['duration']:.3f} s, {clip['keys']} keys{rate}"))
    anatomy = facts["anatomy"]
    if anatomy:
        limbs = ", ".join(limb["name"] for limb in anatomy["limbs"][:10])
        lines.append(("anatomy", f"{anatomy['kind']}; {len(anatomy['roles'])} roles; limbs: {limbs}"))
    if facts["mass"]:
        lines.append(("mass", f"{facts['mass']:g} kg"))
    for finding in facts["findings"]:
        times = f" ({finding['count']}×)" if finding["count"] > 1 else ""
        lines.append((finding["kind"], finding["message"] + times))
    return lines
