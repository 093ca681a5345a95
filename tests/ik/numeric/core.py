"""The core's own arrays for a problem, so that its parts can be tested one by one, uncompiled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.ik.goal_table import goal_table
from mummer.ik.numeric import run
from mummer.ik.numeric.arguments import AHEAD, ROW, ROWS, STEP, Body, Goals
from mummer.ik.numeric.descending import look
from mummer.ik.numeric.kernel import hold_labels, new_work, read_stance
from mummer.ik.numeric.plan import plan_for
from mummer.ik.numeric.posing import place_joints, take_step, write_columns
from mummer.ik.numeric.slopes import write_slopes


@dataclass
class Core:
    """The first pose of a problem as the core sees it."""

    body: Body
    goals: Goals
    stance: np.ndarray
    world: np.ndarray
    work: object
    plan: object

    def look(self, stance=None) -> np.ndarray:
        """What each row lacks."""
        stance = self.stance if stance is None else stance
        place_joints(self.body, stance, self.world, np.arange(len(stance)))
        look(self.goals, self.body, stance, self.world, self.work)
        return self.work.rows[AHEAD].copy()

    def slopes(self) -> np.ndarray:
        self.look()
        write_columns(self.body, self.stance, self.world)
        write_slopes(self.goals, self.body, self.world, self.work)
        return self.work.slopes.copy()

    def stepped(self, step) -> np.ndarray:
        """The stance after a step."""
        moved = self.stance.copy()
        self.work.dofs[STEP] = step
        take_step(self.body, moved, self.work.dofs)
        return moved


def core_of(problem) -> Core:
    table = goal_table(problem)
    plan = plan_for(problem, table)
    body = Body(plan.joints, plan.frames, plan.used, plan.owner, plan.moments)
    values = run._values(table)
    labels = hold_labels(plan.labels, values, 0)
    height = problem.body.height
    goals = Goals(
        labels, values[0], 0.25 * height, 1e-4 * height, problem.body.mass.total, 0.01, 0.0, height, 0.3 * height
    )
    rows = int(labels[:, ROWS].sum())
    assert rows == 0 or labels[-1, ROW] + labels[-1, ROWS] == rows
    stance = np.zeros((len(plan.joints), 10))
    offsets = run._offsets(problem, problem.start)
    read_stance(body, np.array(problem.start.rotations), 0, offsets, stance)
    work = new_work(len(plan.joints), len(plan.owner), rows, 0)
    return Core(body, goals, stance, np.zeros((len(stance), 16)), work, plan)
