"""Decoding of meshopt-compressed buffer views, as KHR_meshopt_compression and EXT_meshopt_compression define them.

The three kinds of streams are told apart by the extension, not by their content: elements of any kind as differences
of bytes (mode ATTRIBUTES), triangles by the edges and corners they share with recent ones (TRIANGLES), and
plain indices (INDICES). What lies outside a damaged stream is never read: its decoder says that it failed.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from mummer.kernels import compiled
from mummer.kernels.arguments import Argument, Count

Bytes = npt.NDArray[np.uint8]
Stream = Annotated[Bytes, Argument("uint8", 1)]
Deltas = Annotated[Bytes, Argument("uint8", 2, written=True)]
Indices = Annotated[npt.NDArray[np.uint32], Argument("uint32", 1, written=True)]
Numbers = Annotated[npt.NDArray[np.int64], Argument("int64", 1, written=True)]

GROUP = 16  # elements that are packed together
LATEST = 16  # edges and corners that a stream of triangles refers to
MASK = 0xFFFFFFFF
AT, END, NEXT, LAST, EDGES, CORNERS = range(6)  # the state of a stream; AT beyond END: it failed


class MeshoptError(ValueError):
    """The stream is damaged, or of a version that is not defined."""


def decode_attributes(content: Bytes, count: int, stride: int) -> Bytes:
    """The (count, stride) bytes of elements, ``stride`` being a multiple of 4 up to 256.

    Raises:
        MeshoptError: if the stream is damaged.
    """
    version = int(content[0]) - 0xA0
    if version not in (0, 1):
        raise MeshoptError(f"elements begin with {content[0]:#x}, expected 0xa0 or 0xa1")
    channels = stride // 4 if version else 0
    end = len(content) - max(stride + channels, 24 if version else 32)
    tail = content[len(content) - stride - channels :]
    deltas = np.zeros((stride, -(-count // GROUP) * GROUP), np.uint8)
    if end < 1 or unpack_deltas.at("float64")(content, end, version, count, deltas) != end:
        raise MeshoptError("the elements end too early or too late")
    modes = tail[stride:] if version else np.zeros(stride // 4, np.uint8)
    return _summed(deltas[:, :count], tail[:stride], modes)


def _summed(deltas: Bytes, first: Bytes, modes: Bytes) -> Bytes:
    """(count, stride) elements from (stride, count) differences, the element before the first, (stride/4,) modes."""
    elements = np.empty(deltas.shape[::-1], np.uint8)
    for channel, mode in enumerate(modes.tolist()):
        bytes_of = slice(4 * channel, 4 * channel + 4)
        kind, turn = mode & 15, mode >> 4
        if kind > 2 or (turn and kind < 2):
            raise MeshoptError(f"channel mode {mode} is not defined")
        words = np.ascontiguousarray(np.ascontiguousarray(deltas[bytes_of].T).view(("<u1", "<u2", "<u4")[kind]).T)
        start = first[bytes_of].view(words.dtype)[:, None]
        if kind == 2:
            words = (words >> np.uint32(turn)) | (words << np.uint32(32 - turn)) if turn else words
            whole = np.bitwise_xor.accumulate(words, axis=1) ^ start
        else:
            whole = np.cumsum((words >> 1) ^ -(words & 1), axis=1, dtype=words.dtype) + start
        elements[:, bytes_of] = np.ascontiguousarray(whole.T).view(np.uint8)
    return elements


@compiled
def unpack_deltas(content: Stream, end: Count, version: Count, count: Count, deltas: Deltas) -> Any:
    """Fill (stride, groups * 16) differences that were zero; the place after them, past ``end`` if some are missing."""
    stride = len(deltas)
    block = min((8192 // stride) & ~15, 256)
    at = 1
    for start in range(0, count, block):
        size = min(block, count - start)
        controls = at
        at += version * (stride // 4)
        for byte in range(stride):
            if at > end:
                return at
            kind = (int(content[controls + byte // 4]) >> (2 * (byte % 4))) & 3 if version == 1 else 4
            if kind == 3:
                if at + size > end:
                    return end + 1
                deltas[byte, start : start + size] = content[at : at + size]
                at += size
            elif kind != 2:
                at = _groups(content, at, end, kind, (size + 15) // 16, deltas[byte, start:])
    return at


def _groups(content: Bytes, at: int, end: int, kind: int, groups: int, deltas: Bytes) -> int:
    """Unpack groups of 16 differences, two bits for each group before them; where the next byte of elements begins."""
    heads = at
    at += (groups + 3) // 4
    for group in range(groups):
        if at > end:
            return at
        header = (int(content[heads + group // 4]) >> (2 * (group % 4))) & 3
        width = (1 << header) >> (kind == 0)  # bits of a packed difference, 8 for plain bytes
        if kind == 1 or header > 0:
            at = _group(content, at, end, width, deltas[16 * group :])
    return at


def _group(content: Bytes, at: int, end: int, width: int, deltas: Bytes) -> int:
    """Unpack 16 differences; those with all bits set follow as whole bytes. Returns where the next group begins."""
    extra = at + 2 * width
    if extra > end:
        return end + 1
    for place in range(16):
        bit = place * width
        shift = bit % 8 if width == 1 else 8 - width - bit % 8
        value = (int(content[at + bit // 8]) >> shift) & ((1 << width) - 1)
        if width < 8 and value == (1 << width) - 1:
            if extra >= end:
                return end + 1
            value = int(content[extra])
            extra += 1
        deltas[place] = value
    return extra


def decode_triangles(content: Bytes, count: int) -> npt.NDArray[np.uint32]:
    """(count,) corners of triangles, ``count`` being a multiple of 3.

    Raises:
        MeshoptError: if the stream is damaged.
    """
    table = content[-LATEST:]
    state = _state(content, 0xE1, 1 + count // 3, LATEST)
    if (table & 15 == 15).any() or (table >> 4 == 15).any():
        raise MeshoptError("the table of the triangles refers to what is not defined")
    return _decoded(unpack_triangles, content, count, state, np.zeros(2 * LATEST, np.int64), np.zeros(LATEST, np.int64))


def decode_indices(content: Bytes, count: int) -> npt.NDArray[np.uint32]:
    """(count,) indices.

    Raises:
        MeshoptError: if the stream is damaged.
    """
    return _decoded(unpack_indices, content, count, _state(content, 0xD1, 1, 4), np.zeros(2, np.int64))


def _state(content: Bytes, header: int, start: int, tail: int) -> npt.NDArray[np.int64]:
    if content[0] != header:
        raise MeshoptError(f"indices begin with {content[0]:#x}, expected {header:#x}")
    if start > len(content) - tail:
        raise MeshoptError("the indices end too early")
    return np.array([start, len(content) - tail, 0, 0, 0, 0])


def _decoded(unpack: Any, content: Bytes, count: int, state: Any, *memory: Any) -> npt.NDArray[np.uint32]:
    indices = np.zeros(count, np.uint32)
    unpack.at("float64")(content, state, *memory, indices)
    if state[AT] != state[END]:
        raise MeshoptError("the indices end too early or too late")
    return indices


@compiled
def unpack_indices(content: Stream, state: Numbers, last: Numbers, indices: Indices) -> Any:
    """Fill indices, each told from one of two that came before."""
    for place in range(len(indices)):
        value = _number(content, state)
        half = value >> 2
        last[value & 1] = (last[value & 1] + (~half if value & 2 else half)) & MASK
        indices[place] = last[value & 1]


@compiled
def unpack_triangles(content: Stream, state: Numbers, edges: Numbers, corners: Numbers, indices: Indices) -> Any:
    """Fill the corners of triangles, each told by one byte and what that byte asks for."""
    for triangle in range(len(indices) // 3):
        high, low = int(content[1 + triangle]) >> 4, int(content[1 + triangle]) & 15
        if high < 15:
            place = 2 * ((state[EDGES] - 1 - high) & 15)
            if high >= state[EDGES]:
                state[AT] = state[END] + 1
            a, b = edges[place], edges[place + 1]
            if low == 13 or low == 14:
                state[LAST] = (state[LAST] + 2 * low - 27) & MASK
                c = state[LAST]
            else:
                c = _corner(content, state, corners, low, low)
            if low == 0 or low >= 13:
                _push_corner(state, corners, c)
        else:
            asked = int(content[state[END] + low]) if low < 14 else _byte(content, state)
            if low >= 14 and asked == 0:
                state[NEXT] = 0
            a = _corner(content, state, corners, 15 if low == 15 else 0, 0)
            b = _corner(content, state, corners, asked >> 4, (asked >> 4) - 1)
            c = _corner(content, state, corners, asked & 15, (asked & 15) - 1)
            _push_edge(state, edges, b, a)
            _push_corner(state, corners, a)
            if asked >> 4 == 0 or asked >> 4 == 15:
                _push_corner(state, corners, b)
            if asked & 15 == 0 or asked & 15 == 15:
                _push_corner(state, corners, c)
        _push_edge(state, edges, c, b)
        _push_edge(state, edges, a, c)
        indices[3 * triangle], indices[3 * triangle + 1], indices[3 * triangle + 2] = a, b, c


def _corner(content: Bytes, state: Any, corners: Any, code: int, back: int) -> int:
    """A corner: the next one for code 0, told by a difference for 15, else the one ``back`` before the latest."""
    if code == 0:
        state[NEXT] = (state[NEXT] + 1) & MASK
        return (state[NEXT] - 1) & MASK
    if code == 15:
        value = _number(content, state)
        half = value >> 1
        state[LAST] = (state[LAST] + (~half if value & 1 else half)) & MASK
        return state[LAST]
    if back >= state[CORNERS]:
        state[AT] = state[END] + 1
    return corners[(state[CORNERS] - 1 - back) & 15]


def _push_corner(state: Any, corners: Any, corner: int) -> None:
    corners[state[CORNERS] & 15] = corner
    state[CORNERS] += 1


def _push_edge(state: Any, edges: Any, start: int, stop: int) -> None:
    place = 2 * (state[EDGES] & 15)
    edges[place], edges[place + 1] = start, stop
    state[EDGES] += 1


def _byte(content: Bytes, state: Any) -> int:
    """The next byte of the stream; past its end zeros, and the stream has failed."""
    if state[AT] >= state[END]:
        state[AT] = state[END] + 1
        return 0
    state[AT] += 1
    return int(content[state[AT] - 1])


def _number(content: Bytes, state: Any) -> int:
    """A number of 32 bits, stored seven bits a byte."""
    value = 0
    for shift in range(0, 35, 7):
        byte = _byte(content, state)
        value |= (byte & 127) << shift
        if byte < 128:
            return value & MASK
    state[AT] = state[END] + 1
    return 0
