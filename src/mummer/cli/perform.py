"""``mummer perform``: a body plays animations that know nothing of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.ranges import MOST_RATE, MOST_SECONDS, picture_size, require_between
from mummer.cli.simulating import BALANCE, PHYSICS, PUSH, TENSION, THROW, Physics
from mummer.cli.subjects import SUBJECT_HELP, TRAVEL_HELP, travel_of
from mummer.cli.watching import drawing, waiting
from mummer.cli.writing import FORCE, require_format, require_writable

if TYPE_CHECKING:
    from mummer.character import Character
    from mummer.clip import Clip
    from mummer.clip.carriers import Choice
    from mummer.engine import Performance
    from mummer.report import Report
    from mummer.script import Rehearsal

PICTURE, VIDEOS = ".png", (".mp4", ".gif")
SHEET_FRAMES, RATE, GIF_RATE, VIEW = 8, 30.0, 20.0, "three-quarter"
MOOD = typer.Option(
    [], "--mood", help="A mood that sketches may ask for, and how much of it there is.", metavar="NAME=0..1"
)


@dataclass(frozen=True)
class Asked:
    """What a body is asked to perform; see the options of `perform`."""

    animations: tuple[str, ...]
    target: tuple[float, float, float] | None = None
    variant: str | None = None
    speed: float = 1.0
    duration: float | None = None
    path: list[tuple[float, float]] | None = None
    pace: float | None = None
    in_place: bool = False
    sway: bool = True
    sketches: tuple[str, ...] = ()
    moods: tuple[tuple[str, float], ...] = ()

    @property
    def onward(self) -> bool:
        """Whether a gait is asked for, and no way."""
        from mummer.general.gait import style_names

        return self.path is None and any(name in style_names() for name in self.animations)

    @property
    def written(self) -> bool:
        """Whether a script is asked for, or a file with a motion."""
        from mummer.script import script_names

        name = self.animations[0] if len(self.animations) == 1 else ""
        return name in script_names() or (Path(name).suffix not in ("", ".toml") and Path(name).is_file())

    @property
    def loops(self) -> bool:
        """Whether whole rounds are asked for, to be played again and again."""
        return self.onward and self.duration is None

    @property
    def title(self) -> str:
        """What to call the motion."""
        return " ".join(Path(name).stem for name in self.animations) or "go"


def perform(
    body: str = typer.Argument("", help=SUBJECT_HELP, metavar="BODY"),
    animations: list[str] = typer.Argument(
        None,
        help="Animations, .toml files or gaits (walk), played together; or one script or motion file.",
        metavar="ANIMATION...",
    ),
    target: str = typer.Option("", help="Where the thing is that they reach for, metres.", metavar="X,Y,Z"),
    variant: str = typer.Option(
        "", help="Which part plays, such as left_hand; if not given, the nearest to the target."
    ),
    speed: float = typer.Option(1.0, help="How fast, 1 as it was made, or as suits the body."),
    duration: float = typer.Option(
        None, help="Seconds; as long as the longest animation, or whole rounds of a gait.", metavar="SECONDS"
    ),
    path: str = typer.Option("", help="Where to go: places on the ground, metres.", metavar="'X,Z X,Z ...'"),
    to: str = typer.Option("", help="Where to go from where it stands: a place on the ground, metres.", metavar="X,Z"),
    pace: float = typer.Option(
        None, help="Metres a second along the path; --speed times what suits the body if not given."
    ),
    in_place: bool = typer.Option(False, "--in-place", help="Take out the way over the ground."),
    sway: bool = typer.Option(True, help="Let loose parts that nothing moves swing along."),
    sketch: list[str] = typer.Option(
        None, "--sketch", help="A character to do it as, such as old_man, or a .sketch file; may be repeated."
    ),
    mood: list[str] = MOOD,
    physics: bool = PHYSICS,
    push: list[str] = PUSH,
    throw: list[str] = THROW,
    tension: list[str] = TENSION,
    balance: str = BALANCE,
    rate: float = typer.Option(
        None, help="Frames a second of what is written; 30, or 20 for a .gif, if not given.", show_default=False
    ),
    listed: bool = typer.Option(False, "--list", help="List the animations, or how BODY can play them."),
    output: Path = typer.Option(
        None, "--output", "-o", help="What to write: .glb .usda .bvh ... the motion, .png a sheet, .mp4 a film."
    ),
    travel: str = typer.Option("auto", help=TRAVEL_HELP, metavar="auto|hips|root"),
    only_new: bool = typer.Option(False, "--only-new", help="Leave out the animations that BODY came with."),
    view: str = typer.Option(VIEW, help="Where pictures are taken from, such as front or side."),
    size: str = typer.Option("", "--size", help="Of one picture, such as 640x480.", metavar="WxH"),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Let a body, whatever it is, play animations; later ones play over earlier ones.

    Animations are made for no body in particular. The first branch that fits the body plays, on the parts that it
    selects there; --list with a body tells which animations fit and with which parts they can be played. A gait, such
    as walk, goes straight on for one round, whose end flows into its start, unless --to, --path or --duration says
    otherwise.

    \b
    Examples:
      mummer perform --list
      mummer perform zoo:spider wave -o wave.glb
      mummer perform random:7 nod wave -o greet.png
      mummer perform zoo:dog walk --in-place -o walk.glb
      mummer perform zoo:dog walk --to 1,3 -o there.glb
      mummer perform zoo:dog walk wave --path '0,0 0,2 1,3' -o stroll.mp4
      mummer perform zoo:adult wave --sketch old_man -o old.glb
      mummer perform zoo:adult walk.bvh --sketch energetic -o energetic.glb
      mummer perform zoo:centaur reach_inspect_show -o show.glb
      mummer perform hero.glb point --target 1,1.2,2 --variant left_hand -o point.mp4
      mummer perform zoo:adult wave --push 1.2s:chest:back:40 -o pushed.mp4
    """
    if listed or not body:
        _list(body, animations or [], as_json=json)
        return
    asked = Asked(
        tuple(animations or ()), point_of(target) if target else None, variant or None, speed, duration, _way(path, to),
        pace, in_place, sway, tuple(sketch or ()), tuple(mood_of(each) for each in mood),
    )  # fmt: skip
    muscles = Physics(physics, tuple(push), tuple(throw), tuple(tension), balance)
    muscles.check()
    pictures = {"view": view, **picture_size(size)}
    _check(body, asked, output, rate, pictures, force=force)
    carrier = travel_of(travel)
    with waiting(quiet=json) as say:
        say(f"loading {body}")
        character = _carried(known_body(body), carrier)
        say("performing")
        performance, clip, take = _performed(character, asked)
        if take is not None:
            say("planning")
            clip = take.clip
        report = performance.report
        if muscles.wanted:
            from mummer.cli.simulating import simulated

            say("simulating")
            clip, made = simulated(take or clip, muscles)
            report = made.report
        if output is not None and output.suffix.lower() not in VIDEOS:
            say(f"writing {output}")
            _write(clip, output, asked.title, rate or RATE, pictures, carrier, only_new=only_new)
    if output is not None and output.suffix.lower() in VIDEOS:
        _film(clip, output, rate, pictures, seamless=asked.loops and asked.in_place, quiet=json)
    _tell(performance, clip, report, body, asked, output, as_json=json)


