"""Named moments of an animation, in its ``extras``: glTF has no other place for them, and engines hand extras on.

``extras.marks`` is a list of rows as `mummer.io.marks` describes them. three.js gives it as ``clip.userData.marks``,
Blender as a custom property of the action, Godot as metadata of the animation.
"""

from __future__ import annotations

from mummer.character import Mark, Recording
from mummer.io.gltf.fields import Json
from mummer.io.marks import marks_of, rows_of
from mummer.report import ReportBuilder

KEY = "marks"


def labelled(animation: Json, recording: Recording) -> Json:
    """The animation with the name and the marks of a recording; what else its extras hold stays."""
    held = animation.get("extras")
    extras = {key: value for key, value in held.items() if key != KEY} if isinstance(held, dict) else {}
    if recording.marks:
        extras[KEY] = rows_of(recording.marks)
    kept = {key: value for key, value in animation.items() if key != "extras" or not isinstance(value, dict)}
    return {**kept, "name": recording.name, **({"extras": extras} if extras else {})}


def read_marks(animation: Json, report: ReportBuilder) -> tuple[Mark, ...]:
    """The marks of an animation, earliest first; entries of another form are left out and told."""
    extras = animation.get("extras")
    return marks_of(extras.get(KEY) if isinstance(extras, dict) else None, report)
