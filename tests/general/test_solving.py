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


def test_the_spine_may_hang_beside_the_hips() -> None:
    """Both hang from one joint, which is neither: it turns as the hips do, and the spine against it."""
    adult = mm.zoo.body("adult")
    names, parents = adult.skeleton.names, adult.skeleton.parents.copy()
    hips, spine = adult.anatomy.joint("hips"), adult.anatomy.joint("spine")
    assert (hips, int(parents[spine])) == (0, hips)
    local = np.concatenate([adult.skeleton.rest_translations[:1], adult.skeleton.rest_translations])
    local[1] = 0.0
    parents = np.concatenate([[-1, 0], parents[1:] + 1])
    parents[spine + 1] = 0
    turns = np.concatenate([[[0.0, 0.0, 0.0, 1.0]], adult.skeleton.rest_rotations])
    body = mm.Character("beside", mm.Skeleton(("above", *names), parents, local, turns))
    body = body.replace(anatomy=mm.recognize(body))
    assert body.anatomy.joint("hips") in (0, 1)
    for name in ("bow", "walk"):
        clip = perform(body, name)
        pose = clip.sample(np.linspace(clip.start, clip.end, 5))
        places = mm.world_positions(body.skeleton, pose)
        apart = np.linalg.norm(places[:, spine + 1] - places[:, 1], axis=1)
        assert np.allclose(apart, np.linalg.norm(local[spine + 1]), atol=1e-6)


def test_a_rig_whose_spine_hangs_beside_its_hips_performs(shared_character) -> None:
    body = mm.load(shared_character("smartbody/ChrBrad.sk"))
    clip = perform(body.replace(anatomy=mm.recognize(body)), "bow")
    assert np.isfinite(clip.sample([0.0, 0.5 * clip.end]).rotations).all()
