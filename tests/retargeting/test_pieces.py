"""Frames are made in pieces, and single ones by a short way: the poses are the same."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose, Recording
from mummer.clip.sampled import Sampled
from mummer.retargeting import Onto
from mummer.retargeting.onto import PIECE
from tests.retargeting.walk import people, walk


def growing(count: int) -> Sampled:
    """A walk of somebody who grows late: scales are as at rest in the first pieces and not in the last."""
    clip = walk(seconds=1.0)
    times = np.linspace(0.0, 1.0, count)
    poses, joints = clip.sample(times), len(clip.body.skeleton)
    scales = np.ones((count, joints, 3))
    scales[-5:, clip.body.anatomy.roles["head"]] = 1.5
    whole = Pose(poses.rotations, poses.root_translation, scales=scales)
    return Sampled(clip.body, Recording.from_poses("growing", times, whole, frame_rate=float(count)))


@pytest.mark.parametrize("clip", [walk(seconds=1.0), growing(40)], ids=["plain", "growing"])
def test_many_frames_are_the_frames_one_by_one(clip: Sampled) -> None:
    onto = Onto(clip, people("child"))
    times = np.linspace(0.0, 1.0, 2 * PIECE + 17)
    every = onto.sample(times)
    for place in (0, PIECE - 1, PIECE, 2 * PIECE, len(times) - 1):
        one = onto.sample(times[[place]])
        single = onto.at(float(times[place]))
        np.testing.assert_allclose(every.rotations[place], one.rotations[0], atol=1e-13)
        np.testing.assert_allclose(every.root_translation[place], one.root_translation[0], atol=1e-13)
        np.testing.assert_allclose(single.rotations, one.rotations[0], atol=1e-13)
        if every.scales is not None:
            at_rest = onto.body.skeleton.rest_scales
            wanted = at_rest if one.scales is None else one.scales[0]
            np.testing.assert_allclose(every.scales[place], wanted, atol=1e-13)
            np.testing.assert_allclose(at_rest if single.scales is None else single.scales, wanted, atol=1e-13)


def test_whoever_grows_late_grows_in_many_frames() -> None:
    made = Onto(growing(40), people("child")).sample(np.linspace(0.0, 1.0, 2 * PIECE))
    head = people("child").anatomy.roles["head"]
    assert made.scales is not None
    np.testing.assert_allclose(made.scales[0, head], 1.0)
    np.testing.assert_allclose(made.scales[-1, head], 1.5)


def test_no_frames_are_no_frames() -> None:
    assert len(Onto(walk(seconds=1.0), mm.zoo.body("child")).frames(np.zeros(0))) == 0
