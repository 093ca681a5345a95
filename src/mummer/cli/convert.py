"""``mummer convert``: one format into another."""

from __future__ import annotations

from pathlib import Path

import typer

from mummer.cli.subjects import SKELETON, SUBJECT_HELP, UNIT
from mummer.cli.telling import finding_rows, say_findings, say_json
from mummer.cli.writing import FORCE, require_writable


def convert(
    source: str = typer.Argument(..., help=SUBJECT_HELP, metavar="IN"),
    target: Path = typer.Argument(..., help="The file to write: .glb .gltf .vrm .bvh .usda .usdc .usdz", metavar="OUT"),
    clip: list[str] = typer.Option([], "--clip", help="Keep only this animation; may be given several times."),
    unit: str = UNIT,
    to_unit: str = typer.Option("", "--to-unit", help="Of a .bvh to write: cm if left out.", metavar="UNIT"),
    skeleton: str = SKELETON,
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Convert a character or a motion from one format to another.

    What the target cannot hold is said, never dropped in silence.

    \b
    Examples:
      mummer convert walk.bvh walk.glb
      mummer convert hero.fbx hero.glb
      mummer convert knight.glb chop.bvh --clip 1H_Melee_Attack_Chop
      mummer convert walk.bvh blender.bvh --unit inch --to-unit m
      mummer convert walk.amc walk.glb --skeleton person.asf
    """
    from mummer.cli.subjects import load_subject
    from mummer.io import formats, save

    formats.for_writing(target)
    require_writable(target, source, force=force)
    character = load_subject(source, unit=unit, skeleton=skeleton)
    if clip:
        character = character.replace(recordings=tuple(character.recording(name) for name in clip))
    report = save(character, target, unit=to_unit or None)
    findings = [*character.report, *report]
    if json:
        rows = finding_rows(findings)
        facts = {"source": source, "target": str(target), "bytes": target.stat().st_size, "findings": rows}
        say_json(facts)
        return
    say_findings(findings)
    typer.echo(f"wrote {target} ({len(character.skeleton)} joints, {len(character.recordings)} animations)")
