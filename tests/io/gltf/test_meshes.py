"""Surfaces: topology, weights, repairs, morph targets, materials."""

from __future__ import annotations

import base64
import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mummer.errors import FileError, LimitError, MalformedFileError
from mummer.io.gltf import read
from mummer.io.limits import DEFAULT_LIMITS
from tests.io.gltf.helpers import STRIP, TRIANGLES, Maker, arm, messages, primitive


def with_attribute(name: str, values: Any, dtype: str = "float32", **fields: Any) -> Maker:
    maker = arm()
    primitive(maker)["attributes"][name] = maker.accessor(values, dtype, **fields)
    return maker


def test_the_strip_is_bound_as_the_file_says() -> None:
    (mesh,) = arm().read().meshes
    assert np.array_equal(mesh.positions, STRIP)
    assert np.array_equal(mesh.triangles.reshape(-1), TRIANGLES)
    assert mesh.skin.joints.tolist() == [0, 1]
    assert mesh.skin.weights[2].tolist() == [0.5, 0.5]
    assert mesh.material.base_color == (0.5, 0.25, 0.125, 1)
    assert [morph.name for morph in mesh.morphs] == ["bulge"]
    assert mesh.morphs[0].positions[2].tolist() == [0, 0, 0.25]


@pytest.mark.parametrize(
    ("mode", "corners", "expected"),
    [
        (4, [0, 1, 2, 3], [[0, 1, 2]]),
        (5, [0, 1, 2, 3, 4], [[0, 1, 2], [1, 3, 2], [2, 3, 4]]),
        (6, [0, 1, 2, 3], [[1, 2, 0], [2, 3, 0]]),
        (5, [0, 1], []),
    ],
)
def test_lists_strips_and_fans(mode: int, corners: list[int], expected: list[list[int]]) -> None:
    maker = arm()
    primitive(maker).update(mode=mode, indices=maker.accessor(corners, "uint8"))
    assert maker.read().meshes[0].triangles.tolist() == expected


@pytest.mark.parametrize("mode", [0, 1, 2, 3, 7])
def test_points_and_lines_are_left_out_and_told(mode: int) -> None:
    maker = arm()
    primitive(maker)["mode"] = mode
    character = maker.read()
    assert character.meshes == ()
    assert "mesh parts of" in messages(character)


def test_without_indices_vertices_follow_each_other() -> None:
    maker = arm()
    del primitive(maker)["indices"]
    assert maker.read().meshes[0].triangles.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_indices_outside_the_vertices_are_an_error() -> None:
    maker = arm()
    primitive(maker)["indices"] = maker.accessor([0, 1, 6], "uint16")
    with pytest.raises(MalformedFileError, match="/meshes/0/primitives/0/indices: points at vertex 6; there are 6"):
        maker.read()


@given(st.lists(st.lists(st.floats(-1, 4, width=32), min_size=4, max_size=4), min_size=6, max_size=6))
def test_any_weights_become_rows_that_sum_to_one(rows: list[list[float]]) -> None:
    skin = with_attribute("WEIGHTS_0", rows).read().meshes[0].skin
    assert np.allclose(skin.weights.sum(axis=1), 1, atol=1e-6)
    assert np.all(skin.weights >= 0)


def test_sloppy_weights_are_repaired_and_counted() -> None:
    rows = [[1, 0, 0, 0], [2, 2, 0, 0], [0, 0, 0, 0], [np.nan, 1, 0, 0], [-1, 1, 0, 0], [0.5, 0.5, 0, 0]]
    character = with_attribute("WEIGHTS_0", rows).read()
    weights = character.meshes[0].skin.weights
    assert weights.tolist() == [[1, 0], [0.5, 0.5], [1, 0], [0, 1], [0, 1], [0.5, 0.5]]
    assert "negative or no numbers (2×)" in messages(character)
    assert "bound to the first joint of their skin" in messages(character)
    assert "do not sum to one" in messages(character)


