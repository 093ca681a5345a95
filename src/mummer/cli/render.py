"""``mummer render``: a picture, a contact sheet or a video of bodies and motions."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.ranges import MOST_PIXELS, picture_size, require_between
from mummer.cli.subjects import SKELETON_HELP, SUBJECT_HELP, UNIT
from mummer.cli.telling import finding_rows, say_findings, say_json
from mummer.cli.watching import drawing
from mummer.cli.writing import FORCE, require_writable

if TYPE_CHECKING:
    from mummer.character import Character

DEFAULT_TIMES = 8
SHEET_SIZE = (320, 320)
SLACK = 0.05
"""Seconds that a moment may lie outside an animation: its last frame ends a little later than it is shown."""
VIDEOS = (".gif", ".mp4")


def render(
    sources: list[str] = typer.Argument(..., help=SUBJECT_HELP, metavar="FILE..."),
    output: Path = typer.Option(..., "--output", "-o", help="What to write: .png for a sheet, .gif or .mp4 to move."),
    clip: str = typer.Option("", "--clip", help="Show this animation of the files."),
    times: str = typer.Option("", "--times", help="Seconds of the animation to show, such as 0,0.5,1."),
    frames: int = typer.Option(0, "--frames", min=0, help="How many moments of the animation to show, evenly spread."),
    views: str = typer.Option(
        "", "--views", help="Such as front,side,three-quarter,back,top, or degrees as yaw:pitch, such as 30:15."
    ),
    size: str = typer.Option("", "--size", help="Of one picture, such as 640x480."),
    skeleton: bool = typer.Option(False, "--skeleton", help="Draw the joints over the mesh."),
    names: bool = typer.Option(False, "--names", help="Write the names of the joints."),
    trail: list[str] = typer.Option([], "--trail", help="Draw the way of this joint; may be given several times."),
    floor_path: bool = typer.Option(False, "--floor-path", help="Draw the way of the body over the ground."),
    scale_bar: bool = typer.Option(False, "--scale-bar", help="Draw a bar that says how large the body is."),
    columns: int = typer.Option(0, "--columns", min=0, max=1000, help="Pictures in a row of the sheet."),
    pose: str = typer.Option("", "--pose", help="rest, default, or a time in seconds: show this one pose."),
    fps: float = typer.Option(25.0, "--fps", help="Pictures a second of a video."),
    side_by_side: bool = typer.Option(False, "--side-by-side", help="Several bodies in one picture, at true size."),
    same_scale: bool = typer.Option(False, "--same-scale", help="All bodies of a sheet at the same scale."),
    dual_quaternion: bool = typer.Option(False, "--dual-quaternion", help="Bend the mesh by dual quaternions."),
    unit: str = UNIT,
    skeleton_file: str = typer.Option("", "--skeleton-file", help=SKELETON_HELP, metavar="FILE"),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Make a picture, a contact sheet or a video of bodies and their animations.

    A file with animations shows its first one unless --pose or --clip says otherwise. The camera goes round a body
    that does not move when a video is asked for.

    \b
    Examples:
      mummer render hero.glb -o hero.png
      mummer render fox.glb --clip Walk --frames 6 --views side -o walk.png
      mummer render walk.bvh --trail LeftFoot --floor-path -o walk.mp4
      mummer render zoo:adult zoo:dog zoo:spider --side-by-side -o zoo.png
      mummer render random:7 --skeleton --names --views front -o creature.png
    """
    from mummer.cli.subjects import load_subject
    from mummer.errors import InputError, UnknownFormatError

    suffix = output.suffix.lower()
    if suffix not in (".png", *VIDEOS):
        raise UnknownFormatError(output, "cannot be written: choose .png, .gif or .mp4")
    require_writable(output, *sources, force=force)
    require_between("--fps", fps, 0, 240, unit="pictures a second")
    motion = _motion_of(clip, times, frames, pose)
    chosen = _options(size, skeleton, names, trail, floor_path, scale_bar, dual_quaternion)
    view_list = _views(views)
    moments = _moments(times, frames)
    if suffix not in VIDEOS:
        _require_room(chosen.get("size", SHEET_SIZE), len(sources) * max(1, len(view_list)), moments)
    characters = [load_subject(source, unit=unit, skeleton=skeleton_file) for source in sources]
    subjects = [_subject(character, motion, moments) for character in characters]
    if isinstance(moments, list) and not any(map(_moves, subjects)):
        raise InputError(f"--times {times}: {', '.join(sources)} has no animation, so no moment of one can be shown")
    if suffix in VIDEOS:
        facts = _video(output, subjects, view_list, moments, fps, chosen, quiet=json)
    elif side_by_side:
        facts = _picture(output, subjects, view_list, moments, chosen)
    else:
        facts = _sheet(output, subjects, view_list, moments, columns, same_scale, chosen, quiet=json)
    facts = {"target": str(output), "bytes": output.stat().st_size, "subjects": list(sources), **facts}
    findings = [finding for character in characters for finding in character.report.of("unusual")]
    if json:
        say_json({**facts, "findings": finding_rows(findings)})
    else:
        wide, high = facts["size"]
        many = f", {facts['frames']} frames at {facts['fps']:g} a second" if suffix in VIDEOS else ""
        typer.echo(f"wrote {output} ({wide}x{high}{many})")
        say_findings(findings)


