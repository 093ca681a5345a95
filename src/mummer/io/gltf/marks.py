"""Named moments of an animation, in its ``extras``: glTF has no other place for them, and engines hand extras on.

``extras.marks`` is a list of objects: ``name``, ``time`` in seconds, and ``until`` in seconds for what lasts. three.js
gives it as ``clip.userData.marks``, Blender as a custom property of the action, Godot as metadata of the animation.
"""

from __future__ import annotations

import math
from typing import Any

from mummer.character import Mark, Recording
from mummer.io.gltf.fields import Json
from mummer.report import ReportBuilder

KEY = "marks"


def labelled(animation: Json, recording: Recording) -> Json:
    """The animation with the name and the marks of a recording; what else its extras hold stays."""
    held = animation.get("extras")
    extras = {key: value for key, value in held.items() if key != KEY} if isinstance(held, dict) else {}
    if recording.marks:
        extras[KEY] = [_written(mark) for mark in recording.marks]
    kept = {key: value for key, value in animation.items() if key != "extras" or not isinstance(value, dict)}
    return {**kept, "name": recording.name, **({"extras": extras} if extras else {})}


def _written(mark: Mark) -> Json:
    lasting = {"until": float(mark.until)} if mark.duration > 0 else {}
    return {"name": mark.name, "time": float(mark.time), **lasting}


def read_marks(animation: Json, report: ReportBuilder) -> tuple[Mark, ...]:
    """The marks of an animation, earliest first; entries of another form are left out and told."""
    extras = animation.get("extras")
    rows = extras.get(KEY) if isinstance(extras, dict) else None
    found = [_read(row) for row in rows] if isinstance(rows, list) else []
    if None in found:
        report.add("ignored", "marks that are not a name and a time", count=found.count(None))
    return tuple(sorted(mark for mark in found if mark is not None))


def _read(row: Any) -> Mark | None:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        return None
    time: Any = row.get("time")
    until: Any = row.get("until", time)
    if any(type(each) not in (int, float) or not math.isfinite(each) for each in (time, until)) or until < time:
        return None
    return Mark(float(time), row["name"], float(until))
