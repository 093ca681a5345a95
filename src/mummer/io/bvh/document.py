"""What a BVH file says, as it says it: nodes with offsets and channels in the file's own axes and units."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray

CHANNEL_NAMES = tuple(f"{axis}{kind}" for kind in ("position", "rotation", "scale") for axis in "XYZ")
"""Every channel that is understood."""

SHORT_NAMES = {name[:4].lower(): name for name in CHANNEL_NAMES}
"""``xpos``, ``yrot`` ...: every name is known by its first four letters, in any case."""


@dataclass(frozen=True)
class Node:
    """One ROOT, JOINT or End Site.

    Attributes:
        name: as the file spells it; empty for an End Site.
        parent: index of the node it hangs from, -1 for a root.
        offset: from its parent, in the file's units and axes.
        channels: names as in `CHANNEL_NAMES`; one that is not understood is an empty string.
        is_end: whether it is an End Site.
    """

    name: str
    parent: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()
    is_end: bool = False

    @property
    def rotation_order(self) -> str:
        """The axes of its rotation channels in order, for instance ``ZXY``."""
        return "".join(channel[0] for channel in self.channels if channel.endswith("rotation"))

    @property
    def has_position(self) -> bool:
        """Whether it has any position channel."""
        return any(channel.endswith("position") for channel in self.channels)


@dataclass(frozen=True)
class Document:
    """A whole file.

    Attributes:
        nodes: every node, parents before children, in the order of the file.
        values: (T, C) one row a frame, one column a channel in the order of the nodes.
        frame_time: seconds from a frame to the next.
    """

    nodes: tuple[Node, ...]
    values: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    frame_time: float = 1 / 30

    @property
    def channel_count(self) -> int:
        """How many channels all nodes have together."""
        return sum(len(node.channels) for node in self.nodes)

    @property
    def first_columns(self) -> list[int]:
        """The column of each node's first channel."""
        columns, place = [], 0
        for node in self.nodes:
            columns.append(place)
            place += len(node.channels)
        return columns

    @property
    def parents(self) -> list[int]:
        """The parent of each node."""
        return [node.parent for node in self.nodes]

    @property
    def offsets(self) -> FloatArray:
        """(J, 3) the offset of each node."""
        return np.array([node.offset for node in self.nodes], np.float64).reshape(-1, 3)