def _motion_of(clip: str, times: str, frames: int, pose: str) -> str:
    """What was asked for of each file: ``clip:NAME``, ``rest``, ``default``, ``time:SECONDS`` or nothing."""
    from mummer.errors import InputError

    if pose and (times or frames):
        raise InputError("--pose shows one pose: it does not go with --times or --frames")
    if times and frames:
        raise InputError("give --times or --frames, not both")
    if pose in ("rest", "default"):
        if clip:
            raise InputError(f"--pose {pose} is no moment of an animation: leave --clip out")
        return pose
    if pose:
        return f"time:{_number(pose, '--pose')}:{clip}"
    return f"clip:{clip}" if clip else ""


def _subject(character: Character, motion: str, moments: Any) -> Any:
    """The pair (character, pose or recording) that the command line means.

    Raises:
        InputError: if moments are asked for at which its animation does not play.
    """
    shown = _shown(character, motion)
    if isinstance(moments, list) and _moves(shown):
        _require_moments(character, shown[1], moments, "--times")
    return shown


def _moves(subject: Any) -> bool:
    """Whether what is shown is an animation, and not a body or a pose."""
    return isinstance(subject, tuple) and hasattr(subject[1], "end")


def _shown(character: Character, motion: str) -> Any:
    from mummer.character import Pose

    if motion == "rest":
        return (character, Pose.rest(character.skeleton))
    if motion == "default":
        return character
    if motion.startswith("time:"):
        _, seconds, clip = motion.split(":", 2)
        recording = _recording(character, clip)
        _require_moments(character, recording, [float(seconds)], "--pose")
        return (character, recording.sample([float(seconds)])[0])
    if motion.startswith("clip:"):
        return (character, _recording(character, motion.removeprefix("clip:")))
    return (character, character.recordings[0]) if character.recordings else character


def _require_moments(character: Character, recording: Any, moments: list[float], option: str) -> None:
    from mummer.errors import InputError

    for moment in moments:
        if not recording.start - SLACK <= moment <= recording.end + SLACK:
            raise InputError(
                f"{option} {moment:g}: {recording.name!r} of {character.name!r} runs from {recording.start:g} "
                f"to {recording.end:g} seconds"
            )


def _require_room(size: tuple[int, int], rows: int, moments: Any) -> None:
    """Raise for a sheet that nobody could look at, before anything is loaded."""
    from mummer.errors import InputError

    count = rows * (moments if isinstance(moments, int) else len(moments or [0]))
    if count * size[0] * size[1] > MOST_PIXELS:
        raise InputError(
            f"{count} pictures of {size[0]}x{size[1]} make no sheet that could be looked at; expected at most "
            f"{MOST_PIXELS // 1_000_000} million pixels in all: fewer --frames, --times or --views, or a smaller --size"
        )


