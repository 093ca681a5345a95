"""Self-penetration: how deep body parts are inside one another."""

from __future__ import annotations

from mummer.clip.clip import Clip
from mummer.errors import MummerError
from mummer.measure.door import of_motions
from mummer.measure.measure import Measure


@of_motions
def self_penetration(clip: Clip, *, rate: float = 15.0) -> Measure:
    """How deep body parts that do not belong together are inside one another, percent of height, mean of the worst.

    nan where the body has no volume to speak of.

    Args:
        clip: any clip.
        rate: samples a second.
    """
    from mummer.ik.volume.penetration import self_penetration as penetration
    from mummer.measure.watched import height_of

    try:
        depth = penetration(clip.body, clip.sample(clip.times(rate))).worst * 100.0 / height_of(clip.body)
    except MummerError:
        return Measure("self_penetration", float("nan"), "% height", 0.5, 2.0)
    return Measure("self_penetration", float(depth.mean()), "% height", 0.5, 2.0, worst=float(depth.max()))
