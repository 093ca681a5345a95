"""What the kernel of the particle solver works on: a body with its tasks, settings, and room to work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from mummer.arrays import IntArray, locked
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Number, Output1, Output3, Parents
from mummer.kernels.place import Place

PLACE, ORIENT, AIM = 0, 1, 2
"""Kinds of tasks."""
Record = TypeVar("Record", bound=tuple[Any, ...])


class Joints(NamedTuple):
    """The n joints that have goals below them, parents first; the root is the first of them.

    Attributes:
        numbers: (n,) of the skeleton.
        parents: (n,) among these.
        offsets: (n, 3) in the parent's frame, metres.
        places, turns: (n, 3) and (n, 4) of the stand, in the body's space.
        local: (n, 4) parent_from_joint of the stand.
        limits: (n, WIDTH) rows of `joint_table`.
        freedom: (n,) how readily each joint turns in corrections; zero for those that must not.
        is_spine: (n,) one for those that belong to the spine.
        turn_tasks: (n,) for each joint the task with its orientation, or -1.
    """

    numbers: Parents
    parents: Parents
    offsets: Floats2
    places: Floats2
    turns: Floats2
    local: Floats2
    limits: Floats2
    freedom: Floats1
    is_spine: Parents
    turn_tasks: Parents

    def place_of(self, joint: int) -> int:
        """Where among these ``joint`` of the skeleton is."""
        return int(np.searchsorted(self.numbers, joint))


class Tasks(NamedTuple):
    """N tasks.

    Attributes:
        kinds: (N,) PLACE, ORIENT or AIM.
        joints: (N,) among the joints of the layout.
        points: (N, 3) in the joints' frames, metres.
        axes: (N, 3) of aims, in the joints' frames.
        weights: (N,)
        masked: (N,) one where only some of the world's axes count.
        bases: (N,) the joint where the limb of a place begins, after a collarbone, or -1.
        reaches: (N,) metres from there along the joints to the place.
        below_starts, below: for each joint of the layout the tasks that it moves.
    """

    kinds: Parents
    joints: Parents
    points: Floats2
    axes: Floats2
    weights: Floats1
    masked: Parents
    bases: Parents
    reaches: Floats1
    below_starts: Parents
    below: Parents


class Spine(NamedTuple):
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

    joints: Parents
    parents: Parents
    lengths: Floats2
    tangents: Floats2
    next_starts: Parents
    nexts: Parents
    curves: Floats2
    inner_starts: Parents
    inner: Parents
    inner_times: Floats1
    inner_offsets: Floats2
    limb_particles: Parents
    limb_pins: Parents
    limb_attach: Floats2
    limb_lengths: Floats2


class Limbs(NamedTuple):
    """m particles: the n joints, then the points that some of them carry to their goals; and A aims.

    Attributes:
        rest: (m, 3) in the body's space.
        parents: (m,)
        lengths: (m,) metres to the parent.
        loose: (m,) one for particles that may move, zero for those that are held or belong to the spine.
        order: particles of limbs that move, parents first; the joints where limbs begin are not among them.
        roots: (A,) for each aim the joint or particle it turns about.
        before: (A,) the aim that carries it, or -1 for the spine.
        spines: (A,) the spine joint that carries the limb.
        aims: (A, 3) what is pointed at the goal: from the root of the aim to its end, or to the mean of all ends.
        poles: (A, 3) the direction by way of which it is turned, and opposite to which it never is.
        reaches: (A,) metres along the joints to the end; to the farthest where there are several.
        member_starts, members: the particles of each aim, outwards.
        bends: (M, 3) for each member, how it moves out of a straight limb whose goal comes nearer; see `bends_of`.
        end_starts, ends: the pins that each aim points at.
        joint_aims: (n,) the aim that carries each joint, or -1.
        kid_starts, kids: the particles that follow each joint.
    """

    rest: Floats2
    parents: Parents
    lengths: Floats1
    loose: Floats1
    order: Parents
    roots: Parents
    before: Parents
    spines: Parents
    aims: Floats2
    poles: Floats2
    reaches: Floats1
    member_starts: Parents
    members: Parents
    bends: Floats2
    end_starts: Parents
    ends: Parents
    joint_aims: Parents
    kid_starts: Parents
    kids: Parents


class Body(NamedTuple):
    """All that is worked out once for a body and a set of goals; see the parts for what they hold."""

    joints: Joints
    tasks: Tasks
    spine: Spine
    limbs: Limbs


class Settings(NamedTuple):
    """What the solver is tuned by; lengths as parts of the body's height, until `settings_for` makes them metres."""

    size: Number = 1.0
    tolerance: Number = 1e-4
    # Where the smallest turn between directions begins to hold back; see `turn_between`.
    soft: Number = 0.1
    # The same for the twist that several children or the end of a spine ask for; begun earlier, it is calmer.
    soft_twist: Number = 0.5
    # A radian of a wrong orientation weighs like so long a way.
    turn_scale: Number = 0.25
    damping: Number = 0.1
    bias: Number = 1e-5
    largest_step: Number = 0.6
    # A limb out of reach of its goal stays this part of its length, and as much again, from being straight.
    ease: Number = 0.012
    small_miss: Number = 0.08
    # How readily the root turns, and travels, beside other joints; zero for not at all.
    root_turn: Number = 0.6
    root_move: Number = 0.3
    # Nearer to where a limb begins than this part of its chord, its goal has hardly a direction.
    near: Number = 0.15
    child_share: Number = 0.8
    pull: Number = 0.7
    # How much of an error counts in a step, at first and at least; it shrinks by this factor a step.
    most_error: Number = 0.2
    least_error: Number = 0.01
    patience: Number = 0.87
    # A step that would overshoot is shortened to where the error is least, but never below this part of it:
    # shorter ones are calmer but stay in dead ends.
    least_share: Number = 0.5
    # After each step damping is multiplied by this less that times the part of the step that was kept.
    stiffen: Number = 2.0
    loosen: Number = 1.8


