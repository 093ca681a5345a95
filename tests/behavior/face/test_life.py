"""Blinks and drift, against what is published of people."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.behavior.face.life import Life


def blinks(seed: int, minutes: float, *, talking: bool) -> np.ndarray:
    """Seconds at which lids have just closed."""
    life = Life(seed)
    lids = np.array([life.step(1 / 20, talking=talking)["eye_blink_left"] for _ in range(round(minutes * 1200))])
    closed = lids > 0.5
    return np.flatnonzero(closed[1:] & ~closed[:-1]) / 20.0


@pytest.mark.parametrize(("talking", "low", "high"), [(False, 10.0, 24.0), (True, 20.0, 32.0)])
def test_rates_are_those_of_people(talking: bool, low: float, high: float) -> None:
    """Bentivoglio et al. 1997: 17 a minute at rest, 26 in conversation; means of people lie within the bounds."""
    found = [len(blinks(seed, 3.0, talking=talking)) / 3.0 for seed in range(8)]
    assert low < float(np.mean(found)) < high
    gaps = np.concatenate([np.diff(blinks(seed, 3.0, talking=talking)) for seed in range(4)])
    assert gaps.min() > 0.4
    assert float(np.median(gaps)) < float(gaps.mean())  # skewed, as people's are


def test_a_blink_lasts_as_long_as_peoples() -> None:
    life = Life(3)
    lids = np.array([life.step(1 / 240)["eye_blink_left"] for _ in range(240 * 40)])
    shown = lids > 0.02
    edges = np.flatnonzero(np.diff(shown.astype(int)))
    starts, ends = edges[::2], edges[1::2]
    lengths = (ends[: len(starts)] - starts[: len(ends)]) / 240
    assert 0.2 < lengths.min() <= lengths.max() < 0.45
    assert np.abs(np.diff(lids)).max() < 0.15


def test_a_face_never_stands_still_and_never_jumps() -> None:
    life = Life(1)
    rows = [life.step(1 / 60) for _ in range(600)]
    names = [name for name in rows[0] if not name.startswith("eye_blink")]
    table = np.array([[row[name] for name in names] for row in rows])
    assert table[0].max() < 0.01
    assert 0.0 <= table.min() <= table.max() < 0.12
    moved = np.abs(np.diff(table, axis=0))
    assert moved.max() < 0.01
    assert (moved[60:].max(axis=1) > 1e-6).all()


def test_seeds_differ_and_repeat() -> None:
    assert blinks(1, 1.0, talking=False).tolist() == blinks(1, 1.0, talking=False).tolist()
    assert blinks(1, 1.0, talking=False).tolist() != blinks(2, 1.0, talking=False).tolist()
