"""The hot loop that turns joints until parts no longer overlap: the deepest overlap first, again and again."""

from __future__ import annotations

from typing import NamedTuple

from mummer.arrays import FloatArray
from mummer.ik.limbs import Bodies, place_joint
from mummer.ik.rigid_body import carries
from mummer.ik.volume.capsule import at_share, capsule_of, nearest_shares, thickness
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Output3, Output4, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import (
    back,
    cross,
    direction,
    dot,
    exponential,
    four,
    minus,
    plus,
    put_four,
    put_three,
    scaled,
    size,
    three,
    times,
    turned,
    unit_rotation,
)

LARGEST_TURN = 0.35
"""Radians that a joint turns in one step at most."""
SHORT_LEVER = 0.02
"""Metres."""
STEEPEST = 0.4
"""A way out counts as at least this part of the shortest way out of a single overlap."""
UP = (0.0, 1.0, 0.0)


class Parts(NamedTuple):
    """What of a body makes way for what.

    Attributes:
        weights: (J,) how willingly joints turn, zero for those that may not.
        hinges: (J, 3) the axis, in the joint's own frame, of joints that turn about one only, else zero.
        joints, ends, radii: (C,), (C, 2, 3) and (C, 2) of the capsules.
        first, second: (P,) the capsules of each pair.
        trims: (P, 2, 2) the part of both axes that counts.
        wanted: (P,) metres that their surfaces shall be apart; negative where flesh gives.
        limbs: (C,) the limb that each capsule is of.
        movers: (P,) the limb of each pair that makes way.
    """

    weights: Floats1
    hinges: Floats2
    joints: Parents
    ends: Floats3
    radii: Floats2
    first: Parents
    second: Parents
    trims: Floats3
    wanted: Floats1
    limbs: Parents
    movers: Parents


class Steering(NamedTuple):
    """What leads frames out of overlaps.

    Attributes:
        sides: (T, P, 3) the side on which the first of a pair shall stay of the second.
        ways: (T, J, 3) the way out of a limb that neighbouring frames suggest, by its topmost joint, metres.
        goal_joints, goal_points: (G,) and (G, 3) points of joints that have a place to be at.
        goal_places: (T, G, 3) the places in the world.
        goal_on: (T, G) one where the goal holds, else zero.
    """

    sides: Floats3
    ways: Floats3
    goal_joints: Parents
    goal_points: Floats2
    goal_places: Floats3
    goal_on: Floats2


class Frames(NamedTuple):
    """Room for frames: capsules (T, C, 2, 3), joints (T, J, 3) and (T, J, 4); and the local rotations, which change."""

    placed: Output4
    places: Output3
    turns: Output3
    rotations: Output3


class Frame(NamedTuple):
    """One of them, with what it needs to be posed."""

    frame: int
    bodies: Bodies
    placed: FloatArray
    places: FloatArray
    turns: FloatArray
    rotations: FloatArray


class Overlap(NamedTuple):
    """Metres that a pair lacks to be apart as wanted, the places of both axes that are nearest, and the normal."""

    lacking: float
    one: Three
    two: Three
    normal: Three


@kernel(on_cuda=False, borrows=True)
def push_apart(frame: int, bodies: Bodies, parts: Parts, steering: Steering, most: Count, frames: Frames) -> None:
    """One item is one frame, pushed in up to ``most`` steps."""
    mine = Frame(
        frame, bodies, frames.placed[frame], frames.places[frame], frames.turns[frame], frames.rotations[frame]
    )
    sides = steering.sides[frame]
    for _ in range(most):
        pose(mine)
        for goal in range(steering.goal_joints.shape[0]):
            if steering.goal_on[frame, goal] > 0.0:
                place = three(steering.goal_places[frame], goal, 0)
                keep_goal(mine, parts, steering.goal_joints[goal], three(steering.goal_points, goal, 0), place)
        for capsule in range(parts.joints.shape[0]):
            joint = parts.joints[capsule]
            for end in range(2):
                away = turned(four(mine.turns, joint, 0), three(parts.ends[capsule], end, 0))
                put_three(mine.placed[capsule], end, 0, plus(three(mine.places, joint, 0), away))
        if parts.first.shape[0] == 0:
            return
        deepest, which = overlap(0, parts, mine.placed, sides), 0
        for pair in range(1, parts.first.shape[0]):
            found = overlap(pair, parts, mine.placed, sides)
            if found.lacking > deepest.lacking:
                deepest, which = found, pair
        if not deepest.lacking > 0.0:
            return
        limb, one, two = parts.movers[which], parts.first[which], parts.second[which]
        amount, way = way_out(limb, parts, mine.placed, sides, three(steering.ways[frame], limb, 0))
        way = scaled(way, amount if parts.limbs[one] == limb else -amount)
        push(mine, parts, parts.joints[one], parts.joints[two], deepest.one, deepest.two, way)


def pose(mine: Frame) -> None:
    """Find where joints are and how they are turned."""
    for joint in range(mine.places.shape[0]):
        place_joint(mine.frame, joint, mine.bodies, mine.rotations, mine.places, mine.turns)


