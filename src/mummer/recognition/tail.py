"""Tails: chains of the middle line that lead away from the head."""

from __future__ import annotations

from collections.abc import Sequence

from mummer.recognition.limbs import Branch
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape
from mummer.recognition.trunk import Trunk

AHEAD = 0.5
"""The cosine of how far from the way to the head a chain leads that is no tail: tails stand up at most."""
_NO_TAIL = {"hair", "cloth", "prop", "breast", "belly", "jaw", "mouth", "control", "fin", "twist"}


def find_tails(
    shape: Shape, middle: set[int], trunk: Trunk, legs: Sequence[Branch], readings: Sequence[Reading]
) -> list[tuple[int, ...]]:
    """Chains of the middle line that are tails, the likeliest first; each from its first joint to its tip."""
    if trunk.hips < 0:
        return []
    taken = (
        set(trunk.path) | set(shape.ancestors(trunk.hips)) | set(shape.ancestors(trunk.head) if trunk.head >= 0 else [])
    )
    # Where the head hangs beside the back, the back goes on as the tail.
    ends = trunk.chest >= 0 and trunk.head >= 0 and trunk.chest not in shape.ancestors(trunk.head)
    upper = set(shape.below(trunk.chest)) if trunk.chest >= 0 and not ends else set()
    upper |= set(shape.below(trunk.head)) if trunk.head >= 0 else set()
    stands = {joint for leg in legs for joint in (leg.root, *leg.other[:1])}
    found = []
    for joint in middle:
        parent = shape.parents[joint]
        if joint in taken or parent not in taken or joint in upper:
            continue
        chain = _chain(shape, joint, middle)
        named = any("tail" in readings[each].meanings for each in chain)
        barred = bool(readings[joint].meanings & _NO_TAIL) and not named
        length = shape.reaches[joint] + shape.bones[joint]
        away = length > 0.12 * shape.size and len(chain) > 1 and _leads_away(shape, trunk, chain)
        away = away and not _is_inside(shape, trunk, chain) and not _is_one_of_many(shape, joint, taken | stands)
        if not barred and (named or away):
            goes_on = ends and parent == trunk.chest
            found.append((not named, -length, tuple(chain) if goes_on else _from_tail(chain, readings)))
    return [chain for _, _, chain in sorted(found)]


def _is_one_of_many(shape: Shape, joint: int, others: set[int]) -> bool:
    """Whether two more chains about as long hang beside a joint that are no limbs: the strips of a skirt."""
    length = shape.reaches[joint] + shape.bones[joint]
    beside = [child for child in shape.children[shape.parents[joint]] if child != joint and child not in others]
    alike = [child for child in beside if 0.6 < (shape.reaches[child] + shape.bones[child]) / max(length, 1e-9) < 1.6]
    return len(alike) >= 2


def _chain(shape: Shape, joint: int, middle: set[int]) -> list[int]:
    chain = shape.longest_chain(joint)
    return [each for each in chain if each in middle] or chain[:1]


def _from_tail(chain: Sequence[int], readings: Sequence[Reading]) -> tuple[int, ...]:
    """The chain from its first joint that is called a tail, where names say so."""
    named = [place for place, joint in enumerate(chain) if "tail" in readings[joint].meanings]
    return tuple(chain[named[0] :]) if named else tuple(chain)


def _is_inside(shape: Shape, trunk: Trunk, chain: Sequence[int]) -> bool:
    """Whether a chain leads to the head from where it begins: a second line of bones within the trunk."""
    if trunk.head < 0:
        return False
    line = shape.positions[trunk.head] - shape.positions[trunk.hips]
    step = shape.positions[chain[-1]] - shape.positions[chain[0]]
    return float(line @ step) > AHEAD * float((line @ line) ** 0.5 * (step @ step) ** 0.5)


def _leads_away(shape: Shape, trunk: Trunk, chain: Sequence[int]) -> bool:
    """Whether a chain leads away from the head (or down, on an upright body), and not up along the back."""
    if trunk.head < 0:
        return True
    line = shape.positions[trunk.head] - shape.positions[trunk.hips]
    step = shape.positions[chain[-1]] - shape.positions[trunk.hips]
    return float(line @ step) < 0.2 * shape.size * float((line @ line) ** 0.5)
