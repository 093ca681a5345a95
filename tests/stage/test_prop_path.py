"""Props lie, are held, and fly."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.character.derive import rest_positions
from mummer.clip import Still
from mummer.errors import InputError
from mummer.model import Action, KeyTimes, Setting, Values
from mummer.model.key_times import DEFAULT
from mummer.model.throwing import ballistic
from mummer.stage.actions import moment
from mummer.stage.prop import Prop, ball, body_of
from mummer.stage.prop_path import GRAVITY, PropPath
from mummer.zoo import body

AHEAD = np.array([0.0, 0.0, 0.0, 1.0])


def lying(place: tuple[float, float, float]) -> PropPath:
    return PropPath.lying(ball(0.06), place)


@pytest.mark.parametrize("values", [{}, {"apex": 3.0}, {"apex": 0.1}, {"gravity": 1.6}, {"speed": 7.0}])
def test_what_is_thrown_comes_to_its_target(values: dict[str, float]) -> None:
    start, target = np.array([0.2, 1.4, 0.1]), np.array([3.0, 0.5, -2.0])
    flight = ballistic(start, target, Values({name: Setting(value) for name, value in values.items()}), 2.0)
    path = lying(tuple(start.tolist())).let_go(
        2.0, velocity=np.array(flight.velocity), gravity=flight.gravity, floor=-100.0
    )
    np.testing.assert_allclose(path.at([2.0 + flight.duration])[0][0], target, atol=1e-9)
    top = path.at(np.linspace(2.0, 2.0 + flight.duration, 500))[0][:, 1].max()
    assert top == pytest.approx(max(values.get("apex", top), 1.4), abs=1e-3)


def test_what_is_let_go_falls_to_the_floor_and_stays() -> None:
    path = lying((1.0, 2.0, 0.0)).dropped(1.0)
    places = path.at([0.5, 1.0 + np.sqrt(2 * 1.0 / GRAVITY), 9.0])[0]
    np.testing.assert_allclose(places, [[1, 2, 0], [1, 1, 0], [1, 0.06, 0]], atol=1e-3)


def test_what_is_taken_does_not_jump_and_goes_along() -> None:
    adult = body("adult")
    hand = adult.skeleton.index("left_hand") if "left_hand" in adult.skeleton.names else len(adult.skeleton) - 1
    moved = Still(adult, adult.default_pose, 10.0).pivoted((0, 0, 0), AHEAD, (0.0, 0.0, 2.0))
    at = rest_positions(adult.skeleton)[hand] + [0.1, 0.2, 2.0]
    path = lying(tuple(at)).taken(1.0, moved, hand, "ann")
    np.testing.assert_allclose(path.at([0.99, 1.0, 5.0])[0], [at] * 3, atol=1e-9)
    assert path.put(3.0).at([9.0])[0][0] == pytest.approx(at)


@pytest.mark.parametrize("shape", ["ball", "cube"])
def test_props_are_closed_surfaces_that_look_outwards(shape: str) -> None:
    mesh = body_of(Prop("thing", shape, size=0.2)).meshes[0]
    corners = mesh.positions[mesh.triangles].astype(float)
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    volume = np.einsum("fi,fi->f", corners[:, 0], outward) / 6
    assert np.all(volume > -1e-12)
    whole = 0.2**3 if shape == "cube" else np.pi / 6 * 0.2**3
    assert volume.sum() == pytest.approx(whole, rel=0.06)


def test_a_prop_has_a_size() -> None:
    with pytest.raises(InputError, match="expected more than 0"):
        Prop("thing", size=0.0)


def test_a_throw_is_left_after_its_follow_through_and_a_reach_at_its_release() -> None:
    adult = body("adult")
    still = Still(adult, adult.default_pose, 5.0)
    names = ("start", "windup", "release", "follow_through", "settle", "end")
    throw = Action("throw", "any", still, KeyTimes(names, (0, 1, 2, 3, 4, 5)))
    reach = Action("reach", "any", still, KeyTimes(DEFAULT, (0, 1, 2, 3, 4)))
    assert [moment(throw, which) for which in ("entry", "exit")] == [0.0, 3.0]
    assert [moment(reach, which) for which in ("entry", "exit")] == [1.0, 2.0]
