"""The root: where goals put it, or where it stands; everything else is solved in the space that moves with it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Pose, clamp
from mummer.character.limits import FREE
from mummer.ik.axes import axes_mask
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.goal import Goal
from mummer.ik.goals import Orient, Place
from mummer.ik.moving import at_times
from mummer.ik.particles.layout import Layout
from mummer.ik.particles.pins import Stand, Task, pin_places, rest_of
from mummer.ik.particles.records import ORIENT
from mummer.ik.problem import Problem
from mummer.math import quaternion

BOW = 0.1
"""A bow begins softly, over this part of the distance from the root."""


@dataclass(frozen=True, eq=False)
class Roots:
    """Where the roots of a batch of bodies are.

    Attributes:
        positions: (B, 3) metres.
        rotations: (B, 4) world_from_root.
        stand: how the body stands in its own space.
        is_placed, is_turned: whether goals say where the root is, and how it is turned.
    """

    positions: FloatArray
    rotations: FloatArray
    stand: Stand
    is_placed: bool
    is_turned: bool

    @property
    def turns(self) -> FloatArray:
        """(B, 4) world_from_body."""
        return quaternion.multiply(self.rotations, quaternion.conjugate(self.stand.rotations[0]))

    @property
    def matrices(self) -> FloatArray:
        """(B, 3, 3) world_from_body."""
        return quaternion.to_matrix(self.turns)

    def to_world(self, points: FloatArray) -> FloatArray:
        """(B, ..., 3) points (..., 3) of the body's space in the world."""
        away = np.broadcast_to(points - self.stand.positions[0], (len(self.positions), *np.shape(points)))
        lead = (len(self.positions),) + (1,) * (away.ndim - 2)
        return quaternion.rotate(self.turns.reshape(*lead, 4), away) + self.positions.reshape(*lead, 3)

    def to_body(self, targets: FloatArray, tasks: list[Task]) -> FloatArray:
        """(B, N, 4) targets of ``tasks`` in the body's space, from those in the world."""
        back = quaternion.conjugate(self.turns)[:, None]
        moved = np.zeros_like(targets)
        for entry, task in enumerate(tasks):
            if task.kind == ORIENT:
                moved[:, entry] = quaternion.multiply(back[:, 0], targets[:, entry])
            else:
                away = targets[:, entry, :3] - self.positions
                moved[:, entry, :3] = quaternion.rotate(back[:, 0], away) + self.stand.positions[0]
        return moved

    def filled(self, targets: FloatArray, tasks: list[Task], layout: Layout) -> FloatArray:
        """``targets`` (B, N, 4) in the world, with the axes that do not count as they are at rest."""
        filled = targets.copy()
        for entry, task in enumerate(tasks):
            if min(task.axes) < 1:
                joints, joint = layout.body.joints, int(layout.body.tasks.joints[entry])
                rest = joints.places[joint] + quaternion.rotate(joints.turns[joint], np.array(task.point))
                free = np.array(task.axes) < 1
                filled[:, entry, :3][:, free] = self.to_world(rest)[:, free]
                if joints.is_spine[joint]:
                    filled[:, entry, :3] += self.bowing(rest, filled[:, entry, :3], free, layout.front)
        return filled

    def bowing(self, rest: FloatArray, places: FloatArray, free: BoolArray, front: FloatArray) -> FloatArray:
        """(B, 3) how far a place of the spine goes to the front when it comes nearer to the root: a bow, no collapse.

        Args:
            rest: (3,) the place at rest, in the body's space.
            places: (B, 3) where it is to be, in the world.
            free: (3,) the axes of the world along which it may be anywhere.
            front: (3,) in the body's space.
        """
        forward = quaternion.rotate(self.turns, front) * free
        chord = float(np.sum((rest - self.stand.positions[0]) ** 2))
        missing = np.maximum(chord - np.sum((places - self.positions) ** 2, axis=1), 0.0)
        little = BOW * np.sqrt(chord)
        return np.asarray((np.sqrt(missing + little**2) - little)[:, None] * forward)

    def following(self, layout: Layout, targets: FloatArray, *, travels: bool, turns: bool) -> Roots:
        """Roots brought nearer to goals at ``targets`` (B, N, 4) in the world, as far as several goals agree.

        One goal alone does not move the root: the limb goes first. The more goals ask for the same way and the same
        turn, the more of it the root takes.
        """
        pins = layout.pins
        if len(pins) < 2:
            return self
        share = (len(pins) - 1) / len(pins)
        rest = self.to_world(np.array([rest_of(pin, layout.body.joints) for pin in pins]))
        places = pin_places(list(pins), list(layout.tasks), targets)
        way = (places - rest).mean(axis=1)
        arms = rest - rest.mean(axis=1, keepdims=True)
        spread = np.sum(arms**2, axis=(1, 2))[:, None, None]
        inertia = 1.3 * spread * np.eye(3) - np.einsum("bgi,bgj->bij", arms, arms)
        asked = np.cross(arms, places - rest - way[:, None]).sum(axis=1)
        turn = np.linalg.solve(inertia + 1e-12 * np.eye(3), asked[..., None])[..., 0] * share
        # Least squares for small turns; large ones stay below a radian.
        turn = turn / np.sqrt(1 + np.sum(turn**2, axis=1, keepdims=True)) if turns else np.zeros_like(turn)
        spin = quaternion.exp(turn)
        middle = rest.mean(axis=1)
        positions = (
            quaternion.rotate(spin, self.positions - middle) + middle + share * way if travels else self.positions
        )
        return replace(self, positions=positions, rotations=quaternion.multiply(spin, self.rotations))

    def moved(self, rotations: FloatArray, places: FloatArray) -> Roots:
        """These roots after the solver moved them to ``rotations`` (B, 4) and ``places`` (B, 3) of the body's space."""
        positions = quaternion.rotate(self.turns, places - self.stand.positions[0]) + self.positions
        return replace(self, positions=positions, rotations=quaternion.multiply(self.turns, rotations))


