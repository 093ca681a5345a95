"""The nodes of a document as a tree, proven to be one: no loops, no second parents, not too deep."""

from __future__ import annotations

from dataclasses import dataclass

from mummer.errors import LimitError
from mummer.io import guard
from mummer.io.gltf.reading import Reading

COMMON_ROOT = "common root"
"""The mark, in a node's ``extras.mummer``, of a node added only because a skin needs one root above its joints."""


@dataclass(frozen=True)
class Tree:
    """How N nodes hang together.

    Attributes:
        parents: parent of each node, -1 for a root.
        children: children of each node, in the file's order.
        order: all nodes, each after its parent: depth first, the default scene first.
        in_scene: whether each node belongs to some scene.
        added: nodes that this project's writer put above several roots; they are no joints.
    """

    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    in_scene: tuple[bool, ...]
    added: frozenset[int]


def read_tree(reading: Reading) -> Tree:
    """The tree of nodes.

    Raises:
        FileError: if there are no nodes, or too many, or they do not form a tree.
    """
    count = reading.count("nodes")
    if not count:
        raise reading.root.error("has no nodes: there is no body in it")
    guard.require_at_most(reading.path, count, reading.limits.joints, "nodes")
    nodes = reading.elements("nodes")
    children = tuple(tuple(node.indices("children", count, "node")) for node in nodes)
    parents = _parents(reading, children)
    starts = _scene_roots(reading, count)
    order = _depth_first(reading, children, starts, parents)
    reached = _below(children, starts) if starts else set(order)
    added = frozenset(index for index, node in enumerate(nodes) if _mark(node.raw.get("extras")) == COMMON_ROOT)
    return Tree(parents, children, order, tuple(node in reached for node in range(count)), added)


def _mark(extras: object) -> object:
    return extras.get("mummer") if isinstance(extras, dict) else None


def _parents(reading: Reading, children: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    parents = [-1] * len(children)
    for parent, below in enumerate(children):
        for place, child in enumerate(below):
            if parents[child] >= 0:
                raise reading.element("nodes", parent).error(
                    f"is node {child}, which already hangs from node {parents[child]}", f"children/{place}"
                )
            parents[child] = parent
    return tuple(parents)


def _scene_roots(reading: Reading, count: int) -> list[int]:
    """The nodes that scenes start from, those of the default scene first."""
    scenes = reading.elements("scenes")
    chosen = reading.root.index("scene", len(scenes), "scene") or 0
    ordered = scenes[chosen : chosen + 1] + scenes[:chosen] + scenes[chosen + 1 :]
    return list(dict.fromkeys(node for scene in ordered for node in scene.indices("nodes", count, "node")))


def _depth_first(
    reading: Reading, children: tuple[tuple[int, ...], ...], starts: list[int], parents: tuple[int, ...]
) -> tuple[int, ...]:
    roots = [node for node in starts if parents[node] < 0]
    started = set(roots)
    roots += [node for node in range(len(children)) if parents[node] < 0 and node not in started]
    order: list[int] = []
    pending = [(root, 1) for root in reversed(roots)]
    while pending:
        node, depth = pending.pop()
        if depth > reading.limits.depth:
            raise LimitError(
                reading.path, f"is more than {reading.limits.depth:,} nodes below its root", place=f"/nodes/{node}"
            )
        order.append(node)
        pending.extend((child, depth + 1) for child in reversed(children[node]))
    if len(order) != len(children):
        looping = min(set(range(len(children))) - set(order))
        raise reading.element("nodes", looping).error("hangs from itself: the nodes form a loop")
    return tuple(order)


def _below(children: tuple[tuple[int, ...], ...], starts: list[int]) -> set[int]:
    found: set[int] = set()
    pending = list(starts)
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending.extend(children[node])
    return found


def with_descendants(tree: Tree, nodes: set[int]) -> set[int]:
    """The nodes and everything below them."""
    return _below(tree.children, list(nodes))


def with_ancestors(tree: Tree, nodes: set[int]) -> set[int]:
    """The nodes and everything above them."""
    found: set[int] = set()
    for node in nodes:
        while node >= 0 and node not in found:
            found.add(node)
            node = tree.parents[node]
    return found
