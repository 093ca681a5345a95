"""One call that sends any body along a path: on legs, on its belly, or through the air."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.general.gait.crawling import Crawl, crawl_along, lies_on_belly
from mummer.general.gait.floating import Float, float_along
from mummer.general.gait.gait import Walk, natural_speed, walk_along
from mummer.general.gait.ground import Ground, Heights
from mummer.general.gait.inching import Inch, inch_along, inching_speed
from mummer.general.gait.legs import legs_of
from mummer.general.gait.path import Ends, Heading, Path, path_by_velocity, path_through
from mummer.general.gait.style import StyleLike, make_style
from mummer.general.physique import Physique

Gait: TypeAlias = Walk | Crawl | Inch | Float
Way: TypeAlias = "Path | npt.ArrayLike | Callable[[FloatArray], npt.ArrayLike] | None"
Manner: TypeAlias = Literal["auto", "legs", "crawl", "inch", "float"]
FOLDED = 1.7
"""Bodies whose hind legs are longer by this factor than those in front, and folded at rest, hop."""
STRIDES = 6.0
"""How far a body goes if nobody says how far, in lengths of it."""


def gait(
    physique: Physique,
    *,
    path: Way = None,
    speed: float | None = None,
    style: StyleLike | None = None,
    ground: Heights | Ground | None = None,
    heading: Heading = None,
    duration: float | None = None,
    ends: Ends = "stand",
    manner: Manner = "auto",
) -> Gait:
    """What carries a body along a path, as a driver of performances.

    Args:
        physique: the body.
        path: rows of x and z, of seconds, x and z, or of seconds, x, z and heading; a `Path`; a velocity, which is a
            function of times (T,) that gives (T, 2) metres a second along x and z, or (T, 3) with radians a second
            about up, and may jump; None to go straight ahead.
        speed: metres a second along rows of x and z; what suits the body if None.
        style: a name of `style_names`, a file, or several with weights; what suits the body if None.
        ground: its height as a function of x and z; level, where the body stands at rest, if None.
        heading: radians about up, 0 along +Z, a number or a function of times; None to face along the path.
        duration: seconds of a velocity, or of the way straight ahead.
        ends: whether the body stands before and after its path, or is on its way already and goes on.
        manner: ``legs``, ``crawl``, ``inch`` or ``float``; by what the body is if ``auto``.

    Raises:
        InputError: if the path leads nowhere, or the body has no legs to walk on but shall.
        UnknownNameError: if there is no such style.

    Example:
        >>> import mummer as mm
        >>> from mummer.general import physique_of
        >>> from mummer.general.gait import gait
        >>> dog = gait(physique_of(mm.zoo.body("dog")), path=[(0, 0), (0, 2), (2, 3)])
        >>> len(dog.legs)
        4
    """
    way = path_of(physique, path, speed=speed, heading=heading, duration=duration, ends=ends)
    surface = ground if isinstance(ground, Ground) else Ground(ground, float(physique.origin[1]))
    chosen = manner_of(physique) if manner == "auto" else manner
    made = make_style(style if style is not None else natural_style(physique))
    if chosen == "legs":
        if not legs_of(physique):
            raise InputError(f"{physique.character.name!r} has no legs that reach the ground; let it crawl or float")
        return walk_along(physique, way, made, surface)
    if chosen == "crawl":
        return crawl_along(physique, way, made, surface)
    if chosen == "inch":
        return inch_along(physique, way, made, surface)
    return float_along(physique, way, made, surface)


def manner_of(physique: Physique) -> Manner:
    """How a body gets along: on legs if it has any, on its belly if that is on the ground, else through the air.

    A body with feet that its legs cannot move, as in some animators' rigs, glides.
    """
    if legs_of(physique):
        return "legs"
    if not lies_on_belly(physique) or physique.anatomy.capabilities.get("foot"):
        return "float"
    return "crawl" if physique.size[2] > 3 * physique.size[1] or len(physique.spine) > 5 else "inch"


def natural_style(physique: Physique) -> str:
    """The style of a body that nobody directs: one leg hops, and so does who has springs for hind legs."""
    legs = legs_of(physique)
    if len({leg.hip for leg in legs}) == 1:
        return "hop"
    front = [leg.reach for leg in legs if leg.contact[2] > np.mean([leg.contact[2] for leg in legs])]
    hind = [leg for leg in legs if leg.reach not in front]
    springs = [leg.reach > FOLDED * leg.length for leg in hind]
    return "hop" if front and hind and all(springs) and min(leg.reach for leg in hind) > FOLDED * max(front) else "walk"


def path_of(
    physique: Physique, path: Way, *, speed: float | None, heading: Heading, duration: float | None, ends: Ends
) -> Path:
    """The path that is meant; see `gait`."""
    if isinstance(path, Path):
        return path
    pace = _natural_pace(physique) if speed is None else speed
    if not 0 < pace < np.inf:
        raise InputError(f"a speed of {pace:g} m/s leads nowhere; expected more than 0")
    if callable(path):
        if duration is None:
            raise InputError("a velocity needs a duration; give duration= in seconds")
        return path_by_velocity(path, duration, heading=heading, ends=ends)
    if path is None:
        way = STRIDES * physique.height if duration is None else pace * duration
        start = physique.origin[[0, 2]]
        ahead = np.array([np.sin(facing(physique)), np.cos(facing(physique))])
        path = [start, start + way * ahead]
    return path_through(path, speed=pace, heading=heading, ends=ends)


def _natural_pace(physique: Physique) -> float:
    """Metres a second at which a body gets along if nobody hurries it."""
    pace = natural_speed(physique)
    return min(pace, inching_speed(physique)) if manner_of(physique) == "inch" else pace


def facing(physique: Physique) -> float:
    """Radians about up in which the body faces at rest."""
    front = physique.anatomy.front
    return float(np.arctan2(front[0], front[2]))
