"""What a C3D file holds, told by ezc3d: labelled markers, where each is in every frame, and in which unit."""

from __future__ import annotations

from typing import Any

import ezc3d
import numpy as np

from .transfer import RefusedError, view


def read(job: dict[str, Any]) -> dict[str, Any]:
    """Labels, (T, M, 3) places with NaN where a marker was not seen, rate, unit and the axis that points up."""
    opened = ezc3d.c3d(job["input"], ignore_bad_formatting=True)
    places = opened["data"]["points"]
    _, markers, frames = places.shape
    if markers > job["limits"]["joints"] or places.size > job["limits"]["values"]:
        raise RefusedError("limit", f"has {frames:,} frames of {markers:,} markers; that is more than the limit allows")
    seen = opened["data"]["meta_points"]["residuals"][0] >= 0
    values = np.where(seen[..., None], np.moveaxis(places[:3], 0, -1), np.nan)
    point = opened["parameters"]["POINT"]
    return {
        "labels": _words(point, "LABELS")[:markers],
        "places": view("f4", np.ascontiguousarray(np.swapaxes(values, 0, 1), "<f4"), markers, 3),
        "rate": float(opened["header"]["points"]["frame_rate"]),
        "unit": "".join(_words(point, "UNITS")[:1]),
        "up": "".join(_words(point, "Y_SCREEN")[:1]),
    }


def _words(group: Any, name: str) -> list[str]:
    """A parameter that is text; those that do not fit into one parameter go on in LABELS2 and so on."""
    names = (name, *(f"{name}{number}" for number in range(2, 300)))
    found = [group[each]["value"] for each in names if each in group and "value" in group[each]]
    return [str(word) for words in found for word in words]
