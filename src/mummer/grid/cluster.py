"""The grid on many machines: cells sent to the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import msgspec

from mummer.errors import InputError, MissingExtraError
from mummer.grid.play import Outcome, Task, play
from mummer.grid.verdict import Verdict


def play_on_cluster(tasks: Sequence[Task], address: str, *, limit: float) -> Generator[Outcome]:
    """Play all tasks on the workers of a cluster, and give the outcomes as they come.

    A worker that dies is replaced by the cluster; a cell that takes one down with it time and again counts as crashed.

    Args:
        tasks: what to play.
        address: of the scheduler, such as ``tcp://10.0.0.5:8786``.
        limit: seconds to wait for the scheduler.

    Raises:
        MissingExtraError: if Dask is not installed.
        InputError: if nobody answers at the address.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise MissingExtraError("cluster", "a grid on several machines") from None
    try:
        client = Client(address, timeout=min(limit, 10.0), set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise InputError(f"no Dask scheduler answers at {address!r}; expected such as tcp://host:8786") from None
    with client:
        # Bodies are put on the page here afterwards: sent along, they would travel with every cell.
        alone = [msgspec.structs.replace(task, with_body=False) for task in tasks]
        futures = {client.submit(play, task, pure=False, retries=0): task for task in alone}
        for future in as_completed(futures):
            yield _outcome(future, futures[future])
            future.release()


def _outcome(future: object, task: Task) -> Outcome:
    """What a future holds, or that its worker did not survive."""
    error = future.exception()  # type: ignore[attr-defined]
    if error is None:
        outcome: Outcome = future.result()  # type: ignore[attr-defined]
        return outcome
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    return Outcome(Verdict(task.cell.animation, task.cell.body, "crashed", reason=reason))
