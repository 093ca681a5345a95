"""``mummer view``: a body and its motions in the browser."""

from __future__ import annotations

import tempfile
from pathlib import Path

import typer

from mummer.cli.subjects import SKELETON, SUBJECT_HELP, UNIT
from mummer.cli.writing import FORCE, require_writable


def view(
    source: str = typer.Argument(..., help=SUBJECT_HELP, metavar="FILE"),
    output: Path = typer.Option(None, "--output", "-o", help="Where to write the page; a temporary file if left out."),
    opened: bool = typer.Option(True, "--open/--no-open", help="Open the page in the browser."),
    unit: str = UNIT,
    skeleton: str = SKELETON,
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Look at a body and its animations in the browser: turn it, play it, scrub through it.

    The page is one file that holds everything, needs no server, and can be sent to somebody else.

    \b
    Examples:
      mummer view hero.glb
      mummer view walk.bvh
      mummer view zoo:dragon -o dragon.html --no-open
    """
    import msgspec

    from mummer.atomic import write_text
    from mummer.cli.subjects import load_subject
    from mummer.cli.telling import say_findings
    from mummer.errors import UnknownFormatError
    from mummer.grid import view_page

    if output is not None and output.suffix.lower() not in (".html", ".htm"):
        raise UnknownFormatError(output, "cannot be written: a page ends in .html")
    require_writable(output, source, force=force)
    character = load_subject(source, unit=unit, skeleton=skeleton)
    text = view_page(character)
    path = output if output is not None else Path(tempfile.mkdtemp(prefix="mummer-view-")) / "view.html"
    write_text(path, text)
    shown = opened and _open(path)
    if json:
        facts = {"target": str(path), "bytes": path.stat().st_size, "opened": shown}
        typer.echo(msgspec.json.encode(facts).decode())
    else:
        say_findings(character.report)
        typer.echo(f"{'opened' if shown else 'wrote'} {path}")


def _open(path: Path) -> bool:
    """Whether some browser took the page."""
    import webbrowser

    return webbrowser.open(path.resolve().as_uri())
