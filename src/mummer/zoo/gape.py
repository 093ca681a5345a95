"""Mouths are made open and then closed, so that the lips are apart in the mesh though they touch at rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from mummer.arrays import FloatArray
from mummer.zoo.arguments import IntegerArray
from mummer.zoo.binding import Bindings
from mummer.zoo.flesh import Part
from mummer.zoo.geometry import turned_about, vector
from mummer.zoo.plan import Plan
from mummer.zoo.recipe import Vector


@dataclass(frozen=True, eq=False)
class Turn:
    """A jaw turned about its joint.

    Attributes:
        joints: the jaw joint and all that hangs from it.
        pivot: (3,) where it turns.
        axis: (3,) what it turns about; positive opens.
        angle: radians.
    """

    joints: frozenset[int]
    pivot: FloatArray
    axis: FloatArray
    angle: float

    def opened(self, points: FloatArray, *, part: float = 1.0) -> FloatArray:
        """(..., 3) points carried along while the jaw opens by ``part`` of the angle."""
        return self.pivot + self.turned(points - self.pivot, part=part)

    def turned(self, directions: FloatArray, *, part: float = 1.0) -> FloatArray:
        """(..., 3) directions carried along."""
        return directions @ _turning(vector(self.axis), part * self.angle)


@lru_cache(maxsize=64)
def _turning(axis: Vector, angle: float) -> FloatArray:
    """(3, 3) whose rows are the turned axes of the world."""
    ways = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return np.array([turned_about(way, axis, angle) for way in ways])


def jaw_turns(plan: Plan, *, modelling: bool) -> list[Turn]:
    """One turn for each face: by its ``gape`` while the surface is made, else by ``open``."""
    turns = []
    for face in plan.recipe.face:
        jaw = plan.index[face.jaw]
        below = {jaw}
        for joint, parent in enumerate(plan.parents):
            if parent in below:
                below.add(joint)
        angle = np.radians(face.gape if modelling else face.open)
        axis = np.asarray(plan.chains[plan.chain_of[jaw]].chain.across, np.float64)
        turns.append(Turn(frozenset(below), plan.positions[jaw], axis, float(angle)))
    return turns


def open_parts(plan: Plan, parts: list[Part], turns: list[Turn]) -> list[Part]:
    """The parts with those that jaws carry turned open."""
    return [_opened_part(plan, part, turns) for part in parts] if turns else parts


def _opened_part(plan: Plan, part: Part, turns: list[Turn]) -> Part:
    joint = plan.index.get(part.carrier)
    if part.carrier in plan.chain_index:
        joint = plan.chains[plan.chain_index[part.carrier]].joints[0]
    for turn in turns:
        if joint in turn.joints:
            rows = part.primitives.copy()
            rows[:, :3] = turn.opened(rows[:, :3])
            for start in (3, 7, 10):
                rows[:, start : start + 3] = turn.turned(rows[:, start : start + 3])
            return replace(part, primitives=rows)
    return part


def open_bindings(bindings: Bindings, turns: list[Turn]) -> Bindings:
    """The bindings with those of jaws turned open."""
    if not turns:
        return bindings
    points, planes = bindings.points.copy(), bindings.planes.copy()
    for binding in range(len(bindings.first) - 1):
        start, stop = int(bindings.first[binding]), int(bindings.first[binding + 1])
        for turn in turns:
            if int(bindings.joints[start]) in turn.joints:
                points[start + binding : stop + binding + 1] = turn.opened(points[start + binding : stop + binding + 1])
                planes[start:stop] = turn.turned(planes[start:stop])
    return replace(bindings, points=points, planes=planes)


def jaw_share(turn: Turn, indices: IntegerArray, weights: FloatArray) -> FloatArray:
    """(V,) how much of each vertex the jaw carries, 0 to 1."""
    return (np.isin(indices, list(turn.joints)) * weights).sum(axis=1)


def closed(
    positions: FloatArray, normals: FloatArray, indices: IntegerArray, weights: FloatArray, turns: list[Turn]
) -> tuple[FloatArray, FloatArray]:
    """Positions and normals (V, 3) with every jaw closed again, each vertex as far as the jaw carries it."""
    for turn in turns:
        share = jaw_share(turn, indices, weights)
        moving = np.flatnonzero(share > 0)
        part = share[moving, None]
        shut = turn.opened(positions[moving], part=-1.0)
        positions = positions.copy()
        positions[moving] += part * (shut - positions[moving])
        normals = normals.copy()
        normals[moving] += part * (turn.turned(normals[moving], part=-1.0) - normals[moving])
        normals[moving] /= np.maximum(np.linalg.norm(normals[moving], axis=1, keepdims=True), 1e-9)
    return positions, normals
