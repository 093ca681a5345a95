"""The first phase: the spine finds a pose from which all limbs can reach.

Particles stand where limbs branch off or something is held; quintic Hermite curves (six vectors: the place and two
derivatives at either end) lead through the joints between them.
"""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Anatomy
from mummer.ik.particles.calm import calm_angle, turn_between
from mummer.ik.particles.pins import Pin, rest_of
from mummer.ik.particles.records import Body, Joints, Lane, Settings, Spine, ragged, record
from mummer.ik.rigid_body import RigidBody
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import (
    NO_TURN,
    about,
    back,
    direction,
    dot,
    four,
    minus,
    mixed,
    plus,
    put_four,
    put_three,
    scaled,
    size,
    three,
    times,
    turned,
)

LARGE = 0.25
"""A branch without anatomy counts as one of the trunk if what hangs there is longer than this part of the height."""
GIVE = 0.35
"""A piece of spine with joints inside may shorten softly by this part of its length as it bends."""
BEND = 0.45
"""Two neighbouring pieces resist folding from the start, fully at this part of their distance at rest."""
COMPRESS = 0.1
"""A limb in this phase may shrink to this part of its chord at rest."""
SMOOTHING = 1e-3
"""How much a fitted curve prefers to be straight; what it misses is kept as offsets."""
ITERATIONS = 6
ALONG, CHORD, GIVES, APART, FOLD = 0, 1, 2, 3, 4
"""Columns of the lengths to the particle before."""
LEAST, REST, FULL = 0, 1, 2
"""Columns of the lengths of simplified limbs."""
PLACE_OF, SUM_OF, COUNT_OF, TANGENT_OF = 0, 3, 6, 7
"""Columns of what is known of a particle."""


def pose_spine(body: Body, settings: Settings, lane: Lane) -> None:
    """Fill how the joints of the spine should be turned from rest."""
    for k in range(body.spine.joints.shape[0]):
        put_three(lane.work.spine, k, PLACE_OF, three(body.joints.places, body.spine.joints[k], 0))
    for _ in range(ITERATIONS):
        pull_by_limbs(body, settings, lane)
        keep_lengths(body.spine, settings.child_share, lane.work.spine)
    hold_lengths(body.spine, lane.work.spine)
    turn_particles(body, settings, lane)
    turn_inner(body, settings, lane)


def softly(excess: float, width: float) -> float:
    """The correction of a length that is ``excess`` too long: little at first, all of it in the end, no corner."""
    return 0.5 * excess * excess / width if excess < width else excess - 0.5 * width


def shift(particles: FloatArray, k: int, way: Three, amount: float) -> None:
    """Move a particle along ``way``."""
    put_three(particles, k, PLACE_OF, plus(three(particles, k, PLACE_OF), scaled(way, amount)))


def pull_by_limbs(body: Body, settings: Settings, lane: Lane) -> None:
    """Limbs that are too long pull their particles, all at once, so that left and right count alike."""
    spine, particles, rest = body.spine, lane.work.spine, body.joints.places
    for k in range(spine.joints.shape[0]):
        put_three(particles, k, SUM_OF, (0.0, 0.0, 0.0))
        particles[k, COUNT_OF] = 0.0
    for limb in range(spine.limb_particles.shape[0]):
        k = spine.limb_particles[limb]
        parent = spine.parents[k]
        if parent < 0:
            continue
        place = three(particles, k, PLACE_OF)
        before = minus(three(rest, spine.joints[k], 0), three(rest, spine.joints[parent], 0))
        turn = turn_between(before, minus(place, three(particles, parent, PLACE_OF)), settings.soft)
        start = plus(place, turned(turn, three(spine.limb_attach, limb, 0)))
        away = minus(three(lane.pins, spine.limb_pins[limb], 0), start)
        length = size(away)
        least, usual = 1.0 * spine.limb_lengths[limb, LEAST], 1.0 * spine.limb_lengths[limb, REST]
        width = spine.limb_lengths[limb, FULL] - usual + settings.size * settings.soft * settings.soft
        particles[k, COUNT_OF] += 1.0
        wanted = 0.0
        if length > usual:
            wanted = softly(length - usual, width)
        elif length < least:
            wanted = -softly(least - length, width)
        if length > 0.0:
            pulled = plus(three(particles, k, SUM_OF), scaled(away, settings.pull * wanted / length))
            put_three(particles, k, SUM_OF, pulled)
    for k in range(spine.joints.shape[0]):
        if particles[k, COUNT_OF] > 0.0:
            shift(particles, k, three(particles, k, SUM_OF), 1.0 / particles[k, COUNT_OF])


