"""Tails, wings, fins and spikes."""

from __future__ import annotations

import math

from mummer.zoo.creature.dice import Dice
from mummer.zoo.creature.draft import Draft
from mummer.zoo.creature.spine import Spine
from mummer.zoo.geometry import plus, times


def draw_tail(dice: Dice, draft: Draft, spine: Spine, *, floor: float, pair: bool) -> None:
    """A tail (or two side by side) that stays above the ground."""
    place, radii, parent = spine.at(0.0)
    side = "{side}_" if pair else ""
    count = dice.whole(2, 6)
    length = dice.between(0.25, 0.9) * (1.2 if spine.attitude == "serpent" else 1.0)
    thick = dice.between(0.45, 0.85) * min(radii) * (0.7 if pair else 1.0)
    pitch, curl = dice.between(-25, 40), dice.between(-18, 22)
    downwards = spine.attitude in ("upright", "floating")
    heading = math.radians(-60 if spine.attitude == "floating" else pitch - (25 if downwards else 0))
    at = plus(place, (0.4 * radii[0] if pair else 0.0, 0.0, -0.55 * radii[1]))
    points, widths = [at], [thick]
    for number in range(count):
        step = length / count
        at = plus(at, ((0.35 if pair else 0.0) * step, math.sin(heading) * step, -math.cos(heading) * step))
        width = thick * (1 - 0.85 * (number + 1) / count)
        # A tail that would dip below the ground runs along it instead.
        at = (at[0], max(at[1], floor + width), at[2])
        points.append(at)
        widths.append(max(width, 0.12 * thick))
        heading += math.radians(curl)
    names = [f"{side}tail" + (f"_{n + 1}" if n else "") for n in range(count)]
    draft.add(
        "chain", name=f"{side}tail", kind="tail", parent=parent, joints=names, points=points, radii=widths,
        blend=0.5 * thick, belly="belly",
    )  # fmt: skip
    if dice.chance(0.3) and not pair and points[-1][1] > floor + 2 * thick:
        end, before = points[-1], points[-2]
        way = (0.0, end[1] - before[1], end[2] - before[2])
        draft.add(
            "sweep", on=names[-1], name="tail_end", color="accent",
            points=[plus(end, times(way, -0.2)), end, plus(end, times(way, 0.9))],
            radii=[(0.2 * thick, 0.2 * thick), (0.9 * thick, 0.35 * thick), (0.1 * thick, 0.1 * thick)],
        )  # fmt: skip


def draw_wings(dice: Dice, draft: Draft, spine: Spine) -> None:
    """A pair of wings with a sheet of skin between two fingers and the body."""
    place, radii, parent = spine.at(dice.between(0.55, 0.9))
    span = dice.between(0.5, 1.1)
    base = plus(place, (0.6 * radii[0], 0.55 * radii[1], -0.1))
    elbow = plus(base, (0.42 * span, 0.36 * span, -0.08 * span))
    wrist = plus(elbow, (0.34 * span, 0.12 * span, 0.12 * span))
    thick = min(0.3 * radii[0], 0.05)
    draft.add(
        "chain", name="{side}_wing", kind="wing", parent=parent,
        joints=["{side}_wing_upper", "{side}_wing_lower", "{side}_wing_hand"],
        points=[base, elbow, wrist, plus(wrist, (0.46 * span, -0.05 * span, -0.22 * span))],
        radii=[thick, 0.7 * thick, 0.5 * thick, 0.15 * thick], blend=0.5 * thick, across=(0.0, 0.0, 1.0),
    )  # fmt: skip
    ribs = [(wrist, (0.12 * span, -0.28 * span, -0.5 * span), "{side}_wing_hand", "{side}_wing_rib_1")]
    ribs.append((elbow, (0.02 * span, -0.3 * span, -0.42 * span), "{side}_wing_lower", "{side}_wing_rib_2"))
    ribs.append(
        (plus(base, (0.02, 0.0, 0.0)), (0.0, -0.18 * span, -0.36 * span), "{side}_wing_upper", "{side}_wing_rib_3")
    )
    for start, way, parent_joint, name in ribs:
        draft.add(
            "chain", name=name, kind="finger", parent=parent_joint, joints=[name],
            points=[plus(start, times(way, 0.04)), plus(start, way)],
            radii=[0.4 * thick, 0.12 * thick], surface="sweep", sides=6, bend=(0.0, -1.0, 0.0), group="{side}_wing",
        )  # fmt: skip
    draft.add(
        "chain", name="{side}_wing_edge", kind="finger", parent="{side}_wing_hand", joints=["{side}_wing_edge"],
        points=[plus(wrist, (0.01, 0.0, 0.01)), plus(wrist, (0.46 * span, -0.05 * span, -0.22 * span))],
        radii=[0.3 * thick, 0.1 * thick], surface="none", group="{side}_wing",
    )  # fmt: skip
    draft.add(
        "membrane", name="{side}_wing_web", color="web", thickness=0.012, scallop=0.25,
        between=["{side}_wing_edge", "{side}_wing_rib_1", "{side}_wing_rib_2", "{side}_wing_rib_3"],
    )  # fmt: skip


def draw_fins(dice: Dice, draft: Draft, spine: Spine) -> None:
    """Fins at the sides, and one on the back."""
    place, radii, parent = spine.at(dice.between(0.35, 0.8))
    base = plus(place, (0.8 * radii[0], -0.2 * radii[1], 0.0))
    reach = dice.between(0.15, 0.35)
    draft.add(
        "chain", name="{side}_fin", kind="fin", parent=parent, joints=["{side}_fin"],
        points=[base, plus(base, (reach, -0.3 * reach, -0.7 * reach))],
        radii=[(0.3 * reach, 0.06 * reach), (0.2 * reach, 0.03 * reach)], across=(0.0, 0.0, 1.0), surface="sweep",
        color="accent",
    )  # fmt: skip
    place, radii, parent = spine.at(0.5)
    base = plus(place, (0.0, 0.8 * radii[1], -0.3 * radii[1]))
    draft.add(
        "chain", name="back_fin", kind="fin", parent=parent, joints=["back_fin"],
        points=[base, plus(base, (0.0, 0.6 * reach, -0.8 * reach))],
        radii=[(0.05 * reach, 0.42 * reach), (0.03 * reach, 0.16 * reach)], surface="sweep", color="accent",
    )  # fmt: skip


def draw_spikes(dice: Dice, draft: Draft, spine: Spine) -> None:
    """A row of spikes along the back."""
    height = sum(radii[1] for radii in spine.radii) / len(spine.radii)
    behind = spine.attitude in ("upright", "floating")
    length = dice.between(0.07, 0.18)
    way = (0.0, 0.4, -1.0) if behind else (0.0, 1.0, -0.6)
    draft.add(
        "plume", on="torso", name="spikes", count=dice.whole(3, 7), span=(0.08, 0.92),
        offset=(0.0, 0.0, -0.85 * height) if behind else (0.0, 0.85 * height, 0.0), lengths=(length, length),
        directions=(way, way), width=0.32 * length, thickness=0.12 * length,
        across=(0.0, 1.0, 0.0) if behind else (0.0, 0.0, 1.0), color="accent", pointed=True,
    )  # fmt: skip
