"""Workers: a crash or a hang costs one cell and nothing else."""

from __future__ import annotations

from mummer.grid import Cell
from mummer.grid.play import Task
from mummer.grid.workers import play_all
from tests.grid.players import quick


def test_a_crash_and_a_hang_cost_one_cell_each() -> None:
    animations = ["a", "die", "b", "hang", "c"]
    tasks = [Task(Cell(body, animation), "") for body in ("one", "two") for animation in animations]
    found = {outcome.verdict.cell: outcome.verdict for outcome in play_all(tasks, workers=2, limit=4.0, work=quick)}
    assert set(found) == {task.cell for task in tasks}
    for body in ("one", "two"):
        assert [found[Cell(body, name)].status for name in "abc"] == ["passed"] * 3
        assert found[Cell(body, "die")].reason == "the process ended with code 7"
        assert found[Cell(body, "hang")].reason == "took too long and was ended"


def test_no_tasks_are_no_work() -> None:
    assert list(play_all([], workers=2, limit=1.0, work=quick)) == []
