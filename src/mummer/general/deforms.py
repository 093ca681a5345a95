"""Deforms: hands, mouths, lids and faces that open, close and smile, by joints or by morphs. Zero is always rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import find_face
from mummer.character.limits import HINGE, PIVOT
from mummer.general.context_space import in_zones
from mummer.general.fingers import Curl, curls_of
from mummer.general.physique import Physique
from mummer.kept import kept
from mummer.kernels import quaternions

FACES: dict[str, tuple[str, ...]] = {
    "blink": ("eye_blink",),
    "squint": ("eye_squint",),
    "wide": ("eye_wide",),
    "smile": ("mouth_smile",),
    "frown": ("mouth_frown",),
    "brow_up": ("brow_outer_up",),
    "brow_down": ("brow_down",),
}
"""Deforms that are expressions of a face, on the side of the part that has them, or on both."""
DEFORMS = ("open", *FACES)
"""``open`` opens a mouth, hand or eye from rest, 0, to wide open, 1, and closes a hand or eye at -1."""
JAW_USED, JAW_UNKNOWN = 0.85, np.radians(25)
"""How much of what a jaw can do is wide open; and wide open where nothing is known."""


class Curls(NamedTuple):
    """N joints that turn together: (N,) which, (N, 3) about what, and (N,) radians when wide open and when closed."""

    joints: IntArray
    axes: FloatArray
    opened: FloatArray
    closed: FloatArray


@dataclass(frozen=True, eq=False)
class Deformer:
    """What moves when a deform of a part is 1, and when it is -1.

    Attributes:
        curls: joints that turn; None if there are none.
        morphs: morphs and their weight at 1; less than 0 of them is nothing.
        closing: morphs and their weight at -1.
    """

    curls: Curls | None = None
    morphs: tuple[int, ...] = ()
    closing: tuple[int, ...] = ()


@kept
def deformer_of(physique: Physique, joint: int, name: str) -> Deformer:
    """What moves for one deform of one part; nothing if the body cannot show it."""
    if name != "open":
        return Deformer(morphs=_expressions(physique, joint, FACES[name]))
    able = physique.anatomy.capabilities
    if joint in able.get("eye", ()):
        return Deformer(morphs=_expressions(physique, joint, ("eye_wide",)), closing=_expressions(
            physique, joint, ("eye_blink",)))  # fmt: skip
    if joint in (*able.get("mouth", ()), *able.get("jaw", ()), *able.get("head", ())):
        return _mouth(physique, joint)
    return Deformer(curls=_together(curls_of(physique, joint)))


def _together(curls: Sequence[Curl]) -> Curls | None:
    """The curls of a part, to be done at once; None if there are none."""
    if not curls:
        return None
    return Curls(
        np.array([curl.joint for curl in curls], np.int64),
        np.array([curl.axis for curl in curls], np.float64),
        np.array([curl.opened for curl in curls]),
        np.array([curl.closed for curl in curls]),
    )


def _expressions(physique: Physique, joint: int, names: tuple[str, ...]) -> tuple[int, ...]:
    """The morphs of expressions on the side of ``joint``, on both for a part on the middle."""
    face = find_face(physique.character)
    sides = [side for side in ("left", "right") if in_zones(physique, [joint], (side,), None)]
    wanted = [f"{name}_{side}" for name in names for side in sides]
    found = [driver.morph for name in wanted for driver in face.drivers.get(name, ()) if driver.morph is not None]
    return tuple(dict.fromkeys(found))


def _mouth(physique: Physique, joint: int) -> Deformer:
    """The jaws of a mouth or head; the morph of an open mouth where there are none."""
    parents = physique.character.skeleton.parents
    jaws = [
        jaw for jaw in physique.anatomy.capabilities.get("jaw", ()) if jaw == joint or int(parents[jaw]) == joint
    ]  # fmt: skip
    if jaws:
        return Deformer(curls=_together([_jaw(physique, jaw) for jaw in jaws]))
    drivers = find_face(physique.character).drivers.get("jaw_open", ())
    return Deformer(morphs=tuple(driver.morph for driver in drivers if driver.morph is not None))


def _jaw(physique: Physique, jaw: int) -> Curl:
    """A jaw opens the way it can turn farther, or downwards where nothing is known."""
    limits = physique.character.limits
    if limits is not None and limits.kinds[jaw] in (HINGE, PIVOT):
        low, high = limits.ranges[jaw]
        return Curl(jaw, limits.axes[jaw], float(JAW_USED * (high if high >= -low else low)), 0.0)
    axis = quaternions.rotate(quaternions.conjugate(physique.rotations[jaw]), np.array([1.0, 0.0, 0.0]))
    return Curl(jaw, axis, float(JAW_UNKNOWN), 0.0)
