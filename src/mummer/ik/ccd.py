"""Cyclic coordinate descent: joint after joint, each turned as best it can, until the goals are met.

Every goal is written as arrows from a joint that ought to lie on other arrows: from the joint to the point that is
placed and to its target, or axes of a joint that is to be turned. The sum of ``weight · a bᵀ`` over these pairs, a
matrix of nine numbers, tells all that a turn of the joint can do for them.

A chain that is nearly straight is folded first: every joint of it sees tip and target in nearly the same direction, so
that turning one joint at a time hardly helps. All knees bend alike until the chain is as long as the target is far, and
the whole is swung onto the target: what the two-bone solver does in closed form, here for chains of any length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character.limits import FREE, HINGE
from mummer.errors import InputError
from mummer.ik.goal_table import AIM_ALONG, AIM_AT, ORIENT, PLACE, GoalTable, goal_table
from mummer.ik.goals import Aim, Orient, Place
from mummer.ik.limbs import Bodies, offset_of, place_joint, write_rotation
from mummer.ik.limits import AXIS, KIND, RANGE, REST, hinge_angle, hold_joint, joint_table
from mummer.ik.problem import Problem
from mummer.ik.rigid_body import joints_above
from mummer.ik.solution import Solution, make_solution
from mummer.kernels.arguments import Count, Floats2, Floats3, Number, Output1, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU
from mummer.kernels.scalars import Four, Nine, Three
from mummer.kernels.vectors import (
    NO_TURN,
    about,
    across,
    angle_of,
    back,
    cross,
    direction,
    dot,
    four,
    minus,
    plus,
    put_four,
    put_three,
    shortest,
    size,
    three,
    times,
    turned,
)

HARD = 100.0
"""What a hard goal weighs beside soft ones."""
LEVER = 0.2
"""A turn counts beside a place as if it moved a point so far out; a part of the body's height."""
FRAMES_A_PIECE, FRAMES_A_BLOCK = 16, 4096
STRAIGHT, FOLD_HALVINGS, MOST_FOLD = 0.9, 20, 2.6
"""A chain is nearly straight above this part of its length; folds are found by so many halvings of so many radians."""
WAVY = 5
"""Chains of at least so many joints can fold in a wave."""
ASIDE = 0.26
"""The sine of the angle between a chain and the way to its target, below which descent alone gets stuck."""
AT, TURN, END = 0, 3, 7
"""Columns of what is known of each entry: where its point is, and how its joint is turned."""


@dataclass(frozen=True)
class CCD:
    """Turns one joint at a time, from the tips inwards, so that what hangs on it comes nearest to its goals.

    `Place`, `Orient` and `Aim` goals count, any number of them; a joint that several hang on is turned to the best
    compromise by their weights. Others are left out and named in the report. Every turn is held in the joint's limits
    and none is taken that makes things worse, so that a joint that meets its limit cannot start an endless to and fro.
    Roots turn but do not travel. It is simple and quick for chains such as tails and necks, but bends the joints near
    the tip most; the mass-weighted solver spreads the bend as a body would.

    Attributes:
        iterations: the most sweeps over all joints.
        fold: fold chains that are nearly straight before the first sweep, to the length of the way to their targets.
            Without it a nearly straight leg takes dozens of sweeps, or with a knee that has limits never arrives.
            Counts as a sweep where it was done.
    """

    iterations: int = 100
    fold: bool = True

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise InputError(f"{self.iterations} iterations cannot solve anything; expected one or more")

    def solve(self, problem: Problem) -> Solution:
        """See `Solver.solve`."""
        ignored = tuple(goal for goal in problem.goals if not isinstance(goal, Aim | Orient | Place))
        wanted = tuple(goal for goal in problem.goals if isinstance(goal, Aim | Orient | Place))
        table = goal_table(replace(problem, goals=wanted))
        rotations = np.array(problem.start.rotations, order="C")
        sweeps = np.zeros(len(problem))
        for start in range(0, len(problem) if len(table) else 0, FRAMES_A_BLOCK):
            self._descend(problem, table, slice(start, start + FRAMES_A_BLOCK), rotations, sweeps)
        pose = problem.start.replace(rotations=rotations)
        return make_solution(problem, pose, "ccd", iterations=sweeps.astype(np.int64), ignored=ignored)

    def _descend(
        self, problem: Problem, table: GoalTable, block: slice, rotations: FloatArray, sweeps: FloatArray
    ) -> None:
        body, joints, count = problem.body, len(problem.body.skeleton), len(rotations[block])
        assert problem.start.root_translation is not None
        offsets = body.offsets_of(problem.start)
        bodies = Bodies(
            locked(body.parents, np.int64), joint_table(body), locked(offsets if len(offsets) == 1 else offsets[block]),
            locked(problem.start.root_translation[block]),
        )  # fmt: skip
        entries = Entries(
            locked(joints_above(body.parents, table.joints), np.int64), locked(table.kinds, np.int64),
            locked(table.joints, np.int64), locked(table.points), locked(table.axes),
            locked(self._affects(problem, table)), problem.tolerance * body.height, problem.tolerance,
            LEVER * body.height,
        )  # fmt: skip
        room = Room(np.empty((count, joints, 3)), np.empty((count, joints, 4)), np.empty((count, len(table), END)))
        weights = locked(table.weights[block] * np.where(table.hard > 0, HARD, 1.0))
        CPU.run(
            descend, count, bodies, entries, locked(table.targets[block]), weights, self.iterations, int(self.fold),
            room, rotations[block], sweeps[block], grain=FRAMES_A_PIECE,
        )  # fmt: skip

    def _affects(self, problem: Problem, table: GoalTable) -> FloatArray:
        """(J, N) one where a joint may turn for an entry."""
        affects = np.zeros((len(problem.body.parents), len(table)))
        for entry, tip in enumerate(table.joints.tolist()):
            above = joints_above(problem.body.parents, [tip])
            affects[above, entry] = problem.movable[above]
        return affects