def way_out(limb: int, parts: Parts, placed: FloatArray, sides: FloatArray, start: Three) -> tuple[float, Three]:
    """How far and along which direction a limb leaves everything that it overlaps, beginning with ``start``.

    In the crease between two parts each would push it into the other; the mean of both directions leads out.
    """
    way, amount = start, 0.0
    for sweep in range(2):
        for pair in range(parts.first.shape[0]):
            if parts.movers[pair] != limb:
                continue
            found = overlap(pair, parts, placed, sides)
            if found.lacking <= 0.0:
                continue
            normal = scaled(found.normal, 1.0 if parts.limbs[parts.first[pair]] == limb else -1.0)
            if sweep == 0:
                way = plus(way, scaled(normal, found.lacking))
            else:
                amount = max(amount, found.lacking / max(dot(normal, way), STEEPEST))
        if sweep == 0:
            way = direction(way, UP)
    return amount, way


def overlap(pair: int, parts: Parts, placed: FloatArray, sides: FloatArray) -> Overlap:
    """How two capsules overlap; one that is surely none is not looked at closely."""
    trims, wanted = parts.trims[pair], parts.wanted[pair]
    one = capsule_of(parts.first[pair], placed, parts.radii, trims[0, 0], trims[0, 1])
    two = capsule_of(parts.second[pair], placed, parts.radii, trims[1, 0], trims[1, 1])
    middle = minus(at_share(one, 0.5), at_share(two, 0.5))
    around = 0.5 * (size(one.way) + size(two.way)) + wanted
    around += one.radius + max(one.growth, 0.0) + two.radius + max(two.growth, 0.0)
    if around < 0.0 or dot(middle, middle) > around * around:
        return Overlap(-1.0, one.start, two.start, (0.0, 0.0, 0.0))
    s, t = nearest_shares(one, two)
    here, there = at_share(one, s), at_share(two, t)
    away = minus(here, there)
    normal, far = direction(away, UP), size(away)
    # Axes that have crossed look apart on the wrong side: the side from which they came is what counts.
    if dot(normal, three(sides, pair, 0)) < 0.0:
        normal, far = scaled(normal, -1.0), -far
    return Overlap(wanted + thickness(one, s) + thickness(two, t) - far, here, there, normal)


def keep_goal(mine: Frame, parts: Parts, joint: int, point: Three, place: Three) -> None:
    """Turn joints to bring a point to its place, as far as one step goes."""
    at = plus(three(mine.places, joint, 0), turned(four(mine.turns, joint, 0), point))
    way = minus(place, at)
    if size(way) > 1e-6:
        push(mine, parts, joint, -1, at, at, way)
        pose(mine)


def push(mine: Frame, parts: Parts, one: int, two: int, here: Three, there: Three, way: Three) -> None:
    """Turn joints so that point ``here`` of joint ``one`` moves by ``way`` against ``there`` of joint ``two``.

    Each joint turns in proportion to how willing it is and to what its turning brings; joints that carry both points
    bring nothing. With ``two`` negative, the other point is fixed in the world.
    """
    parents, amount, normal = mine.bodies.parents, size(way), direction(way, UP)
    total, most_willing = 0.0, 0.0
    for sweep in range(2):
        for side in range(2):
            joint, other = (one, two) if side == 0 else (two, one)
            while joint >= 0:
                weight = parts.weights[joint]
                if weight > 0.0 and not carries(joint, other, parents):
                    at = three(mine.places, joint, 0)
                    arm = minus(here, at) if side == 0 else minus(at, there)
                    gain = brings(mine, parts, joint, cross(arm, normal))
                    if sweep == 0:
                        most_willing, total = max(most_willing, weight), total + weight * dot(gain, gain)
                    else:
                        turn_joint(mine, joint, scaled(gain, weight * amount / total))
                joint = parents[joint]
        if total < 1e-12:
            return
        # Very short levers would have to turn far for little.
        total += SHORT_LEVER * SHORT_LEVER * most_willing


def brings(mine: Frame, parts: Parts, joint: int, gain: Three) -> Three:
    """What a turn of a joint brings about each of the world's axes, as far as its hinge lets it turn about them."""
    hinge = three(parts.hinges, joint, 0)
    if dot(hinge, hinge) == 0.0:
        return gain
    axis = turned(four(mine.turns, joint, 0), hinge)
    return scaled(axis, dot(gain, axis))


def turn_joint(mine: Frame, joint: int, by: Three) -> None:
    """Turn a joint by a rotation vector given in the world; the world rotations stay as they were."""
    angle = size(by)
    if angle < 1e-15:
        return
    # Seen from the joint itself the turn follows its own rotation.
    own = turned(back(four(mine.turns, joint, 0)), scaled(by, min(angle, LARGEST_TURN) / angle))
    put_four(mine.rotations, joint, 0, unit_rotation(times(four(mine.rotations, joint, 0), exponential(own))))
