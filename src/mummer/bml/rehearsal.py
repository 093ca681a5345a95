"""Blocks without bodies: behaviours last as long as is usual for their kind, and only time passes."""

from __future__ import annotations

from collections.abc import Mapping

from mummer.bml.block import Element
from mummer.bml.kinds import HOLD, PEAK, STROKE, points_of
from mummer.bml.realizer import Prepared

LETTERS = 14.0
"""Letters that are spoken in a second, roughly."""
USUAL: dict[tuple[str, ...], tuple[float, ...]] = {
    STROKE: (0.0, 0.4, 0.4, 0.7, 0.9, 0.9, 1.4),
    HOLD: (0.0, 0.3, 1.3, 1.6),
    PEAK: (0.0, 0.3, 1.2, 1.5),
}
"""Seconds of the sync points of behaviours, by which they have."""
SPAN_SECONDS = 1.0


class Rehearsal:
    """A cast of nobody, which can do anything."""

    def find(self, character: str) -> str:
        """Whoever is asked for is there."""
        return character

    def prepare(self, who: str, element: Element) -> Prepared:  # noqa: ARG002
        """A behaviour of the usual length."""
        points = points_of(element.kind)
        if element.kind == "speech":
            return Prepared(spoken(element), frozenset({"mouth"}))
        times = dict(zip(points, USUAL.get(points, (0.0, SPAN_SECONDS)), strict=True))
        return Prepared(times, frozenset({"gaze"}) if element.kind in ("gaze", "gazeShift") else frozenset())

    def begin(self, who: str, prepared: Prepared, times: Mapping[str, float], delay: float) -> None:
        """Nothing is to be seen."""

    def end(self, who: str, prepared: Prepared) -> None:
        """Nothing is to be seen."""

    def unfinished(self, who: str, prepared: Prepared, delay: float) -> bool:  # noqa: ARG002
        """Everything takes as long as was thought."""
        return False

    def step(self, seconds: float) -> None:
        """Time passes."""


def spoken(element: Element) -> dict[str, float]:
    """When the marks of a speech are, by how many letters stand before them."""
    seconds = max(0.3, len(element.text) / LETTERS)
    marks = {name: seconds * place / max(1, len(element.text)) for name, place in element.marks}
    return {"start": 0.0, **marks, "end": seconds}
