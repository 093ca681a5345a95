"""Morph targets: one name for all shapes that always move together, whichever mesh they belong to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.io.gltf.channels import Channel
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading
from mummer.io.gltf.tree import Tree


@dataclass(frozen=True)
class MorphNode:
    """The shapes of one node that shows a mesh.

    Attributes:
        names: the name of each shape, unique within the node.
        weights: how much of each is blended in when nothing moves.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]


def read_morph_nodes(reading: Reading, tree: Tree, motions: dict[int, list[Channel]]) -> dict[int, MorphNode]:
    """The shapes of every node of a scene whose mesh has some.

    A weight belongs to a node in the file and to a name in a character. Nodes whose shapes have the same name share it
    if their weights never differ, as face and teeth do; where they differ, the later one gets a name of its own.

    Args:
        reading: the reading this is part of.
        tree: how the nodes hang together.
        motions: the channels that drive the weights of each node.
    """
    result: dict[int, MorphNode] = {}
    behavior_by_name: dict[str, object] = {}
    for index, node in enumerate(reading.elements("nodes")):
        mesh = node.index("mesh", reading.count("meshes"), "mesh")
        if mesh is None or not tree.in_scene[index]:
            continue
        element = reading.element("meshes", mesh)
        count = _target_count(element)
        if count:
            weights = _weights(reading, node, element, count)
            behaviors = [_behavior(motions.get(index, []), weights, target) for target in range(count)]
            names = _shared_names(
                _names(element, mesh, count), behaviors, behavior_by_name, node.name() or f"node{index}"
            )
            result[index] = MorphNode(names, weights)
    return result


def _target_count(mesh: Element) -> int:
    return max((len(part.items("targets")) for part in mesh.children("primitives")), default=0)


def _names(mesh: Element, index: int, count: int) -> list[str]:
    """What the file calls the shapes, in the place where most tools write it, else numbered after the mesh."""
    holders = [mesh, *mesh.children("primitives")]
    lists = [
        extras.get("targetNames") for extras in (each.raw.get("extras") for each in holders) if isinstance(extras, dict)
    ]
    given = next((names for names in lists if isinstance(names, list) and len(names) >= count), [])
    label = mesh.name() or f"mesh{index}"
    return [
        given[place]
        if place < len(given) and isinstance(given[place], str) and given[place]
        else f"{label}.morph{place}"
        for place in range(count)
    ]


def _weights(reading: Reading, node: Element, mesh: Element, count: int) -> tuple[float, ...]:
    holder = node if "weights" in node else mesh
    if len(holder.items("weights")) not in (0, count):
        reading.report.add("ignored", "morph weights that are not as many as the morph targets")
        return (0.0,) * count
    return tuple(holder.numbers("weights", count, (0.0,) * count) if holder.items("weights") else [0.0] * count)


def _behavior(channels: list[Channel], weights: tuple[float, ...], target: int) -> object:
    """Something equal for two shapes exactly when their weights are the same at all times."""
    moves = []
    for channel in channels:
        keys = _keys(channel, len(weights), target)
        if not _stands_still(channel, keys, weights[target]):
            moves.append((channel.animation, channel.interpolation, channel.times.tobytes(), keys.tobytes()))
    return weights[target], tuple(moves)


def _keys(channel: Channel, count: int, target: int) -> FloatArray:
    """The keys of one shape of a node; all of them where they do not fit the shapes."""
    values = channel.values
    return values.reshape(-1, count)[:, target] if len(values) % count == 0 else values


def _stands_still(channel: Channel, keys: FloatArray, weight: float) -> bool:
    """Whether keys only repeat the weight that the node has anyway."""
    if channel.interpolation == "cubic":
        tangents = np.concatenate([keys[0::3], keys[2::3]])
        return bool(np.all(keys[1::3] == np.float32(weight)) and not tangents.any())
    return bool(np.all(keys == np.float32(weight)))


def _shared_names(
    names: list[str], behaviors: list[object], behavior_by_name: dict[str, object], node: str
) -> tuple[str, ...]:
    chosen: list[str] = []
    for name, behavior in zip(names, behaviors, strict=True):
        unique, number = name, 1
        while unique in chosen or behavior_by_name.get(unique, behavior) != behavior:
            unique = f"{name}@{node}" if number == 1 else f"{name}@{node}#{number}"
            number += 1
        behavior_by_name[unique] = behavior
        chosen.append(unique)
    return tuple(chosen)
