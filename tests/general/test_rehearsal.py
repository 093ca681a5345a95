"""A performance is the same whichever moments are asked for, on its knots or between them."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import zoo
from mummer.general import perform
from mummer.math import quaternion


@pytest.mark.parametrize(("body", "animation"), [("adult", "pick_up"), ("dog", "walk"), ("lizard", "die")])
def test_frames_between_knots_lie_between_them(body: str, animation: str) -> None:
    clip = perform(zoo.body(body), animation)
    knots = clip.rehearsal.knots
    shown = clip.frames(knots)
    near = clip.frames(np.clip(knots + 1e-4 / 60, clip.start, clip.end))
    assert quaternion.angle_between(shown.rotations, near.rotations).max() < 1e-3
    np.testing.assert_allclose(near.root, shown.root, atol=1e-4 * clip.physique.height)
    half = clip.frames((knots[:-1] + knots[1:]) / 2)
    step = np.abs(np.diff(shown.root, axis=0)).max()
    assert np.abs(half.root - (shown.root[:-1] + shown.root[1:]) / 2).max() <= step + 1e-9


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
