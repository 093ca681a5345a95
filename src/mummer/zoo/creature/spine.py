"""Spines of any length and attitude; everything else is hung from them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mummer.zoo.creature.dice import Dice
from mummer.zoo.creature.draft import Draft, Point
from mummer.zoo.geometry import blend


@dataclass(frozen=True)
class Spine:
    """A spine in the plane x = 0.

    Attributes:
        attitude: ``level``, ``upright``, ``arched``, ``s_shaped``, ``serpent`` or ``floating``.
        joints: names from the hips to the chest.
        points: where they are and where the chest ends.
        radii: half-width and half-height at each point.
    """

    attitude: str
    joints: tuple[str, ...]
    points: tuple[Point, ...]
    radii: tuple[tuple[float, float], ...]

    def at(self, part: float) -> tuple[Point, tuple[float, float], str]:
        """Place, radii and nearest joint at a part (0 hips, 1 front end) of the spine."""
        along = min(max(part, 0.0), 1.0) * (len(self.points) - 1)
        number = min(int(along), len(self.points) - 2)
        rest = along - number
        low, high = self.radii[number], self.radii[number + 1]
        radii = (low[0] + rest * (high[0] - low[0]), low[1] + rest * (high[1] - low[1]))
        joint = self.joints[min(int(along + 0.35), len(self.joints) - 1)]
        return blend(self.points[number], self.points[number + 1], rest), radii, joint

    @property
    def lowest(self) -> float:
        """How far the flesh reaches below y = 0."""
        return min(point[1] - max(radii) for point, radii in zip(self.points, self.radii, strict=True))


def throw_spine(dice: Dice, draft: Draft, attitude: str) -> Spine:
    """Draw a spine of length about one whose hips are near the origin."""
    count = dice.whole(5, 9) if attitude == "serpent" else dice.whole(2, 6)
    points = _points(dice, attitude, count)
    thickness = dice.between(0.055, 0.085) if attitude == "serpent" else dice.between(0.11, 0.24)
    radii = _radii(dice, len(points), thickness)
    joints = ("hips", *(f"spine_{number}" if number > 1 else "spine" for number in range(1, count - 1)), "chest")
    fields = {"pattern": _pattern(dice)} if dice.chance(0.6) else {}
    draft.add(
        "chain", name="torso", kind="spine", joints=list(joints), points=list(points), radii=list(radii),
        blend=0.45 * thickness, belly="belly", **fields,
    )  # fmt: skip
    return Spine(attitude, joints, points, radii)


def _points(dice: Dice, attitude: str, count: int) -> tuple[Point, ...]:
    tilt = dice.between(-0.12, 0.25)
    arch = dice.between(0.25, 0.45) if attitude == "arched" else dice.between(-0.05, 0.12)
    bow, tall = dice.between(0.15, 0.3), dice.between(0.45, 0.95)
    waves = dice.between(0.10, 0.16)
    points = []
    for number in range(count + 1):
        part = number / count
        if attitude in ("level", "arched"):
            place = (0.0, tilt * part + arch * math.sin(math.pi * part), part - 0.5)
        elif attitude == "s_shaped":
            place = (0.0, 0.62 * part * part + 0.06 * math.sin(2 * math.pi * part), 0.75 * part - 0.4)
        elif attitude == "serpent":
            rise = waves * (1 - math.cos(4 * math.pi * part)) * 0.5 + 0.35 * max(0.0, part - 0.75) ** 1.2 * 4
            place = (0.0, rise, 1.5 * (part - 0.5))
        else:
            place = (0.0, part * tall, bow * (part - part * part) + tilt * 0.4 * part)
        points.append(place)
    return tuple(points)


def _radii(dice: Dice, count: int, thickness: float) -> tuple[tuple[float, float], ...]:
    """Half-widths that swell once or twice along the body."""
    swell, where, second = dice.between(0.1, 0.6), dice.between(0.2, 0.8), dice.between(-0.2, 0.3)
    flat = dice.between(0.85, 1.2)
    radii = []
    for number in range(count):
        part = number / (count - 1)
        width = thickness * (
            0.72 + swell * math.exp(-(((part - where) / 0.32) ** 2)) + second * math.sin(math.pi * part)
        )
        radii.append((width, width * flat))
    return tuple(radii)


def _pattern(dice: Dice) -> dict[str, object]:
    from mummer.zoo.recipe import Pattern

    kind = dice.pick([("stripes", 1.0), ("spots", 1.0), ("back", 0.8)])
    return Pattern(kind=kind, color="mark", size=dice.between(0.08, 0.2))  # type: ignore[return-value, arg-type]
