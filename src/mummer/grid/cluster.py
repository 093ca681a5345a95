"""The grid on many machines: cells sent to the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import msgspec

from mummer.errors import InputError, MissingExtraError
from mummer.grid.play import Outcome, Task, play
from mummer.grid.verdict import Verdict


def play_on_cluster(tasks: Sequence[Task], address: str, *, limit: float) -> Generator[Outcome]:
    """Play all tasks on the workers of a cluster, and give the outcomes as they come.

    A worker that dies is replaced by the cluster; a cell that takes one down with it time and again counts as crashed.
    When nothing has come back for ``limit`` seconds, whatever is still out counts as crashed.

    Args:
        tasks: what to play.
        address: of the scheduler, such as ``tcp://10.0.0.5:8786``.
        limit: seconds to wait for the next outcome.

    Raises:
        MissingExtraError: if Dask is not installed.
        InputError: if nobody answers at the address.
    """
    client = _connect(address, limit)
    with client:
        # Bodies are put on the page here afterwards: sent along, they would travel with every cell.
        alone = [msgspec.structs.replace(task, with_body=False) for task in tasks]
        waiting = {client.submit(play, task, pure=False, retries=0): task for task in alone}
        while waiting:
            done = _done(waiting, limit)
            for future in done or list(waiting):
                task = waiting.pop(future)
                yield _outcome(future, task) if done else _crashed(task, f"no answer within {limit:g} s")
                future.release()


def _connect(address: str, limit: float) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError("cluster", "a grid on several machines") from None
    try:
        return Client(address, timeout=min(limit, 10.0))
    except (OSError, ValueError, TimeoutError):
        raise InputError(f"no Dask scheduler answers at {address!r}; expected such as tcp://host:8786") from None


def _done(waiting: dict[Any, Task], limit: float) -> list[Any]:
    """The futures that are done; none if nothing comes for so long."""
    from distributed import wait

    try:
        return list(wait(list(waiting), timeout=limit, return_when="FIRST_COMPLETED").done)
    except TimeoutError:
        return []


def _outcome(future: Any, task: Task) -> Outcome:
    """What a future holds, or that its worker did not survive."""
    error = future.exception()
    if error is None:
        outcome: Outcome = future.result()
        return outcome
    return _crashed(task, " ".join(f"{type(error).__name__}: {error}".split()))


def _crashed(task: Task, reason: str) -> Outcome:
    return Outcome(Verdict(task.cell.animation, task.cell.body, "crashed", reason=reason))
