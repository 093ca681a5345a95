"""Things that can be touched, taken, carried and put down."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.posed import Posed
from mummer.character import Character, deform
from mummer.errors import InputError, UnknownNameError
from mummer.ik.volume.skin_points import carriers
from mummer.kept import kept
from mummer.kernels.scalars import Three

FORMS = ("ball", "box", "cup")


@dataclass(eq=False)
class Thing:
    """Something in the world.

    Attributes:
        place: (3,) metres, its middle.
        form: ``ball``, ``box`` or ``cup``, which stands upright and is held from the side.
        size: metres across.
        height: metres from its bottom to its top; as its size if None.
        rotation: (4,) world_from_thing.
        holder: whose hand has it, or None.
    """

    place: FloatArray
    form: str = "ball"
    size: float = 0.08
    height: float | None = None
    rotation: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, 0.0, 1.0]))
    holder: object | None = None

    def __post_init__(self) -> None:
        self.place = np.asarray(self.place, np.float64).copy()
        if self.form not in FORMS:
            raise UnknownNameError("a thing", "form", self.form, FORMS)
        tall = self.size if self.height is None else self.height
        if self.place.shape != (3,) or not np.isfinite(self.place).all() or not (self.size > 0 and tall > 0):
            raise InputError(
                f"a thing {self.size} m across is at {self.place}; expected a place (3,) and a positive size"
            )

    def __call__(self) -> Three:
        """Where its middle is now."""
        x, y, z = self.place.tolist()
        return x, y, z

    @property
    def radius(self) -> float:
        """Metres from its middle to where a palm touches it."""
        return 0.5 * self.size

    def distances(self, places: FloatArray) -> FloatArray:
        """(N,) metres of places (N, 3) from its surface, below 0 inside. A box is taken for the ball around it."""
        away = places - self.place
        if self.form != "cup":
            return np.asarray(np.linalg.norm(away, axis=-1) - self.radius)
        up = 0.5 * (self.size if self.height is None else self.height)
        level, above = np.hypot(away[:, 0], away[:, 2]) - self.radius, np.abs(away[:, 1]) - up
        outside = np.hypot(np.maximum(level, 0.0), np.maximum(above, 0.0))
        return np.asarray(outside + np.minimum(np.maximum(level, above), 0.0))


CORNERS = np.array([(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)]) / 6.0
"""(28, 3) where triangles are looked at, by how much of each corner."""


def skin_gap(posed: Posed, joint: int, thing: Thing) -> float | None:
    """Metres from the skin that a joint carries to a thing, below 0 if it is inside; None where there is no skin."""
    faces = _faces(posed.character, joint)
    if not any(len(each) for each in faces):
        return None
    bent = deform(posed.character, posed.to_pose(), with_normals=False)
    least = [
        float(thing.distances(np.einsum("ck,fkx->fcx", CORNERS, shape.positions[each]).reshape(-1, 3)).min())
        for shape, each in zip(bent, faces, strict=True)
        if len(each)
    ]
    return min(least)


@kept
def _faces(character: Character, joint: int) -> tuple[FloatArray, ...]:
    """Of each mesh, (F, 3) the triangles that a joint carries."""
    return tuple(mesh.triangles[(carriers(mesh) == joint)[mesh.triangles].all(axis=1)] for mesh in character.meshes)
