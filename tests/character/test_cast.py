"""Several bodies as one: named apart, joined and split without loss, and able to shake hands."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer import ik
from mummer.character import Pose, clamp, violations
from mummer.character.cast import cast, join_poses, members_of, split
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from tests.ik.numeric.making import adult, arm, random_poses


def pair():
    return {"ann": adult(), "fox": mm.zoo.body("dog")}


def test_a_cast_has_everybodys_parts_under_their_own_names():
    bodies = pair()
    whole = cast(bodies)
    assert len(whole.skeleton) == sum(len(body.skeleton) for body in bodies.values())
    assert whole.anatomy.problems(whole.skeleton) == ()
    assert ik.joint_of(whole, "ann.left_hand") == bodies["ann"].anatomy.roles["left_hand"]
    assert whole.mass.total == pytest.approx(sum(body.mass.total for body in bodies.values()))
    assert len(whole.meshes) == sum(len(body.meshes) for body in bodies.values())
    assert members_of(whole)["fox"].start == len(bodies["ann"].skeleton)


def test_a_cast_stands_as_its_members_do():
    bodies = pair()
    whole = cast(bodies)
    at = ik.WorldState(whole, whole.default_pose).positions[0]
    alone = [ik.WorldState(body, body.default_pose).positions[0] for body in bodies.values()]
    assert np.allclose(at, np.concatenate(alone), atol=1e-12)


def test_poses_are_joined_and_split_without_loss():
    bodies, rng = pair(), np.random.default_rng(1)
    whole = cast(bodies)
    poses = {name: random_poses(body, rng, 4) for name, body in bodies.items()}
    again = split(whole, join_poses(whole, poses))
    for name, pose in poses.items():
        assert np.array_equal(again[name].rotations, pose.rotations)
        assert np.array_equal(again[name].root_translation, pose.root_translation)
        assert again[name].translations is None


def test_who_has_no_pose_stands_as_by_default():
    bodies = pair()
    whole = cast(bodies)
    joined = join_poses(whole, {"fox": random_poses(bodies["fox"], np.random.default_rng(2), 1)[0]})
    assert np.array_equal(split(whole, joined)["ann"].rotations, bodies["ann"].default_pose.rotations)


def facing():
    """Two people a step and a half apart, face to face."""
    bodies = {"ann": adult(), "bob": mm.zoo.body("giant")}
    whole = cast(bodies)
    turned = bodies["bob"].default_pose
    about = quaternion.multiply(quaternion.from_axis_angle([0.0, 1.0, 0.0], np.pi), turned.rotations[0])
    moved = turned.with_rotation(0, about).replace(root_translation=turned.root_translation + np.array([0.0, 0.0, 1.1]))
    return whole, join_poses(whole, {"bob": moved})


def test_two_people_shake_hands():
    whole, start = facing()
    feet = [f"{who}.{side}_foot" for who in ("ann", "bob") for side in ("left", "right")]
    state = ik.WorldState(whole, start)
    planted = [ik.Place(foot, at=state.point(foot)[0]) for foot in feet]
    palm = quaternion.from_axis_angle([0.0, 1.0, 0.0], np.pi)
    shake = [
        ik.Together("ann.right_hand", "bob.right_hand"),
        ik.Match("ann.right_hand", "bob.right_hand", turn=tuple(palm)),
    ]
    found = ik.solve(whole, [*planted, *shake], start, solver="mass_weighted")
    assert found.is_met, found.errors
    assert violations(whole.limits, whole.skeleton, found.pose).max() < 1e-9
    meeting = ik.WorldState(whole, found.pose).point("ann.right_hand")[0]
    assert 0.0 < meeting[2] < 1.1
    parts = split(whole, found.pose)
    assert np.allclose(ik.WorldState(mm.zoo.body("giant"), parts["bob"]).point("right_hand")[0], meeting, atol=2e-3)


def test_every_root_travels():
    bodies = {"one": arm(), "two": arm()}
    whole = cast(bodies)
    found = ik.solve(
        whole, [ik.Place("one.base", at=(1, 0, 0)), ik.Place("two.base", at=(0, 0, 2))], solver="mass_weighted"
    )
    assert found.is_met
    assert np.allclose(split(whole, found.pose)["two"].root_translation, (0, 0, 2), atol=1e-3)
    held = clamp(whole.limits, whole.skeleton, found.pose)
    assert isinstance(held, Pose)


def test_bad_casts_are_errors():
    with pytest.raises(InputError, match="at least one body"):
        cast({})
    with pytest.raises(InputError, match=r"'a\.b' cannot be the name"):
        cast({"a.b": arm()})
    whole = cast({"one": arm()})
    with pytest.raises(UnknownNameError, match="no body 'on'; closest: 'one'"):
        join_poses(whole, {"on": arm().default_pose})
    with pytest.raises(InputError, match="the pose of 'one' is for 65 joints; expected 4"):
        join_poses(whole, {"one": adult().default_pose})
    with pytest.raises(InputError, match="a pose of 65 joints is not of"):
        split(whole, adult().default_pose)
    with pytest.raises(InputError, match="is not a cast"):
        members_of(arm())
