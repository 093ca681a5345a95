"""Recordings: what they give between and at their keys, by the formulas that glTF states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp

from mummer.character import Curve, Pose, Recording, Skeleton
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from tests.character.strategies import exactly, generators, human, law, random_pose, skeletons


def curve(rng: np.random.Generator, path: Any, interpolation: Any, targets: Any = (0, 2), keys: int = 6) -> Curve:
    width = {"rotation": 4, "translation": 3, "scale": 3, "morph": 1}[path]
    shape = (keys, len(targets), width)
    values = quaternion.random(rng, shape[:2]) if path == "rotation" else rng.normal(size=shape)
    tangents = rng.normal(size=(2, *shape)) if interpolation == "cubic" else (None, None)
    return Curve(path, targets, np.cumsum(rng.uniform(0.1, 1, keys)) - 1, values, interpolation, *tangents)


@law
@given(generators)
@pytest.mark.parametrize("path", ["rotation", "translation", "scale", "morph"])
@pytest.mark.parametrize("interpolation", ["step", "linear", "cubic"])
def test_keys_are_hit_and_ends_are_held(path: str, interpolation: str, rng: np.random.Generator) -> None:
    made = curve(rng, path, interpolation)
    exact = 1e-15 if interpolation == "cubic" else 0
    np.testing.assert_allclose(made.sample(made.times), made.values, atol=exact, rtol=0)
    before, after = made.sample(np.array([made.times[0] - 5, made.times[-1] + 5]))
    np.testing.assert_allclose(before, made.values[0], atol=exact, rtol=0)
    np.testing.assert_allclose(after, made.values[-1], atol=exact, rtol=0)


@law
@given(generators)
def test_step_holds_the_key_before(rng: np.random.Generator) -> None:
    made = curve(rng, "rotation", "step")
    at = rng.uniform(made.times[0], made.times[-1], 50)
    keys = [max(k for k, time in enumerate(made.times) if time <= t) for t in at]
    np.testing.assert_array_equal(made.sample(at), made.values[keys])


@law
@given(generators)
def test_linear_is_the_straight_line_and_slerp(rng: np.random.Generator) -> None:
    moved, turned = curve(rng, "translation", "linear"), curve(rng, "rotation", "linear")
    at = rng.uniform(moved.times[0], moved.times[-1], 50)
    flat = moved.values.reshape(len(moved.times), -1).T
    expected = np.stack([np.interp(at, moved.times, line) for line in flat], -1).reshape(50, 2, 3)
    np.testing.assert_allclose(moved.sample(at), expected, atol=1e-12)
    at = rng.uniform(turned.times[0], turned.times[-1], 50)
    for joint in range(2):
        slerp = Slerp(turned.times, Rotation.from_quat(turned.values[:, joint]))
        assert quaternion.equal_rotations(turned.sample(at)[:, joint], slerp(at).as_quat(), 1e-7).all()


@law
@given(generators)
def test_cubic_is_hermite_with_two_tangents_a_key(rng: np.random.Generator) -> None:
    for path in ("translation", "rotation"):
        made = curve(rng, path, "cubic")
        assert made.in_tangents is not None
        assert made.out_tangents is not None
        for key in range(len(made.times) - 1):
            ends = slice(key, key + 2)
            slopes = np.stack([made.out_tangents[key], made.in_tangents[key + 1]])
            at = rng.uniform(*made.times[ends], 10)
            expected = CubicHermiteSpline(made.times[ends], made.values[ends], slopes)(at)
            if path == "rotation":
                expected /= np.linalg.norm(expected, axis=-1, keepdims=True)
            np.testing.assert_allclose(made.sample(at), expected, atol=1e-9)


@law
@given(skeletons(most=8), generators)
def test_poses_come_back_at_their_times(skeleton: Skeleton, rng: np.random.Generator) -> None:
    parts = {"translations": rng.random() < 0.5, "scales": rng.random() < 0.5, "morphs": 3}
    poses = random_pose(skeleton, rng, (7,), **parts)
    times = np.cumsum(rng.uniform(0.01, 0.1, 7))
    recording = Recording.from_poses("walk", times, poses, frame_rate=30)
    back = recording.frames()
    for name in ("rotations", "root_translation", "translations", "scales", "morphs"):
        a, b = getattr(poses, name), getattr(back, name)
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_allclose(a, b, atol=1e-15)
    assert recording.start == times[0]
    assert recording.end == times[-1]
    assert recording.duration == times[-1] - times[0]


def test_what_no_curve_drives_keeps_its_base_value() -> None:
    rng, skeleton = np.random.default_rng(3), human()
    base = random_pose(skeleton, rng, translations=True, scales=True, morphs=4)
    curves = (
        curve(rng, "rotation", "linear", (1, 3)),
        curve(rng, "translation", "step", (2,)),
        curve(rng, "scale", "cubic", (5,)),
        curve(rng, "morph", "linear", (1,), keys=2),
    )
    recording = Recording("some", curves, base)
    at = np.linspace(recording.start, recording.end, 9)
    pose = recording.sample(at)
    for name, driven in (("rotations", [1, 3]), ("translations", [2]), ("scales", [5]), ("morphs", [1])):
        kept = np.setdiff1d(np.arange(getattr(base, name).shape[0]), driven)
        still = getattr(pose, name)[:, kept]
        np.testing.assert_array_equal(still, np.broadcast_to(getattr(base, name)[kept], still.shape))
    np.testing.assert_array_equal(pose.rotations[:, [1, 3]], curves[0].sample(at))
    assert len(recording.key_times) == len(np.unique(np.concatenate([each.times for each in curves])))
    assert np.all(np.diff(recording.key_times) > 0)


def test_rough_rotations_are_brought_to_unit_length() -> None:
    made = Curve("rotation", [0], [0, 1], [[[0, 0, 0, 1.01]], [[0, 0, 0.99, 0]]])
    np.testing.assert_allclose(np.linalg.norm(made.sample(np.linspace(0, 1, 7)), axis=-1), 1, atol=1e-12)


def test_root_curves_with_and_without_targets() -> None:
    base = Pose(np.tile([0.0, 0, 0, 1], (2, 1)), np.array([1.0, 2, 3]))
    nothing = Curve("translation", np.zeros(0, int), [0.0], np.zeros((1, 0, 3)))
    pose = Recording("still", (nothing,), base).sample([0.0, 1.0])
    assert pose.translations is None
    np.testing.assert_array_equal(pose.root_translation, [[1, 2, 3]] * 2)
    every = Curve("translation", [0, 1], [0.0], [[[4.0, 0, 0], [5, 0, 0]]])
    moved = Recording("all", (every,), base).sample([0.0])
    np.testing.assert_array_equal(moved.translations, [[[4, 0, 0], [5, 0, 0]]])


NO_SCALES = "recording 'x' scales joints that its base pose gives no scales for"
NO_TRANSLATIONS = "recording 'x' moves joints that its base pose gives no translations for"


def test_bases_that_lack_what_curves_drive_in_part() -> None:
    base = Pose(np.tile([0.0, 0, 0, 1], (3, 1)), np.zeros(3))
    with pytest.raises(InputError, match=exactly(NO_TRANSLATIONS)):
        Recording("x", (Curve("translation", [1], [0.0], np.zeros((1, 1, 3))),), base)
    with pytest.raises(InputError, match=exactly(NO_SCALES)):
        Recording("x", (Curve("scale", [1], [0.0], np.ones((1, 1, 3))),), base)
    with pytest.raises(InputError, match=exactly("a rotation curve of recording 'x' has a target outside 0 to 2")):
        Recording("x", (Curve("rotation", [3], [0.0], [[[0, 0, 0, 1]]]),), base)
    with pytest.raises(InputError, match=exactly("recording 'x' drives morphs, but its base pose has none")):
        Recording("x", (Curve("morph", [0], [0.0], [[[0]]]),), base)
    with pytest.raises(InputError, match=exactly("base of recording 'x' is a batch; expected one pose")):
        Recording("x", (), Pose(np.tile([0.0, 0, 0, 1], (2, 3, 1)), np.zeros((2, 3))))


ZERO3 = np.zeros((2, 1, 3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("position", [0], [0, 1], ZERO3), "a curve has no path 'position'"),
        (("translation", [0], [], np.zeros((0, 1, 3))), "expected (0, 1, 3), one key or more"),
        (("translation", [0, 1], [0, 1], ZERO3), "translation curve has values of shape (2, 1, 3); expected (2, 2, 3)"),
        (("translation", [0], [0, 0], ZERO3), "times of a translation curve do not increase"),
        (("translation", [0], [0, np.nan], ZERO3), "times of a translation curve holds 1 value"),
        (("translation", [0], [0, 1], ZERO3 * np.nan), "values of a translation curve holds 6 values"),
        (
            ("translation", [0], [0, 1], ZERO3, "cubic"),
            "a cubic translation curve needs in_tangents of shape (2, 1, 3)",
        ),
        (
            ("translation", [0], [0, 1], ZERO3, "cubic", ZERO3, ZERO3 + np.inf),
            "out_tangents of a translation curve holds",
        ),
        (("translation", [0], [0, 1], ZERO3, "lerp"), "a curve has no interpolation 'lerp'"),
        (("rotation", [0], [0.0], np.zeros((1, 1, 4))), "hold a quaternion of length zero; expected unit length"),
    ],
)
def test_bad_curves(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Curve(*arguments)
    assert message in str(caught.value)
    assert isinstance(caught.value, UnknownNameError) == ("has no" in message)


def test_curves_cannot_be_written_to() -> None:
    made = curve(np.random.default_rng(0), "rotation", "cubic")
    for name in ("targets", "times", "values", "in_tangents", "out_tangents"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(made, name)[0] = 0