class Entries(NamedTuple):
    """What is asked for, in all frames; see `GoalTable`.

    Attributes:
        needed: the joints above the entries, parents first.
        kinds: (N,) PLACE, ORIENT ...
        joints: (N,)
        points: (N, 3)
        axes: (N, 3)
        affects: (J, N) one where a joint may turn for an entry.
        near, near_angle: metres and radians that count as met.
        lever: metres that a turn counts for beside a place.
    """

    needed: Parents
    kinds: Parents
    joints: Parents
    points: Floats2
    axes: Floats2
    affects: Floats2
    near: Number
    near_angle: Number
    lever: Number


class Room(NamedTuple):
    """Room to work: joints in the world (B, J, 3), world_from_joint (B, J, 4), and entries (B, N, END)."""

    places: Output3
    turns: Output3
    ends: Output3


class Chains(NamedTuple):
    """One frame of all that, and the rotations (J, 4) that change."""

    frame: int
    bodies: Bodies
    entries: Entries
    targets: FloatArray
    weights: FloatArray
    places: FloatArray
    turns: FloatArray
    ends: FloatArray
    rotations: FloatArray


@kernel(borrows=True)
def descend(
    frame: int, bodies: Bodies, entries: Entries, targets: Floats3, weights: Floats2, most: Count, folds: Count,
    room: Room, rotations: Output3, sweeps: Output1,
) -> None:  # fmt: skip
    """One item is one frame: sweeps over all joints until everything is met; how many were made is told."""
    chains = Chains(
        frame, bodies, entries, targets[frame], weights[frame], room.places[frame], room.turns[frame],
        room.ends[frame], rotations[frame],
    )  # fmt: skip
    count, done, may_fold = 0, False, folds > 0
    while True:
        locate(chains)
        if done or count >= most or all_met(chains):
            break
        folded = False
        for entry in range(entries.kinds.shape[0] if may_fold else 0):
            if entries.kinds[entry] == PLACE and chains.weights[entry] > 0.0:
                folded = fold_chain(chains, entry) or folded
        may_fold = False
        count += 1
        if not folded:
            done = sweep_once(chains)
    sweeps[frame] = count


def sweep_once(chains: Chains) -> bool:
    """Turn every joint once, tips first; whether all is met. Joints not yet turned stay where `locate` found them."""
    entries, parents = chains.entries, chains.bodies.parents
    for place in range(entries.needed.shape[0] - 1, -1, -1):
        joint = entries.needed[place]
        sums, found = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), False
        center = three(chains.places, joint, 0)
        for entry in range(entries.kinds.shape[0]):
            if entries.affects[joint, entry] > 0.0 and chains.weights[entry] > 0.0:
                found = True
                sums = add_arrows(sums, chains, entry, center)
        if found:
            above = NO_TURN if parents[joint] < 0 else four(chains.turns, parents[joint], 0)
            rotation = four(chains.rotations, joint, 0)
            new = best_turn(joint, chains.bodies.table, above, rotation, sums)
            turn = times(times(above, times(new, back(rotation))), back(above))
            for entry in range(entries.kinds.shape[0]):
                if entries.affects[joint, entry] > 0.0:
                    moved = turned(turn, minus(three(chains.ends, entry, AT), center))
                    put_three(chains.ends, entry, AT, plus(center, moved))
                    put_four(chains.ends, entry, TURN, times(turn, four(chains.ends, entry, TURN)))
            write_rotation(joint, new, chains.rotations)
            if all_met(chains):
                return True
    return False


