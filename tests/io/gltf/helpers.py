"""Small glTF documents made by hand, so that the reader is judged by something it did not write."""

from __future__ import annotations

import copy
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from mummer.character import Character
from mummer.io.gltf import read
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits

Json = dict[str, Any]
COMPONENT = {"int8": 5120, "uint8": 5121, "int16": 5122, "uint16": 5123, "uint32": 5125, "float32": 5126}
KIND = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Maker:
    """A document in the making: a dictionary and the bytes of its one buffer."""

    def __init__(self) -> None:
        self.json: Json = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "nodes": []}
        self.binary = bytearray()

    def view(self, content: bytes, **fields: Any) -> int:
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.json["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(content), **fields}
        )
        self.binary += content
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values: Any, dtype: str = "float32", **fields: Any) -> int:
        array = np.asarray(values, dtype)
        rows = array.reshape(len(array), -1)
        described = {
            "bufferView": self.view(rows.tobytes()),
            "componentType": COMPONENT[dtype],
            "count": len(rows),
            "type": KIND[rows.shape[1]],
        }
        self.json["accessors"].append({**described, **fields})
        return len(self.json["accessors"]) - 1

    def glb(self) -> bytes:
        document = copy.deepcopy(self.json)
        if self.binary:
            document["buffers"] = [{"byteLength": len(self.binary)}]
        for key in ("accessors", "bufferViews"):
            if not document.get(key):
                document.pop(key, None)
        return glb(json.dumps(document).encode(), bytes(self.binary))

    def read(self, limits: ReadLimits = DEFAULT_LIMITS, path: Path | None = None) -> Character:
        return read(self.glb(), path, limits)


def glb(text: bytes, binary: bytes | None) -> bytes:
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text
    if binary:
        binary += b"\0" * (-len(binary) % 4)
        body += struct.pack("<II", len(binary), 0x004E4942) + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


def inverse_binds(heights: list[float]) -> np.ndarray:
    """Column-major inverse binds of joints that stand upright at the given heights."""
    matrices = np.tile(np.eye(4), (len(heights), 1, 1))
    matrices[:, 1, 3] = [-height for height in heights]
    return matrices.transpose(0, 2, 1).reshape(-1, 16)


STRIP = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 2, 0], [1, 2, 0]]
TRIANGLES = [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]
WEIGHTS = [[1, 0, 0, 0]] * 2 + [[0.5, 0.5, 0, 0]] * 2 + [[0, 1, 0, 0]] * 2
QUARTER = [0.0, 0.0, float(np.sqrt(0.5)), float(np.sqrt(0.5))]


def arm() -> Maker:
    """Two joints one metre apart, a strip bound to both with one morph target, and one animation that bends it."""
    maker = Maker()
    maker.json.update(
        scene=0,
        scenes=[{"nodes": [0, 2]}],
        nodes=[
            {"name": "upper", "children": [1]},
            {"name": "lower", "translation": [0, 1, 0]},
            {"name": "strip", "mesh": 0, "skin": 0},
        ],
        skins=[{"joints": [0, 1], "inverseBindMatrices": maker.accessor(inverse_binds([0, 1]))}],
        materials=[{"name": "clay", "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 0.125, 1]}}],
    )
    bulge = np.zeros((6, 3))
    bulge[2:4, 2] = 0.25
    maker.json["meshes"] = [
        {
            "name": "strip",
            "primitives": [
                {
                    "attributes": {
                        "POSITION": maker.accessor(STRIP, min=[0, 0, 0], max=[1, 2, 0]),
                        "NORMAL": maker.accessor([[0, 0, 1]] * 6),
                        "JOINTS_0": maker.accessor([[0, 1, 0, 0]] * 6, "uint8"),
                        "WEIGHTS_0": maker.accessor(WEIGHTS),
                    },
                    "indices": maker.accessor(TRIANGLES, "uint16"),
                    "targets": [{"POSITION": maker.accessor(bulge, min=[0, 0, 0], max=[0, 0, 0.25])}],
                    "material": 0,
                }
            ],
            "extras": {"targetNames": ["bulge"]},
        }
    ]
    times = maker.accessor([0, 0.5, 1], min=[0], max=[1])
    maker.json["animations"] = [
        {
            "name": "bend",
            "samplers": [
                {"input": times, "output": maker.accessor([[0, 0, 0, 1], QUARTER, [0, 0, 0, 1]])},
                {"input": times, "output": maker.accessor([0, 1, 0.5]), "interpolation": "STEP"},
            ],
            "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 2, "path": "weights"}},
            ],
        }
    ]
    return maker


def primitive(maker: Maker) -> Json:
    """The one primitive of `arm`."""
    return maker.json["meshes"][0]["primitives"][0]


def messages(character: Character) -> str:
    """The report in one string."""
    return str(character.report)
