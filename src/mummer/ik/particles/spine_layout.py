"""The spine for the first phase: particles where limbs branch off, and curves through the joints between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.ik.particles.joint_layout import JointLayout
from mummer.ik.particles.pins import Pin, rest_of
from mummer.ik.particles.quintic import fit_quintic, quintic
from mummer.ik.particles.task_layout import ragged

GIVE = 0.35
"""A piece of spine with joints inside may shorten softly by this part of its length as it bends."""
BEND = 0.45
"""Two neighbouring pieces resist folding from the start, fully at this part of their distance at rest."""


@dataclass(frozen=True, eq=False)
class SpineLayout:
    """P particles, the root first, each after the one it hangs on; and L limbs simplified to one length each.

    Attributes:
        joints: (P,) of the layout.
        parents: (P,) among these particles; -1 for the root.
        lengths: (P, 5) to the parent particle: along the joints, the chord at rest and how much of it may soften away;
            then the distance to the particle before that at rest and the width over which folding is resisted.
        tangents: (P, 3) at rest, in the body's space.
        next_starts, nexts: the particles that follow each.
        curves: (P, 12) start and end derivatives, first and second, of the curve from the parent particle.
        inner_starts, inner: the joints strictly between each particle and its parent, outwards.
        inner_times: where on the curve each is, 0 to 1.
        inner_offsets: (K, 3) from the curve to the joint at rest.
        limb_particles, limb_pins: (L,) where simplified limbs hang, and which pin they end at.
        limb_attach: (L, 3) from the particle to where the limb begins, at rest.
        limb_lengths: (L, 3) least, chord at rest, and full length, metres.
    """

    joints: IntArray
    parents: IntArray
    lengths: FloatArray
    tangents: FloatArray
    next_starts: IntArray
    nexts: IntArray
    curves: FloatArray
    inner_starts: IntArray
    inner: IntArray
    inner_times: FloatArray
    inner_offsets: FloatArray
    limb_particles: IntArray
    limb_pins: IntArray
    limb_attach: FloatArray
    limb_lengths: FloatArray

    def __len__(self) -> int:
        return len(self.joints)


def spine_layout(layout: JointLayout, pins: list[Pin], compress: float) -> SpineLayout:
    """The spine of ``layout``."""
    joints = particle_joints(layout, pins)
    number = {joint: place for place, joint in enumerate(joints)}
    ways = [way_to_particle(layout, joint, number) for joint in joints]
    parents = np.array([number[way[0]] if len(way) > 1 else -1 for way in ways], np.int64)
    rest = layout.rest_positions
    nexts = [[k for k in range(len(joints)) if parents[k] == particle] for particle in range(len(joints))]
    next_starts, flat_nexts = ragged(nexts)
    inner_starts, inner = ragged([way[1:-1] for way in ways])
    curves, times, offsets = zip(*(curve_of(rest[way]) for way in ways), strict=True)
    limbs = [limb_of(layout, pin, number, compress) for pin in pins]
    kept = [limb for limb in limbs if limb[0] > 0]
    return SpineLayout(
        np.array(joints, np.int64),
        parents,
        np.array([lengths_of(rest, joints, parents, particle, way) for particle, way in enumerate(ways)]),
        tangents_of(rest[joints], parents, nexts),
        next_starts,
        flat_nexts,
        np.array(curves),
        inner_starts,
        inner,
        np.concatenate(times),
        np.concatenate(offsets).reshape(-1, 3),
        np.array([limb[0] for limb in kept], np.int64),
        np.array([place for place, limb in enumerate(limbs) if limb[0] > 0], np.int64),
        np.array([limb[1] for limb in kept]).reshape(-1, 3),
        np.array([limb[2] for limb in kept]).reshape(-1, 3),
    )


def particle_joints(layout: JointLayout, pins: list[Pin]) -> list[int]:
    """The spine joints that get particles: the root, where something branches off, and where something is held."""
    children: list[list[int]] = [[] for _ in range(len(layout))]
    for joint, parent in enumerate(layout.parents.tolist()):
        if parent >= 0:
            children[parent].append(joint)
    held = {pin.joint for pin in pins}

    def has_particle(joint: int) -> bool:
        below = children[joint]
        branches = len(below) != 1 or not layout.is_spine[below[0]]
        return joint == 0 or joint in held or branches

    return [joint for joint in range(len(layout)) if layout.is_spine[joint] and has_particle(joint)]


def way_to_particle(layout: JointLayout, joint: int, number: dict[int, int]) -> list[int]:
    """The joints from the next particle above ``joint`` down to it; only itself for the root."""
    way = [joint]
    while layout.parents[way[0]] >= 0:
        way.insert(0, int(layout.parents[way[0]]))
        if way[0] in number:
            break
    return way


def path_length(points: FloatArray) -> float:
    """Metres along ``points`` (n, 3)."""
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def lengths_of(
    rest: FloatArray, joints: list[int], parents: IntArray, particle: int, way: list[int]
) -> tuple[float, float, float, float, float]:
    """One row of `SpineLayout.lengths`."""
    parent = int(parents[particle])
    if parent < 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    chord = float(np.linalg.norm(rest[joints[particle]] - rest[joints[parent]]))
    give = GIVE * chord if len(way) > 2 else 0.0
    apart = 0.0
    if parents[parent] >= 0:
        apart = float(np.linalg.norm(rest[joints[particle]] - rest[joints[int(parents[parent])]]))
    return path_length(rest[way]), chord, give, apart, BEND * apart


def tangents_of(points: FloatArray, parents: IntArray, nexts: list[list[int]]) -> FloatArray:
    """(P, 3) the direction of the spine at each particle, by the rule that `spine_phase` uses for posed ones."""
    tangents = np.zeros((len(points), 3))
    for particle, parent in enumerate(parents.tolist()):
        ahead = points[nexts[particle]].mean(axis=0) if nexts[particle] else points[particle]
        if parent < 0:
            tangents[particle] = ahead - points[particle]
        elif nexts[particle]:
            tangents[particle] = (ahead - points[parent]) / 2
        else:
            tangents[particle] = 1.5 * (points[particle] - points[parent]) - tangents[parent] / 2
    return tangents


def curve_of(points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The curve through ``points`` (k, 3) with the times and offsets of the inner ones."""
    if len(points) < 2:
        return np.zeros(12), np.zeros(0), np.zeros((0, 3))
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    times = along / along[-1] if along[-1] > 0 else np.linspace(0, 1, len(points))
    curve = fit_quintic(times, points)
    offsets = points - quintic(points[0], points[-1], curve, times)
    return curve.reshape(12), times[1:-1], offsets[1:-1]


def limb_of(
    layout: JointLayout, pin: Pin, number: dict[int, int], compress: float
) -> tuple[int, FloatArray, tuple[float, float, float]]:
    """Where the simplified limb of ``pin`` hangs, its attachment and its lengths."""
    way = [pin.joint]
    while not layout.is_spine[way[0]]:
        way.insert(0, int(layout.parents[way[0]]))
    rest, tip = layout.rest_positions, rest_of(pin, layout)
    start = way[1] if len(way) > 1 else way[0]
    chord = float(np.linalg.norm(tip - rest[start]))
    if len(way) == 1:
        lengths = (chord, chord, chord)
    else:
        full = path_length(np.vstack([rest[way[1:]], tip]))
        lengths = (compress * chord, chord, max(full, chord))
    return number[way[0]], rest[start] - rest[way[0]], lengths
