"""What users of other tools complain about, each by name."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer import measure
from mummer.character import Character, Curve, Mesh, MorphTarget, Pose, Recording, Skeleton, Skin, world_positions
from mummer.clip.recorded import bake
from mummer.clip.sampled import Sampled
from mummer.math import quaternion
from mummer.retargeting import Onto, retarget
from mummer.retargeting.build import build_of
from tests.measure.test_measures import changed
from tests.retargeting.walk import people, posed, rebuilt, walk


def places(clip, rate: float = 30.0) -> np.ndarray:
    return world_positions(clip.body.skeleton, clip.sample(clip.times(rate)))


def directions_kept(clip, source=None) -> float:
    return measure.bone_direction_error(clip, source or walk()).value


def with_joint(body: Character, parent: str, name: str, offset, *, between: str | None = None) -> Character:
    """The body with one more joint below ``parent``; with ``between``, put in the middle of the way to that joint."""
    skeleton = body.skeleton
    names = [*skeleton.names, name]
    parents = [*skeleton.parents.tolist(), skeleton.index(parent)]
    offsets = [*skeleton.rest_translations, np.asarray(offset, float)]
    turns = [*skeleton.rest_rotations, [0.0, 0.0, 0.0, 1.0]]
    if between is not None:
        below = skeleton.index(between)
        offsets[-1] = 0.5 * skeleton.rest_translations[below]
        offsets[below] = offsets[-1]
        parents[below] = len(names) - 1
    made, order = Skeleton.sorted(names, parents, offsets, turns)
    place = {int(old): new for new, old in enumerate(order)}
    anatomy = body.anatomy
    limbs = tuple(
        dataclasses.replace(limb, joints=made.chain(place[limb.base], place[limb.tip])) for limb in anatomy.limbs
    )
    moved = {key: tuple(place[j] for j in joints) for key, joints in anatomy.groups.items()}
    moved["torso"] = (*moved["torso"], place[len(names) - 1])
    mirror = np.arange(len(names))
    for old, other in enumerate(anatomy.mirror):
        mirror[place[old]] = place[int(other)]
    fresh = dataclasses.replace(
        anatomy,
        roles={role: place[j] for role, j in anatomy.roles.items()},
        capabilities={key: tuple(place[j] for j in joints) for key, joints in anatomy.capabilities.items()},
        limbs=limbs, groups=moved, mirror=mirror, sockets=(),
    )  # fmt: skip
    return Character(body.name, made, anatomy=fresh)


def test_feet_that_float_or_sink_by_a_constant() -> None:
    for offset in (-0.04, 0.04):
        off = changed(walk(), lambda _t, _r, root, by=offset: root.__iadd__([0, by, 0]))
        made = Onto(off, people("child"))
        assert measure.ground_penetration(made, floor=0.0).value < 1.0
        assert measure.ground_float(made, floor=0.0).value < 1.0


def test_heels_and_foot_pitch_not_flat() -> None:
    made = Onto(walk(), people("giant"))
    build, found = build_of(people("giant")), places(made)
    for leg in build.legs:
        stands = found[:, leg.ball, 1] < build.places[leg.ball, 1] + 0.01
        pitch = found[stands][:, leg.foot, 1] - found[stands][:, leg.ball, 1]
        assert np.allclose(pitch, build.places[leg.foot, 1] - build.places[leg.ball, 1], atol=0.02 * build.size)


def test_the_first_frame_collapsing_the_solver() -> None:
    made = Onto(walk(), people("child"))
    found = places(made, 60)
    first, second = (np.linalg.norm(found[k + 1] - found[k], axis=1).max() for k in (0, 1))
    assert first < 2 * second + 0.02
    assert found[0, people("child").anatomy.roles["head"], 1] > 0.8 * people("child").anatomy.height


def test_hands_too_high_for_the_torso() -> None:
    for name in ("child", "giant", "hunched"):
        body, made = people(name), Onto(walk(), people(name))
        roles, found = body.anatomy.roles, places(made)
        span = found[:, roles["neck"], 1] - found[:, roles["hips"], 1]
        high = (found[:, roles["left_hand"], 1] - found[:, roles["hips"], 1]) / span
        assert high.max() < 0.6


def test_a_partial_retarget() -> None:
    body = people("child")
    made = Onto(walk(), body, groups=("upper body",))
    legs = list(body.anatomy.groups["left_leg"])
    poses = made.sample(made.times(30))
    assert not made.defined[legs].any()
    assert np.allclose(poses.rotations[:, legs], body.skeleton.rest_rotations[legs])
    assert np.allclose(poses.root_translation, body.skeleton.rest_translations[0])
    arm = body.anatomy.roles["left_upper_arm"]
    assert np.ptp(poses.rotations[:, arm], axis=0).max() > 0.1
    alone = Onto(walk(), body, groups=("left_arm",)).sample([0.3, 0.6])
    other = body.anatomy.roles["right_upper_arm"]
    assert np.allclose(alone.rotations[:, other], body.skeleton.rest_rotations[other])


def test_unmapped_joints_losing_their_orientation_and_props_flying_off() -> None:
    armed = with_joint(people("child"), "right_hand", "sword", [0.0, -0.1, 0.2])
    made = Onto(walk(), armed)
    sword, hand = armed.skeleton.index("sword"), armed.anatomy.roles["right_hand"]
    poses, found = made.sample(made.times(30)), places(made)
    assert np.allclose(poses.rotations[:, sword], armed.skeleton.rest_rotations[sword])
    assert np.allclose(np.linalg.norm(found[:, sword] - found[:, hand], axis=1), np.hypot(0.1, 0.2))


def test_twist_joints_in_the_middle_of_a_chain() -> None:
    twisted = with_joint(people("child"), "left_forearm", "left_forearm_twist", None, between="left_hand")
    assert directions_kept(Onto(walk(), twisted)) < 1.5
    source = with_joint(people("adult"), "left_upper_arm", "left_arm_twist", None, between="left_forearm")
    onto_source = bake(Onto(walk(), source), 60.0)
    assert directions_kept(Onto(onto_source, people("child")), onto_source) < 1.5


def test_end_joints_and_lost_fingers() -> None:
    ended = with_joint(people("child"), "left_index_3", "left_index_end", [0.01, 0.0, 0.0])
    fingers = changed(walk(), lambda _t, r, _o: _curl(r))
    made = Onto(fingers, ended).sample([0.5])
    joint = ended.skeleton.index("left_index_2")
    turned = quaternion.angle_between(made.rotations[0, joint], ended.skeleton.rest_rotations[joint])
    assert turned == pytest.approx(0.7, abs=0.1)
    assert np.isfinite(made.rotations).all()


def _curl(rotations) -> None:
    joint = people("adult").skeleton.index("left_index_2")
    rotations[:, joint] = quaternion.multiply(rotations[:, joint], quaternion.exp([0.0, 0.0, 0.7]))


def test_duplicate_joint_names(tmp_path: Path) -> None:
    source = walk()
    mm.save(source.body.replace(recordings=(source.recording,)), tmp_path / "named.bvh")
    text = (tmp_path / "named.bvh").read_text()
    # As some programs write them: what is on either side is called the same.
    (tmp_path / "twice.bvh").write_text(re.sub(r"(JOINT|ROOT) (left|right)_", r"\1 ", text))
    named, twice = (mm.load(tmp_path / f"{name}.bvh") for name in ("named", "twice"))
    assert sum("#2" in name for name in twice.skeleton.names) > 10
    there = [places(Onto(Sampled(body, body.recordings[0]), people("child"))) for body in (named, twice)]
    assert np.allclose(*there, atol=1e-3)
    # And onto such a body: each side does what its own side does.
    onto = [places(Onto(source, body)) for body in (named, twice)]
    assert np.allclose(*onto, atol=1e-3)
    assert np.ptp(onto[0], axis=0).max() > 1.0


def test_stray_roots() -> None:
    body = people("child")
    skeleton = body.skeleton
    names = ("stray", *skeleton.names)
    made = Skeleton(
        names, np.concatenate([[-1], np.where(skeleton.parents < 0, -1, skeleton.parents + 1)]),
        np.concatenate([[[5.0, 0.0, 0.0]], skeleton.rest_translations]),
        np.concatenate([[[0.0, 0, 0, 1]], skeleton.rest_rotations]),
    )  # fmt: skip
    from mummer.character.root_indices import shifted_anatomy

    strayed = Character("strayed", made, anatomy=shifted_anatomy(body.anatomy, +1))
    found, plain = places(Onto(walk(), strayed)), places(Onto(walk(), body))
    assert np.allclose(found[:, 1:], plain, atol=1e-9)
    assert np.allclose(found[:, 0], [5.0, 0.0, 0.0])


@pytest.mark.parametrize("angle", [-1.4, -0.7, 0.0, 0.5])
def test_the_sources_pose_at_rest_against_the_targets(angle: float) -> None:
    sides = {"left_upper_arm": quaternion.exp([0.0, 0.0, angle]), "right_upper_arm": quaternion.exp([0.0, 0.0, -angle])}
    other = posed(people("child"), sides)
    assert directions_kept(Onto(walk(), other, feet=False)) < 0.5


def test_hip_travel_lost_by_auto_scaling() -> None:
    made = Onto(walk(), people("giant"))
    hips = [clip.body.anatomy.roles["hips"] for clip in (made, walk())]
    ways = [places(clip)[-1, hip] - places(clip)[0, hip] for clip, hip in zip((made, walk()), hips, strict=True)]
    assert ways[0][2] == pytest.approx(made.transfer.scale * ways[1][2], rel=0.01)


def test_units_and_axes() -> None:
    large = rebuilt(people("adult"), scale=100.0)
    centimetres = bake(Onto(walk(), large), 60.0)
    assert np.allclose(places(Onto(centimetres, people("child"))), places(Onto(walk(), people("child"))), atol=0.02)
    z_up = rebuilt(people("adult"), world=quaternion.exp([np.pi / 2, 0.0, 0.0]))
    poses = walk().sample(walk().times(60))
    turn = quaternion.exp([np.pi / 2, 0.0, 0.0])
    rotations = poses.rotations.copy()
    rotations[:, 0] = quaternion.multiply(turn, rotations[:, 0])
    root = quaternion.rotate(turn, poses.root_translation)
    lying = Sampled(z_up, Recording.from_poses("walk", walk().times(60), Pose(rotations, root)))
    found = places(Onto(lying, people("child")))
    head = people("child").anatomy.roles["head"]
    assert found[:, head, 1].min() > 0.7 * people("child").anatomy.height


def test_clips_one_frame_short() -> None:
    made = retarget(walk(), people("child"))
    assert (made.start, made.end) == (walk().start, walk().end)
    assert len(made.recording.curves[0].times) == len(walk().recording.curves[0].times)


def test_quaternions_not_of_unit_length() -> None:
    poses = walk().sample(walk().times(60))
    curves = (
        Curve("rotation", np.arange(poses.joint_count), walk().times(60), 1.7 * poses.rotations),
        Curve("translation", [0], walk().times(60), poses.root_translation[:, None]),
    )
    rough = Sampled(walk().body, Recording("rough", curves, poses[0]))
    made = Onto(rough, people("child")).sample(walk().times(30))
    assert np.allclose(np.linalg.norm(made.rotations, axis=-1), 1.0, atol=1e-9)


def test_inputs_changed_in_place() -> None:
    before = [curve.values.copy() for curve in walk().recording.curves]
    rest = people("child").skeleton.rest_rotations.copy()
    retarget(walk(), people("child"), groups=("upper body",))
    retarget(walk(), people("child"))
    assert all(np.array_equal(a, b.values) for a, b in zip(before, walk().recording.curves, strict=True))
    assert np.array_equal(rest, people("child").skeleton.rest_rotations)


def test_morph_and_scale_keys_dropped() -> None:
    def faced(body: Character, name: str) -> Character:
        corners = np.zeros((3, 3))
        skin = Skin([0], np.eye(4)[None, :3], np.zeros((3, 1), int), np.ones((3, 1)))
        return body.replace(
            meshes=(
                Mesh("face", corners, np.array([[0, 1, 2]]), skin=skin, morphs=(MorphTarget(name, corners + 0.1),)),
            )
        )

    poses, times = walk().sample(walk().times(30)), walk().times(30)
    smile = np.linspace(0, 1, len(times))[:, None]
    scales = np.ones((len(times), poses.joint_count, 3))
    head = people("adult").anatomy.roles["head"]
    scales[:, head] = 1.5
    grown = Pose(poses.rotations, poses.root_translation, None, scales, smile)
    source = Sampled(faced(people("adult"), "mouthSmileLeft"), Recording.from_poses("smile", times, grown))
    made = Onto(source, faced(people("child"), "mouth_smile_left")).sample(times)
    assert np.allclose(made.morphs, smile)
    assert np.allclose(made.scales[:, people("child").anatomy.roles["head"]], 1.5)
