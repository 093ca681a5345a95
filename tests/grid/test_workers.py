"""Workers: a crash or a hang costs one cell and nothing else."""

from __future__ import annotations

import os
import signal

from mummer.grid import Cell, workers
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


def test_a_worker_that_is_interrupted_while_it_starts_gets_ready() -> None:
    before = signal.getsignal(signal.SIGINT)
    worker = workers._start(quick)
    try:
        assert signal.getsignal(signal.SIGINT) is before
        assert worker.process.pid is not None
        os.kill(worker.process.pid, signal.SIGINT)
        assert worker.pipe.poll(60)
        assert worker.pipe.recv() is None
    finally:
        workers._end(worker)
