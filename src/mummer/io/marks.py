"""Marks as rows of JSON, and the file beside a motion that holds them where the format cannot.

A row is an object: ``name``, ``time`` in seconds, ``until`` in seconds for what lasts, ``data`` for what goes with it.
``walk.bvh`` has ``walk.bvh.marks.json`` with a ``version`` and a list ``marks``.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mummer import atomic
from mummer.character import Character, Mark
from mummer.errors import MalformedFileError
from mummer.report import ReportBuilder

VERSION = 1


def rows_of(marks: Iterable[Mark]) -> list[dict[str, Any]]:
    """The marks as JSON says them."""
    return [
        {"name": mark.name, "time": float(mark.time)}
        | ({"until": float(mark.until)} if mark.duration > 0 else {})
        | ({"data": dict(mark.data)} if mark.data else {})
        for mark in marks
    ]


def marks_of(rows: Any, report: ReportBuilder) -> tuple[Mark, ...]:
    """The marks that rows say, earliest first; rows of another form are left out and told."""
    found = [_read(row) for row in rows] if isinstance(rows, list) else []
    if None in found:
        report.add("ignored", "marks that are not a name and a time", count=found.count(None))
    return tuple(sorted(mark for mark in found if mark is not None))


def beside(path: Path | str) -> Path:
    """Where the marks of a motion file are kept."""
    file = Path(path)
    return file.with_name(f"{file.name}.marks.json")


def write_beside(path: Path | str, marks: Iterable[Mark]) -> None:
    """Write the marks beside a motion, or take away the file of another motion that was there."""
    rows, file = rows_of(marks), beside(path)
    if rows:
        atomic.write_text(file, json.dumps({"version": VERSION, "marks": rows}, indent=1) + "\n")
    else:
        file.unlink(missing_ok=True)


def with_marks(character: Character, path: Path) -> Character:
    """The character whose first recording has the marks that are kept beside its file, if there are any.

    Raises:
        MalformedFileError: if that file is not one of marks.
    """
    file = beside(path)
    if not character.recordings or not file.is_file():
        return character
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MalformedFileError(file, f"is not JSON: {error}") from None
    if not isinstance(told, dict) or told.get("version") != VERSION:
        raise MalformedFileError(file, f"expected an object with version {VERSION} and a list of marks")
    report = ReportBuilder()
    report.add_all(character.report)
    first, *others = character.recordings
    marks = tuple(sorted({*first.marks, *marks_of(told.get("marks"), report)}))
    return character.replace(recordings=(dataclasses.replace(first, marks=marks), *others), report=report.build())


def _read(row: Any) -> Mark | None:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        return None
    time: Any = row.get("time")
    until: Any = row.get("until", time)
    data: Any = row.get("data", {})
    if any(type(each) not in (int, float) or not math.isfinite(each) for each in (time, until)) or until < time:
        return None
    return Mark(float(time), row["name"], float(until), data) if isinstance(data, dict) else None
