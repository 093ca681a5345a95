"""``mummer model``: a body does an action whose parameters are chosen, in a chosen style."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.perform import PICTURE, VIDEOS, VIEW
from mummer.cli.ranges import MOST_RATE, picture_size, require_between
from mummer.cli.subjects import SUBJECT_HELP
from mummer.cli.watching import drawing, waiting
from mummer.cli.writing import FORCE, require_format, require_writable

if TYPE_CHECKING:
    from mummer.model import Action, Model
    from mummer.stage import Trial


def model(
    name: str = typer.Argument("", help="A model of the library, or its .toml file.", metavar="MODEL"),
    body: str = typer.Argument("", help=SUBJECT_HELP, metavar="BODY"),
    given: list[str] = typer.Option(
        None, "--set", help="A value of a parameter; may be given again.", metavar="NAME=VALUE"
    ),
    style: str = typer.Option("", help="How: a style of the model, or its .toml file; the first if not given."),
    beyond: str = typer.Option(
        "clip",
        help="Of values that are not legal: clip takes the nearest that are, ignore does what it can, "
        "add goes there or jumps.",
        metavar="clip|ignore|add",
    ),
    without: list[str] = typer.Option(None, help="An invariant to leave out, as --json names it."),
    rate: float = typer.Option(30.0, help="Frames a second of what is written."),
    transitions: bool = typer.Option(
        False, "--transitions", help="Try every timing of the way into it, from a row of other actions."
    ),
    listed: bool = typer.Option(False, "--list", help="List the models, or the parameters and styles of MODEL."),
    output: Path = typer.Option(
        None, "--output", "-o", help="What to write: .glb .usda .bvh ... the motion, .png a sheet, .mp4 a film."
    ),
    view: str = typer.Option(VIEW, help="Where pictures are taken from, such as front or side."),
    size: str = typer.Option("", "--size", help="Of one picture, such as 640x480.", metavar="WxH"),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Let a body do an action: reach for a place, throw at a target, jump somewhere.

    \b
    Examples:
      mummer model --list
      mummer model reach --list
      mummer model reach zoo:adult --set target=0.3,1.2,0.5 -o reach.glb --json
      mummer model reach zoo:dog --set target=0.1,0.4,0.8 -o reach.png
      mummer model nod zoo:adult --transitions
    """
    from mummer.errors import InputError

    if listed or not body:
        if not listed and name:
            raise InputError(f"nobody to do {name}; expected a body, as in: mummer model {name} zoo:adult")
        _list(name, as_json=json)
        return
    if output is not None:
        require_format(output, PICTURE, *VIDEOS)
    require_writable(output, body, name, style, force=force)
    require_between("--rate", rate, 0, MOST_RATE, unit="frames a second")
    values = dict(_pair(text) for text in given or ())
    pictures: dict[str, Any] = dict(picture_size(size))
    from mummer.model import act, load_model, load_style

    load_style(style or None, load_model(name))
    with waiting(quiet=json) as say:
        say(f"{body} does {name}")
        action = act(body, name, style=style or None, beyond=beyond, without=tuple(without or ()), **values)  # type: ignore[arg-type]
        _ = action.misses
        tried = _tried(action, say) if transitions else []
        if output is not None and output.suffix.lower() not in VIDEOS:
            say(f"writing {output}")
            _write(action, output, rate, view, pictures)
    if output is not None and output.suffix.lower() in VIDEOS:
        from mummer.render import save_video
        from mummer.render.view import find_view

        with drawing(quiet=json) as progress:
            save_video(output, action.clip, fps=rate, view=find_view(view), progress=progress, **pictures)
    _tell(action, output, tried, as_json=json)


def _tried(action: Action, say: Callable[[str], None]) -> list[Trial]:
    from mummer.stage import trials

    say(f"trying ways into {action.model}")
    return trials(action.body, action)


def _pair(text: str) -> tuple[str, str]:
    from mummer.errors import InputError

    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise InputError(f"--set {text}: expected NAME=VALUE, as in target=0.3,1.2,0.5")
    return name.strip(), value.strip()


def _write(action: Action, output: Path, rate: float, view: str, pictures: dict[str, Any]) -> None:
    if output.suffix.lower() == PICTURE:
        from mummer.render import contact_sheet, save_png
        from mummer.render.view import find_view

        times = [time for _, time in action.key_times]
        save_png(contact_sheet(action.clip, views=[find_view(view)], times=times, **pictures), output)
        return
    from mummer.io import save_motions

    save_motions(action.body, [action.clip.to_recording(rate, name=action.model)], output)


def _tell(action: Action, output: Path | None, tried: Sequence[Trial], *, as_json: bool) -> None:
    from mummer.cli.telling import say_findings, say_json

    if as_json:
        facts = {**action.facts(), "output": None if output is None else str(output)}
        ways = [{"start": each.start, "seconds": each.seconds, "hurry": each.hurry} for each in tried]
        say_json(facts | ({"transitions": ways} if tried else {}))
        return
    wrote = f", wrote {output}" if output is not None else ""
    typer.echo(f"{action.body.name} does {action.model} ({action.style}): {action.clip.duration:.2f} s{wrote}")
    for moment, time in action.key_times:
        typer.echo(f"  {time:6.2f} s  {moment}")
    if tried:
        typer.echo(f"  {'after':<14}" + "".join(f"{way:>14}" for way in tried[0].seconds))
    for each in tried:
        marks = [f"{time:.2f} s{' !' if each.hurry[way] > 1 else '  '}" for way, time in each.seconds.items()]
        typer.echo(f"  {each.start:<14}" + "".join(f"{mark:>14}" for mark in marks))
    if any(hurry > 1 for each in tried for hurry in each.hurry.values()):
        typer.echo("  !: faster than some group of the body can be moved")
    say_findings(action.report)


def _list(name: str, *, as_json: bool) -> None:
    from mummer.cli.telling import say_json
    from mummer.model import load_model, model_names

    rows = [_row(load_model(each)) for each in ([name] if name else model_names())]
    if as_json:
        say_json({"models": rows})
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        typer.echo(f"  {row['name']:<{width}}  {row['description']}  [{', '.join(row['styles'])}]")
        for parameter in row["parameters"] if name else ():
            typer.echo(f"      {parameter['name']} ({parameter['type']}): {parameter['description']}")


def _row(one: Model) -> dict[str, Any]:
    from mummer.model import style_names
    from mummer.model.values import plain

    return {
        "name": one.name, "description": one.description, "styles": list(style_names(one)),
        "key_times": list(one.key_times),
        "parameters": [
            {
                "name": each.name, "type": each.kind, "description": each.description, "edit": each.edit,
                "default": None if each.default is None else plain(each.default), "choices": list(each.choices),
            }
            for each in one.parameters
        ],
    }  # fmt: skip