def test_normalised_weights_and_two_sets_of_influences() -> None:
    maker = with_attribute("WEIGHTS_0", [[255, 0, 0, 0]] * 6, "uint8", normalized=True)
    assert np.all(maker.read().meshes[0].skin.weights[:, 0] == 1)
    primitive(maker)["attributes"]["JOINTS_1"] = maker.accessor([[1, 0, 0, 0]] * 6, "uint16")
    primitive(maker)["attributes"]["WEIGHTS_1"] = maker.accessor([[1, 0, 0, 0]] * 6)
    skin = maker.read().meshes[0].skin
    assert skin.influences == 2
    assert np.allclose(skin.weights, 0.5)
    assert skin.indices[0].tolist() == [0, 1]


def test_joints_outside_the_skin_matter_only_if_they_weigh() -> None:
    harmless = with_attribute("JOINTS_0", [[0, 1, 77, 0]] * 6, "uint8").read()
    assert harmless.meshes[0].skin.indices.max() == 1
    with pytest.raises(MalformedFileError, match="JOINTS_0: points at joint 77 of a skin with 2"):
        with_attribute("JOINTS_0", [[77, 1, 0, 0]] * 6, "uint8").read()


def test_a_skinned_node_without_weights_is_rigid() -> None:
    maker = arm()
    del primitive(maker)["attributes"]["JOINTS_0"]
    character = maker.read()
    assert character.skeleton.names == ("upper", "lower", "strip")
    assert character.meshes[0].skin.joints.tolist() == [2]
    assert "carried by their node" in messages(character)


def test_numbers_that_are_none_are_mended() -> None:
    normals = np.tile([0.0, 0, 2], (6, 1))
    normals[1], normals[3] = np.nan, 0
    character = with_attribute("NORMAL", normals).read()
    assert np.allclose(character.meshes[0].normals, [[0, 0, 1]] * 6)
    assert "normals that are zero or no numbers (2×)" in messages(character)
    uvs = np.zeros((6, 2))
    uvs[0] = np.inf
    assert np.all(np.isfinite(with_attribute("TEXCOORD_0", uvs).read().meshes[0].uvs))


def test_positions_that_are_none() -> None:
    unused = np.array([*STRIP, [np.nan, 0, 0]])
    maker = arm()
    for name, values in (("POSITION", unused), ("NORMAL", [[0, 0, 1]] * 7), ("WEIGHTS_0", [[1, 0, 0, 0]] * 7)):
        primitive(maker)["attributes"][name] = maker.accessor(values)
    primitive(maker)["attributes"]["JOINTS_0"] = maker.accessor([[0, 0, 0, 0]] * 7, "uint8")
    del primitive(maker)["targets"]
    character = maker.read()
    assert "unused vertices whose position is no number" in messages(character)
    assert character.meshes[0].positions[6].tolist() == [0, 0, 0]
    used = np.array(STRIP, float)
    used[5] = np.nan
    character = with_attribute("POSITION", used).read()
    assert "triangles with positions that are not finite numbers were dropped" in messages(character)
    assert len(character.meshes[0].triangles) == 3
    with pytest.raises(MalformedFileError, match="holds no triangle whose positions are finite"):
        with_attribute("POSITION", np.full((6, 3), np.nan)).read()


def test_quantised_positions_keep_their_numbers() -> None:
    maker = with_attribute("POSITION", np.array(STRIP) * 100, "int16")
    assert np.array_equal(maker.read().meshes[0].positions, np.array(STRIP) * 100)
    maker = with_attribute("POSITION", np.array(STRIP) * 127 // 2, "int8", normalized=True)
    assert np.allclose(maker.read().meshes[0].positions, np.array(STRIP) / 2, atol=0.01)


@pytest.mark.parametrize("name", ["NORMAL", "WEIGHTS_0"])
def test_attributes_must_be_as_long_as_the_positions(name: str) -> None:
    width = 3 if name == "NORMAL" else 4
    with pytest.raises(MalformedFileError, match=f"attributes/{name}: has 5 rows for 6 vertices"):
        with_attribute(name, np.ones((5, width))).read()


def test_too_many_vertices_and_shared_meshes() -> None:
    maker = arm()
    maker.json["nodes"] += [{"mesh": 0, "skin": 0}] * 3
    maker.json["scenes"] = [{"nodes": [0, 2, 3, 4, 5]}]
    character = maker.read()
    assert len(character.meshes) == 4
    assert len({id(mesh.positions) for mesh in character.meshes}) == 1
    assert len({mesh.name for mesh in character.meshes}) == 4
    with pytest.raises(LimitError, match="18 vertices; the limit is 17"):
        maker.read(dataclasses.replace(DEFAULT_LIMITS, vertices=17))


def png(color: tuple[int, int, int] = (255, 0, 0)) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (2, 2), color).save(stream, "png")
    return stream.getvalue()


