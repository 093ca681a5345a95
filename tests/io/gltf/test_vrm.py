"""VRM data in our terms: joints and morph names in the place of node and mesh numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mummer.io.gltf import read
from tests.io.gltf.helpers import Maker, arm, messages


def avatar0(**vrm: Any) -> Maker:
    maker = arm()
    maker.json["nodes"] += [{"name": "ear", "children": [4]}, {"name": "tuft"}]
    maker.json["scenes"][0]["nodes"].append(3)
    maker.json["extensions"] = {"VRM": {"specVersion": "0.0", **vrm}}
    return maker


def test_version_0() -> None:
    maker = avatar0(
        humanoid={"humanBones": [{"bone": "hips", "node": 0}, {"bone": "spine", "node": 1}]},
        meta={"title": "Arm"},
        blendShapeMaster={
            "blendShapeGroups": [
                {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 0, "weight": 50}]},
                {"name": "Wink", "presetName": "unknown", "isBinary": True, "materialValues": [{"materialName": "m"}]},
            ]
        },
        secondaryAnimation={
            "boneGroups": [{"comment": "ears", "stiffiness": 2, "bones": [3], "center": -1, "colliderGroups": [0]}],
            "colliderGroups": [{"node": 1, "colliders": [{"offset": {"x": 0, "y": 1, "z": 2}, "radius": 0.5}]}],
        },
        firstPerson={"firstPersonBone": 1, "lookAtTypeName": "Bone"},
    )
    character = maker.read()
    assert character.source is not None
    assert (character.source.format, character.source.front) == ("vrm", "-Z")
    vrm = character.source.details["vrm"]
    index = character.skeleton.index
    assert vrm["version"] == "0.0"
    assert vrm["humanoid"] == {"hips": index("upper"), "spine": index("lower")}
    assert vrm["expressions"]["joy"]["morphs"] == [("bulge", 0.5)]
    assert vrm["expressions"]["Wink"] == {
        "label": "Wink", "preset": False, "is_binary": True, "morphs": [], "materials": [{"materialName": "m"}],
    }  # fmt: skip
    (spring,) = vrm["spring_bones"]["springs"]
    assert (spring["roots"], spring["stiffness"], spring["center"]) == ([index("ear")], 2.0, None)
    collider = vrm["spring_bones"]["collider_groups"][0]["colliders"][0]
    assert collider == {"joint": index("lower"), "shape": "sphere", "offset": (0.0, 1.0, 2.0), "radius": 0.5}
    assert vrm["look_at"] == {"lookAtTypeName": "Bone"}
    assert vrm["first_person"]["joint"] == index("lower")
    assert vrm["meta"] == {"title": "Arm"}


def test_version_1() -> None:
    maker = avatar0()
    maker.json["extensions"] = {
        "VRMC_vrm": {
            "specVersion": "1.0",
            "humanoid": {"humanBones": {"hips": {"node": 0}, "head": {"node": 1}}},
            "expressions": {
                "preset": {
                    "happy": {"morphTargetBinds": [{"node": 2, "index": 0, "weight": 0.75}], "overrideBlink": "block"}
                },
                "custom": {"odd": {"isBinary": True, "materialColorBinds": [{"material": 0}]}},
            },
            "lookAt": {"type": "bone"},
        },
        "VRMC_springBone": {
            "colliders": [{"node": 1, "shape": {"capsule": {"offset": [0, 0, 0], "radius": 1, "tail": [0, 1, 0]}}}],
            "colliderGroups": [{"name": "head", "colliders": [0, 9]}],
            "springs": [{"name": "ear", "joints": [{"node": 3, "stiffness": 3}, {"node": 4}], "colliderGroups": [0]}],
        },
    }
    character = maker.read()
    assert character.source is not None
    assert character.source.front == "+Z"
    vrm = character.source.details["vrm"]
    index = character.skeleton.index
    assert vrm["humanoid"] == {"hips": index("upper"), "head": index("lower")}
    assert vrm["expressions"]["happy"]["morphs"] == [("bulge", 0.75)]
    assert vrm["expressions"]["happy"]["overrides"] == {"overrideBlink": "block"}
    assert vrm["expressions"]["odd"]["is_binary"]
    spring = vrm["spring_bones"]["springs"][0]
    assert [link["joint"] for link in spring["links"]] == [index("ear"), index("tuft")]
    assert spring["links"][0]["stiffness"] == 3
    assert vrm["spring_bones"]["collider_groups"][0]["colliders"][0]["tail"] == (0.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("vrm", "message"),
    [
        ({"humanoid": {"humanBones": [{"bone": "hips", "node": 99}]}}, "references to nodes that are not there"),
        ({"humanoid": {"humanBones": [{"bone": "hips", "node": 0}, {"bone": "hips", "node": 1}]}}, "a second joint"),
        (
            {"blendShapeMaster": {"blendShapeGroups": [{"name": "a", "binds": [{"mesh": 9, "index": 0}]}]}},
            "morph targets which are not there",
        ),
    ],
)
def test_wrong_references_are_told_and_left_out(vrm: dict[str, Any], message: str) -> None:
    assert message in messages(avatar0(**vrm).read())


@pytest.mark.parametrize("junk", [[], 3, "x", None, [3], [[]], {"humanBones": 3}, {"humanBones": [None]}])
def test_junk_in_the_extension_does_not_hurt(junk: Any) -> None:
    for name in ("VRM", "VRMC_vrm", "VRMC_vrm_animation"):
        maker = avatar0()
        fields = ("humanoid", "meta", "blendShapeMaster", "expressions", "secondaryAnimation", "firstPerson", "lookAt")
        maker.json["extensions"] = {name: dict.fromkeys(fields, junk)}
        assert len(maker.read().skeleton) == 2


def raw_document(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    return json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])


def test_real_avatars(data_dir: Path) -> None:
    paths = sorted([*(data_dir / "characters").rglob("*.vrm"), *(data_dir / "motions").rglob("*.vrma")])
    assert len(paths) >= 4
    for path in paths:
        extensions = raw_document(path)["extensions"]
        old = extensions.get("VRM")
        new = extensions.get("VRMC_vrm") or extensions.get("VRMC_vrm_animation")
        bones = [
            bone["node"] for bone in (old["humanoid"]["humanBones"] if old else new["humanoid"]["humanBones"].values())
        ]
        source = read(path.read_bytes(), path).source
        assert source is not None
        assert source.front == ("-Z" if old else "+Z")
        nodes = source.details["nodes"]
        assert sorted(nodes[joint] for joint in source.details["vrm"]["humanoid"].values()) == sorted(bones)
        groups = old["blendShapeMaster"]["blendShapeGroups"] if old else new["expressions"].get("preset", {})
        assert len(source.details["vrm"]["expressions"]) >= len(groups)
