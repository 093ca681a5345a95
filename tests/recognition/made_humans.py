"""Humans of joints alone, of any build, pose and rig: what a recogniser has not seen and its maker knows all about."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Skeleton
from tests.recognition.rigs import Rig

Spot = tuple[float, float, float]


class _Builder:
    """Joints one by one, those of the left with their mirror images."""

    def __init__(self) -> None:
        self.roles: list[str] = []
        self.parents: list[int] = []
        self.places: list[FloatArray] = []

    def add(self, role: str, parent: int, place: Spot | FloatArray) -> int:
        self.roles.append(role)
        self.parents.append(parent)
        self.places.append(np.asarray(place, np.float64))
        return len(self.roles) - 1


def made_human(seed: int) -> Rig:
    """A human of chance proportions in a chance rig; the same for the same seed."""
    chance = np.random.default_rng(seed)
    build = _Builder()
    height = chance.uniform(0.9, 1.3)
    leg = chance.uniform(0.7, 1.0) * height
    torso = chance.uniform(0.45, 0.7) * height
    # Tools write an end for every tip, or for none; few rigs are in between.
    ends = 0.85 if chance.random() < 0.5 else 0.15
    top, hips = _trunk(build, chance, leg, torso, ends)
    arm = chance.uniform(0.5, 0.8) * height
    shoulders = float(build.places[hips][1]) + torso * chance.uniform(0.88, 1.0)
    for side in (1.0, -1.0):
        state = np.random.default_rng(seed + 10**6)
        _arm(build, state, top, side, arm, torso, shoulders, ends)
        _leg(build, state, hips, side, leg, ends)
    return _rig(build, seed)


def _trunk(build: _Builder, chance: np.random.Generator, leg: float, torso: float, ends: float) -> tuple[int, int]:
    """The middle line; the joint that the arms hang from, and the hips."""
    base = leg * chance.uniform(1.0, 1.06)
    parent = build.add("", -1, (0.0, 0.0, 0.0)) if chance.random() < 0.4 else -1
    hips = parent = build.add("hips", parent, (0.0, base, 0.0))
    spines = int(chance.integers(1, 5))
    curve = chance.uniform(-0.03, 0.02)
    for number in range(spines):
        up = base + torso * (0.12 + 0.73 * number / max(spines - 1, 1) if spines > 1 else 0.4)
        forward = curve * np.sin(np.pi * (number + 1) / (spines + 1))
        parent = build.add("spine" if number == 0 else "", parent, (0.0, up, forward))
    chest = parent
    necks = int(chance.choice([0, 1, 1, 1, 1, 2]))
    length = torso * chance.uniform(0.12, 0.24)
    for number in range(necks):
        up = base + torso * 1.02 + length * number / max(necks, 1)
        parent = build.add("", parent, (0.0, up, -0.01 + 0.01 * number))
    skull = np.array([0.0, base + torso * 1.02 + length, chance.uniform(-0.01, 0.03)])
    head = build.add("head", parent, skull)
    size = chance.uniform(0.16, 0.45) * torso
    if chance.random() < ends:
        build.add("", head, skull + size * np.array([0.0, 1.0, 0.0]))
    if chance.random() < 0.3:
        build.add("", head, skull + size * np.array([0.0, -0.05, 0.15]))
    if chance.random() < 0.3:
        for side in (1.0, -1.0):
            build.add("", head, skull + size * np.array([0.18 * side, 0.3, 0.45]))
    return chest, hips


def _arm(
    build: _Builder,
    chance: np.random.Generator,
    chest: int,
    side: float,
    length: float,
    torso: float,
    top: float,
    ends: float,
) -> None:
    name = "left" if side > 0 else "right"
    collars = chance.random() < 0.75
    rise = torso * chance.uniform(0.0, 0.08)
    wide = torso * chance.uniform(0.22, 0.42)
    parent = chest
    if collars:
        parent = build.add("", parent, (side * wide * chance.uniform(0.05, 0.3), top + rise, 0.0))
    down = np.radians(chance.choice([0.0, 0.0, 35.0, 50.0, 80.0]))
    out = np.array([side * np.cos(down), -np.sin(down), chance.uniform(-0.05, 0.05)])
    place = np.array([side * wide, top + rise, -0.01])
    share = chance.uniform(0.48, 0.56)
    parent = build.add(f"{name}_upper_arm", parent, place)
    elbow = place + share * length * out + [0.0, 0.0, -0.01]
    if chance.random() < 0.2:
        parent = build.add("", parent, (place + elbow) / 2)
    parent = build.add(f"{name}_forearm", parent, elbow)
    wrist = place + length * out
    hand = parent = build.add(f"{name}_hand", parent, wrist)
    _fingers(build, chance, hand, wrist, length * out, ends)


def _fingers(
    build: _Builder, chance: np.random.Generator, hand: int, wrist: FloatArray, arm: FloatArray, ends: float
) -> None:
    length = float(np.linalg.norm(arm))
    out = arm / length
    count = int(chance.choice([0, 0, 1, 3, 5, 5]))
    size = length * chance.uniform(0.22, 0.38)
    across = np.array([0.0, 0.0, 1.0])
    bones = int(chance.integers(2, 4)) + int(chance.random() < ends)
    for digit in range(count):
        spread = (digit - 1.5) / 4
        parent = hand
        thumb = digit == 0 and count > 1
        start = wrist + size * (0.15 * out + 0.25 * across if thumb else 0.45 * out - 0.15 * spread * across)
        for bone in range(bones):
            reach = size * (0.12 if thumb else 0.55 / bones) * bone
            parent = build.add("", parent, start + reach * out + (0.3 * reach * across if thumb else 0.0))
    if count == 0 and chance.random() < ends:
        build.add("", hand, wrist + 0.5 * size * out)


def _leg(build: _Builder, chance: np.random.Generator, hips: int, side: float, length: float, ends: float) -> None:
    name = "left" if side > 0 else "right"
    wide = length * chance.uniform(0.08, 0.18)
    ankle = length * chance.uniform(0.06, 0.14)
    lean = length * chance.uniform(0.0, 0.06)
    share = chance.uniform(0.46, 0.56)
    bend = length * chance.choice([0.003, 0.02, 0.04])
    parent = hips
    if chance.random() < 0.15:
        parent = build.add("", parent, (side * wide * 0.2, length * 1.01, 0.0))
    start = np.array([side * wide, length, 0.0])
    end = np.array([side * (wide + lean), ankle, -0.02 * length])
    parent = build.add(f"{name}_upper_leg", parent, start)
    knee = start + share * (end - start) + [0.0, 0.0, bend]
    parent = build.add(f"{name}_lower_leg", parent, knee)
    foot = build.add(f"{name}_foot", parent, end)
    size = length * chance.uniform(0.13, 0.24)
    toes = int(chance.choice([0, 1, 1])) + int(chance.random() < ends)
    if toes:
        parent = build.add("", foot, (end[0], 0.15 * ankle, end[2] + 0.7 * size))
    if toes == 2:
        build.add("", parent, (end[0], 0.1 * ankle, end[2] + size))


def _rig(build: _Builder, seed: int) -> Rig:
    places = np.array(build.places)
    offsets = [
        place - (places[parent] if parent >= 0 else 0.0) for place, parent in zip(places, build.parents, strict=True)
    ]
    skeleton, order = Skeleton.sorted([f"j{spot}" for spot in range(len(places))], build.parents, offsets)
    joints = {build.roles[int(old)]: new for new, old in enumerate(order) if build.roles[int(old)]}
    return Rig(f"made/{seed}", "humanoid", Character("made", skeleton), joints, {}, plain=True, sided=True)
