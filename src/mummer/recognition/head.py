"""Where the head is: the line of the middle that leads to it, on which `skull` says where the skull begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.learned import chances
from mummer.recognition.limbs import Branch, toe_way
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape
from mummer.recognition.sight import Sight
from mummer.recognition.skull import find_skull


def find_head(
    shape: Shape,
    middle: set[int],
    legs: Sequence[Branch],
    arms: Sequence[Branch],
    small: Sequence[Branch],
    readings: Sequence[Reading],
    across: FloatArray,
) -> tuple[int, float, float]:
    """The joint of the middle line that is the head, how likely it is, and its line; -1 if there is no middle line.

    Args:
        shape: the body.
        middle: joints on the middle line.
        legs: limbs that stand on the ground.
        arms: other limbs.
        small: other branches: eyes, ears, hair, and what else is small.
        readings: what the names of all joints say.
        across: (3,) unit vector from side to side.
    """
    origin = _origin(shape, middle, legs)
    if origin < 0:
        return -1, 0.0, 0.0
    sight = Sight(shape, middle, legs, arms, small, readings, origin, across)
    line, likely = _line(sight)
    if len(line) < 2:
        return -1, 0.0, 0.0
    named = any(readings[joint].vote("head", "neck") > 0.5 for joint in line)
    if not named and arms and all(arm.attach == line[-1] for arm in arms):
        # The line ends where the arms leave it: whatever heads there are hang beside it.
        return -1, 0.0, 0.0
    skull, surely = find_skull(sight, line)
    return skull, likely * surely, likely


def _origin(shape: Shape, middle: set[int], legs: Sequence[Branch]) -> int:
    """Where the body starts: what its legs hang from, else the root."""
    attached = [leg.attach for leg in legs if leg.attach >= 0]
    if attached:
        return shape.common_ancestor(attached)
    return next((joint for joint in shape.order if joint in middle), -1)


def _line(sight: Sight) -> tuple[list[int], float]:
    """The line of middle joints that leads to the head, from the origin to its very end, and how likely it is."""
    shape, middle = sight.shape, sight.middle
    tips = sorted(joint for joint in middle if not any(child in middle for child in shape.children[joint]))
    starts = [shape.common_ancestor([sight.origin, tip]) for tip in tips]
    lines = [shape.path(start, tip) for start, tip in zip(starts, tips, strict=True) if start >= 0]
    lines = [line for line in lines if line]
    if not lines:
        return [], 0.0
    rows = [_line_features(sight, line) | _rivalry(sight, line, lines) for line in lines]
    values = {name: [row[name] for row in rows] for name in rows[0]}
    likely = chances("line", [tuple(line) for line in lines], values, kinds=() if sight.legs else ("legless",))
    # Ends of one head count as one: only a line that parts early is a rival.
    starts = [line[1] if len(line) > 1 else line[0] for line in lines]
    sums = np.array([likely[[other == start for other in starts]].sum() for start in starts])
    best = int(np.argmax(np.where(sums > sums.max() - 1e-9, likely, -1.0)))
    return lines[best], float(sums[best])


def _line_features(sight: Sight, line: Sequence[int]) -> dict[str, float]:
    """What about a line of middle joints tells whether it leads to a head."""
    shape = sight.shape
    inner, last = line[1:] or line, sight.last_limb(line)
    beyond = line[last + 1 :] or line[-1:]
    standing = float(np.mean([leg.base for leg in sight.legs])) if sight.legs else float(shape.heights[line[0]])
    top = float(shape.heights[inner].max())
    step = shape.positions[line[-1]] - shape.positions[sight.origin]
    level = step - (step @ shape.up) * shape.up
    limbs = [limb for limb in (*sight.arms, *sight.legs) if limb.attach in inner]
    pairs = sight.pairs_below[beyond[0]]
    length = sum(shape.bones[joint] for joint in beyond)
    share = shape.subtree_shares[beyond[0]] if shape.surface.exists else 0.0
    tip = shape.surface.share[beyond[-(len(beyond) // 2 + 1) :]].sum() / share if share > 0 else 0.0
    return {
        "alone": float(len(line) < 2),
        "rise": (top - standing) / shape.tall,
        "end above the origin": float(step @ shape.up) / shape.tall,
        "hangs": float(top - shape.heights[line[-1]]) / shape.tall,
        "goes on": _goes_on(shape, line, last),
        "limbs": float(len(limbs)),
        "pairs at its end": float(min(pairs, 3)),
        "a pair at its end": float(pairs > 0),
        "joints at its end": float(np.log(len(beyond))),
        "length at its end": length / shape.size,
        "surface at its end": share,
        "surface at its tip": float(tip),
        "surface": float(shape.subtree_shares[inner[0]]),
        "forks at its end": float(min(3, sum(len(shape.children[joint]) > 1 for joint in beyond))),
        "where toes point": float(level @ toe_way(shape, sight.legs)) / shape.size,
    } | _line_words([sight.readings[joint] for joint in inner])


def _rivalry(sight: Sight, line: Sequence[int], lines: Sequence[Sequence[int]]) -> dict[str, float]:
    """What another line has more of, beyond where both part, if they part beyond the limbs: manes leave necks."""
    shape, pairs, surface = sight.shape, 0.0, 0.0
    first = sight.last_limb(line) + 1
    for rival in lines:
        fork = next((place for place, both in enumerate(zip(line, rival, strict=False)) if both[0] != both[1]), -1)
        if fork > first:
            ours, theirs = line[fork], rival[fork]
            pairs = max(pairs, float(sight.pairs_below[theirs] - sight.pairs_below[ours]))
            whole = max(shape.subtree_shares[ours] + shape.subtree_shares[theirs], 1e-12)
            surface = max(surface, (shape.subtree_shares[theirs] - shape.subtree_shares[ours]) / whole)
    return {"fewer pairs than a rival": min(pairs, 2.0), "less surface than a rival": surface}


def _line_words(words: Sequence[Reading]) -> dict[str, float]:
    meanings = [word.meanings for word in words]
    return {
        "named head": float(any(word.vote("head") > 0.5 for word in words)),
        "named neck": float(any(word.vote("neck") > 0.5 for word in words)),
        "named face": float(any(each & {"jaw", "face", "mouth"} for each in meanings)),
        "named tail": float(any("tail" in each for each in meanings)),
        "worn": float(any(each & {"cloth", "prop", "hair", "belly", "breast"} for each in meanings[:2])),
        "ends in hair or a thing": float(any(each & {"hair", "prop", "cloth", "tongue"} for each in meanings)),
    }


def _goes_on(shape: Shape, line: Sequence[int], last: int) -> float:
    """How straight a line goes on beyond the last limb that leaves it: 1 straight on, -1 back."""
    if last == 0 or last + 1 >= len(line):
        return 0.0
    before = shape.positions[line[last]] - shape.positions[line[0]]
    after = shape.positions[line[-1]] - shape.positions[line[last]]
    lengths = float(np.linalg.norm(before) * np.linalg.norm(after))
    return float(before @ after) / lengths if lengths > 1e-12 else 0.0
