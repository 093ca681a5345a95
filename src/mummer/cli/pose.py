"""``mummer pose``: bend a body so that it meets goals, and look at the result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.subjects import SUBJECT_HELP
from mummer.cli.telling import finding_rows, say_findings, say_json
from mummer.cli.writing import FORCE, require_format, require_writable

if TYPE_CHECKING:
    from mummer.character import Character, Pose
    from mummer.ik import Solution
    from mummer.report import Finding

PICTURE, DATA = ".png", ".json"
MOTION_FILES = (".bvh", ".skm")


def pose(
    body: str = typer.Argument(..., help=SUBJECT_HELP, metavar="BODY"),
    place: list[str] = typer.Option([], help="Bring a part to a place, metres.", metavar="PART=X,Y,Z"),
    aim: list[str] = typer.Option([], help="Point a part at a place, metres.", metavar="PART=X,Y,Z"),
    orient: list[str] = typer.Option(
        [], help="Turn a part: degrees from rest about the world's axes, or a quaternion.", metavar="PART=X,Y,Z[,W]"
    ),
    keep: list[str] = typer.Option([], help="Keep a part where it is and as it is turned.", metavar="PART"),
    balanced: bool = typer.Option(False, "--balanced", help="Keep the centre of mass over the feet."),
    clip: str = typer.Option("", "--clip", help="Start from this animation of the file."),
    at: float = typer.Option(None, "--at", help="Start from this moment of it, seconds.", metavar="SECONDS"),
    solver: str = typer.Option("auto", help="auto, one_bone, two_bone, ccd, jacobian, mass_weighted or particle."),
    root: str = typer.Option(
        "free", help="Whether the root may travel (no farther than the body is tall) and turn: free, turns or fixed."
    ),
    output: Path = typer.Option(
        None, "--output", "-o", help="What to write: .glb .usda ... the posed body, .png a picture, .json the numbers."
    ),
    view: str = typer.Option("three-quarter", help="Where a picture is taken from, such as front or side."),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was found as one JSON object."),
) -> None:
    """Bend a body so that it meets goals; say which are met, and by how much the others are missed.

    A part is a role of the body (left_hand, head, front_left_foot) or the name of a joint; roles are recognised where
    the file does not give them. Options for goals may be given several times. A goal that is out of reach is met as
    well as the body allows, and is no error.

    \b
    Examples:
      mummer pose zoo:adult --place left_hand=0.3,1.5,0.4 --keep left_foot --keep right_foot -o reach.png
      mummer pose zoo:dog --aim head=0.5,0.2,1 -o look.glb
      mummer pose zoo:spider --place leg_1_left_foot=0.5,0.4,0.6 --root fixed --solver two_bone -o lift.png
      mummer pose hero.glb --clip Walk --at 0.4 --place RightHand=0.2,1.1,0.5 --balanced --json
    """
    from mummer.cli.pose_goals import read_goals
    from mummer.cli.subjects import load_subject
    from mummer.errors import UnknownNameError
    from mummer.ik.solve import SOLVERS
    from mummer.render.view import find_view

    if output is not None:
        require_format(output, PICTURE, DATA)
    require_writable(output, body, force=force)
    root_freedom = _root(root)
    if solver not in SOLVERS:
        raise UnknownNameError("mummer.ik", "solver", solver, SOLVERS)
    if output is not None and output.suffix.lower() == PICTURE:
        find_view(view)
    character = _with_roles(load_subject(body))
    start = _start(character, clip, at)
    goals = read_goals(character, start, place=place, aim=aim, orient=orient, keep=keep, balanced=balanced)
    found = _solved(character, [goal for _, goal in goals], start, solver, root_freedom)
    facts: dict[str, Any] = {"body": body, "solver": found.solver, "goals": _rows([name for name, _ in goals], found)}
    if output is not None:
        facts["target"] = str(output)
        _write(character, found.pose, output, view, facts)
    _tell(facts, found, character.report.of("unusual"), as_json=json)


def _with_roles(character: Character) -> Character:
    """The body with its parts recognised, where its file does not say what they are."""
    from mummer.recognition import recognize

    return character if character.anatomy is not None else character.replace(anatomy=recognize(character))


def _root(text: str) -> Any:
    from mummer.errors import UnknownNameError
    from mummer.ik.problem import ROOT_FREEDOMS

    if text not in ROOT_FREEDOMS:
        raise UnknownNameError("--root", "choice", text, ROOT_FREEDOMS)
    return text


def _solved(character: Character, goals: list[Any], start: Pose, solver: str, root: Any) -> Solution:
    """What meets the goals; a body that would have to leave its place stays there and reaches as far as it can."""
    import numpy as np

    from mummer import ik
    from mummer.ik.rigid_body import rigid_body

    found = ik.solve(character, goals, start, solver=solver, root=root)
    if root != "free" or found.pose.root_translation is None or start.root_translation is None:
        return found
    travel = float(np.linalg.norm(found.pose.root_translation - start.root_translation))
    if travel <= rigid_body(character).height:
        return found
    return ik.solve(character, goals, start, solver=solver, root="fixed")


def _start(character: Character, clip: str, at: float | None) -> Pose:
    """How the body stands before."""
    from math import isfinite

    from mummer.errors import InputError

    if not clip and at is None:
        return character.default_pose
    if not character.recordings:
        raise InputError(f"{character.name!r} has no animation, so no moment of one can be posed; leave --at out")
    recording = character.recording(clip) if clip else character.recordings[0]
    moment = recording.start if at is None else at
    if not (isfinite(moment) and recording.start - 1e-6 <= moment <= recording.end + 1e-6):
        raise InputError(
            f"--at {moment:g}: {recording.name!r} runs from {recording.start:g} to {recording.end:g} seconds"
        )
    return recording.sample([moment])[0]


def _rows(names: list[str], found: Solution) -> list[dict[str, Any]]:
    return [
        {"goal": name, "met": bool(met), "error": float(f"{error:.6g}"), "unit": goal.UNIT}
        for name, goal, met, error in zip(names, found.goals, found.met, found.errors, strict=True)
    ]


def _write(character: Character, posed: Pose, output: Path, view: str, facts: dict[str, Any]) -> None:
    import msgspec

    from mummer.atomic import replacing

    suffix = output.suffix.lower()
    if suffix == PICTURE:
        from mummer.render import picture, save_png
        from mummer.render.view import find_view

        save_png(picture(character, posed, view=find_view(view)), output)
    elif suffix == DATA:
        with replacing(output) as temporary:
            temporary.write_bytes(msgspec.json.format(msgspec.json.encode({**facts, **_numbers(character, posed)})))
    else:
        _save(character, posed, output)


def _save(character: Character, posed: Pose, output: Path) -> None:
    """The body in its pose; files of motion alone hold it as a motion of one frame."""
    from mummer.character import Pose, Recording
    from mummer.io import save

    recordings: tuple[Recording, ...] = ()
    if output.suffix.lower() in MOTION_FILES:
        recordings = (Recording.from_poses("pose", [0.0], Pose.stack([posed]), frame_rate=30.0),)
    save(character.replace(default_pose=posed, recordings=recordings), output)


def _numbers(character: Character, posed: Pose) -> dict[str, Any]:
    """The pose as plain data: where the root is, and how every joint is turned against its parent."""
    assert posed.root_translation is not None
    rotations = {name: turn.tolist() for name, turn in zip(character.skeleton.names, posed.rotations, strict=True)}
    return {"root_translation": posed.root_translation.tolist(), "rotations": rotations}


def _tell(facts: dict[str, Any], found: Solution, unusual: tuple[Finding, ...], *, as_json: bool) -> None:
    if as_json:
        say_json({**facts, "findings": finding_rows([*unusual, *found.report])})
        return
    width = max(len(row["goal"]) for row in facts["goals"])
    for row in facts["goals"]:
        typer.echo(f"  {row['goal']:<{width}}  {'met   ' if row['met'] else 'missed'}  {_amount(row)}")
    say_findings([*unusual, *found.report.of("ignored")])
    target = f", wrote {facts['target']}" if "target" in facts else ""
    typer.echo(f"{sum(row['met'] for row in facts['goals'])} of {len(facts['goals'])} met by {found.solver}{target}")


def _amount(row: dict[str, Any]) -> str:
    """How far a goal is missed, in millimetres or degrees."""
    from math import degrees

    if row["unit"] == "m":
        return f"{1000 * row['error']:.2f} mm"
    return f"{degrees(row['error']):.2f}°"
