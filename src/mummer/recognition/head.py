"""Where the head is: the line of the middle that leads to it, and the joint on that line where the skull begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.learned import chances
from mummer.recognition.limbs import LOW, Branch, toe_way
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape
from mummer.recognition.tidy import NEAR, SAME, is_end

MOST_CANDIDATES = 16
"""Joints at the end of a line that could be the head."""


@dataclass(frozen=True)
class Sight:
    """What the search for a head looks at."""

    shape: Shape
    middle: set[int]
    legs: Sequence[Branch]
    arms: Sequence[Branch]
    small: Sequence[Branch]
    readings: Sequence[Reading]
    origin: int
    across: FloatArray

    @cached_property
    def upright(self) -> bool:
        """Whether the body stands on two legs with arms well above them."""
        if len(self.legs) != 1 or not self.arms:
            return False
        shape = self.shape
        hips = shape.positions[[self.legs[0].root, *self.legs[0].other[:1]]].mean(axis=0)
        shoulders = np.mean([shape.positions[[arm.root, *arm.other[:1]]].mean(axis=0) for arm in self.arms], axis=0)
        line = shoulders - hips
        return float(line @ shape.up) > 0.6 * float(np.linalg.norm(line))

    @cached_property
    def shoulders(self) -> float:
        """How high the arms of an upright body start, in metres: their second joint, unless it hangs far below."""
        heights = self.shape.heights
        found = []
        for arm in self.arms:
            first, second = (float(heights[arm.chain[spot]]) for spot in (0, min(1, len(arm.chain) - 1)))
            found.append(second if first - second < 0.1 * self.shape.tall else first)
        return max(found)

    @cached_property
    def torso(self) -> float:
        """Metres from where the legs start up to where the arms do; never zero."""
        return max(self.shoulders - self.legs[0].base, 0.1 * self.shape.tall)

    @cached_property
    def pairs(self) -> list[Branch]:
        """Small branches on both sides; several with both sides at one place, as the feathers of a tail, are none."""
        pairs = [branch for branch in self.small if branch.other and branch.attach >= 0]
        shut = [pair.attach for pair in pairs if self.shape.distance(pair.root, pair.other[0]) < SAME * self.shape.size]
        several = {joint for joint in shut if shut.count(joint) > 1}
        return [pair for pair in pairs if pair.attach not in several]

    @cached_property
    def pairs_below(self) -> list[int]:
        """How many small pairs hang from each joint and everything below it."""
        found = [0] * self.shape.count
        for branch in self.pairs:
            found[branch.attach] += 1
        for joint in reversed(self.shape.order):
            if self.shape.parents[joint] >= 0:
                found[self.shape.parents[joint]] += found[joint]
        return found

    @cached_property
    def feet_have_ends(self) -> float:
        """The part of the legs that go on for two joints and more once they are down: the last is a mere end."""
        heights, ground = self.shape.heights, self.shape.ground
        found = []
        for leg in self.legs:
            low = [joint for joint in leg.chain if heights[joint] - ground < LOW * (leg.base - ground)]
            found.append(len(low) > 2)
        return float(np.mean(found)) if found else 0.0

    def last_limb(self, line: Sequence[int]) -> int:
        """The last place along a line that a limb leaves; 0 if none does."""
        return max((line.index(limb.attach) for limb in (*self.arms, *self.legs) if limb.attach in line), default=0)


def find_head(
    shape: Shape,
    middle: set[int],
    legs: Sequence[Branch],
    arms: Sequence[Branch],
    small: Sequence[Branch],
    readings: Sequence[Reading],
    across: FloatArray,
) -> tuple[int, float]:
    """The joint of the middle line that is the head, and how likely; -1 if there is no middle line.

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
        return -1, 0.0
    sight = Sight(shape, middle, legs, arms, small, readings, origin, across)
    line, likely = _line(sight)
    if len(line) < 2:
        return -1, 0.0
    named = any(readings[joint].vote("head", "neck") > 0.5 for joint in line)
    if not named and arms and all(arm.attach == line[-1] for arm in arms):
        # The line ends where the arms leave it: whatever heads there are hang beside it.
        return -1, 0.0
    candidates = _candidates(sight, line)
    kinds = ("upright" if sight.upright else "lying", *["bare"] * (not shape.surface.exists))
    features, words = _skull_features(sight, line, candidates), _skull_words(sight, candidates)
    skulls = chances("skull", candidates, features, kinds=kinds, plain=words)
    best = int(np.argmax(skulls))
    return candidates[best], likely * float(skulls[best])


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


def _candidates(sight: Sight, line: Sequence[int]) -> list[int]:
    """Joints of the line that could be the head: no mere end, and beyond every limb, or what the last one leaves."""
    first = sight.last_limb(line)
    beyond = [joint for joint in line[first + 1 :] if not is_end(sight.shape, joint)]
    beyond = [joint for joint in beyond if not _is_worn(sight.shape, joint)] or beyond or list(line[first + 1 :][:1])
    # A chin may be all that follows where the limbs leave.
    return ([line[first]] if first > 0 or not beyond else []) + beyond[: MOST_CANDIDATES - 1]


