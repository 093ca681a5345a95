"""What both versions of VRM share: lenient access, since a wrong reference there does not make the body unknowable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mummer.io.gltf.morphs import MorphNode
from mummer.io.gltf.reading import Reading


@dataclass(frozen=True)
class References:
    """How numbers in VRM data are told in our terms.

    Attributes:
        by_node: joint of each node that is one.
        morph_nodes: the shapes of each node.
        nodes_of_mesh: the nodes that show each mesh.
    """

    by_node: dict[int, int]
    morph_nodes: dict[int, MorphNode]
    nodes_of_mesh: dict[int, list[int]]


def mapping(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listing(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; whatever else stands there is skipped."""
    return [each for each in listing(value) if isinstance(each, dict)]


def node_number(reading: Reading, value: Any) -> int | None:
    """A node that exists, or None, with a finding if the number is wrong (-1 means none)."""
    if type(value) is int and 0 <= value < reading.count("nodes"):
        return value
    if value is not None and value != -1:
        reading.report.add("ignored", "VRM references to nodes that are not there")
    return None


def joint(reading: Reading, references: References, value: Any) -> int | None:
    """The joint of a node number, or None."""
    node = node_number(reading, value)
    return None if node is None else references.by_node.get(node)


def number(value: Any, default: float) -> float:
    """The value if it is a number, else ``default``."""
    return float(value) if type(value) in (int, float) and abs(value) < 1e30 else default


def vector(value: Any, default: tuple[float, float, float]) -> tuple[float, float, float]:
    """Three numbers from a list or from an object with x, y and z."""
    parts = [value.get(axis) for axis in "xyz"] if isinstance(value, dict) else listing(value)
    if len(parts) != 3:
        return default
    return number(parts[0], default[0]), number(parts[1], default[1]), number(parts[2], default[2])


def humanoid(reading: Reading, references: References, pairs: list[tuple[Any, Any]]) -> dict[str, int]:
    """VRM bone name → joint; a name given twice keeps its first joint."""
    found: dict[str, int] = {}
    for name, node in pairs:
        carrier = joint(reading, references, node)
        if not isinstance(name, str) or carrier is None:
            continue
        if name in found:
            reading.report.add("ignored", f"a second joint for the VRM bone {name[:40]!r}")
            continue
        found[name] = carrier
    return found
