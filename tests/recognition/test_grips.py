"""Grips: on the palm side of the hand, turned alike on both sides, whatever the frames of a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer import zoo
from mummer.arrays import FloatArray
from mummer.character import Anatomy, Character, Pose, world_matrices
from mummer.io import load
from mummer.math import quaternion
from mummer.recognition import recognize
from tests.recognition.bodies import human


def grips(body: Character) -> tuple[Anatomy, dict[str, tuple[FloatArray, FloatArray]]]:
    """Place (3,) and axes (3, 3) in the world of each grip at rest; rows are the socket's X, Y and Z."""
    anatomy = recognize(body.replace(anatomy=None))
    world = world_matrices(body.skeleton, Pose.rest(body.skeleton))
    found = {}
    for socket in anatomy.sockets:
        frame = world[socket.joint]
        axes = np.array([frame[:, :3] @ quaternion.rotate(socket.rotation, axis) for axis in np.eye(3)])
        place = frame[:, 3] + frame[:, :3] @ socket.translation
        found[socket.name] = (place, axes / np.linalg.norm(axes, axis=1)[:, None])
    return anatomy, found


@pytest.mark.parametrize("body", [human(), zoo.body("adult"), zoo.body("giant")], ids=["joints", "adult", "giant"])
def test_both_hands_hold_alike(body: Character) -> None:
    anatomy, found = grips(body)
    assert set(found) == {"left_grip", "right_grip"}
    (left, left_axes), (right, right_axes) = found["left_grip"], found["right_grip"]
    across = np.eye(3) - 2 * np.outer(anatomy.left, anatomy.left)
    assert np.allclose(left @ across, right, atol=1e-6)
    assert np.allclose(left_axes[1:] @ across, right_axes[1:], atol=1e-6)


def test_what_is_held_lies_across_the_palm() -> None:
    body = human()
    _, found = grips(body)
    place, (_, shaft, fingers) = found["left_grip"]
    assert fingers @ np.array([1.0, 0.0, 0.0]) > 0.99
    assert shaft @ np.array([0.0, 0.0, 1.0]) > 0.99
    # The arm is stretched to the side and its thumb points ahead: the palm is below.
    assert place[0] > 0.69
    assert place[1] < 1.4


def test_real_rigs_hold_things_in_front_of_their_wrists(data_dir: Path) -> None:
    rig = load(data_dir / "characters/threejs/Soldier.glb")
    anatomy, found = grips(rig)
    places = world_matrices(rig.skeleton, Pose.rest(rig.skeleton))[:, :, 3]
    for side in ("left", "right"):
        place, axes = found[f"{side}_grip"]
        wrist, elbow = (places[anatomy.roles[f"{side}_{part}"]] for part in ("hand", "forearm"))
        away = np.linalg.norm(place - wrist) / np.linalg.norm(wrist - elbow)
        assert 0.1 < away < 0.8
        assert axes[2] @ (wrist - elbow) > 0.7 * np.linalg.norm(wrist - elbow)


def test_what_has_no_hands_has_no_grips() -> None:
    assert not grips(zoo.body("horse"))[1]
