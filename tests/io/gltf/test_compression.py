"""Compressed meshes: decoded where the libraries are there, left out and told where not."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer.errors import FileError
from tests.io.gltf.helpers import STRIP, TRIANGLES, WEIGHTS, Maker, arm, messages, primitive
from tests.io.gltf.meshopt_streams import plain_attributes, plain_triangles


def draco_arm() -> Maker:
    """The arm with its strip in Draco compression."""
    draco = pytest.importorskip("DracoPy")
    maker = arm()
    content = draco.encode(
        np.array(STRIP, np.float32),
        np.array(TRIANGLES, np.uint32).reshape(-1, 3),
        quantization_bits=20,
        preserve_order=True,
        generic_attributes={7: np.tile([0, 1, 0, 0], (6, 1)).astype(np.uint8), 8: np.array(WEIGHTS, np.float32)},
    )
    part = primitive(maker)
    del part["targets"], part["attributes"]["NORMAL"], maker.json["animations"]
    for index in (*part["attributes"].values(), part["indices"]):
        del maker.json["accessors"][index]["bufferView"]
    part["extensions"] = {
        "KHR_draco_mesh_compression": {
            "bufferView": maker.view(content),
            "attributes": {"POSITION": 9, "JOINTS_0": 7, "WEIGHTS_0": 8},
        }
    }
    return maker


def meshopt_view(maker: Maker, plain: np.ndarray, kind: str, **fields: Any) -> int:
    """A view whose content is compressed; the plain bytes are nowhere in the file."""
    stored = maker.view(plain_attributes(plain) if kind == "ATTRIBUTES" else plain_triangles(plain.tolist()))
    stride = plain.dtype.itemsize * (plain.shape[1] if plain.ndim > 1 else 1)
    source = maker.json["bufferViews"][stored]
    compressed = {**source, "byteStride": stride, "count": len(plain), "mode": kind, **fields}
    maker.json["bufferViews"].append(
        {"buffer": 0, "byteLength": plain.nbytes, "extensions": {"EXT_meshopt_compression": compressed}}
    )
    return len(maker.json["bufferViews"]) - 1


def meshopt_arm(**fields: Any) -> Maker:
    maker = arm()
    part = primitive(maker)
    accessors = maker.json["accessors"]
    positions = np.array(STRIP, np.float32)
    accessors[part["attributes"]["POSITION"]]["bufferView"] = meshopt_view(maker, positions, "ATTRIBUTES", **fields)
    accessors[part["indices"]]["bufferView"] = meshopt_view(maker, np.array(TRIANGLES, np.uint16), "TRIANGLES")
    return maker


def as_sets(triangles: np.ndarray) -> list[list[int]]:
    return sorted(np.roll(row, -int(np.argmin(row))).tolist() for row in triangles)


def test_draco_meshes_are_decoded() -> None:
    character = draco_arm().read()
    (mesh,) = character.meshes
    assert np.allclose(mesh.positions, STRIP, atol=1e-5)
    assert as_sets(mesh.triangles) == as_sets(np.array(TRIANGLES).reshape(-1, 3))
    assert np.allclose(mesh.skin.weights, np.array(WEIGHTS)[:, :2])
    assert not character.report


def test_meshopt_views_are_decoded() -> None:
    (mesh,) = meshopt_arm().read().meshes
    assert np.array_equal(mesh.positions, STRIP)
    assert as_sets(mesh.triangles) == as_sets(np.array(TRIANGLES).reshape(-1, 3))


def test_without_the_library_the_mesh_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = draco_arm()
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    character = maker.read()
    assert character.meshes == ()
    assert len(character.skeleton) == 2
    assert "needs the extra 'compressed'" in messages(character)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda accessors, part: accessors[part["indices"]].update(count=9), "more than the document states"),
        (
            lambda accessors, part: accessors[part["attributes"]["POSITION"]].update(count=60),
            "other numbers of vertices",
        ),
    ],
)
def test_draco_sizes_must_be_those_of_the_document(change: Any, message: str) -> None:
    maker = draco_arm()
    change(maker.json["accessors"], primitive(maker))
    character = maker.read()
    assert character.meshes == ()
    assert message in messages(character)


@pytest.mark.parametrize("fields", [{"mode": "X"}, {"filter": "X"}, {"filter": "QUATERNION"}, {"byteStride": 6}])
def test_meshopt_settings_that_do_not_exist(fields: dict[str, Any]) -> None:
    character = meshopt_arm(**fields).read()
    assert character.meshes == ()
    assert "meshopt compression does not have" in messages(character)


@settings(max_examples=150, deadline=None)
@given(st.booleans(), st.integers(0, 10_000), st.integers(0, 255))
def test_damaged_content_never_does_more_than_leave_the_mesh_out(draco: bool, place: int, value: int) -> None:
    maker = draco_arm() if draco else meshopt_arm()
    stored = [view for view in maker.json["bufferViews"] if "byteOffset" in view]
    view = stored[-1 - (not draco) * (place % 2)]
    maker.binary[view["byteOffset"] + place // 2 % view["byteLength"]] = value
    try:
        character = maker.read()
    except FileError:
        return
    assert len(character.skeleton) == 2
