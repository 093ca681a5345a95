"""What was repaired while reading, kept so that it is repaired in what is written as well."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.io.gltf.builder import VERTICES, Builder
from mummer.io.gltf.fields import Json

Place = tuple[str | int, ...]
"""Where a value stands in a document: ``("nodes", 3, "rotation")``."""


@dataclass
class Mended:
    """Changes to a document that make it say what was read from it.

    Attributes:
        accessors: new content (count, width) of accessors, by number.
        fields: new values by place; None takes the field away, an array becomes a new accessor.
        animations: numbers of animations whose keys are no longer those of the document.
    """

    accessors: dict[int, npt.NDArray[Any]] = field(default_factory=dict)
    fields: dict[Place, Any] = field(default_factory=dict)
    animations: set[int] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.accessors or self.fields or self.animations)

    def applied(self, json: Json, builder: Builder) -> Json:
        """The document with all changes; new data goes to ``builder``, whose lists become those of the document."""
        for number, values in self.accessors.items():
            old = builder.accessors[number]
            target = None if old["type"] == "SCALAR" else VERTICES
            builder.add_array(_stored(values, old), old["type"], target=target, bounds="min" in old)
            builder.accessors[number] = {**_kept(old), **builder.accessors.pop()}
        changed: Json = dict(json)
        if self.accessors or builder.accessors:
            changed |= {"accessors": builder.accessors, "bufferViews": builder.views}
        for place, value in self.fields.items():
            new = builder.add_array(value, "SCALAR") if isinstance(value, np.ndarray) else value
            changed = _put(changed, place, new)
        builder.accessors = changed.get("accessors", builder.accessors)
        return changed


def _kept(accessor: Json) -> Json:
    """What an accessor says beside where its numbers are and what they look like."""
    return {key: value for key, value in accessor.items() if key in ("name", "extras")}


def _stored(values: npt.NDArray[Any], accessor: Json) -> npt.NDArray[Any]:
    """A copy of the values in a type that the accessor's role allows: numbers that were normalised become floats."""
    if values.dtype.kind == "f":
        return np.array(values, np.float32)
    return np.array(values, {5121: np.uint8, 5123: np.uint16}.get(accessor["componentType"], np.uint32))


def _put(container: Any, place: Place, value: Any) -> Any:
    """A copy of the container with the value at a place below it; None takes it away."""
    key, *rest = place
    if rest:
        value = _put(container[key], tuple(rest), value)
    if isinstance(container, list):
        return [value if number == key else each for number, each in enumerate(container)]
    made = {name: each for name, each in container.items() if name != key or value is not None}
    return made if value is None else {**made, key: value}
