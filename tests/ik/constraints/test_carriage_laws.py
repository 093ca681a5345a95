"""How hips go along with feet: bands as dense matrices have them, slow ways followed, fast ones not."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.arrays import FloatArray
from mummer.ik import Orient, Place
from mummer.ik.constraints.carriage import _following
from mummer.ik.constraints.whole_body import _tip_wishes, _turn_wishes, _wish, banded, curve, smooth
from mummer.math import quaternion

STEP = 1.0 / 60.0


class Standing:
    """A body of one leg, hip at (0, 1, 0), over some frames; ``bend`` metres of its knee are ahead."""

    def __init__(self, count: int, bend: float) -> None:
        knee = [0.0, 0.5, bend]
        self.positions = np.tile(np.array([[0.0, 1.0, 0.0], knee, [0.0, 0.0, 0.0]]), (count, 1, 1))

    def __len__(self) -> int:
        return len(self.positions)


LEG = SimpleNamespace(places=lambda state: np.moveaxis(state.positions, 1, 0))


def followed(hertz: float, bend: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """The way of a foot up and down by a centimetre at so many hertz, and how hips follow it."""
    state = Standing(240, bend)
    way = 0.01 * np.sin(2.0 * np.pi * hertz * STEP * np.arange(240))
    target = state.positions[:, 2] + way[:, None] * np.array([0.0, 1.0, 0.0])
    return way, _following(state, [LEG], [target], STEP)  # type: ignore[arg-type, list-item]


@given(st.integers(0, 10_000), st.integers(3, 7), st.integers(1, 3))
def test_bands_are_those_of_the_dense_matrix(seed: int, count: int, width: int) -> None:
    random = np.random.default_rng(seed)
    tall = random.normal(size=(count, width, width))
    pulls = tall @ tall.transpose(0, 2, 1)
    bend = np.zeros((count - 2, count))
    for row in range(count - 2):
        bend[row, row : row + 3] = 1.0, -2.0, 1.0
    dense = 0.7 * np.kron(bend.T @ bend, np.eye(width))
    for frame in range(count):
        dense[width * frame : width * (frame + 1), width * frame : width * (frame + 1)] += pulls[frame]
    bands = banded(pulls, 0.7)
    for offset in range(2 * width + 1):
        np.testing.assert_allclose(bands[offset, : width * count - offset], np.diag(dense, -offset), atol=1e-12)


def test_slow_ways_are_followed_and_fast_ones_are_not() -> None:
    slow, hips = followed(0.25)
    assert np.corrcoef(slow, hips[:, 1])[0, 1] > 0.99
    assert 0.5 < np.ptp(hips[60:-60, 1]) / np.ptp(slow) < 1.05
    np.testing.assert_allclose(hips[:, [0, 2]], 0.0, atol=1e-9)
    fast, still = followed(10.0)
    assert np.ptp(still[60:-60, 1]) < 0.05 * np.ptp(fast)


def test_straight_legs_take_hips_along_more_than_bent_ones() -> None:
    reached = [np.ptp(followed(0.25, bend)[1][:, 1]) for bend in (0.0, 0.1, 0.3)]
    assert reached[0] > reached[1] > reached[2] > 0.0


def test_a_carriage_goes_through_its_shifts() -> None:
    times, shifts = np.array([0.0, 1.0, 2.0]), np.array([[0.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, -1.0, 0.0]])
    np.testing.assert_allclose(curve(times, shifts, times), shifts)
    assert -1.0 < curve(times, shifts, np.array([0.5]))[0, 1] < 0.0
    assert curve(times, shifts, np.array([1.5]))[0, 1] == pytest.approx(-1.0, abs=0.1)


@pytest.mark.parametrize("step", [1 / 60, 1 / 24])
def test_what_is_smoothed_keeps_lines_and_loses_what_is_fast(step: float) -> None:
    times = step * np.arange(60)
    lines = np.stack([np.full(60, 0.3), 2.0 * times - 1.0], axis=1)
    np.testing.assert_allclose(smooth(lines, step), lines, atol=1e-6)
    noise = np.where(np.arange(60) % 2 == 0, 1.0, -1.0)
    assert np.abs(smooth(noise, step)[5:-5]).max() < 0.1
    slow = np.cos(2.0 * np.pi * times / times[-1])
    assert np.abs(smooth(slow, step) - slow).max() < 0.2
    bump = np.zeros(60)
    bump[30] = 1.0
    # It is spread to both sides alike, and none of it is lost.
    spread = smooth(bump, step)
    assert spread.sum() == pytest.approx(1.0)
    assert int(np.argmax(spread)) == 30
    np.testing.assert_allclose(spread[25:36], spread[25:36][::-1], atol=1e-4)
    np.testing.assert_allclose(smooth(3.0 * bump + slow, step), 3.0 * spread + smooth(slow, step), atol=1e-9)
    for short in (np.array([0.0, 1.0, 0.0, 1.0]), np.zeros(9)):
        np.testing.assert_array_equal(smooth(short, step), short)


@pytest.mark.parametrize("weight", [None, 0.3])
def test_limbs_are_asked_as_all_others_are_all_but_hard(weight: float | None) -> None:
    times = np.linspace(0.0, 1.0, 5)
    goal = Place(3, at=(0.0, 1.0, 0.0), weight=weight)
    asked = SimpleNamespace(at=lambda _given, _times: goal, strength=lambda times: 1.0 - times)
    wish = _wish(asked, None, times)
    np.testing.assert_array_equal(wish.share, 1.0 - times)
    assert wish.goal.weight == (weight or 1.0)
    unit = SimpleNamespace(turning=None, chain=SimpleNamespace(tip=4), turned_near=lambda times: 0.5 * times)
    turn = np.tile(quaternion.IDENTITY, (5, 1))
    assert _turn_wishes(unit, turn, times) == []
    unit.turning = SimpleNamespace()
    (found,) = _turn_wishes(unit, turn, times)
    assert isinstance(found.goal, Orient)
    assert found.goal.part == 4
    assert (
        found.goal.weight
        == _wish(SimpleNamespace(**{**vars(asked), "at": lambda *_: Place(3, at=turn[0, :3])}), None, times).goal.weight
    )
    np.testing.assert_array_equal(found.share, 0.5 * times)


def test_hips_that_stay_at_both_ends_neither_are_nor_go_elsewhere_there() -> None:
    state = Standing(120, 0.0)
    target = state.positions[:, 2] + 0.05 * np.array([0.0, 1.0, 0.0])
    free, held = (_following(state, [LEG], [target], STEP, stays=stays) for stays in (False, True))  # type: ignore[arg-type, list-item]
    assert free[0, 1] > 0.04
    np.testing.assert_allclose(held[[0, 1, -2, -1]], 0.0, atol=1e-7)
    assert held[60, 1] > 0.03


def test_places_and_turns_of_a_tip_are_asked_alike_at_the_points_that_goals_hold() -> None:
    times = np.linspace(0.0, 1.0, 4)
    points = [SimpleNamespace(point=np.array(point)) for point in ([0.0, 0.0, 0.0], [0.0, -0.1, 0.2])]
    unit = SimpleNamespace(
        points=points, chain=SimpleNamespace(tip=7), turning=SimpleNamespace(),
        held_near=lambda times: 1.0 - 0.5 * times, turned_near=lambda times: times,
    )  # fmt: skip
    place, turn = (
        np.array([[0.1, 0.2, 0.3]]) * np.arange(1, 5)[:, None],
        quaternion.exp(times[:, None] * [0.0, 1.0, 0.0]),
    )
    wishes = _tip_wishes(unit, (place, turn), times)
    assert len(wishes) == 3
    assert len({wish.goal.weight for wish in wishes}) == 1
    for wish, each in zip(wishes, points, strict=False):
        assert wish.goal.part.offset == tuple(each.point)
        np.testing.assert_allclose(wish.goal.at, place + quaternion.rotate(turn, each.point))
        np.testing.assert_array_equal(wish.share, 1.0 - 0.5 * times)
    np.testing.assert_array_equal(wishes[2].share, times)
    np.testing.assert_array_equal(wishes[2].goal.to, turn)
