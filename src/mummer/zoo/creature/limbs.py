"""Legs and arms: any number, anywhere along the spine, some of them branching."""

from __future__ import annotations

from dataclasses import dataclass

from mummer.zoo.creature.dice import Dice
from mummer.zoo.creature.draft import Draft, Point
from mummer.zoo.creature.spine import Spine
from mummer.zoo.geometry import blend, minus, plus

PAIR = "{side}"


@dataclass(frozen=True)
class LegStyle:
    """What all legs of a creature have in common.

    Attributes:
        height: of the hips over the ground.
        joints: number of joints in a leg, the foot included.
        bend: how far knees stand forward (or back, if negative), in parts of the height.
        spread: how far feet stand out to the side, in parts of the height.
        lift: how far knees stand up and out, as a spider's do.
        thickness: radius at the hip.
        foot: ``pad``, ``toes``, ``hoof`` or ``point``.
        toes: number of toes.
    """

    height: float
    joints: int
    bend: float
    spread: float
    lift: float
    thickness: float
    foot: str
    toes: int


def throw_leg_style(dice: Dice, spine: Spine, pairs: int) -> LegStyle:
    """How the legs of this creature are."""
    sprawling = pairs >= 3 or (pairs == 2 and dice.chance(0.2))
    height = dice.between(0.22, 0.4) if sprawling else dice.between(0.3, 0.75)
    widest = max(width for width, _ in spine.radii)
    return LegStyle(
        height=height,
        joints=dice.whole(3, 4),
        bend=dice.between(-0.22, 0.22),
        spread=dice.between(0.7, 1.3) if sprawling else dice.between(0.0, 0.3),
        lift=dice.between(0.3, 0.8) if sprawling else 0.0,
        thickness=min(0.8 * widest, dice.between(0.055, 0.13) * (0.6 if sprawling else 1.0)),
        foot=dice.pick([("pad", 1.0), ("toes", 1.6), ("hoof", 0.8), ("point", 1.2 if sprawling else 0.2)]),
        toes=dice.whole(2, 4),
    )


def draw_leg(draft: Draft, spine: Spine, style: LegStyle, *, part: float, name: str, side: str) -> None:
    """A leg from the spine to the ground at y = -height under the hips.

    Args:
        draft: where it is drawn.
        spine: what it hangs from.
        style: how it looks.
        part: where along the spine.
        name: for instance ``leg_1``.
        side: ``{side}`` for a pair, ``left`` or ``right`` for one alone, empty for one in the middle.
    """
    place, radii, parent = spine.at(part)
    sign = {PAIR: 1.0, "left": 1.0, "right": -1.0, "": 0.0}[side]
    full = f"{name}_{side}" if side else name
    hip = plus(place, (sign * 0.62 * radii[0], -0.25 * radii[1], 0.0))
    thin = 0.42 * style.thickness
    ground = -style.height
    foot = (hip[0] + sign * style.spread * style.height, ground + 1.05 * thin, hip[2] + 0.1 * style.bend)
    points, count = [hip], style.joints - 1
    for number in range(1, count):
        between = blend(hip, foot, number / count)
        # Knees and hocks stand alternately to the front and to the back.
        swing = style.bend * (1.0 if number % 2 else -0.7) * style.height
        rise = style.lift * style.height * (1.0 if number == 1 else 0.15)
        points.append((between[0] + sign * 0.12 * rise, between[1] + rise, between[2] + swing))
    points += [foot, plus(foot, (0.0, -0.25 * thin, 1.6 * thin))]
    radii_along = [style.thickness + (thin - style.thickness) * (n / count) ** 0.8 for n in range(count + 1)]
    joints = [f"{full}_{number}" for number in range(1, count + 1)] + [f"{full}_foot"]
    draft.add(
        "chain", name=full, kind="leg", parent=parent, joints=joints, points=points,
        radii=[*radii_along, thin], blend=0.5 * style.thickness, belly="belly",
        limits=[*["hip", "knee", "knee", "knee"][:count], "ankle"],
    )  # fmt: skip
    # Toes of a leg in the middle would need names for both sides; a pad does as well.
    kind = "pad" if style.foot == "toes" and not side else style.foot
    _draw_foot(draft, style, kind, joints[-1], full, foot, thin, ground)


