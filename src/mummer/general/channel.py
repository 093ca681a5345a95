"""Channels: some parts of whatever body, what matters about their movement, and curves in generalised space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from mummer.character import Character
from mummer.errors import InputError
from mummer.general.context import Context, select
from mummer.general.curve import Curve
from mummer.general.modes import PositionMode, RotationMode

if TYPE_CHECKING:
    from mummer.general.modes.position_map import PositionMap
    from mummer.general.physique import Physique

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

    def with_mode(self, body: Physique | Character, mode: PositionMode) -> Channel:
        """The channel with its places meant another way: on ``body`` it moves as before, on others as ``mode`` says.

        Keys and slopes are worked out anew for the first joint that the channel moves there, on the left if it has
        two sides, for which curves are written.

        Args:
            body: the body in hand.
            mode: what about the places is to matter from now on.

        Raises:
            InputError: if the body has no such part, or nothing to move toward that the old or the new mode needs.

        Example:
            >>> import mummer as mm
            >>> from mummer.general import animation
            >>> from mummer.general.modes import PositionMode
            >>> fists = next(each for each in animation("pound_ground").branches if each.name == "fists")
            >>> fists.channel("fists").with_mode(mm.zoo.body("adult"), PositionMode(scale="size")).position.ground
            False
        """
        from mummer.general.modes import remap_keys, remap_slopes
        from mummer.general.physique import physique_of

        physique = physique_of(body) if isinstance(body, Character) else body
        joints = select(physique, self.context)
        if not joints:
            raise InputError(f"{physique.character.name!r} has no part that channel {self.name!r} moves")
        if self.place is None:
            return replace(self, position=mode)
        joint = max(joints, key=lambda each: float(physique.positions[each, 0]))
        old, new = (_map_of(physique, joint, each) for each in (self.position, mode))
        keys, curve = self.place.values, self.place
        before, after = (
            None if slopes is None else remap_slopes(keys, slopes, old, new) for slopes in (curve.before, curve.after)
        )
        return replace(
            self, position=mode, place=replace(curve, values=remap_keys(keys, old, new), before=before, after=after)
        )


def _map_of(physique: Physique, joint: int, mode: PositionMode) -> PositionMap:
    from mummer.general.modes import position_map, rest_target

    target = None
    if mode.toward is not None:
        target = rest_target(physique, joint, mode.toward, surface=mode.boundary is not None)
    return position_map(physique, joint, mode, target=target)
