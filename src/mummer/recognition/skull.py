"""Which joint of the line that leads to a head is the head: where the neck ends and the skull begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.learned import chances
from mummer.recognition.limbs import Branch
from mummer.recognition.shape import Shape
from mummer.recognition.sight import Sight
from mummer.recognition.tidy import NEAR, is_end

MOST_CANDIDATES = 16
"""Joints at the end of a line that could be the head."""


def find_skull(sight: Sight, line: Sequence[int]) -> tuple[int, float]:
    """The joint of a line that is the head, and how likely."""
    candidates = _candidates(sight, line)
    kinds = ("upright" if sight.upright else "lying", *["bare"] * (not sight.shape.surface.exists))
    features, words = _features(sight, line, candidates), _words(sight, candidates)
    likely = chances("skull", candidates, features, kinds=kinds, plain=words)
    best = int(np.argmax(likely))
    return candidates[best], float(likely[best])


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


def _features(sight: Sight, line: Sequence[int], candidates: Sequence[int]) -> dict[str, FloatArray]:
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
    ends = _reach(shape, candidates)
    reach = np.log(np.maximum(ends, 0.01 * shape.size) / np.maximum(way, 0.01 * shape.size))
    tips = np.array([float(all(_is_frame(shape, child) for child in shape.children[joint])) for joint in candidates])
    wide = np.log(_widths(sight, candidates))
    aspect = _aspects(sight, candidates, ends)
    found = {
        "limbs leave": limb,
        "first": neck == 0,
        "second": neck == 1,
        "later": np.maximum(neck - 1, 0),
        "last": places == len(candidates) - 1,
        "only": np.full(len(candidates), float(len(candidates) - limb.sum() == 1)) * (1 - limb),
        "tip": tips,
        "tip beyond a neck and a head": tips * (neck >= 2),
        "tip where feet have ends": tips * max(sight.feet_have_ends, 0.0),
        "tip where feet have none": tips * max(-sight.feet_have_ends, 0.0),
        "tip where hands have ends": tips * max(sight.hands_have_ends, 0.0),
        "tip where hands have none": tips * max(-sight.hands_have_ends, 0.0),
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
        "narrower after": np.clip(-np.diff(wide, append=wide[-1]), 0.0, 1.5),
        "length by width": aspect,
        "length by width squared": aspect**2,
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


def _words(sight: Sight, candidates: Sequence[int]) -> dict[str, FloatArray]:
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


def _aspects(sight: Sight, candidates: Sequence[int], ends: FloatArray) -> FloatArray:
    """(C,) the logarithm of how long all that a joint carries is by its width, -2 to 2; 0 if that is no surface."""
    surface, found = sight.shape.surface, np.zeros(len(candidates))
    for place, joint in enumerate(candidates):
        clothed = [each for each in sight.shape.below(joint) if surface.share[each] > 0]
        if clothed:
            box = surface.high[clothed].max(axis=0) - surface.low[clothed].min(axis=0)
            found[place] = np.log(max(ends[place], 1e-9) / max(float(box @ np.abs(sight.across)), 1e-9))
    return np.clip(found, -2.0, 2.0)


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
