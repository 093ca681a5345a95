"""The limits that every reader keeps: how much a file may ask for before it is refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReadLimits:
    """How much a file may ask for. The defaults suit any real character and keep a hostile file under 1 GiB.

    Attributes:
        file_bytes: size of one file, side files included one by one.
        joints: nodes of the hierarchy.
        depth: nodes from a root to a leaf.
        vertices: vertices of all meshes together.
        values: numbers in any one array (frames times joints times components, say).
        images_bytes: bytes of images that are kept for pictures.
        seconds: time for readers that run in a child process.
        child_bytes: address space of such a child.
    """

    file_bytes: int = 512 * 2**20
    joints: int = 65_536
    depth: int = 4_096
    vertices: int = 8_000_000
    values: int = 64_000_000
    images_bytes: int = 64 * 2**20
    seconds: float = 60.0
    child_bytes: int = 4 * 2**30


DEFAULT_LIMITS = ReadLimits()
