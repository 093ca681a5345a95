"""Whether the names of a skeleton fit together as its joints do: names that do not are worth nothing."""

from __future__ import annotations

from collections.abc import Sequence

from mummer.recognition.reading import SILENT, Reading

LEAST = 0.5
"""Where fewer of the names than this fit the joints above them, no name is believed."""

_ABOVE: dict[str, set[str]] = {
    "hips": {"root"},
    "spine": {"root", "hips", "spine"},
    "chest": {"root", "hips", "spine", "chest"},
    "neck": {"spine", "chest", "neck", "shoulder"},
    "head": {"spine", "chest", "neck", "head"},
    "shoulder": {"hips", "spine", "chest", "neck", "shoulder"},
    "upper_arm": {"spine", "chest", "neck", "shoulder"},
    "forearm": {"shoulder", "upper_arm", "forearm"},
    "hand": {"forearm", "upper_arm", "hand"},
    "upper_leg": {"root", "hips", "spine", "chest", "shoulder", "upper_leg"},
    "lower_leg": {"upper_leg", "lower_leg", "hips"},
    "foot": {"lower_leg", "upper_leg", "foot", "root"},
    "toes": {"foot", "toes", "lower_leg", "root"},
}
"""Part to the parts that the next named joint above it may be."""


def believed(readings: Sequence[Reading], parents: Sequence[int]) -> tuple[Reading, ...]:
    """The readings, or silent ones if the names contradict the hierarchy more often than not."""
    return tuple(readings) if coherence(readings, parents) >= LEAST else (SILENT,) * len(readings)


def coherence(readings: Sequence[Reading], parents: Sequence[int]) -> float:
    """The part of the names that fit the next joint above that speaks: its part and its side; 1 if there are few."""
    fits = []
    for joint, reading in enumerate(readings):
        above = parents[joint]
        while above >= 0 and not readings[above].parts:
            above = parents[above]
        if above >= 0 and reading.parts and not reading.helper:
            fits.append(_fits(readings[above], reading))
    return sum(fits) / len(fits) if len(fits) >= 8 else 1.0


def _fits(above: Reading, below: Reading) -> bool:
    if above.side and below.side != above.side:
        return False
    return any(_ABOVE.get(part, set()) & above.parts.keys() for part in below.parts) or "root" in above.parts