LENGTHS = ("size", "turn_scale", "small_miss", "root_move", "most_error", "least_error")


def settings_for(
    *,
    height: float,
    tolerance: float,
    root_turn: bool = False,
    root_move: bool = False,
    factors: Mapping[str, float] | None = None,
) -> Settings:
    """The settings for a body of a given height in metres.

    Args:
        height: metres.
        tolerance: the error at which steps end, a part of the height.
        root_turn: whether the root turns.
        root_move: whether it travels.
        factors: by name, what settings are multiplied by.
    """
    usual = Settings()
    changes = {name: height * getattr(usual, name) for name in LENGTHS}
    changes |= {"tolerance": height * tolerance, "bias": usual.bias * height * height}
    changes |= {"root_turn": usual.root_turn * root_turn, "root_move": changes["root_move"] * root_move}
    values = usual._replace(**changes)
    return values._replace(**{name: getattr(values, name) * factor for name, factor in (factors or {}).items()})


class Asked(NamedTuple):
    """What is asked of B poses, in the body's space.

    Attributes:
        targets: (B, N, 4) of the tasks.
        pins: (B, G, 3) where particles are held.
        masks: (B, N, 6) for tasks about some axes alone, what part of an error counts; see `world_masks`.
    """

    targets: Floats3
    pins: Floats3
    masks: Floats3


class Answers(NamedTuple):
    """Rotations (B, n, 4) parent_from_joint, roots (B, 1, 3) and steps taken (B,).

    The root's rotation and place are in the body's space.
    """

    local: Output3
    roots: Output3
    taken: Output1


class Work(NamedTuple):
    """Room for a block of poses.

    Attributes:
        wanted: (B, n, 4) how joints should be turned from rest.
        places, turns: (B, n, 3) and (B, n, 4) joints in the body's space.
        spine: (B, P, 10) particles of the spine: place, sum of pulls and their number, tangent.
        particles: (B, m, 3) those of the limbs.
        aim_turns: (B, A, 4) how each aim is turned from rest.
        tips: (B, N, 3) the points that tasks act on.
        rows: (B, 3N, 3) columns ERROR, ANSWER and WHOLE of the equations; see `correct`.
        axes: (B, 3n, 4) the axes that each joint turns about, and how readily it does.
        blocked: (B, n, 3) what part of a turn about each axis limits hold back, with the sign of the turn.
        steps: (B, n, 6) how each joint is to turn, as a rotation vector and about each of its axes.
        tried, turned_to: (B, n, 4) rotations of a step that is tried, against parents and in the body's space.
        columns: (B, K, 3) how the tasks below a joint move.
        matrix: (B, 3N, 3N) of the equations.
    """

    wanted: Output3
    places: Output3
    turns: Output3
    spine: Output3
    particles: Output3
    aim_turns: Output3
    tips: Output3
    rows: Output3
    axes: Output3
    blocked: Output3
    steps: Output3
    tried: Output3
    turned_to: Output3
    columns: Output3
    matrix: Output3


class Lane(NamedTuple):
    """One pose of what is asked, of the room and of the answers; see `Asked`, `Work` and `Answers`."""

    targets: Floats2
    pins: Floats2
    masks: Floats2
    work: Work
    local: Floats2
    root: Floats2


def record(kind: type[Record], *values: npt.ArrayLike) -> Record:
    """A record of arrays that are only read: whole numbers stay whole, everything else becomes float64."""
    arrays = (np.asarray(value) for value in values)
    return kind(*(locked(array, np.int64 if array.dtype.kind in "ib" else np.float64) for array in arrays))


def placed(given: Any, place: Place, dtype: npt.DTypeLike) -> Any:
    """A record, or records in it, where kernels run and in the precision that they run in."""
    if isinstance(given, tuple):
        return type(given)(*(placed(part, place, dtype) for part in given))
    if not isinstance(given, np.ndarray):
        return given
    there = place.array(given, np.int64 if given.dtype.kind == "i" else dtype)
    return locked(there, there.dtype, copy=False) if place.is_cpu else there


def ragged(lists: list[list[int]]) -> tuple[IntArray, IntArray]:
    """Lists of whole numbers one after another: (n + 1,) where each starts, and all of them."""
    starts = np.cumsum([0, *(len(members) for members in lists)]).astype(np.int64)
    return starts, np.array([member for members in lists for member in members], np.int64)
