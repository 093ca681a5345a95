"""Limits of bodies that tell none: knees and elbows fold as they do on bodies that tell theirs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import mummer as mm
from mummer.character import violations, world_matrices
from mummer.character.limits import BALL, HINGE, PIVOT
from mummer.engine.footing import on_toes
from mummer.ik.presumed_limits import limited, presumed_limits
from mummer.math import quaternion, transform


@pytest.mark.parametrize("name", ["adult", "dog", "bird", "horse"])
def test_knees_and_elbows_fold_the_way_that_their_makers_say(name: str) -> None:
    body = mm.zoo.body(name)
    assert body.limits is not None
    assert body.anatomy is not None
    found = presumed_limits(replace(body, limits=None))
    roles = body.anatomy.roles
    folding = [roles[role] for role in roles if role.endswith(("lower", "lower_leg", "forearm")) and "wing" not in role]
    assert len(folding) >= 2
    for joint in folding:
        assert found.kinds[joint] == HINGE
        same = float(found.axes[joint] @ body.limits.axes[joint])
        assert abs(same) > 0.9
        low, high = found.ranges[joint] if same > 0 else -found.ranges[joint][::-1]
        # Which way it folds farther, and that it hardly folds the other way beyond straight.
        assert np.sign(high + low) == np.sign(body.limits.ranges[joint].sum())
        assert np.allclose((low, high), body.limits.ranges[joint], atol=np.radians(25.0))


def test_what_horses_call_a_knee_folds_back_as_their_makers_say() -> None:
    body = mm.zoo.body("horse")
    assert body.limits is not None
    assert body.anatomy is not None
    found = presumed_limits(replace(body, limits=None))
    for role in ("front_left_foot", "front_right_foot"):
        joint = body.anatomy.roles[role]
        assert found.kinds[joint] == body.limits.kinds[joint] == HINGE
        same = float(found.axes[joint] @ body.limits.axes[joint])
        assert abs(same) > 0.9
        low, high = found.ranges[joint] if same > 0 else -found.ranges[joint][::-1]
        assert np.allclose((low, high), body.limits.ranges[joint], atol=np.radians(25.0))
    # A hock is no wrist: below a knee that points ahead a foot stays one.
    assert found.kinds[body.anatomy.roles["hind_left_foot"]] == PIVOT


@pytest.mark.parametrize("name", ["dog", "bird"])
def test_who_stands_on_toes_turns_on_them_far(name: str) -> None:
    body = on_toes(replace(mm.zoo.body(name), limits=None))
    assert body.anatomy is not None
    found = presumed_limits(body)
    kinds = {int(found.kinds[foot]) for foot in body.anatomy.capabilities["foot"]}
    assert kinds == {BALL}


def test_hips_are_balls_and_feet_pivots_and_what_nobody_knows_is_free() -> None:
    body = mm.zoo.body("adult")
    assert body.anatomy is not None
    found, roles = presumed_limits(replace(body, limits=None)), body.anatomy.roles
    assert [found.kinds[roles[role]] for role in ("left_upper_leg", "left_foot", "hips")] == [BALL, PIVOT, 0]


def test_a_body_that_tells_its_limits_keeps_them() -> None:
    body = mm.zoo.body("adult")
    assert limited(body) is body
    bare = replace(body, limits=None)
    assert limited(bare) is limited(bare)
    assert limited(bare).limits is not None
    assert bare.limits is None


def test_hips_swing_farther_ahead_than_aside() -> None:
    body = limited(replace(mm.zoo.body("adult"), limits=None))
    assert body.anatomy is not None
    assert body.limits is not None
    feet, up, front = body.anatomy.capabilities["foot"], body.anatomy.up, body.anatomy.front
    hips = [limb.joints[0] for limb in body.anatomy.limbs if limb.kind == "leg" and feet[0] in limb.joints]
    turns = transform.decompose(world_matrices(body.skeleton, body.default_pose)[hips])[1]
    beyond = []
    for axis in (np.cross(up, front), front):
        rotations = body.default_pose.rotations.copy()
        by = quaternion.from_axis_angle(quaternion.rotate(quaternion.conjugate(turns), axis), -np.radians(85.0))
        rotations[hips] = quaternion.multiply(rotations[hips], by)
        turned = replace(body.default_pose, rotations=rotations)
        beyond.append(violations(body.limits, body.skeleton, turned)[..., hips].max())
    assert beyond[0] < np.radians(1.0)
    assert beyond[1] > np.radians(20.0)
