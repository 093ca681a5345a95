"""Props: drawn, taken, carried, dropped, and written into one file with who carried them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.errors import InputError, UnknownNameError
from mummer.ik import WorldState, handle, handles_of
from mummer.stage.props import Carry, ball, box, carried, scene
from tests.stage.motions import moved, posed

BODY = mm.zoo.body("adult")


def lifting() -> mm.Clip:
    return moved(posed(), posed(right_upper_arm=(0, 0, -1.2)), seconds=2.0)


def test_what_nobody_touches_lies_still() -> None:
    clip = carried(box(), (1, 0.1, 0), seconds=1.0)
    assert np.ptp(clip.sample(clip.times(30)).root_translation, axis=0).max() == 0


def test_a_thing_goes_with_the_hand_and_falls_when_it_is_let_go() -> None:
    holder, thing = lifting(), ball(0.1)
    hand = handle(BODY, "right_hand")
    start = WorldState(BODY, holder.at(0.0)).point(hand)[0]
    clip = carried(thing, start, Carry(holder, "right_hand", 0.0, 1.3), seconds=3.0)
    times = np.linspace(0, 1.3, 14)
    away = clip.sample(times).root_translation - WorldState(BODY, holder.sample(times)).point(hand)
    assert np.abs(away).max() < 2e-3
    fall = clip.sample(np.arange(1.4, 1.6, 1 / 60)).root_translation[:, 1]
    assert np.diff(fall, 2).mean() * 3600 == pytest.approx(-9.81, rel=0.05)
    assert clip.at(3.0).root_translation[1] == pytest.approx(0.1, abs=2e-3)
    speed = np.diff(clip.sample([1.28, 1.30, 1.32]).root_translation, axis=0)
    assert np.abs(speed[1] - speed[0]).max() < 0.01


def test_a_box_comes_to_lie_flat() -> None:
    tilted = (0.2588, 0, 0, 0.9659)
    holder = lifting()
    clip = carried(box((0.2, 0.1, 0.3)), (0, 1, 0.5), Carry(holder, "right_hand", 0.0, 0.6), seconds=3.0, turned=tilted)
    end = WorldState(clip.body, clip.at(3.0))
    up = np.abs(np.array([[0, 1, 0]]) @ mm.math.quaternion.to_matrix(end.rotations[0, 0]))
    assert up.max() == pytest.approx(1.0, abs=1e-6)
    points = mm.math.quaternion.rotate(end.rotations[0, 0], clip.body.meshes[0].positions) + end.positions[0, 0]
    assert points[:, 1].min() == pytest.approx(0.0, abs=1e-6)


def test_a_scene_of_an_actor_and_a_prop_is_written_and_read(tmp_path: Path) -> None:
    holder = lifting()
    thing = carried(box(), (0.4, 1.0, 0), Carry(holder, "right_hand", 0.5), seconds=2.0)
    path = tmp_path / "scene.glb"
    made = scene({"ann": holder, "box": thing})
    made.save(path)
    back = mm.load(path)
    assert "box.box" in back.skeleton.names
    assert sum(mesh.name.startswith("box") for mesh in back.meshes) == 1
    made.save(tmp_path / "scene.png")
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
    with pytest.raises(InputError, match="in order"):
        carried(ball(), (0, 1, 0), Carry(lifting(), "right_hand", 1.0, 0.5), seconds=2.0)
    with pytest.raises(InputError, match="expected a thing of one"):
        carried(BODY, (0, 0, 0), seconds=1.0)
    with pytest.raises(InputError, match="nobody"):
        scene({})
