"""Contexts on bodies whose parts are known."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.errors import InputError
from mummer.general import Context, physique_of, select
from mummer.general.context_space import EXTENTS, ZONES
from tests.general.bodies import all_names, physique


def names(body: str, *args: object, **conditions: object) -> list[str]:
    found = physique(body)
    return [found.character.skeleton.names[joint] for joint in select(found, *args, **conditions)]  # type: ignore[arg-type]


def test_capabilities_roles_and_limbs() -> None:
    assert names("adult", "grasper") == ["left_hand", "right_hand"]
    assert names("adult", "role:left_foot") == ["left_foot"]
    assert names("adult", "role:tail") == []
    assert names("bird", "limb:wing", limb="tip") == ["left_wing_hand", "right_wing_hand"]
    assert names("snake", "tail", limb="tip") == ["tail_6"]
    assert names("adult", "target") == []
    assert len(names("adult", "any")) == len(physique("adult"))


def test_sides_are_the_bodys_own() -> None:
    assert names("adult", "grasper", where="left") == ["left_hand"]
    assert names("adult", "foot", where="right") == ["right_foot"]
    assert names("adult", "foot", where="middle") == []
    assert names("adult", "head", where="left") == ["head"]
    assert names("spider", "foot", where=("front", "left")) == ["leg_1_left_foot", "leg_2_left_foot"]
    assert names("adult", "grasper", where=("left", "right")) == []


def test_zones_of_the_set() -> None:
    assert names("crab", "foot", where="front") == []
    in_front = names("crab", "foot", where="front", relative_to="set")
    assert 0 < len(in_front) < 8
    assert set(in_front) | set(names("crab", "foot", where="back", relative_to="set")) == set(names("crab", "foot"))


def test_a_flat_body_has_its_feet_in_front_and_behind() -> None:
    assert names("adult", "foot", where="front") == names("adult", "foot", where="back") == ["left_foot", "right_foot"]


def test_the_outermost_of_several() -> None:
    assert names("adult", "grasper", extent="right_most") == ["right_hand"]
    # Both are equally high and far ahead: the first in joint order.
    assert names("adult", "grasper", extent="top_most") == ["left_hand"]
    assert names("snake", "grasper", extent="top_most") == []


def test_walking_up_limbs() -> None:
    assert names("adult", "grasper", limb="shoulder") == ["left_upper_arm", "right_upper_arm"]
    assert names("adult", "grasper", limb="middle") == ["left_forearm", "right_forearm"]
    assert names("adult", "grasper", limb="base") == ["chest"]
    assert names("adult", "foot", limb="parent") == ["left_lower_leg", "right_lower_leg"]
    assert names("spider", "grasper", limb="shoulder") == ["left_feeler_upper", "right_feeler_upper"]
    assert names("adult", "spine", limb="shoulder") == names("adult", "spine")


def test_which_hands_are_free() -> None:
    adult = mm.zoo.body("adult")
    left, right = select(adult, "grasper")
    assert select(adult, "grasper", free_of=[left]) == (right,)
    assert select(adult, Context("grasper", where=("left",)), free_of=[left]) == ()


@given(name=st.sampled_from(all_names()), capability=st.sampled_from(["any", "foot", "grasper", "eye", "spine"]))
def test_zones_cover_the_body(name: str, capability: str) -> None:
    body = physique(name)
    for relative_to in ("body", "set"):
        for axis in range(3):
            by_side = {
                side: set(select(body, capability, where=zone, relative_to=relative_to))  # type: ignore[arg-type]
                for zone, (of, side) in ZONES.items()
                if of == axis
            }
            assert by_side[1] | by_side[-1] == set(select(body, capability))
            assert by_side[1] & by_side[-1] == by_side[0]


@given(name=st.sampled_from(all_names()), extent=st.sampled_from(sorted(EXTENTS)))
def test_nothing_lies_farther_out(name: str, extent: str) -> None:
    body = physique(name)
    axis, side = EXTENTS[extent]
    (joint,) = select(body, "any", extent=extent)  # type: ignore[arg-type]
    assert side * body.positions[joint, axis] >= (side * body.positions[:, axis]).max() - 1e-6 * body.height


@pytest.mark.parametrize("name", all_names())
def test_left_and_right_are_mirrored(name: str) -> None:
    body = physique(name)
    for capability in ("foot", "grasper", "eye"):
        left = select(body, Context(capability, where=("left",)))
        right = select(body, Context(capability, where=("right",)))
        paired = [joint for joint in left if body.anatomy.mirror[joint] != joint]
        assert {int(body.anatomy.mirror[joint]) for joint in paired} <= set(right)


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"capability": ""}, "names no capability"),
        ({"where": ("frnot",)}, "zone 'frnot'; expected one of left, .*; closest: 'front'"),
        ({"extent": "frontmost"}, "extent 'frontmost'.*closest: 'front_most'"),
        ({"limb": "sholder"}, "limb 'sholder'.*closest: 'shoulder'"),
        ({"relative_to": "world"}, "relative_to 'world'; expected one of body, set"),
    ],
)
def test_contexts_that_make_no_sense(conditions: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Context(**{"capability": "foot", **conditions})


def test_conditions_are_given_once() -> None:
    with pytest.raises(InputError, match="give conditions in one place"):
        select(physique("snake"), Context("foot"), where="left")


def test_a_body_without_anatomy() -> None:
    bare = mm.zoo.body("snake").replace(anatomy=None)
    with pytest.raises(InputError, match="the anatomy of 'snake' is not known"):
        select(bare, "mouth")


def test_targets_have_names() -> None:
    assert Context("target").target == ""
    assert Context("target:fruit").target == "fruit"
    assert Context("mouth").target is None
    assert np.array_equal(select(physique("adult"), "root"), [0])


def test_the_root_of_a_body_that_does_not_tell_it() -> None:
    whole = physique("dog")
    able = {name: joints for name, joints in whole.anatomy.capabilities.items() if name != "root"}
    found = physique_of(whole.character.replace(anatomy=dataclasses.replace(whole.anatomy, capabilities=able)))
    assert select(found, "root") == (found.root,)
    assert len(select(found, "spine")) > 1
