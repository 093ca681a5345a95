"""Many frames solved at once by the mass-weighted core, each by itself, with goals that count more and less in time."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.ik.engine.hold_limits import kept_past
from mummer.ik.goal import Goal
from mummer.ik.goal_table import goal_table
from mummer.ik.numeric.run import Tuning, run
from mummer.ik.problem import make_problem

STRONGEST = 100.0
"""The weight of a goal that is all but hard."""
LEAST = 1e-6
"""The smallest share that counts."""


@dataclass(frozen=True, eq=False)
class Wish:
    """A goal for T frames.

    Attributes:
        goal: with a target for each frame, or one for all.
        share: (T,) from 0, where it does not count, to 1, where it counts in full: a soft goal of weight 1 then is all
            but hard. A hard one counts in full wherever it counts at all.
    """

    goal: Goal
    share: FloatArray

    def at_rows(self, rows: IntArray) -> Wish:
        """The same for some of the frames."""
        changed = {
            field.name: getattr(self.goal, field.name)[rows]
            for field in dataclasses.fields(self.goal)
            if np.shape(getattr(self.goal, field.name))[:1] == self.share.shape
            and isinstance(getattr(self.goal, field.name), np.ndarray)
            and (np.ndim(getattr(self.goal, field.name)) > 1 or field.name == "distance")
        }
        return Wish(dataclasses.replace(self.goal, **changed), self.share[rows])


def solve_frames(
    body: Character, start: Pose, wishes: Sequence[Wish], times: FloatArray, *, tuning: Tuning, tolerance: float
) -> Pose:
    """(T,) poses as near to ``start`` (T,) as ``wishes`` allow, by the mass that is moved."""
    rows = np.flatnonzero(np.any([wish.share > 0 for wish in wishes], axis=0)) if wishes else np.zeros(0, np.int64)
    if not len(rows):
        return start
    picked = [wish.at_rows(rows) for wish in wishes]
    problem = make_problem(
        body, [wish.goal for wish in picked], start[rows], times=times[rows], tolerance=tolerance, root="free"
    )
    table = goal_table(problem)
    shares = np.stack([_weights(wish, tuning.pull) for wish in picked], axis=1)
    weights = np.ascontiguousarray(table.weights * shares[:, table.goal])
    found = run(problem, dataclasses.replace(table, weights=weights), tuning)[0]
    rotations, root = start.rotations.copy(), np.array(start.root_translation)
    rotations[rows], root[rows] = kept_past(body, start[rows], found.rotations), found.root_translation
    return Pose(rotations, root)


def _weights(wish: Wish, pull: float) -> FloatArray:
    """(T,) weights beside which a body's pull to stay gives way by the part that each wish counts."""
    if wish.goal.is_hard:
        return np.asarray(wish.share > 0, np.float64)
    # A weight that is next to nothing would be lost in rounding beside the others, and take them along.
    share = np.where(wish.share < LEAST, 0.0, wish.share)
    return np.asarray(pull * share / np.maximum(1.0 - share, pull / STRONGEST))
