"""The pose of a moment depends on that moment alone, and turns never have to choose a way round."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mummer as mm
from mummer.general import perform
from mummer.general.posing.chains import chains_of
from mummer.general.posing.columns import CURLED
from mummer.general.posing.curl import ROWS, curl_table
from mummer.general.turning import FARTHEST, eased
from mummer.ik.rigid_body import rigid_body
from mummer.math import quaternion
from tests.general.bodies import physique


@pytest.mark.parametrize(("body", "name"), [("adult", "pound_ground"), ("lizard", "bite"), ("spider", "eat_fruit")])
def test_a_pose_is_the_same_whatever_other_moments_are_asked_for(body: str, name: str) -> None:
    clip = perform(mm.zoo.body(body).replace(meshes=()), name)
    times = np.linspace(clip.start, clip.end, 40)
    together = clip.frames(times)
    for row in (3, 17, 30):
        alone = clip.frames(times[row : row + 1])
        assert np.allclose(alone.rotations[0], together.rotations[row], atol=1e-9)
        assert np.allclose(alone.root[0], together.root[row], atol=1e-9)


@given(st.floats(0, np.pi), st.floats(-1, 1), st.floats(0, 2 * np.pi))
@settings(max_examples=60)
def test_turns_are_eased_without_a_jump(angle: float, height: float, around: float) -> None:
    flat = np.sqrt(1 - height**2)
    axis = np.array([flat * np.cos(around), height, flat * np.sin(around)])
    here, there = eased(np.array([axis * angle, axis * min(angle + 1e-4, np.pi)]))
    assert np.linalg.norm(there - here) < 3e-4
    assert angle > FARTHEST or np.allclose(here, axis * angle)


def test_half_a_turn_is_the_same_either_way_round() -> None:
    axis = np.array([[0.6, 0.0, 0.8]])
    assert np.allclose(quaternion.exp(eased(axis * np.pi)), quaternion.exp(eased(-axis * np.pi)))


@pytest.mark.parametrize("name", ["random 104", "random 106", "random 109"])
def test_a_limb_of_many_hinges_curls_from_straight_to_folded_within_its_limits(name: str) -> None:
    body = physique(name)
    limits = rigid_body(body.character).limits
    found = [chain for chain in chains_of(body, body.anatomy.capabilities["foot"]) if chain.kind == CURLED]
    assert found
    for chain in found:
        assert chain.limb is not None
        table = curl_table(body, chain.limb.base, chain.members, chain.tip, np.zeros(3))
        assert table.shape == (ROWS, 1 + len(chain.members))
        assert np.all(np.diff(table[:, 0]) < 0)
        rest = np.linalg.norm(body.positions[chain.tip] - body.positions[chain.limb.base])
        assert table[ROWS // 2, 0] == pytest.approx(rest, rel=1e-3)
        for place, joint in enumerate(chain.members):
            low, high = limits.ranges[joint]
            assert np.all((table[:, 1 + place] >= min(low, 0) - 1e-9) & (table[:, 1 + place] <= max(high, 0) + 1e-9))


def test_limbs_that_share_joints_leave_them_to_the_body() -> None:
    body = physique("adult")
    hands = body.anatomy.capabilities["grasper"]
    toes = [joint for joint in body.anatomy.capabilities["digit"] if joint > hands[0]][:2]
    for chain in chains_of(body, toes):
        weights = dict(zip(chain.members, chain.weights, strict=True))
        assert all(weights[joint] == 0 for joint in chain.shared)
