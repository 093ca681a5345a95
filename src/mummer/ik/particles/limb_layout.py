"""The limbs for the second phase: a particle at each joint, and the stretches between branches that aim as one."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Anatomy
from mummer.ik.particles.bend import bends_of
from mummer.ik.particles.joint_layout import JointLayout
from mummer.ik.particles.pins import Pin, rest_of
from mummer.ik.particles.poles import pole_of
from mummer.ik.particles.task_layout import ragged


@dataclass(frozen=True, eq=False)
class LimbLayout:
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
        crosses: (C, 2) particles that hang on one joint and keep their distance.
        cross_lengths: (C,) metres.
    """

    rest: FloatArray
    parents: IntArray
    lengths: FloatArray
    loose: FloatArray
    order: IntArray
    roots: IntArray
    before: IntArray
    spines: IntArray
    aims: FloatArray
    poles: FloatArray
    reaches: FloatArray
    member_starts: IntArray
    members: IntArray
    bends: FloatArray
    end_starts: IntArray
    ends: IntArray
    joint_aims: IntArray
    kid_starts: IntArray
    kids: IntArray
    cross_firsts: IntArray
    cross_seconds: IntArray
    cross_lengths: FloatArray


@dataclass
class _Aim:
    root: int
    before: int
    spine: int
    members: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)


class _Tree:
    """The particles and which hang on which."""

    def __init__(self, layout: JointLayout, pins: list[Pin]) -> None:
        self.layout = layout
        self.rest = [*layout.rest_positions]
        self.parents = layout.parents.tolist()
        self.pins = [-1] * len(layout)
        for number, pin in enumerate(pins):
            if pin.has_tip and not layout.is_spine[pin.joint]:
                self.rest.append(rest_of(pin, layout))
                self.parents.append(pin.joint)
                self.pins.append(number)
            else:
                self.pins[pin.joint] = number
        self.children: list[list[int]] = [[] for _ in self.rest]
        for particle, parent in enumerate(self.parents):
            if parent >= 0:
                self.children[parent].append(particle)
        self.limbs = [
            joint
            for joint, parent in enumerate(self.parents)
            if parent >= 0 and layout.is_spine[parent] and not (joint < len(layout) and layout.is_spine[joint])
        ]

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


def limb_layout(layout: JointLayout, pins: list[Pin], anatomy: Anatomy | None) -> LimbLayout:
    """The limbs of ``layout``."""
    tree = _Tree(layout, pins)
    aims = tree.aims()
    rest = np.array(tree.rest)
    lengths = np.array([np.linalg.norm(rest[k] - rest[p]) if p >= 0 else 0.0 for k, p in enumerate(tree.parents)])
    ends = np.array([rest_of(pin, layout) for pin in pins]).reshape(-1, 3)
    inside = [k for k in range(len(rest)) if _is_inside(tree, k)]
    moving = [k for k in inside if k not in set(tree.limbs)]
    joint_aims = np.full(len(layout), -1, np.int64)
    for number, aim in reversed(list(enumerate(aims))):
        for joint in [aim.root, *aim.members]:
            if joint < len(layout) and (joint != aim.root or aim.before < 0):
                joint_aims[joint] = number
    vectors = np.array([ends[aim.ends].mean(axis=0) - rest[aim.root] for aim in aims]).reshape(-1, 3)
    crosses = [
        (first, second)
        for joint in range(len(layout))
        if not layout.is_spine[joint]
        for place, first in enumerate(tree.children[joint])
        for second in tree.children[joint][place + 1 :]
    ]
    return LimbLayout(
        rest,
        np.array(tree.parents, np.int64),
        lengths,
        (np.isin(np.arange(len(rest)), moving) & (np.array(tree.pins) < 0)).astype(np.float64),
        np.array(moving, np.int64),
        np.array([aim.root for aim in aims], np.int64),
        np.array([aim.before for aim in aims], np.int64),
        np.array([aim.spine for aim in aims], np.int64),
        vectors,
        np.array([pole_of(layout, aim.root, v, anatomy) for aim, v in zip(aims, vectors, strict=True)]).reshape(-1, 3),
        np.array([_reach(tree, lengths, aim) for aim in aims]),
        *ragged([aim.members for aim in aims]),
        np.concatenate([np.zeros((0, 3)), *(bends_of(layout, rest, [a.root, *a.members], anatomy) for a in aims)]),
        *ragged([aim.ends for aim in aims]),
        joint_aims,
        *ragged([tree.children[joint] for joint in range(len(layout))]),
        np.array([first for first, _ in crosses], np.int64),
        np.array([second for _, second in crosses], np.int64),
        np.array([np.linalg.norm(rest[first] - rest[second]) for first, second in crosses]),
    )


def _is_inside(tree: _Tree, particle: int) -> bool:
    """Whether a particle belongs to a limb."""
    count = len(tree.layout)
    return particle >= count or not tree.layout.is_spine[particle]


def _reach(tree: _Tree, lengths: FloatArray, aim: _Aim) -> float:
    farthest = {aim.root: 0.0}
    waiting = [aim.members[0]]
    while waiting:
        particle = waiting.pop()
        farthest[particle] = farthest[tree.parents[particle]] + float(lengths[particle])
        if particle != aim.members[-1] or tree.pins[particle] < 0:
            waiting += tree.children[particle]
    return max(farthest[particle] for particle in farthest if tree.pins[particle] in aim.ends)
