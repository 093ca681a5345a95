"""A performance is the same whichever moments are asked for, on its knots or between them."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import zoo
from mummer.clip import Frames
from mummer.general import perform
from mummer.general.between_knots import frames_between
from mummer.general.feet import standing_feet
from mummer.general.performance import Performance
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


@pytest.mark.parametrize(("body", "animation"), [("adult", "pick_up"), ("dog", "walk"), ("lizard", "die")])
def test_poses_between_knots_are_those_that_bending_would_give(body: str, animation: str) -> None:
    clip = perform(zoo.body(body), animation)
    knots = clip.rehearsal.knots
    halves = (knots[:-1] + knots[1:]) / 2
    shown, bent = clip.frames(halves), clip._bent(halves, clip.rehearsal.lift_at(halves)).frames
    off = quaternion.angle_between(shown.rotations, bent.rotations)
    assert np.percentile(off, 99) < np.radians(0.5)
    near = clip.frames(knots[:-1] + 1e-4 / 60)
    assert quaternion.angle_between(clip.frames(knots[:-1]).rotations, near.rotations).max() < 1e-3


def soles(clip: Performance, times: np.ndarray) -> np.ndarray:
    """(T, F, 3) the points of feet that a gait places."""
    state, wanted = WorldState(clip.body, clip.sample(times)), clip.intent(times[:1]).places
    offsets = {foot: wanted[foot].offset for foot, _ in standing_feet(clip.physique)}
    assert all(offset is not None for offset in offsets.values())
    return np.stack(
        [state.positions[:, k] + quaternion.rotate(state.rotations[:, k], v) for k, v in offsets.items()], 1
    )


def test_feet_that_stand_stay_between_knots() -> None:
    clip = perform(zoo.body("spider"), "walk")
    knots, height = clip.rehearsal.knots, clip.physique.height
    at_knots, between = soles(clip, knots), soles(clip, (knots[:-1] + knots[1:]) / 2)
    stands = np.linalg.norm(np.diff(at_knots, axis=0), axis=-1) < 1e-6 * height
    assert stands.mean() > 0.2
    off = np.linalg.norm(between - at_knots[:-1], axis=-1)
    assert off[stands].max() < 2e-3 * height
    assert np.percentile(off[stands], 98) < 5e-4 * height


def test_what_is_handed_out_may_be_written_to() -> None:
    clip = perform(zoo.body("adult"), "wave")
    knots = clip.rehearsal.knots[:10]
    first = clip.frames(knots)
    first.rotations[:] = 0.0
    first.root[:] = 9.0
    assert not np.any(clip.frames(knots).root == 9.0)


def test_a_performance_without_length_is_one_pose() -> None:
    clip = perform(zoo.body("adult"), "wave")
    assert len(clip.frames(np.array([clip.start]))) == 1
    assert len(clip.frames(np.array([]))) == 0


@pytest.mark.parametrize("count", [1, 3, 4, 5])
def test_morphs_between_knots_are_numbers_each_by_itself(count: int) -> None:
    knots, turns = np.arange(6.0), np.tile([0.0, 0.0, 0.0, 1.0], (6, 2, 1))
    morphs = np.linspace(0.0, 0.5, 6)[:, None] * np.arange(1, count + 1)
    made = frames_between(knots, Frames(turns, np.zeros((6, 3)), morphs=morphs), np.array([1.5, 2.25]))
    assert made.morphs is not None
    np.testing.assert_allclose(made.morphs, np.array([[0.15], [0.225]]) * np.arange(1, count + 1))
