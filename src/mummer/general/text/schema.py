"""What the file of a general animation may hold.

Generalised coordinates are (left, up, ahead). Times are seconds, turns are degrees about left, up and ahead.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

ANIMATION_VERSION = 1

Ease = Literal["smooth", "spline", "linear", "hold"]
Numbers = list[float]
Part = Annotated[float, Meta(ge=0.0, le=1.0)]
Positive = Annotated[float, Meta(gt=0.0)]


class SelectText(Struct, frozen=True, forbid_unknown_fields=True):
    """Which joints: see `mummer.general.context.Context`."""

    capability: str
    where: str | list[str] = field(default_factory=list)
    extent: str | None = None
    limb: str | None = None
    relative_to: Literal["body", "set"] = "body"


class PositionText(Struct, frozen=True, forbid_unknown_fields=True):
    """What matters about where a part goes: see `mummer.general.modes.PositionMode`."""

    relative: Literal["rest", "absolute"] = "rest"
    scale: Literal["none", "size", "limb"] = "limb"
    ground: bool = False
    sagittal: bool = False
    toward: SelectText | None = None
    directional: bool = False
    boundary: list[float] | None = None
    reach: bool = False


class RotationText(Struct, frozen=True, forbid_unknown_fields=True):
    """What matters about how a part turns: see `mummer.general.modes.RotationMode`. Angles are degrees."""

    relative: Literal["rest", "absolute", "look"] = "rest"
    toward: SelectText | None = None
    comfortable: Annotated[float, Meta(gt=0.0, le=180.0)] = 60.0
    furthest: Annotated[float, Meta(gt=0.0, le=180.0)] = 85.0


class SideText(Struct, frozen=True, forbid_unknown_fields=True, rename={"same": "as"}):
    """On which side, seen from another channel: the same one (``as``) or the other (``opposite``)."""

    same: str | None = None
    opposite: str | None = None


class EaseText(Struct, frozen=True, forbid_unknown_fields=True):
    """How each curve of a channel goes from key to key."""

    place: Ease = "smooth"
    turn: Ease = "smooth"
    bend: Ease = "smooth"
    weight: Ease = "smooth"
    deform: Ease = "smooth"


class ChannelText(Struct, frozen=True, forbid_unknown_fields=True):
    """Some parts of a body, what matters about their movement, and the movement."""

    select: SelectText
    name: str = ""
    vary: Literal["one", "all"] = "all"
    group: str | None = None
    side: SideText = field(default_factory=SideText)
    mirror: bool = True
    blend: str | None = None
    priority: float = 0.0
    space: Literal["body", "stage"] | None = None
    stagger: float = 0.0
    alternate: float = 0.0
    spread: bool | None = None
    position: PositionText = field(default_factory=PositionText)
    rotation: RotationText = field(default_factory=RotationText)
    ease: Ease | EaseText = "smooth"
    place: list[Numbers] | UnsetType = UNSET
    turn: list[Numbers] | UnsetType = UNSET
    weight: list[Numbers] | UnsetType = UNSET
    place_weight: list[Numbers] | UnsetType = UNSET
    turn_weight: list[Numbers] | UnsetType = UNSET
    bend: list[Numbers] | UnsetType = UNSET
    lag: float = 0.0
    open: list[Numbers] | UnsetType = UNSET
    deform: dict[str, list[Numbers]] = field(default_factory=dict)
    events: list[tuple[float, str]] = field(default_factory=list)


class BranchText(Struct, frozen=True, forbid_unknown_fields=True):
    """The channels for the bodies that it admits."""

    channel: Annotated[list[ChannelText], Meta(min_length=1)]
    name: str = ""
    needs: dict[str, bool | int] = field(default_factory=dict)
    feet: Literal["planted", "free"] | None = None


class AnimationText(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole animation."""

    version: int
    name: Annotated[str, Meta(min_length=1)]
    duration: Positive
    branch: Annotated[list[BranchText], Meta(min_length=1)]
    description: str = ""
    tags: list[str] = field(default_factory=list)
    loop: bool = False
    feet: Literal["planted", "free"] = "planted"
    target: Literal["reach", "far", "ground", "above"] = "reach"
