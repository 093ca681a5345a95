"""The shell of glTF files: chunks and JSON."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import LimitError, MalformedFileError
from mummer.io.gltf import container, read
from mummer.report import ReportBuilder
from tests.io.gltf.helpers import arm, glb, messages


@given(st.binary(max_size=40), st.none() | st.binary(max_size=40), st.lists(st.binary(max_size=9), max_size=3))
def test_join_then_split_gives_the_chunks_back(text: bytes, binary: bytes | None, others: list[bytes]) -> None:
    numbered = tuple((0x1000 + place, content) for place, content in enumerate(others))
    report = ReportBuilder()
    chunks = container.split(container.join(text, binary, numbered), None, report)
    assert bytes(chunks.text).rstrip(b" ") == text.rstrip(b" ")
    if binary is None:
        assert chunks.binary is None
    else:
        assert chunks.binary is not None
        assert bytes(chunks.binary)[: len(binary)] == binary
    assert [kind for kind, _ in chunks.others] == [kind for kind, _ in numbered]
    assert not report.build()


def test_numbers_survive_json_exactly() -> None:
    values = {"a": [0.1, 1e-300, 3, -0.0, 1.0, 2**53 + 1]}
    again = container.decode(container.encode(values), None, ReportBuilder())
    assert again == values
    assert [type(value) for value in again["a"]] == [type(value) for value in values["a"]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"glTF", "header: is cut off after 4 bytes; a .glb file has at least 20"),
        (b"glTF" + struct.pack("<II", 1, 20) + bytes(8), "only version 2 is read"),
        (b"glTF" + struct.pack("<II", 2, 99) + bytes(8), "is cut off: 20 bytes of 99"),
        (b"glTF" + struct.pack("<IIII", 2, 20, 500, 0x4E4F534A), "chunk 0: states 500 bytes, but 0 are left"),
        (b"glTF" + struct.pack("<IIII", 2, 20, 0, 0x004E4942), "does not start with a JSON chunk"),
        (b"[]", "is not a JSON object"),
        (b'{"asset":', "is not valid JSON"),
        (b'{"asset":{"version":"2.0"},"nodes":[{"translation":[NaN,0,0]}]}', "is not valid JSON"),
        (b'{"a":"\xff"}', "is not valid JSON"),
        (b"{}", "is JSON that is no glTF: it has no 'asset'; bring the body as .glb, .fbx, .bvh"),
        (b'{"bones": {}}', "is JSON that describes the bones of a rig, as Blender add-ons keep them, and is no glTF"),
        (b'{"asset":{}}', "/asset/version: is glTF version unknown; only version 2 is read"),
        (b'{"asset":{"version":"1.0"}}', "is glTF version 1.0"),
        (b'{"asset":[]}', "/asset: is a list; expected an object"),
        (b'{"asset":{"version":"2.0"}}', "has no nodes"),
        (b'{"asset":{"version":"2.0"},"nodes":{}}', "/nodes: is an object; expected a list"),
    ],
)
def test_broken_shells(data: bytes, message: str) -> None:
    with pytest.raises(MalformedFileError) as caught:
        read(data)
    assert message in str(caught.value)


def test_deep_nesting_and_many_values_are_refused() -> None:
    with pytest.raises(MalformedFileError, match="nested too deeply"):
        read(b'{"asset":' + b"[" * 100_000)
    with pytest.raises(LimitError, match="values; the limit is"):
        read(b'{"asset":[' + b"0," * (container.MOST_JSON_VALUES + 1))


def test_byte_order_mark_and_trailing_bytes_are_told() -> None:
    marked = read(b'\xef\xbb\xbf{"asset":{"version":"2.0"},"nodes":[{}]}')
    assert "byte order mark" in messages(marked)
    trailing = read(arm().glb() + b"tail!")
    assert "5 bytes after the end" in messages(trailing)


def test_every_cut_of_a_file_is_an_error() -> None:
    data = arm().glb()
    for length in range(0, len(data) - 1, 7):
        with pytest.raises(MalformedFileError):
            read(data[:length])


def test_text_with_trailing_zeros_in_the_chunk_is_read() -> None:
    assert len(read(glb(b'{"asset":{"version":"2.0"},"nodes":[{}]}\0\0', None)).skeleton) == 1
