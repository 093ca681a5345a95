"""The middle line of a body: hips, spine, chest, neck and head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.limbs import Branch
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape
from mummer.recognition.tidy import NEAR


@dataclass(frozen=True)
class Trunk:
    """The joints of the middle line; -1 where one is missing.

    Attributes:
        hips, spine, chest, neck, head: as the roles of those names.
        path: from the hips to the head, both included.
        head_chance: how likely the head is right, 0 to 1.
        line_chance: how likely it is on the right line of joints, 0 to 1: at the right end of the body.
    """

    hips: int
    spine: int
    chest: int
    neck: int
    head: int
    path: tuple[int, ...]
    head_chance: float = 0.5
    line_chance: float = 0.5


def find_trunk(
    shape: Shape,
    middle: set[int],
    head: int,
    legs: Sequence[Branch],
    arms: Sequence[Branch],
    readings: Sequence[Reading],
    head_chance: float,
    line_chance: float,
) -> Trunk:
    """Hips, spine, chest and neck of a body whose head and limbs are known."""
    hips = find_hips(shape, middle, head, legs, readings)
    fork = shape.common_ancestor([hips, head]) if head >= 0 else hips
    way = shape.path(fork, head)[1:] if head >= 0 else []
    path = [hips, *_back(shape, hips, fork, arms), *[joint for joint in way if joint != hips]]
    if head < 0:
        path = _headless_path(shape, middle, hips, arms)
    if head >= 0 and not legs:
        path = [*_back_beside(shape, middle, path, arms), *path[1:]]
    inner = path[1:-1] if head >= 0 else path[1:]
    chest, neck = _chest_and_neck(shape, inner, arms, readings)
    spine = _spine(shape, hips, inner, legs if _is_above(shape, hips, head) else (), chest, neck, readings)
    return Trunk(hips, spine, chest, neck, head, tuple(path), head_chance, line_chance)


def _is_above(shape: Shape, hips: int, head: int) -> bool:
    return head < 0 or hips in shape.ancestors(head)


def _back(shape: Shape, hips: int, fork: int, arms: Sequence[Branch]) -> list[int]:
    """From above the hips up to where the way to the head parts from theirs; that joint too if limbs leave it."""
    above = shape.ancestors(hips)
    if fork not in above:
        return []
    carries = any(arm.attach == fork for arm in arms)
    return above[: above.index(fork) + carries]


def _back_beside(shape: Shape, middle: set[int], path: Sequence[int], arms: Sequence[Branch]) -> list[int]:
    """From the hips to where fins hang, if that is beside the way to the head, as in fish that a root carries."""
    hips = path[0]
    carried = {arm.attach for arm in arms if arm.attach in middle and arm.attach not in path}
    found = [shape.path(hips, joint) for joint in carried if hips in shape.ancestors(joint)]
    return found[0] if len(found) == 1 else [hips]


def _headless_path(shape: Shape, middle: set[int], hips: int, arms: Sequence[Branch]) -> list[int]:
    """From the hips to the furthest joint of the middle that limbs leave."""
    above = shape.ancestors(hips)
    paths = [
        [hips, *above[: above.index(arm.attach) + 1]] if arm.attach in above else shape.path(hips, arm.attach)
        for arm in arms
        if arm.attach in middle
    ]
    return max(paths, key=len, default=[]) or [hips]


def find_hips(shape: Shape, middle: set[int], head: int, legs: Sequence[Branch], readings: Sequence[Reading]) -> int:
    """The joint of the middle that the (hindmost) legs move with."""
    hind = [leg for leg in legs if leg.attach >= 0]
    if not hind:
        named = [joint for joint in shape.order if readings[joint].vote("hips") > 0.5 and joint in middle]
        return named[0] if named else _lone_root(shape, middle, head)
    fork = shape.common_ancestor([leg.attach for leg in hind])
    if fork < 0:
        fork = hind[0].attach
    roots = [joint for leg in hind for joint in (leg.chain[0], *(leg.other[:1]))]
    sockets = shape.positions[roots].mean(axis=0)
    down = shape.path(fork, head) if head >= 0 and shape.path(fork, head) else [fork]
    length = max(float(np.mean([leg.length for leg in hind])), 1e-9)
    candidates = [fork, *[joint for joint in shape.ancestors(fork) if joint in middle]]
    descends = _may_descend(shape, fork, down, sockets, length)
    if descends:
        candidates.append(down[1])
    costs = {}
    for joint in candidates:
        costs[joint] = float(np.linalg.norm(shape.positions[joint] - sockets)) / length
        costs[joint] += 0.03 if (joint != fork) != descends else 0.0
        vote = readings[joint].vote("hips")
        costs[joint] -= 0.8 * vote if vote > 0 else 0.25 * vote
        costs[joint] += 0.2 * max(0.0, readings[joint].vote("root"))
    return min(candidates, key=lambda joint: (round(costs[joint], 3), candidates.index(joint)))


def _may_descend(shape: Shape, fork: int, down: Sequence[int], sockets: FloatArray, length: float) -> bool:
    """Whether the hips may lie towards the head from where the legs hang: only if that is no part of the body."""
    if len(down) < 2:
        return False
    bare = shape.surface.exists and shape.surface.share[fork] < 1e-3 < shape.surface.share[down[1]]
    drop = float(shape.heights[fork] - shape.heights[down[1]])
    lower = drop > 0.01 * shape.size and drop > 0.5 * shape.distance(fork, down[1])
    far = float(np.linalg.norm(shape.positions[fork] - sockets)) > 0.6 * length
    return bool(bare or lower or far)


def _lone_root(shape: Shape, middle: set[int], head: int) -> int:
    """On a body without legs: the first joint of the line to the head that is not on the ground alone."""
    line = [joint for joint in ([*shape.ancestors(head)[::-1], head] if head >= 0 else shape.order) if joint in middle]
    for joint in line:
        if len(shape.children[joint]) > 1 or not shape.surface.exists or shape.surface.share[joint] > 0:
            return joint
    return line[0] if line else (shape.order[0] if shape.order else 0)


def _chest_and_neck(
    shape: Shape, inner: Sequence[int], arms: Sequence[Branch], readings: Sequence[Reading]
) -> tuple[int, int]:
    """The joint that the arms move with, and the first of the neck."""
    if not inner:
        return -1, -1
    named = [joint for joint in inner if readings[joint].vote("neck") > 0.5]
    attached = [inner.index(arm.attach) for arm in arms if arm.attach in inner]
    place = max(attached) if attached else (len(inner) - 2 if len(inner) > 1 else 0)
    if named:
        first = inner.index(named[0])
        return (inner[first - 1] if first > 0 else -1), named[0]
    if attached and place == len(inner) - 1 and place > 0:
        # Arms that hang from the neck, as a biped of 3ds Max has them: the joint below is the chest.
        shoulders = np.mean([shape.heights[arm.chain[0]] for arm in arms])
        if shape.heights[inner[place]] > shoulders + 0.01 * shape.size:
            return inner[place - 1], inner[place]
    return inner[place], (inner[place + 1] if place + 1 < len(inner) else -1)


def _is_double(shape: Shape, joint: int, hips: int, legs: Sequence[Branch]) -> bool:
    """Whether a joint is at the place of the hips and no higher than where the legs start: hips once more."""
    near = shape.distance(joint, hips) < 2 * NEAR * shape.size
    return near and float(shape.heights[joint]) < min((leg.base for leg in legs), default=-np.inf)


def _spine(
    shape: Shape,
    hips: int,
    inner: Sequence[int],
    legs: Sequence[Branch],
    chest: int,
    neck: int,
    readings: Sequence[Reading],
) -> int:
    """The first joint above the hips that belongs to the back; what stands above the legs belongs to the hips."""
    limit = inner.index(neck) if neck in inner else len(inner)
    lower = {joint for leg in legs if leg.attach >= 0 for joint in shape.ancestors(leg.attach)}
    back = [joint for joint in inner[:limit] if readings[joint].vote("hips") < 0.5 and not readings[joint].helper]
    upper = [joint for joint in back if joint not in lower and not _is_double(shape, joint, hips, legs)]
    return next(iter(upper or back or inner[:limit]), chest)
