"""Running the study: batches shared out over processes, the same whatever their number."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from mummer.ik.solve import solver_named
from tests.ik.study.bodies import body_named, body_names
from tests.ik.study.judge import judge
from tests.ik.study.problems import make_batch
from tests.ik.study.tally import Tally

BATCH = 50
PIECE = 8
"""Batches that one process is handed at a time: few, so that none is left working alone at the end."""


def run_study(solver: str, problems: int, *, which: str = "all", jobs: int = 1, first_seed: int = 0) -> Iterator[Tally]:
    """Tallies, one for each piece of work that is done; together they hold ``problems`` or a few more.

    Args:
        solver: its name.
        problems: how many.
        which: see `body_names`.
        jobs: processes.
        first_seed: another number gives other problems.
    """
    pieces = [
        (solver, name, first_seed + done, min(PIECE, count - done))
        for name, count in shares_of(body_names(which), problems).items()
        for done in range(0, count, PIECE)
    ]
    if jobs == 1:
        yield from map(_piece, pieces)
        return
    # Each process has one thread, or the threads of all of them would fight for the cores.
    os.environ["NUMBA_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_piece, pieces)


def shares_of(names: list[str], problems: int) -> dict[str, int]:
    """How many batches each body gets; where there are fewer batches than bodies, those are spread over the list."""
    batches = -(-problems // BATCH)
    ends = [batches * place // len(names) for place in range(len(names) + 1)]
    counts = {name: end - start for name, start, end in zip(names, ends[:-1], ends[1:], strict=True)}
    return {name: count for name, count in counts.items() if count}


def stretch_of(solver: str) -> float:
    """How much a solver says it may change lengths, as a share of them."""
    return float(getattr(solver_named(solver), "stretch", 0.0))


def _piece(work: tuple[str, str, int, int]) -> Tally:
    solver, name, first_seed, count = work
    tally, character = Tally(stretch_of(solver)), body_named(name)
    if character is None:
        tally.counts["pieces of bodies that no solver takes"] = 1
        return tally
    for seed in range(first_seed, first_seed + count):
        # Whatever is raised is a finding, not the end of the study.
        try:
            batch = make_batch(name, character, seed, BATCH)
            tally.add(batch, judge(batch, solver))
        except Exception as error:
            tally.refuse(name, seed, BATCH, error)
    return tally
