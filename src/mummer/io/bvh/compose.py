"""From a baked body to what a BVH file says about it, in the file's axes and units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.io.axes import AxisChange
from mummer.io.bvh import channels
from mummer.io.bvh.bake import Baked
from mummer.io.bvh.conventions import Conventions
from mummer.io.bvh.document import Document, Node
from mummer.io.bvh.layout import Layout


def in_file_axes(baked: Baked, conventions: Conventions) -> Baked:
    """The body in the axes and units of the file."""
    axes, units = AxisChange(conventions.up), 1 / conventions.metres_per_unit
    return Baked(
        axes.undo_vectors(baked.offsets) * units,
        axes.undo_rotations(baked.rotations),
        axes.undo_vectors(baked.translations) * units,
    )


def compose(
    names: Sequence[str],
    parents: IntArray,
    baked: Baked,
    layout: Layout,
    conventions: Conventions,
    *,
    frame_time: float = 1 / 30,
) -> Document:
    """The document, its nodes in the order of the text: each joint followed by everything that hangs from it.

    Args:
        names: J names, safe to write.
        parents: (J,) index of each parent.
        baked: the body in the axes and units of the file.
        layout: channels and End Sites.
        conventions: what position channels mean.
        frame_time: seconds from a frame to the next.
    """
    order = _depth_first(parents)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    nodes = tuple(
        Node(
            "" if layout.is_end[joint] else names[joint],
            int(place[parents[joint]]) if parents[joint] >= 0 else -1,
            tuple(baked.offsets[joint].tolist()),
            layout.channels[joint],
            layout.is_end[joint],
        )
        for joint in order.tolist()
    )
    document = Document(nodes, np.zeros((len(baked.rotations), 0)), frame_time)
    values = np.zeros((len(baked.rotations), document.channel_count))
    _fill(values, document, baked, order, conventions)
    return Document(nodes, values, frame_time)


def _fill(values: FloatArray, document: Document, baked: Baked, order: IntArray, conventions: Conventions) -> None:
    """Write every channel into its column of ``values``."""
    for group in channels.groups(document):
        joints = order[group.nodes]
        turning, moving = group.places("rotation"), group.places("position")
        if turning:
            axes = "".join(group.channels[column][0] for column in turning)
            degrees = channels.angles(baked.rotations[:, joints], axes)
            assert degrees is not None, "the layout chose channels that cannot hold the motion"
            for place, column in enumerate(turning):
                values[:, group.columns[:, column]] = degrees[..., place]
        if moving:
            is_root = np.array([document.nodes[node].parent < 0 for node in group.nodes])
            adds = np.where(is_root, conventions.root_positions == "add", conventions.joint_positions == "add")
            moved = baked.translations[:, joints] - np.where(adds[:, None], baked.offsets[joints], 0.0)
            for column in moving:
                values[:, group.columns[:, column]] = moved[..., "XYZ".index(group.channels[column][0])]


def _depth_first(parents: IntArray) -> IntArray:
    children: list[list[int]] = [[] for _ in parents]
    pending: list[int] = []
    for joint, parent in enumerate(parents.tolist()):
        (children[parent] if parent >= 0 else pending).append(joint)
    pending.reverse()
    order = []
    while pending:
        joint = pending.pop()
        order.append(joint)
        pending.extend(reversed(children[joint]))
    return np.array(order)
