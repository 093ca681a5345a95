"""What names mean beside one another: words that change their meaning with what else a skeleton is called."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from mummer.recognition.reading import Reading

_VERTEBRA = re.compile(r"[ct] \d{1,2}$")
_MIDDLE = {"root", "hips", "spine", "chest", "neck", "head"}


def in_context(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """The readings of one skeleton, each seen beside the others.

    A side that only one name has is none (``L5`` is a vertebra); a palm beside a hand is a bone of the palm.
    """
    sided = {(reading.side, reading.key) for reading in readings if reading.side}
    hands = {reading.side for reading in readings if "hand" in reading.meanings and "palm" not in reading.meanings}
    return tuple(_palm(_alone(reading, sided), hands) for reading in readings)


def _alone(reading: Reading, sided: set[tuple[str, str]]) -> Reading:
    """Without its side, if that stands before a word of the trunk or a number and the other side has nothing alike."""
    if _VERTEBRA.match(reading.key) and not reading.side and not reading.meanings:
        return dataclasses.replace(reading, parts={"spine": 1.0}, meanings=frozenset({"spine"}))
    if not reading.side or (_other(reading.side), reading.key) in sided:
        return reading
    if not reading.meanings and reading.key.isdigit():
        return dataclasses.replace(reading, side="", parts={"spine": 1.0}, meanings=frozenset({"spine"}))
    if reading.parts and reading.parts.keys() <= _MIDDLE and reading.parts.keys() & {"spine", "chest", "neck", "head"}:
        return dataclasses.replace(reading, side="")
    return reading


def _palm(reading: Reading, hands: set[str]) -> Reading:
    if "palm" not in reading.meanings or reading.side not in hands:
        return reading
    return dataclasses.replace(reading, parts={}, meanings=reading.meanings | {"metacarpal"})


def _other(side: str) -> str:
    return "right" if side == "left" else "left"
