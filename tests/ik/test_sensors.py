"""Sensors that somebody wore move another body as they were moved."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Pose, Skeleton
from mummer.clip import Clip, Sampled
from mummer.clip.recorded import recorded
from mummer.errors import InputError, UnknownNameError
from mummer.ik import WorldState, follow_sensors, joint_of
from mummer.math import quaternion

SIDED = ("shoulder", "forearm", "hand", "upper_leg", "lower_leg", "foot")
WORN = ("head", "chest", "spine", "hips", *(f"{side}_{part}" for side in ("left", "right") for part in SIDED))
"""Where sixteen magnetic sensors are worn."""


def sensors(clip: Clip, size: float, turn: np.ndarray, away: np.ndarray, *, turning: bool, spots: int = 1) -> Clip:
    """What sensors on the parts say of a motion done by somebody so many times as large, elsewhere."""
    times, rng = clip.times(30.0), np.random.default_rng(33)
    state = WorldState(clip.body, clip.sample(times))
    places, turns = [], []
    for part in WORN:
        joint = joint_of(clip.body, part)
        for _ in range(spots):
            offset, mounted = rng.normal(size=3) * 0.05, quaternion.random(rng)
            place = state.positions[:, joint] + quaternion.rotate(state.rotations[:, joint], offset)
            places.append(away + size * quaternion.rotate(turn, place))
            own = quaternion.multiply(turn, quaternion.multiply(state.rotations[:, joint], mounted))
            turns.append(own if turning else np.broadcast_to(quaternion.IDENTITY, own.shape))
    rows, rotations = np.stack(places, axis=1), np.stack(turns, axis=1)
    names = [f"{part} {spot}" for part in WORN for spot in range(spots)]
    skeleton = Skeleton(names, np.full(len(names), -1), rows[0])
    worn = Character("sensors", skeleton)
    poses = Pose(rotations, rows[:, 0], rows)
    return Sampled(worn, recorded(times, poses, np.arange(len(names)), rate=30.0, name="worn"))


def off(made: Clip, clip: Clip) -> tuple[float, float]:
    """Metres by which parts are elsewhere as seen from the hips, in the mean and at most.

    Which way somebody faced whose sensors sit anywhere on their parts is known to a degree or two.
    """
    times = made.times(30.0)
    joints = [joint_of(clip.body, part) for part in WORN]
    seen = []
    for each in (made, clip):
        state = WorldState(each.body, each.sample(times))
        hips = joint_of(each.body, "hips")
        back = quaternion.conjugate(state.rotations[:, [hips]])
        seen.append(quaternion.rotate(back, state.positions[:, joints] - state.positions[:, [hips]]))
    away = np.linalg.norm(seen[0] - seen[1], axis=-1)
    return float(away.mean()), float(away.max())


@pytest.mark.parametrize("name", ["throw", "walk"])
@pytest.mark.parametrize(("turning", "spots"), [(True, 1), (False, 3)])
def test_a_body_does_what_the_wearer_did(name: str, turning: bool, spots: int) -> None:
    body = mm.zoo.body("adult")
    clip = mm.perform(body, name)
    clip = clip.trimmed(clip.start, min(clip.end, clip.start + 2.0))
    turn, away = quaternion.exp(np.array([0.0, 2.2, 0.0])), np.array([3.0, 0.0, -1.0])
    seen = sensors(clip, 0.8, turn, away, turning=turning, spots=spots)
    worn = {f"{part} {spot}": part for part in WORN for spot in range(spots)}
    mean, most = off(follow_sensors(body, seen, worn, pose=clip.at(clip.start)), clip)
    assert mean < 0.015
    assert most < 0.08


def test_too_few_sensors_and_wrong_names_are_told() -> None:
    body = mm.zoo.body("adult")
    seen = sensors(mm.perform(body, "nod"), 1.0, quaternion.IDENTITY, np.zeros(3), turning=True)
    with pytest.raises(InputError, match="2 sensors are worn; expected 3 or more"):
        follow_sensors(body, seen, {"head 0": "head", "hips 0": "hips"})
    with pytest.raises(UnknownNameError, match="hips 0"):
        follow_sensors(body, seen, {"head 0": "head", "hisp 0": "hips", "chest 0": "chest"})
