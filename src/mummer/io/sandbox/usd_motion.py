"""The SkelAnimations of a USD stage, sample by sample."""

from __future__ import annotations

from typing import Any

from pxr import UsdSkel

from .transfer import block
from .usd_values import label, numbers, tokens


def read_animation(prim: Any) -> dict[str, Any]:
    """What an animation drives, and for each property its times and one array for each time."""
    animation = UsdSkel.Animation(prim)
    exact = prim.GetAttribute("mummer:scales")
    rate = prim.GetCustomDataByKey("mummer:frameRate")
    return {
        "path": str(prim.GetPath()),
        "name": label(prim),
        "frame_rate": float(rate) if isinstance(rate, (int, float)) else None,
        "joints": tokens(animation.GetJointsAttr()),
        "morphs": tokens(animation.GetBlendShapesAttr()),
        "translation": _samples(animation.GetTranslationsAttr(), 3),
        "rotation": _samples(animation.GetRotationsAttr(), 4),
        "scale": _samples(exact if exact else animation.GetScalesAttr(), 3),
        "morph": _samples(animation.GetBlendShapeWeightsAttr()),
    }


def _samples(attribute: Any, *tail: int) -> dict[str, Any] | None:
    times = list(attribute.GetTimeSamples())
    if not times:
        value = attribute.Get()
        return None if value is None else {"times": block("f8", [0.0]), "rows": [numbers(value, *tail)], "moves": False}
    return {
        "times": block("f8", times),
        "rows": [numbers(attribute.Get(time), *tail) for time in times],
        "moves": True,
    }