def keep_lengths(spine: Spine, child_share: float, particles: FloatArray) -> None:
    """From the ends inwards, bring neighbouring particles back to their distance, and unfold what is folding."""
    lengths, parents = spine.lengths, spine.parents
    for k in range(parents.shape[0] - 1, 0, -1):
        parent = parents[k]
        away = minus(three(particles, k, PLACE_OF), three(particles, parent, PLACE_OF))
        length = size(away)
        if length > 0.0:
            wanted = 0.0
            if length > lengths[k, ALONG]:
                wanted = lengths[k, ALONG] - length
            elif length < lengths[k, CHORD]:
                wanted = softly(lengths[k, CHORD] - length, 1.0 * lengths[k, GIVES])
            own = child_share if parents[parent] >= 0 else 1.0
            shift(particles, k, away, own * wanted / length)
            if parents[parent] >= 0:
                shift(particles, parent, away, (own - 1.0) * wanted / length)
        if parents[parent] < 0:
            continue
        away = minus(three(particles, k, PLACE_OF), three(particles, parents[parent], PLACE_OF))
        length = size(away)
        if length > 0.0 and length < lengths[k, APART]:
            shift(particles, k, away, softly(lengths[k, APART] - length, 1.0 * lengths[k, FOLD]) / length)


def hold_lengths(spine: Spine, particles: FloatArray) -> None:
    """From the root outwards, put each particle where its piece of spine can really put it."""
    lengths = spine.lengths
    for k in range(1, spine.parents.shape[0]):
        base = three(particles, spine.parents[k], PLACE_OF)
        away = minus(three(particles, k, PLACE_OF), base)
        length = size(away)
        if length > 0.0:
            held = min(max(length, lengths[k, CHORD] - lengths[k, GIVES]), lengths[k, ALONG])
            put_three(particles, k, PLACE_OF, plus(base, scaled(away, held / length)))


def tangent_of(spine: Spine, k: int, particles: FloatArray) -> Three:
    """The direction of the posed spine at a particle, by the rule that `tangents_of` uses at rest."""
    parent, first, last = spine.parents[k], spine.next_starts[k], spine.next_starts[k + 1]
    place, ahead = three(particles, k, PLACE_OF), (0.0, 0.0, 0.0)
    for at in range(first, last):
        ahead = plus(ahead, scaled(three(particles, spine.nexts[at], PLACE_OF), 1.0 / (last - first)))
    if parent < 0:
        return minus(ahead, place) if last > first else ahead
    before = three(particles, parent, PLACE_OF)
    if last > first:
        return scaled(minus(ahead, before), 0.5)
    return minus(scaled(minus(place, before), 1.5), scaled(three(particles, parent, TANGENT_OF), 0.5))


def turn_particles(body: Body, settings: Settings, lane: Lane) -> None:
    """Fill how the joints of particles are turned from rest: no more than their tangents ask."""
    spine, joints, wanted = body.spine, body.joints, lane.work.wanted
    put_four(wanted, spine.joints[0], 0, NO_TURN)
    for k in range(spine.parents.shape[0]):
        tangent = tangent_of(spine, k, lane.work.spine)
        put_three(lane.work.spine, k, TANGENT_OF, tangent)
        if spine.parents[k] < 0:
            continue
        joint, carried = spine.joints[k], four(wanted, spine.joints[spine.parents[k]], 0)
        turn = times(turn_between(turned(carried, three(spine.tangents, k, 0)), tangent, settings.soft), carried)
        task = joints.turn_tasks[joint]
        if task >= 0:
            asked = times(four(lane.targets, task, 0), back(four(joints.turns, joint, 0)))
            turn = mixed(turn, asked, 1.0 * body.tasks.weights[task])
        put_four(wanted, joint, 0, turn)


