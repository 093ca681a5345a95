"""Players for the tests: small motions that any body can show, and the ways in which a cell can go wrong."""

from __future__ import annotations

import os
import time

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose, Recording
from mummer.clip import Sampled
from mummer.clip.clip import Clip
from mummer.grid import NotAdmittedError, Verdict
from mummer.grid.play import Outcome, Task
from mummer.math import quaternion

SECONDS, RATE = 2.0, 60.0


def moved(body: Character, turns: dict[int, FloatArray], travel: FloatArray | None = None) -> Sampled:
    """The body at rest with joints turned by (T, 3) rotation vectors in their parents' frames and its root moved."""
    times = np.linspace(0.0, SECONDS, round(SECONDS * RATE) + 1)
    rest = Pose.rest(body.skeleton)
    rotations = np.repeat(rest.rotations[None], len(times), axis=0)
    for joint, vectors in turns.items():
        rotations[:, joint] = quaternion.multiply(quaternion.exp(vectors), rotations[:, joint])
    assert rest.root_translation is not None
    root = np.repeat(rest.root_translation[None], len(times), axis=0)
    poses = Pose(rotations, root if travel is None else root + travel)
    return Sampled(body, Recording.from_poses("made", times, poses, frame_rate=RATE))


def wave_of(size: float, axis: int = 2) -> FloatArray:
    """(T, 3) a swing there and back about one axis, from and to nothing."""
    phases = np.linspace(0.0, 2 * np.pi, round(SECONDS * RATE) + 1)
    vectors = np.zeros((len(phases), 3))
    vectors[:, axis] = size * np.sin(phases) * np.sin(phases / 2)
    return vectors


def tip_parent(body: Character) -> int:
    """A joint that can swing without moving the feet: the one above the head, else the last with a child."""
    anatomy = body.anatomy
    heads = anatomy.capabilities.get("head", ()) if anatomy else ()
    if heads:
        return int(heads[0])
    return max(joint for joint in range(len(body.skeleton)) if body.skeleton.children[joint])


def play(animation: str, body: Character) -> Clip:
    """One of the motions below by its name."""
    return PLAYS[animation](body)


def _nod(body: Character) -> Clip:
    return moved(body, {tip_parent(body): wave_of(0.2, axis=0)})


def _shake(body: Character) -> Clip:
    return moved(body, {tip_parent(body): wave_of(0.2, axis=1)})


def _still(body: Character) -> Clip:
    return moved(body, {})


def _slide(body: Character) -> Clip:
    assert body.anatomy is not None
    return moved(body, {}, travel=np.linspace(0, 1, round(SECONDS * RATE) + 1)[:, None] * body.anatomy.front)


def _refuse(body: Character) -> Clip:
    raise NotAdmittedError(f"{body.name!r} has no wings")


def _raise(body: Character) -> Clip:
    raise RuntimeError(f"no such\nluck with {body.name}")


def _hang(body: Character) -> Clip:
    time.sleep(600)
    raise AssertionError


def _die(body: Character) -> Clip:
    os._exit(7)


def _nan(body: Character) -> Clip:
    clip = moved(body, {}, travel=np.full((round(SECONDS * RATE) + 1, 3), 1e308))
    return clip.scaled(1e308)


PLAYS = {
    "nod": _nod, "shake": _shake, "still": _still, "slide": _slide, "refuse": _refuse, "raise": _raise,
    "hang": _hang, "die": _die, "nan": _nan,
}  # fmt: skip


def quick(task: Task) -> Outcome:
    """Work for the tests of workers: no body, no motion, only the ways in which it can end."""
    name = task.cell.animation
    if name == "die":
        os._exit(7)
    if name == "hang":
        time.sleep(600)
    return Outcome(Verdict(name, task.cell.body, "passed"))
