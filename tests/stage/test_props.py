"""Props: drawn, taken, carried, dropped, and written into one file with who carried them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.errors import InputError, UnknownNameError
from mummer.ik import WorldState, handle, handles_of
from mummer.stage import Cut, PropPath, ball, box
from tests.stage.motions import moved, posed

BODY = mm.zoo.body("adult")


def lifting() -> mm.Clip:
    return moved(posed(), posed(right_upper_arm=(0, 0, -1.2)), seconds=2.0)


def test_what_nobody_touches_lies_still() -> None:
    places, turns = PropPath.lying(box(), (1, 0.1, 0)).at(np.linspace(0, 1, 30))
    assert np.ptp(places, axis=0).max() == np.ptp(turns, axis=0).max() == 0


def test_a_thing_goes_with_the_hand_and_falls_as_it_was_moved_when_it_is_let_go() -> None:
    holder = lifting()
    hand = handle(BODY, "right_hand")
    start = WorldState(BODY, holder.at(0.0)).point(hand)[0]
    path = PropPath.lying(ball(0.1), start).taken(0.0, holder, "right_hand").let_go(1.3)
    times = np.linspace(0, 1.3, 14)
    away = path.at(times)[0] - WorldState(BODY, holder.sample(times)).point(hand)
    assert np.abs(away).max() < 2e-3
    fall = path.at(np.arange(1.4, 1.6, 1 / 60))[0][:, 1]
    assert np.diff(fall, 2).mean() * 3600 == pytest.approx(-9.81, rel=0.01)
    assert path.at([5.0])[0][0, 1] == pytest.approx(0.1, abs=2e-3)
    speed = np.diff(path.at([1.28, 1.30, 1.32])[0], axis=0)
    assert np.abs(speed[1] - speed[0]).max() < 0.01


def test_a_box_comes_to_lie_flat_on_the_floor() -> None:
    tilted = (0.2588, 0, 0, 0.9659)
    thing = box((0.2, 0.1, 0.3))
    path = PropPath.lying(thing, (0, 1, 0.5), tilted).taken(0.0, lifting(), "right_hand").let_go(0.6)
    assert path.end < 3.0
    turn = path.at([3.0])[1][0]
    up = np.abs(np.array([[0, 1, 0]]) @ mm.math.quaternion.to_matrix(turn))
    assert up.max() == pytest.approx(1.0, abs=1e-6)
    times = np.arange(0.6, 3.0, 1 / 120)
    places, turns = path.at(times)
    low = [(mm.math.quaternion.rotate(each, thing.meshes[0].positions) + at)[:, 1].min()
           for at, each in zip(places, turns, strict=True)]  # fmt: skip
    assert min(low) > -2e-3
    assert low[-1] == pytest.approx(0.0, abs=1e-6)


def test_a_scene_of_an_actor_and_a_prop_is_written_and_read(tmp_path: Path) -> None:
    thing = PropPath.lying(box(), (0.4, 1.0, 0)).taken(0.5, lifting(), "right_hand")
    made = Cut("scene", {"ann": lifting()}, {"box": thing})
    made.save(tmp_path / "scene.glb")
    back = mm.load(tmp_path / "scene.glb")
    assert "box.box" in back.skeleton.names
    assert sum(mesh.name.startswith("box") for mesh in back.meshes) == 1
    made.save(tmp_path / "scene.png", times=2)
    assert (tmp_path / "scene.png").stat().st_size > 1000


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "bird", "snake"])
def test_every_part_has_a_handle_and_feet_are_handled_on_the_ground(name: str) -> None:
    body = mm.zoo.body(name)
    assert body.anatomy is not None
    handles = handles_of(body)
    assert set(body.anatomy.roles) <= set(handles)
    state = WorldState(body, mm.Pose.rest(body.skeleton))
    for joint in body.anatomy.capabilities.get("foot", ()):
        role = (
            next(role for role, other in body.anatomy.roles.items() if other == joint)
            if joint in body.anatomy.roles.values()
            else None
        )
        if role is not None:
            assert state.point(handles[role])[0] @ body.anatomy.up == pytest.approx(body.anatomy.ground, abs=1e-6)
    with pytest.raises(UnknownNameError, match="closest"):
        handle(body, "heaad")


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(InputError, match="positive"):
        ball(-1)
    with pytest.raises(InputError, match="positive"):
        box((1, 0, 1))
    with pytest.raises(UnknownNameError, match="closest: 'right_hand'"):
        PropPath.lying(ball(), (0, 1, 0)).taken(0.0, lifting(), "right_hnad")
