"""Variants: the different ways in which one body can play one animation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from mummer.errors import InputError
from mummer.general.animation import Branch
from mummer.general.channel import Channel
from mummer.general.context import select
from mummer.general.context_limbs import walk_limb
from mummer.general.context_space import in_zones
from mummer.general.physique import Physique

MOST = 4096
"""Ways that are looked at; a body with sixteen hands has that many ways to hand a thing on three times."""


@dataclass(frozen=True)
class Variant:
    """One way to play: which joints play each channel.

    Attributes:
        name: the joints that were chosen, such as ``left_hand``; empty if there was nothing to choose.
        joints: for each channel, in the order of the branch, the joints that play it.
        leads: the joints that were chosen.
        mirrored: whether parts on the middle of the body play the mirror image, as what leads is on the right.
    """

    name: str
    joints: tuple[tuple[int, ...], ...]
    leads: tuple[int, ...]
    mirrored: bool


def side_of(physique: Physique, joint: int) -> int:
    """1 for a joint on the left of its body, -1 on the right, 0 on the middle."""
    is_left, is_right = (bool(in_zones(physique, [joint], (side,), None)) for side in ("left", "right"))
    return int(is_left) - int(is_right)


def variants_of(branch: Branch, physique: Physique) -> tuple[Variant, ...]:
    """The ways in which a body can play a branch, at least one; the first is the one to play if nothing else counts."""
    groups = _varying(branch)
    choices = [select(physique, lead.context) for lead in groups.values()]
    found = [key for key, some in zip(groups, choices, strict=True) if some]
    ways = islice(_ways([some for some in choices if some]), MOST)
    allowed = [dict(zip(found, way, strict=True)) for way in ways]
    fitting = [way for way in allowed if _sides_fit(branch, physique, groups, way)] or allowed
    return tuple(_variant(branch, physique, groups, way) for way in fitting or [{}])


def choose(
    variants: Sequence[Variant],
    physique: Physique,
    *,
    nearest_to: npt.ArrayLike | None = None,
    free_of: Iterable[int] = (),
) -> Variant:
    """One of the variants: of those that need none of the joints in use, the one whose parts are nearest to a place.

    Args:
        variants: at least one.
        physique: the body.
        nearest_to: (3,) in character space, or None for the first.
        free_of: joints in use.

    Raises:
        InputError: if all of them need a joint that is in use.
    """
    taken = set(free_of)
    free = [variant for variant in variants if not taken.intersection(variant.leads)]
    if not free:
        raise InputError("every way to play this needs a part that is in use")
    if nearest_to is None:
        return free[0]
    place = np.asarray(nearest_to, np.float64)
    return min(free, key=lambda variant: _distance(physique, variant, place))


def _distance(physique: Physique, variant: Variant, place: npt.NDArray[np.float64]) -> float:
    """From the foremost of what was chosen to a place, in lengths of its limb once it is out of reach."""
    if not variant.leads:
        return 0.0
    joint = variant.leads[0]
    away = float(np.linalg.norm(physique.positions[joint] - place))
    base = physique.positions[physique.limb_bases[joint]]
    beyond = max(0.0, float(np.linalg.norm(base - place)) - float(physique.limb_lengths[joint]))
    return away + 2.0 * beyond


def _ways(choices: Sequence[Sequence[int]], taken: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """One of each of the choices, no joint twice, in order."""
    if len(taken) == len(choices):
        yield taken
        return
    for joint in choices[len(taken)]:
        if joint not in taken:
            yield from _ways(choices, (*taken, joint))


def _varying(branch: Branch) -> dict[str, Channel]:
    """For each group of channels that vary together, the channel that leads it."""
    groups: dict[str, Channel] = {}
    for channel in branch.channels:
        if channel.vary == "one":
            groups.setdefault(_group(channel), channel)
    return groups


def _group(channel: Channel) -> str:
    return channel.group or f"channel {channel.name}"


def _sides_fit(branch: Branch, physique: Physique, groups: Mapping[str, Channel], way: Mapping[str, int]) -> bool:
    """Whether channels that are to be on the same or the other side as others are."""
    for key, lead in groups.items():
        if key not in way:
            continue
        for other, wanted in ((lead.same, 1), (lead.opposite, -1)):
            beside = way.get(_group(branch.channel(other))) if other else None
            if beside is not None and side_of(physique, beside) * side_of(physique, way[key]) == -wanted:
                return False
            if beside is not None and wanted < 0 and side_of(physique, beside) == side_of(physique, way[key]) == 0:
                return False
    return True


def _variant(branch: Branch, physique: Physique, groups: Mapping[str, Channel], way: Mapping[str, int]) -> Variant:
    names = physique.character.skeleton.names
    leads = tuple(way.values())
    joints = tuple(_players(branch, physique, groups, way, channel) for channel in branch.channels)
    first = next((groups[key] for key in groups if key in way), None)
    mirrored = bool(leads) and first is not None and first.mirror and side_of(physique, leads[0]) < 0
    return Variant(" ".join(names[joint] for joint in leads), joints, leads, mirrored)


def _players(
    branch: Branch, physique: Physique, groups: Mapping[str, Channel], way: Mapping[str, int], channel: Channel
) -> tuple[int, ...]:
    """The joints that play ``channel`` when ``way`` was chosen."""
    lead = groups.get(_group(channel))
    chosen = way.get(_group(channel))
    if lead is None or chosen is None:
        return _on_its_side(branch, physique, way, channel)
    if channel is lead:
        return (chosen,)
    if channel.context.capability == lead.context.capability and channel.context.limb is not None:
        return tuple(walk_limb(physique, [chosen], channel.context.limb))
    return _kin(physique, chosen, select(physique, channel.context))


def _on_its_side(branch: Branch, physique: Physique, way: Mapping[str, int], channel: Channel) -> tuple[int, ...]:
    """All that a channel selects, on the side of another channel if it is bound to that.

    What was chosen does what it was chosen for, and nothing of the same freedom beside it: a head that opens as a mouth
    turns as a head, a hand that was chosen to wave does not also hang as the others do.
    """
    taken = {way[key] for key in way if _freedoms(branch, key) & set(channel.freedoms)}
    joints = [joint for joint in select(physique, channel.context) if joint not in taken or channel.blend]
    for other, wanted in ((channel.same, 1), (channel.opposite, -1)):
        beside = way.get(_group(branch.channel(other))) if other else None
        if beside is not None and side_of(physique, beside):
            joints = [joint for joint in joints if side_of(physique, joint) == wanted * side_of(physique, beside)]
    return tuple(joints)


def _freedoms(branch: Branch, group: str) -> set[str]:
    """What the channels that vary together move."""
    return {name for channel in branch.channels if _group(channel) == group for name in channel.freedoms}


def _kin(physique: Physique, chosen: int, joints: Sequence[int]) -> tuple[int, ...]:
    """Those of ``joints`` above or below ``chosen``; if there are none, the nearest at rest."""
    above = _line(physique, chosen)
    kin = tuple(joint for joint in joints if joint in above or chosen in _line(physique, joint))
    if kin or not joints:
        return kin
    away = np.linalg.norm(physique.positions[list(joints)] - physique.positions[chosen], axis=1)
    return (joints[int(np.argmin(away))],)


def _line(physique: Physique, joint: int) -> set[int]:
    """A joint and all joints above it, up to the spine."""
    parents, spine = physique.character.skeleton.parents, set(physique.spine)
    line = {joint}
    while parents[joint] >= 0 and int(parents[joint]) not in spine:
        joint = int(parents[joint])
        line.add(joint)
    return line
