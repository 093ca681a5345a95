"""What can be asked of a picture."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypedDict

from mummer.character.deform import METHODS, Method
from mummer.errors import InputError, UnknownNameError
from mummer.render.look import Look
from mummer.render.view import View, ViewLike, find_view

SMALLEST, LARGEST = 16, 8192
SkeletonOverlay = bool | Literal["depth"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a picture is taken.

    Attributes:
        view: a name of `VIEWS`, or degrees (yaw round the body from its front towards its left, pitch up).
        size: columns and rows.
        skeleton: draw the joints over the mesh; ``"depth"`` dims what the body hides.
        names: write the names of the joints; those that find no room are left out.
        ground: draw grid and shadows on the ground.
        trails: joints whose way through the motion is drawn.
        floor_path: draw the way of the body over the ground.
        scale_bar: draw a bar that says how large the body is.
        focus: parts that fill the picture with all that hangs from them, by role, capability or joint: ``head``.
        follow: let the camera travel with the body; None does so when the way is long.
        turns: how often the camera goes round the bodies from the first frame to the last.
        true_size: several bodies side by side keep their relative size; else each is as tall as the others.
        method: of skinning, ``linear`` or ``dual_quaternion``.
        samples: along a side of each pixel, 1 to 4; more makes smoother edges.
        look: the colours.
    """

    view: ViewLike | View = "three_quarter"
    size: tuple[int, int] = (640, 480)
    skeleton: SkeletonOverlay = False
    names: bool = False
    ground: bool = True
    trails: tuple[str, ...] = ()
    floor_path: bool = False
    scale_bar: bool = False
    focus: tuple[str, ...] = ()
    follow: bool | None = None
    turns: float = 0.0
    true_size: bool = True
    method: Method = "linear"
    samples: int = 2
    look: Look = field(default_factory=Look)

    def __post_init__(self) -> None:
        object.__setattr__(self, "view", find_view(self.view))
        object.__setattr__(self, "trails", (self.trails,) if isinstance(self.trails, str) else tuple(self.trails))
        object.__setattr__(self, "focus", (self.focus,) if isinstance(self.focus, str) else tuple(self.focus))
        object.__setattr__(self, "size", _checked_size(self.size))
        if self.samples not in (1, 2, 3, 4):
            raise InputError(f"samples is {self.samples!r}; expected 1, 2, 3 or 4")
        if self.method not in METHODS:
            raise UnknownNameError("mummer.render", "method", str(self.method), METHODS)
        if self.skeleton not in (True, False, "depth"):
            raise InputError(f"skeleton is {self.skeleton!r}; expected True, False or 'depth'")


class OptionsDict(TypedDict, total=False):
    """The fields of `Options` as keyword arguments."""

    view: ViewLike | View
    size: tuple[int, int]
    skeleton: SkeletonOverlay
    names: bool
    ground: bool
    trails: tuple[str, ...]
    floor_path: bool
    scale_bar: bool
    focus: tuple[str, ...]
    follow: bool | None
    turns: float
    true_size: bool
    method: Method
    samples: int
    look: Look


def options_from(given: OptionsDict) -> Options:
    """The options that keyword arguments mean.

    Raises:
        UnknownNameError: for one that does not exist, with the closest that do.
    """
    known = [each.name for each in fields(Options)]
    for name in given:
        if name not in known:
            raise UnknownNameError("mummer.render", "option", name, known)
    return Options(**given)


def _checked_size(size: Any) -> tuple[int, int]:
    try:
        columns, rows = (int(length) for length in size)
    except (TypeError, ValueError):
        raise InputError(f"size is {size!r}; expected two numbers, columns and rows") from None
    if not (SMALLEST <= columns <= LARGEST and SMALLEST <= rows <= LARGEST):
        raise InputError(f"size is {columns}x{rows}; each side must be {SMALLEST} to {LARGEST} pixels")
    return columns, rows