def all_met(chains: Chains) -> bool:
    """Whether every entry that counts is met."""
    entries = chains.entries
    for entry in range(entries.kinds.shape[0]):
        if chains.weights[entry] > 0.0:
            allowed = entries.near if entries.kinds[entry] == PLACE else entries.near_angle
            if missed(chains, entry) > allowed:
                return False
    return True


def locate(chains: Chains) -> None:
    """Find where joints and the points of the entries are."""
    entries = chains.entries
    for place in range(entries.needed.shape[0]):
        place_joint(chains.frame, entries.needed[place], chains.bodies, chains.rotations, chains.places, chains.turns)
    for entry in range(entries.kinds.shape[0]):
        joint = entries.joints[entry]
        turn = four(chains.turns, joint, 0)
        put_three(
            chains.ends, entry, AT, plus(three(chains.places, joint, 0), turned(turn, three(entries.points, entry, 0)))
        )
        put_four(chains.ends, entry, TURN, turn)


def goal_of(chains: Chains, entry: int, at: Three) -> Three:
    """Where the point of a place should be; axes that do not count are where the point is."""
    mask, target = three(chains.entries.axes, entry, 0), three(chains.targets, entry, 0)
    return (
        target[0] if mask[0] > 0.0 else at[0],
        target[1] if mask[1] > 0.0 else at[1],
        target[2] if mask[2] > 0.0 else at[2],
    )


def sight_of(chains: Chains, entry: int, at: Three) -> Three:
    """(3) unit: where the axis of an aim should point."""
    target = three(chains.targets, entry, 0)
    away = minus(target, at) if chains.entries.kinds[entry] == AIM_AT else target
    return direction(away, (0.0, 0.0, 0.0))


def add_arrows(sums: Nine, chains: Chains, entry: int, center: Three) -> Nine:
    """``sums`` with the arrows of one entry, for a joint at ``center``."""
    kind, weight = chains.entries.kinds[entry], chains.weights[entry]
    at, turn = three(chains.ends, entry, AT), four(chains.ends, entry, TURN)
    if kind == PLACE:
        return paired(sums, weight, minus(at, center), minus(goal_of(chains, entry, at), center))
    strength = weight * chains.entries.lever * chains.entries.lever
    if kind in (AIM_AT, AIM_ALONG):
        points = turned(turn, three(chains.entries.axes, entry, 0))
        return paired(sums, strength, points, sight_of(chains, entry, at))
    if kind == ORIENT:
        wanted = four(chains.targets, entry, 0)
        sums = paired(sums, strength, turned(turn, (1.0, 0.0, 0.0)), turned(wanted, (1.0, 0.0, 0.0)))
        sums = paired(sums, strength, turned(turn, (0.0, 1.0, 0.0)), turned(wanted, (0.0, 1.0, 0.0)))
        sums = paired(sums, strength, turned(turn, (0.0, 0.0, 1.0)), turned(wanted, (0.0, 0.0, 1.0)))
    return sums


def missed(chains: Chains, entry: int) -> float:
    """How far an entry is from being met, metres for a place and radians for the others."""
    kind, at, turn = chains.entries.kinds[entry], three(chains.ends, entry, AT), four(chains.ends, entry, TURN)
    if kind == PLACE:
        return size(minus(at, goal_of(chains, entry, at)))
    if kind in (AIM_AT, AIM_ALONG):
        points, sight = turned(turn, three(chains.entries.axes, entry, 0)), sight_of(chains, entry, at)
        return math.atan2(size(cross(points, sight)), dot(points, sight))
    return angle_of(times(back(turn), four(chains.targets, entry, 0)))


def paired(sums: Nine, weight: float, a: Three, b: Three) -> Nine:
    """``sums`` with the pair of arrows ``a`` and ``b`` added."""
    x, y, z = weight * a[0], weight * a[1], weight * a[2]
    return (
        sums[0] + x * b[0], sums[1] + x * b[1], sums[2] + x * b[2],
        sums[3] + y * b[0], sums[4] + y * b[1], sums[5] + y * b[2],
        sums[6] + z * b[0], sums[7] + z * b[1], sums[8] + z * b[2],
    )  # fmt: skip