def on_curve(spine: Spine, k: int, lane: Lane, t: float) -> Three:
    """A point of the posed curve to a particle; see `quintic`."""
    a, b, s = spine.joints[spine.parents[k]], spine.joints[k], 1.0 - t
    turn_a, turn_b = four(lane.work.wanted, a, 0), four(lane.work.wanted, b, 0)
    start, end = three(lane.work.spine, spine.parents[k], PLACE_OF), three(lane.work.spine, k, PLACE_OF)
    # The shares of the start, mirrored for the end.
    early, late = s * s * s, t * t * t
    found = plus(
        scaled(start, early * (1.0 + 3.0 * t + 6.0 * t * t)), scaled(end, late * (1.0 + 3.0 * s + 6.0 * s * s))
    )
    slopes = plus(
        scaled(three(spine.curves, k, 0), early * t * (1.0 + 3.0 * t)),
        scaled(three(spine.curves, k, 3), early * t * t / 2),
    )
    ends = plus(
        scaled(three(spine.curves, k, 6), -late * s * (1.0 + 3.0 * s)),
        scaled(three(spine.curves, k, 9), late * s * s / 2),
    )
    return plus(found, plus(turned(turn_a, slopes), turned(turn_b, ends)))


def turn_inner(body: Body, settings: Settings, lane: Lane) -> None:
    """Fill how the joints between particles are turned: carried along the posed curve, twist shared out evenly."""
    spine, rest, wanted = body.spine, body.joints.places, lane.work.wanted
    for k in range(1, spine.parents.shape[0]):
        first, last = spine.inner_starts[k], spine.inner_starts[k + 1]
        if first == last:
            continue
        carried, turn_b = four(wanted, spine.joints[spine.parents[k]], 0), four(wanted, spine.joints[k], 0)
        offset = turned(carried, three(spine.inner_offsets, first, 0))
        here = plus(on_curve(spine, k, lane, 1.0 * spine.inner_times[first]), offset)
        for at in range(first, last):
            joint, after_it, ahead = spine.inner[at], spine.joints[k], three(lane.work.spine, k, PLACE_OF)
            if at + 1 < last:
                after_it, offset = spine.inner[at + 1], turned(carried, three(spine.inner_offsets, at + 1, 0))
                ahead = plus(on_curve(spine, k, lane, 1.0 * spine.inner_times[at + 1]), offset)
            way = turned(carried, minus(three(rest, after_it, 0), three(rest, joint, 0)))
            carried = times(turn_between(way, minus(ahead, here), settings.soft), carried)
            put_four(wanted, joint, 0, carried)
            here = ahead
        # What the carried frame lacks in twist at the end is shared out along the way.
        tangent = three(lane.work.spine, k, TANGENT_OF)
        if not size(tangent) > 0.0:
            continue
        x, y, z, w = times(turn_b, back(carried))
        along = dot((x, y, z), direction(tangent, (0.0, 1.0, 0.0)))
        angle = calm_angle(2.0 * along * w, w * w - along * along, settings.soft, settings.soft_twist)
        for at in range(first, last):
            turn = four(wanted, spine.inner[at], 0)
            way = turned(turn, three(spine.curves, k, 0))
            if size(way) > 0.0:
                twist = about(scaled(way, 1.0 / size(way)), spine.inner_times[at] * angle)
                put_four(wanted, spine.inner[at], 0, times(twist, turn))


