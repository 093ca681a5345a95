"""Three interpolations: what each promises, and that it keeps to it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from mummer.errors import InputError
from mummer.math import interpolate, quaternion
from mummer.math.interpolate import explerp, nlerp, slerp
from tests.math.helpers import assert_same_rotations, law, rotation_pairs, rotations

ALL = [nlerp, slerp, explerp]
Pair = tuple[np.ndarray, np.ndarray]
Interpolation = Callable[..., np.ndarray]


@pytest.mark.parametrize("way", ALL)
@law
@given(pair=rotation_pairs())
def test_ends_are_reached(way: Interpolation, pair: Pair) -> None:
    a, b = pair
    assert_same_rotations(way(a, b, 0), a)
    assert_same_rotations(way(a, b, 1.0), b)


@pytest.mark.parametrize("way", ALL)
@law
@given(pair=rotation_pairs(), t=st.floats(-1, 2))
def test_signs_do_not_matter(way: Interpolation, pair: Pair, t: float) -> None:
    a, b = pair
    is_clear = quaternion.angle_between(a, b) < np.pi - 1e-3
    if way is explerp:
        # At half a turn the rotation vector of `a` itself may go either way.
        is_clear = is_clear & (quaternion.angle(a) < np.pi - 1e-3)
    a, b = a[is_clear], b[is_clear]
    for other in (way(-a, b, t), way(a, -b, t), way(-a, -b, t)):
        assert_same_rotations(other, way(a, b, t), 1e-11)


@pytest.mark.parametrize("way", ALL)
@law
@given(pair=rotation_pairs(), t=st.floats(-1, 2))
def test_there_and_back_are_one_path(way: Interpolation, pair: Pair, t: float) -> None:
    a, b = pair
    is_clear = quaternion.angle_between(a, b) < np.pi - 1e-3
    is_clear = is_clear & (quaternion.angle(a) < np.pi - 1e-3) & (quaternion.angle(b) < np.pi - 1e-3)
    a, b = a[is_clear], b[is_clear]
    if way is explerp:
        # Seen from b, a may be nearest on another turn: the path is only the same when no turn was added.
        stays = np.linalg.norm(quaternion.log_near(b, quaternion.log(a)), axis=-1) <= np.pi
        stays &= np.linalg.norm(quaternion.log_near(a, quaternion.log(b)), axis=-1) <= np.pi
        a, b = a[stays], b[stays]
    assert_same_rotations(way(a, b, t), way(b, a, 1 - t), 1e-11)


@law
@given(pair=rotation_pairs())
def test_slerp_is_that_of_scipy(pair: Pair) -> None:
    a, b = (each.reshape(-1, 4) for each in pair)
    times = np.linspace(0, 1, 9)
    for start, end in zip(a, b, strict=True):
        if quaternion.angle_between(start, end) < np.pi - 1e-9:
            expected = Slerp([0, 1], Rotation.from_quat([start, end]))(times).as_quat()
            assert_same_rotations(slerp(start, end, times), expected)


@law
@given(pair=rotation_pairs(), t=st.floats(-1, 2))
def test_slerp_is_a_power_of_the_difference(pair: Pair, t: float) -> None:
    a, b = pair
    is_clear = quaternion.angle_between(a, b) < np.pi - 1e-3
    difference = quaternion.multiply(quaternion.conjugate(a), b)
    expected = quaternion.multiply(a, quaternion.power(difference, t))
    assert_same_rotations(slerp(a, b, t)[is_clear], expected[is_clear])


@law
@given(pair=rotation_pairs())
def test_nlerp_and_slerp_share_their_path(pair: Pair) -> None:
    a, b = pair
    middle = 0.5
    is_clear = quaternion.angle_between(a, b) < np.pi - 1e-3
    assert_same_rotations(nlerp(a, b, middle)[is_clear], slerp(a, b, middle)[is_clear])
    quarter = nlerp(a, b, 0.25)
    whole = quaternion.angle_between(a, b)
    through = quaternion.angle_between(a, quarter) + quaternion.angle_between(quarter, b)
    np.testing.assert_allclose(through, whole, atol=1e-12)


def test_slerp_keeps_its_speed_and_nlerp_does_not() -> None:
    a, b = quaternion.IDENTITY, quaternion.from_axis_angle([0, 1, 0], np.deg2rad(120))
    t = np.linspace(0, 1, 101)
    speeds = {way: np.ptp(quaternion.angle_between(way(a, b, t)[1:], way(a, b, t)[:-1])) * 100 for way in ALL}
    assert speeds[slerp] < 1e-12
    assert speeds[nlerp] > 0.4
    # About one axis the logarithms run at a constant rate too.
    assert speeds[explerp] < 1e-12


def test_only_slerp_depends_on_the_order_of_three() -> None:
    a, b, c = quaternion.exp([[1.2, 0, 0], [0, 1.5, 0], [0, 0.4, -1.1]])
    logs = quaternion.log(np.stack([a, b, c]))
    np.testing.assert_allclose(
        explerp(c, explerp(a, b, 1 / 2), 2 / 3), explerp(a, explerp(b, c, 1 / 2), 2 / 3), atol=1e-14
    )
    np.testing.assert_allclose(explerp(c, explerp(a, b, 1 / 2), 2 / 3), quaternion.exp(logs.mean(axis=0)), atol=1e-14)
    first, second = slerp(c, slerp(a, b, 1 / 2), 2 / 3), slerp(a, slerp(b, c, 1 / 2), 2 / 3)
    assert quaternion.angle_between(first, second) > 0.01


def test_explerp_leaves_the_shortest_path() -> None:
    a, b = quaternion.exp([[2.0, 0, 0], [0, 2.0, 0]])
    path = explerp(a, b, np.linspace(0, 1, 201))
    travelled = quaternion.angle_between(path[1:], path[:-1]).sum()
    assert travelled > 1.005 * quaternion.angle_between(a, b)


def test_explerp_takes_the_short_way_past_half_a_turn() -> None:
    a, b = quaternion.exp([[0, np.pi - 0.1, 0], [0, np.pi + 0.1, 0]])
    assert_same_rotations(explerp(a, b, 0.5), quaternion.exp([0, np.pi, 0]))


@law
@given(rotations())
def test_between_a_rotation_and_itself_nothing_moves(q: np.ndarray) -> None:
    for way in ALL:
        assert_same_rotations(way(q, -q, 0.3), q)
    assert_same_rotations(slerp(q, -q, 0.3, shortest=False), q)


def test_the_long_way_round() -> None:
    a, b = quaternion.exp([[0, 0, 0], [0, 1.0, 0]])
    assert_same_rotations(slerp(a, -b, 0.5, shortest=False), quaternion.exp([0, (1 - 2 * np.pi) / 2, 0]))


@pytest.mark.parametrize("way", ALL)
def test_shapes_types_and_wrong_inputs(way: Interpolation) -> None:
    q = quaternion.random(np.random.default_rng(0), (2, 3))
    assert way(q[0, 0], q[1, 1], np.zeros(7)).shape == (7, 4)
    assert way(q, q[0], 0.5).shape == (2, 3, 4)
    narrow = q.astype(np.float32)
    assert way(narrow, narrow, 0.5).dtype == np.float32
    assert way(narrow, narrow, np.float32(0.5)).dtype == np.float32
    assert way(narrow, narrow, np.full(3, 0.5)).dtype == np.float64
    with pytest.raises(InputError, match=r"the second quaternion has shape \(3,\)"):
        way(q, [0, 0, 1], 0.5)


def test_every_way_is_documented() -> None:
    assert all(f"`{way.__name__}`" in (interpolate.__doc__ or "") for way in ALL)
