"""What bodies stand on, how long their limbs swing, and how quick large ones are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character.whole import whole_of
from mummer.engine.body import body_of
from mummer.engine.flexibility import BY_KIND, kinds_of, rates_of
from mummer.engine.footing import on_toes
from mummer.general.context_limbs import walk_limb
from mummer.general.gait.legs import legs_of
from mummer.general.physique import physique_of
from mummer.recognition import recognized


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
