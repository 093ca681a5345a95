"""Key times and canonical time: both ways, through pauses."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.errors import InputError, UnknownNameError
from mummer.model import KeyTimes

TIMES = KeyTimes(("start", "achieve", "release", "end"), (1.0, 1.5, 2.5, 3.0))


def test_canonical_time_counts_in_key_times() -> None:
    assert np.allclose(TIMES.canonical([1.0, 1.25, 2.0, 3.0, 9.0]), [0.0, 0.5, 1.5, 3.0, 3.0])
    assert np.allclose(TIMES.seconds([0.0, 0.5, 1.5, 3.0]), [1.0, 1.25, 2.0, 3.0])


def test_both_ways_agree() -> None:
    canonical = np.linspace(0, 3, 31)
    assert np.allclose(TIMES.canonical(TIMES.seconds(canonical)), canonical)
    paused = TIMES.paused(1.5, 2.0).paused(2.0, 1.0)
    assert np.allclose(paused.canonical(paused.seconds(canonical)), canonical)


def test_a_pause_makes_what_follows_later_and_holds_canonical_time() -> None:
    paused = TIMES.paused(1.5, 2.0)
    assert paused["achieve"] == 1.5
    assert paused["release"] == 4.5
    assert paused["end"] == 5.0 == paused.end
    assert np.allclose(paused.canonical([2.0, 3.0, 4.0]), 1.5)
    assert float(paused.seconds(1.5)) == 2.0


def test_shifted_keeps_canonical_time() -> None:
    assert float(TIMES.shifted(4.0).canonical(6.0)) == float(TIMES.canonical(2.0))


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(InputError, match="expected them in order"):
        KeyTimes(("a", "b"), (1.0, 0.5))
    with pytest.raises(UnknownNameError, match="closest: 'release'"):
        _ = TIMES["relase"]
