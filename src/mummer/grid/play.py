"""Playing one cell: make the motion, judge it, pack it for the page. What every worker runs."""

from __future__ import annotations

import time

import msgspec

from mummer.clip import Clip, Sampled
from mummer.errors import MummerError
from mummer.grid.bodies import load_body
from mummer.grid.judge import JUDGES, Scene, scene_of
from mummer.grid.pack import LONGEST, pack_body, pack_poses
from mummer.grid.player import NotAdmittedError, find_player
from mummer.grid.verdict import Cell, Status, Verdict


class Task(msgspec.Struct, frozen=True):
    """What a worker is asked to do.

    Attributes:
        cell: which cell.
        player: what makes its motion, ``module:function``.
        keep: for which verdicts the motion is wanted for the page.
        with_body: whether the body is wanted for the page too, if the motion is.
    """

    cell: Cell
    player: str
    keep: tuple[str, ...] = ("passed", "failed")
    with_body: bool = True


class Outcome(msgspec.Struct, frozen=True):
    """What a worker answers.

    Attributes:
        verdict: what became of the cell.
        clip: the motion as the page reads it, where it was wanted.
        body: the body as the page reads it, where it was wanted.
    """

    verdict: Verdict
    clip: bytes | None = None
    body: bytes | None = None


def play(task: Task) -> Outcome:
    """Play and judge one cell. Never raises: a fault is a verdict too."""
    cell, began = task.cell, time.perf_counter()
    try:
        body = load_body(cell.body)
        clip = find_player(task.player)(cell.animation, body)
        scene = scene_of(as_written(clip), loops=bool(getattr(clip, "loops", False)))
        verdict = judged(cell, scene)
        wanted = verdict.status in task.keep
        motion = _packed(scene) if wanted else None
        surface = pack_body(body) if wanted and task.with_body else None
    except NotAdmittedError as refusal:
        verdict, motion, surface = _without(cell, "not_admitted", str(refusal)), None, None
    except Exception as error:
        kind = "" if isinstance(error, MummerError) else f"{type(error).__name__}: "
        verdict, motion, surface = _without(cell, "crashed", kind + " ".join(str(error).split())), None, None
    taken = round(time.perf_counter() - began, 4)
    return Outcome(msgspec.structs.replace(verdict, seconds=taken), motion, surface)


def as_written(clip: Clip) -> Sampled:
    """A motion as a file holds it and a player shows it: in keys at its rate, and straight from key to key."""
    return Sampled(clip.body, clip.to_recording(), report=clip.report, wishes=clip.wishes)


def judged(cell: Cell, scene: Scene) -> Verdict:
    """What all judges say of a motion."""
    scores = tuple(judge.score(scene) for judge in JUDGES)
    status: Status = "passed" if all(score.passed or score.beside for score in scores) else "failed"
    return Verdict(cell.animation, cell.body, status, scores, duration=round(scene.clip.duration, 4))


def _packed(scene: Scene) -> bytes:
    """The motion for the page, of every fourth sample: to make it again would take longer than to judge it."""
    rows = slice(0, round(LONGEST / scene.step), 4)
    return pack_poses(scene.body, scene.pose[rows], 0.25 / scene.step)


def _without(cell: Cell, status: Status, reason: str) -> Verdict:
    return Verdict(cell.animation, cell.body, status, reason=reason)
