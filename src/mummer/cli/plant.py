"""``mummer plant``: feet that slide stay where they stand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.ranges import MOST_RATE, require_between
from mummer.cli.subjects import SUBJECT_HELP
from mummer.cli.telling import finding_rows, say_findings, say_json
from mummer.cli.writing import FORCE, require_writable

if TYPE_CHECKING:
    from mummer.character import Character
    from mummer.clip.clip import Clip
    from mummer.ik.constraints import Constrained
    from mummer.report import ReportBuilder


def plant(
    file: str = typer.Argument(..., help=SUBJECT_HELP, metavar="MOTION"),
    output: Path = typer.Option(..., "--output", "-o", help="The file to write: .glb .gltf .bvh .usda ..."),
    name: str = typer.Option("", "--clip", help="Which animation of the file; the first if left out."),
    body: str = typer.Option("", help="Put the motion on this body first: a file, zoo:NAME or random:SEED."),
    feet: str = typer.Option("", help="Joints that are feet, if the file does not say.", metavar="NAME,NAME"),
    ground: float = typer.Option(None, help="Height of the ground that feet stand on, in metres.", metavar="M"),
    ease: float = typer.Option(0.4, help="Seconds over which a foot comes to its place and leaves it.", metavar="S"),
    resample: float = typer.Option(
        0.0, help="Frames a second to write; those of the file if left out.", metavar="RATE"
    ),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Find when feet stand, and keep them there: no sliding, no jump, hips down only where a leg would overstretch.

    Heel and toes are held by themselves, so that feet still roll, and never sink below where they stand. The rest of
    the motion stays as it is.

    \b
    Examples:
      mummer plant walk.bvh -o clean.glb
      mummer plant walk.bvh --body zoo:child -o child_walk.glb
      mummer plant dance.fbx -o dance.bvh --feet ankle_l,ankle_r --ground 0
    """
    from mummer.cli.clip_steps import played, rate_of
    from mummer.cli.subjects import load_subject
    from mummer.io import formats
    from mummer.report import ReportBuilder

    formats.for_writing(output)
    require_writable(output, file, body, force=force)
    require_between("--resample", resample or None, 0, MOST_RATE, unit="frames a second")
    report = ReportBuilder()
    character = load_subject(file)
    report.add_all(character.report)
    start = played(character, name)
    clip = _marked(start, body, feet, report)
    made = _planted(clip, ground, ease)
    rate = resample or rate_of(start)
    facts: dict[str, Any] = {"file": file, "clip": start.recording.name, **_measured(made, rate)}
    facts |= _write(made, start.recording.name, output, rate, report)
    _tell(facts, report, as_json=json)


def _marked(start: Clip, body: str, feet: str, report: ReportBuilder) -> Clip:
    """The clip, on another body if one is named, with the footholds of the file's own motion."""
    from mummer.cli.clip_body import named_feet
    from mummer.cli.subjects import load_subject
    from mummer.ik.constraints import with_footholds

    clip = _unmarked(start if feet and not body else _by_roles(start))
    marked = with_footholds(clip, feet=named_feet(clip.body, feet, report))
    return marked.onto(load_subject(body), feet=False) if body else marked


def _unmarked(clip: Clip) -> Clip:
    """The clip without footholds that its file tells of: they are found anew, for the feet that are asked for."""
    from dataclasses import replace

    from mummer.clip.sampled import Sampled
    from mummer.ik.constraints.plant import HEEL, TOE

    if not isinstance(clip, Sampled):
        return clip
    others = tuple(mark for mark in clip.recording.marks if not mark.name.endswith((HEEL, TOE)))
    return Sampled(clip.body, replace(clip.recording, marks=others))


def _by_roles(clip: Clip) -> Clip:
    """The clip with a body whose anatomy is known: feet are found by their roles."""
    from mummer.clip.sampled import Sampled
    from mummer.recognition import recognize

    if clip.body.anatomy is not None or not isinstance(clip, Sampled):
        return clip
    known: Character = clip.body.replace(anatomy=recognize(clip.body))
    return Sampled(known, clip.recording)


def _planted(clip: Clip, ground: float | None, ease: float) -> Constrained:
    from mummer.errors import InputError
    from mummer.ik.constraints import planted
    from mummer.ik.constraints.plant import HEEL, TOE

    if not any(mark.name.endswith((HEEL, TOE)) for mark in clip.marks):
        raise InputError("no foot stands anywhere in this motion; are the right joints named as feet?")
    return planted(clip, ground=ground, floor=True, ease=ease)


def _measured(made: Constrained, rate: float) -> dict[str, Any]:
    """How far feet moved while they should have stood, before and after, and how far the hips were displaced."""
    import numpy as np

    from mummer.ik import Place, WorldState

    times = made.times(rate)
    stands = [goal for goal in made.goals if isinstance(goal, Place)]
    states = [WorldState(made.body, clip.sample(times)) for clip in (made.clip, made)]
    slid = [
        max(float(np.where(goal.active(len(times), times), goal.error(state, times), 0.0).max()) for goal in stands)
        for state in states
    ]
    hips = float(np.linalg.norm(states[1].positions[:, 0] - states[0].positions[:, 0], axis=-1).max())
    return {"stands": len(stands), "slid": round(slid[0], 6), "slides": round(slid[1], 6), "hips": round(hips, 6)}


def _write(made: Clip, name: str, output: Path, rate: float, report: ReportBuilder) -> dict[str, Any]:
    from mummer.io import save

    recording = made.to_recording(rate, name=name)
    report.add_all(save(made.body.replace(recordings=(recording,)), output))
    return {"target": str(output), "rate": rate, "frames": len(recording.key_times)}


def _tell(facts: dict[str, Any], report: ReportBuilder, *, as_json: bool) -> None:
    findings = report.build()
    if as_json:
        say_json({**facts, "findings": finding_rows(findings)})
        return
    say_findings(findings)
    typer.echo(
        f"{facts['stands']} footholds; feet were up to {1e3 * facts['slid']:.1f} mm off while they stood, "
        f"now {1e3 * facts['slides']:.3f} mm; hips displaced by up to {1e3 * facts['hips']:.1f} mm"
    )
    typer.echo(f"wrote {facts['target']} ({facts['frames']} frames at {facts['rate']:g} a second)")