def _check(
    body: str, asked: Asked, output: Path | None, rate: float | None, pictures: dict[str, Any], *, force: bool
) -> None:
    """Raise for whatever could not be done, before a body is built."""
    from mummer.errors import InputError
    from mummer.general import load_animation
    from mummer.general.gait import style_names

    if output is not None:
        require_format(output, PICTURE, *VIDEOS)
    require_writable(output, body, *asked.animations, force=force)
    if not asked.animations and asked.path is None:
        raise InputError(f"nothing for {body} to perform; mummer perform {body} --list shows what it can")
    for name in asked.animations:
        if name not in style_names() and not asked.written:
            load_animation(name)
    if asked.sketches:
        from mummer.script import load_sketch

        for name in asked.sketches:
            load_sketch(name)
    if pictures != {"view": VIEW}:
        from mummer.render.options import Options

        Options(**pictures)
    require_between("--speed", asked.speed, 0, 100, unit="times as fast")
    require_between("--duration", asked.duration, 0, MOST_SECONDS, unit="seconds")
    require_between("--pace", asked.pace, 0, 1000, unit="metres a second")
    require_between("--rate", rate, 0, MOST_RATE, unit="frames a second")


def _carried(character: Character, travel: Choice) -> Character:
    """The body, with a root on the ground where travel is to go on one and there is none."""
    from mummer.clip.carriers import with_carrier

    return with_carrier(character, travel)