def torque(sums: Nine) -> Three:
    """The sum of ``weight · a × b``: the axis about which turning helps most."""
    return sums[5] - sums[7], sums[6] - sums[2], sums[1] - sums[3]


def gain(sums: Nine, turn: Four) -> float:
    """The sum of ``weight · (turned a)·b``: the larger, the nearer the arrows are."""
    first = turned(turn, (1.0, 0.0, 0.0))
    second = turned(turn, (0.0, 1.0, 0.0))
    third = turned(turn, (0.0, 0.0, 1.0))
    return (
        sums[0] * first[0] + sums[1] * first[1] + sums[2] * first[2]
        + sums[3] * second[0] + sums[4] * second[1] + sums[5] * second[2]
        + sums[6] * third[0] + sums[7] * third[1] + sums[8] * third[2]
    )  # fmt: skip


def best_turn(joint: int, table: FloatArray, world_from_above: Four, rotation: Four, sums: Nine) -> Four:
    """The joint's new rotation, parent_from_joint, within its limits; never one that is worse than the present.

    Args:
        joint: which row of the table.
        table: of `joint_table`.
        world_from_above: the rotation of the joint's parent.
        rotation: parent_from_joint now.
        sums: of the arrows, in the world.
    """
    if int(table[joint, KIND]) == HINGE:
        found = _best_hinge(joint, table, world_from_above, rotation, sums)
    else:
        found = _best_swing(joint, table, world_from_above, rotation, sums)
    change = times(times(world_from_above, times(found, back(rotation))), back(world_from_above))
    stays = sums[0] + sums[4] + sums[8]
    return found if gain(sums, change) > stays else rotation


def _best_swing(joint: int, table: FloatArray, world_from_above: Four, rotation: Four, sums: Nine) -> Four:
    axis = torque(sums)
    pull = size(axis)
    if pull < 1e-15:
        return rotation
    axis = direction(axis, axis)
    angle = math.atan2(pull, sums[0] + sums[4] + sums[8] - _along(sums, axis))
    in_parent = turned(back(world_from_above), axis)
    return hold_joint(joint, table, times(about(in_parent, angle), rotation))


def _best_hinge(joint: int, table: FloatArray, world_from_above: Four, rotation: Four, sums: Nine) -> Four:
    rest, own = four(table, joint, REST), three(table, joint, AXIS)
    axis = turned(times(world_from_above, rest), own)
    turning = torque(sums)
    sine = dot(turning, axis)
    cosine = sums[0] + sums[4] + sums[8] - _along(sums, axis)
    now, low, high = hinge_angle(joint, table, rotation), table[joint, RANGE], table[joint, RANGE + 1]
    angle = now + math.atan2(sine, cosine)
    center = 0.5 * (low + high)
    angle = center + (angle - center + math.pi) % (2.0 * math.pi) - math.pi
    if angle < low or angle > high:
        at_low = cosine * math.cos(low - now) + sine * math.sin(low - now)
        at_high = cosine * math.cos(high - now) + sine * math.sin(high - now)
        angle = low if at_low > at_high else high
    return times(rest, about(own, angle))


def _along(sums: Nine, axis: Three) -> float:
    """What no turn about ``axis`` changes: the part of the arrows along it."""
    return (
        axis[0] * (sums[0] * axis[0] + sums[1] * axis[1] + sums[2] * axis[2])
        + axis[1] * (sums[3] * axis[0] + sums[4] * axis[1] + sums[5] * axis[2])
        + axis[2] * (sums[6] * axis[0] + sums[7] * axis[1] + sums[8] * axis[2])
    )


class Fold(NamedTuple):
    """How a chain is folded.

    Attributes:
        entry: the place that its tip is asked to be at.
        top, tip: its ends.
        point: of the tip, in its frame, metres.
        axis: unit, in the world, that joints without hinges bend about.
        hinged: whether there are hinges to do it.
        wave: metres along the chain for one that folds in a wave; 0 for no wave.
    """

    entry: int
    top: int
    tip: int
    point: Three
    axis: Three
    hinged: bool
    wave: float


