"""How a child process hands its result over: plain values as JSON, arrays as raw bytes behind them. Never pickle."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TYPES = {"f8": "d", "f4": "f", "i4": "i"}
"""The kinds of number that `block` makes, and the codes of the `array` module for them."""
SIZES = {"f8": 8, "f4": 4, "f2": 2, "i4": 4}
"""The kinds of number that an array may hold, and the bytes that each takes."""
KEY = "$array"
LENGTH_BYTES = 8


class RefusedError(Exception):
    """The file cannot be read; the message is the line that the user sees.

    Attributes:
        kind: ``malformed`` or ``limit``.
    """

    def __init__(self, kind: str, what: str) -> None:
        self.kind, self.what = kind, what
        super().__init__(what)


@dataclass(frozen=True)
class Block:
    """An array on its way: little-endian numbers of ``kind`` in row-major order."""

    kind: str
    shape: tuple[int, ...]
    data: bytes


def block(kind: str, values: Iterable[float], *tail: int) -> Block:
    """Numbers as an array whose last axes are ``tail``; the first axis is as long as the numbers last.

    Example:
        >>> block("f8", [1, 2, 3, 4, 5, 6], 3).shape
        (2, 3)
    """
    numbers = array(TYPES[kind], values)
    width = 1
    for size in tail:
        width *= size
    return Block(kind, (len(numbers) // width if width else 0, *tail), numbers.tobytes())


def view(kind: str, buffer: Any, *tail: int) -> Block:
    """What supports the buffer protocol as an array, copied without a look at each number."""
    data = bytes(memoryview(buffer))
    width = SIZES[kind]
    for size in tail:
        width *= size
    return Block(kind, (len(data) // width, *tail), data)


def write(path: Path, tree: Any) -> None:
    """Put ``tree`` (dicts, lists, strings, numbers, None and `Block`) into a file."""
    blobs: list[bytes] = []
    offset = 0

    def encode(value: Any) -> Any:
        nonlocal offset
        if not isinstance(value, Block):
            raise TypeError(f"{type(value).__name__} cannot be handed over")
        place, offset = offset, offset + len(value.data)
        blobs.append(value.data)
        return {KEY: [value.kind, list(value.shape), place]}

    header = json.dumps(tree, default=encode).encode("utf-8", "replace")
    with open(path, "wb") as stream:
        stream.write(len(header).to_bytes(LENGTH_BYTES, "little"))
        stream.write(header)
        stream.writelines(blobs)
