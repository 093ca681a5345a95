"""Self-penetration: how deep body parts are inside one another."""

from __future__ import annotations

from mummer.clip.clip import Clip
from mummer.errors import MummerError
from mummer.measure.measure import Measure


def self_penetration(clip: Clip, *, rate: float = 15.0) -> Measure:
    """How deep body parts that do not belong together are inside one another, percent of height, mean of the worst.

    nan where the body has no volume to speak of.

    Args:
        clip: any clip.
        rate: samples a second.
    """
    try:
        depths = _depths(clip, rate)
    except (ImportError, MummerError):
        return Measure("self_penetration", float("nan"), "% height", 0.5, 2.0)
    return Measure("self_penetration", depths[0], "% height", 0.5, 2.0, worst=depths[1])


def _depths(clip: Clip, rate: float) -> tuple[float, float]:
    raise ImportError("no volumes yet")