def _is_worn(shape: Shape, joint: int) -> bool:
    """Whether a joint holds a stiff mesh on a part that has its own surface: a helmet, a hat."""
    surface = shape.surface
    return not shape.children[joint] and surface.stiff[joint] and surface.share[shape.parents[joint]] > 0


def _skull_features(sight: Sight, line: Sequence[int], candidates: Sequence[int]) -> dict[str, FloatArray]:
    """Feature to (C,) values for each joint that could be the head."""
    shape = sight.shape
    places = np.arange(len(candidates))
    limb = np.array([joint == line[sight.last_limb(line)] for joint in candidates], float)
    neck = places - limb.sum()
    steps = [shape.positions[joint] - shape.positions[shape.parents[joint]] for joint in candidates]
    bones = np.array([max(float(np.linalg.norm(step)), 1e-9) for step in steps])
    along = np.cumsum(bones * (1 - limb))
    faces = np.array([_faces(sight, candidates, place) for place in range(len(candidates))])
    shares = _shares(shape, candidates)
    way = np.linalg.norm(shape.positions[list(candidates)] - shape.positions[sight.origin], axis=1)
    reach = np.log(np.maximum(_reach(shape, candidates), 0.01 * shape.size) / np.maximum(way, 0.01 * shape.size))
    tips = np.array([float(all(_is_frame(shape, child) for child in shape.children[joint])) for joint in candidates])
    wide = np.log(_widths(sight, candidates))
    found = {
        "limbs leave": limb,
        "first": neck == 0,
        "second": neck == 1,
        "later": np.maximum(neck - 1, 0),
        "last": places == len(candidates) - 1,
        "only": np.full(len(candidates), float(len(candidates) - limb.sum() == 1)) * (1 - limb),
        "tip": tips,
        "tip beyond a neck and a head": tips * (neck >= 2),
        "tip where feet have ends": tips * sight.feet_have_ends,
        "something else in the middle": [_beside(sight, line, joint) for joint in candidates],
        "tip after a longer step": tips * np.clip(np.log(bones / np.concatenate([bones[:1], bones[:-1]])), 0.0, 1.0),
        "face": faces * (1 - limb),
        "face where limbs leave": faces * limb,
        "face before": [max(faces[:place], default=0.0) for place in places],
        "face after": [max(faces[place + 1 :], default=0.0) for place in places],
        "surface": shares,
        "surface of limbs": limb * sum(arm.share for arm in sight.arms if arm.attach == candidates[0]),
        "narrower than before": np.clip(-np.diff(wide, prepend=wide[0]), 0.0, 1.5),
        "wider than before": np.clip(np.diff(wide, prepend=wide[0]), 0.0, 1.5),
        "surface before": np.cumsum(shares) - shares,
        "along": along / max(along[-1], 1e-9),
        "size after": (along[-1] - along) / shape.size,
        "reach": reach,
        "reach squared": reach**2,
        "turn": [
            _turn(shape, shape.parents[joint], joint, after)
            for joint, after in zip(candidates, [*candidates[1:], -1], strict=True)
        ],
        "level step": [1 - abs(float(step @ shape.up)) / bone for step, bone in zip(steps, bones, strict=True)],
        "sinking step": [max(0.0, -float(step @ shape.up)) / bone for step, bone in zip(steps, bones, strict=True)],
        "same spot": bones < 0.5 * NEAR * shape.size,
        "longer step": np.clip(np.log(bones / np.median(bones)), -1.0, 2.0),
    }
    ladder = _ladder(sight, candidates) if sight.upright else {}
    return {name: np.asarray(values, float) for name, values in (found | ladder).items()}


def _ladder(sight: Sight, candidates: Sequence[int]) -> dict[str, FloatArray]:
    """How high joints of an upright body lie above its shoulders, in lengths of its torso: necks, head, crown."""
    heights = (sight.shape.heights[list(candidates)] - sight.shoulders) / sight.torso
    return {
        "below the shoulders": np.maximum(-heights, 0.0),
        "near the shoulders": np.clip(0.2 - heights, 0.0, 0.2),
        "above a neck": np.clip(heights - 0.35, 0.0, 0.25),
        "joints at neck height": np.array([((heights > 0.1) & (heights < height)).sum() for height in heights], float),
    }


def _skull_words(sight: Sight, candidates: Sequence[int]) -> dict[str, FloatArray]:
    words = [sight.readings[joint] for joint in candidates]
    named = np.array([word.vote("head") > 0.5 and not word.helper for word in words], float)
    return {
        "named head": named,
        "first named head": named * (np.cumsum(named) == 1),
        "named otherwise": np.array([bool(word.meanings) and word.vote("head") <= 0 for word in words], float),
        "helper": np.array([word.helper for word in words], float),
    }


def _beside(sight: Sight, line: Sequence[int], joint: int) -> float:
    """Whether a branch of the middle beside the line, as a jaw is, leaves a joint or starts at its place."""
    shape = sight.shape
    here = [each for each in line if _same_place(shape, each, joint)]
    kin = [child for each in here for child in shape.children[each] if not _is_frame(shape, child)]
    kin += [each for each in shape.children[shape.parents[here[0]]] if _same_place(shape, each, joint)]
    return float(any(each in sight.middle and each not in line and not is_end(shape, each) for each in kin))


