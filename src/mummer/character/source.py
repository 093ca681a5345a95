"""Where a character came from: the file's own axes, units and rate, and what of it we keep untouched."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Source:
    """The file behind a character.

    Attributes:
        format: ``glb``, ``gltf``, ``vrm``, ``bvh``, ``fbx``, ``usd``, ``sk``, ``skm``, ``zoo`` ...
        path: the file, if there was one.
        up: the file's up axis, for instance ``+Z``; ours is ``+Y``.
        front: the file's stated forward axis, or an empty string if it states none.
        metres_per_unit: what one unit of the file is in metres.
        frame_rate: frames a second that the file states, or None.
        details: what the format knows beyond our types (VRM humanoid map, expressions, spring bones, names ...).
        document: the format's own data, kept so that writing back changes only what we changed.
    """

    format: str
    path: Path | None = None
    up: str = "+Y"
    front: str = ""
    metres_per_unit: float = 1.0
    frame_rate: float | None = None
    details: dict[str, Any] = field(default_factory=dict)
    document: Any = field(default=None, repr=False)
