"""What bodies stand on, how long their limbs swing, and how quick large ones are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose
from mummer.character.whole import whole_of
from mummer.engine.body import body_of
from mummer.engine.flexibility import BY_KIND, kinds_of, rates_of
from mummer.engine.footing import gathered, on_toes
from mummer.general.context_limbs import walk_limb
from mummer.general.gait.legs import legs_of
from mummer.general.physique import physique_of
from mummer.ik.presumed_limits import limited, presumed_limits
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.recognition import recognized
from tests.gaits.cycle import strides


@pytest.mark.parametrize("name", ["dog", "bird"])
def test_who_walks_on_toes_stands_on_them_flat(name: str) -> None:
    body = mm.zoo.body(name)
    assert body.anatomy is not None
    moved = on_toes(body)
    assert moved.anatomy is not None
    names = [moved.skeleton.names[foot] for foot in moved.anatomy.capabilities["foot"]]
    assert all(foot.endswith("toes") for foot in names)
    assert {moved.anatomy.roles[r] for r in moved.anatomy.roles if r.endswith("foot")} == set(
        moved.anatomy.capabilities["foot"]
    )
    assert np.all(body_of(moved).legs.loose == 0.0)
    assert np.all(body_of(body).legs.loose == 1.0)


def test_hooves_stand_flat_however_many_joints_are_above_them(shared_character: Callable[[str], Path]) -> None:
    body = recognized(mm.load(shared_character("rocketbox/Horse_Brown_01.fbx")))
    moved = on_toes(body)
    assert moved.anatomy is not None
    feet = moved.anatomy.capabilities["foot"]
    assert all(moved.skeleton.names[foot].endswith("01") for foot in feet)
    legs = [limb for limb in moved.anatomy.limbs if limb.kind == "leg"]
    assert sorted(limb.joints[-1] for limb in legs) == sorted(feet)
    assert all(moved.skeleton.parents[one] == two for limb in legs for two, one in pairwise(limb.joints))


def test_what_only_marks_the_end_of_a_foot_is_no_toe(shared_character: Callable[[str], Path]) -> None:
    body = recognized(mm.load(shared_character("quaternius/Triceratops.glb")))
    whole = whole_of(body)
    assert whole is not None
    assert any(whole.character.skeleton.children[leg.foot] for leg in legs_of(physique_of(whole.character)))
    assert not any(leg.toes for leg in legs_of(physique_of(whole.character)))
    bare = replace(whole.character, meshes=())
    assert any(leg.toes for leg in legs_of(physique_of(bare)))


@pytest.mark.parametrize("name", ["adult", "horse", "spider", "snake"])
def test_who_stands_flat_or_on_points_already_stays(name: str) -> None:
    body = mm.zoo.body(name)
    assert on_toes(body) is body


def test_limbs_swing_from_the_joint_that_places_their_ends() -> None:
    body = mm.zoo.body("horse")
    assert body.anatomy is not None
    foot, upper = body.anatomy.roles["front_left_foot"], body.anatomy.roles["front_left_upper"]
    assert walk_limb(physique_of(body), [foot], "shoulder") == [upper]


def test_large_bodies_are_as_quick_as_animations_and_small_ones_quicker() -> None:
    giant, adult, spider = (body_of(mm.zoo.body(name)).legs for name in ("giant", "adult", "spider"))
    assert giant.unit > giant.quick == pytest.approx(0.3)
    assert adult.quick == pytest.approx(adult.unit, rel=0.05)
    assert spider.quick == spider.unit < 0.3


@pytest.mark.parametrize("name", ["dog", "dragon", "lizard"])
def test_a_chain_that_swings_swings_as_far_as_one_part_would(name: str) -> None:
    body = mm.zoo.body(name)
    kinds = kinds_of(body)
    damping = rates_of(body, kinds, np.ones(len(kinds)))[:, 1]
    tail = [joint for joint, kind in enumerate(kinds) if kind == "tail"]
    assert len(tail) > 2

    def gain(part: float) -> float:
        return float(np.sqrt(1.0 + 0.25 / part**2))

    assert np.prod([gain(damping[joint]) for joint in tail]) == pytest.approx(gain(BY_KIND["tail"].damping), rel=1e-6)


def test_limits_that_are_presumed_are_not_told_as_those_of_the_body() -> None:
    body = mm.zoo.body("dog")
    clip = mm.perform(replace(body, limits=None), "wave")
    assert clip.body.limits is None


def bound(body: mm.Character, turns: dict[str, tuple[tuple[float, float, float], float]]) -> mm.Character:
    """A body whose file has some joints turned at rest: by role, about an axis of the world, degrees."""
    assert body.anatomy is not None
    rest = WorldState(body, Pose.rest(body.skeleton)).rotations[0].copy()
    for role, (axis, degrees) in turns.items():
        below = list(body.skeleton.descendants(body.anatomy.roles[role]))
        rest[below] = quaternion.multiply(quaternion.from_axis_angle(np.array(axis), np.radians(degrees)), rest[below])
    parents = body.skeleton.parents
    above = np.where(parents[:, None] >= 0, rest[parents], quaternion.IDENTITY)
    local = quaternion.multiply(quaternion.conjugate(above), rest)
    skeleton = replace(body.skeleton, rest_rotations=local)
    lifted = replace(body, skeleton=skeleton, limits=None, recordings=())
    return recognized(replace(lifted, anatomy=None))


ASTRIDE = {
    f"{side}_{role}": ((0.0, 0.0, 1.0), sign * degrees)
    for side, sign in (("left", 1.0), ("right", -1.0))
    for role, degrees in (("upper_leg", 18.0), ("foot", -18.0))
}
TURNED_OUT = {"left_foot": ((0.0, 1.0, 0.0), 18.0), "right_foot": ((0.0, 1.0, 0.0), -18.0)}


def test_straight_legs_that_are_bound_astride_stand_below_the_hips() -> None:
    astride = bound(mm.zoo.body("adult"), ASTRIDE)
    assert astride.anatomy is not None
    moved = gathered(astride)
    before, after = (WorldState(each, Pose.rest(each.skeleton)) for each in (astride, moved))
    roles = astride.anatomy.roles
    hip, foot = roles["left_upper_leg"], roles["left_foot"]
    leg = float(np.linalg.norm(before.positions[0, foot] - before.positions[0, hip]))
    aside = [float(each.positions[0, foot, 0] - each.positions[0, hip, 0]) / leg for each in (before, after)]
    assert aside[0] > 0.25
    assert abs(aside[1]) < 0.06
    assert after.positions[0, foot, 1] == pytest.approx(before.positions[0, foot, 1], abs=1e-3), "it stands as deep"
    assert np.allclose(np.abs(np.sum(after.rotations[0, foot] * before.rotations[0, foot])), 1.0), "soles stay flat"
    assert after.positions[0, roles["head"], 1] > before.positions[0, roles["head"], 1] + 0.02 * leg


@pytest.mark.parametrize("name", ["adult", "hunched", "bird", "frog", "dog", "crab"])
def test_who_stands_at_ease_or_on_bent_legs_rests_as_the_file_has_it(name: str) -> None:
    body = mm.zoo.body(name)
    assert gathered(body) is body


def test_limits_of_a_file_are_about_its_own_rest() -> None:
    body = bound(mm.zoo.body("adult"), ASTRIDE)
    told = replace(body, limits=presumed_limits(body))
    assert gathered(told) is told


def test_feet_that_point_outward_roll_over_the_axis_of_their_toes() -> None:
    plain, outward = (bound(mm.zoo.body("adult"), turns) for turns in ({}, TURNED_OUT))
    legs = [body_of(limited(gathered(each))).legs for each in (plain, outward)]
    assert np.all(legs[1].rolls > 0.8)
    turned = np.degrees(np.arctan2(-legs[1].across[:, 2] * legs[1].side, legs[1].across[:, 0]))
    was = np.degrees(np.arctan2(-legs[0].across[:, 2] * legs[0].side, legs[0].across[:, 0]))
    assert np.allclose(turned - was, 18.0, atol=2.0)


@pytest.mark.parametrize("turns", [ASTRIDE, TURNED_OUT], ids=["astride", "turned_out"])
def test_however_legs_are_bound_heels_rise_and_feet_take_turns(turns: dict) -> None:
    body = bound(mm.zoo.body("adult"), turns)
    assert body.anatomy is not None
    clip = mm.perform(body, "walk", pace=1.2, duration=4.0, ends="moving")
    places = WorldState(body, clip.sample(np.arange(1.0, 3.5, 1 / 60))).positions
    for side in ("left", "right"):
        high = places[:, body.anatomy.roles[f"{side}_foot"], 1] - places[:, body.anatomy.roles[f"{side}_toes"], 1]
        assert np.ptp(high) > 0.1, "an ankle goes up over toes that stay"
    found = strides(clip, 1.0, 3.5)
    assert found is not None
    assert np.ptp(found.curves["hip"].mean(axis=0)) > 40.0
    assert found.curves["knee"].std(axis=0).max() < 6.0, "one stride is like the other"
