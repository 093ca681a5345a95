"""Heads, with mouths, eyes, ears, horns and feelers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mummer.zoo.creature.dice import Dice
from mummer.zoo.creature.draft import Draft, Point
from mummer.zoo.creature.spine import Spine
from mummer.zoo.geometry import plus, times, unit


@dataclass(frozen=True)
class Head:
    """Where a head is.

    Attributes:
        prefix: put before the names of its parts; ``{side}_`` for a pair of heads.
        joint: its joint.
        center: of the skull.
        radius: of the skull.
    """

    prefix: str
    joint: str
    center: Point
    radius: float

    def on_skull(self, across: float, up: float, *, out: float = 1.0) -> Point:
        """A point on the skull at angles (degrees) to the left and up from straight ahead."""
        side, high = math.radians(across), math.radians(up)
        way = (math.cos(high) * math.sin(side), math.sin(high), math.cos(high) * math.cos(side))
        return plus(self.center, times(way, self.radius * out))


def draw_heads(dice: Dice, draft: Draft, spine: Spine, count: int) -> None:
    """One head on a neck, or a pair of them, with all that belongs on a head."""
    tip, radii, parent = spine.at(1.0)
    prefix = "{side}_" if count == 2 else ""
    out = 0.55 * radii[0] if count == 2 else 0.0
    lean = dice.between(0.35, 0.6) if count == 2 else 0.0
    rise = {"level": 0.5, "arched": 0.4, "s_shaped": 0.9, "serpent": 0.8}.get(spine.attitude, 1.0)
    rise *= dice.between(0.6, 1.2)
    ahead = 0.15 if spine.attitude in ("upright", "floating") else 0.7
    size = max(0.6 * max(radii), dice.between(0.09, 0.24))
    length = dice.pick([(0.10, 2.0), (0.25, 2.0), (0.5, 1.0)]) * dice.between(0.7, 1.2) + 0.6 * size
    way = unit((lean, rise, ahead))
    start = plus(tip, (out, -0.2 * radii[1], -0.2 * radii[1]))
    number = 1 if length < 0.25 else dice.whole(2, 3)
    points = [plus(start, times(way, length * n / number)) for n in range(number + 1)]
    thick = min(0.75 * min(radii), 0.62 * size)
    draft.add(
        "chain", name=f"{prefix}neck", kind="neck", parent=parent,
        joints=[f"{prefix}neck" + (f"_{n + 1}" if n else "") for n in range(number)],
        points=points, radii=[thick] + [0.85 * thick] * number, blend=0.5 * thick, belly="belly", group="head",
    )  # fmt: skip
    joint = points[-1]
    center = plus(joint, (0.0, 0.35 * size, 0.35 * size))
    stretch = dice.between(0.9, 1.35)
    draft.add(
        "chain", name=f"{prefix}head", kind="head", parent=f"{prefix}neck" + (f"_{number}" if number > 1 else ""),
        joints=[f"{prefix}head"], points=[joint, plus(center, (0.0, 0.1 * size, 0.25 * size))],
        radii=[0.8 * size, (size, 0.92 * size)], blend=0.3 * size, group="head",
    )  # fmt: skip
    head = Head(prefix, f"{prefix}head", plus(center, (0.0, 0.1 * size, 0.2 * size)), size)
    _draw_mouth(dice, draft, head, stretch)
    _draw_eyes(dice, draft, head)
    _draw_ornaments(dice, draft, head)


def _draw_mouth(dice: Dice, draft: Draft, head: Head, stretch: float) -> None:
    """A snout above, a jaw below, and the hollow between them."""
    size, joint = head.radius, f"{head.prefix}jaw"
    x, y, z = head.center
    snout = size * dice.between(0.25, 1.1) * stretch
    wide = size * dice.between(0.55, 0.85)
    tip = (x, y - 0.28 * size, z + 0.75 * size + snout)
    draft.add(
        "flesh", on=head.joint, name=f"{head.prefix}snout", points=[(x, y - 0.2 * size, z + 0.4 * size), tip],
        radii=[[wide, 0.5 * size], [0.72 * wide, 0.3 * size]], blend=0.25 * size, color="skin",
    )  # fmt: skip
    hinge = (x, y - 0.5 * size, z - 0.05 * size)
    chin = (x, y - 0.66 * size, z + 0.7 * size + 0.9 * snout)
    draft.add(
        "chain", name=joint, kind="jaw", parent=head.joint, joints=[joint], points=[hinge, chin],
        radii=[(0.85 * wide, 0.26 * size), (0.66 * wide, 0.18 * size)], blend=0.12 * size, color="belly", group="head",
    )  # fmt: skip
    mouth = (x, y - 0.52 * size, tip[2] + 0.1 * size)
    drop = 0.5 * math.radians(14) * (chin[2] - hinge[2])
    draft.add(
        "flesh", on=head.joint, name=f"{head.prefix}mouth", carve=True, color="mouth", blend=0.05 * size,
        points=[(x, y - 0.52 * size, z + 0.35 * size), (x, mouth[1] - drop, mouth[2] + 0.3 * size)],
        radii=[[0.7 * wide, 0.06 * size], [0.8 * wide, max(0.12 * size, drop)]],
    )  # fmt: skip
    draft.add("face", head=head.joint, jaw=joint, mouth=mouth, width=0.6 * wide, gape=14.0, open=26.0, shapes=False)
    if dice.chance(0.35):
        draft.add(
            "sweep", on=head.joint, name=f"{head.prefix}tooth",
            points=[plus(tip, (0.4 * wide, -0.12 * size, 0)), plus(tip, (0.4 * wide, -0.55 * size, 0.05 * size))],
            radii=[0.08 * size, 0.02 * size], color="tooth", sides=6,
        )  # fmt: skip


def _draw_eyes(dice: Dice, draft: Draft, head: Head) -> None:
    """Eyes in pairs on the skull or on stalks, and sometimes one in the middle."""
    pairs = dice.pick([(0, 0.6), (1, 5.0), (2, 1.2), (3, 0.5)]) if not head.prefix else 0
    middle = head.prefix != "" or pairs == 0 or dice.chance(0.08)
    stalks = dice.chance(0.16)
    size = head.radius * dice.between(0.2, 0.38) / (1 + 0.25 * max(0, pairs - 1))
    spread, high = dice.between(24, 52), dice.between(22, 48)
    lids = [4.0 * dice.whole(6, 9), -4.0 * dice.whole(6, 9)] if dice.chance(0.6) else []
    pupil = dice.pick([((0.45, 0.45), 3.0), ((0.16, 0.75), 1.0), ((0.7, 0.3), 0.6), ((0.62, 0.62), 1.0)])
    shared = {"lids": lids, "pupil_shape": pupil, "iris_size": 6.0 * dice.whole(6, 10)}
    for number in range(pairs):
        name = "{side}_eye" + (f"_{number + 1}" if number else "")
        _draw_eye(draft, head, name, spread + 14 * number, high + 16 * number, size * 0.8**number, stalks, shared)
    if middle:
        _draw_eye(draft, head, f"{head.prefix}eye" if head.prefix else "eye", 0.0, high, 1.25 * size, stalks, shared)


def _draw_eye(
    draft: Draft, head: Head, name: str, across: float, up: float, size: float, stalk: bool, shared: dict[str, object]
) -> None:
    gaze = (0.8 * math.sin(math.radians(across)), 0.05, 1.0)
    parent, center = head.joint, head.on_skull(across, up, out=0.93)
    if stalk:
        base = head.on_skull(across, min(up + 20, 72), out=0.8)
        end = head.on_skull(across, min(up + 30, 76), out=1.9)
        parent = f"{name}_stalk"
        draft.add(
            "chain", name=parent, kind="antenna", parent=head.joint, joints=[parent], points=[base, end],
            radii=[0.42 * size, 0.36 * size], surface="sweep", sides=7, can={}, group="head",
        )  # fmt: skip
        center = plus(end, (0.0, 0.5 * size, 0.0))
    draft.add("eye", joint=name, parent=parent, center=center, radius=size, gaze=gaze, **shared)


def _draw_ornaments(dice: Dice, draft: Draft, head: Head) -> None:
    if head.prefix:
        return
    size = head.radius
    if dice.chance(0.32):
        base, tip = head.on_skull(62, 48, out=0.85), head.on_skull(70, 58, out=dice.between(1.6, 2.6))
        draft.add(
            "chain", name="{side}_ear", kind="ear", parent=head.joint, joints=["{side}_ear"], points=[base, tip],
            radii=[(0.3 * size, 0.1 * size), (0.1 * size, 0.04 * size)], surface="sweep", group="head",
        )  # fmt: skip
    if dice.chance(0.25):
        base = head.on_skull(28, 66, out=0.85)
        middle, tip = head.on_skull(34, 78, out=1.5), head.on_skull(30, 70, out=dice.between(1.8, 2.4))
        draft.add(
            "sweep", on=head.joint, name="{side}_horn", points=[base, middle, tip],
            radii=[0.17 * size, 0.11 * size, 0.02 * size], color="claw", sides=8,
        )  # fmt: skip
    if dice.chance(0.22):
        base = head.on_skull(18, 62, out=0.9)
        points = [base, head.on_skull(24, 64, out=1.7), head.on_skull(36, 50, out=2.3)]
        draft.add(
            "chain", name="{side}_antenna", kind="antenna", parent=head.joint,
            joints=["{side}_antenna", "{side}_antenna_2"], points=points,
            radii=[0.07 * size, 0.05 * size, 0.12 * size], surface="sweep", color="accent", sides=6, group="head",
        )  # fmt: skip
