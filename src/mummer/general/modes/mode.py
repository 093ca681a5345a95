"""Movement modes: what about a movement matters, and so must hold on every body."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, radians
from typing import Literal

from mummer.errors import InputError
from mummer.general.context import Context

Scale = Literal["none", "size", "limb"]
Direction = tuple[float, float, float]


@dataclass(frozen=True)
class PositionMode:
    """How the three numbers of a place are meant; the guide to movement modes has the formula of each.

    Attributes:
        relative: ``rest`` counts from where the joint is at rest; ``absolute`` from the ground below the body, or from
            the target if there is one.
        scale: what 1 is: a metre (``none``), the body's extent along each axis (``size``), or the length of the limb.
        ground: the second number runs from the rest height, 0, to the ground, 1.
        sagittal: the first number runs from rest, 0, to the middle plane of the body, 1.
        toward: the third number runs from rest, 0, to this other part or outside target, 1.
        directional: with ``toward``, only the direction counts, not how far it is.
        reach: first and second number turn the limb (radians), the third runs from drawn in, -1, over rest, 0, to
            stretched out, 1. With ``toward``, turns count from pointing at the target in place of rest.
        boundary: with ``toward``, a direction from the middle of that part as the body stands at rest, in character
            space: the first number runs from rest, 0, around the part to that direction, 1, the second across, and the
            third from the height above the surface at rest, 0, to the surface, 1.
    """

    relative: Literal["rest", "absolute"] = "rest"
    scale: Scale = "none"
    ground: bool = False
    sagittal: bool = False
    toward: Context | None = None
    directional: bool = False
    reach: bool = False
    boundary: Direction | None = None

    def __post_init__(self) -> None:
        _one_of(self.relative, ("rest", "absolute"), "relative")
        _one_of(self.scale, ("none", "size", "limb"), "scale")
        if (self.directional or self.boundary is not None) and self.toward is None:
            which = "directional" if self.directional else "boundary"
            raise InputError(f"a position mode is {which} but has nothing to move toward; expected toward=Context(...)")
        clashes = [
            ("toward", self.toward is not None, ("ground", "sagittal")),
            ("reach", self.reach, ("ground", "sagittal", "absolute")),
            ("boundary", self.boundary is not None, ("directional", "absolute", "reach")),
            ("directional", self.directional, ("absolute", "reach")),
        ]
        for name, is_on, others in clashes:
            for other in others if is_on else ():
                if self.relative == "absolute" if other == "absolute" else getattr(self, other):
                    raise InputError(f"a position mode has both {name} and {other}; expected one of them")
        if self.boundary is not None:
            anchor = tuple(float(number) for number in self.boundary)
            if len(anchor) != 3 or not sum(number * number for number in anchor) > 0:
                raise InputError(f"the boundary of a position mode is {self.boundary}; expected a direction")
            object.__setattr__(self, "boundary", anchor)


@dataclass(frozen=True)
class RotationMode:
    """How the rotation vector of a turn is meant, radians about left, up and ahead.

    Attributes:
        relative: ``rest`` turns the joint from how it is at rest; ``absolute`` turns the part from pointing ahead,
            upright; ``look`` from pointing at the target.
        toward: with ``look``, what to look at.
        comfortable: with ``look``, radians from rest up to which the part follows fully.
        furthest: with ``look``, radians that it turns at most. It gives up smoothly on what is behind it.
    """

    relative: Literal["rest", "absolute", "look"] = "rest"
    toward: Context | None = None
    comfortable: float = radians(50)
    furthest: float = radians(80)

    def __post_init__(self) -> None:
        _one_of(self.relative, ("rest", "absolute", "look"), "relative")
        if (self.relative == "look") != (self.toward is not None):
            raise InputError("a rotation mode looks exactly if it has something to look toward")
        if not 0 <= self.comfortable <= self.furthest < pi:
            raise InputError(
                f"a rotation mode is comfortable up to {self.comfortable:g} rad and turns {self.furthest:g} rad at most"
                "; expected 0 <= comfortable <= furthest < pi"
            )


def _one_of(value: str, choices: tuple[str, ...], what: str) -> None:
    if value not in choices:
        raise InputError(f"{what} of a mode is {value!r}; expected {', '.join(choices[:-1])} or {choices[-1]}")
