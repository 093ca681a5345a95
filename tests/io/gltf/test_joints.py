"""Which nodes become joints, in what order, and where they stand."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from mummer.character import Pose, world_positions
from mummer.errors import FileError, LimitError, MalformedFileError
from mummer.io.limits import DEFAULT_LIMITS
from tests.io.gltf.helpers import Maker, arm, inverse_binds, messages, primitive


def nodes_only(*nodes: dict[str, Any], **fields: Any) -> Maker:
    maker = Maker()
    maker.json["nodes"] = list(nodes)
    maker.json.update(fields)
    return maker


def test_the_arm_is_read_whole() -> None:
    character = arm().read()
    assert character.skeleton.names == ("upper", "lower")
    assert character.skeleton.parents.tolist() == [-1, 0]
    assert np.array_equal(world_positions(character.skeleton, character.default_pose), [[0, 0, 0], [0, 1, 0]])
    assert character.source is not None
    assert character.source.details["nodes"] == (0, 1)
    assert character.source.format == "glb"
    assert not character.report


def test_everything_below_a_skin_joint_is_a_joint_but_not_the_carrier_of_its_mesh() -> None:
    maker = arm()
    maker.json["nodes"] += [{"name": "tip"}, {"name": "lamp"}, {"name": "armature", "children": [0, 2, 4]}]
    maker.json["nodes"][1]["children"] = [3]
    maker.json["scenes"] = [{"nodes": [5]}]
    assert set(maker.read().skeleton.names) == {"armature", "upper", "lower", "tip"}


def test_animated_nodes_and_rigid_meshes_are_joints() -> None:
    maker = arm()
    maker.json["nodes"] += [{"name": "prop", "mesh": 1}, {"name": "mover"}, {"name": "lamp"}]
    maker.json["meshes"].append(
        {"primitives": [{"attributes": {"POSITION": primitive(maker)["attributes"]["POSITION"]}}]}
    )
    maker.json["scenes"] = [{"nodes": [0, 2, 3, 4, 5]}]
    maker.json["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 4, "path": "rotation"}})
    character = maker.read()
    assert character.skeleton.names == ("upper", "lower", "prop", "mover")
    assert character.meshes[1].skin.joints.tolist() == [2]


def test_without_anything_to_go_by_every_node_is_a_joint() -> None:
    assert nodes_only({"name": "a"}, {"name": "b"}).read().skeleton.names == ("a", "b")


def test_files_that_list_children_first_are_sorted_depth_first() -> None:
    maker = nodes_only(
        {"name": "hand"}, {"name": "arm", "children": [0]}, {"name": "hip", "children": [1, 3]}, {"name": "leg"}
    )
    character = maker.read()
    assert character.skeleton.names == ("hip", "arm", "hand", "leg")
    assert character.source is not None
    assert character.source.details["nodes"] == (2, 1, 0, 3)


def test_the_default_scene_comes_first() -> None:
    nodes = [{"name": "tip"}, {"name": "other", "children": [0]}, {"name": "main"}]
    maker = nodes_only(*nodes, scene=1, scenes=[{"nodes": [1]}, {"nodes": [2]}])
    assert maker.read().skeleton.names == ("main", "other", "tip")


def test_names_are_made_unique_and_filled_in() -> None:
    character = nodes_only({"name": "a"}, {"name": "a"}, {}, {"name": 5}).read()
    assert character.skeleton.names == ("a", "a#2", "node2", "node3")
    assert "share a name" in messages(character)
    assert "without a name" in messages(character)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([{"children": [1]}, {"children": [2]}, {"children": [0]}], "/nodes/0: hangs from itself"),
        ([{"children": [0]}], "/nodes/0: hangs from itself"),
        ([{"children": [2]}, {"children": [2]}, {}], "/nodes/1/children/0: is node 2, which already hangs from node 0"),
        ([{"children": [1, 1]}, {}], "already hangs from node 0"),
        ([{"children": [1]}], "/nodes/0/children/0: points at node 1; there are 1"),
        ([{"children": [-1]}], "points at node -1"),
        ([{"children": {}}], "/nodes/0/children: is an object; expected a list"),
        ([[]], "/nodes/0: is a list; expected an object"),
        ([{"translation": [0, 0]}], "/nodes/0/translation: is not a list of 3 finite numbers"),
        ([{"rotation": ["a", 0, 0, 1]}], "/nodes/0/rotation: is not a list of 4 finite numbers"),
        ([{"translation": [1e308, 0, 0], "scale": [1e308, 1, 1], "children": [1]}, {"translation": [1e308, 0, 0]}],
         "beyond what numbers can hold"),
        ([{"translation": [10**400, 0, 0]}], "finite numbers"),
    ],
)  # fmt: skip
def test_nodes_that_are_no_tree(nodes: list[Any], message: str) -> None:
    with pytest.raises(FileError) as caught:
        nodes_only(*nodes).read()
    assert message in str(caught.value)


def test_limits_of_depth_and_number() -> None:
    chain = [{"children": [place + 1]} for place in range(99)] + [{}]
    with pytest.raises(LimitError, match="more than 50 nodes below its root"):
        nodes_only(*chain).read(dataclasses.replace(DEFAULT_LIMITS, depth=50))
    with pytest.raises(LimitError, match="100 nodes; the limit is 99"):
        nodes_only(*chain).read(dataclasses.replace(DEFAULT_LIMITS, joints=99))
    assert len(nodes_only(*chain).read().skeleton) == 100


def test_matrices_are_taken_apart_and_shear_is_told() -> None:
    turned = [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1]  # a quarter turn about z, scaled by 2, 3, 4
    character = nodes_only({"matrix": turned}).read()
    assert np.allclose(character.skeleton.rest_translations, [[5, 6, 7]])
    assert np.allclose(character.skeleton.rest_scales, [[2, 3, 4]])
    assert np.allclose(character.skeleton.rest_rotations, [[0, 0, np.sqrt(0.5), np.sqrt(0.5)]])
    sheared = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert "shear" in messages(nodes_only({"matrix": sheared}).read())


def test_rotations_are_brought_to_unit_length() -> None:
    character = nodes_only({"rotation": [0, 0, 2, 2]}, {"rotation": [0, 0, 0, 0]}).read()
    assert np.allclose(character.skeleton.rest_rotations, [[0, 0, np.sqrt(0.5), np.sqrt(0.5)], [0, 0, 0, 1]])
    assert "brought to unit length" in messages(character)
    assert "length zero" in messages(character)


def test_rest_comes_from_the_binds_where_nodes_hold_another_pose() -> None:
    maker = arm()
    maker.json["nodes"][1]["rotation"] = [0, 0, np.sqrt(0.5), np.sqrt(0.5)]
    maker.json["nodes"][1]["translation"] = [0.5, 1, 0]
    character = maker.read()
    assert "stand elsewhere" in messages(character)
    assert np.allclose(world_positions(character.skeleton, Pose.rest(character.skeleton)), [[0, 0, 0], [0, 1, 0]])
    assert np.allclose(world_positions(character.skeleton, character.default_pose), [[0, 0, 0], [0.5, 1, 0]])


def test_rest_in_the_space_of_the_mesh_where_every_joint_was_moved() -> None:
    maker = arm()
    maker.json["nodes"][0]["rotation"] = [0, np.sqrt(0.5), 0, np.sqrt(0.5)]
    maker.json["nodes"][1]["translation"] = [0.5, 1, 0]
    maker.json["nodes"][2]["translation"] = [0, 0, 3]
    character = maker.read()
    assert np.allclose(world_positions(character.skeleton, Pose.rest(character.skeleton)), [[0, 0, 3], [0, 1, 3]])


def test_most_joints_decide_where_the_mesh_was_bound() -> None:
    maker = arm()
    maker.json["nodes"] += [{"name": "a", "translation": [0, 1, 0]}, {"name": "b", "translation": [0, 1, 0]}]
    maker.json["nodes"][1]["children"], maker.json["nodes"][3]["children"] = [3], [4]
    maker.json["nodes"][0]["translation"] = [7, 0, 0]  # moves all joints alike
    maker.json["nodes"][4]["translation"] = [0, 1, 1]  # moves the last
    maker.json["skins"] = [{"joints": [0, 1, 3, 4], "inverseBindMatrices": maker.accessor(inverse_binds([0, 1, 2, 3]))}]
    character = maker.read()
    rest = world_positions(character.skeleton, Pose.rest(character.skeleton))
    assert np.allclose(rest, [[7, 0, 0], [7, 1, 0], [7, 2, 0], [7, 3, 0]])


def test_skins_without_binds_say_nothing_about_rest() -> None:
    maker = arm()
    del maker.json["skins"][0]["inverseBindMatrices"]
    character = maker.read()
    assert np.array_equal(character.skeleton.rest_translations, [[0, 0, 0], [0, 1, 0]])
    assert np.array_equal(character.meshes[0].skin.joint_from_mesh, np.tile(np.eye(3, 4), (2, 1, 1)))


@pytest.mark.parametrize(
    ("skin", "message"),
    [
        ({"joints": []}, "/skins/0/joints: is empty"),
        ({"joints": [9]}, "/skins/0/joints/0: points at node 9; there are 3"),
        ({"joints": [0, 1], "inverseBindMatrices": 99}, "/skins/0/inverseBindMatrices: points at accessor 99"),
        ({"joints": [0, 1, 2], "inverseBindMatrices": 0}, "has 2 matrices for 3 joints"),
        ({"joints": [0], "inverseBindMatrices": 1}, "expected MAT4"),
    ],
)
def test_broken_skins(skin: dict[str, Any], message: str) -> None:
    maker = arm()
    maker.json["skins"] = [skin]
    with pytest.raises(MalformedFileError) as caught:
        maker.read()
    assert message in str(caught.value)


def test_binds_that_are_no_numbers_make_the_body_unknowable() -> None:
    maker = arm()
    binds = inverse_binds([0, 1])
    binds[1, 3] = np.nan
    maker.json["skins"][0]["inverseBindMatrices"] = maker.accessor(binds)
    with pytest.raises(MalformedFileError, match="/skins/0/inverseBindMatrices: holds values that are not finite"):
        maker.read()
