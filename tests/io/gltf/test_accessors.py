"""Accessors: every layout the format allows, and every way in which one can lie."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import LimitError, MalformedFileError
from mummer.io.gltf import accessors, container
from mummer.io.gltf.reading import Reading
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.report import ReportBuilder
from tests.io.gltf.helpers import COMPONENT, Maker


def reading_of(maker: Maker, limits: ReadLimits = DEFAULT_LIMITS) -> Reading:
    report = ReportBuilder()
    chunks = container.split(maker.glb(), None, report)
    return Reading(container.decode(chunks.text, None, report), chunks, None, limits, report)


DTYPES = st.sampled_from(sorted(COMPONENT))


@given(st.integers(0, 2**31), DTYPES, st.integers(1, 4), st.integers(1, 6), st.integers(0, 3), st.integers(0, 5))
def test_packed_and_strided_values_are_the_same(
    seed: int, dtype: str, width: int, count: int, gap: int, lead: int
) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 100, (count, width)).astype(dtype)
    size = values.dtype.itemsize * width
    stride = size + gap
    content = bytearray(lead + stride * (count - 1) + size)
    for row in range(count):
        content[lead + row * stride : lead + row * stride + size] = values[row].tobytes()
    maker = Maker()
    packed = maker.accessor(values, dtype)
    strided = maker.accessor(values, dtype, byteOffset=lead)
    maker.json["accessors"][strided]["bufferView"] = maker.view(bytes(content), byteStride=stride)
    reading = reading_of(maker)
    kind = maker.json["accessors"][packed]["type"]
    assert np.array_equal(accessors.read_floats(reading, packed, kind), values.astype(np.float32))
    found = accessors.read_floats(reading, strided, kind)
    assert np.array_equal(found, values.astype(np.float32))
    assert found.flags.aligned
    assert not found.flags.writeable


@pytest.mark.parametrize(
    ("dtype", "stored", "expected"),
    [
        ("uint8", [0, 255, 51], [0, 1, 0.2]),
        ("int8", [-128, -127, 127], [-1, -1, 1]),
        ("uint16", [0, 65535, 13107], [0, 1, 0.2]),
        ("int16", [-32768, 32767, 0], [-1, 1, 0]),
    ],
)
def test_normalised_integers(dtype: str, stored: list[int], expected: list[float]) -> None:
    maker = Maker()
    index = maker.accessor(np.array(stored)[:, None], dtype, normalized=True)
    reading = reading_of(maker)
    assert np.allclose(accessors.read_floats(reading, index, "SCALAR")[:, 0], expected, atol=1e-7)
    assert np.array_equal(accessors.read_integers(reading, index, "SCALAR")[:, 0], stored)


def test_columns_of_small_matrices_are_padded() -> None:
    maker = Maker()
    content = bytes([1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8])  # two MAT2 of bytes, the last column unpadded
    index = maker.accessor([[0]], "uint8", type="MAT2", count=2)
    maker.json["accessors"][index]["bufferView"] = maker.view(content + b"\0\0")
    found = accessors.read_integers(reading_of(maker), index, "MAT2")
    assert found.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]


@pytest.mark.parametrize("with_base", [True, False])
def test_sparse_rows_are_exchanged(with_base: bool) -> None:
    maker = Maker()
    index = maker.accessor(np.arange(12).reshape(4, 3))
    if not with_base:
        del maker.json["accessors"][index]["bufferView"]
    maker.json["accessors"][index]["sparse"] = {
        "count": 2,
        "indices": {"bufferView": maker.view(np.array([1, 3], "<u2").tobytes()), "componentType": 5123},
        "values": {"bufferView": maker.view(np.full((2, 3), 9, "<f4").tobytes())},
    }
    expected = np.arange(12.0).reshape(4, 3) if with_base else np.zeros((4, 3))
    expected[[1, 3]] = 9
    assert np.array_equal(accessors.read_floats(reading_of(maker), index, "VEC3"), expected)


def sparse(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "count": 1,
        "indices": {"bufferView": 1, "componentType": 5121},
        "values": {"bufferView": 0},
    }
    return {**fields, **changes}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": 1000}, "/accessors/0: needs 12,000 bytes of buffer view 0, which has 48"),
        ({"count": 10**15}, "asks for more than"),
        ({"count": 0}, "/accessors/0/count: is 0; expected a whole number of at least 1"),
        ({"count": -1}, "/accessors/0/count: is -1"),
        ({"count": True}, "/accessors/0/count: is True"),
        ({"count": "4"}, "/accessors/0/count: is '4'"),
        ({"byteOffset": 4}, "needs 52 bytes of buffer view 0, which has 48"),
        ({"byteOffset": -4}, "/accessors/0/byteOffset: is -4"),
        ({"componentType": 5124}, "/accessors/0/componentType: is 5124; expected one of [5120"),
        ({"componentType": [5126]}, "/accessors/0/componentType: is a list"),
        ({"type": "VEC5"}, "/accessors/0/type: is 'VEC5'; expected one of SCALAR"),
        ({"type": "VEC4"}, "/accessors/0: needs 64 bytes"),
        ({"type": "VEC2"}, "/accessors/0: is VEC2 of component type 5126; expected VEC3 of numbers"),
        ({"bufferView": 7}, "/accessors/0/bufferView: points at buffer view 7; there are 2"),
        ({"bufferView": "x"}, "/accessors/0/bufferView: is 'x'; expected the number of a buffer view"),
        ({"sparse": []}, "/accessors/0/sparse: is a list; expected an object"),
        ({"sparse": sparse(count=5)}, "/accessors/0/sparse/count: is 5; the accessor has only 4"),
        ({"sparse": sparse(indices={"bufferView": 1, "componentType": 5126})}, "unsigned whole numbers"),
        (
            {"sparse": sparse(indices={"bufferView": 1, "componentType": 5121, "byteOffset": 1})},
            "points at element 200",
        ),
        ({"sparse": sparse(values={})}, "/accessors/0/sparse/values: names no buffer view"),
    ],
)
def test_lies_about_accessors(changes: dict[str, Any], message: str) -> None:
    maker = Maker()
    index = maker.accessor(np.zeros((4, 3)), **changes)
    maker.view(bytes([0, 200]))
    with pytest.raises((MalformedFileError, LimitError)) as caught:
        accessors.read_floats(reading_of(maker), index, "VEC3")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"byteLength": 10**9}, "/bufferViews/0: covers bytes 0 to 1,000,000,000 of a buffer of 48"),
        ({"byteOffset": 44}, "covers bytes 44 to 92"),
        ({"byteLength": 0}, "/bufferViews/0/byteLength: is 0"),
        ({"buffer": 1}, "/bufferViews/0/buffer: points at buffer 1; there are 1"),
        ({"byteStride": 8}, "/accessors/0: has elements of 12 bytes, which lie only 8 apart"),
        ({"byteStride": -12}, "/bufferViews/0/byteStride: is -12"),
    ],
)
def test_lies_about_views(changes: dict[str, Any], message: str) -> None:
    maker = Maker()
    index = maker.accessor(np.zeros((4, 3)))
    maker.json["bufferViews"][0].update(changes)
    with pytest.raises(MalformedFileError) as caught:
        accessors.read_floats(reading_of(maker), index, "VEC3")
    assert message in str(caught.value)


def test_small_files_cannot_ask_for_much_memory() -> None:
    maker = Maker()
    limits = dataclasses.replace(DEFAULT_LIMITS, values=1000)
    indices = [maker.accessor([[0.0]], count=300) for _ in range(4)]
    for index in indices:
        del maker.json["accessors"][index]["bufferView"]
    reading = reading_of(maker, limits)
    for index in indices[:3]:
        assert len(accessors.read_floats(reading, index, "SCALAR")) == 300
    with pytest.raises(LimitError, match="asks for more than 1,000 numbers in all"):
        accessors.read_floats(reading, indices[3], "SCALAR")


def test_whole_numbers_must_not_be_floats() -> None:
    maker = Maker()
    index = maker.accessor([[0.0]])
    with pytest.raises(MalformedFileError, match="expected SCALAR of whole numbers"):
        accessors.read_integers(reading_of(maker), index, "SCALAR")
