"""Workers: a crash or a hang costs one cell and nothing else."""

from __future__ import annotations

from mummer.grid import Cell
from mummer.grid.play import Task
from mummer.grid.workers import play_all
from tests.grid.players import quick


def test_a_crash_and_a_hang_cost_one_cell_each() -> None:
    animations = ["a", "die", "b", "hang", "c"]
    tasks = [Task(Cell("body", animation), "") for animation in animations]
    found = [outcome.verdict for outcome in play_all(tasks, workers=2, limit=2.0, work=quick)]
    reasons = {verdict.animation: verdict.reason for verdict in found}
    assert sorted(reasons) == sorted(animations)
    assert len(found) == len(animations)
    assert sorted(verdict.animation for verdict in found if verdict.status == "passed") == ["a", "b", "c"]
    assert reasons["die"] == "the process ended with code 7"
    assert reasons["hang"] == "took too long and was ended"


def test_no_tasks_are_no_work() -> None:
    assert list(play_all([], workers=2, limit=1.0, work=quick)) == []