def _shares(shape: Shape, candidates: Sequence[int]) -> FloatArray:
    """(C,) the part of the surface of all candidates that each carries, with what hangs beside the line."""
    below = [*[shape.subtree_shares[joint] for joint in candidates[1:]], 0.0]
    own = np.maximum([shape.subtree_shares[joint] - rest for joint, rest in zip(candidates, below, strict=True)], 0.0)
    own[0] = min(own[0], shape.surface.share[candidates[0]]) if len(own) > 1 else own[0]
    return np.asarray(own / max(float(own.sum()), 1e-12))


def _widths(sight: Sight, candidates: Sequence[int]) -> FloatArray:
    """(C,) metres from side to side of what each candidate carries itself, or of what the one before does; above 0."""
    surface, found = sight.shape.surface, [0.0]
    for joint in candidates:
        width = float(np.abs(surface.high[joint] - surface.low[joint]) @ np.abs(sight.across))
        found.append(width if surface.share[joint] > 0 and width > 0 else found[-1])
    return np.maximum(found[1:], 0.01 * sight.shape.size)


def _reach(shape: Shape, candidates: Sequence[int]) -> FloatArray:
    """(C,) metres from each candidate to the end, along the line, of all that it carries: joints or their surface."""
    line = shape.positions[candidates[-1]] - shape.positions[shape.parents[candidates[0]]]
    line = line / max(float(np.linalg.norm(line)), 1e-12)
    ends = np.maximum(shape.surface.low * line, shape.surface.high * line).sum(axis=1)
    ends = np.where(shape.surface.share > 0, ends, shape.positions @ line)
    return np.array([max(ends[shape.below(joint)]) - shape.positions[joint] @ line for joint in candidates])


def _same_place(shape: Shape, one: int, other: int) -> bool:
    return shape.distance(one, other) < 0.5 * NEAR * shape.size


def _faces(sight: Sight, candidates: Sequence[int], place: int) -> float:
    """Whether a face starts at a joint: 1 if small pairs (eyes, ears, hair) or several things at once hang from it."""
    shape, joint = sight.shape, candidates[place]
    after = [other for other in candidates[place + 1 :] if not _same_place(shape, joint, other)]
    onward = set(shape.below(after[0])) if after else set()
    own = set(shape.below(joint)) - onward
    found = [branch for branch in sight.small if _carrier(sight, branch) in own and _may_be_face(shape, branch)]
    pairs = sum(branch in sight.pairs and branch.length < 0.35 * shape.size for branch in found)
    parts = [child for child in shape.children[joint] if child in sight.middle and not is_end(shape, child)]
    several = sum(not _is_frame(shape, child) for child in parts) > 2
    return min(1.0, 0.7 * pairs + 0.15 * (len(found) - pairs) + 0.4 * several)


def _may_be_face(shape: Shape, branch: Branch) -> bool:
    """Whether a branch is no frame of a sensor, and smaller than what it hangs from, as eyes are and wings are not."""
    carries = shape.surface.share[branch.attach] if branch.attach >= 0 else 0.0
    return not _is_frame(shape, branch.root) and (carries <= 0 or branch.share < 0.7 * carries)


def _is_frame(shape: Shape, joint: int) -> bool:
    """Whether a joint and all below it are bare and next to what they hang from: the frames of a sensor."""
    return shape.subtree_shares[joint] <= 0 and shape.bones[joint] + shape.reaches[joint] < 1.5 * NEAR * shape.size


def _carrier(sight: Sight, branch: Branch) -> int:
    """The joint of the middle that a branch belongs to: what it hangs from, or the next one if that is nearer."""
    shape = sight.shape
    if branch.attach < 0 or sum(bool(other.other) and other.attach == branch.attach for other in sight.small) > 2:
        # Where many pairs hang there is the face, however far ahead the nose is.
        return branch.attach
    spot = shape.positions[[*branch.chain, *branch.other]].mean(axis=0)
    kin = [child for child in shape.children[branch.attach] if shape.children[child]]
    kin = [child for child in kin if child not in branch.chain and child not in branch.other]
    apart = {joint: float(np.linalg.norm(shape.positions[joint] - spot)) for joint in [branch.attach, *kin]}
    nearest = min(apart, key=lambda joint: apart[joint])
    # A jaw is near to eyes and ears, too; what carries them in its place stands further along.
    return nearest if shape.bones[nearest] > 0.5 * apart[branch.attach] else branch.attach


def _turn(shape: Shape, before: int, joint: int, after: int) -> float:
    """How much the line bends at a joint: 0 straight on or next to a root, 1 at a right angle."""
    if before < 0 or after < 0 or before in shape.roots:
        return 0.0
    one, other = shape.positions[joint] - shape.positions[before], shape.positions[after] - shape.positions[joint]
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.clip(1 - one @ other / lengths, 0, 1)) if lengths > 1e-12 else 0.0
