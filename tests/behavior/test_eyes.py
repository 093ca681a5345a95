"""Eyes jump as those of people do."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.behavior import Performer, make
from mummer.behavior.eyes import MODES, Saccades
from mummer.errors import InputError
from tests.behavior.lacking import lacking


class Seen:
    """What eyes are asked to do, without a body."""

    def __init__(self):
        self.gaze = self
        self.glance = (0.0, 0.0)


def jumps(mode: str, seconds: float, rate: float = 240.0):
    """Degrees, seconds, directions and pauses of the jumps that are seen, away and back."""
    eyes, seen = Saccades(MODES[mode], 5, np.inf), Seen()
    angles = []
    for frame in range(int(seconds * rate)):
        seen.glance = (0.0, 0.0)
        eyes.step(seen, frame / rate, 1 / rate)
        angles.append(seen.glance)
    path = np.degrees(angles)
    moves = np.linalg.norm(np.diff(path, axis=0), axis=1) > 1e-6
    edges = np.flatnonzero(np.diff(np.concatenate([[False], moves, [False]]).astype(int)))
    starts, ends = edges[::2], edges[1::2]
    sizes = np.linalg.norm(path[ends] - path[starts], axis=1)
    away = np.linalg.norm(path[starts], axis=1) < 1e-3
    pauses = (starts[1:] - starts[:-1]) / rate
    return path, starts, ends, sizes, away, pauses, rate


@pytest.mark.parametrize(
    ("mode", "stay", "gone", "largest"),
    [("talking", 93.9 / 30, 27.8 / 30, 27.5), ("listening", 237.5 / 30, 13.0 / 30, 22.7)],
)
def test_jumps_are_as_large_as_long_and_as_often_as_measured(mode, stay, gone, largest):
    _, starts, ends, sizes, away, pauses, rate = jumps(mode, 3000.0)
    assert sizes.max() <= largest + 0.1
    # The mean of an exponential distribution of 6.9 degrees that is cut off at the largest.
    ratio = np.exp(-largest / 6.9)
    assert sizes[away].mean() == pytest.approx(6.9 - largest * ratio / (1 - ratio), rel=0.08)
    lasted = (ends - starts - 1) / rate  # A jump is seen in one interval more than it fills.
    slope, least = np.polyfit(sizes, lasted, 1)
    assert 0.002 <= slope <= 0.0027
    assert 0.02 <= least <= 0.03
    assert pauses[~away[:-1]].mean() == pytest.approx(stay, rel=0.1)
    assert pauses[away[:-1]].mean() == pytest.approx(gone, rel=0.15)


def test_jumps_go_where_they_were_seen_to_go():
    path, _, ends, sizes, away, *_ = jumps("talking", 6000.0)
    away &= sizes > 0.5
    ways = path[ends[away]]
    bins = np.round(np.degrees(np.arctan2(ways[:, 1], -ways[:, 0])) / 45).astype(int) % 8
    found = 100 * np.bincount(bins, minlength=8) / len(bins)
    np.testing.assert_allclose(found, [15.54, 6.46, 17.69, 7.44, 16.80, 7.89, 20.38, 7.79], atol=3.5)


def test_who_thinks_looks_away_more_and_up():
    path, _, ends, _, away, pauses, _ = jumps("thinking", 2000.0)
    assert pauses[away[:-1]].mean() > pauses[~away[:-1]].mean()
    assert np.mean(path[ends[away], 1] > 0) > 0.6


def test_eyes_of_a_body_jump_and_come_to_rest_when_told():
    who = Performer("zoo:adult")
    eye = who.sight.heads[0].eyes[0].joint
    before = np.array(who.posed.rotations[eye])
    running = who.start(make("eyes", who, mode="talking", seed=3))
    moved = []
    for _ in range(600):
        who.step(1 / 60)
        moved.append(2 * np.degrees(np.arccos(min(1.0, abs(before @ who.posed.rotations[eye])))))
    assert max(moved) > 2.0
    who.stop(running)
    for _ in range(30):
        who.step(1 / 60)
    np.testing.assert_allclose(abs(before @ who.posed.rotations[eye]), 1.0, atol=1e-9)


def test_a_body_without_eyes_says_so():
    with pytest.raises(InputError, match="has no eye, which eyes needs"):
        make("eyes", Performer(lacking("adult", "eye")))
    with pytest.raises(InputError, match="no mode 'listenin'; closest: 'listening'"):
        make("eyes", Performer("zoo:adult"), mode="listenin")