def play(character: Character, asked: Asked) -> tuple[Performance, Clip]:
    """The performance, and the clip that is made of it: it begins at 0, and a gait that is sent nowhere loops."""
    from mummer.clip import InPlace, Shift
    from mummer.engine import perform
    from mummer.engine.rounds import long_enough, whole_rounds
    from mummer.general import load_animation
    from mummer.general.gait import style_names

    played = [load_animation(name) for name in asked.animations if name not in style_names()]
    lasting = max((one.duration / asked.speed for one in played), default=0.0)
    performance = perform(
        character, *asked.animations, target=asked.target, variant=asked.variant, speed=asked.speed,
        duration=long_enough(character) + lasting if asked.loops else asked.duration, path=asked.path, pace=asked.pace,
        ends="moving" if asked.onward else "stand", sway=asked.sway,
    )  # fmt: skip
    clip: Clip = performance
    if asked.loops:
        clip = whole_rounds(clip, lasting) or clip
    if asked.in_place:
        clip = InPlace(clip, "linear" if asked.path is None else "composite")
    return performance, Shift(clip, -clip.start) if clip.start else clip


def _performed(character: Character, asked: Asked) -> tuple[Performance | Clip, Clip, Rehearsal | None]:
    """What is played; and the same as sketches have it where there is a script, a recording or a sketch."""
    from mummer.cli.plan import rehearsal_of
    from mummer.script import Rehearsal

    if asked.written:
        take = rehearsal_of(character, asked.animations[0]).sketch(*asked.sketches).in_mood(**dict(asked.moods))
        return take.clip, take.clip, take
    performance, clip = play(character, asked)
    if not asked.sketches:
        return performance, clip, None
    return performance, clip, Rehearsal.of_clip(clip).sketch(*asked.sketches).in_mood(**dict(asked.moods))


def mood_of(text: str) -> tuple[str, float]:
    """A mood and how much of it there is, as ``--mood`` says it."""
    from mummer.errors import InputError

    name, _, amount = text.partition("=")
    try:
        found = float(amount)
    except ValueError:
        found = -1.0
    if not name.isidentifier() or not 0.0 <= found <= 1.0:
        raise InputError(f"--mood {text}: expected a name and a number from 0 to 1, as in tired=0.7")
    return name, found


def known_body(body: str) -> Character:
    """The body with its anatomy, recognised if the file gives none."""
    from mummer.cli.subjects import load_subject
    from mummer.recognition import recognized

    return recognized(load_subject(body))


def point_of(text: str, option: str = "--target") -> tuple[float, float, float]:
    """The place that an option says.

    Raises:
        InputError: if it is not three numbers.
    """
    from mummer.errors import InputError

    try:
        x, y, z = (float(number) for number in text.split(","))
    except ValueError:
        raise InputError(f"{option} {text}: expected three numbers, as in 1,0.5,2") from None
    return x, y, z


