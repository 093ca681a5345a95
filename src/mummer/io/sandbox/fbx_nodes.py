"""The nodes of an FBX scene."""

from __future__ import annotations

from typing import Any

import ufbx

from .fbx_values import each, keep, matrices, transform
from .transfer import block

KINDS = {
    int(ufbx.ElementType.BONE): "bone",
    int(ufbx.ElementType.MESH): "mesh",
    int(ufbx.ElementType.EMPTY): "empty",
    int(ufbx.ElementType.CAMERA): "camera",
    int(ufbx.ElementType.STEREO_CAMERA): "camera",
    int(ufbx.ElementType.CAMERA_SWITCHER): "camera",
    int(ufbx.ElementType.LIGHT): "light",
}


def read_nodes(scene: Any) -> dict[str, Any]:
    """Names, parents, local transforms and what hangs on each node; row 0 is the scene's own root."""
    nodes = each(scene.nodes)
    return {
        "names": [node.name for node in nodes],
        "parents": block("i4", (_index(keep(node.parent)) for node in nodes)),
        "kinds": [KINDS.get(int(node.attrib_type), "") for node in nodes],
        "meshes": block("i4", (_index(keep(node.mesh)) for node in nodes)),
        "materials": [[keep(material).typed_id for material in keep(node.materials)] for node in nodes],
        "local": block("f8", (number for node in nodes for number in transform(keep(node.local_transform))), 10),
        "node_from_geometry": matrices(keep(node.geometry_to_node) for node in nodes),
    }


def _index(element: Any) -> int:
    return -1 if element is None else int(element.typed_id)
