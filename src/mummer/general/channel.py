"""Channels: some parts of whatever body, what matters about their movement, and curves in generalised space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mummer.general.context import Context
from mummer.general.curve import Curve
from mummer.general.modes import PositionMode, RotationMode

Vary = Literal["one", "all"]
Space = Literal["body", "stage"]


@dataclass(frozen=True, eq=False)
class Channel:
    """One channel of a general animation.

    Attributes:
        name: unique in its branch.
        context: which joints.
        vary: whether ``one`` of them plays it at a time or ``all`` do.
        group: channels of a group vary together.
        same, opposite: channels on whose side, or on whose other side, it plays.
        mirror: whether parts on the right play the mirror image; curves are written for the left.
        blend: channels of a blend group share a part by their weights; else the first to take it keeps it.
        priority: higher ones take parts first.
        space: whether places and turns are seen from what carries the part (``body``), or from the ground that the
            body was put on (``stage``).
        stagger: seconds by which each further part is late, in the order front to back.
        alternate: seconds by which parts on the right are late.
        lag: seconds by which the tip of a bent limb is later than its base.
        spread: whether a turn of several joints of the spine is shared out along it.
        position, rotation: what matters.
        place: (T, 3) generalised coordinates, left, up, ahead.
        turn: (T, 3) rotation vectors about left, up, ahead, radians.
        bend: (T, 3) the same for a whole limb, shared out from its base to the part.
        place_weight, turn_weight: (T, 1) 0 to 1; 1 where there is none.
        deforms: (T, 1) by name.
        events: seconds and names.
    """

    name: str
    context: Context
    vary: Vary = "all"
    group: str | None = None
    same: str | None = None
    opposite: str | None = None
    mirror: bool = True
    blend: str | None = None
    priority: float = 0.0
    space: Space = "body"
    stagger: float = 0.0
    alternate: float = 0.0
    lag: float = 0.0
    spread: bool = False
    position: PositionMode = field(default_factory=PositionMode)
    rotation: RotationMode = field(default_factory=RotationMode)
    place: Curve | None = None
    turn: Curve | None = None
    bend: Curve | None = None
    place_weight: Curve | None = None
    turn_weight: Curve | None = None
    deforms: Mapping[str, Curve] = field(default_factory=dict)
    events: tuple[tuple[float, str], ...] = ()

    @property
    def freedoms(self) -> tuple[str, ...]:
        """What of a part it moves: ``place``, ``turn``, ``bend`` and the names of deforms."""
        named = {"place": self.place, "turn": self.turn, "bend": self.bend}
        return (*(name for name, curve in named.items() if curve is not None), *self.deforms)

    @property
    def late(self) -> bool:
        """Whether some parts play it later than others."""
        return bool(self.stagger or self.alternate or self.lag)
