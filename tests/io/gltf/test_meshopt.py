"""Meshopt streams: what meshoptimizer compressed comes back, and damage is found without leaving the arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.io.gltf import meshopt
from mummer.io.gltf.meshopt_filters import FILTERS
from tests.io.gltf.meshopt_streams import Job, compressed, plain_attributes, plain_triangles

RANDOM = np.random.default_rng(7)
CORNERS = np.array([0, 1, 2, 2, 1, 3, 900, 5, 3, 70_000, 1, 0])


def elements(count: int, stride: int, kind: str) -> np.ndarray:
    """(count, stride) bytes: noise, a slow wave of floats, or all the same."""
    if kind == "noise":
        return RANDOM.integers(0, 256, (count, stride), np.uint8)
    wave = np.sin(np.arange(count)[:, None] / 40 + np.arange(stride // 4)) * (kind == "wave") + 1
    return wave.astype("<f4").view(np.uint8)


def attribute_jobs() -> list[Job]:
    sizes = [(1, 4), (16, 4), (17, 8), (255, 12), (256, 16), (257, 20), (700, 64), (130, 256)]
    return [
        Job(elements(count, stride, kind), stride, version=version, level=level)
        for count, stride in sizes
        for kind in ("noise", "wave", "still")
        for version, level in ((0, 2), (1, 0), (1, 1), (1, 3))
    ]


def grid_corners(width: int) -> np.ndarray:
    """The corners of a sheet of triangles, row by row, so that most share an edge with one before."""
    low = (np.arange(width - 1)[:, None] * width + np.arange(width - 1)).reshape(-1, 1)
    return (low + np.array([0, 1, width, width, 1, width + 1])).ravel()


def index_jobs() -> list[Job]:
    noise = RANDOM.integers(0, 5000, 600)
    lists = [grid_corners(20), noise, np.concatenate([grid_corners(5), grid_corners(5)]), np.arange(3)]
    return [
        Job(corners.astype(f"<u{size}"), size, mode)
        for corners in lists
        for size in (2, 4)
        for mode in ("TRIANGLES", "INDICES")
    ]


def as_sets(corners: np.ndarray) -> list[list[int]]:
    """Triangles, each beginning with its least corner: their order is kept, where they begin is not."""
    return [np.roll(row, -int(np.argmin(row))).tolist() for row in corners.reshape(-1, 3)]


def test_elements_come_back_as_they_were() -> None:
    for job, content, plain in compressed(attribute_jobs()):
        found = meshopt.decode_attributes(content, len(job.source), job.stride)
        assert np.array_equal(found, job.source), (job.source.shape, job.version, job.level)
        assert np.array_equal(found.ravel(), plain)


def test_indices_come_back_as_they_were() -> None:
    for job, content, plain in compressed(index_jobs()):
        decode = meshopt.decode_triangles if job.mode == "TRIANGLES" else meshopt.decode_indices
        found = decode(content, len(job.source))
        assert np.array_equal(found, plain.view(job.source.dtype))
        if job.mode == "INDICES":
            assert np.array_equal(found, job.source)
        else:
            assert as_sets(found) == as_sets(job.source)


def unit(count: int, width: int) -> np.ndarray:
    vectors = RANDOM.normal(size=(count, width))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("<f4")


@pytest.mark.parametrize(
    ("name", "stride", "bits", "dtype", "source"),
    [
        ("OCTAHEDRAL", 4, 8, "<i1", unit(300, 4)),
        ("OCTAHEDRAL", 8, 12, "<i2", unit(300, 4)),
        ("QUATERNION", 8, 12, "<i2", unit(300, 4)),
        ("QUATERNION", 8, 16, "<i2", unit(300, 4)),
        ("EXPONENTIAL", 12, 15, "<i4", RANDOM.normal(size=(300, 3)).astype("<f4") * 1e3),
        ("COLOR", 4, 7, "<u1", RANDOM.random((300, 4)).astype("<f4")),
        ("COLOR", 8, 14, "<u2", RANDOM.random((300, 4)).astype("<f4")),
    ],
)
def test_filters_are_undone_to_the_last_unit(name: str, stride: int, bits: int, dtype: str, source: Any) -> None:
    ((_, content, plain),) = compressed([Job(source, stride, version=1, filter=name, bits=bits)])
    undo, strides = FILTERS[name]
    found = undo(meshopt.decode_attributes(content, len(source), stride))
    assert stride in strides
    theirs = plain.view(dtype).reshape(len(source), -1).astype(np.int64)
    assert np.abs(found.view(dtype).astype(np.int64) - theirs).max() <= (0 if name == "EXPONENTIAL" else 1)


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("value", [0, 1, 127, 128, 255])
def test_values_that_filters_do_not_define_give_finite_ones(name: str, value: int) -> None:
    undo, strides = FILTERS[name]
    found = undo(np.full((3, strides[0]), value, np.uint8))
    assert found.nbytes == 3 * strides[0]
    assert np.isfinite(found).all()


def test_plain_streams() -> None:
    wave = elements(300, 12, "wave")
    assert np.array_equal(meshopt.decode_attributes(np.frombuffer(plain_attributes(wave), np.uint8), 300, 12), wave)
    content = np.frombuffer(plain_triangles(CORNERS), np.uint8)
    assert np.array_equal(meshopt.decode_triangles(content, len(CORNERS)), CORNERS)


STREAMS = {
    "elements": (plain_attributes(elements(20, 8, "wave")), lambda content: meshopt.decode_attributes(content, 20, 8)),
    "elements 1": (b"\xa1" + bytes(range(200)), lambda content: meshopt.decode_attributes(content, 20, 8)),
    "triangles": (plain_triangles(CORNERS), lambda content: meshopt.decode_triangles(content, 12)),
    "indices": (b"\xd1" + bytes(range(1, 50)), lambda content: meshopt.decode_indices(content, 12)),
}


@given(
    st.sampled_from(sorted(STREAMS)), st.integers(1, 300), st.lists(st.tuples(st.integers(0, 300), st.integers(0, 255)))
)
def test_damage_never_leads_out_of_the_stream(name: str, length: int, damage: list[tuple[int, int]]) -> None:
    content, decode = STREAMS[name]
    data = np.frombuffer(content[:length], np.uint8).copy()
    for place, value in damage:
        data[place % len(data)] = value
    kept = {unpack: unpack.at for unpack in (meshopt.unpack_deltas, meshopt.unpack_indices, meshopt.unpack_triangles)}
    try:
        for unpack in kept:  # the plain functions: numpy raises IndexError where compiled code would read on
            unpack.at = lambda _, function=unpack.function: function
        decode(data)
    except meshopt.MeshoptError:
        pass
    finally:
        for unpack, at in kept.items():
            unpack.at = at


@pytest.mark.parametrize(
    ("decode", "content", "message"),
    [
        (meshopt.decode_attributes, b"\xa2" + bytes(60), "begin with 0xa2, expected 0xa0 or 0xa1"),
        (meshopt.decode_attributes, b"\xa0" + bytes(60), "end too early or too late"),
        (meshopt.decode_attributes, b"\xa1" + bytes(22), "end too early or too late"),
        (meshopt.decode_triangles, b"\xe0" + bytes(60), "begin with 0xe0, expected 0xe1"),
        (meshopt.decode_triangles, b"\xe1" + bytes(16), "end too early"),
        (meshopt.decode_triangles, b"\xe1\x00" + bytes(16), "end too early or too late"),
        (meshopt.decode_triangles, b"\xe1\xff" + b"\xf0" * 16, "not defined"),
        (meshopt.decode_indices, b"\xd1" + b"\xff" * 9, "end too early or too late"),
    ],
)
def test_damaged_streams_say_what_is_wrong(decode: Any, content: bytes, message: str) -> None:
    sizes = (3, 4) if decode is meshopt.decode_attributes else (3,)
    with pytest.raises(meshopt.MeshoptError, match=message):
        decode(np.frombuffer(content, np.uint8), *sizes)
