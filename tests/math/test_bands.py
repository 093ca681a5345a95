"""Frequency bands: nothing is lost, ends do not jump, and bands hold the frequencies they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import InputError
from mummer.math import bands, quaternion
from tests.math.helpers import assert_same_rotations, generators, law


def wander(rng: np.random.Generator, frames: int, speed: float) -> np.ndarray:
    """(frames, 2, 4) rotations that drift about, with signs at random."""
    steps = quaternion.exp(speed * rng.standard_normal((frames, 2, 3)))
    q = [quaternion.random(rng, 2)]
    for step in steps[1:]:
        q.append(quaternion.multiply(q[-1], step))
    return np.stack(q) * rng.choice([-1.0, 1.0], (frames, 2, 1))


@law
@given(generators, st.integers(1, 70))
def test_everything_put_back_is_the_signal(rng: np.random.Generator, frames: int) -> None:
    signal = np.cumsum(rng.standard_normal((frames, 2, 3)), axis=0)
    for count in range(bands.most_bands(frames) + 1):
        parts = bands.split(signal, count=count)
        assert parts.details.shape == (count, frames, 2, 3)
        np.testing.assert_allclose(bands.combine(parts), signal, atol=1e-12)


@law
@given(generators, st.integers(1, 70), st.sampled_from([0.0, 0.1, 0.5, 2.0]))
def test_rotations_put_back_are_the_rotations(rng: np.random.Generator, frames: int, speed: float) -> None:
    q = wander(rng, frames, speed)
    for count in (None, 0, bands.most_bands(frames)):
        assert_same_rotations(bands.combine_rotations(bands.split_rotations(q, count=count)), q)


def test_how_many_bands_fit() -> None:
    assert [bands.most_bands(frames) for frames in (0, 1, 2, 3, 4, 5, 9, 1000)] == [0, 0, 0, 1, 1, 2, 3, 9]


@law
@given(generators)
def test_rotations_about_one_axis_split_like_their_angle(rng: np.random.Generator) -> None:
    """Several whole turns too: logarithms over many frames must not wrap."""
    time = np.linspace(0, 1, 129)
    angle = rng.uniform(5, 40) * time**2 + rng.uniform(0, 1) * np.sin(rng.uniform(5, 60) * time)
    axis = np.array([2.0, 3.0, 6.0]) / 7
    parts = bands.split(angle)
    turned = bands.split_rotations(quaternion.from_axis_angle(axis, angle))
    # Samples that are whole turns apart have an axis only to about 1e-8.
    np.testing.assert_allclose(turned.details, parts.details[..., None] * axis, atol=1e-7)
    assert_same_rotations(turned.base, quaternion.from_axis_angle(axis, parts.base), 1e-7)


@law
@given(generators)
def test_rotation_bands_turn_with_the_body_and_not_with_the_world(rng: np.random.Generator) -> None:
    q, turn = wander(rng, 40, 0.2), quaternion.random(rng)
    parts, turned = bands.split_rotations(q), bands.split_rotations(quaternion.multiply(turn, q))
    np.testing.assert_allclose(turned.details, parts.details, atol=1e-10)
    assert_same_rotations(turned.base, quaternion.multiply(turn, parts.base), 1e-10)


def test_straight_lines_and_constant_turns_have_no_bands() -> None:
    time = np.linspace(0, 3, 65)
    np.testing.assert_allclose(bands.split(np.outer(time, [1.0, -2])).details, 0, atol=1e-13)
    spin = quaternion.exp(time[:, None] * [1.0, 4.0, 0])
    np.testing.assert_allclose(bands.split_rotations(spin).details, 0, atol=1e-11)


@law
@given(generators)
def test_ends_stay_whatever_the_gains(rng: np.random.Generator) -> None:
    signal, q = np.cumsum(rng.standard_normal((50, 3)), axis=0), wander(rng, 50, 0.2)
    gains = rng.uniform(-1, 4, bands.most_bands(50))
    changed = bands.combine(bands.split(signal), gains)
    np.testing.assert_allclose(changed[[0, -1]], signal[[0, -1]], atol=1e-12)
    turned = bands.combine_rotations(bands.split_rotations(q), gains)
    assert_same_rotations(turned[[0, -1]], q[[0, -1]], 1e-10)
    # In between, gains do something.
    assert np.abs(changed - signal).max() > 0.1


@pytest.mark.parametrize("band", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("frames_a_wave", [2.9, 4.0, 5.2])
def test_a_wave_lands_in_its_band(band: int, frames_a_wave: float) -> None:
    wave = np.sin(2 * np.pi * np.arange(1024) / (frames_a_wave * 2**band))
    energy = (bands.split(wave, count=6).details[:, 200:-200] ** 2).sum(axis=1)
    assert np.argmax(energy) == band


def test_gains_act_band_by_band() -> None:
    signal = np.cumsum(np.random.default_rng(0).standard_normal((33, 2)), axis=0)
    parts = bands.split(signal, count=3)
    np.testing.assert_allclose(bands.combine(parts, [2, 1, 1]), signal + parts.details[0], atol=1e-13)
    np.testing.assert_allclose(bands.combine(parts, 0), parts.base, atol=1e-13)
    kept = signal.copy()
    bands.combine(parts, 5)
    np.testing.assert_array_equal(signal, kept)


def test_types() -> None:
    narrow = np.zeros((9, 4), np.float32)
    narrow[:, 3] = 1
    assert bands.combine(bands.split(narrow), [1.0, 2.0, 0.5]).dtype == np.float32
    assert bands.combine_rotations(bands.split_rotations(narrow), 0.5).dtype == np.float32


def test_wrong_inputs() -> None:
    with pytest.raises(InputError, match="9 frames cannot be split into 4 bands; at most 3"):
        bands.split(np.zeros(9), count=4)
    with pytest.raises(InputError, match="cannot be split into -1 bands"):
        bands.split(np.zeros(9), count=-1)
    with pytest.raises(InputError, match=r"a signal of shape \(0, 3\) has no frames"):
        bands.split(np.zeros((0, 3)))
    with pytest.raises(InputError, match=r"rotations to split have shape \(9, 3\); expected \(T, \.\.\., 4\)"):
        bands.split_rotations(np.zeros((9, 3)))
    with pytest.raises(InputError, match=r"gains have shape \(2,\); expected one for each of 3 bands"):
        bands.combine(bands.split(np.zeros(9)), [1, 2])
