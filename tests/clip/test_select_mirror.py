"""Parts of a body alone, and left for right."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given

from mummer.character import Character, Mesh, MorphTarget, Pose, Recording, world_positions
from mummer.clip.mirror import Mirror
from mummer.clip.sampled import Sampled
from mummer.clip.select import Select
from mummer.clip.sides import other_side
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from tests.clip.bodies import twisted_human, walkabout, walkabouts
from tests.clip.strategies import assert_same_poses, motions


def reflected(points: np.ndarray) -> np.ndarray:
    return points * [-1, 1, 1]


@given(walkabouts())
def test_select_keeps_its_joints_and_rests_the_others(clip: Sampled) -> None:
    part = Select(clip, ("left_arm",), ("head",))
    chosen = {*clip.anatomy.group("left_arm"), clip.body.skeleton.index("head")}
    assert set(np.flatnonzero(part.defined)) == chosen
    times = clip.times(20)
    whole, found = clip.sample(times), part.sample(times)
    inside = sorted(chosen)
    assert np.array_equal(found.rotations[:, inside], whole.rotations[:, inside])
    outside = np.flatnonzero(~part.defined)
    rest = np.broadcast_to(clip.body.skeleton.rest_rotations[outside], found.rotations[:, outside].shape)
    assert np.array_equal(found.rotations[:, outside], rest)
    assert np.all(found.root_translation == clip.body.skeleton.rest_translations[0])
    assert part.marks == clip.marks


@given(walkabouts(stretched=True))
def test_select_narrows_and_rests_translations(clip: Sampled) -> None:
    legs = Select(Select(clip, ("left_leg", "right_leg")), ("left_leg", "left_arm"))
    assert set(np.flatnonzero(legs.defined)) == set(clip.anatomy.group("left_leg"))
    found = legs.sample(clip.times(10))
    arm = list(clip.anatomy.group("left_arm"))
    assert found.translations is not None
    assert np.all(found.translations[:, arm] == clip.body.skeleton.rest_translations[arm])


def test_select_of_all_groups_is_the_clip() -> None:
    rng = np.random.default_rng(2)
    clip = walkabout(twisted_human(rng), rng)
    everything = Select(clip, tuple(clip.anatomy.groups))
    assert everything.defined.all()
    assert_same_poses(everything.sample(clip.times(30)), clip.sample(clip.times(30)), 0.0 + 1e-15)


@given(walkabouts())
def test_mirror_twice_is_the_original(clip: Sampled) -> None:
    times = clip.times(30)
    assert_same_poses(Mirror(Mirror(clip)).sample(times), clip.sample(times), 1e-12)
    assert Mirror(Mirror(clip)).marks == clip.marks


@given(walkabouts(stretched=True))
def test_mirror_shows_what_a_mirror_shows(clip: Sampled) -> None:
    times = clip.times(10)
    partner = clip.anatomy.mirror
    places = world_positions(clip.body.skeleton, clip.sample(times))
    seen = world_positions(clip.body.skeleton, Mirror(clip).sample(times))
    assert np.allclose(seen, reflected(places)[:, partner], rtol=0, atol=1e-9)
    assert not np.allclose(seen, places, rtol=0, atol=1e-3)


def test_a_body_that_rests_beside_the_plane_is_seen_on_its_other_side() -> None:
    rng = np.random.default_rng(8)
    body = twisted_human(rng)
    beside = body.skeleton.rest_translations.copy()
    beside[0] += [0.7, 0, 0]
    aside = body.replace(skeleton=dataclasses.replace(body.skeleton, rest_translations=beside))
    for stretched in (False, True):
        clip = walkabout(aside, rng, stretched=stretched)
        places = world_positions(aside.skeleton, clip.sample([1.0]))
        seen = world_positions(aside.skeleton, Mirror(clip).sample([1.0]))
        assert np.allclose(seen, reflected(places)[:, clip.anatomy.mirror], rtol=0, atol=1e-9)


@given(walkabouts(stretched=True))
def test_mirror_twice_with_stretching_joints(clip: Sampled) -> None:
    times = clip.times(10)
    back, given_poses = Mirror(Mirror(clip)).sample(times), clip.sample(times)
    assert np.allclose(back.translations, given_poses.translations, rtol=0, atol=1e-9)


@given(motions())
def test_mirror_of_a_body_that_is_all_of_one_side(clip: Sampled) -> None:
    """Every joint is its own partner: still an involution."""
    count = len(clip.body.skeleton)
    anatomy = dataclasses.replace(
        twisted_human(np.random.default_rng(1)).anatomy, roles={}, limbs=(), capabilities={},
        groups={"all": tuple(range(count))}, mirror=np.arange(count), front=np.array([1.0, 0, 1]),
    )  # fmt: skip
    lone = dataclasses.replace(clip, character=clip.body.replace(anatomy=anatomy))
    times = clip.times(20)
    assert_same_poses(Mirror(Mirror(lone)).sample(times), clip.sample(times), 1e-12)


def test_mirror_swaps_marks_defined_joints_and_morphs() -> None:
    rng = np.random.default_rng(3)
    clip = walkabout(twisted_human(rng), rng)
    assert [mark.name for mark in Mirror(clip).marks] == ["right_foot contact", "release"]
    arm = Mirror(Select(clip, ("left_arm",)))
    assert set(np.flatnonzero(arm.defined)) == set(clip.anatomy.group("right_arm"))
    assert np.all(arm.sample([1.0]).root_translation == clip.body.skeleton.rest_translations[0])


def test_mirror_swaps_morphs_by_name() -> None:
    body = twisted_human(np.random.default_rng(4))
    morphs = tuple(MorphTarget(name, np.zeros((3, 3))) for name in ("blinkLeft", "smile", "blinkRight"))
    mesh = _mesh(body, morphs)
    faced = body.replace(meshes=(mesh,))
    weights = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    rest = Pose.rest(body.skeleton, (2,))
    pose = Pose(rest.rotations, rest.root_translation, morphs=weights)
    clip = Sampled(faced, Recording.from_poses("face", [0.0, 1.0], pose))
    assert np.allclose(Mirror(clip).sample([0.0, 1.0]).morphs, weights[:, [2, 1, 0]])


def _mesh(body: Character, morphs: tuple[MorphTarget, ...]) -> Mesh:
    from tests.character.strategies import bound_mesh

    weights = np.zeros((3, len(body.skeleton)))
    weights[:, 0] = 1
    return bound_mesh(body.skeleton, np.eye(3), np.array([[0, 1, 2]]), weights, morphs=morphs)


@given(walkabouts())
def test_mirrored_scales_come_back(clip: Sampled) -> None:
    times = clip.times(10)
    rng = np.random.default_rng(5)
    poses = clip.sample(times)
    scaled = Pose(
        poses.rotations, poses.root_translation, scales=np.exp(rng.normal(0, 0.2, (*poses.rotations.shape[:2], 3)))
    )
    again = Sampled(clip.body, Recording.from_poses("scaled", times, scaled))
    assert np.allclose(Mirror(Mirror(again)).sample(times).scales, scaled.scales, rtol=0, atol=1e-12)
    arm = clip.body.skeleton.indices(["left_hand", "right_hand"])
    swapped = Mirror(again).sample(times).scales
    assert np.allclose(np.sort(swapped[:, arm[0]]), np.sort(scaled.scales[:, arm[1]]), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("left_foot contact", "right_foot contact"), ("LeftHand", "RightHand"), ("brow.L", "brow.R"),
        ("eyeBlinkLeft", "eyeBlinkRight"), ("hand_l", "hand_r"), ("bright", "bright"), ("release", "release"),
        ("LEFT_EYE", "RIGHT_EYE"), ("mouthSmileR", "mouthSmileL"), ("cleft", "cleft"), ("upper lip", "upper lip"),
    ],
)  # fmt: skip
def test_names_of_the_other_side(name: str, other: str) -> None:
    assert other_side(name) == other
    assert other_side(other) == name


def test_bad_selections_and_mirrors() -> None:
    rng = np.random.default_rng(6)
    clip = walkabout(twisted_human(rng), rng)
    with pytest.raises(UnknownNameError, match="this body has no group 'left_arn'; closest: 'left_arm'"):
        Select(clip, ("left_arn",))
    with pytest.raises(UnknownNameError, match="has no joint 'haed'"):
        Select(clip, joints=("haed",))
    with pytest.raises(InputError, match="names neither groups nor joints"):
        Select(clip)
    bare = dataclasses.replace(clip, character=clip.body.replace(anatomy=None))
    with pytest.raises(InputError, match="the anatomy of 'twisted' is not known"):
        Mirror(bare)
    with pytest.raises(InputError, match="the anatomy of 'twisted' is not known"):
        Select(bare, ("head",))


def test_the_reflected_rotation_is_the_rotation_of_the_reflection() -> None:
    """A quaternion seen in a mirror turns reflected points as the quaternion turns points."""
    rng = np.random.default_rng(7)
    q, point = quaternion.random(rng), rng.normal(size=3)
    seen = q * [1, -1, -1, 1]
    assert np.allclose(quaternion.rotate(seen, reflected(point)), reflected(quaternion.rotate(q, point)))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_mirror_across_an_axis_of_the_world_reflects_the_world(axis: int) -> None:
    rng = np.random.default_rng(4)
    for stretched in (False, True):
        clip = walkabout(twisted_human(rng), rng, stretched=stretched)
        across = Mirror(clip, "xyz"[axis])  # type: ignore[arg-type]
        places = world_positions(clip.body.skeleton, clip.sample([0.5, 1.0]))
        seen = world_positions(clip.body.skeleton, across.sample([0.5, 1.0]))
        sign = np.where(np.arange(3) == axis, -1.0, 1.0)
        assert np.allclose(seen, (places * sign)[:, clip.anatomy.mirror], rtol=0, atol=1e-9)
    with pytest.raises(UnknownNameError, match=r"'w'.*closest|no axis 'w'"):
        Mirror(clip, "w")  # type: ignore[arg-type]
