"""From generalised places to places of one body, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.general.modes.affine import rest_map, toward_map
from mummer.general.modes.boundary import boundary_map
from mummer.general.modes.mode import PositionMode
from mummer.general.modes.reach import reach_map
from mummer.general.modes.site import FLIP, Site, site_of
from mummer.general.modes.target import Target
from mummer.general.physique import Physique


class PositionMap(Protocol):
    """One joint of one body: both ways between what is meant and where that is. Each is the inverse of the other."""

    def specialize(self, general: FloatArray) -> FloatArray:
        """(T, 3) places in character space, metres, from (T, 3) generalised coordinates."""
        ...

    def generalize(self, places: FloatArray) -> FloatArray:
        """(T, 3) generalised coordinates from (T, 3) places in character space, metres."""
        ...


def position_map(
    physique: Physique,
    joint: int,
    mode: PositionMode,
    *,
    mirror: bool = False,
    target: Target | None = None,
    offset: FloatArray | None = None,
) -> PositionMap:
    """The map of one joint under one mode.

    Args:
        physique: the body.
        joint: which of its joints.
        mode: what about the movement matters.
        mirror: whether a movement made for the left side is to be played on the right.
        target: what the mode moves toward (see `rest_target`), at the T moments that the map will be asked for, or
            one moment for all.
        offset: (3,) metres from the joint, in its own frame, to the point of its part that is meant, such as
            ``part_volume(character, hand).middle`` for the palm; the joint itself if None.

    Raises:
        InputError: if the mode needs a target, or the surface of one, that is not there.

    Example:
        >>> import mummer as mm, numpy as np
        >>> from mummer.general import physique_of
        >>> from mummer.general.modes import PositionMode, position_map
        >>> adult = physique_of(mm.zoo.body("adult"))
        >>> hand = adult.anatomy.joint("left_hand")
        >>> onto_ground = position_map(adult, hand, PositionMode(ground=True))
        >>> float(onto_ground.specialize(np.array([[0.0, 1.0, 0.0]]))[0, 1])
        0.0
    """
    if mode.toward is not None and target is None:
        raise InputError(f"a position mode moves toward {mode.toward.capability!r} but no target was given")
    if mode.boundary is not None and (target is None or target.surface is None):
        raise InputError("a position mode follows a boundary but its target has no surface")
    site = site_of(physique, joint, target, offset)
    return Mirrored(_plain(site.mirrored(), mode)) if mirror else _plain(site, mode)


def _plain(site: Site, mode: PositionMode) -> PositionMap:
    if mode.boundary is not None:
        return boundary_map(site, mode.boundary)
    if mode.reach:
        return reach_map(site, aims=mode.toward is not None)
    return rest_map(site, mode) if mode.toward is None else toward_map(site, mode)


@dataclass(frozen=True, eq=False)
class Mirrored:
    """The map of a body seen in a mirror, its places mirrored back."""

    plain: PositionMap

    def specialize(self, general: FloatArray) -> FloatArray:
        """See `PositionMap.specialize`."""
        return self.plain.specialize(general) * FLIP

    def generalize(self, places: FloatArray) -> FloatArray:
        """See `PositionMap.generalize`."""
        return self.plain.generalize(places * FLIP)
