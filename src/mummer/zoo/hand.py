"""Hands and paws: digits fanned out from one joint."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.zoo.geometry import turned_about, unit, vector
from mummer.zoo.recipe import Chain, Hand, Radius, Sweep

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
    for place, finger in enumerate(hand.fingers):
        points = _digit_points(hand, finger, place)
        chains.append(_digit_chain(hand, finger, points))
        if hand.claws > 0:
            claws.append(_claw(hand, points, chains[-1]))
    return chains, claws


def _digit_points(hand: Hand, finger: str, place: int) -> FloatArray:
    forward, palm = unit(hand.forward), unit(hand.palm)
    side = np.cross(forward, palm)
    if finger == "thumb":
        if hand.thumb_root is None:
            raise InputError(f"hand {hand.name!r} has a thumb; expected thumb_root to say where it starts")
        away = unit(np.asarray(hand.thumb_root) - np.asarray(hand.root))
        direction = unit(0.75 * forward + 0.62 * unit(away - (away @ forward) * forward) + 0.28 * palm)
        return _curled(np.asarray(hand.thumb_root, float), direction, palm, 0.82 * hand.length, hand.joints, 4.0)
    others = [name for name in hand.fingers if name != "thumb"]
    where = 0.5 if len(others) == 1 else others.index(finger) / (len(others) - 1)
    if "thumb" in hand.fingers:
        # The thumb's side comes first, whichever way the hand is turned.
        away = np.asarray(hand.thumb_root or hand.root) - np.asarray(hand.root)
        side = side if away @ side < 0 else -side
    middle = 1.0 - abs(where - 0.42) * 1.1
    start = np.asarray(hand.root) + side * (where - 0.5) * hand.width
    start = start - forward * 0.3 * hand.radius * (1 - middle) * len(others)
    direction = turned_about(forward, np.cross(forward, side), np.radians(hand.spread) * (where - 0.5))
    length = hand.length * (0.72 + 0.28 * middle)
    return _curled(start, direction, palm, length, hand.joints, hand.curl)


def _curled(start: FloatArray, direction: FloatArray, palm: FloatArray, length: float, joints: int, curl: float) -> FloatArray:
    axis = np.cross(direction, palm)
    points = [start]
    for part in SEGMENTS[joints]:
        points.append(points[-1] + direction * length * part)
        direction = turned_about(direction, axis, np.radians(curl))
    return np.array(points)


def _digit_chain(hand: Hand, finger: str, points: FloatArray) -> Chain:
    thick = 1.18 if finger == "thumb" else 1.0
    radii: list[Radius] = [
        hand.radius * thick * (1.0 - 0.32 * place / (len(points) - 1)) for place in range(len(points))
    ]
    name = f"{hand.name}_{finger}"
    return Chain(
        name=name,
        kind=hand.kind,
        joints=[f"{name}_{place + 1}" for place in range(len(points) - 1)],
        points=[vector(point) for point in points],
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


def _claw(hand: Hand, points: FloatArray, chain: Chain) -> Sweep:
    direction, palm = unit(points[-1] - points[-2]), unit(hand.palm)
    radius = 0.62 * hand.radius
    tip = points[-1] - direction * 0.3 * hand.radius
    line = [tip, tip + direction * 0.6 * hand.claws, tip + direction * hand.claws + palm * 0.35 * hand.claws]
    return Sweep(
        on=chain.joints[-1],
        points=[vector(point) for point in line],
        radii=[radius, 0.6 * radius, 0.06 * radius],
        color=hand.claw_color,
        sides=7,
    )
