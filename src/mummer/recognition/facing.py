"""Where a body looks: every sign that its shape gives, weighed, and what its names say about its sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.learned import chances, scores
from mummer.recognition.limbs import Branch
from mummer.recognition.reading import Reading
from mummer.recognition.segments import Segments
from mummer.recognition.shape import Shape
from mummer.recognition.trunk import Trunk

UNSURE = 0.75
"""Where the shape makes a front less likely than this, names decide which of the two it is."""

LIES = 0.35
"""A trunk that leans by more than this lies along the ground."""

WEAK = ("elbows", "shoulders", "trunk")
"""Signs that are not sure of a front where no other sign says more than ``ALONE`` either way."""

ALONE = 0.2

BY_HEAD = ("trunk", "trunk that lies", "face", "face surface", "tail", "shoulders")
"""Signs that say the contrary if the head is at the other end of the body."""

NAMES_ALONE = 0.45
"""How sure sides are that names alone tell, or that names contradict: they may be exchanged, and nothing shows it."""


@dataclass(frozen=True, eq=False)
class Facing:
    """Where a body looks.

    Attributes:
        front: (3,) unit vector in the world, at right angles to up.
        shape: 0 to 1, how likely ``front`` is by the body's shape.
        sure: the same, if signs that follow from where the head is count for as much as that is sure.
        names: what the sides in its names say for ``front``, 1 to -1; 0 if they say nothing.
        signs: the shape's signs by name, each for (above 0) or against ``front``.
    """

    front: FloatArray
    shape: float
    sure: float
    names: float
    signs: dict[str, float]

    @cached_property
    def confidence(self) -> float:
        """0 to 1: how sure left and right are; under one half where names disagree or the shape hardly speaks."""
        least = min(self.shape, self.sure)
        unsure = self.names < 0 or least < UNSURE or _hardly_speaks(self.signs)
        return min(least, NAMES_ALONE) if unsure else least


def _hardly_speaks(signs: Mapping[str, float]) -> bool:
    """Whether only weak signs say where a body looks."""
    return max((abs(value) for sign, value in signs.items() if sign not in WEAK), default=0.0) < ALONE


def find_facing(
    shape: Shape,
    normal: FloatArray,
    trunk: Trunk,
    legs: Sequence[tuple[Branch, Segments]],
    arms: Sequence[tuple[Branch, Segments]],
    tail: Sequence[int],
    fore: Sequence[Branch],
    readings: Sequence[Reading],
) -> Facing:
    """The front of a body, at right angles to its up and to ``normal``, which leads across it.

    Args:
        shape: the body.
        normal: (3,) across the body.
        trunk: its middle line.
        legs: limbs that stand on the ground.
        arms: other limbs.
        tail: joints of the tail; empty if there is none.
        fore: on a body without a head, what is at its front: arms, eyes, feelers.
        readings: what the names say.
    """
    ahead = np.cross(normal, shape.up)
    if np.linalg.norm(ahead) < 1e-6:
        ahead = np.cross([1.0, 0.0, 0.0] if abs(shape.up[0]) < 0.9 else [0.0, 1.0, 0.0], shape.up)
    ahead = ahead / np.linalg.norm(ahead)
    lean = _lean(shape, trunk, ahead)
    signs = {
        "trunk": lean,
        "trunk that lies": lean if abs(lean) > LIES else 0.0,
        "toes": _toe_sign(shape, legs, ahead),
        "foot surface": _sole_sign(shape, legs, ahead),
        "knees": _bend_sign(shape, legs[:1], ahead) if len(legs) == 1 else 0.0,
        "legs of beasts": _bend_sign(shape, legs, ahead) if len(legs) > 1 else 0.0,
        "elbows": _bend_sign(shape, arms, ahead),
        "face": _face_sign(shape, trunk, ahead),
        "face surface": _nose_sign(shape, trunk, ahead),
        "tail": _tail_sign(shape, trunk, tail, ahead),
        "hands": _hand_sign(shape, arms, ahead),
        "thumbs": _thumb_sign(shape, arms, ahead),
        "limbs": _fore_sign(shape, trunk, legs, fore, ahead),
        "shoulders": _shoulder_sign(shape, trunk, arms, ahead),
    }
    likely = chances(
        "front",
        [(*np.cross(shape.up, way), *shape.up) for way in (ahead, -ahead)],
        {sign: [value, -value] for sign, value in signs.items()},
    )
    names = _name_sign(shape, ahead, readings)
    flip = 1.0 if likely[0] >= likely[1] else -1.0
    if likely.max() < UNSURE or (_hardly_speaks(signs) and names):
        # Most files have their bodies look along +Z.
        flip = float(np.sign(names or round(float(ahead[2])) or flip))
    chance = float(likely[0] if flip > 0 else likely[1])
    signs = {sign: flip * value for sign, value in signs.items()}
    return Facing(flip * ahead, chance, _sure(signs, trunk), flip * names, signs)


def _sure(signs: Mapping[str, float], trunk: Trunk) -> float:
    """How likely a front is by its signs if the head may be at the other end of the body."""
    doubt = max(2 * trunk.line_chance - 1, 0.0) if trunk.head >= 0 else 1.0
    heard = {sign: doubt * value if sign in BY_HEAD else value for sign, value in signs.items()}
    for_it, against = scores("front", {sign: [value, -value] for sign, value in heard.items()})
    return float(1 / (1 + np.exp(against - for_it)))


def _lean(shape: Shape, trunk: Trunk, ahead: FloatArray) -> float:
    """How far a trunk leads ahead on its way to the head: 1 or -1 if it lies along the ground."""
    if trunk.head < 0 or trunk.head == trunk.hips:
        return 0.0
    line = shape.positions[trunk.head] - shape.positions[trunk.hips]
    length = float(np.linalg.norm(line))
    return float(line @ ahead) / length if length > 1e-9 else 0.0


def _nose_sign(shape: Shape, trunk: Trunk, ahead: FloatArray) -> float:
    """The surface of a head reaches further ahead of its joint than behind it."""
    if trunk.head < 0 or not shape.surface.exists or shape.surface.share[trunk.head] <= 0:
        return 0.0
    spot = float(shape.positions[trunk.head] @ ahead)
    corners = shape.surface.low[trunk.head], shape.surface.high[trunk.head]
    reach = sorted(float(corner @ ahead) - spot for corner in corners)
    return (reach[1] + reach[0]) / max(abs(reach[1]) + abs(reach[0]), 1e-9)


def _toe_sign(shape: Shape, legs: Sequence[tuple[Branch, Segments]], ahead: FloatArray) -> float:
    """Toes point ahead."""
    found = []
    for branch, places in legs:
        for chain in (branch.chain, branch.other):
            start = _start_of_foot(shape, chain, places, branch)
            if start is None or start >= len(chain) - 1:
                continue
            # The furthest joint of the foot is the toe, wherever the chain goes on to.
            steps = shape.positions[list(chain[start + 1 :])] - shape.positions[chain[start]]
            step = max(steps, key=lambda step: float(step @ step))
            length = float(np.linalg.norm(step))
            # What is shorter than toes are says as much less.
            found.append(float(step @ ahead) / max(length, 0.05 * shape.size))
    return float(np.mean(found)) if found else 0.0


def _start_of_foot(shape: Shape, chain: Sequence[int], places: Segments, branch: Branch) -> int | None:
    """The place along a leg where the part on the ground begins: the last high joint."""
    if places.end < 0 or not chain or places.end not in branch.chain:
        return None
    place = branch.chain.index(places.end)
    top = max(float(shape.heights[joint]) for joint in chain) - shape.ground
    while place + 2 < len(chain) and float(shape.heights[chain[place + 1]]) - shape.ground > 0.12 * top:
        place += 1
    return place


def _sole_sign(shape: Shape, legs: Sequence[tuple[Branch, Segments]], ahead: FloatArray) -> float:
    """The surface of a foot reaches further ahead of the ankle than behind it."""
    if not shape.surface.exists:
        return 0.0
    found = []
    for branch, places in legs:
        for chain in (branch.chain, branch.other):
            start = _start_of_foot(shape, chain, places, branch)
            if start is None:
                start = len(chain) - 1
            if not chain or start >= len(chain):
                continue
            ankle = float(shape.positions[chain[start]] @ ahead)
            below = [joint for joint in shape.below(chain[start]) if shape.surface.share[joint] > 0]
            if below:
                corners = np.concatenate([shape.surface.low[below], shape.surface.high[below]]) @ ahead
                most, least = float(corners.max()) - ankle, ankle - float(corners.min())
                found.append((most - least) / max(abs(most) + abs(least), 1e-9))
    return float(np.mean(found)) if found else 0.0


def _bend_sign(shape: Shape, limbs: Sequence[tuple[Branch, Segments]], ahead: FloatArray) -> float:
    """How far the bend of the limbs lies ahead of the line from start to end."""
    found = []
    for branch, places in limbs:
        if min(places.upper, places.lower, places.end) < 0:
            continue
        for chain in (branch.chain, branch.other):
            spots = [branch.chain.index(joint) for joint in (places.upper, places.lower, places.end)]
            if not chain or max(spots) >= len(chain):
                continue
            start, bend, end = (shape.positions[chain[spot]] for spot in spots)
            line = end - start
            length = max(float(line @ line), 1e-12)
            away = bend - start - (bend - start) @ line / length * line
            found.append(float(np.clip(away @ ahead / np.sqrt(length) / 0.06, -1, 1)))
    return float(np.mean(found)) if found else 0.0


def _face_sign(shape: Shape, trunk: Trunk, ahead: FloatArray) -> float:
    """What hangs from the head is mostly the face, but for strands: hair, ears and feelers."""
    if trunk.head < 0:
        return 0.0
    parts = [child for child in shape.children[trunk.head] if not _is_strand(shape, child)]
    if not parts:
        return 0.0
    step = shape.subtree_centers[parts].mean(axis=0) - shape.positions[trunk.head]
    return float(step @ ahead) / max(float(np.linalg.norm(step)), 0.03 * shape.size)


def _is_strand(shape: Shape, joint: int) -> bool:
    """Whether a branch is long and never forks."""
    below = shape.below(joint)
    return shape.reaches[joint] > 0.1 * shape.size and all(len(shape.children[each]) < 2 for each in below)


def _fore_sign(
    shape: Shape,
    trunk: Trunk,
    legs: Sequence[tuple[Branch, Segments]],
    fore: Sequence[Branch],
    ahead: FloatArray,
) -> float:
    """What does not stand on the ground reaches ahead of what does."""
    if not fore:
        return 0.0
    stands = [joint for branch, _ in legs for joint in (branch.root, *branch.other[:1])] or [trunk.hips]
    middle = float((shape.positions[stands] @ ahead).mean())
    reach = [float(shape.positions[branch.chain[-1]] @ ahead) - middle for branch in fore]
    return float(np.clip(np.mean(reach) / (0.1 * shape.size), -1, 1))


def _tail_sign(shape: Shape, trunk: Trunk, tail: Sequence[int], ahead: FloatArray) -> float:
    """A tail points back."""
    if not tail or trunk.hips < 0:
        return 0.0
    step = shape.positions[tail[-1]] - shape.positions[trunk.hips]
    length = float(np.linalg.norm(step))
    return float(step @ ahead) / length if length > 0.05 * shape.size else 0.0


def _thumb_sign(shape: Shape, arms: Sequence[tuple[Branch, Segments]], ahead: FloatArray) -> float:
    """Of the digits of a hand the one that starts nearest to the wrist is the thumb, which points ahead or in."""
    found = []
    for branch, places in arms:
        if places.end < 0:
            continue
        spot = branch.chain.index(places.end)
        for chain in (branch.chain, branch.other):
            if spot >= len(chain):
                continue
            hand = chain[spot]
            digits = [child for child in shape.children[hand] if shape.reaches[child] > 0]
            if len(digits) >= 4:
                thumb = min(digits, key=lambda digit: shape.bones[digit] + shape.reaches[digit])
                rest = [digit for digit in digits if digit != thumb]
                if shape.bones[thumb] > 0.75 * float(np.mean([shape.bones[digit] for digit in rest])):
                    continue
                apart = shape.positions[thumb] - shape.positions[rest].mean(axis=0)
                found.append(float(apart @ ahead) / max(float(np.linalg.norm(apart)), 1e-9))
    return float(np.mean(found)) if found else 0.0


def _hand_sign(shape: Shape, arms: Sequence[tuple[Branch, Segments]], ahead: FloatArray) -> float:
    """How far hands are held ahead of where their arms start, in arm lengths."""
    found = []
    for branch, places in arms:
        if min(places.upper, places.end) >= 0:
            step = shape.positions[places.end] - shape.positions[places.upper]
            found.append(float(step @ ahead) / max(branch.length, 1e-9))
    return float(np.mean(found)) if found else 0.0


def _shoulder_sign(shape: Shape, trunk: Trunk, arms: Sequence[tuple[Branch, Segments]], ahead: FloatArray) -> float:
    """Arms start a little behind the line from hips to head; a weak sign, for bodies that give no other."""
    tops = [joint for joint in (trunk.head, trunk.neck, trunk.chest) if joint >= 0]
    if not arms or not tops:
        return 0.0
    line = shape.positions[[trunk.hips, tops[0]]].mean(axis=0) @ ahead
    starts = [shape.positions[joint] @ ahead for branch, places in arms for joint in (places.upper,) if joint >= 0]
    return float(np.clip((np.mean(starts) - line) / (0.01 * shape.size), -1, 1)) if starts else 0.0


def _name_sign(shape: Shape, ahead: FloatArray, readings: Sequence[Reading]) -> float:
    """Left by name should lie to the left: 1 if every sided name agrees with ``ahead``, -1 if every one is against."""
    left = np.cross(shape.up, ahead)
    middle = float(np.median(shape.positions[list(shape.order)] @ left))
    votes = []
    for joint in shape.order:
        side = readings[joint].side
        across = float(shape.positions[joint] @ left) - middle
        if side and abs(across) > 0.01 * shape.size:
            votes.append(1.0 if (across > 0) == (side == "left") else -1.0)
    return float(np.mean(votes)) if len(votes) >= 4 else 0.0
