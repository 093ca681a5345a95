"""``mummer recognize``: what the parts of a body are, how sure that is, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.subjects import SUBJECT_HELP
from mummer.cli.telling import LONGEST
from mummer.cli.writing import FORCE, require_writable
from mummer.report import elided

WIDEST = 32
"""Letters of the name of a joint in the table."""

if TYPE_CHECKING:
    from mummer.character import Anatomy, Character
    from mummer.recognition import Recognition


def recognize(
    files: list[str] = typer.Argument(..., help=SUBJECT_HELP, metavar="FILE..."),
    json: bool = typer.Option(False, "--json", help="One JSON object a line for each file."),
    ignore_names: bool = typer.Option(False, "--ignore-names", help="Recognise as if no joint had a name."),
    corrections: list[str] = typer.Option(
        [], "--set", metavar="ROLE=JOINT", help="Say what a joint is; the rest follows. May be given several times."
    ),
    save: bool = typer.Option(False, "--save", help="Keep the anatomy beside the file, where later loads find it."),
    force: bool = FORCE,
    output: Path | None = typer.Option(None, "--output", "-o", help="A picture (.png) with the roles written in."),
) -> None:
    """Say what the parts of a body are: roles, limbs, front; each with a confidence and a reason.

    \b
    Examples:
      mummer recognize hero.glb
      mummer recognize *.fbx --json | jq .kind
      mummer recognize wolf.fbx --ignore-names -o wolf.png
      mummer recognize hero.glb --set left_hand=Bone.034 --save
    """
    from mummer.errors import InputError, UnknownFormatError

    said = _said(corrections)
    if len(files) > 1 and (said or output is not None):
        raise InputError("--set and --output are for one file at a time")
    if output is not None and output.suffix.lower() != ".png":
        raise UnknownFormatError(output, "cannot be written: choose .png")
    require_writable(output, *files, force=force)
    for file in files if save else ():
        require_writable(_sidecar(file), force=force)
    failed = 0
    for file in files:
        failed += not _recognize_one(file, as_json=json, ignore_names=ignore_names, said=said, save=save, output=output)
    if failed:
        raise typer.Exit(1 if failed < len(files) else 2)


def _said(corrections: list[str]) -> dict[str, str]:
    from mummer.errors import InputError

    said = {}
    for text in corrections:
        role, equals, joint = text.partition("=")
        if not (role and equals and joint):
            raise InputError(f"--set {text!r} is not ROLE=JOINT, as in --set left_hand=Bone.034")
        said[role.strip()] = joint
    return said


def _recognize_one(
    file: str, *, as_json: bool, ignore_names: bool, said: dict[str, str], save: bool, output: Path | None
) -> bool:
    """Recognise one file and say what was found; False, with one line, if that cannot be done."""
    import msgspec

    from mummer.errors import MummerError

    try:
        character, found = _found(file, ignore_names, said)
        if save:
            _save(file, character, found.anatomy)
        if output is not None:
            _picture(character, found.anatomy, output)
    except MummerError as error:
        message = " ".join(str(error).split())
        if as_json:
            typer.echo(msgspec.json.encode({"file": file, "error": message}).decode())
        typer.echo(f"mummer: {message}", err=True)
        return False
    if as_json:
        typer.echo(msgspec.json.encode(facts_of(file, character, found)).decode())
    else:
        _show(file, character, found)
    return True


def _found(file: str, ignore_names: bool, said: dict[str, str]) -> tuple[Character, Recognition]:
    from mummer.cli.subjects import load_subject
    from mummer.recognition import corrections_in, study

    character = load_subject(file)
    kept: dict[str, str | int] = dict(corrections_in(character.anatomy))
    return character, study(character, ignore_names=ignore_names, corrections=kept | said)


def facts_of(file: str, character: Character, found: Recognition) -> dict[str, Any]:
    """What was found as plain data: ``{"file", "kind", "roles": {role: {"joint", "confidence", "reason"}}, ...}``."""
    anatomy, names = found.anatomy, character.skeleton.names
    roles = {}
    for role, joint in anatomy.roles.items():
        evidence = anatomy.evidence[role]
        roles[role] = {"joint": names[joint], "confidence": evidence.confidence, "reason": evidence.reason}
    return {
        "file": file,
        "kind": anatomy.kind,
        "front": [round(value, 6) for value in anatomy.front.tolist()],
        "up": [round(value, 6) for value in anatomy.up.tolist()],
        "height": round(anatomy.height, 6),
        "roles": roles,
        "limbs": [
            {"name": limb.name, "kind": limb.kind, "side": limb.side, "joints": [names[joint] for joint in limb.joints]}
            for limb in anatomy.limbs
        ],
        "aside": [names[joint] for joint in found.aside],
        "findings": [str(finding) for finding in (*character.report.of("unusual"), *found.report)],
    }


def _show(file: str, character: Character, found: Recognition) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = LONGEST
    facts = facts_of(file, character, found)
    front = ", ".join(f"{value:g}" for value in facts["front"])
    console.print(f"[bold]{escape(file)}[/]  {facts['kind']}, {facts['height']:.3g} m tall, looks to ({front})")
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(3):
        table.add_column(no_wrap=True)
    for role, entry in facts["roles"].items():
        sure = entry["confidence"]
        color = "green" if sure > 0.8 else "yellow" if sure > 0.5 else "red"
        joint, reason = escape(elided(entry["joint"], WIDEST)), escape(entry["reason"])
        table.add_row(f"  {role}", joint, f"[{color}]{sure:.2f}[/]", f"[dim]{reason}[/]")
    console.print(table)
    console.print(f"  [dim]limbs[/] {escape(', '.join(limb['name'] for limb in facts['limbs']))}")
    for finding in facts["findings"]:
        console.print(f"  [dim]{escape(finding)}[/]")


def _sidecar(file: str) -> Path:
    """Where the anatomy of a file is kept."""
    from mummer.character import sidecar_of
    from mummer.errors import InputError
    from mummer.io.built_in import is_built_in

    if is_built_in(file):
        raise InputError(f"{file} is no file, so nothing can be saved beside it")
    return sidecar_of(file)


def _save(file: str, character: Character, anatomy: Anatomy) -> None:
    from mummer.character import save_anatomy

    save_anatomy(anatomy, character.skeleton, _sidecar(file))
    typer.echo(f"wrote {_sidecar(file)}", err=True)


def _picture(character: Character, anatomy: Anatomy, output: Path) -> None:
    """A picture of the body with the roles beside its joints; left, right and middle have their colours."""
    from mummer.cli.role_diagram import diagram_of
    from mummer.render import contact_sheet, save_png

    sheet = contact_sheet(
        [diagram_of(character, anatomy)],
        views=("front", "three_quarter", "side"),
        size=(720, 720),
        skeleton=True,
        names=True,
    )
    save_png(sheet, output)
