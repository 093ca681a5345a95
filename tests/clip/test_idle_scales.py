"""Scales that a file writes for every joint but never changes cost nothing; those that change are kept."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import zoo
from mummer.arrays import FloatArray
from mummer.character import Character, Curve, Pose, Recording
from mummer.clip import Sampled

TIMES = np.linspace(0.0, 1.0, 5)


def clip_with(scales: FloatArray, interpolation: str = "linear") -> tuple[Character, Sampled]:
    """A body with keys for all rotations and (K, J, 3) scales."""
    body = zoo.body("dog")
    joints = np.arange(len(body.skeleton))
    turns = np.repeat(Pose.rest(body.skeleton).rotations[None], len(TIMES), axis=0)
    slopes = {"in_tangents": 0 * scales, "out_tangents": 0 * scales + 1.0} if interpolation == "cubic" else {}
    curves = (Curve("rotation", joints, TIMES, turns), Curve("scale", joints, TIMES, scales, interpolation, **slopes))  # type: ignore[arg-type]
    base = Pose.rest(body.skeleton).replace(scales=body.skeleton.rest_scales)
    return body, Sampled(body, Recording("scaled", curves, base))


def at_rest() -> FloatArray:
    return np.repeat(zoo.body("dog").skeleton.rest_scales[None], len(TIMES), axis=0)


def test_scales_at_rest_are_left_out() -> None:
    _, clip = clip_with(at_rest() + 3e-7)
    assert clip.frames(TIMES).scales is None
    assert clip.at(0.5).scales is None


@pytest.mark.parametrize("joint", [0, 7])
def test_scales_that_change_are_kept(joint: int) -> None:
    scales = at_rest()
    scales[2, joint] *= 1.5
    body, clip = clip_with(scales)
    made = clip.frames(TIMES).scales
    assert made is not None
    assert made[2, joint] == pytest.approx(1.5 * body.skeleton.rest_scales[joint])
    single = clip.at(0.5).scales
    assert single is not None
    assert single[joint] == pytest.approx(made[2, joint])


def test_curves_that_bulge_between_keys_at_rest_are_kept() -> None:
    _, clip = clip_with(at_rest(), "cubic")
    made = clip.frames(np.array([0.125])).scales
    assert made is not None
    assert np.abs(made - 1).max() > 1e-3
