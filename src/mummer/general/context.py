"""Contexts: which joints of a body, whatever body it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from mummer.character import Character
from mummer.errors import InputError, closest_names
from mummer.general.context_limbs import LIMB_STEPS, LimbStep, walk_limb
from mummer.general.context_space import EXTENTS, ZONES, Extent, in_zones, outermost
from mummer.general.physique import Physique, physique_of

TARGET = "target"
"""What a context selects that selects nothing of the body: something outside that is given when it plays."""


@dataclass(frozen=True)
class Context:
    """Which joints are meant: all that fit every condition, on whatever body.

    Attributes:
        capability: what they can do (``grasper``, ``mouth``, ``spine`` ..., see `mummer.character.CAPABILITIES`);
            ``any`` for all joints; ``role:left_hand`` for the joint of one role; ``limb:tail`` for the first joints of
            the limbs of one kind; ``target`` or ``target:name`` for something outside the body.
        where: zones that they lie in: ``front``/``center``/``back``, ``left``/``middle``/``right``,
            ``top``/``midway``/``bottom``. A side includes the zone between the sides.
        extent: only the joint that lies farthest that way: ``front_most``, ``back_most``, ``left_most``,
            ``right_most``, ``top_most`` or ``bottom_most``; of joints equally far, the one that comes first.
        limb: another joint of the limb of each: ``shoulder`` where it leaves the body, ``middle`` (elbow, knee),
            ``tip``, ``base`` (the joint of the body it hangs on) or ``parent`` (the joint above).
        relative_to: ``body`` for zones of the whole body, ``set`` for zones of all joints with the capability.
    """

    capability: str
    where: tuple[str, ...] = ()
    extent: Extent | None = None
    limb: LimbStep | None = None
    relative_to: Literal["body", "set"] = "body"

    def __post_init__(self) -> None:
        where = (self.where,) if isinstance(self.where, str) else tuple(self.where)
        object.__setattr__(self, "where", where)
        if not self.capability:
            raise InputError("a context names no capability; expected one such as 'grasper'")
        for zone in where:
            _require(zone, ZONES, "zone")
        if self.extent is not None:
            _require(self.extent, EXTENTS, "extent")
        if self.limb is not None:
            _require(self.limb, LIMB_STEPS, "limb")
        _require(self.relative_to, ("body", "set"), "relative_to")

    @property
    def target(self) -> str | None:
        """The name of what is meant outside the body, empty for the one that has none; None if it is of the body."""
        kind, _, name = self.capability.partition(":")
        return name if kind == TARGET else None


def select(
    body: Physique | Character,
    what: Context | str,
    *,
    where: str | tuple[str, ...] = (),
    extent: Extent | None = None,
    limb: LimbStep | None = None,
    relative_to: Literal["body", "set"] = "body",
    free_of: Iterable[int] = (),
) -> tuple[int, ...]:
    """The joints of a body that a context means, in joint order; none if the body has no such part.

    Args:
        body: the body, or its physique.
        what: a context, or a capability to which the other arguments add conditions.
        where: see `Context`.
        extent: see `Context`.
        limb: see `Context`.
        relative_to: see `Context`.
        free_of: joints in use, which do not count: "which hands are free?"

    Raises:
        InputError: if a condition is not known, or conditions are given twice.

    Example:
        >>> import mummer as mm
        >>> from mummer.general import select
        >>> adult = mm.zoo.body("adult")
        >>> [adult.skeleton.names[joint] for joint in select(adult, "grasper", where="left")]
        ['left_hand']
    """
    physique = body if isinstance(body, Physique) else physique_of(body)
    if isinstance(what, str):
        context = Context(what, (where,) if isinstance(where, str) else where, extent, limb, relative_to)
    elif where or extent is not None or limb is not None or relative_to != "body":
        raise InputError("a context already says where and which; give conditions in one place")
    else:
        context = what
    taken = set(free_of)
    whole = capable(physique, context.capability)
    kept = [joint for joint in whole if joint not in taken]
    kept = in_zones(physique, kept, context.where, whole if context.relative_to == "set" else None)
    if context.extent is not None:
        kept = outermost(physique, kept, context.extent)
    if context.limb is not None:
        kept = walk_limb(physique, kept, context.limb)
    return tuple(kept)


def capable(physique: Physique, capability: str) -> list[int]:
    """The joints that a capability (see `Context`) means before any other condition, in joint order."""
    anatomy = physique.anatomy
    kind, _, name = capability.partition(":")
    if kind == TARGET:
        return []
    if kind == "any":
        return list(range(len(physique)))
    if kind == "role":
        return [anatomy.roles[name]] if name in anatomy.roles else []
    if kind == "limb":
        return sorted({limb.base for limb in anatomy.limbs if limb.kind == name})
    if capability in ("root", "spine") and capability not in anatomy.capabilities:
        return list(physique.spine) if capability == "spine" else [physique.root]
    return sorted(set(anatomy.capabilities.get(capability, ())))


def _require(value: str, choices: Iterable[str], what: str) -> None:
    if value not in choices:
        near = closest_names(value, choices)
        hint = f"; closest: {near[0]!r}" if near else ""
        raise InputError(f"a context has the {what} {value!r}; expected one of {', '.join(choices)}{hint}")
