"""The journal of a run: one line a cell, written as it is done, so that an interrupted run goes on where it was."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import msgspec

from mummer.errors import FileError
from mummer.grid.plan import Plan
from mummer.grid.verdict import Cell, Verdict

NAME = "journal.jsonl"


class Opening(msgspec.Struct, frozen=True):
    """The first line: what the run is about. A journal of another run is not gone on with."""

    plan: Plan
    version: int = 1


class Journal:
    """Verdicts on disk, in the order they were reached.

    Attributes:
        path: the file.
        verdicts: what is known so far, by cell.
    """

    def __init__(self, path: Path, verdicts: dict[Cell, Verdict], stream: IO[bytes]) -> None:
        self.path, self.verdicts, self._stream = path, verdicts, stream

    @classmethod
    def open(cls, folder: Path, plan: Plan, *, fresh: bool = False) -> Journal:
        """The journal of ``plan`` in ``folder``: the interrupted one if there is one, else a new one.

        Args:
            folder: where the results are.
            plan: what the run is about.
            fresh: whether to begin again even where an interrupted run could go on.

        Raises:
            FileError: if it cannot be written.
        """
        path = folder / NAME
        known = {} if fresh else _read(path, plan)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Written anew, so that a line that was cut off is gone.
            stream = path.open("wb")
        except OSError as error:
            raise FileError(path, f"cannot be written: {error.strerror or error}") from None
        journal = cls(path, {}, stream)
        journal._write(Opening(plan))
        for verdict in known.values():
            journal.add(verdict)
        return journal

    def add(self, verdict: Verdict) -> None:
        """Note a verdict; it is on disk when this returns."""
        self.verdicts[verdict.cell] = verdict
        self._write(verdict)

    def close(self, *, finished: bool) -> None:
        """Close the file; a finished run leaves none, since there is nothing to go on with."""
        self._stream.close()
        if finished:
            self.path.unlink(missing_ok=True)

    def _write(self, entry: msgspec.Struct) -> None:
        self._stream.write(msgspec.json.encode(entry) + b"\n")
        self._stream.flush()


def _read(path: Path, plan: Plan) -> dict[Cell, Verdict]:
    """The verdicts of an interrupted run of the same plan; none where there is no such run."""
    try:
        first, *lines = path.read_bytes().splitlines() or [b""]
        if msgspec.json.decode(first, type=Opening) != Opening(plan):
            return {}
    except (OSError, msgspec.DecodeError):
        return {}
    known: dict[Cell, Verdict] = {}
    for line in lines:
        try:
            verdict = msgspec.json.decode(line, type=Verdict)
        except msgspec.DecodeError:
            # The last line may have been cut off when the run was.
            continue
        known[verdict.cell] = verdict
    return known
