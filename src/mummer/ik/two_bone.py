"""The two-bone solver: hips, knees and ankles (and shoulders, elbows and wrists) in closed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.ik.body_point import Part, joint_of
from mummer.ik.goals import Orient, Place
from mummer.ik.limb_joints import LimbJoints, find_limb
from mummer.ik.limbs import ASKED, HAS_PLACE, HAS_POLE, HAS_TURN, PLACE, POLE, SOFTNESS, TURN, make_limbs
from mummer.ik.moving import Target, at_times
from mummer.ik.problem import Problem
from mummer.ik.solution import Solution, make_solution
from mummer.ik.world_state import WorldState


@dataclass(frozen=True)
class TwoBone:
    """Places the tips of limbs that bend once, in closed form: a microsecond or two a limb.

    Each `Place` goal stands for a limb: its joint, and the two nearest joints above that bend. Joints without length
    and joints named for twisting are passed over; other joints of the body do not move, so what the limb cannot reach
    is missed, and the miss reported. An `Orient` goal for the same joint turns the tip. Weights do not matter, as no
    two goals share a limb; other goals are left out and named in the report.

    A straight limb is safe: it bends to the side that the hinge of its knee allows, else as it is bent at rest. The
    joints that are turned are held in their limits; where the limits forbid the first answer, the limb swings about
    the line from its base to its target until they allow it.

    Attributes:
        softness: the last part of the limb's reach, over which it follows its target less and less and never snaps
            straight: 0.03 for the last three hundredths. A target there is missed by up to 0.37 of that part, and more
            beyond reach. The part is smaller for a limb that is posed straighter, so that it can stay where it is.
            Zero reaches exactly as far as the limb does, with a corner.
        poles: where middle joints should point to, by tip: points (3,) in the world, metres, or moving.
        chains: base and middle joint for tips where others than the two nearest are meant; what is between is stiff.

    The answer is continuous in target and pose, except where a limb would have to point exactly opposite to how it is
    posed, and where limits leave two ways to swing it that are equally near.
    """

    softness: float = SOFTNESS
    poles: Mapping[Part, Target] | None = None
    chains: Mapping[Part, tuple[Part, Part]] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.softness < 1:
            raise InputError(f"a softness of {self.softness:g} makes no sense; expected a part of the reach, 0 to 1")

    def solve(self, problem: Problem) -> Solution:
        """See `Solver.solve`."""
        tasks = _tasks(problem, self.chains or {})
        used = {id(goal) for task in tasks for goal in (task.place, task.orient)}
        ignored = tuple(goal for goal in problem.goals if id(goal) not in used)
        pose = problem.start
        if tasks:
            limbs = make_limbs(
                problem.body.character,
                [task.place.part for task in tasks],
                joints=[task.limb for task in tasks],
                movable=problem.movable,
                softness=self.softness,
            )
            asked = self._asked(problem, tasks)
            assert pose.root_translation is not None
            rotations, _ = limbs.run(
                pose.rotations, pose.root_translation, asked, offsets=problem.body.offsets_of(pose)
            )
            pose = pose.replace(rotations=rotations)
        steps = np.full(len(problem), int(bool(tasks)), np.int64)
        return make_solution(problem, pose, "two_bone", iterations=steps, ignored=ignored)

    def _asked(self, problem: Problem, tasks: list[_Task]) -> FloatArray:
        """(B, F, ASKED) see `place_limb`."""
        count, times = len(problem), problem.times
        state = WorldState(problem.body.character, problem.start)
        asked = np.zeros((count, len(tasks), ASKED))
        poles = {joint_of(problem.body.character, tip): pole for tip, pole in (self.poles or {}).items()}
        for row, task in zip(np.moveaxis(asked, 1, 0), tasks, strict=True):
            row[:, PLACE:HAS_PLACE] = task.place.places(state, times)
            row[:, HAS_PLACE] = problem.holds(task.place)
            if task.orient is not None:
                turn = at_times(task.orient.to, 4, count, times, f"the orientation of {task.orient.part!r}")
                row[:, TURN:HAS_TURN] = turn / np.linalg.norm(turn, axis=-1, keepdims=True)
                row[:, HAS_TURN] = problem.holds(task.orient)
            if task.limb.tip in poles:
                row[:, POLE:HAS_POLE] = at_times(poles[task.limb.tip], 3, count, times, "a pole")
                row[:, HAS_POLE] = 1.0
        return asked


@dataclass(frozen=True, eq=False)
class _Task:
    """One limb and what is asked of it."""

    limb: LimbJoints
    place: Place
    orient: Orient | None


def _tasks(problem: Problem, chains: Mapping[Part, tuple[Part, Part]]) -> list[_Task]:
    """A limb for each place, those nearer to the root first."""
    character = problem.body.character
    given = {}
    for tip, above in chains.items():
        base, middle, end = (joint_of(character, part) for part in (*above, tip))
        given[end] = LimbJoints(base, middle, end)
    orients = {joint_of(character, goal.part): goal for goal in problem.goals if isinstance(goal, Orient)}
    tasks: dict[int, _Task] = {}
    for goal in problem.goals:
        if isinstance(goal, Place):
            end = joint_of(character, goal.part)
            limb = given.get(end) or find_limb(problem.body, end)
            if limb is not None and end not in tasks:
                tasks[end] = _Task(limb, goal, orients.get(end))
    return sorted(tasks.values(), key=lambda task: task.limb.base)
