"""SmoothTransitions: poses on the way to another are passed through."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from mummer.errors import InputError
from mummer.script.plan import Element
from mummer.script.property import FILTER, Property

MOST = 1.0
SAME = 1e-9


@dataclass(frozen=True)
class SmoothTransitions(Property):
    """How much of the stop is taken out of poses that are not held, between ways in one direction, 0 to 1."""

    stage = FILTER
    amount: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.amount <= MOST:
            raise InputError(f"smoothing by {self.amount:g}; expected 0 to {MOST:g}")

    def filtered(self, tracks: Mapping[str, list[Element]]) -> None:
        """Arrive and leave faster where a way goes on."""
        for track in tracks.values():
            ways = [track[0].value, *(other.value - one.value for one, other in pairwise(track))] if track else []
            for (one, other), (first, second) in zip(pairwise(track), pairwise(ways), strict=True):
                if one.hold <= SAME and first * second > 0.0 and one.action == other.action:
                    kept = 1.0 - self.amount
                    one.curve = (*one.curve[:2], kept * one.curve[2], kept * one.curve[3])
                    other.curve = (kept * other.curve[0], kept * other.curve[1], *other.curve[2:])
