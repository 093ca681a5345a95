"""Where the head is: the line of the middle that leads to it, and the joint on that line where the skull begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.recognition.learned import chances
from mummer.recognition.limbs import Branch, toe_way
from mummer.recognition.neck import Sight, is_upright, low_necks, proportion, rising
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape
from mummer.recognition.tidy import NEAR, is_end

MOST_CANDIDATES = 16
"""Joints at the end of a line that could be the head."""


def find_head(
    shape: Shape,
    middle: set[int],
    legs: Sequence[Branch],
    arms: Sequence[Branch],
    small: Sequence[Branch],
    readings: Sequence[Reading],
) -> tuple[int, float]:
    """The joint of the middle line that is the head, and how clearly; -1 if there is no middle line.

    Args:
        shape: the body.
        middle: joints on the middle line.
        legs: limbs that stand on the ground.
        arms: other limbs.
        small: other branches: eyes, ears, hair, and what else is small.
        readings: what the names of all joints say.
    """
    origin = _origin(shape, middle, legs)
    if origin < 0:
        return -1, 0.0
    sight = Sight(shape, middle, legs, arms, small, readings, origin)
    line, margin = _line(sight)
    if len(line) < 2:
        return -1, 0.0
    named = any(readings[joint].vote("head", "neck") > 0.5 for joint in line)
    if not named and arms and all(arm.attach == line[-1] for arm in arms):
        # The line ends where the arms leave it: whatever heads there are hang beside it.
        return -1, 0.0
    return _skull(sight, line), margin


def _origin(shape: Shape, middle: set[int], legs: Sequence[Branch]) -> int:
    """Where the body starts: what its legs hang from, else the root."""
    attached = [leg.attach for leg in legs if leg.attach >= 0]
    if attached:
        return shape.common_ancestor(attached)
    return next((joint for joint in shape.order if joint in middle), -1)


def _line(sight: Sight) -> tuple[list[int], float]:
    """The line of middle joints that leads to the head, from the origin to its very end."""
    shape, middle = sight.shape, sight.middle
    tips = sorted(joint for joint in middle if not any(child in middle for child in shape.children[joint]))
    starts = [shape.common_ancestor([sight.origin, tip]) for tip in tips]
    lines = [shape.path(start, tip) for start, tip in zip(starts, tips, strict=True) if start >= 0]
    lines = [line for line in lines if line]
    if not lines:
        return [], 0.0
    if sight.legs:
        rows = [_line_features(sight, line) for line in lines]
        values = {name: [row[name] for row in rows] for name in rows[0]}
        scores = np.log(chances("line", [tuple(line) for line in lines], values) + 1e-9)
    else:
        scores = np.array([_line_score(sight, line) for line in lines])
    best = int(np.argmax(scores))
    # Ends of one head count as one: only a line that parts early is a rival.
    rivals = [score for score, line in zip(scores, lines, strict=True) if line[:2] != lines[best][:2]]
    return lines[best], float(np.clip(scores[best] - max(rivals), 0.0, 1.0)) if rivals else 1.0


def _line_features(sight: Sight, line: Sequence[int]) -> dict[str, float]:
    """What about a line of middle joints tells whether it leads to a head."""
    shape = sight.shape
    inner, last = line[1:] or line, _last_limb(sight, line)
    beyond = line[last + 1 :] or line[-1:]
    standing = float(np.mean([leg.base for leg in sight.legs])) if sight.legs else float(shape.heights[line[0]])
    top = float(shape.heights[inner].max())
    step = shape.positions[line[-1]] - shape.positions[sight.origin]
    level = step - (step @ shape.up) * shape.up
    limbs = [limb for limb in (*sight.arms, *sight.legs) if limb.attach in inner]
    own = set(shape.below(beyond[0]))
    pairs = sum(bool(branch.other) and branch.attach in own for branch in sight.small)
    length = sum(shape.bones[joint] for joint in beyond)
    share = shape.subtree_shares[beyond[0]] if shape.surface.exists else 0.0
    tip = shape.surface.share[beyond[-(len(beyond) // 2 + 1) :]].sum() / share if share > 0 else 0.0
    return {
        "alone": float(len(line) < 2),
        "rise": (top - standing) / shape.tall,
        "end above the origin": float(step @ shape.up) / shape.tall,
        "hangs": float(top - shape.heights[line[-1]]) / shape.tall,
        "goes on": _goes_on(sight, line),
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


def _last_limb(sight: Sight, line: Sequence[int]) -> int:
    """The last place along a line that a limb leaves; 0 if none does."""
    return max((line.index(limb.attach) for limb in (*sight.arms, *sight.legs) if limb.attach in line), default=0)


def _line_score(sight: Sight, line: Sequence[int]) -> float:
    """How much a line of middle joints looks like the one that leads to a head."""
    shape, readings = sight.shape, sight.readings
    inner = line[1:]
    if not inner:
        return -1.0
    standing = float(np.mean([leg.base for leg in sight.legs])) if sight.legs else float(shape.heights[line[0]])
    score = 0.9 * float(np.clip((shape.heights[inner].max() - standing) / shape.tall, -1, 1))
    # A head ends its line high, or at least not below where the line branched off; what is slung over the back hangs.
    score -= 0.8 * max(0.0, float(shape.heights[inner].max() - shape.heights[line[-1]]) / shape.tall - 0.1)
    score += 0.3 * _goes_on(sight, line)
    score += sum(1.0 for limb in (*sight.arms, *sight.legs) if limb.attach in inner)
    score += 0.3 * min(4, sum(bool(branch.other) and branch.attach in inner for branch in sight.small))
    score += 0.6 * shape.subtree_shares[inner[0]] if shape.surface.exists else 0.0
    score += 0.02 * min(len(inner), 10)
    words = [readings[joint] for joint in inner]
    score += 2.0 * any(word.vote("head") > 0.5 for word in words) + 0.8 * any(word.vote("neck") > 0.5 for word in words)
    score += 0.5 * any("jaw" in word.meanings or "face" in word.meanings or "mouth" in word.meanings for word in words)
    score -= 2.0 * any(word.meanings & {"cloth", "prop", "hair"} for word in words[:2])
    score -= 2.0 * any("tail" in word.meanings for word in words)
    score -= 0.4 * any(word.meanings & {"hair", "prop", "cloth", "tongue"} for word in words)
    return score


def _goes_on(sight: Sight, line: Sequence[int]) -> float:
    """How straight a line goes on beyond the last limb that leaves it: 1 straight on, -1 back."""
    shape = sight.shape
    limbs = [line.index(limb.attach) for limb in (*sight.arms, *sight.legs) if limb.attach in line]
    last = max(limbs, default=0)
    if last == 0 or last + 1 >= len(line):
        return 0.0
    before = shape.positions[line[last]] - shape.positions[line[0]]
    after = shape.positions[line[-1]] - shape.positions[line[last]]
    lengths = float(np.linalg.norm(before) * np.linalg.norm(after))
    return float(before @ after) / lengths if lengths > 1e-12 else 0.0


def _skull(sight: Sight, line: Sequence[int]) -> int:
    """The joint of the line where neck becomes head."""
    shape, readings = sight.shape, sight.readings
    named = [
        joint
        for joint in line[1:]
        if readings[joint].vote("head") > 0.5 and not readings[joint].helper and not is_end(shape, joint)
    ]
    if named:
        return named[0]
    candidates = _candidates(sight, line)
    faces = [_faces(sight, candidates, place) for place in range(len(candidates))]
    scores = [_skull_score(sight, candidates, faces, place) for place in range(len(candidates))]
    return candidates[int(np.argmax(scores))]


def _candidates(sight: Sight, line: Sequence[int]) -> list[int]:
    """Joints of the line that could be the head: beyond every limb, and no mere end."""
    limbs = [line.index(limb.attach) for limb in (*sight.arms, *sight.legs) if limb.attach in line]
    first = max(limbs, default=0)
    beyond = [joint for joint in line[first + 1 :] if not is_end(sight.shape, joint)]
    beyond = [joint for joint in beyond if not _is_worn(sight.shape, joint)] or beyond
    if not sight.shape.surface.exists and is_upright(sight):
        beyond = rising(sight, beyond)
    if not beyond or _is_jaw(sight.shape, line[first], beyond):
        beyond = [joint for joint in line[max(first, 1) :] if not is_end(sight.shape, joint)][:1]
    return beyond[-MOST_CANDIDATES:] or [line[-1]]


def _is_jaw(shape: Shape, joint: int, beyond: Sequence[int]) -> bool:
    """Whether all that follows a joint is one short thing ahead of it or below: a jaw, and the joint is the head."""
    if len(beyond) > 1 or shape.children[beyond[0]]:
        return False
    step = shape.positions[beyond[0]] - shape.positions[joint]
    length = float(np.linalg.norm(step))
    return length < 0.15 * shape.size and float(step @ shape.up) < 0.3 * length


def _arms_on_neck(sight: Sight, joint: int) -> bool:
    """Whether arms hang from the joint before and start below it: then that one was the neck already."""
    shape, parent = sight.shape, sight.shape.parents[joint]
    starts = [float(shape.heights[arm.root]) for arm in sight.arms if arm.attach == parent]
    return bool(starts) and float(shape.heights[parent]) > max(starts) + 0.01 * shape.size


def _is_worn(shape: Shape, joint: int) -> bool:
    """Whether a joint holds a stiff mesh on a part that has its own surface: a helmet, a hat."""
    surface = shape.surface
    return not shape.children[joint] and surface.stiff[joint] and surface.share[shape.parents[joint]] > 0


def _skull_score(sight: Sight, candidates: Sequence[int], faces: Sequence[float], place: int) -> float:
    """How much one of the candidates looks like the start of the skull."""
    shape, joint = sight.shape, candidates[place]
    low = low_necks(sight, candidates)
    last = len(candidates) - 1
    score = 1.2 * faces[place] - 1.5 * max(faces[:place], default=0.0)
    if shape.surface.exists:
        score += 0.6 * _share(shape, candidates, place) + 0.2 * _is_foremost(shape, candidates, place)
    # The first of several in a row is the neck; a third that nothing hangs from is the crown.
    if place <= low < last and not _arms_on_neck(sight, joint):
        score -= 0.75 if _turn(shape, shape.parents[joint], joint, candidates[place + 1]) < 0.3 else 0.3
    score -= 0.25 if place - low >= 2 and _is_tip(shape, joint) and is_upright(sight) else 0.0
    score -= 0.08 * max(0, place - low - 1)
    if not shape.surface.exists and place == last and not is_upright(sight):
        score += 0.3
    if 0 < place < last:
        score += 0.5 * _turn(shape, candidates[place - 1], joint, candidates[place + 1])
    if place > 0 and _same_place(shape, joint, candidates[place - 1]):
        score -= 0.6
    if sight.readings[joint].parts and sight.readings[joint].vote("head") < 0:
        score -= 0.4
    return score + proportion(sight, candidates, place)


def _is_tip(shape: Shape, joint: int) -> bool:
    """Whether nothing hangs from a joint, or, on a body with a surface, nothing but mere ends."""
    return not shape.children[joint] or (
        shape.surface.exists and all(is_end(shape, child) for child in shape.children[joint])
    )


def _same_place(shape: Shape, one: int, other: int) -> bool:
    return shape.distance(one, other) < 0.5 * NEAR * shape.size


def _faces(sight: Sight, candidates: Sequence[int], place: int) -> float:
    """Whether a face starts at a joint: 1 if small pairs (eyes, ears, hair) or several things at once hang from it."""
    shape, joint = sight.shape, candidates[place]
    after = [other for other in candidates[place + 1 :] if not _same_place(shape, joint, other)]
    onward = set(shape.below(after[0])) if after else set()
    own = set(shape.below(joint)) - onward
    found = [branch for branch in sight.small if _carrier(shape, branch) in own]
    pairs = sum(1 for branch in found if branch.other and branch.length < 0.35 * shape.size)
    several = sum(child in sight.middle and not is_end(shape, child) for child in shape.children[joint]) > 2
    return min(1.0, 0.7 * pairs + 0.15 * (len(found) - pairs) + 0.4 * several)


def _carrier(shape: Shape, branch: Branch) -> int:
    """The joint of the middle that a branch belongs to: what it hangs from, or the next one if that is nearer."""
    if branch.attach < 0:
        return -1
    spot = shape.positions[[*branch.chain, *branch.other]].mean(axis=0)
    kin = [child for child in shape.children[branch.attach] if shape.children[child]]
    kin = [child for child in kin if child not in branch.chain and child not in branch.other]
    return min([branch.attach, *kin], key=lambda joint: float(np.linalg.norm(shape.positions[joint] - spot)))


def _is_foremost(shape: Shape, candidates: Sequence[int], place: int) -> bool:
    """Whether what a joint carries is the furthest along the line of what all candidates carry."""
    shares = [_share(shape, candidates, spot) for spot in range(len(candidates))]
    clothed = [spot for spot, share in enumerate(shares) if share > 0.25]
    if place not in clothed:
        return False
    line = shape.positions[candidates[-1]] - shape.positions[shape.parents[candidates[0]]]
    return place == max(clothed, key=lambda spot: float(shape.surface.center[candidates[spot]] @ line))


def _share(shape: Shape, candidates: Sequence[int], place: int) -> float:
    """The part of the surface of all candidates that this one carries, with what hangs beside the line."""
    own = []
    for spot, joint in enumerate(candidates):
        onward = candidates[spot + 1] if spot + 1 < len(candidates) else -1
        below = shape.subtree_shares[onward] if onward >= 0 else 0.0
        own.append(max(0.0, shape.subtree_shares[joint] - below))
    return own[place] / max(sum(own), 1e-12)


def _turn(shape: Shape, before: int, joint: int, after: int) -> float:
    """How much the line bends at a joint: 0 straight on, 1 at a right angle."""
    one, other = shape.positions[joint] - shape.positions[before], shape.positions[after] - shape.positions[joint]
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.clip(1 - one @ other / lengths, 0, 1)) if lengths > 1e-12 else 0.0
