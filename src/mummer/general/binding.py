"""Binding: an animation meets a body. Which branch, which parts, and who moves what of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mummer.character import Character
from mummer.errors import InputError
from mummer.general.animation import Animation, Branch
from mummer.general.channel import Channel
from mummer.general.context import select
from mummer.general.feet import standing_feet
from mummer.general.physique import Physique, physique_of
from mummer.general.predicates import fits
from mummer.general.variants import Variant, side_of, variants_of
from mummer.kept import kept

LYING = 0.1
"""A joint lies on the ground that is higher than the lowest by less than this part of the body's height."""


@dataclass(frozen=True, eq=False)
class Part:
    """A joint that plays a channel.

    Attributes:
        channel: what it plays.
        joint: who.
        mirrored: whether it plays the mirror image.
        delay: seconds by which it is late.
        share: how much of a turn it takes, 1 but for joints along a spine.
        freedoms: what of the joint is the channel's to move.
    """

    channel: Channel
    joint: int
    mirrored: bool
    delay: float
    share: float
    freedoms: frozenset[str]


@dataclass(frozen=True, eq=False)
class Bound:
    """An animation bound to a body.

    Attributes:
        animation: what is played.
        physique: by whom.
        branch: the branch that fits.
        variants: the ways to play it.
    """

    animation: Animation
    physique: Physique
    branch: Branch
    variants: tuple[Variant, ...]

    def variant(self, name: str) -> Variant:
        """The variant called ``name``, or whose name holds it: of a joint, or of the role that one has.

        Raises:
            InputError: if there is none; it lists those there are.
        """
        roles, skeleton = self.physique.anatomy.roles, self.physique.character.skeleton
        name = skeleton.names[roles[name]] if name in roles else name
        exact = [variant for variant in self.variants if variant.name == name]
        for variant in exact or [variant for variant in self.variants if name in variant.name.split()]:
            return variant
        names = ", ".join(repr(variant.name) for variant in self.variants[:8])
        raise InputError(f"animation {self.animation.name!r} has no variant {name!r} for this body; it has {names}")

    def parts(self, variant: Variant) -> tuple[Part, ...]:
        """Who plays what in a variant, in the order in which parts are taken."""
        owners: dict[tuple[int, str], str] = {}
        found: list[Part] = []
        for number, (channel, joints) in enumerate(zip(self.branch.channels, variant.joints, strict=True)):
            blend = channel.blend or f"channel {number}"
            for joint, delay, share in _timed(self.physique, channel, joints):
                if not share:
                    continue
                own = [name for name in channel.freedoms if owners.setdefault((joint, name), blend) == blend]
                if own:
                    mirrored = _is_mirrored(self.physique, channel, joint, variant)
                    found.append(Part(channel, joint, mirrored, delay, share, frozenset(own)))
        return tuple(found)


def admitting(animation: Animation, physique: Physique) -> Branch | None:
    """The first branch of an animation that fits a body and finds something to move; None if there is none."""
    return next((branch for branch in animation.branches if _admits(branch, physique)), None)


def bind(animation: Animation, body: Physique | Character) -> Bound:
    """An animation bound to a body; remembered with the body.

    Raises:
        InputError: if no branch fits.
    """
    return _bound(body if isinstance(body, Physique) else physique_of(body), animation)


@kept
def _bound(physique: Physique, animation: Animation) -> Bound:
    branch = admitting(animation, physique)
    if branch is None:
        needs = "; ".join(_said(branch.needs) for branch in animation.branches)
        raise InputError(f"animation {animation.name!r} is not for {physique.character.name!r}: it needs {needs}")
    return Bound(animation, physique, branch, variants_of(branch, physique))


def _admits(branch: Branch, physique: Physique) -> bool:
    """Whether a body has what a branch needs, and any of the parts that it moves."""
    return fits(physique, branch.needs) and any(select(physique, channel.context) for channel in branch.channels)


def _said(needs: Mapping[str, bool | int]) -> str:
    return (
        "parts that the body has not"
        if not needs
        else " and ".join(
            f"{'no ' if value is False else '' if value is True else f'{value} '}{name}"
            for name, value in needs.items()
        )
    )


def _is_mirrored(physique: Physique, channel: Channel, joint: int, variant: Variant) -> bool:
    side = side_of(physique, joint)
    return channel.mirror and (variant.mirrored if side == 0 else side < 0)


def _timed(physique: Physique, channel: Channel, joints: tuple[int, ...]) -> list[tuple[int, float, float]]:
    """The joints with how late each is, and its share of a turn."""
    shares = _shares(physique, joints) if channel.spread else np.ones(len(joints))
    if not (channel.stagger or channel.alternate):
        return [(joint, 0.0, float(share)) for joint, share in zip(joints, shares, strict=True)]
    ranks = _ranks(physique, joints)
    late = [
        channel.stagger * rank + channel.alternate * ((rank + (side_of(physique, joint) < 0)) % 2)
        for joint, rank in zip(joints, ranks, strict=True)
    ]
    return list(zip(joints, late, map(float, shares), strict=True))


def _ranks(physique: Physique, joints: tuple[int, ...]) -> list[int]:
    """From front to back, then top to bottom, 0, 1, 2 ...; joints that mirror each other are equal."""
    partners = physique.anatomy.mirror
    first = [min(joint, int(partners[joint])) if partners[joint] in joints else joint for joint in joints]
    places = physique.positions
    order = sorted(set(first), key=lambda joint: (-round(places[joint, 2], 6), -round(places[joint, 1], 6), joint))
    return [order.index(joint) for joint in first]


def _shares(physique: Physique, joints: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Of each joint how far along the spine it is from where the spine begins to turn, 1 for the farthest."""
    parents, places = physique.character.skeleton.parents, physique.positions
    along = np.zeros(len(places))
    for joint, parent in enumerate(parents):
        if parent >= 0 and joint != physique.root:
            along[joint] = along[parent] + np.linalg.norm(places[joint] - places[parent])
    some = along[list(joints)]
    lying = some[_lies(physique, joints)]
    some = np.maximum(some - (lying.max() if len(lying) < len(some) else 0.0), 0.0) if len(lying) else some
    return some / some.max() if len(some) and some.max() > 0 else np.ones(len(some))


def _lies(physique: Physique, joints: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which joints of a spine lie on the ground: of a body that stands on feet, or floats, none."""
    heights = physique.positions[list(joints), 1]
    if standing_feet(physique) or fits(physique, {"floats": True}):
        return np.zeros(len(joints), bool)
    return np.asarray(heights < heights.min() + LYING * physique.size[1])