def _way(path: str, to: str) -> list[tuple[float, float]] | None:
    """The places that a path leads through, the body's own first."""
    from mummer.errors import InputError

    if path and to:
        raise InputError("--path and --to both say where to go; expected one of them")
    option, text = ("--to", to) if to else ("--path", path)
    if not text:
        return None
    path = f"0,0 {to}" if to else path
    try:
        rows = [tuple(float(number) for number in place.split(",")) for place in path.split()]
    except ValueError:
        rows = [()]
    if any(len(row) != 2 for row in rows) or len(rows) < 2 or (to and len(rows) != 2):
        expected = (
            "a place on the ground, as in 0,2" if to else "places on the ground, two or more, as in '0,0 0,2 1,3'"
        )
        raise InputError(f"{option} {text}: expected {expected}")
    return [(row[0], row[1]) for row in rows]


def _write(
    clip: Clip, output: Path, name: str, rate: float, pictures: dict[str, Any], travel: Choice, *, only_new: bool
) -> None:
    if output.suffix.lower() == PICTURE:
        from mummer.render import contact_sheet, save_png

        chosen = dict(pictures)
        save_png(contact_sheet(clip, views=chosen.pop("view"), times=SHEET_FRAMES, **chosen), output)
    else:
        from mummer.io import save_motions

        save_motions(clip.body, [clip.to_recording(rate, name=name, travel=travel)], output, only_new=only_new)


def _film(
    clip: Clip, output: Path, rate: float | None, pictures: dict[str, Any], *, seamless: bool, quiet: bool
) -> None:
    """Write a film; of a ``seamless`` one the last picture, which would equal the first, is left out."""
    import numpy as np

    from mummer.render import save_video

    fps = rate or (GIF_RATE if output.suffix.lower() == ".gif" else RATE)
    times = None
    if seamless:
        count = max(1, round(clip.duration * fps))
        times, fps = np.linspace(clip.start, clip.end, count, endpoint=False), count / clip.duration
    with drawing(quiet=quiet) as progress:
        save_video(output, clip, fps=fps, times=times, progress=progress, **pictures)


def _tell(
    performance: Performance | Clip,
    clip: Clip,
    report: Report,
    body: str,
    asked: Asked,
    output: Path | None,
    *,
    as_json: bool,
) -> None:
    from mummer.cli.telling import finding_rows, say_findings, say_json

    findings = [*performance.body.report.of("unusual"), *report]
    findings += clip.report if asked.sketches and clip is not performance else ()
    facts: dict[str, Any] = {
        "body": body,
        "animations": list(asked.animations),
        "sketches": list(asked.sketches),
        "variants": [variant for variant in getattr(performance, "variants", ()) if variant],
        "duration": clip.duration,
        "events": [{"time": mark.time, "name": mark.name} for mark in clip.marks],
        "target": None if output is None else str(output),
    }
    if as_json:
        say_json({**facts, "findings": finding_rows(findings)})
        return
    as_whom = f" as {' and '.join(Path(name).stem for name in asked.sketches)}" if asked.sketches else ""
    with_what = f" with {', '.join(facts['variants'])}" if facts["variants"] else ""
    wrote = f", wrote {output}" if output is not None else ""
    typer.echo(f"{body} plays {' + '.join(asked.animations) or 'go'}{with_what}{as_whom}: {clip.duration:.2f} s{wrote}")
    for mark in clip.marks:
        typer.echo(f"  {mark.time:6.2f} s  {mark.name}")
    say_findings(findings)


def _list(body: str, names: list[str], *, as_json: bool) -> None:
    """Tell which animations there are, or how a body can play them."""
    from mummer.cli.telling import say_json
    from mummer.general import animation_names, load_animation
    from mummer.general.gait import style_names
    from mummer.general.gait.style_text import read_style

    rows: list[dict[str, Any]] = []
    for name in names:
        if name not in style_names():
            load_animation(name)
    character = known_body(body) if body else None
    for name in names or (*animation_names(), *style_names()):
        if name in style_names():
            rows.append({"name": name, "description": read_style(name).description, "gait": True})
            continue
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
    if "gait" in row:
        return f"gait    {row['description']}"
    if "branch" not in row:
        return f"{row['duration']:4.1f} s  {row['description']}"
    if row["branch"] is None:
        return "not for this body"
    names = [name for name in row["variants"] if name]
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return f"{row['branch']}{': ' + ', '.join(names[:4]) + more if names else ''}"
