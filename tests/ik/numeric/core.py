"""The core's own arrays for a problem, so that its parts can be tested one by one, uncompiled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.ik.goal_table import goal_table
from mummer.ik.numeric import run
from mummer.ik.numeric.descent import look
from mummer.ik.numeric.posing import place_joints, read_stance, take_step, write_columns
from mummer.ik.numeric.records import AHEAD, ROW, ROWS, STEP, Body, Goals, How, Work, new_work
from mummer.ik.numeric.rows import write_slopes


@dataclass
class Core:
    """The first pose of a problem as the core sees it."""

    body: Body
    goals: Goals
    work: Work
    plan: run.Plan

    @property
    def stance(self) -> np.ndarray:
        return self.work.stance

    @property
    def world(self) -> np.ndarray:
        return self.work.world

    def look(self, stance=None) -> np.ndarray:
        """What each row lacks."""
        work = self.work if stance is None else self.work._replace(stance=stance)
        place_joints(self.body, work.stance, work.world, self.body.every)
        look(self.goals, self.body, work)
        return self.work.rows[AHEAD].copy()

    def slopes(self) -> np.ndarray:
        self.look()
        write_columns(self.body, self.stance, self.world)
        write_slopes(self.goals, self.body, self.work)
        return self.work.slopes.copy()

    def stepped(self, step) -> np.ndarray:
        """The stance after a step."""
        moved = self.stance.copy()
        self.work.dofs[STEP] = step
        take_step(self.body, moved, self.work.dofs)
        return moved


def core_of(problem) -> Core:
    table = goal_table(problem)
    plan = run.plan_for(problem, table)
    work = Work(*(part[0] for part in new_work(1, plan.body, plan.labels)))
    height = problem.body.height
    how = How(
        height=height, radian=0.25 * height, near=1e-4 * height, stiffness=problem.body.mass.total, restitution=0.0,
        still=0.0, settle=0.01, damping=0.0, stride=height, blur=0.3 * height, metric=run.DIAGONAL, steps=1, attempts=0,
        is_home=1,
    )  # fmt: skip
    goals = Goals(work.labels, work.values, how)
    run.clear(work)
    run.hold_labels(plan.labels, run._values(table)[0], goals)
    labels = goals.labels
    rows = int(labels[:, ROWS].sum())
    assert rows == 0 or labels[-1, ROW] + labels[-1, ROWS] == rows
    read_stance(plan.body, problem.start.rotations[0], run._offsets(problem, problem.start)[0], work.stance)
    return Core(plan.body, goals, work, plan)
