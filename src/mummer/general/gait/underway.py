"""What all that goes along a way without legs has in common: when it begins and ends."""

from __future__ import annotations

from mummer.general.gait.curves import Curves


class Underway:
    """A driver along a way of even steps that does not ask how the body is bent."""

    way: Curves
    needs_posed = False

    @property
    def start(self) -> float:
        """Seconds at which it begins."""
        return float(self.way.times[0])

    @property
    def end(self) -> float:
        """Seconds at which it ends."""
        return float(self.way.times[-1])