def spine_joints(body: RigidBody, numbers: IntArray, parents: IntArray, places: FloatArray) -> BoolArray:
    """(n,) which joints belong to the spine; whatever is above a spine joint does too.

    Told by the anatomy, else what leads from the root to where large parts branch off.

    Args:
        body: the body.
        numbers: (n,) of the skeleton, those with goals below them.
        parents: (n,) among these.
        places: (n, 3) of the stand.
    """
    anatomy = body.character.anatomy
    if anatomy is None:
        found = large_branches(parents, places, LARGE * body.height)
    else:
        found = np.isin(numbers, list(named_spine(anatomy)))
    found = found | (parents < 0)
    for place in range(len(numbers) - 1, -1, -1):
        if found[place] and parents[place] >= 0:
            found[parents[place]] = True
    return found


def named_spine(anatomy: Anatomy) -> set[int]:
    """Spine, necks and heads of the skeleton."""
    found = {joint for kind in ("root", "spine", "head") for joint in anatomy.capabilities.get(kind, ())}
    return found.union(*(limb.joints for limb in anatomy.limbs if limb.kind == "neck"))


def large_branches(parents: IntArray, places: FloatArray, least: float) -> BoolArray:
    """(n,) the joints with two or more children whose longest chains are at least ``least`` metres."""
    count = len(parents)
    reach, large = np.zeros(count), np.zeros(count, np.int64)
    for place in range(count - 1, 0, -1):
        parent = parents[place]
        if parent >= 0:
            whole = reach[place] + float(np.linalg.norm(places[place] - places[parent]))
            reach[parent] = max(reach[parent], whole)
            large[parent] += whole >= least
    return large >= 2


def spine_of(joints: Joints, pins: list[Pin]) -> Spine:
    """The spine of a body."""
    chosen = particle_joints(joints, pins)
    number = {joint: place for place, joint in enumerate(chosen)}
    ways = [way_to_particle(joints, joint, number) for joint in chosen]
    parents = np.array([number[way[0]] if len(way) > 1 else -1 for way in ways], np.int64)
    rest = joints.places
    nexts = [[k for k in range(len(chosen)) if parents[k] == particle] for particle in range(len(chosen))]
    curves, inner_times, offsets = zip(*(curve_of(rest[way]) for way in ways), strict=True)
    limbs = [limb_of(joints, pin, number) for pin in pins]
    kept = [limb for limb in limbs if limb[0] > 0]
    return record(
        Spine,
        np.array(chosen, np.int64),
        parents,
        np.array([lengths_of(rest, chosen, parents, particle, way) for particle, way in enumerate(ways)]),
        tangents_of(rest[chosen], parents, nexts),
        *ragged(nexts),
        np.array(curves),
        *ragged([way[1:-1] for way in ways]),
        np.concatenate(inner_times),
        np.concatenate(offsets).reshape(-1, 3),
        np.array([limb[0] for limb in kept], np.int64),
        np.array([place for place, limb in enumerate(limbs) if limb[0] > 0], np.int64),
        np.array([limb[1] for limb in kept]).reshape(-1, 3),
        np.array([limb[2] for limb in kept]).reshape(-1, 3),
    )


def particle_joints(joints: Joints, pins: list[Pin]) -> list[int]:
    """The spine joints that get particles: the root, where something branches off, and where something is held."""
    children: list[list[int]] = [[] for _ in joints.parents]
    for joint, parent in enumerate(joints.parents.tolist()):
        if parent >= 0:
            children[parent].append(joint)
    held = {pin.joint for pin in pins}

    def has_particle(joint: int) -> bool:
        below = children[joint]
        return joint == 0 or joint in held or len(below) != 1 or not joints.is_spine[below[0]]

    return [joint for joint in range(len(children)) if joints.is_spine[joint] and has_particle(joint)]


def way_to_particle(joints: Joints, joint: int, number: dict[int, int]) -> list[int]:
    """The joints from the next particle above ``joint`` down to it; only itself for the root."""
    way = [joint]
    while joints.parents[way[0]] >= 0:
        way.insert(0, int(joints.parents[way[0]]))
        if way[0] in number:
            break
    return way


