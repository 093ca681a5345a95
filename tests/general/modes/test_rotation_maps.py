"""Rotation modes: exact inverses, what zero means, mirroring, and looking as far as is comfortable."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import InputError
from mummer.general import select
from mummer.general.modes import RotationMode, Target, rotation_map
from mummer.general.modes.look import look_turns, soft_angle
from mummer.general.modes.rotation_map import AXIAL
from mummer.general.part_frames import part_frames
from mummer.math import quaternion
from tests.general.bodies import all_names, physique
from tests.general.modes.sampling import OUTSIDE

MODES = [RotationMode(), RotationMode("absolute"), RotationMode("look", OUTSIDE)]


@given(
    name=st.sampled_from(all_names()), part=st.floats(0, 0.999), mode=st.sampled_from(MODES), mirror=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_turns_there_and_back(name: str, part: float, mode: RotationMode, mirror: bool, seed: int) -> None:
    body, chance = physique(name), np.random.default_rng(seed)
    joint = int(part * len(body))
    target = Target(chance.normal(0, body.height, (4, 3)))
    found = rotation_map(body, joint, mode, mirror=mirror, target=target)
    general = chance.uniform(-1.8, 1.8, (4, 3))
    assert np.allclose(found.generalize(found.specialize(general)), general, rtol=0, atol=1e-9)
    rotations = quaternion.random(chance, (4,))
    assert quaternion.angle_between(found.specialize(found.generalize(rotations)), rotations).max() < 1e-9


@pytest.mark.parametrize("name", ["adult", "spider", "random 3"])
def test_zero_is_rest_or_pointing_ahead_upright(name: str) -> None:
    body = physique(name)
    nothing = np.zeros((1, 3))
    for joint in range(len(body)):
        rest = rotation_map(body, joint, RotationMode()).specialize(nothing)
        assert quaternion.angle_between(rest, body.rotations[joint]).max() < 1e-7
        turned = rotation_map(body, joint, RotationMode("absolute")).specialize(nothing)
        part = quaternion.multiply(turned, quaternion.conjugate(body.rotations[joint]))
        part = quaternion.multiply(part, part_frames(body)[joint])
        assert quaternion.angle_between(part, quaternion.IDENTITY).max() < 1e-7


def test_both_hands_turn_as_in_a_mirror() -> None:
    body, chance = physique("adult"), np.random.default_rng(3)
    left, right = select(body, "grasper")
    general = chance.normal(size=(6, 3))
    turns = [
        quaternion.multiply(
            rotation_map(body, joint, RotationMode(), mirror=joint == right).specialize(general),
            quaternion.conjugate(body.rotations[joint]),
        )
        for joint in (left, right)
    ]
    assert quaternion.angle_between(turns[0] * np.array([*AXIAL, 1.0]), turns[1]).max() < 1e-9


@pytest.mark.parametrize("name", ["adult", "two_headed", "random 4"])
def test_heads_look_at_what_is_ahead_and_nod_about_their_own_axis(name: str) -> None:
    body = physique(name)
    for head in select(body, "head"):
        way = np.array([[0.3, 0.1, 1.0], [-0.5, 0.4, 1.0], [0.0, -0.2, 1.0]])
        target = Target(body.positions[head] + 2 * body.height * way)
        found = rotation_map(body, head, RotationMode("look", OUTSIDE), target=target)
        part_from_joint = quaternion.multiply(quaternion.conjugate(part_frames(body)[head]), body.rotations[head])
        parts = quaternion.multiply(found.specialize(np.zeros((3, 3))), quaternion.conjugate(part_from_joint))
        ahead = quaternion.rotate(parts, np.array([0.0, 0.0, 1.0]))
        assert np.allclose(ahead, way / np.linalg.norm(way, axis=1)[:, None], atol=1e-9)
        nod = quaternion.multiply(
            found.specialize(np.tile([0.2, 0.0, 0.0], (3, 1))), quaternion.conjugate(part_from_joint)
        )
        own_left = quaternion.rotate(parts, np.array([1.0, 0.0, 0.0]))
        assert np.allclose(quaternion.rotate(nod, np.array([1.0, 0.0, 0.0])), own_left, atol=1e-9)


@given(comfortable=st.floats(0, 1.5), more=st.floats(0, 1.0))
def test_looking_gives_up_smoothly(comfortable: float, more: float) -> None:
    furthest = comfortable + more
    angles = np.linspace(0, np.pi, 2001)
    turned = soft_angle(angles, comfortable, furthest)
    assert np.allclose(turned[angles <= comfortable], angles[angles <= comfortable])
    assert turned.max() <= furthest + 1e-9
    assert turned[-1] == pytest.approx(0, abs=1e-12)
    assert (turned >= -1e-12).all()
    assert np.abs(np.diff(turned)).max() < 15 * (angles[1] - angles[0])


def test_a_target_passing_behind_makes_no_jump() -> None:
    around = np.linspace(0, 2 * np.pi, 721)
    way = np.stack([np.sin(around), 0.001 * np.ones_like(around), np.cos(around)], axis=1)
    turns = look_turns(quaternion.IDENTITY, way, np.radians(50), np.radians(80))
    assert quaternion.angle_between(turns[1:], turns[:-1]).max() < np.radians(2.5)
    assert quaternion.angle(turns).max() == pytest.approx(np.radians(80), abs=1e-3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"relative": "sideways"}, "relative of a mode is 'sideways'; expected rest, absolute or look"),
        ({"relative": "look"}, "looks exactly if it has something to look toward"),
        ({"toward": OUTSIDE}, "looks exactly if it has something to look toward"),
        ({"comfortable": 2.0, "furthest": 1.0}, "expected 0 <= comfortable <= furthest < pi"),
    ],
)
def test_modes_that_make_no_sense(settings: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        RotationMode(**settings)


def test_looking_at_nothing() -> None:
    with pytest.raises(InputError, match="looks toward something but no target was given"):
        rotation_map(physique("snake"), 0, RotationMode("look", OUTSIDE))
