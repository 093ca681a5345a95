"""Rigs that are built otherwise than most: what each of them taught."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Character, Mesh, Pose, Recording, Skeleton, Skin, world_matrices
from mummer.character.derive import rest_positions
from mummer.math import quaternion
from mummer.recognition import recognize, recognized
from mummer.recognition.recognize import study
from mummer.recognition.surface import read_surface
from tests.recognition.learn import known
from tests.recognition.rigs import Rig, judge
from tests.recognition.surgery import Table, hung
from tests.recognition.variants import VARIANTS


def adult() -> Rig:
    return known(zoo.body("adult"), "zoo")


def test_hands_that_are_steered_from_elsewhere_belong_to_their_arms() -> None:
    table = Table(adult())
    roles = dict(table.before.joints)
    for side in ("left", "right"):
        hand, forearm = roles[f"{side}_hand"], roles[f"{side}_forearm"]
        table.add(forearm, table.places[hand], f"{side}_tip")
        hung(table, hand, roles["spine"])
    rig = table.rig()
    assert judge(rig, recognize(rig.character, ignore_names=True)) == ([], [])


def test_things_in_a_slot_are_no_fingers() -> None:
    table = Table(adult())
    for side in ("left", "right"):
        hand = table.before.joints[f"{side}_hand"]
        table.take_out(table.below(hand))
        slot = table.add(hand, table.places[hand] + [0.0, -0.05, 0.02], f"{side}_slot")
        for number in range(4):
            away = 0.02 * table.size * np.array([0.0, number - 1.5, 1.0])
            table.add(slot, table.places[slot] + away, f"{side}_thing_{number}", surface=0.05 * table.size, stiff=True)
    rig = table.rig()
    assert judge(rig, recognize(rig.character, ignore_names=True)) == ([], [])


def test_controls_that_carry_the_skin_are_parts() -> None:
    table = Table(adult())
    names = list(table.names)
    arms = {joint for role, joint in table.before.joints.items() if role.endswith(("shoulder", "_arm", "forearm"))}
    table.rename(lambda joint: f"ctrl_fk_{names[joint]}" if joint in arms else names[joint])
    rig = table.rig()
    assert judge(rig, recognize(rig.character)) == ([], [])


def test_hips_that_are_there_twice_are_no_spine() -> None:
    table = Table(adult())
    roles = table.before.joints
    low = table.places[[roles["left_upper_leg"], roles["right_upper_leg"]]].mean(axis=0) - [0.0, 0.005, 0.0]
    double = table.add(roles["hips"], low, "double")
    hung(table, roles["spine"], double)
    rig = table.rig()
    assert recognize(rig.character, ignore_names=True).roles["spine"] == rig.joints["spine"]


@pytest.mark.parametrize("seed", range(4))
def test_names_that_only_count_weigh_nothing(seed: int) -> None:
    chance = np.random.default_rng(seed)
    rig = known(zoo.body("bird"), "zoo")
    table = Table(rig)
    table.rename(lambda joint: f"Bone.{'LR'[chance.integers(2)]}.{joint:03d}" if joint % 3 else f"Bone.{joint:03d}")
    named = table.rig()
    told, seen = recognize(named.character), recognize(named.character, ignore_names=True)
    np.testing.assert_allclose(told.front, seen.front, atol=1e-6)
    assert not judge(named, told)[1]


def test_folded_wings_are_wings() -> None:
    rig = VARIANTS["wings folded"](known(zoo.body("bird"), "zoo"), np.random.default_rng(1))
    assert rig is not None
    assert {"left_wing_upper", "right_wing_upper"} <= recognize(rig.character, ignore_names=True).roles.keys()


def test_a_trunk_without_a_head_that_hangs_from_its_chest_has_a_spine() -> None:
    rig = VARIANTS["rooted at the chest"](adult(), np.random.default_rng(0))
    assert rig is not None
    table = Table(rig)
    neck = rig.joints["neck"]
    table.take_out(table.below(neck))
    table.take_out([neck])
    headless = table.rig()
    assert {"hips", "spine"} <= recognize(headless.character, ignore_names=True).roles.keys()


def test_chains_that_go_round_a_face_are_no_arms() -> None:
    table = Table(known(zoo.body("dog").replace(meshes=()), "zoo"))
    head = table.before.joints["head"]
    radius, middle = 0.04 * table.size, table.places[head].copy()
    for sign in (1.0, -1.0):
        host = head
        for angle in np.linspace(0.2, 3.0, 40):
            ring = radius * np.array([sign * np.sin(angle), np.cos(angle), np.cos(20 * angle)])
            host = table.add(host, middle + ring, f"round_{sign}_{angle:.1f}")
    rig = table.rig()
    anatomy = recognize(rig.character, ignore_names=True)
    assert anatomy.kind == "quadruped"
    assert anatomy.roles["head"] == rig.joints["head"]


def test_a_head_that_is_steered_from_the_hips_belongs_to_its_neck() -> None:
    table = Table(known(zoo.body("horse"), "zoo"))
    roles = table.before.joints
    hung(table, roles["head"], roles["hips"])
    rig = table.rig()
    found = study(rig.character, ignore_names=True)
    assert found.anatomy.roles["head"] == rig.joints["head"]
    assert "taken as part of their legs, and a head as part of its neck" in str(found.report)


def test_shoulders_that_hang_from_nothing_go_on_where_the_back_ends() -> None:
    table = Table(known(zoo.body("horse").replace(meshes=()), "zoo"))
    chest = table.before.joints["chest"]
    table.add(table.parents[chest], table.places[chest] - [0.0, 0.0, 0.01], "back_end")
    hung(table, chest, -1)
    rig = table.rig()
    anatomy = recognize(rig.character, ignore_names=True)
    assert (anatomy.roles["hips"], anatomy.roles["head"]) == (rig.joints["hips"], rig.joints["head"])


def test_frames_of_a_sensor_are_no_face() -> None:
    table = Table(known(zoo.body("adult").replace(meshes=()), "zoo"))
    head = table.before.joints["head"]
    table.take_out(table.below(head))
    sensor = table.add(head, table.places[head] + 0.1 * table.size * np.array([0.0, 1.0, 0.4]), "sensor")
    for number, aside in enumerate((-0.01, 0.0, 0.0, 0.01)):
        table.add(sensor, table.places[sensor] + table.size * np.array([aside, 0.0, 0.0]), f"frame_{number}")
    rig = table.rig()
    assert recognize(rig.character, ignore_names=True).roles["head"] == rig.joints["head"]


def test_joints_beside_a_tail_make_no_head_of_it() -> None:
    table = Table(known(zoo.body("lizard"), "zoo"))
    tail = table.before.joints["tail"]
    for joint in [tail, *table.below(tail)]:
        table.add(joint, table.places[joint] - [0.0, 0.0, 0.02 * table.size], f"beside_{joint}", surface=0.01)
    rig = table.rig()
    assert recognize(rig.character, ignore_names=True).roles["head"] == rig.joints["head"]


def test_legs_bend_ahead_at_the_knee_and_back_at_the_hock_whichever_way_they_look() -> None:
    """Hips in the middle of the body, no paws told by names: the bends alone tell knee from hock."""
    rig = VARIANTS["limbs in the middle"](known(zoo.body("horse"), "zoo"), np.random.default_rng(0))
    assert rig is not None
    for seed in range(3):
        turned = VARIANTS["turned"](rig, np.random.default_rng(seed))
        assert turned is not None
        assert judge(turned, recognize(turned.character, ignore_names=True))[0] == []


def test_what_is_drawn_finely_carries_no_more_surface() -> None:
    body = zoo.body("dog")
    world = world_matrices(body.skeleton, Pose.rest(body.skeleton))
    head = body.skeleton.index("head")
    finer = body.replace(meshes=tuple(mesh if head not in mesh.skin.joints else _finer(mesh) for mesh in body.meshes))
    assert finer.meshes != body.meshes
    np.testing.assert_allclose(read_surface(finer, world).share, read_surface(body, world).share, atol=0.02)


def _finer(mesh: Mesh) -> Mesh:
    """A mesh whose every triangle is three about its middle."""
    count, triangles = len(mesh.positions), mesh.triangles
    middles = np.arange(len(triangles)) + count
    one, two, last = triangles.T
    corners = ((one, two, middles), (two, last, middles), (last, one, middles))
    fresh = np.concatenate([np.stack(each, axis=1) for each in corners])
    skin = mesh.skin
    return Mesh(
        mesh.name,
        np.concatenate([mesh.positions, mesh.positions[triangles].mean(axis=1)]),
        fresh,
        Skin(
            skin.joints,
            skin.joint_from_mesh,
            np.concatenate([skin.indices, skin.indices[one]]),
            np.concatenate([skin.weights, skin.weights[one]]),
        ),
    )


def along_one_line() -> Character:
    """A man as some motion files have him: at rest all bones lie along one line, those on the right the other way."""
    man = zoo.body("adult")
    places, parents = rest_positions(man.skeleton), man.skeleton.parents
    turns = np.tile(quaternion.IDENTITY, (len(parents), 1))
    for joint, name in enumerate(man.skeleton.names):
        child = next(iter(np.flatnonzero(parents == joint)), -1)
        axis = np.array([-1.0 if "right" in name else 1.0, 0.0, 0.0])
        if child >= 0:
            turns[joint] = quaternion.between_vectors(axis, places[child] - places[joint])
        elif parents[joint] >= 0:
            turns[joint] = turns[parents[joint]]
    above = np.where(parents[:, None] >= 0, turns[parents], quaternion.IDENTITY)
    steps = quaternion.rotate(quaternion.conjugate(above), places - np.where(parents[:, None] >= 0, places[parents], 0))
    skeleton = Skeleton(man.skeleton.names, parents, steps, np.tile(quaternion.IDENTITY, (len(parents), 1)))
    pose = Pose.rest(skeleton).replace(rotations=quaternion.multiply(quaternion.conjugate(above), turns))
    body = Character("line", skeleton)
    return body.replace(recordings=(Recording.from_poses("stands", np.array([0.0, 1.0]), Pose.stack([pose, pose])),))


def test_a_rest_that_writes_lengths_alone_gives_way_to_what_is_recorded() -> None:
    body = recognized(along_one_line())
    assert body.anatomy is not None
    assert body.anatomy.kind == "humanoid"
    assert np.allclose(body.anatomy.up, (0.0, 1.0, 0.0))
    places, roles = rest_positions(body.skeleton), body.anatomy.roles
    assert np.allclose(places, rest_positions(zoo.body("adult").skeleton), atol=1e-6)
    assert "left_hand" in roles
    assert body.skeleton.names[roles["left_hand"]].startswith("left")
