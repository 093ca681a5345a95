"""From channels to joint transforms and back, in the file's own axes and units."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.io.bvh.document import Document
from mummer.math import euler, quaternion

_BLOCK = 128


@dataclass(frozen=True)
class Group:
    """Nodes that have the same channels, so that they are converted together.

    Attributes:
        nodes: (n,) their indices.
        columns: (n, c) the column of each channel.
        channels: the c names.
    """

    nodes: IntArray
    columns: IntArray
    channels: tuple[str, ...]

    def places(self, kind: str) -> list[int]:
        """Which of the channels are of a kind: ``position``, ``rotation`` or ``scale``."""
        return [place for place, name in enumerate(self.channels) if name.endswith(kind)]


def groups(document: Document) -> list[Group]:
    """The nodes that have channels, grouped by what these are."""
    members: dict[tuple[str, ...], list[int]] = {}
    for index, node in enumerate(document.nodes):
        if node.channels:
            members.setdefault(node.channels, []).append(index)
    first = np.array(document.first_columns)
    return [
        Group(np.array(nodes), first[nodes][:, None] + np.arange(len(channels)), channels)
        for channels, nodes in members.items()
    ]


def rotations(document: Document) -> tuple[IntArray, FloatArray]:
    """The nodes that have rotation channels (n,), increasing, and their rotations (T, n, 4).

    A rotation is the product of turns about the node's own axes in the order of the channels.
    """
    columns: dict[str, list[IntArray]] = {}
    nodes: dict[str, list[IntArray]] = {}
    for group in groups(document) if len(document.values) else ():
        places = group.places("rotation")
        if places:
            order = "".join(group.channels[place][0] for place in places)
            columns.setdefault(order, []).append(group.columns[:, places])
            nodes.setdefault(order, []).append(group.nodes)
    parts = []
    for order in columns:
        joined, joints = np.concatenate(columns[order]), np.concatenate(nodes[order])
        sequence = np.argsort(joints)
        parts.append((joints[sequence], _turned(document.values, joined[sequence].T, order)))
    return _merged(parts, len(document.values), 4)


def vectors(document: Document, kind: str) -> tuple[IntArray, FloatArray]:
    """The nodes that have channels of a kind (n,), increasing, and their values (T, n, 3), NaN where not given."""
    parts = []
    for group in groups(document):
        places = group.places(kind)
        if places:
            values = np.full((len(document.values), len(group.nodes), 3), np.nan)
            for place in places:
                values[:, :, "XYZ".index(group.channels[place][0])] = document.values[:, group.columns[:, place]]
            parts.append((group.nodes, values))
    return _merged(parts, len(document.values), 3)


def is_order(axes: str) -> bool:
    """Whether ``axes`` are one to three turns of which no neighbors are about the same axis."""
    return axes in euler.ORDERS and axes.isupper()


def angles(rotation: FloatArray, order: str) -> FloatArray | None:
    """(T, ..., k) degrees of rotations (T, ..., 4) in an order of k axes without jumps; None if out of reach."""
    if not is_order(order):
        return None
    radians = euler.continuous_euler(euler.to_euler(rotation, order), order)
    if len(order) < 3 and not np.all(quaternion.equal_rotations(euler.from_euler(radians, order), rotation, 1e-7)):
        return None
    degrees: FloatArray = np.rad2deg(radians)
    return degrees


def _turned(values: FloatArray, columns: IntArray, order: str) -> FloatArray:
    """(T, n, 4) rotations of the angles in (k, n) columns of the values (T, C), T at least 1.

    In recordings a good part of the joints never turns: these are converted once. The others are converted in blocks
    of frames that stay in the processor's cache.
    """
    still = np.all(np.all(values == values[:1], axis=0)[columns], axis=0)
    rotations = np.empty((len(values), columns.shape[1], 4))
    rotations[:, still] = _product(_planes(values[:1], columns[:, still]), order)
    moving = np.flatnonzero(~still)
    for start in range(0, len(values) if len(moving) else 0, _BLOCK):
        block = slice(start, start + _BLOCK)
        rotations[block, moving] = _product(_planes(values[block], columns[:, moving]), order)
    return rotations


def _planes(values: FloatArray, columns: IntArray) -> FloatArray:
    """(k, T, n) one plane for each angle: trigonometry runs faster over contiguous memory."""
    return np.stack([values[:, column] for column in columns])


def _product(degrees: FloatArray, order: str) -> FloatArray:
    """(T, n, 4) rotations of (k, T, n) angles in any order, even one that repeats an axis."""
    if order in euler.ORDERS:
        return euler.from_euler_degrees(np.moveaxis(degrees, 0, -1), order)
    turns = [euler.from_euler_degrees(angle[..., None], axis) for angle, axis in zip(degrees, order, strict=True)]
    return functools.reduce(quaternion.multiply, turns)


def _merged(parts: list[tuple[IntArray, FloatArray]], frames: int, width: int) -> tuple[IntArray, FloatArray]:
    if not parts:
        return np.zeros(0, np.int64), np.zeros((frames, 0, width))
    if len(parts) == 1:
        return parts[0]
    nodes = np.concatenate([nodes for nodes, _ in parts])
    order = np.argsort(nodes)
    values = np.empty((frames, len(nodes), width))
    place = np.empty(len(nodes), np.int64)
    place[order] = np.arange(len(nodes))
    start = 0
    for part, rows in parts:
        values[:, place[start : start + len(part)]] = rows
        start += len(part)
    return nodes[order], values