def place_roots(problem: Problem, stand: Stand, goals: list[Goal], rows: IntArray) -> tuple[Roots, list[Goal]]:
    """Where the roots of the poses ``rows`` are, and the goals that are about other joints."""
    character, count = problem.body.character, len(problem)
    own = [goal for goal in goals if isinstance(goal, (Place, Orient)) and joint_of(character, goal.part) == 0]
    others = [goal for goal in goals if joint_of(character, goal.points[0]) != 0]
    assert problem.start.root_translation is not None
    rotations = quaternion.normalize(problem.start.rotations[:, 0])
    positions = np.array(problem.start.root_translation)
    for goal in own:
        if isinstance(goal, Orient) and problem.root != "fixed":
            rotations = quaternion.normalize(at_times(goal.to, 4, count, problem.times, "the root's orientation"))
    rotations = held_in_limits(problem, rotations)
    is_placed = False
    is_turned = any(isinstance(goal, Orient) for goal in own)
    for goal in own:
        if isinstance(goal, Place) and problem.root == "free":
            wanted = at_times(goal.at, 3, count, problem.times, "the root's place")
            wanted = wanted - quaternion.rotate(rotations, np.asarray(as_point(goal.part).offset))
            positions = np.where(axes_mask(goal.axes) > 0, wanted, positions)
            is_placed = True
    return Roots(positions[rows], rotations[rows], stand, is_placed, is_turned), others


def held_in_limits(problem: Problem, rotations: FloatArray) -> FloatArray:
    """(B, 4) the root's ``rotations`` within its limits, if it has any."""
    body = problem.body
    if body.limits.kinds[0] == FREE:
        return rotations
    whole = np.array(np.broadcast_to(body.rest_rotations, (len(rotations), len(body.skeleton), 4)))
    whole[:, 0] = rotations
    pose = Pose(whole, np.zeros((len(rotations), 3)))
    return np.asarray(clamp(body.limits, body.skeleton, pose).rotations[:, 0])
