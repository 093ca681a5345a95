"""``mummer perform``: a body plays animations that know nothing of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.subjects import SUBJECT_HELP

if TYPE_CHECKING:
    from mummer.character import Character
    from mummer.clip import Clip
    from mummer.general import Performance

PICTURE, VIDEOS = ".png", (".mp4", ".gif", ".webm")
SHEET_FRAMES = 8


def perform(
    body: str = typer.Argument("", help=SUBJECT_HELP, metavar="BODY"),
    animations: list[str] = typer.Argument(
        None, help="Animations, .toml files or gaits (walk), played together.", metavar="ANIMATION..."
    ),
    target: str = typer.Option("", help="Where the thing is that they reach for, metres.", metavar="X,Y,Z"),
    variant: str = typer.Option(
        "", help="Which part plays, such as left_hand; if not given, the nearest to the target."
    ),
    speed: float = typer.Option(1.0, help="How fast, 1 as it was made."),
    duration: float = typer.Option(None, help="Seconds; as long as the longest, or one round.", metavar="SECONDS"),
    path: str = typer.Option("", help="Where to go: places on the ground, metres.", metavar="'X,Z X,Z ...'"),
    pace: float = typer.Option(None, help="Metres a second along the path; what suits the body if not given."),
    jiggle: bool = typer.Option(True, help="Let loose parts that nothing moves swing along."),
    rate: float = typer.Option(30.0, help="Frames a second of what is written."),
    listed: bool = typer.Option(False, "--list", help="List the animations, or how BODY can play them."),
    output: Path = typer.Option(
        None, "--output", "-o", help="What to write: .glb .usda .bvh ... the motion, .png a sheet, .mp4 a film."
    ),
    only_new: bool = typer.Option(False, "--only-new", help="Leave out the animations that BODY came with."),
    view: str = typer.Option("three-quarter", help="Where pictures are taken from, such as front or side."),
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Let a body, whatever it is, play animations; later ones play over earlier ones.

    Animations are made for no body in particular. The first branch that fits the body plays, on the parts that it
    selects there; --list with a body tells which animations fit and with which parts they can be played.

    \b
    Examples:
      mummer perform --list
      mummer perform zoo:spider wave -o wave.glb
      mummer perform random:7 nod wave -o greet.png
      mummer perform zoo:dog walk wave --path '0,0 0,2 1,3' -o stroll.mp4
      mummer perform hero.glb point --target 1,1.2,2 --variant left_hand -o point.mp4
    """
    if listed or not body:
        _list(body, animations or [], as_json=json)
        return
    from mummer.errors import InputError
    from mummer.general import perform as played
    from mummer.io import formats

    if output is not None and output.suffix.lower() not in (PICTURE, *VIDEOS):
        formats.for_writing(output, also=(PICTURE, *VIDEOS))
    character = _known(body)
    if not animations and not path:
        raise InputError(f"nothing for {body} to perform; mummer perform {body} --list shows what it can")
    clip = played(
        character, *(animations or []), target=_point(target) if target else None, variant=variant or None, speed=speed,
        duration=duration, path=_way(path), pace=pace,
    )  # fmt: skip
    if output is not None:
        _write(
            _jiggled(clip) if jiggle else clip,
            output,
            " ".join(Path(name).stem for name in animations or ["go"]),
            rate,
            view,
            only_new=only_new,
        )
    _tell(clip, body, animations or [], output, as_json=json)


def _known(body: str) -> Character:
    """The body with its anatomy, recognised if the file gives none."""
    from mummer.cli.subjects import load_subject
    from mummer.recognition import recognized

    return recognized(load_subject(body))


def _point(text: str) -> tuple[float, float, float]:
    from mummer.errors import InputError

    try:
        x, y, z = (float(number) for number in text.split(","))
    except ValueError:
        raise InputError(f"--target {text}: expected three numbers, as in 1,0.5,2") from None
    return x, y, z


def _way(text: str) -> list[tuple[float, float]] | None:
    """The places that a path leads through, the body's own first."""
    from mummer.errors import InputError

    if not text:
        return None
    try:
        rows = [tuple(float(number) for number in place.split(",")) for place in text.split()]
    except ValueError:
        rows = [()]
    if any(len(row) != 2 for row in rows):
        raise InputError(f"--path {text}: expected places on the ground, as in '0,0 0,2 1,3'")
    return [(row[0], row[1]) for row in rows]


def _jiggled(clip: Clip) -> Clip:
    from mummer.general.jiggle import Jiggled

    return Jiggled(clip)


def _write(clip: Clip, output: Path, name: str, rate: float, view: str, *, only_new: bool) -> None:
    suffix = output.suffix.lower()
    if suffix == PICTURE:
        from mummer.render import contact_sheet, save_png
        from mummer.render.view import find_view

        save_png(contact_sheet(clip, views=[find_view(view)], times=SHEET_FRAMES), output)
    elif suffix in VIDEOS:
        from mummer.render import save_video
        from mummer.render.view import find_view

        save_video(output, clip, view=find_view(view))
    else:
        from mummer.io import save_motions

        save_motions(clip.body, [clip.to_recording(rate, name=name)], output, only_new=only_new)


def _tell(clip: Performance, body: str, animations: list[str], output: Path | None, *, as_json: bool) -> None:
    from mummer.cli.telling import finding_rows, say_findings, say_json

    facts: dict[str, Any] = {
        "body": body,
        "animations": animations,
        "variants": [variant for variant in clip.variants if variant],
        "duration": clip.duration,
        "events": [{"time": mark.time, "name": mark.name} for mark in clip.marks],
        "target": None if output is None else str(output),
    }
    if as_json:
        say_json({**facts, "findings": finding_rows(clip.report)})
        return
    with_what = f" with {', '.join(facts['variants'])}" if facts["variants"] else ""
    wrote = f", wrote {output}" if output is not None else ""
    typer.echo(f"{body} plays {' + '.join(animations)}{with_what}: {clip.duration:.2f} s{wrote}")
    for mark in clip.marks:
        typer.echo(f"  {mark.time:6.2f} s  {mark.name}")
    say_findings(clip.report)


def _list(body: str, names: list[str], *, as_json: bool) -> None:
    """Tell which animations there are, or how a body can play them."""
    from mummer.cli.telling import say_json
    from mummer.general import animation_names, load_animation

    rows = []
    character = _known(body) if body else None
    for name in names or animation_names():
        one = load_animation(name)
        row: dict[str, Any] = {"name": one.name, "description": one.description, "duration": one.duration}
        if character is not None:
            row |= _ways(one, character)
        rows.append(row)
    if as_json:
        say_json({"animations": rows})
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        typer.echo(f"  {row['name']:<{width}}  {_said(row)}")


def _ways(one: Any, character: Character) -> dict[str, Any]:
    from mummer.errors import InputError
    from mummer.general import bind

    try:
        bound = bind(one, character)
    except InputError:
        return {"branch": None, "variants": []}
    return {"branch": bound.branch.name, "variants": [variant.name for variant in bound.variants]}


def _said(row: dict[str, Any]) -> str:
    if "branch" not in row:
        return f"{row['duration']:4.1f} s  {row['description']}"
    if row["branch"] is None:
        return "not for this body"
    names = [name for name in row["variants"] if name]
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return f"{row['branch']}{': ' + ', '.join(names[:4]) + more if names else ''}"