def path_length(points: FloatArray) -> float:
    """Metres along ``points`` (n, 3)."""
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def lengths_of(
    rest: FloatArray, chosen: list[int], parents: IntArray, particle: int, way: list[int]
) -> tuple[float, float, float, float, float]:
    """One row of `Spine.lengths`."""
    parent = int(parents[particle])
    if parent < 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    chord = float(np.linalg.norm(rest[chosen[particle]] - rest[chosen[parent]]))
    apart_by = 0.0
    if parents[parent] >= 0:
        apart_by = float(np.linalg.norm(rest[chosen[particle]] - rest[chosen[int(parents[parent])]]))
    return path_length(rest[way]), chord, GIVE * chord if len(way) > 2 else 0.0, apart_by, BEND * apart_by


def tangents_of(points: FloatArray, parents: IntArray, nexts: list[list[int]]) -> FloatArray:
    """(P, 3) the direction of the spine at each particle."""
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
    at = along / along[-1] if along[-1] > 0 else np.linspace(0, 1, len(points))
    curve = fit_quintic(at, points)
    offsets = points - quintic(points[0], points[-1], curve, at)
    return curve.reshape(12), at[1:-1], offsets[1:-1]


def quintic_weights(t: FloatArray) -> FloatArray:
    """(..., 6) the share of start, its two derivatives, end, and its two derivatives at ``t``, 0 to 1."""
    t2, t3 = t * t, t * t * t
    t4, t5 = t2 * t2, t3 * t2
    return np.stack([
        1 - 10 * t3 + 15 * t4 - 6 * t5, t - 6 * t3 + 8 * t4 - 3 * t5, (t2 - 3 * t3 + 3 * t4 - t5) / 2,
        10 * t3 - 15 * t4 + 6 * t5, -4 * t3 + 7 * t4 - 3 * t5, (t3 - 2 * t4 + t5) / 2,
    ], axis=-1)  # fmt: skip


def quintic(start: FloatArray, end: FloatArray, curve: FloatArray, at: FloatArray) -> FloatArray:
    """(k, 3) points of a curve.

    Args:
        start: (3,)
        end: (3,)
        curve: (4, 3) first and second derivative at the start, then at the end.
        at: (k,) 0 to 1.
    """
    return quintic_weights(at) @ np.stack([start, curve[0], curve[1], end, curve[2], curve[3]])


def fit_quintic(at: FloatArray, points: FloatArray) -> FloatArray:
    """(4, 3) the derivatives of the curve through the first and last point that comes nearest to the others.

    Args:
        at: (k,) 0 to 1.
        points: (k, 3).
    """
    chord = points[-1] - points[0]
    straight = np.stack([chord, 0 * chord, chord, 0 * chord])
    missing = points - quintic(points[0], points[-1], straight, at)
    stacked = np.vstack([quintic_weights(at)[:, [1, 2, 4, 5]], SMOOTHING * np.eye(4)])
    return np.asarray(straight + np.linalg.lstsq(stacked, np.vstack([missing, np.zeros((4, 3))]), rcond=None)[0])


def limb_of(joints: Joints, pin: Pin, number: dict[int, int]) -> tuple[int, FloatArray, tuple[float, float, float]]:
    """Where the simplified limb of ``pin`` hangs, its attachment and its lengths."""
    way = [pin.joint]
    while not joints.is_spine[way[0]]:
        way.insert(0, int(joints.parents[way[0]]))
    rest, tip = joints.places, rest_of(pin, joints)
    start = way[1] if len(way) > 1 else way[0]
    chord = float(np.linalg.norm(tip - rest[start]))
    if len(way) == 1:
        lengths = (chord, chord, chord)
    else:
        lengths = (COMPRESS * chord, chord, max(path_length(np.vstack([rest[way[1:]], tip])), chord))
    return number[way[0]], rest[start] - rest[way[0]], lengths