def _recording(character: Character, clip: str) -> Any:
    from mummer.errors import InputError

    if clip:
        return character.recording(clip)
    if not character.recordings:
        raise InputError(f"{character.name!r} has no animation, so no moment of one can be shown")
    return character.recordings[0]


def _options(
    size: str, skeleton: bool, names: bool, trail: list[str], floor_path: bool, scale_bar: bool, dual_quaternion: bool
) -> dict[str, Any]:
    return {
        "skeleton": skeleton,
        "names": names,
        "trails": tuple(trail),
        "floor_path": floor_path,
        "scale_bar": scale_bar,
        "method": "dual_quaternion" if dual_quaternion else "linear",
        **picture_size(size),
    }


def _views(text: str) -> list[Any]:
    """The views of a comma-separated list; degrees are written yaw:pitch."""
    from mummer.render.view import find_view

    views: list[Any] = []
    for word in filter(None, (word.strip() for word in text.split(","))):
        yaw, colon, pitch = word.partition(":")
        views.append(find_view((_number(yaw, "--views"), _number(pitch, "--views")) if colon else word))
    return views


def _moments(times: str, frames: int) -> Any:
    """The moments to show: a list of seconds, a count, or None."""
    if frames:
        return frames
    return [_number(word, "--times") for word in times.split(",")] if times else None


def _number(text: str, option: str) -> float:
    from math import isfinite

    from mummer.errors import InputError

    with contextlib.suppress(ValueError):
        if isfinite(float(text)):
            return float(text)
    raise InputError(f"{option}: {text.strip()!r} is not a number")


def _sheet(
    output: Path, subjects: list[Any], views: list[Any], moments: Any, columns: int, same_scale: bool,
    options: dict[str, Any], *, quiet: bool,
) -> dict[str, Any]:  # fmt: skip
    from mummer.render import contact_sheet, save_png

    default = (
        ["three_quarter", "front", "side"] if len(subjects) == 1 and not _moves(subjects[0]) else ["three_quarter"]
    )
    with drawing(quiet=quiet) as progress:
        page = contact_sheet(
            subjects,
            views=views or default,
            times=DEFAULT_TIMES if moments is None else moments,
            columns=columns or None,
            same_scale=same_scale,
            progress=progress,
            **options,
        )
    save_png(page, output)
    return {"kind": "sheet", "size": [page.shape[1], page.shape[0]]}


def _picture(
    output: Path, subjects: list[Any], views: list[Any], moments: Any, options: dict[str, Any]
) -> dict[str, Any]:
    from mummer.errors import InputError
    from mummer.render import picture, save_png

    if len(views) > 1:
        raise InputError("--side-by-side makes one picture: give one view")
    if isinstance(moments, list) and len(moments) == 1:
        moments = moments[0]
    if isinstance(moments, list | int):
        raise InputError("--side-by-side makes one picture: give one of --times")
    image = picture(subjects, time=moments, view=(views or ["three_quarter"])[0], **{"size": (960, 480), **options})
    save_png(image, output)
    return {"kind": "picture", "size": [image.shape[1], image.shape[0]]}


def _video(
    output: Path, subjects: list[Any], views: list[Any], moments: Any, fps: float, options: dict[str, Any],
    *, quiet: bool,
) -> dict[str, Any]:  # fmt: skip
    from mummer.errors import InputError
    from mummer.render import save_video

    if len(views) > 1:
        raise InputError("a video is seen from one side: give one view")
    with drawing(quiet=quiet) as progress:
        facts = save_video(
            output,
            subjects,
            fps=fps,
            times=moments,
            view=(views or ["three_quarter"])[0],
            progress=progress,
            **options,
        )
    return {"kind": "video", "size": list(facts.size), "frames": facts.frames, "fps": facts.fps}
