"""Workers: processes that play cells, where a crash or a hang costs one cell and nothing else."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

import msgspec

from mummer.errors import MummerError
from mummer.grid.play import Outcome, Task, play
from mummer.grid.verdict import Verdict

Work = Callable[[Task], Outcome]
TICK = 0.2
"""Seconds between looks at the clock."""
STARTING = 120.0
"""Seconds that a process may take to be ready; they do not count as those of its first cell."""


@dataclass
class Worker:
    """A process, the pipe to it, what it is at, and what it will be given next."""

    process: BaseProcess
    pipe: Connection
    deadline: float
    ready: bool = False
    task: Task | None = None
    ahead: deque[Task] = field(default_factory=deque)

    @property
    def is_idle(self) -> bool:
        """Whether it waits to be given something."""
        return self.ready and self.task is None


def play_all(tasks: Sequence[Task], *, workers: int, limit: float, work: Work = play) -> Generator[Outcome]:
    """Play all tasks in so many processes, and give the outcomes as they come.

    Args:
        tasks: what to play; tasks of the same body that stand together are given to the same worker.
        workers: processes.
        limit: seconds that one task may take; then its process is ended and the task counts as crashed.
        work: what a worker does with a task.

    Raises:
        MummerError: if a process cannot be started at all.
    """
    if not tasks:
        return
    queues = _by_body(tasks)
    crew = [_start(work) for _ in range(max(1, min(workers, len(tasks))))]
    left = len(tasks)
    try:
        while left:
            for worker in crew:
                if worker.is_idle:
                    _assign(worker, queues, crew, limit)
            answering = set(wait([worker.pipe for worker in crew if not worker.is_idle], timeout=TICK))
            for place, worker in enumerate(crew):
                outcome = _answer(worker, answered=worker.pipe in answering)
                if outcome is not None:
                    left -= 1
                    yield outcome
                if left and not worker.process.is_alive():
                    crew[place] = _replaced(worker, work)
    finally:
        for worker in crew:
            _end(worker)


def _by_body(tasks: Sequence[Task]) -> deque[deque[Task]]:
    """The tasks in queues, one a body, in the order given."""
    queues: dict[str, deque[Task]] = {}
    for task in tasks:
        queues.setdefault(task.cell.body, deque()).append(task)
    return deque(queues.values())


def _assign(worker: Worker, queues: deque[deque[Task]], crew: Sequence[Worker], limit: float) -> None:
    """Give an idle worker the next cell of its body, else a new body, else half of what another has left."""
    if not worker.ahead and queues:
        worker.ahead = queues.popleft()
    if not worker.ahead:
        busiest = max(crew, key=lambda each: len(each.ahead)).ahead
        worker.ahead = deque(busiest.pop() for _ in range((len(busiest) + 1) // 2))
        worker.ahead.reverse()
    if worker.ahead:
        worker.task = worker.ahead.popleft()
        worker.deadline = time.monotonic() + limit
        worker.pipe.send(worker.task)


def _answer(worker: Worker, *, answered: bool) -> Outcome | None:
    """What a worker has to say: its outcome, or that it died or took too long."""
    if answered:
        return _received(worker)
    if worker.is_idle or time.monotonic() < worker.deadline:
        return None
    _end(worker)
    if worker.task is None:
        raise MummerError(f"a process of the grid was not ready after {STARTING:g} s")
    return _crashed(worker, "took too long and was ended")


def _received(worker: Worker) -> Outcome | None:
    """What came through the pipe: the outcome, the word that it is ready, or its end."""
    try:
        outcome: Outcome | None = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        if worker.task is None:
            raise MummerError(f"a process of the grid ended with code {worker.process.exitcode} at its start") from None
        return _crashed(worker, f"the process ended with code {worker.process.exitcode}")
    worker.ready, worker.task = True, None
    return outcome


def _crashed(worker: Worker, reason: str) -> Outcome:
    task, worker.task = worker.task, None
    assert task is not None
    return Outcome(Verdict(task.cell.animation, task.cell.body, "crashed", reason=reason))


def _start(work: Work) -> Worker:
    """A new process; it starts afresh rather than as a copy, since threads do not survive copying."""
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, work), daemon=True)
    with _deaf_to_interrupts():
        process.start()
    theirs.close()
    return Worker(process, mine, time.monotonic() + STARTING)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started within ignore Ctrl-C from their first moment, and not only once they are ready."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _replaced(worker: Worker, work: Work) -> Worker:
    """A new worker that goes on with what an ended one had before it."""
    _end(worker)
    fresh = _start(work)
    fresh.ahead = worker.ahead
    return fresh


def _end(worker: Worker) -> None:
    worker.pipe.close()
    if worker.process.is_alive():
        worker.process.kill()
    worker.process.join()


def _serve(pipe: Connection, work: Work) -> None:
    """What a worker process does until nobody asks any more."""
    # Cells are played side by side, so that each needs only one thread.
    os.environ["NUMBA_NUM_THREADS"] = "1"
    # Whoever interrupts the run ends the workers; they need not say so each for themselves.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    given: set[str] = set()
    pipe.send(None)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        outcome = work(msgspec.structs.replace(task, with_body=task.with_body and task.cell.body not in given))
        if outcome.body is not None:
            given.add(task.cell.body)
        pipe.send(outcome)
