"""Whatever is done to a file, reading it ends with a character or one line of error, quickly and in little memory."""

from __future__ import annotations

import copy
import json
import time
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mummer.character import world_positions
from mummer.errors import FileError
from mummer.io.gltf import read, write
from mummer.io.gltf.document import Document
from tests.io.gltf.helpers import Maker, arm, glb, primitive


def rich() -> Maker:
    """A small file with one of everything that the reader looks at."""
    maker = arm()
    part = primitive(maker)
    part["attributes"].update(
        TEXCOORD_0=maker.accessor(np.zeros((6, 2))),
        COLOR_0=maker.accessor(np.full((6, 4), 255), "uint8", normalized=True),
    )
    sparse = {
        "count": 1,
        "indices": {"bufferView": maker.view(bytes([2])), "componentType": 5121},
        "values": {"bufferView": maker.view(np.ones(3, "<f4").tobytes())},
    }
    part["targets"][0]["NORMAL"] = maker.accessor(np.zeros((6, 3)), sparse=sparse)
    maker.json["nodes"] += [
        {"name": "prop", "mesh": 1, "matrix": np.eye(4).reshape(-1).tolist()},
        {"name": "spring", "scale": [1, 2, 1], "rotation": [0, 0, 0, 1]},
    ]
    maker.json["scenes"][0]["nodes"] += [3, 4]
    maker.json["meshes"].append(
        {"primitives": [{"attributes": {"POSITION": part["attributes"]["POSITION"]}, "mode": 5}]}
    )
    texture = {"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": {"scale": [2, 2], "rotation": 1}}}
    maker.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = texture
    maker.json.update(textures=[{"source": 0}], images=[{"bufferView": maker.view(b"\x89PNG\r\n\x1a\nxxxx")}])
    cubic = {
        "input": maker.accessor([0, 1]),
        "output": maker.accessor(np.zeros((6, 3))),
        "interpolation": "CUBICSPLINE",
    }
    maker.json["animations"][0]["samplers"].append(cubic)
    maker.json["animations"][0]["channels"].append({"sampler": 2, "target": {"node": 4, "path": "scale"}})
    maker.json["extensions"] = {
        "VRM": {
            "humanoid": {"humanBones": [{"bone": "hips", "node": 0}]},
            "blendShapeMaster": {"blendShapeGroups": [{"name": "a", "binds": [{"mesh": 0, "index": 0, "weight": 1}]}]},
            "secondaryAnimation": {
                "boneGroups": [{"bones": [4], "colliderGroups": [0]}],
                "colliderGroups": [{"node": 1}],
            },
        }
    }
    return maker


RICH = rich()
DATA = RICH.glb()
VALUES = st.sampled_from(
    [None, True, -1, 0, 1, 2, 3, 4, 7, 255, 5121, 5126, 2**31, 2**63, 10**30, 0.5, 1e308, -1e308, "", "VEC3", "x", [],
     [0], [1, 2, 3], [[]], {}, {"a": 1}, [{}], "data:,", "../x"]
)  # fmt: skip


def survives(data: bytes) -> None:
    """Reading ends with a character whose numbers are numbers, or with a `FileError` of one line."""
    message = ""
    try:
        character = read(data)
    except FileError as error:
        message = str(error)
    if message:
        assert "\n" not in message
        return
    assert np.all(np.isfinite(character.skeleton.rest_translations))
    with np.errstate(all="ignore"):
        world_positions(character.skeleton, character.default_pose)


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The address of every value in a document."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in below for place in places_in(inner, (*path, key)))]


PLACES = [path for path in places_in(RICH.json) if path]


def changed(document: dict[str, Any], path: tuple[Any, ...], value: Any, remove: bool) -> dict[str, Any]:
    result = copy.deepcopy(document)
    holder: Any = result
    try:
        for key in path[:-1]:
            holder = holder[key]
        if remove:
            del holder[path[-1]]
        else:
            holder[path[-1]] = value
    except (KeyError, IndexError, TypeError):
        return result
    return result


