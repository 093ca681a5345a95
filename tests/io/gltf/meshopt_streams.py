"""Meshopt streams to decode: written plainly here, and compressed by meshoptimizer where Node is there."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

NODE_FOLDER = Path(__file__).resolve().parents[2] / "node"


def plain_attributes(elements: np.ndarray) -> bytes:
    """A stream of version 0 in which every difference is a whole byte."""
    data = np.ascontiguousarray(elements).view(np.uint8).reshape(len(elements), -1)
    count, stride = data.shape
    steps = np.diff(data, axis=0, prepend=data[:1]).astype(np.int8).astype(np.int16)
    folded = np.where(steps < 0, -2 * steps - 1, 2 * steps).astype(np.uint8)
    stream, block = bytearray([0xA0]), min((8192 // stride) & ~15, 256)
    for start in range(0, count, block):
        for column in folded[start : start + block].T:
            groups = -(-len(column) // 16)
            stream += b"\xff" * -(-groups // 4) + column.tobytes().ljust(16 * groups, b"\0")
    return bytes(stream) + data[0].tobytes().rjust(32, b"\0")


def plain_triangles(corners: Iterable[int]) -> bytes:
    """A stream in which every corner is told by its difference from the one before."""
    numbers, last = list(corners), 0
    data = bytearray()
    for place, corner in enumerate(numbers):
        step, last = corner - last, corner
        rest = -2 * step - 1 if step < 0 else 2 * step
        data += b"\xff" if place % 3 == 0 else b""
        while rest >= 128:
            data.append(rest & 127 | 128)
            rest >>= 7
        data.append(rest)
    return b"\xe1" + b"\xff" * (len(numbers) // 3) + bytes(data) + bytes(16)


@dataclass(frozen=True)
class Job:
    """What to compress, and how."""

    source: np.ndarray
    stride: int
    mode: str = "ATTRIBUTES"
    version: int = 0
    level: int = 2
    filter: str = "NONE"
    bits: int = 0

    def as_json(self) -> dict[str, object]:
        fields = {name: getattr(self, name) for name in ("stride", "mode", "version", "level", "filter", "bits")}
        content = base64.b64encode(self.source.tobytes()).decode()
        return {"source": content, "count": len(self.source), **fields}


def compressed(jobs: list[Job]) -> list[tuple[Job, np.ndarray, np.ndarray]]:
    """Each job with its stream and what meshoptimizer decodes from that, as bytes; skips where it is not there."""
    node = shutil.which("node")
    if node is None or not (NODE_FOLDER / "node_modules" / "meshoptimizer").is_dir():
        pytest.skip("meshoptimizer is not here: run npm ci in tests/node")
    done = subprocess.run(
        [node, "meshopt.mjs"], input=json.dumps([job.as_json() for job in jobs]), cwd=NODE_FOLDER,
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    streams = [
        tuple(np.frombuffer(base64.b64decode(line[key]), np.uint8) for key in ("content", "plain")) for line in answers
    ]
    return [(job, content, plain) for job, (content, plain) in zip(jobs, streams, strict=True)]
