"""The ground root: every joint stays where it is, and the way back is exact."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import (
    Character,
    Curve,
    Hinge,
    Limits,
    Mass,
    Pose,
    Recording,
    Skeleton,
    Socket,
    deform,
    estimate_mass,
    first_branch,
    with_ground_root,
    without_ground_root,
    world_matrices,
    world_positions,
)
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from tests.character.strategies import (
    arm,
    exactly,
    few,
    generators,
    human,
    human_anatomy,
    random_pose,
    skeletons,
)

extracts = st.sampled_from(["travel", "none"])


def moving(skeleton: Skeleton, rng: np.random.Generator, interpolation: Any = "linear") -> Recording:
    """Curves on several joints, keys at different times, the root among them."""
    count = len(skeleton)
    base = random_pose(skeleton, rng, translations=True)
    curves = []
    for path, width in (("rotation", 4), ("translation", 3), ("rotation", 4)):
        targets = np.unique([0, *rng.integers(0, count, 2)])
        shape = (5, len(targets), width)
        values = quaternion.random(rng, shape[:2]) if width == 4 else rng.normal(size=shape)
        tangents = rng.normal(size=(2, *shape)) if interpolation == "cubic" else (None, None)
        times = np.cumsum(rng.uniform(0.05, 0.3, 5))
        curves.append(Curve(path, targets, times, values, interpolation, *tangents))  # type: ignore[arg-type]
    return Recording("dance", tuple(curves), base)


def assert_same_motion(one: Character, other: Character, times: np.ndarray, *, skip: int, tolerance: float) -> None:
    for a, b in zip(one.recordings, other.recordings, strict=True):
        before = world_matrices(one.skeleton, a.sample(times))
        after = world_matrices(other.skeleton, b.sample(times))[:, skip:]
        np.testing.assert_allclose(before, after, atol=tolerance)


@few
@given(skeletons(roots=3, scaled=True), generators, extracts, st.sampled_from(["step", "linear", "cubic"]))
def test_nothing_moves_in_the_world(skeleton: Skeleton, rng: np.random.Generator, extract: Any, kind: Any) -> None:
    pose = random_pose(skeleton, rng, translations=rng.random() < 0.5)
    body = Character("any", skeleton, recordings=(moving(skeleton, rng, kind),), default_pose=pose)
    grown = with_ground_root(body, extract=extract)
    assert grown.skeleton.names[0] == "root"
    assert grown.skeleton.roots == (0,)
    for old, new in ((Pose.rest(skeleton), Pose.rest(grown.skeleton)), (pose, grown.default_pose)):
        before, after = world_matrices(skeleton, old), world_matrices(grown.skeleton, new)
        np.testing.assert_allclose(before, after[1:], atol=1e-9)
    keys = body.recordings[0].key_times
    assert_same_motion(body, grown, keys, skip=1, tolerance=1e-8)
    back = without_ground_root(grown)
    assert back.skeleton.same_as(skeleton, tolerance=1e-9)
    np.testing.assert_allclose(
        world_matrices(skeleton, pose), world_matrices(back.skeleton, back.default_pose), atol=1e-9
    )
    assert_same_motion(body, back, keys, skip=0, tolerance=1e-8)


@few
@given(generators, st.sampled_from(["step", "linear", "cubic"]))
def test_a_root_that_stays_leaves_every_moment_as_it_was(rng: np.random.Generator, kind: Any) -> None:
    skeleton = human()
    body = Character("any", skeleton, recordings=(moving(skeleton, rng, kind),))
    grown = with_ground_root(body, extract="none")
    times = np.linspace(body.recordings[0].start - 0.1, body.recordings[0].end + 0.1, 60)
    assert_same_motion(body, grown, times, skip=1, tolerance=1e-9)
    assert_same_motion(body, without_ground_root(grown), times, skip=0, tolerance=1e-9)


def walking(turn: float = 2.0) -> Character:
    """A person that walks in a curve and bobs, keyed twice a second."""
    skeleton = human()
    times = np.linspace(0, 4, 9)
    heading = quaternion.from_axis_angle([0, 1, 0], turn * times / 4)
    nod = quaternion.from_axis_angle([1, 0, 0], 0.2 * np.sin(5 * times))
    rotations = np.tile(skeleton.rest_rotations, (9, 1, 1))
    rotations[:, 0] = quaternion.multiply(heading, nod)
    place = np.stack([np.sin(times), 1 + 0.05 * np.cos(7 * times), times], -1)
    recording = Recording.from_poses("walk", times, Pose(rotations, place))
    return Character("walker", skeleton, recordings=(recording,), anatomy=human_anatomy(skeleton))


def test_travel_and_heading_go_to_the_root() -> None:
    body = walking()
    grown = with_ground_root(body)
    recording = grown.recordings[0]
    times = body.recordings[0].key_times
    poses = recording.sample(times)
    assert poses.translations is not None
    root, hips = poses.translations[:, 0], poses.translations[:, 1]
    np.testing.assert_allclose(root, np.stack([np.sin(times), 0 * times, times], -1), atol=1e-12)
    np.testing.assert_allclose(hips[:, [0, 2]], 0, atol=1e-12)
    np.testing.assert_allclose(hips[:, 1], 1 + 0.05 * np.cos(7 * times), atol=1e-12)
    heading = quaternion.from_axis_angle([0, 1, 0], 2 * times / 4)
    assert quaternion.equal_rotations(poses.rotations[:, 0], heading, 1e-9).all()
    # Between keys too, since the product is keyed finely.
    fine = np.linspace(0, 4, 500)
    assert_same_motion(body, grown, fine, skip=1, tolerance=2e-3)
    other = [curve for curve in recording.curves if not {0, 1} & set(curve.targets.tolist())]
    assert all(len(curve.times) == len(times) for curve in other)


def test_a_recording_that_never_moves_the_hips() -> None:
    body = walking()
    nod = Curve("rotation", [4], [0.0, 1.0], [[[0, 0, 0, 1]], [[1, 0, 0, 0]]])
    still = body.replace(recordings=(Recording("nod", (nod,), Pose.rest(body.skeleton)),))
    grown = with_ground_root(still)
    assert [curve.targets.tolist() for curve in grown.recordings[0].curves] == [[5]]
    assert_same_motion(still, grown, np.linspace(0, 1, 5), skip=1, tolerance=1e-12)


def test_steps_among_other_curves_stay_steps() -> None:
    skeleton = human()
    step = Curve("translation", [0], [0.0, 1.0, 2.0], np.array([[[0.0, 1, 0]], [[5, 1, 0]], [[9, 1, 0]]]), "step")
    turn = quaternion.from_axis_angle([0, 1, 0], np.array([0, 1.0]))[:, None]
    curves = (step, Curve("rotation", [0], [0.0, 2.0], turn))
    body = Character("any", skeleton, recordings=(Recording("hop", curves, Pose.rest(skeleton)),))
    times = np.array([0.3, 0.999, 1.0, 1.5, 1.999, 2.0])
    assert_same_motion(body, with_ground_root(body), times, skip=1, tolerance=1e-3)


def test_the_root_faces_where_the_body_faces() -> None:
    body = walking()
    assert body.anatomy is not None
    sideways = dataclasses.replace(body.anatomy, front=np.array([1.0, 0, 0]), ground=0.5)
    skeleton = with_ground_root(body.replace(anatomy=sideways)).skeleton
    np.testing.assert_allclose(quaternion.rotate(skeleton.rest_rotations[0], [0.0, 0, 1]), [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(skeleton.rest_translations[0], [0, 0.5, 0], atol=1e-12)


def test_every_index_moves_along() -> None:
    body = walking()
    skeleton = body.skeleton
    assert body.anatomy is not None
    anatomy = dataclasses.replace(body.anatomy, sockets=(Socket("grip", skeleton.index("left_hand")),))
    knee = Limits.from_joints(len(skeleton), {skeleton.index("left_lower_leg"): Hinge((1.0, 0, 0), 0.0, 2.0)})
    body = body.replace(anatomy=anatomy, limits=knee, mass=Mass.from_capsules(skeleton))
    grown = with_ground_root(body)
    names = grown.skeleton.names
    assert grown.anatomy is not None
    assert grown.limits is not None
    assert grown.mass is not None
    assert grown.anatomy.problems(grown.skeleton) == ()
    assert {role: names[joint] for role, joint in grown.anatomy.roles.items()} == {
        **{role: skeleton.names[joint] for role, joint in anatomy.roles.items()},
        "root": "root",
    }
    assert names[grown.anatomy.socket("grip").joint] == "left_hand"
    assert grown.anatomy.group("waist") == (0, 1)
    assert isinstance(grown.limits.of(grown.skeleton.index("left_lower_leg")), Hinge)
    assert grown.mass.masses[0] == 0
    assert grown.mass.total == pytest.approx(body.mass.total)  # type: ignore[union-attr]
    back = without_ground_root(grown)
    assert back.anatomy is not None
    assert back.anatomy.roles == anatomy.roles
    assert back.anatomy.groups == anatomy.groups
    assert back.anatomy.capabilities == anatomy.capabilities
    assert [limb.joints for limb in back.anatomy.limbs] == [limb.joints for limb in anatomy.limbs]
    np.testing.assert_array_equal(back.anatomy.mirror, anatomy.mirror)
    np.testing.assert_array_equal(back.mass.masses, body.mass.masses)  # type: ignore[union-attr]
    np.testing.assert_array_equal(back.limits.kinds, knee.kinds)  # type: ignore[union-attr]
    assert back.default_pose.translations is None


def test_the_surface_stays_where_it_is() -> None:
    body = arm()
    grown = with_ground_root(body)
    for one, other in ((body, grown), (grown, without_ground_root(grown))):
        (a,), (b,) = deform(one, Pose.rest(one.skeleton)), deform(other, Pose.rest(other.skeleton))
        np.testing.assert_allclose(a.positions, b.positions, atol=1e-7)
    np.testing.assert_allclose(grown.skeleton.rest_translations[0], 0, atol=1e-9)


def test_names_that_are_taken() -> None:
    one = with_ground_root(arm())
    two = with_ground_root(one)
    three = with_ground_root(two)
    assert three.skeleton.names[:3] == ("ground_root#2", "ground_root", "root")
    assert with_ground_root(arm(), name="floor").skeleton.names[0] == "floor"


def test_roots_that_cannot_go() -> None:
    body = arm()
    with pytest.raises(
        InputError, match=exactly("joint 'lower' of 'arm' carries mesh 'surface'; a ground root carries none")
    ):
        without_ground_root(body)
    bare = body.replace(meshes=())
    with pytest.raises(InputError, match="joint 'lower' of 'arm' has mass; a ground root has none"):
        without_ground_root(bare.replace(mass=estimate_mass(body)[0]))
    single = Character("single", Skeleton("a", [-1], np.zeros((1, 3))))
    with pytest.raises(InputError, match="is not a single root with joints below it"):
        without_ground_root(single)
    scaled = Skeleton("ab", [-1, 0], np.zeros((2, 3)), None, np.full((2, 3), 2.0))
    with pytest.raises(InputError, match="joint 'a' of 'scaled' is scaled; a ground root is not"):
        without_ground_root(Character("scaled", scaled))
    grows = Curve("scale", [0, 1], [0.0], np.ones((1, 2, 3)))
    growing = bare.replace(recordings=(Recording("grow", (grows,), Pose.rest(bare.skeleton)),))
    with pytest.raises(InputError, match=exactly("recording 'grow' scales the ground root; it cannot be taken away")):
        without_ground_root(growing)
    with pytest.raises(UnknownNameError, match="with_ground_root has no extract 'travels'; closest: 'travel'"):
        with_ground_root(body, extract="travels")  # type: ignore[arg-type]


@pytest.mark.parametrize("file", ["khronos/CesiumMan.glb", "threejs/Soldier.glb"])
def test_real_files(data_dir: Path, file: str) -> None:
    from mummer.io import load

    path = data_dir / "characters" / file
    if not path.exists():
        pytest.skip(f"{file} is not among the real files")
    body = load(path)
    body = body.replace(recordings=body.recordings[:1])
    grown = with_ground_root(body)
    times = body.recordings[0].key_times
    assert_same_motion(body, grown, times, skip=1, tolerance=1e-9)
    assert_same_motion(body, without_ground_root(grown), times, skip=0, tolerance=1e-9)
    hips = first_branch(body.skeleton) + 1
    poses = grown.recordings[0].sample(times)
    root, above = world_positions(grown.skeleton, poses)[:, 0], world_positions(grown.skeleton, poses)[:, hips]
    np.testing.assert_allclose(root[:, [0, 2]], above[:, [0, 2]], atol=1e-9)
