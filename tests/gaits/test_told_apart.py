"""The judge that tells performances from recordings: it sees what is different, and guesses where nothing is."""

from __future__ import annotations

import numpy as np

import mummer as mm
from tests.gaits.told_apart import area, held_out, windows


def files(seed: int, shift: float) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(8, 20)) + shift for _ in range(10)]


def test_what_is_different_is_told_apart_and_what_is_not_is_guessed() -> None:
    assert held_out(files(1, 0.0), files(2, 1.0), files(2, 1.0)) > 0.95
    assert 0.3 < held_out(files(1, 0.0), files(2, 0.0), files(2, 0.0)) < 0.7
    assert area(np.array([0.0, 1.0]), np.array([2.0, 3.0])) == 1.0


def test_a_second_of_motion_does_not_depend_on_where_it_is_or_how_large() -> None:
    wave = mm.perform("zoo:adult", "wave")
    rows = windows(wave, wave.start)
    elsewhere = wave.standing_at((3.0, 0.0, -2.0), 1.0)
    assert len(rows) > 1
    np.testing.assert_allclose(windows(elsewhere, elsewhere.start), rows, atol=1e-6)
    assert np.abs(windows(wave.at_speed(1.5), wave.start)[0] - rows[0]).max() > 0.5
