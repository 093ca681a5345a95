"""What keeps feet in place is made of, function by function: what is held stays, and in between nothing jumps."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.math import quaternion
from mummer.retargeting import columns
from mummer.retargeting.leg import HEEL_BACK, _sole
from mummer.retargeting.leg_loops import GIVE
from mummer.retargeting.leg_table import soles_of
from mummer.retargeting.slides import slide_path
from mummer.retargeting.stance import (
    DEEPEST,
    FADE,
    FOLLOWS,
    Floors,
    _covering,
    _drop,
    _fading,
    _following,
    _foot_shift,
    _holding,
    _kept_out,
    _lift,
    _missing,
    _raised,
    _with_laid,
    ankles_of,
    heights_of,
    held_of,
    level_shifts,
)
from mummer.retargeting.survey import FootSurvey
from mummer.retargeting.together import FAR, NEAR, _touching

seeds = st.integers(0, 10_000)
STEP, COUNT = 0.02, 200
UP = np.array([0.0, 1.0, 0.0])
STANDS = np.zeros(COUNT, bool)
STANDS[20:50] = STANDS[60:90] = True


@given(seeds)
def test_feet_that_stand_move_as_their_path_and_let_go_smoothly(seed: int) -> None:
    random = np.random.default_rng(seed)
    free, path = np.cumsum(0.01 * random.normal(size=(2, COUNT, 3)), axis=1)
    extra = _holding(free, STANDS, STEP, path)
    for rows in (slice(20, 50), slice(60, 90)):
        held = (free + extra - path)[rows]
        np.testing.assert_allclose(held, np.tile(held[0], (30, 1)), atol=1e-12)
        np.testing.assert_allclose((free + extra)[rows].mean(axis=0), free[rows].mean(axis=0), atol=1e-12)
    # Between two stands the one goes over into the other, and after long nothing is left.
    for edge, beside in ((49, 50), (60, 59), (89, 90), (20, 19)):
        assert np.linalg.norm(extra[edge] - extra[beside]) <= 0.2 * np.linalg.norm(extra[edge]) + 0.2 * np.linalg.norm(
            extra[49] + extra[60]
        )
    np.testing.assert_array_equal(extra[90 + round(FADE / STEP) :], 0.0)
    sizes = np.linalg.norm(extra[90 : 90 + round(FADE / STEP)], axis=1)
    assert np.all(np.diff(sizes) <= 1e-12)
    np.testing.assert_array_equal(_holding(free, np.zeros(COUNT, bool), STEP, path), 0.0)


@pytest.mark.parametrize("count", [1, 3, 10, 60])
def test_what_was_held_fades_from_the_edge_to_the_other_or_in_time(count: int) -> None:
    shares = _fading(np.arange(0, count + 2), count, STEP)[:, 0]
    assert shares[0] == 1.0
    assert shares[min(count + 1, round(FADE / STEP))] == pytest.approx(0.0)
    assert np.all(np.diff(shares) <= 0.0)
    assert shares[(count + 1) // 2] == pytest.approx(0.5) if count in (1, 3) else True


def foot_of(random: np.random.Generator, count: int = 12) -> SimpleNamespace:
    numbers = np.zeros(columns.LEG_FLOATS)
    numbers[columns.BALL_T : columns.BALL_T + 3] = 0.0, -0.08, 0.15
    numbers[columns.HEEL_T : columns.HEEL_T + 3] = 0.0, -0.1, -0.05
    numbers[columns.BALL_HIGH], numbers[columns.BALL_LIFT], numbers[columns.NEAR] = 0.02, 0.03, 0.03
    numbers[columns.ROLL] = 0.04
    return SimpleNamespace(
        numbers=numbers, ball=random.normal(size=(count, 3)), heel=random.normal(size=(count, 3)),
        turn=quaternion.random(random, (count,)), ankle=random.normal(size=(count, 3)),
        hip=random.normal(size=(count, 3)), pair=SimpleNamespace(target=SimpleNamespace(length=0.9)),
        planted=np.ones(count, bool),
    )  # fmt: skip


def survey_of(scale: float, count: int = 12) -> SimpleNamespace:
    return SimpleNamespace(up=UP, transfer=SimpleNamespace(scale=scale), times=STEP * np.arange(count), step=STEP)


@given(seeds, st.floats(0.5, 2.0))
def test_the_part_that_stands_is_where_it_belongs(seed: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    foot, survey, floors = foot_of(random), survey_of(scale), Floors(0.1, 0.4)
    shift, level = random.normal(size=(2, 12, 3))
    numbers = foot.numbers
    # On its ball, heel high; on its heel, ball high; both high above the floor.
    foot.ball[:, 1] = 0.1 + numbers[columns.BALL_HIGH] + np.repeat([0.0, 0.2, 1.0], 4)
    foot.heel[:, 1] = 0.1 + np.repeat([0.2, 0.0, 1.0], 4)
    heights = heights_of(survey, foot, floors.source)
    np.testing.assert_allclose(heights, [np.repeat([0.0, 0.2, 1.0], 4), np.repeat([0.2, 0.0, 1.0], 4)], atol=1e-12)
    np.testing.assert_allclose(held_of(survey, foot, floors), np.repeat([1.0, 1.0, 0.0], 4))
    found = ankles_of(survey, foot, shift, level, floors)
    ball = found + quaternion.rotate(foot.turn, numbers[columns.BALL_T : columns.BALL_T + 3])
    heel = found + quaternion.rotate(foot.turn, numbers[columns.HEEL_T : columns.HEEL_T + 3])
    np.testing.assert_allclose(ball[:4], (scale * foot.ball + shift)[:4] + numbers[columns.BALL_LIFT] * UP, atol=1e-9)
    np.testing.assert_allclose(heel[4:8, 1], (scale * foot.heel + shift)[4:8, 1], atol=1e-9)
    np.testing.assert_allclose(ball[4:8][:, [0, 2]], (scale * foot.ball + shift)[4:8][:, [0, 2]], atol=1e-9)
    np.testing.assert_allclose(found[8:], (foot.ankle + level)[8:], atol=1e-9)


@given(seeds, st.floats(0.0, 0.1))
def test_hips_come_down_by_what_legs_lack(seed: int, short: float) -> None:
    random = np.random.default_rng(seed)
    foot, survey = foot_of(random), survey_of(1.0)
    foot.hip = foot.ankle + np.array([0.05, 0.8, 0.0])
    body = 0.2 * random.normal(size=(12, 3))
    ankle = foot.ankle + 0.3 * random.normal(size=(12, 3))
    drop = _missing(survey, foot, ankle, body, short)
    natural = np.linalg.norm(foot.ankle - foot.hip, axis=1)
    reach = natural + GIVE * np.maximum(0.9 - natural, 0.0) + short * 0.9
    before = ankle - foot.hip - body
    after = np.linalg.norm(before + drop[:, None] * UP, axis=1)
    level = np.hypot(before[:, 0], before[:, 2])
    near = (level < 0.8 * reach) & (before[:, 1] < 0.0)
    assert np.all(drop >= 0.0)
    np.testing.assert_allclose(after[near & (drop > 0.0)], reach[near & (drop > 0.0)])
    assert np.all(np.linalg.norm(before[near & (drop == 0.0)], axis=1) <= reach[near & (drop == 0.0)] + 1e-9)


@given(seeds)
def test_feet_of_one_size_need_no_way_of_their_own(seed: int) -> None:
    random = np.random.default_rng(seed)
    foot, survey = foot_of(random, COUNT), survey_of(1.0, COUNT)
    foot.planted = STANDS
    numbers = foot.numbers
    along = numbers[columns.BALL_T : columns.BALL_T + 3] - numbers[columns.HEEL_T : columns.HEEL_T + 3]
    foot.ball = np.cumsum(0.002 * random.normal(size=(COUNT, 3)), axis=0)
    foot.heel = foot.ball - quaternion.rotate(foot.turn, along)
    np.testing.assert_allclose(slide_path(survey, foot), 0.0, atol=1e-12)
    # One that is larger slides no farther over the ground than the other: what it is scaled by is taken back.
    large = survey_of(1.5, COUNT)
    foot.turn = np.tile(foot.turn[:1], (COUNT, 1))
    foot.heel = foot.ball - quaternion.rotate(foot.turn, along) / 1.5
    path = slide_path(large, foot)
    np.testing.assert_allclose(path[:, 1], 0.0, atol=1e-12)
    for rows in (slice(20, 50), slice(60, 90)):
        slid, own = (np.ptp(each[rows], axis=0)[[0, 2]] for each in (1.5 * foot.ball + path, foot.ball))
        np.testing.assert_allclose(slid, own, atol=1e-9)
    foot.planted = np.zeros(COUNT, bool)
    np.testing.assert_array_equal(slide_path(large, foot), 0.0)


def test_hands_touch_what_is_near_and_not_what_is_far() -> None:
    times = np.arange(0.0, 6.0, 0.02)
    apart = np.interp(times, [0.0, 1.0, 2.0, 4.0, 5.0, 6.0], [2.0 * FAR, 2.0 * FAR, 0.5 * NEAR, 0.5 * NEAR, 2.0, 2.0])
    places = np.zeros((len(times), 2, 3))
    places[:, 1, 2] = 0.6 * apart
    share = _touching(places, (0, 1), 0.6, times)[:, 0]
    assert share.min() >= 0.0
    assert share.max() <= 1.0
    np.testing.assert_allclose(share[apart <= NEAR], 1.0, atol=1e-6)
    np.testing.assert_allclose(share[(times < 0.8) | (times > 5.2)], 0.0, atol=1e-9)
    assert np.abs(np.diff(share)).max() < 0.2
    half = _touching(places + 0.0, (0, 1), 1.2, times)[:, 0]
    assert half.sum() > share.sum()


def test_a_body_is_lifted_with_its_feet_unless_one_of_them_must_stay() -> None:
    random, survey, floors = np.random.default_rng(2), survey_of(1.0, COUNT), Floors(0.0, 0.0)
    feet = [foot_of(random, COUNT) for _ in range(2)]
    for foot in feet:
        foot.ball[:, 1], foot.heel[:, 1] = foot.numbers[columns.BALL_HIGH], 0.0
    survey.feet = feet
    lifts = [np.zeros(COUNT), np.full(COUNT, 0.05)]
    for planted, high, expected in (
        ((True, True), 0.0, 0.0), ((False, True), 0.0, 0.05), ((True, False), 0.0, 0.0), ((False, False), 0.0, 0.05),
        # What is far above the ground is held by nothing, planted or not.
        ((True, True), 9.0, 0.05),
    ):  # fmt: skip
        for foot, stands in zip(feet, planted, strict=True):
            foot.planted = np.full(COUNT, stands)
            foot.ball[:, 1], foot.heel[:, 1] = foot.numbers[columns.BALL_HIGH] + high, high
        np.testing.assert_allclose(_raised(survey, lifts, floors), expected, atol=1e-9)
    once = [np.zeros(COUNT), np.where(np.arange(COUNT) // 50 == 1, 0.05, 0.0)]
    for foot in feet:
        foot.planted = np.zeros(COUNT, bool)
    found = _raised(survey, once, floors)
    assert found.min() >= 0.0
    assert found.max() <= 0.05 + 1e-12
    assert np.abs(np.diff(found)).max() < 0.03


@pytest.mark.parametrize("ground", [0.0, -0.4, 2.0])
def test_a_sole_goes_from_the_ground_behind_the_ankle_to_the_ball(ground: float) -> None:
    anatomy, turn = SimpleNamespace(up=UP, ground=ground), quaternion.exp(np.array([0.3, -0.2, 0.5]))
    for height, high in ((0.03, 0.03), (0.0, 0.0), (-0.02, 0.0), (0.2, 0.2)):
        ankle, ball = np.array([0.1, ground + 0.09, 0.0]), np.array([0.12, ground + height, 0.16])
        to_ball, to_heel, found = _sole(anatomy, ankle, ball, turn)
        np.testing.assert_allclose(ankle + quaternion.rotate(turn, to_ball), ball, atol=1e-12)
        heel = ankle + quaternion.rotate(turn, to_heel)
        assert heel[1] == pytest.approx(ground)
        np.testing.assert_allclose((heel - ankle)[[0, 2]], -HEEL_BACK * (ball - ankle)[[0, 2]])
        assert found == pytest.approx(high)
    # An ankle below the ground has its heel no higher than itself.
    low = np.array([0.0, ground - 0.05, 0.0])
    assert quaternion.rotate(turn, _sole(anatomy, low, low + np.array([0.0, 0.0, 0.1]), turn)[1])[1] == pytest.approx(
        0.0
    )


def test_feet_are_lifted_by_what_they_sink_but_for_a_little_that_grows_with_the_body() -> None:
    foot, survey, level = foot_of(np.random.default_rng(3), COUNT), survey_of(1.0, COUNT), np.zeros((COUNT, 3))
    foot.ball[:, 1], foot.heel[:, 1] = 9.0, 9.0

    def lift(
        depth: float, size: float, *, floor: float = 0.0, legs: float = 0.5, rows: slice = slice(None)
    ) -> np.ndarray:
        survey.transfer.target = SimpleNamespace(anatomy=SimpleNamespace(height=size), size=legs * size)
        foot.lowest, foot.ankle = np.full(COUNT, -0.1), np.full((COUNT, 3), floor + 1.0)
        foot.ankle[rows, 1] = floor + 0.1 - depth
        return _lift(survey, foot, np.zeros((COUNT, 3)), level, Floors(0.0, floor))

    for floor in (0.0, 2.0, -3.0):
        np.testing.assert_array_equal(lift(0.0, 1.0, floor=floor), 0.0)
        deep = lift(0.1, 1.0, floor=floor)
        np.testing.assert_allclose(deep, deep[0])
        assert 0.08 < deep[0] < 0.1
    spared = 0.1 - lift(0.1, 1.0)[0]
    np.testing.assert_array_equal(lift(0.9 * spared, 1.0), 0.0)
    assert 0.3 - lift(0.3, 3.0)[0] == pytest.approx(3.0 * spared)
    # Those on short legs must not sink as deep.
    assert 0.1 - lift(0.1, 1.0, legs=0.1)[0] < 0.5 * spared
    once = lift(0.1, 1.0, rows=slice(100, 110))
    np.testing.assert_allclose(once[102:108], deep[0], rtol=0.1)
    np.testing.assert_array_equal(once[[*range(80), *range(130, COUNT)]], 0.0)


def test_feet_without_balls_are_followed_by_the_point_below_the_ankle() -> None:
    legs = [SimpleNamespace(ball=7, foot=7, heel_point=np.array([0.0, -high, -0.05])) for high in (0.1, 0.2)]
    pair = SimpleNamespace(target=legs[0], source=legs[1])
    for sole, leg in zip(soles_of(None, None, pair, 1.3, quaternion.IDENTITY), legs, strict=True):
        assert sole.ball_height == 0.0
        assert all(np.array_equal(point, leg.heel_point) for point in (sole.ball, sole.heel))


def test_a_body_goes_along_with_the_foot_that_stands_up_and_down_but_not_far() -> None:
    survey, floors, level = survey_of(1.0, COUNT), Floors(0.0, 0.0), np.zeros((COUNT, 3))
    survey.transfer.target = SimpleNamespace(size=0.9)
    stands, flies = (foot_of(np.random.default_rng(seed), COUNT) for seed in (5, 6))
    for foot, high in ((stands, 0.0), (flies, 0.5)):
        foot.ball[:, 1], foot.heel[:, 1] = high + foot.numbers[columns.BALL_HIGH], high
        foot.planted = np.full(COUNT, high == 0.0)
        foot.ankle = ankles_of(survey, foot, level, level, floors)
    survey.feet = [stands, flies]

    def following(*shifts: float) -> float:
        found = _following(survey, level, [np.tile(shift * UP, (COUNT, 1)) for shift in shifts], floors)
        np.testing.assert_allclose(found, found[0], atol=1e-9)
        return float(found[0])

    assert following(0.0, 0.0) == pytest.approx(0.0, abs=1e-12)
    assert 0.7e-3 < following(1e-3, 0.0) <= 1e-3
    assert following(-1e-3, 0.0) == pytest.approx(-following(1e-3, 0.0))
    assert following(1e-3, 0.1) == pytest.approx(following(1e-3, 0.0))
    assert np.all(np.diff([following(shift, 0.0) for shift in (0.0, 0.02, 0.05, 0.2)]) > 0.0)
    assert 0.8 * FOLLOWS * 0.9 < following(5.0, 0.0) <= FOLLOWS * 0.9 + 1e-12


def test_what_has_no_feet_is_lifted_by_what_it_sinks_and_no_farther_than_half_of_it() -> None:
    target = SimpleNamespace(girdle_height=0.4, anatomy=SimpleNamespace(height=1.0, up=UP))
    survey = survey_of(1.0, COUNT)
    survey.transfer = SimpleNamespace(target=target, shift_width=8, scale=1.5, higher=0.0)

    def lifted(depth: float, floors: Floors) -> float:
        # Where its lowest point would be without a shift that puts it on the floor.
        survey.lowest = np.full(COUNT, 1.5 * floors.source - depth)
        found = _kept_out(survey, floors)
        np.testing.assert_allclose(found, found[0])
        return float(found[0])

    for floors in (Floors(0.0, 0.0), Floors(0.3, -1.0), Floors(-2.0, 0.7)):
        assert lifted(-0.1, floors) == lifted(0.0, floors) == 0.0
        assert 0.09 < lifted(0.1, floors) < 0.1
        assert lifted(0.3, floors) - lifted(0.2, floors) == pytest.approx(0.1)
        assert lifted(0.6, floors) == lifted(7.0, floors) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("step", [0.01, 0.02])
def test_a_cover_lies_over_all_that_it_covers_and_is_gone_soon_after(step: float) -> None:
    values = np.zeros(300)
    values[100], values[150:155] = 1.0, 0.5
    found, reach = _covering(values, step, 0.04), round(0.3 / step)
    assert np.all(found >= values - 0.02)
    assert found.max() <= 1.0 + 1e-9
    assert found.min() >= 0.0
    assert np.abs(np.diff(found)).max() < 0.5
    # As wide ahead as behind.
    np.testing.assert_allclose(found[100 - 20 : 100], found[101:121][::-1], atol=1e-6)
    np.testing.assert_array_equal(found[: 100 - reach], 0.0)
    np.testing.assert_array_equal(found[155 + reach :], 0.0)
    np.testing.assert_allclose(_covering(np.full(50, 0.3), step, 0.04), 0.3)
    np.testing.assert_array_equal(_covering(-np.ones(50), step, 0.04), -1.0)


def test_both_bodies_stand_on_their_floors() -> None:
    transfer = SimpleNamespace(
        shift_width=9, scale=1.5, higher=0.2, target=SimpleNamespace(anatomy=SimpleNamespace(up=UP))
    )
    for source, target in ((0.0, 0.0), (0.4, 0.0), (0.0, -1.0), (0.3, 2.0)):
        (found,) = level_shifts(transfer, Floors(source, target))
        # What is so high over its own floor is as much higher over the other as the one body is larger, and a little.
        assert 1.5 * (source + 0.8) + found[1] == pytest.approx(target + 1.5 * 0.8 + 0.2)
        assert found[columns.FLOOR] == source
        assert np.count_nonzero(np.delete(found, [1, columns.FLOOR])) == 0


@pytest.mark.parametrize("scale", [0.6, 1.0, 2.0])
def test_feet_stand_beside_the_scaled_ones_as_their_own_legs_have_them_whichever_way_a_body_faces(scale: float) -> None:
    survey, foot = survey_of(scale, COUNT), foot_of(np.random.default_rng(7), COUNT)
    foot.turn = np.tile(quaternion.IDENTITY, (COUNT, 1))
    to_ball = foot.numbers[columns.BALL_T : columns.BALL_T + 3]
    foot.ball = np.tile([0.1, foot.numbers[columns.BALL_HIGH], 0.0], (COUNT, 1))
    foot.heel, beside = foot.ball - to_ball / scale, np.array([0.05, 0.7, -0.02])
    foot.ankle, foot.planted = scale * foot.ball - to_ball + beside, np.zeros(COUNT, bool)
    survey.headings = np.tile(quaternion.IDENTITY, (COUNT, 1))
    straight = _foot_shift(survey, foot, Floors(0.0, 0.0))
    np.testing.assert_allclose(straight, np.tile(beside * (1, 0, 1), (COUNT, 1)), atol=1e-9)
    # Turned about up with all that it is made of, it is turned about up.
    turn = quaternion.exp(np.linspace(0.0, 2.0, COUNT)[:, None] * UP)
    for name in ("ball", "heel", "ankle"):
        setattr(foot, name, quaternion.rotate(turn, getattr(foot, name)))
    foot.turn = survey.headings = turn
    np.testing.assert_allclose(
        _foot_shift(survey, foot, Floors(0.0, 0.0)), quaternion.rotate(turn, straight), atol=1e-9
    )


def test_hips_come_down_for_feet_that_stand_too_far_but_never_far() -> None:
    survey, floors, zeros = survey_of(1.0, COUNT), Floors(0.0, 0.0), np.zeros((COUNT, 3))
    survey.transfer.target = SimpleNamespace(size=0.9)
    foot = foot_of(np.random.default_rng(8), COUNT)
    foot.ball[:, 1] = foot.heel[:, 1] = 9.0
    foot.ankle = np.tile([0.0, 0.1, 0.0], (COUNT, 1))
    foot.hip = np.tile([0.0, 0.95, 0.0], (COUNT, 1))
    survey.feet = [foot]

    def drop(up: float, lift: float = 0.0, short: float = 0.0) -> float:
        found = _drop(survey, up * UP + zeros, np.zeros(COUNT), [zeros], [np.full(COUNT, lift)], floors, short)
        np.testing.assert_allclose(found, found[0], atol=1e-9)
        return float(found[0])

    foot.ankle[:, 1] = 0.1
    falls = [drop(0.0, lift=-lower) for lower in (0.0, 0.1, 0.2, 0.5, 5.0)]
    assert falls[0] == 0.0
    assert np.all(np.diff(falls) > 0.0)
    assert falls[1] < 0.1
    assert falls[-1] <= DEEPEST * 0.9 + 1e-12
    assert drop(0.0, lift=0.3) == 0.0
    # A longer leg needs less of it, and one that flies none.
    assert drop(0.0, lift=-0.1, short=0.05) < falls[1]
    foot.planted = np.zeros(COUNT, bool)
    assert drop(0.0, lift=-0.5) == 0.0


@given(seeds, st.floats(-0.4, 0.4))
def test_a_body_goes_up_with_the_ankles_of_soles_that_were_laid_flat(seed: int, angle: float) -> None:
    random = np.random.default_rng(seed)
    seen, survey, floors = foot_of(random), survey_of(1.0), Floors(0.0, 0.0)
    seen.ball[:, 1], seen.heel[:, 1] = seen.numbers[columns.BALL_HIGH], 0.0
    laid = np.tile([angle, 0.0, 0.0], (12, 1))
    zeros, nothing = np.zeros(12), np.zeros((12, 3))
    foot = FootSurvey(
        seen.pair, seen.numbers, seen.ball, seen.heel, seen.turn, seen.ankle, seen.hip, zeros, seen.planted,
        zeros, laid, nothing,
    )  # fmt: skip
    before = replace(foot, turn=quaternion.multiply(quaternion.conjugate(quaternion.exp(laid)), seen.turn))
    survey.feet = (foot,)
    shift, raised = random.normal(size=(12, 3)), 0.1 * UP
    heights = [
        ankles_of(survey, each, by, nothing, floors) @ UP for each, by in ((foot, shift + raised), (before, shift))
    ]
    found = _with_laid(survey, nothing, [shift], [shift + raised], floors)
    np.testing.assert_allclose(found, heights[0] - heights[1], atol=1e-6)
