"""Legs are found, clustered, harmonised and put in order."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.general import physique_of
from mummer.general.gait import legs_of
from mummer.general.gait.groups import harmonised, leg_groups, partners
from mummer.general.gait.natural import natural_style
from mummer.general.gait.pattern import _ranks, order_of, triggers
from mummer.general.gait.style import make_style
from tests.general.gait.bodies import legged


@pytest.mark.parametrize("count", range(1, 13))
def test_every_leg_is_found(count: int) -> None:
    legs = legs_of(legged(count))
    assert len(legs) == count
    assert sum(leg.side for leg in legs) == 0
    assert [leg.side for leg in legs].count(0) == count % 2
    assert all(leg.contact[1] == 0 for leg in legs)


def test_feet_of_the_zoo_stand_flat_or_tilt() -> None:
    def legs(name: str) -> Any:
        return legs_of(physique_of(mm.zoo.body(name)))

    assert all(leg.tilts == 0 and leg.toes for leg in legs("adult"))
    assert all(leg.tilts > 0.9 for leg in (*legs("horse"), *legs("bird"), *legs("spider")))
    assert all(leg.swivels == 1 for leg in legs("spider"))
    assert not any(leg.swivels for leg in legs("dog"))
    assert legs("snake") == legs("ghost") == legs("fish") == ()


def test_hind_legs_come_first_and_left_before_right() -> None:
    dog = physique_of(mm.zoo.body("dog"))
    names = [dog.character.skeleton.names[leg.foot] for leg in legs_of(dog)]
    assert names == ["hind_left_foot", "hind_right_foot", "front_left_foot", "front_right_foot"]


@given(st.floats(0.2, 5.0))
def test_rates_are_small_ratios(ratio: float) -> None:
    found = harmonised(ratio)
    assert Fraction(1, 3) <= found <= 3
    assert found.denominator <= 3
    assert harmonised(float(found)) == found
    if 1 / 3 <= ratio <= 3:
        assert max(float(found) / ratio, ratio / float(found)) < 1.34


def test_legs_of_different_lengths_step_at_different_rates() -> None:
    main, short = leg_groups(in_a_row((1.0, 1.05, 0.95, 1.0, 0.3, 0.31), apart=2.0))
    assert set(main.legs) == {0, 1, 2, 3}
    assert main.rate == 1
    assert set(short.legs) == {4, 5}
    assert short.rate == 2


def test_legs_whose_feet_would_meet_step_at_one_rate() -> None:
    (only,) = leg_groups(in_a_row((1.0, 1.0, 0.3, 0.31), apart=0.1))
    assert set(only.legs) == {0, 1, 2, 3}
    assert len(leg_groups(in_a_row((1.0, 1.0, 0.3, 0.31), apart=0.3))) == 2


def in_a_row(lengths: tuple[float, ...], *, apart: float) -> Any:
    """Legs of one side, each so far ahead of the one before."""
    return [
        SimpleNamespace(hip=row, side=1, length=length, contact=np.array([0.5, 0.0, apart * row]))
        for row, length in enumerate(lengths)
    ]


def test_an_odd_leg_steps_with_the_one_beside_it() -> None:
    places = ((1, 0.0), (-1, 0.0), (-1, 0.3), (1, 1.0), (-1, 1.0))
    legs: Any = [
        SimpleNamespace(hip=row, side=side, length=1.0, contact=np.array([0.5 * side, 0.0, ahead]))
        for row, (side, ahead) in enumerate(places)
    ]
    assert partners(legs) == {(1, 2)}
    assert order_of(legs, leg_groups(legs)).units.tolist() == [0, 1, 1, 3, 4]
    assert not partners([leg for leg in legs if leg.contact[2] != 0.3])


def phases(count: int, speed: float, style: str = "walk") -> np.ndarray:
    legs = legs_of(legged(count))
    return triggers(order_of(legs, leg_groups(legs)), make_style(style), np.array([speed]))[0] % 1.0


def test_patterns_as_designed() -> None:
    np.testing.assert_allclose(phases(2, 0.4), [0, 0.5])
    np.testing.assert_allclose(phases(4, 0.4), [0, 0.5, 0.25, 0.75])  # a walk
    np.testing.assert_allclose(phases(4, 1.0), [0, 0.5, 0.5, 0])  # a trot
    np.testing.assert_allclose(phases(6, 1.0), [0, 0.5, 0.5, 0, 0, 0.5])  # alternating tripods
    np.testing.assert_allclose(phases(4, 0.4, "hop") % 1.0, [0, 0, 0.88, 0.88])


@pytest.mark.parametrize("count", [8, 10, 12])
def test_beyond_six_legs_waves_are_derived(count: int) -> None:
    slow, fast = phases(count, 0.1), phases(count, 1.0)
    assert len(set(np.round(slow[::2], 6))) == count // 2  # one after another along each side
    np.testing.assert_allclose((slow[1::2] - slow[::2]) % 1.0, 0.5)
    assert set(np.round(fast, 6)) <= {0.0, 0.5}


def test_feet_in_one_place_step_as_one_and_those_of_two_sides_do_not() -> None:
    places = ((3, 1, 0.05, 0.0), (5, 1, 0.06, 0.1), (7, -1, -0.05, 0.0), (9, -1, -0.06, 0.3))
    legs: Any = [
        SimpleNamespace(hip=hip, side=side, length=1.0, contact=np.array([left, 0.0, ahead]))
        for hip, side, left, ahead in places
    ]
    order = order_of(legs, leg_groups(legs))
    assert order.units.tolist() == [0, 0, 2, 3]
    assert order.feet == (3,)


def test_feet_on_one_hip_step_as_one() -> None:
    legs: Any = [
        SimpleNamespace(hip=hip, side=side, length=1.0, contact=np.array([0.3 * side, 0.0, ahead]))
        for hip, side, ahead in ((3, 1, 0.0), (3, 1, 0.5), (7, -1, 0.0), (9, 1, 1.0), (11, -1, 1.0))
    ]
    order = order_of(legs, leg_groups(legs))
    assert order.feet == (4,)
    assert order.ranks[0] == order.ranks[1]
    when = triggers(order, make_style("walk"), np.array([0.4]))[0]
    assert when[0] == when[1] != when[2]


def styled(monkeypatch: pytest.MonkeyPatch, *legs: tuple[int, float, float, float]) -> str:
    """The natural style of a body with legs of a hip, a place ahead, a reach and a length each."""
    made = [
        SimpleNamespace(hip=hip, contact=np.array([0.0, 0.0, ahead]), reach=reach, length=length)
        for hip, ahead, reach, length in legs
    ]
    monkeypatch.setattr("mummer.general.gait.natural.legs_of", lambda _: made)
    return natural_style(physique_of(mm.zoo.body("adult")))


def test_one_leg_hops_and_so_do_springs_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    assert natural_style(legged(1)) == "hop"
    assert {natural_style(legged(count)) for count in (2, 3, 4, 5, 8)} == {"walk"}
    front, springs = ((1, 1.0, 0.3, 0.3), (2, 1.0, 0.3, 0.3)), ((3, 0.0, 0.9, 0.4), (4, 0.0, 0.9, 0.4))
    assert styled(monkeypatch, *front, *springs) == "hop"
    # Long legs that are straight are no springs, nor are those in front, nor one that is longer than the other.
    assert styled(monkeypatch, *front, (3, 0.0, 0.9, 0.9), (4, 0.0, 0.9, 0.4)) == "walk"
    assert styled(monkeypatch, *front, (3, 0.0, 0.9, 0.4), (4, 0.0, 0.4, 0.2)) == "walk"
    assert styled(monkeypatch, *springs, *((hip, -1.0, 0.3, 0.3) for hip in (1, 2))) == "walk"
    assert styled(monkeypatch, *springs) == "walk"


def test_sides_are_left_right_or_middle_and_ranks_count_from_behind() -> None:
    def ranks(*sides: int) -> list[tuple[int, int]]:
        legs: Any = [SimpleNamespace(side=side) for side in sides]
        return _ranks(legs, [[number] for number in range(len(sides))])

    assert ranks(1, -1, 1, -1) == [(1, 0), (-1, 0), (1, 1), (-1, 1)]
    assert ranks(1, -1, 0) == [(1, 0), (-1, 0), (0, 0)]
    assert ranks(0) == [(0, 0)]
    for count in (2, 3, 5):
        row = ranks(*[0] * count)
        assert [side for side, _ in row] == [1 - 2 * (number % 2) for number in range(count)]
        assert {rank for _, rank in row} == {0}


@pytest.mark.parametrize("name", ["adult", "dog", "bird", "spider", "legged", "sprawling"])
def test_legs_are_as_long_as_their_bones_and_stand_on_their_soles(name: str) -> None:
    walkers = {"legged": lambda: legged(5), "sprawling": lambda: legged(6, sprawling=True)}
    body = walkers[name]() if name in walkers else physique_of(mm.zoo.body(name))
    for leg in legs_of(body):
        foot, hip, near = body.positions[leg.foot], leg.hip_place, 1e-9
        below = foot - leg.ankle - leg.contact
        np.testing.assert_allclose(below[[0, 2]], 0.0, atol=near)
        assert abs(below[1]) < 0.35 * leg.reach
        # No way is shorter than the straight one, and the sole is where the shank and the foot end.
        assert leg.reach >= np.linalg.norm(foot - hip) - near
        assert leg.sole_reach >= np.linalg.norm(leg.contact + below - hip) - near
        assert abs(leg.sole_reach - leg.reach) <= np.linalg.norm(leg.ankle) + near
        assert leg.more >= 0.0
        assert leg.farthest(loose=True) == leg.more + leg.sole_reach
        assert leg.farthest(loose=False) == leg.more + leg.reach
        assert 0.3 * leg.reach <= leg.length <= leg.sole_reach + abs(below[1]) + near
        # What bears it lies between heel and tip, on its own side of the body.
        heel, front, half = leg.sole
        assert heel - near <= 0.0 <= front + near
        assert half >= 0.0
        assert 0.0 <= leg.tilts <= 1.0
        assert 0.0 <= leg.swivels <= 1.0
        assert leg.heel[2] == pytest.approx((1.0 - leg.tilts) * heel)
        assert heel - near <= leg.heel[2] <= near
        assert leg.tip[1] >= -near
        assert leg.side * leg.contact[0] >= 0.0
        assert int(body.character.skeleton.parents[leg.hip]) == leg.girdle
