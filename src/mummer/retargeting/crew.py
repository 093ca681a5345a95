"""The crew: processes that share out the jobs of a batch, where one that dies costs one job and nothing else."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from mummer.retargeting.batch import Job, blocks

READY = "MUMMER_READY"
"""The variable that names, one a line, the bodies to load before workers are made."""
ALONE = {"NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""A worker is one of several: whatever it calls runs on one thread."""
PATIENCE = 20.0
"""Seconds that a worker has to finish the job it is at when all is called off."""
JOBS_A_WORKER = 4000
"""Jobs after which a worker is replaced by a fresh one, so that nothing piles up."""


@dataclass
class Worker:
    """A process, the pipe to it, what it still has to do in order, and how much it did."""

    process: BaseProcess
    pipe: Connection
    ahead: deque[Job] = field(default_factory=deque)
    done: int = 0


def share_out(bundles: Sequence[tuple[Job, ...]], workers: int) -> Iterator[tuple[Job, dict[str, Any]]]:
    """Do bundles of jobs in so many processes, and give what came of each job as it is done."""
    queue = deque(bundles)
    context = _context(blocks([job for bundle in bundles for job in bundle])[0])
    crew = [_start(context) for _ in range(min(workers, len(queue)))]
    try:
        while queue or any(worker.ahead for worker in crew):
            for worker in crew:
                if not worker.ahead and queue:
                    _give(worker, queue.popleft())
            busy = {worker.pipe: worker for worker in crew if worker.ahead}
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                yield _answer(worker)
                if not worker.process.is_alive() or (not worker.ahead and worker.done >= JOBS_A_WORKER):
                    crew[crew.index(worker)] = _replaced(worker, context)
    finally:
        _dismiss(crew)


def _give(worker: Worker, bundle: Sequence[Job]) -> None:
    worker.ahead.extend(bundle)
    # One that has died by now is found out when its answer is waited for.
    with contextlib.suppress(OSError):
        worker.pipe.send(tuple(bundle))


def _answer(worker: Worker) -> tuple[Job, dict[str, Any]]:
    """The job that a worker was at, with what came of it, or that its process has died of it."""
    job = worker.ahead.popleft()
    worker.done += 1
    try:
        facts: dict[str, Any] = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        return job, {"error": f"the process that did it ended with code {worker.process.exitcode}"}
    return job, facts


def _replaced(worker: Worker, context: BaseContext) -> Worker:
    """A fresh worker that goes on with what is left."""
    worker.pipe.close()
    worker.process.join()
    fresh = _start(context)
    if worker.ahead:
        _give(fresh, worker.ahead)
    return fresh


def _dismiss(crew: Sequence[Worker]) -> None:
    """Let everybody finish the job they are at; nobody is given another."""
    for worker in crew:
        worker.pipe.close()
    for worker in crew:
        worker.process.join(PATIENCE)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _start(context: BaseContext) -> Worker:
    mine, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)  # type: ignore[attr-defined]
    with _surroundings(ALONE):
        process.start()
    theirs.close()
    return Worker(process, mine)


def _context(characters: Sequence[str]) -> BaseContext:
    """How processes are made: as copies of one that has loaded everything, where the system can; else afresh."""
    if sys.platform != "linux":
        return get_context("spawn")
    from multiprocessing import forkserver

    context = get_context("forkserver")
    context.set_forkserver_preload(["mummer.retargeting.ready"])
    with _surroundings({**ALONE, READY: "\n".join(characters)}), _deaf():
        forkserver.ensure_running()
    return context


@contextlib.contextmanager
def _surroundings(values: dict[str, str]) -> Iterator[None]:
    """The environment with some variables, which processes that are started within it keep."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started within it do not hear of interruptions, before they can say so themselves."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread, to which signals belong
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def serve(pipe: Connection) -> None:
    """What a worker does until nobody asks any more, or nobody listens."""
    # Whoever interrupts the batch dismisses the workers; each finishes what it is at.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from mummer.retargeting.work import work

    with contextlib.suppress(EOFError, OSError):
        while True:
            for job in pipe.recv():
                pipe.send(work(job))