def fold_chain(chains: Chains, entry: int) -> bool:
    """Fold the chain of a place and swing it onto its target, if it is nearly straight and the target is nearer.

    Returns:
        Whether anything was changed.
    """
    table, rotations = chains.bodies.table, chains.rotations
    tip, point = chains.entries.joints[entry], three(chains.entries.points, entry, 0)
    top = _top_of(chains, entry, tip)
    if top < 0 or top == tip:
        return False
    at, world_from_top = three(chains.ends, entry, AT), four(chains.turns, top, 0)
    center = three(chains.places, top, 0)
    chord, wanted = minus(at, center), minus(goal_of(chains, entry, at), center)
    total, hinged = _length(chains, entry, tip, top, point)
    if size(chord) < STRAIGHT * total or size(wanted) > 0.999 * size(chord):
        return False
    aside = cross(chord, wanted)
    # A chain of balls bends well towards what is aside; knees do not.
    if not hinged and size(aside) > ASIDE * size(chord) * size(wanted):
        return False
    # What a top with limits could not swing back, a wave need not: it leaves the chain where it pointed.
    wave = 0.0 if hinged or int(table[top, KIND]) == FREE or tip - top < WAVY else total
    fold = Fold(entry, top, tip, point, direction(aside, across(chord)), hinged, wave)
    low, high, end = 0.0, MOST_FOLD, chord
    for _ in range(FOLD_HALVINGS):
        bend = 0.5 * (low + high)
        end = _folded_end(chains, fold, bend, False)
        if size(end) > size(wanted):
            low = bend
        else:
            high = bend
    _folded_end(chains, fold, high, True)
    above = times(world_from_top, back(four(rotations, top, 0)))
    swung = times(shortest(turned(world_from_top, end), wanted), world_from_top)
    write_rotation(top, hold_joint(top, table, times(back(above), swung)), rotations)
    return True


def _top_of(chains: Chains, entry: int, tip: int) -> int:
    """The highest joint that may turn for this entry and for no other, or -1."""
    affects, top, joint = chains.entries.affects, -1, tip
    while joint >= 0:
        shared = False
        for other in range(affects.shape[1]):
            shared = shared or (other != entry and affects[joint, other] > 0.0)
        if shared:
            break
        if affects[joint, entry] > 0.0:
            top = joint
        joint = chains.bodies.parents[joint]
    return top


def _length(chains: Chains, entry: int, tip: int, top: int, point: Three) -> tuple[float, bool]:
    """Metres along the chain, and whether it holds a hinge that may turn."""
    total, joint, hinged = size(point), tip, False
    while joint != top:
        is_hinge = int(chains.bodies.table[joint, KIND]) == HINGE
        hinged = hinged or (joint != tip and is_hinge and chains.entries.affects[joint, entry] > 0.0)
        total += size(offset_of(chains.frame, joint, chains.bodies))
        joint = chains.bodies.parents[joint]
    return total, hinged


def side_at(along: float, wave: float) -> float:
    """To which side a joint bends, so many metres before the end of a chain of length ``wave``; 0 is for no wave."""
    return -1.0 if wave > 0.0 and abs(along - 0.5 * wave) > 0.25 * wave else 1.0


def _folded_end(chains: Chains, fold: Fold, bend: float, keeps: bool) -> Three:
    """Where the end of the chain is, in the frame of its top, with every joint in between bent by ``bend`` more.

    The bends are written down if ``keeps``.
    """
    end, joint, along = fold.point, fold.tip, size(fold.point)
    while joint != fold.top:
        rotation = four(chains.rotations, joint, 0)
        if chains.entries.affects[joint, fold.entry] > 0.0 and along > 0.0:
            rotation = _bent(chains, joint, fold, side_at(along, fold.wave) * bend)
            if keeps:
                write_rotation(joint, rotation, chains.rotations)
        offset = offset_of(chains.frame, joint, chains.bodies)
        end, along = plus(offset, turned(rotation, end)), along + size(offset)
        joint = chains.bodies.parents[joint]
    return end


def _bent(chains: Chains, joint: int, fold: Fold, bend: float) -> Four:
    """The rotation of a joint that is bent by ``bend`` radians more; hinges bend to where they have room."""
    table, rotation = chains.bodies.table, four(chains.rotations, joint, 0)
    own, change = turned(back(four(chains.turns, joint, 0)), fold.axis), 0.0 if fold.hinged else bend
    if int(table[joint, KIND]) == HINGE:
        now, low, high = hinge_angle(joint, table, rotation), table[joint, RANGE], table[joint, RANGE + 1]
        change = min(bend, high - now) if high - now >= now - low else -min(bend, now - low)
        own = three(table, joint, AXIS)
    return hold_joint(joint, table, times(rotation, about(own, change)))
