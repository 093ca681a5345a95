"""``mummer judge``: what the judges of the grid say of the motions in a file."""

from __future__ import annotations

import typer

from mummer.cli.subjects import SUBJECT_HELP


def judge(
    files: list[str] = typer.Argument(..., help=SUBJECT_HELP, metavar="FILE..."),
    motion: str = typer.Option("", "--motion", "-m", help="The name of one motion; all if left out.", metavar="NAME"),
    strict: bool = typer.Option(False, "--strict", help="Leave with code 1 unless every motion passes."),
    json: bool = typer.Option(False, "--json", help="One JSON object a line for each motion."),
) -> None:
    """Judge the motions of files as the grid does: feet that slide, skin in the ground, jumps, limbs in one another.

    docs/guides/grid.md says what is measured. Files do not tell what was wished, so that is not judged.

    \b
    Examples:
      mummer judge walk.glb
      mummer judge hero.glb --motion Run
      mummer judge *.glb --json | jq .status
    """
    import msgspec

    from mummer.grid.files import judge_file

    failed = 0
    for file in files:
        verdicts = judge_file(file, motion or None)
        if not verdicts:
            typer.echo(f"{file}: no motions", err=True)
        for verdict in verdicts:
            failed += verdict.status != "passed"
            if json:
                typer.echo(msgspec.json.encode(verdict).decode())
                continue
            typer.echo(f"{file} {verdict.animation}: {verdict.status}")
            for score in verdict.scores:
                if score.value is not None:
                    sign = "passed" if score.passed else "beside" if score.beside else "FAILED"
                    where = "" if score.passed else f", {score.where}"
                    value = f"{score.value:g} of {score.threshold:g} {score.unit}"
                    typer.echo(f"  {sign} {score.measure}: {value}{where}")
    if strict and failed:
        raise typer.Exit(1)
