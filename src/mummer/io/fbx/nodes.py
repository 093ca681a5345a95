"""The nodes of an FBX scene, checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.errors import MalformedFileError
from mummer.math import quaternion


@dataclass(frozen=True, eq=False)
class Nodes:
    """N nodes; row 0 is the scene's own root, which is nobody's joint.

    Attributes:
        names: N names, not unique, maybe empty.
        kinds: what each carries: ``bone``, ``mesh``, ``empty``, ``camera``, ``light`` or nothing.
        parents: (N,) -1 only for row 0.
        meshes: (N,) index of the mesh that each carries, or -1.
        materials: for each node, the materials that its mesh wears there.
        translations, rotations, scales: (N, 3), (N, 4), (N, 3) of parent_from_node.
        node_from_geometry: (N, 3, 4) where its mesh hangs on it.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    parents: IntArray
    meshes: IntArray
    materials: tuple[tuple[int, ...], ...]
    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray
    node_from_geometry: FloatArray

    @classmethod
    def checked(cls, content: dict[str, Any], path: Path | None) -> Nodes:
        """The nodes as the child tells them.

        Raises:
            MalformedFileError: if a transform is not finite: then the body is not known.
        """
        names, local = tuple(content["names"]), np.asarray(content["local"])
        bad = np.flatnonzero(~np.isfinite(local).all(axis=1) | ~np.isfinite(content["node_from_geometry"]).all((1, 2)))
        if bad.size:
            raise MalformedFileError(path, "has a transform that is not finite", place=f"node {names[bad[0]]!r}")
        return cls(
            names,
            tuple(content["kinds"]),
            np.asarray(content["parents"]),
            np.asarray(content["meshes"]),
            tuple(tuple(row) for row in content["materials"]),
            local[:, :3],
            quaternion.normalize(local[:, 3:7]),
            local[:, 7:],
            np.asarray(content["node_from_geometry"]),
        )

    def __len__(self) -> int:
        return len(self.names)
