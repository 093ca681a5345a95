"""The second phase: limbs aim at their goals from the posed spine, and their particles settle at their lengths.

A particle stands at each joint; the stretches between branches aim as one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.character.limits import BALL, FREE, HINGE
from mummer.clip.standing import front_of
from mummer.ik.limits import AXIS, KIND, RANGE, SECOND_RANGE
from mummer.ik.particles.calm import calm_angle, turn_between, turn_by_way_of
from mummer.ik.particles.pins import Pin, rest_of
from mummer.ik.particles.records import Body, Joints, Lane, Limbs, Settings, ragged, record
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import (
    about,
    back,
    cross,
    direction,
    dot,
    four,
    minus,
    plus,
    put_four,
    put_three,
    scaled,
    size,
    soft_limit,
    three,
    times,
    turned,
)
from mummer.math import quaternion
from mummer.math.vectors import rejection

ITERATIONS = 6
BENT = 0.04
"""A limb that stands out from its own chord by this part of its length needs no telling which way it gives."""
NARROW = 2.6
"""Radians: a joint that swings no farther keeps away from the opposite of its rest, which then is its pole."""
FORWARD, OUTWARD = 0.7, 0.4
"""How much the front and the side count beside where a limb points at rest, for its pole."""


def soft_reach(distance: float, reach: float, chord: float, ease: float) -> float:
    """``distance``, drawn back so that it nears but never passes ``reach`` less ``ease`` of it; equal well inside."""
    room = ease * reach
    start = reach - 2.0 * room
    if not distance > max(start, chord):
        return distance
    if chord > start:
        # As straight at rest as that already: it eases as the goal moves away.
        return start + (chord - start) * math.exp((chord - distance) / (4.0 * room))
    return soft_limit(distance, start, start + room)


def aim_limbs(body: Body, settings: Settings, lane: Lane) -> None:
    """Turn and scale each limb as a whole so that its end is at its goal; lengths are put right afterwards."""
    limbs, joints, particles = body.limbs, body.joints, lane.work.particles
    for aim in range(limbs.roots.shape[0]):
        root = limbs.roots[aim]
        if limbs.before[aim] < 0:
            spine = limbs.spines[aim]
            turn = four(lane.work.turns, spine, 0)
            carried = times(turn, back(four(joints.turns, spine, 0)))
            start = plus(three(lane.work.places, spine, 0), turned(turn, three(joints.offsets, root, 0)))
            put_three(particles, root, 0, start)
        else:
            carried = four(lane.work.aim_turns, limbs.before[aim], 0)
        base, first, last = three(particles, root, 0), limbs.end_starts[aim], limbs.end_starts[aim + 1]
        away = scaled(base, -1.0)
        for at in range(first, last):
            away = plus(away, scaled(three(lane.pins, limbs.ends[at], 0), 1.0 / (last - first)))
        rested = turned(carried, three(limbs.aims, aim, 0))
        chord, distance = size(rested), size(away)
        # A goal where the limb itself begins has no direction: it fades into the direction at rest.
        near = settings.near * chord
        if distance < near and chord > 0.0:
            k = (near - distance) / near
            away = plus(away, scaled(rested, k * k * near / chord))
        pole = turned(carried, three(limbs.poles, aim, 0))
        turn = times(turn_by_way_of(rested, pole, away, settings.soft), carried)
        put_four(lane.work.aim_turns, aim, 0, turn)
        scale, reach = 1.0, 1.0 * limbs.reaches[aim]
        if chord > 0.0:
            scale = soft_reach(distance, reach, chord, settings.ease) / chord
        height = 0.0
        if scale < 1.0:
            height = (math.sqrt(1.0 - scale * scale + settings.soft * settings.soft) - settings.soft) * reach
        put_members(limbs, aim, base, scale, height, lane)


def put_members(limbs: Limbs, aim: int, base: Three, scale: float, height: float, lane: Lane) -> None:
    """Lay the particles of an aim along it, scaled, and bent out by so many metres."""
    turn = four(lane.work.aim_turns, aim, 0)
    pointed = direction(turned(turn, three(limbs.aims, aim, 0)), (0.0, 0.0, 0.0))
    for at in range(limbs.member_starts[aim], limbs.member_starts[aim + 1]):
        member = limbs.members[at]
        v = turned(turn, minus(three(limbs.rest, member, 0), three(limbs.rest, limbs.roots[aim], 0)))
        out = turned(turn, three(limbs.bends, at, 0))
        moved = plus(scaled(pointed, (scale - 1.0) * dot(v, pointed)), scaled(out, height))
        put_three(lane.work.particles, member, 0, plus(plus(base, v), moved))


def relax_lengths(body: Body, lane: Lane) -> None:
    """From the tips inwards, bring particles to their distances; held ones and the spine stay where they are."""
    limbs = body.limbs
    for _ in range(ITERATIONS):
        for k in range(limbs.order.shape[0] - 1, -1, -1):
            particle = limbs.order[k]
            parent = limbs.parents[particle]
            own, other = 1.0 * limbs.loose[particle], 1.0 * limbs.loose[parent]
            if own > 0.0 and other > 0.0:
                own, other = 0.5, 0.5
            keep_apart(parent, particle, 1.0 * limbs.lengths[particle], other, own, lane.work.particles)


def keep_apart(a: int, b: int, distance: float, share_a: float, share_b: float, particles: FloatArray) -> None:
    """Bring two particles to a distance, each by its share of the way."""
    p, q = three(particles, a, 0), three(particles, b, 0)
    away = minus(q, p)
    length = size(away)
    if length > 0.0:
        k = (distance - length) / length
        put_three(particles, a, 0, minus(p, scaled(away, share_a * k)))
        put_three(particles, b, 0, plus(q, scaled(away, share_b * k)))


def turn_of_limb_joint(body: Body, settings: Settings, lane: Lane, joint: int) -> Four:
    """How a joint of a limb should be turned from rest: to its particles, as asked, or along with its parent."""
    joints, limbs = body.joints, body.limbs
    if joints.turn_tasks[joint] >= 0:
        return times(four(lane.targets, joints.turn_tasks[joint], 0), back(four(joints.turns, joint, 0)))
    if limbs.kid_starts[joint] < limbs.kid_starts[joint + 1]:
        return turn_to_particles(limbs, settings, lane, joint)
    parent = joints.parents[joint]
    return times(four(lane.work.turns, parent, 0), back(four(joints.turns, parent, 0)))


def turn_to_particles(limbs: Limbs, settings: Settings, lane: Lane, joint: int) -> Four:
    """How a joint is turned from rest so that what hangs on it points to its particles, and twists with them."""
    first, last = limbs.kid_starts[joint], limbs.kid_starts[joint + 1]
    own, own_rest, particles = three(lane.work.particles, joint, 0), three(limbs.rest, joint, 0), lane.work.particles
    carried = four(lane.work.aim_turns, limbs.joint_aims[joint], 0)
    now, then = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for at in range(first, last):
        now = plus(now, minus(three(particles, limbs.kids[at], 0), own))
        then = plus(then, minus(three(limbs.rest, limbs.kids[at], 0), own_rest))
    turn = times(turn_between(turned(carried, then), now, settings.soft), carried)
    if last - first < 2 or not size(now) > 0.0:
        return turn
    axis = scaled(now, 1.0 / size(now))
    sine, cosine, spread = 0.0, 0.0, 0.0
    for at in range(first, last):
        now = minus(three(particles, limbs.kids[at], 0), own)
        now = minus(now, scaled(axis, dot(now, axis)))
        then = turned(turn, minus(three(limbs.rest, limbs.kids[at], 0), own_rest))
        sine, cosine = sine + dot(axis, cross(then, now)), cosine + dot(then, now)
        spread = spread + dot(then, then) - dot(then, axis) * dot(then, axis)
    return times(about(axis, calm_angle(sine, cosine, settings.soft * spread, settings.soft_twist)), turn)


@dataclass
class _Aim:
    root: int
    before: int
    spine: int
    members: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)


class _Tree:
    """The particles and which hang on which."""

    def __init__(self, joints: Joints, pins: list[Pin]) -> None:
        self.count = len(joints.parents)
        self.is_spine = [*joints.is_spine.astype(bool).tolist()]
        self.rest = [*joints.places]
        self.parents: list[int] = joints.parents.tolist()
        self.pins = [-1] * self.count
        for number, pin in enumerate(pins):
            if pin.has_tip and not self.is_spine[pin.joint]:
                self.rest.append(rest_of(pin, joints))
                self.parents.append(pin.joint)
                self.pins.append(number)
                self.is_spine.append(False)
            else:
                self.pins[pin.joint] = number
        self.children: list[list[int]] = [[] for _ in self.rest]
        for particle, parent in enumerate(self.parents):
            if parent >= 0:
                self.children[parent].append(particle)
        hangs = [parent >= 0 and self.is_spine[parent] for parent in self.parents]
        self.limbs = [particle for particle, on in enumerate(hangs) if on and not self.is_spine[particle]]

    def pins_below(self, particle: int) -> list[int]:
        own = [self.pins[particle]] if self.pins[particle] >= 0 else []
        return own + [pin for child in self.children[particle] for pin in self.pins_below(child)]

    def aims(self) -> list[_Aim]:
        """All aims, those that carry others first."""
        found: list[_Aim] = []
        waiting = [(limb, -1, int(self.parents[limb])) for limb in self.limbs]
        while waiting:
            root, before, spine = waiting.pop(0)
            for child in self.children[root]:
                if not self.pins_below(child):
                    continue
                aim = _Aim(root, before, spine, [child])
                while self.pins[aim.members[-1]] < 0 and len(self.children[aim.members[-1]]) == 1:
                    aim.members.append(self.children[aim.members[-1]][0])
                end = aim.members[-1]
                aim.ends = [self.pins[end]] if self.pins[end] >= 0 else self.pins_below(end)
                waiting.append((end, len(found), spine))
                found.append(aim)
        return found

    def reach(self, lengths: FloatArray, aim: _Aim) -> float:
        """Metres along the joints from the root of an aim to the farthest of its ends."""
        farthest, waiting = {aim.root: 0.0}, [aim.members[0]]
        while waiting:
            particle = waiting.pop()
            farthest[particle] = farthest[self.parents[particle]] + float(lengths[particle])
            if particle != aim.members[-1] or self.pins[particle] < 0:
                waiting += self.children[particle]
        return max(farthest[particle] for particle in farthest if self.pins[particle] in aim.ends)


def limbs_of(joints: Joints, pins: list[Pin], body: Character) -> Limbs:
    """The limbs of a body."""
    tree = _Tree(joints, pins)
    aims, rest, count = tree.aims(), np.array(tree.rest), tree.count
    lengths = np.array([np.linalg.norm(rest[k] - rest[p]) if p >= 0 else 0.0 for k, p in enumerate(tree.parents)])
    ends = np.array([rest_of(pin, joints) for pin in pins]).reshape(-1, 3)
    moving = [k for k in range(len(rest)) if not tree.is_spine[k] and k not in set(tree.limbs)]
    joint_aims = np.full(count, -1, np.int64)
    for number, aim in reversed(list(enumerate(aims))):
        for joint in [aim.root, *aim.members]:
            if joint < count and (joint != aim.root or aim.before < 0):
                joint_aims[joint] = number
    vectors = np.array([ends[aim.ends].mean(axis=0) - rest[aim.root] for aim in aims]).reshape(-1, 3)
    return record(
        Limbs,
        rest,
        np.array(tree.parents, np.int64),
        lengths,
        (np.isin(np.arange(len(rest)), moving) & (np.array(tree.pins) < 0)).astype(np.float64),
        np.array(moving, np.int64),
        np.array([aim.root for aim in aims], np.int64),
        np.array([aim.before for aim in aims], np.int64),
        np.array([aim.spine for aim in aims], np.int64),
        vectors,
        np.array([pole_of(joints, aim.root, v, body) for aim, v in zip(aims, vectors, strict=True)]).reshape(-1, 3),
        np.array([tree.reach(lengths, aim) for aim in aims], np.float64),
        *ragged([aim.members for aim in aims]),
        np.concatenate([np.zeros((0, 3)), *(bends_of(joints, rest, [a.root, *a.members], body) for a in aims)]),
        *ragged([aim.ends for aim in aims]),
        joint_aims,
        *ragged([tree.children[joint] for joint in range(count)]),
    )


def pole_of(joints: Joints, root: int, rest: FloatArray, body: Character) -> FloatArray:
    """(3,) unit in the body's space: by way of which a limb is turned; opposite lies the only place where it may twist.

    Args:
        joints: the joints.
        root: the joint where the limb turns.
        rest: (3,) where it points at rest.
        body: whose front and sides count.
    """
    length = float(np.linalg.norm(rest))
    if not length > 0:
        return np.array([0.0, 0.0, 1.0])
    along = rest / length
    if is_narrow(joints, root):
        return np.asarray(along)
    left = np.array([1.0, 0.0, 0.0]) if body.anatomy is None else body.anatomy.left
    side = np.sign(np.round(float((joints.places[root] + rest - joints.places[0]) @ left) / length, 3))
    pole = along + FORWARD * front_of(body) + OUTWARD * side * left
    return np.asarray(pole / np.linalg.norm(pole)) if np.linalg.norm(pole) > 0.3 else np.asarray(along)


def is_narrow(joints: Joints, root: int) -> bool:
    """Whether the limits of a joint keep it well away from the opposite of where it points at rest."""
    if root >= len(joints.parents) or joints.limits[root, KIND] == FREE:
        return False
    if joints.limits[root, KIND] == BALL:
        return bool(joints.limits[root, SECOND_RANGE : SECOND_RANGE + 2].max() < NARROW)
    return True


def bends_of(joints: Joints, rest: FloatArray, way: list[int], body: Character) -> FloatArray:
    """(k - 1, 3) in the body's space, how far each particle after the first moves out, as a part of the reach.

    Each joint gives as its own hinge can, else towards the front. Zeros for a limb that is bent at rest, and for the
    end of any limb.

    Args:
        joints: the joints.
        rest: (m, 3) of all particles.
        way: k particles of the limb, outwards.
        body: whose front counts.
    """
    points = rest[way]
    found = np.zeros((len(way) - 1, 3))
    chord = points[-1] - points[0]
    length = float(np.linalg.norm(chord))
    if len(way) < 3 or not length > 0:
        return found
    along = chord / length
    if np.linalg.norm(rejection(points - points[0], along), axis=1).max() > BENT * length:
        return found
    hinges = np.array([hinge_bend(joints, points, way, place) for place in range(1, len(way) - 1)])
    if not np.any(hinges):
        front = front_of(body)
        hinges[:] = front if np.linalg.norm(rejection(front, along)) > 1e-3 else quaternion.perpendicular(along)
    ways = rejection(hinges, along)
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    steps = np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))
    share = (steps / steps[-1])[:-1, None]
    found[:-1] = 2 * share * (1 - share) * ways / np.where(lengths > 1e-6, lengths, np.inf)
    return found


def hinge_bend(joints: Joints, points: FloatArray, way: list[int], place: int) -> FloatArray:
    """(3,) where a hinge on the way goes when it turns towards the middle of its range and the ends stay in line."""
    joint = way[place]
    if joint >= len(joints.parents) or joints.limits[joint, KIND] != HINGE:
        return np.zeros(3)
    axis = quaternion.rotate(joints.turns[joint], joints.limits[joint, AXIS : AXIS + 3])
    middle = joints.limits[joint, RANGE : RANGE + 2].mean()
    return np.asarray(-np.sign(middle) * np.cross(axis, points[place + 1] - points[place]))
