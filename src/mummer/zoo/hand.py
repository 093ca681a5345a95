"""Hands and paws: digits fanned out from one joint."""

from __future__ import annotations

import math

from mummer.errors import InputError
from mummer.zoo.geometry import cross, dot, minus, plus, times, turned_about, unit
from mummer.zoo.recipe import Chain, Hand, Radius, Sweep, Vector

SEGMENTS = {1: (1.0,), 2: (0.58, 0.42), 3: (0.46, 0.29, 0.25), 4: (0.36, 0.26, 0.2, 0.18)}
"""Parts of a digit's length that its joints take, from the knuckle out."""


def hand_parts(hand: Hand) -> tuple[list[Chain], list[Sweep]]:
    """The chains of a hand's digits, and its claws.

    Raises:
        InputError: if a digit has more joints than any hand, or a thumb has no root.
    """
    if hand.joints not in SEGMENTS:
        raise InputError(f"hand {hand.name!r} has digits of {hand.joints} joints; expected 1 to {max(SEGMENTS)}")
    chains, claws = [], []
    for finger in hand.fingers:
        points = _digit_points(hand, finger)
        chains.append(_digit_chain(hand, finger, points))
        if hand.claws > 0:
            claws.append(_claw(hand, points, chains[-1]))
    return chains, claws


def _digit_points(hand: Hand, finger: str) -> list[Vector]:
    forward, palm = unit(hand.forward), unit(hand.palm)
    side = cross(forward, palm)
    if finger == "thumb":
        away = unit(minus(_thumb_root(hand), hand.root))
        outwards = unit(minus(away, times(forward, dot(away, forward))))
        direction = unit(plus(plus(times(forward, 0.75), times(outwards, 0.62)), times(palm, 0.28)))
        return _curled(_thumb_root(hand), direction, palm, 0.82 * hand.length, hand.joints, 4.0)
    others = [name for name in hand.fingers if name != "thumb"]
    where = 0.5 if len(others) == 1 else others.index(finger) / (len(others) - 1)
    if "thumb" in hand.fingers and dot(minus(_thumb_root(hand), hand.root), side) > 0:
        # The thumb's side comes first, whichever way the hand is turned.
        side = times(side, -1.0)
    middle = 1.0 - abs(where - 0.42) * 1.1
    back = 0.3 * hand.radius * (1 - middle) * len(others)
    start = minus(plus(hand.root, times(side, (where - 0.5) * hand.width)), times(forward, back))
    direction = turned_about(forward, cross(forward, side), math.radians(hand.spread) * (where - 0.5))
    return _curled(start, direction, palm, hand.length * (0.72 + 0.28 * middle), hand.joints, hand.curl)


def _thumb_root(hand: Hand) -> Vector:
    if hand.thumb_root is None:
        raise InputError(f"hand {hand.name!r} has a thumb; expected thumb_root to say where it starts")
    return hand.thumb_root


def _curled(start: Vector, direction: Vector, palm: Vector, size: float, joints: int, curl: float) -> list[Vector]:
    axis = cross(direction, palm)
    points = [start]
    for part in SEGMENTS[joints]:
        points.append(plus(points[-1], times(direction, size * part)))
        direction = turned_about(direction, axis, math.radians(curl))
    return points


def _digit_chain(hand: Hand, finger: str, points: list[Vector]) -> Chain:
    thick = 1.18 if finger == "thumb" else 1.0
    radii: list[Radius] = [
        hand.radius * thick * (1.0 - 0.32 * place / (len(points) - 1)) for place in range(len(points))
    ]
    name = f"{hand.name}_{finger}"
    return Chain(
        name=name,
        kind=hand.kind,
        joints=[f"{name}_{place + 1}" for place in range(len(points) - 1)],
        points=points,
        radii=radii,
        parent=hand.joint,
        bend=hand.palm,
        blend=hand.blend,
        region=hand.region,
        color=hand.color,
        group=hand.group,
        surface=hand.surface,
        limits=["thumb"] + ["knuckle"] * (hand.joints - 1) if finger == "thumb" else [],
    )


def _claw(hand: Hand, points: list[Vector], chain: Chain) -> Sweep:
    direction, palm = unit(minus(points[-1], points[-2])), unit(hand.palm)
    radius = 0.62 * hand.radius
    root = minus(points[-1], times(direction, 0.3 * hand.radius))
    middle = plus(root, times(direction, 0.6 * hand.claws))
    tip = plus(plus(root, times(direction, hand.claws)), times(palm, 0.35 * hand.claws))
    return Sweep(
        on=chain.joints[-1],
        points=[root, middle, tip],
        radii=[radius, 0.6 * radius, 0.06 * radius],
        color=hand.claw_color,
        sides=7,
    )