def test_the_rich_file_itself_is_read_whole() -> None:
    character = read(DATA)
    assert len(character.skeleton) == 4
    assert len(character.meshes) == 2
    assert len(character.recordings[0].curves) == 3


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLACES), VALUES, st.booleans()), min_size=1, max_size=3))
def test_any_field_may_hold_anything(changes: list[tuple[tuple[Any, ...], Any, bool]]) -> None:
    document = {**copy.deepcopy(RICH.json), "buffers": [{"byteLength": len(RICH.binary)}]}
    for path, value, remove in changes:
        document = changed(document, path, value, remove)
    survives(glb(json.dumps(document).encode(), bytes(RICH.binary)))


@pytest.mark.parametrize("value", [None, -1, 2**40, "x", [], {}], ids=str)
def test_every_field_holding_the_wrong_thing(value: Any) -> None:
    base = {**RICH.json, "buffers": [{"byteLength": len(RICH.binary)}]}
    for path in PLACES:
        survives(glb(json.dumps(changed(base, path, value, False)).encode(), bytes(RICH.binary)))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(DATA) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_any_byte_may_be_wrong(changes: list[tuple[int, int]]) -> None:
    data = bytearray(DATA)
    for place, value in changes:
        data[place] = value
    survives(bytes(data))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(RICH.binary) // 4 - 1), st.sampled_from([np.nan, np.inf, -np.inf, 1e38, 1e-45, -0.0]))
def test_any_number_may_be_none(place: int, value: float) -> None:
    binary = bytearray(RICH.binary)
    binary[place * 4 : place * 4 + 4] = np.float32(value).tobytes()
    document = {**RICH.json, "buffers": [{"byteLength": len(binary)}]}
    survives(glb(json.dumps(document).encode(), bytes(binary)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PLACES), VALUES)
def test_what_was_read_can_be_written(
    tmp_path_factory: pytest.TempPathFactory, path: tuple[Any, ...], value: Any
) -> None:
    base = {**RICH.json, "buffers": [{"byteLength": len(RICH.binary)}]}
    try:
        character = read(glb(json.dumps(changed(base, path, value, False)).encode(), bytes(RICH.binary)))
    except FileError:
        return
    assert character.source is not None
    assert isinstance(character.source.document, Document)
    target = tmp_path_factory.mktemp("out") / "out.glb"
    write(character, target)
    write(character, target.with_suffix(".gltf"))
    again = read(target.read_bytes())
    assert again.skeleton.names == character.skeleton.names


def bombs() -> dict[str, bytes]:
    """Small files that promise or imply something huge."""
    chain = {"asset": {"version": "2.0"}, "nodes": [{"children": [place + 1]} for place in range(60_000)] + [{}]}
    zeros = arm()
    for _ in range(2000):
        zeros.json["accessors"].append({"componentType": 5126, "type": "VEC3", "count": 7_000_000})
        primitive(zeros)["targets"].append({"POSITION": len(zeros.json["accessors"]) - 1})
    shared = arm()
    shared.json["nodes"] += [{"mesh": 0, "skin": 0}] * 60_000
    shared.json["scenes"][0]["nodes"] += list(range(3, 60_003))
    skins = arm()
    skins.json["skins"] *= 4_000
    wide = arm()
    wide.json["accessors"][0]["count"] = 2**60
    return {
        "a chain of nodes": json.dumps(chain).encode(),
        "morph targets of nothing": zeros.glb(),
        "one mesh shown often": shared.glb(),
        "many skins": skins.glb(),
        "a promise of an exabyte": wide.glb(),
        "open brackets": b'{"asset":' + b"[" * 5_000_000,
        "a million empty lists": b'{"asset":[' + b"[]," * 1_000_000 + b"[]]}",
        "a long name": b'{"asset":{"version":"2.0"},"nodes":[{"name":"' + b"x" * 20_000_000 + b'"}]}',
    }


BOMBS = bombs()


@pytest.mark.parametrize("name", sorted(BOMBS))
def test_small_files_cannot_take_long(name: str) -> None:
    start = time.process_time()
    survives(BOMBS[name])
    assert time.process_time() - start < 5


@pytest.mark.parametrize("name", ["morph targets of nothing", "a promise of an exabyte", "a million empty lists"])
def test_small_files_cannot_take_much_memory(name: str) -> None:
    tracemalloc.start()
    survives(BOMBS[name])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**29, f"{peak:,} bytes"