def textured(image: dict[str, Any], **texture: Any) -> Maker:
    maker = with_attribute("TEXCOORD_0", [[0.25, 0.5]] * 6)
    maker.json["images"] = [image]
    maker.json["textures"] = [{"source": 0}]
    maker.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0, **texture}
    return maker


def test_images_inside_embedded_and_beside(tmp_path: Path) -> None:
    inside = textured({})
    inside.json["images"] = [{"bufferView": inside.view(png()), "mimeType": "image/png"}]
    assert inside.read().meshes[0].material.texture == png()
    embedded = textured({"uri": "data:image/png;base64," + base64.b64encode(png()).decode()})
    assert embedded.read().meshes[0].material.texture == png()
    (tmp_path / "a b.png").write_bytes(png())
    assert textured({"uri": "a%20b.png"}).read(path=tmp_path / "x.glb").meshes[0].material.texture == png()


@pytest.mark.parametrize(
    "uri", ["gone.png", "../secret.png", "/etc/hostname", "http://host/x.png", "data:image/png;base64,@@@", "data:x"]
)
def test_textures_that_cannot_be_had_are_no_error(tmp_path: Path, uri: str) -> None:
    character = textured({"uri": uri}).read(path=tmp_path / "x.glb")
    assert character.meshes[0].material.texture is None
    assert "texture /images/0/uri" in messages(character)


def test_texture_transforms_are_applied_to_the_coordinates() -> None:
    moved = {"KHR_texture_transform": {"offset": [0.5, 0.25], "scale": [2, -1]}}
    maker = textured({"uri": "data:image/png;base64," + base64.b64encode(png()).decode()}, extensions=moved)
    assert np.allclose(maker.read().meshes[0].uvs, [[1.0, -0.25]] * 6)


def test_a_wrong_material_is_left_at_its_default() -> None:
    maker = arm()
    maker.json["materials"][0]["pbrMetallicRoughness"] = {"baseColorFactor": [1, 2]}
    character = maker.read()
    assert character.meshes[0].material.name == "clay"
    assert "material: /materials/0/pbrMetallicRoughness/baseColorFactor" in messages(character)


def test_vertex_colors_get_an_alpha() -> None:
    assert with_attribute("COLOR_0", [[0.5, 2, 0]] * 6).read().meshes[0].colors[0].tolist() == [0.5, 1, 0, 1]


def test_buffers_beside_the_file(tmp_path: Path) -> None:
    maker = arm()
    (tmp_path / "arm.bin").write_bytes(bytes(maker.binary))
    document = {**maker.json, "buffers": [{"byteLength": len(maker.binary), "uri": "arm.bin"}]}
    data = json.dumps(document).encode()
    assert len(read(data, tmp_path / "arm.gltf").meshes) == 1
    for uri, message in (
        ("gone.bin", "the file 'gone.bin' is not there"),
        ("../arm.bin", "lies outside its folder"),
        ("file:///etc/passwd", "only files beside it are read"),
        ("data:,abc", "states"),
    ):
        document["buffers"][0]["uri"] = uri
        with pytest.raises(FileError) as caught:
            read(json.dumps(document).encode(), tmp_path / "arm.gltf")
        assert message in str(caught.value)
