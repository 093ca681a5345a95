"""The plane in which a body mirrors itself, and which joint is whose partner, from geometry and topology."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape

GOOD = 0.92
"""A plane that pairs this part of the joints well is taken without looking further."""


MANY_JOINTS, MOST_NORMALS = 400, 4
"""For bodies of more joints only so many planes are tried, to keep the time in bounds."""

MOST_SIBLINGS = 40
"""Of more joints that hang from one, only those with the longest branches are compared."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A mirror plane and the partners across it.

    Attributes:
        normal: (3,) unit vector across the body; which side it points to means nothing yet.
        middle: where the plane is along ``normal``, in metres.
        partner: J partners; a joint on the middle, or alone, is its own.
        quality: 0 to 1, how well the joints fit their partners.
    """

    normal: FloatArray
    middle: float
    partner: tuple[int, ...]
    quality: float


def find_symmetry(shape: Shape, readings: Sequence[Reading]) -> Symmetry:
    """The best mirror plane of ``shape``.

    Args:
        shape: the body.
        readings: what the names of its joints say; names that differ in their side only speak for a pair.
    """
    best: tuple[float, Symmetry] | None = None
    for prior, normal in _normals(shape)[: MOST_NORMALS if shape.count > MANY_JOINTS else None]:
        for middle in _middles(shape, normal):
            found = _match(shape, normal, middle, readings)
            score, symmetry = found[0] * prior, found[1]
            if best is None or score > best[0] + 1e-9:
                best = (score, symmetry)
        if best is not None and best[1].quality > GOOD and len(set(best[1].partner)) and _pairs(best[1]) >= 2:
            break
    assert best is not None
    return _refined(shape, best[1], readings)


def _refined(shape: Shape, found: Symmetry, readings: Sequence[Reading]) -> Symmetry:
    """The plane turned to lie between the partners that it found, where that fits them better."""
    pairs = [(joint, other) for joint, other in enumerate(found.partner) if joint < other]
    if len(pairs) < 2:
        return found
    ones, others = (shape.positions[list(side)] for side in zip(*pairs, strict=True))
    apart = ones - others
    apart *= np.sign(apart @ found.normal)[:, None]
    normal = apart.sum(axis=0)
    normal -= (normal @ shape.up) * shape.up if abs(float(found.normal @ shape.up)) < 1e-9 else 0.0
    length = float(np.linalg.norm(normal))
    if length < 1e-9 or float(normal @ found.normal) > (1 - 1e-7) * length:
        return found
    normal = normal / length
    middle = float(((ones + others) / 2 @ normal).mean())
    _, better = _match(shape, normal, middle, readings)
    return better if better.quality > found.quality + 1e-9 else found


def _pairs(symmetry: Symmetry) -> int:
    return sum(joint < other for joint, other in enumerate(symmetry.partner))


def _normals(shape: Shape) -> list[tuple[float, FloatArray]]:
    """Directions that could lead across the body, the likeliest first, with how likely they are."""
    axes = np.eye(3)
    sides = sorted((axis for axis in axes if abs(float(axis @ shape.up)) < 0.5), key=lambda axis: -axis[0])
    found: list[tuple[float, FloatArray]] = [(1.0 - 0.02 * place, axis) for place, axis in enumerate(sides)]
    for direction in _twin_directions(shape):
        for prior, normal in ((0.98, direction - (direction @ shape.up) * shape.up), (0.97, direction)):
            length = float(np.linalg.norm(normal))
            if length > 0.4 and abs(float(normal @ shape.up)) < 0.8 * length:
                normal = normal / length
                if all(abs(float(normal @ other)) < 0.998 for _, other in found):
                    found.append((prior, normal))
    return found


def _twin_directions(shape: Shape, *, most: int = 4) -> list[FloatArray]:
    """Directions between branches that look alike by their lengths, whatever the pose: their mean, and the best."""
    spread = np.zeros((3, 3))
    pairs = []
    for joint in shape.order:
        branches = [child for child in shape.children[joint] if shape.reaches[child] > 0.05 * shape.size]
        for place, one in enumerate(branches[:12]):
            for other in branches[place + 1 : 12]:
                alike = _intrinsic(shape, one, other)
                apart = shape.subtree_centers[one] - shape.subtree_centers[other]
                length = float(np.linalg.norm(apart))
                if length > 1e-9 and alike < 0.3:
                    weight = shape.reaches[one] * math.exp(-((alike / 0.08) ** 2))
                    spread += weight / length * np.outer(apart, apart)
                    pairs.append((-round(weight, 9), (apart / length).tolist()))
    if not pairs:
        return []
    return [np.asarray(np.linalg.eigh(spread)[1][:, -1]), *[np.array(apart) for _, apart in sorted(pairs)[:most]]]


def _middles(shape: Shape, normal: FloatArray) -> list[float]:
    """Places along ``normal`` where the middle of the body could be."""
    across = shape.positions[list(shape.order)] @ normal
    fork = max(shape.order, key=lambda joint: fork_weight(shape, joint))
    found = [float(shape.positions[fork] @ normal), float(np.median(across)), float((across.min() + across.max()) / 2)]
    distinct: list[float] = []
    for middle in found:
        if all(abs(middle - other) > 0.004 * shape.size for other in distinct):
            distinct.append(middle)
    return distinct


def fork_weight(shape: Shape, joint: int) -> float:
    """How much of the body branches off at a joint: the second longest branch counts."""
    reaches = sorted((shape.reaches[child] + shape.bones[child] for child in shape.children[joint]), reverse=True)
    return reaches[1] if len(reaches) > 1 else 0.0


def _match(shape: Shape, normal: FloatArray, middle: float, readings: Sequence[Reading]) -> tuple[float, Symmetry]:
    """Partners across one plane, and a score that grows with the number and the fit of the pairs."""
    measure = _measure(shape, normal, middle)
    partner = list(range(shape.count))
    fits: list[float] = []
    paired = 0.0
    pending = [(list(shape.roots), list(shape.roots))]
    while pending:
        ours, theirs = pending.pop()
        taken: set[int] = set()
        for _, cost, one, other in sorted(_choices(shape, ours, theirs, measure, readings)):
            if one in taken or other in taken or (one != other and cost > 0.5):
                continue
            taken.update((one, other))
            partner[one], partner[other] = other, one
            fit = math.exp(-((max(cost, 0.0) / 0.12) ** 2))
            fits.append(fit)
            kin = list(shape.children[one])
            if one == other:
                pending.append((kin, kin))
            else:
                fits.append(fit)
                paired += fit * 2 * min(1.0, 0.2 + 4 * abs(measure.across[one]))
                pending.append((kin, list(shape.children[other])))
    quality = sum(fits) / max(len(shape.order), 1)
    return paired + 0.25 * sum(fits), Symmetry(normal, middle, tuple(partner), min(quality, 1.0))


@dataclass(frozen=True)
class _Measure:
    """Where joints and the middles of their branches are against a plane: across it, and along it; in body sizes.

    ``span_across`` is halfway between the two ends of a branch: a limb that starts near the middle leads away from it.
    """

    across: list[float]
    center_across: list[float]
    span_across: list[float]
    flat: list[list[float]]
    center_flat: list[list[float]]


def _measure(shape: Shape, normal: FloatArray, middle: float) -> _Measure:
    size = shape.size
    across = (shape.positions @ normal - middle) / size
    center_across = (shape.subtree_centers @ normal - middle) / size
    flat = shape.positions / size - across[:, None] * normal
    center_flat = shape.subtree_centers / size - center_across[:, None] * normal
    return _Measure(across.tolist(), center_across.tolist(), _spans(shape, across), flat.tolist(), center_flat.tolist())


def _spans(shape: Shape, across: FloatArray) -> list[float]:
    """The middle of how far each joint and everything below it reaches across the plane."""
    low: list[float] = across.tolist()
    high = list(low)
    for joint in reversed(shape.order):
        parent = shape.parents[joint]
        if parent >= 0:
            low[parent], high[parent] = min(low[parent], low[joint]), max(high[parent], high[joint])
    return [(least + most) / 2 for least, most in zip(low, high, strict=True)]


def _heaviest(shape: Shape, joints: list[int]) -> list[int]:
    """Those of many joints that the longest branches hang from."""
    return sorted(joints, key=lambda joint: (-shape.reaches[joint] - shape.bones[joint], joint))[:MOST_SIBLINGS]


def _choices(
    shape: Shape, ours: list[int], theirs: list[int], measure: _Measure, readings: Sequence[Reading]
) -> list[tuple[float, float, int, int]]:
    """(cost with what names say, cost by geometry, one, other) for every pair that could be partners."""
    if max(len(ours), len(theirs)) > MOST_SIBLINGS:
        same = ours is theirs
        ours = _heaviest(shape, ours)
        theirs = ours if same else _heaviest(shape, theirs)
    found = []
    for one in ours:
        for other in theirs:
            if ours is theirs and other < one:
                continue
            if one == other:
                lean = max(abs(measure.center_across[one]), abs(measure.span_across[one]))
                cost = 1.4 * abs(measure.across[one]) + 1.4 * lean + 0.01
                said = 0.2 if readings[one].side else 0.0
            else:
                cost = _pair_cost(shape, one, other, measure)
                said = _name_cost(readings[one], readings[other])
            found.append((round(cost + said, 6), cost, one, other))
    return found


def _pair_cost(shape: Shape, one: int, other: int, measure: _Measure) -> float:
    """How far one joint is from the other's reflection, in body sizes, and how unlike their branches are."""
    across, center_across = measure.across, measure.center_across
    place = math.dist((across[one], *measure.flat[one]), (-across[other], *measure.flat[other]))
    center = math.dist(
        (center_across[one], *measure.center_flat[one]), (-center_across[other], *measure.center_flat[other])
    )
    same_side = max(0.0, center_across[one] * center_across[other]) ** 0.5
    unlike = _intrinsic(shape, one, other)
    # Exact twins are partners even in the middle of a stride.
    weight = 0.5 if unlike > 0.03 else 0.25
    return weight * (place + center) + 0.6 * unlike + 0.5 * same_side


def _name_cost(one: Reading, other: Reading) -> float:
    """What the names of two joints say about their being partners: below 0 for it, above 0 against it."""
    if not one.side and not other.side:
        return 0.0
    if one.side and other.side and one.side != other.side:
        return -0.2 if one.key == other.key else 0.02
    return 0.25 if one.side == other.side else 0.1


def _intrinsic(shape: Shape, one: int, other: int) -> float:
    """How unlike two branches are by lengths and counts alone; 0 for twins."""
    small = 0.02 * shape.size
    counts = abs(math.log(shape.subtree_counts[one] / shape.subtree_counts[other]))
    lengths = abs(math.log((shape.reaches[one] + small) / (shape.reaches[other] + small)))
    bones = abs(shape.bones[one] - shape.bones[other]) / shape.size
    # What one side holds makes its branch longer without making it another limb.
    return 0.05 * counts + 0.5 * min(lengths, 0.3) + bones