def _draw_foot(
    draft: Draft, style: LegStyle, kind: str, joint: str, full: str, foot: Point, thin: float, ground: float
) -> None:
    if kind == "pad":
        heel, sole = foot[2] - 0.9 * thin, ground + 0.75 * thin
        draft.add(
            "sweep", on=joint, name=f"{full}_pad", color="skin", sides=10,
            points=[(foot[0], sole, z) for z in (heel, foot[2] + 0.8 * thin, foot[2] + 2.4 * thin)],
            radii=[(1.1 * thin, 0.75 * thin), (1.4 * thin, 0.75 * thin), (1.2 * thin, 0.6 * thin)],
        )  # fmt: skip
    elif kind == "toes":
        radius = 0.52 * thin
        draft.add(
            "hand", joint=joint, name=f"{full}_toe", kind="toe", fingers=[str(n + 1) for n in range(style.toes)],
            root=(foot[0], ground + radius, foot[2] + 0.6 * thin), forward=(0.0, 0.0, 1.0), palm=(0.0, -1.0, 0.0),
            width=1.5 * thin, length=2.6 * thin, radius=radius, joints=1, spread=50.0, curl=0.0, surface="sweep",
            color="skin",
        )  # fmt: skip
    elif kind == "hoof":
        top, bottom = ground + 1.3 * thin, ground
        draft.add(
            "sweep", on=joint, name=f"{full}_hoof",
            points=[(foot[0], top, foot[2] + 0.2 * thin), (foot[0], bottom, foot[2] + 0.5 * thin)],
            radii=[1.12 * thin, 1.45 * thin], round_ends=False, color="claw", sides=10,
        )  # fmt: skip
    else:
        draft.add(
            "sweep", on=joint, name=f"{full}_point",
            points=[(foot[0], ground + 1.1 * thin, foot[2]), (foot[0], ground, foot[2] + 0.9 * thin)],
            radii=[0.95 * thin, 0.25 * thin], color="claw", sides=7,
        )  # fmt: skip


def draw_arm(
    dice: Dice, draft: Draft, spine: Spine, *, part: float, name: str, side: str, branching: bool, floor: float
) -> None:
    """An arm with something to grasp with, kept above the floor; a branching one has two forearms."""
    place, radii, parent = spine.at(part)
    sign = {PAIR: 1.0, "left": 1.0, "right": -1.0}[side]
    full = f"{name}_{side}"
    thick = min(0.6 * radii[0], dice.between(0.035, 0.075))
    length = dice.between(0.3, 0.65)
    shoulder = plus(place, (sign * 0.75 * radii[0], 0.15 * radii[1], 0.3 * radii[1]))
    # Room for the hand below the wrist.
    lowest = floor + 4.5 * thick
    elbow = _raised(plus(shoulder, (sign * 0.38 * length, -0.26 * length, -0.05 * length)), lowest)
    grasper = dice.pick([("fingers", 2.0), ("pincer", 1.0)])
    digits = dice.whole(3, 4) if grasper == "fingers" else 2
    reach = [(sign * 0.18 * length, -0.12 * length, 0.42 * length)]
    if branching:
        reach = [
            (sign * 0.24 * length, 0.16 * length, 0.34 * length),
            (sign * 0.10 * length, -0.32 * length, 0.30 * length),
        ]
        draft.add(
            "chain", name=full, kind="arm", parent=parent, joints=[f"{full}_upper"], points=[shoulder, elbow],
            radii=[thick, 0.8 * thick], blend=0.6 * thick, can={},
        )  # fmt: skip
    for number, way in enumerate(reach):
        wrist = _raised(plus(elbow, way), lowest)
        way = minus(wrist, elbow)
        end = plus(wrist, (way[0] * 0.2, way[1] * 0.2, way[2] * 0.2))
        branch = f"{full}_{'ab'[number]}" if branching else full
        joints = [f"{branch}_fore", f"{branch}_hand"]
        points, widths = [elbow, wrist, end], [0.78 * thick, 0.55 * thick, 0.6 * thick]
        above = f"{full}_upper"
        if not branching:
            joints, points, widths = [above, *joints], [shoulder, *points], [thick, *widths]
            above = parent
        draft.add(
            "chain", name=branch, kind="arm", parent=above, joints=joints, points=points, radii=widths,
            blend=0.6 * thick, limits=["elbow", "wrist"] if branching else ["shoulder", "elbow", "wrist"],
            bend=(0.0, 0.4, 1.0), can={"grasper": [joints[-1]]},
        )  # fmt: skip
        draft.add(
            "hand", joint=joints[-1], name=branch, fingers=[str(n + 1) for n in range(digits)], root=end,
            forward=way, palm=(0.0, -1.0, 0.2), width=1.1 * thick, length=2.4 * thick, radius=0.32 * thick,
            joints=2 if digits > 2 else 1, spread=40.0 if digits > 2 else 70.0, curl=14.0, surface="sweep",
            claws=0.0 if digits > 2 else 0.9 * thick,
        )  # fmt: skip


def _raised(point: Point, lowest: float) -> Point:
    return (point[0], max(point[1], lowest), point[2])
