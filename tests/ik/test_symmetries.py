"""What changes nothing: mirrors, another place, another size."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose, world_positions
from mummer.clip import Clip
from mummer.ik import HalfSpace, Orient, Place, WorldState, find_support, handles_of
from mummer.ik.constraints import footholds, keep_contacts, planted
from mummer.ik.limb_joints import find_limb, is_plain_limb, preferred_axis
from mummer.ik.presumed_limits import presumed_limits
from mummer.ik.rigid_body import rigid_body
from mummer.math import quaternion
from tests.ik.constraints.walker import walker
from tests.strange import grown


def places(clip: Clip) -> np.ndarray:
    """(12, J, 3) of the joints in the world."""
    return world_positions(clip.body.skeleton, clip.sample(np.linspace(clip.start, clip.end, 12)))


@pytest.mark.parametrize("options", [{}, {"ground": 0.05}, {"floor": True}])
def test_feet_stand_in_a_mirror_as_they_do_before_it(options: dict) -> None:
    clip = walker()
    here, there = planted(clip, **options).mirrored(), planted(clip.mirrored(), **options)
    np.testing.assert_allclose(places(here), places(there), atol=1e-9)


@pytest.mark.parametrize(("solver", "near"), [("limbs", 5e-3), ("between", 5e-3), ("limbs_alone", 1e-9)])
def test_hands_and_feet_are_held_in_a_mirror_as_they_are_before_it(solver: str, near: float) -> None:
    # Where limits hinder a limb the whole body helps, as near as it is asked to.
    clip, found = walker(), []
    turn = quaternion.exp(np.array([0.2, 0.3, 0.1]))
    for side, sign, made in (("left", 1.0, clip), ("right", -1.0, clip.mirrored())):
        seen = turn * np.array([1.0, sign, sign, 1.0])
        goals = (
            Place(f"{side}_hand", at=(0.45 * sign, 1.1, 1.4), interval=(1.2, 1.8)),
            Orient(f"{side}_foot", to=seen, interval=(2.0, 2.4)),
            HalfSpace(f"{side}_foot", distance=0.15, interval=(1.0, 1.6)),
        )
        found.append(made.constrained(*goals, solver=solver))
    np.testing.assert_allclose(places(found[0].mirrored()), places(found[1]), atol=near)


def test_who_walks_elsewhere_is_planted_the_same() -> None:
    clip, turn, way = walker(), quaternion.exp(np.array([0.0, 0.8, 0.0])), np.array([3.0, 0.0, -2.0])
    other = clip.pivoted((0.0, 0.0, 0.0), turn, way)
    expected = quaternion.rotate(turn, places(planted(clip))) + way
    np.testing.assert_allclose(places(planted(other)), expected, atol=1e-9)
    marks = [clip_marks(each) for each in (clip, other)]
    assert marks[0] == marks[1]


def clip_marks(clip: Clip) -> list[tuple[str, float, float]]:
    return [(mark.name, round(mark.time, 9), round(mark.until, 9)) for mark in footholds(clip)]


def test_contacts_come_in_their_order_whatever_order_they_are_told_in() -> None:
    clip = walker()
    marks = [mark for mark in clip.marks if "down" in mark.name]
    plain, other = (keep_contacts(clip, contacts=told, floor=True) for told in (marks, marks[::-1]))
    assert [(goal.points, goal.interval) for goal in plain] == [(goal.points, goal.interval) for goal in other]
    starts = [goal.interval[0] for goal in plain if isinstance(goal, Place)]
    assert starts == sorted(starts)


@pytest.mark.parametrize("factor", [0.01, 50.0])
@pytest.mark.parametrize("name", ["adult", "dog", "spider", "crab"])
def test_a_body_of_another_size_is_the_same_body(name: str, factor: float) -> None:
    body, other = mm.zoo.body(name), grown(name, factor)
    supports = [
        find_support(WorldState(each, Pose.rest(each.skeleton)), margin=m)
        for each, m in ((body, 0.01), (other, 0.01 * factor))
    ]
    np.testing.assert_allclose(supports[1].corners()[0] / factor, supports[0].corners()[0], atol=1e-6)
    np.testing.assert_allclose(supports[1].margin / factor, supports[0].margin, atol=1e-6)
    limits, others = presumed_limits(body), presumed_limits(other)
    np.testing.assert_array_equal(limits.kinds, others.kinds)
    for field in ("axes", "second_axes", "ranges", "second_ranges"):
        np.testing.assert_allclose(getattr(others, field), getattr(limits, field), atol=1e-6)
    handles, larger = handles_of(body), handles_of(other)
    for role, point in handles.items():
        np.testing.assert_allclose(np.array(larger[role].offset) / factor, point.offset, atol=1e-6)
    for tip in {*body.anatomy.capabilities.get("foot", ()), *body.anatomy.capabilities.get("grasper", ())}:
        limb, same = (find_limb(rigid_body(each), tip) for each in (body, other))
        assert limb == same
        if limb is not None:
            assert is_plain_limb(rigid_body(body), limb) == is_plain_limb(rigid_body(other), limb)
            axes = [preferred_axis(rigid_body(each), limb) for each in (body, other)]
            np.testing.assert_allclose(axes[0], axes[1], atol=1e-6)


@pytest.mark.parametrize("name", ["adult", "dog", "spider"])
def test_limbs_of_both_sides_are_mirrors(name: str) -> None:
    body = mm.zoo.body(name)
    rest, partners = WorldState(body, Pose.rest(body.skeleton)), body.anatomy.mirror
    for tip in {*body.anatomy.capabilities.get("foot", ()), *body.anatomy.capabilities.get("grasper", ())}:
        limb, other = (find_limb(rigid_body(body), joint) for joint in (tip, int(partners[tip])))
        assert limb is not None
        assert [int(partners[joint]) for joint in limb.joints] == list(other.joints)
        turned = [
            quaternion.rotate(rest.rotations[0, each.base], preferred_axis(rigid_body(body), each))
            for each in (limb, other)
        ]
        # An axis of turning is mirrored the other way round.
        np.testing.assert_allclose(turned[1], turned[0] * [1.0, -1.0, -1.0], atol=1e-6)
