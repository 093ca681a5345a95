"""The joints of a person from markers of the usual set (Plug-in Gait, or that of the CMU recordings).

Every joint's centre is found from the markers around it, its turn from the segment that follows and the plane in which
this bends. Segments have the length that they have most of the time, so that the body is one of constant size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose, Recording, Skeleton
from mummer.math import quaternion

ALIKE = {"LFWT": "LASI", "RFWT": "RASI", "LBWT": "LPSI", "RBWT": "RPSI"}
"""Names of the CMU set, and what Plug-in Gait calls the same marker."""
_OF_A_SIDE = ("SHO", "ELB", "WRA", "WRB", "FIN", "KNE", "ANK", "HEE", "TOE")
NEEDED = ("LASI", "RASI", "LPSI", "RPSI", "C7", "CLAV", "T10", "STRN", "LFHD", "RFHD", "LBHD", "RBHD",
          *(f"{side}{name}" for side in "LR" for name in _OF_A_SIDE))  # fmt: skip
"""The markers without which joints are not solved."""
HIP = np.array([-0.14, -0.30, -0.22])
"""From the marker at the front of the pelvis to the hip's centre, outwards, up and forward, in widths of the pelvis."""
KNEE, ANKLE, SHOULDER = 0.20, 0.15, 0.20
"""How far the centres of joints lie inside of their markers, in widths of the pelvis."""
BENT = 0.25
"""The sine from which a knee or an elbow is bent enough to show the plane in which it bends."""
X, Y, Z = np.eye(3)


@dataclass(frozen=True, eq=False)
class Segment:
    """One joint of the person.

    Attributes:
        parent: the joint that it hangs from, or an empty string.
        place: (T, 3) where it is.
        turn: (T, 4) world_from_joint.
    """

    parent: str
    place: FloatArray
    turn: FloatArray


def has_person(names: tuple[str, ...]) -> bool:
    """Whether there are all markers that `solve_person` needs."""
    return {ALIKE.get(name, name) for name in map(str.upper, names)} >= set(NEEDED)


def solve_person(names: tuple[str, ...], places: FloatArray, rate: float, title: str) -> tuple[Skeleton, Recording]:
    """A person that stands with arms spread, Y up, and looks to +Z, and its motion.

    Args:
        names: of the markers, all of `NEEDED` among them.
        places: (T, M, 3) metres, Y up.
        rate: frames a second.
        title: of both.
    """
    marker = {ALIKE.get(name, name): places[:, number] for number, name in enumerate(map(str.upper, names))}
    segments = _trunk(marker)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        segments |= _leg(marker, segments["hips"], side, sign) | _arm(marker, segments["spine"], side, sign)
    order = list(segments)
    parents = [order.index(one.parent) if one.parent else -1 for one in segments.values()]
    rest = [_rest_offset(segments, name) for name in order]
    rest[0] = np.array([0.0, -_lowest(order, parents, rest), 0.0])
    skeleton = Skeleton(tuple(order), np.array(parents), np.array(rest), name=title)
    turns = np.stack([one.turn for one in segments.values()], axis=1)
    above = np.where((np.array(parents) < 0)[:, None], quaternion.IDENTITY, turns[:, parents])
    local = quaternion.continuous(quaternion.multiply(quaternion.conjugate(above), turns), axis=0)
    poses = Pose(local, segments["hips"].place)
    return skeleton, Recording.from_poses(title, np.arange(len(places)) / rate, poses, frame_rate=rate)


def _trunk(marker: Mapping[str, FloatArray]) -> dict[str, Segment]:
    def mean(*names: str) -> FloatArray:
        return np.asarray(np.mean([marker[name] for name in names], axis=0))

    pelvis = _turn(
        _upright(mean("LASI", "RASI") - mean("LPSI", "RPSI")), Z, mean("LASI", "LPSI") - mean("RASI", "RPSI"), X
    )
    hips = (_hip(marker, pelvis, 1.0) + _hip(marker, pelvis, -1.0)) / 2
    forward, low, high = mean("CLAV", "STRN") - mean("C7", "T10"), mean("T10", "STRN"), mean("C7", "CLAV")
    chest = _turn(_upright(forward), Z, np.cross(high - low, forward), X)
    looking = mean("LFHD", "RFHD") - mean("LBHD", "RBHD")
    head = _turn(_upright(looking), Z, mean("LFHD", "LBHD") - mean("RFHD", "RBHD"), X)
    top = mean("LFHD", "RFHD", "LBHD", "RBHD")
    return {
        "hips": Segment("", hips, pelvis),
        "spine": Segment("hips", low, chest),
        "neck": Segment("spine", high, _turn(top - high, Y, quaternion.rotate(chest, X), X)),
        "head": Segment("neck", (high + top) / 2, head),
        "head_end": Segment("head", top, head),
    }


def _hip(marker: Mapping[str, FloatArray], pelvis: FloatArray, sign: float) -> FloatArray:
    inwards = quaternion.rotate(pelvis, HIP * [sign, 1.0, 1.0])
    return marker["LASI" if sign > 0 else "RASI"] + inwards * _width(marker)


def _width(marker: Mapping[str, FloatArray]) -> float:
    return float(np.median(np.linalg.norm(marker["LASI"] - marker["RASI"], axis=-1)))


def _leg(marker: Mapping[str, FloatArray], hips: Segment, side: str, sign: float) -> dict[str, Segment]:
    knee, ankle, heel, toe = (marker[f"{side[0].upper()}{name}"] for name in ("KNE", "ANK", "HEE", "TOE"))
    hip, width = _hip(marker, hips.turn, sign), _width(marker)
    across = _unit(quaternion.rotate(hips.turn, X)) + _unit(np.cross(Y, toe - heel))
    # Knees bend backwards: the plane has its normal to the left.
    hinge = _hinge(knee - hip, ankle - knee, across)
    knee, ankle = (place - sign * width * depth * hinge for place, depth in ((knee, KNEE), (ankle, ANKLE)))
    foot = _turn(toe - ankle, np.array([0.0, -0.4, 1.0]), np.cross(Y, toe - heel), X)
    return {
        f"{side}_upper_leg": Segment("hips", hip, _turn(knee - hip, -Y, hinge, X)),
        f"{side}_lower_leg": Segment(f"{side}_upper_leg", knee, _turn(ankle - knee, -Y, hinge, X)),
        f"{side}_foot": Segment(f"{side}_lower_leg", ankle, foot),
        f"{side}_toes": Segment(f"{side}_foot", toe, foot),
    }


def _arm(marker: Mapping[str, FloatArray], spine: Segment, side: str, sign: float) -> dict[str, Segment]:
    shoulder, elbow, thumb, little, finger = (
        marker[f"{side[0].upper()}{name}"] for name in ("SHO", "ELB", "WRA", "WRB", "FIN")
    )
    up, forward = (quaternion.rotate(spine.turn, axis) for axis in (Y, Z))
    root = (marker["C7"] + marker["CLAV"]) / 2
    shoulder, wrist = shoulder - SHOULDER * _width(marker) * up, (thumb + little) / 2
    out = sign * X
    # Elbows bend forward where arms are spread: the plane has its normal down on the left, up on the right.
    hinge = _hinge(wrist - elbow, elbow - shoulder, np.cross(forward, elbow - shoulder))
    hand = _turn(finger - wrist, out, thumb - little, Z)
    return {
        f"{side}_shoulder": Segment("spine", root, _turn(shoulder - root, out, forward, Z)),
        f"{side}_upper_arm": Segment(f"{side}_shoulder", shoulder, _turn(elbow - shoulder, out, hinge, sign * Y)),
        f"{side}_forearm": Segment(f"{side}_upper_arm", elbow, _turn(wrist - elbow, out, hinge, sign * Y)),
        f"{side}_hand": Segment(f"{side}_forearm", wrist, hand),
        f"{side}_hand_end": Segment(f"{side}_hand", finger, hand),
    }


def _hinge(first: FloatArray, second: FloatArray, usual: FloatArray) -> FloatArray:
    """(T, 3) the unit axis about which two segments bend; ``usual`` (T, 3) where they are nearly straight."""
    normal = np.cross(_unit(first), _unit(second))
    sine = np.linalg.norm(normal, axis=-1, keepdims=True)
    trust = np.clip(sine / BENT, 0, 1) ** 2
    known = normal / np.maximum(sine, 1e-9)
    known = np.where(np.sum(known * usual, axis=-1, keepdims=True) < 0, -known, known)
    return _unit(trust * known + (1 - trust) * _unit(usual))


def _upright(forward: FloatArray) -> FloatArray:
    """Directions (T, 3), pitched so that they are level most of the time: markers are not put on at one height."""
    level = np.linalg.norm(forward[:, [0, 2]], axis=-1)
    pitch = float(np.median(np.arctan2(forward[:, 1], level)))
    lift = np.arctan2(forward[:, 1], level) - pitch
    flat = _unit(forward * [1.0, 0.0, 1.0])
    return np.asarray(flat * np.cos(lift)[:, None] + Y * np.sin(lift)[:, None])


def _turn(first: FloatArray, first_rest: FloatArray, second: FloatArray, second_rest: FloatArray) -> FloatArray:
    """(T, 4) the rotation that brings one direction at rest to ``first`` exactly, another to ``second`` nearly."""
    found, rest = _frame(first, second), _frame(first_rest[None], second_rest[None])
    return quaternion.from_matrix(found @ np.swapaxes(rest, -1, -2))


def _frame(first: FloatArray, second: FloatArray) -> FloatArray:
    """(T, 3, 3) axes in columns: the first direction, what is left of the second, and what stands on both."""
    one = _unit(first)
    two = second - one * np.sum(one * second, axis=-1, keepdims=True)
    weak = np.linalg.norm(two, axis=-1, keepdims=True) < 1e-6
    two = _unit(np.where(weak, np.cross(one, one[..., [1, 2, 0]] + [0.1, 0.2, 0.3]), two))
    return np.stack([one, two, np.cross(one, two)], axis=-1)


def _unit(vectors: FloatArray) -> FloatArray:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12))


def _rest_offset(segments: Mapping[str, Segment], name: str) -> FloatArray:
    """(3,) from the parent at rest: where the joint is most of the time, seen from its parent."""
    one = segments[name]
    if not one.parent:
        return np.zeros(3)
    above = segments[one.parent]
    return np.median(quaternion.rotate(quaternion.conjugate(above.turn), one.place - above.place), axis=0)


def _lowest(order: list[str], parents: list[int], offsets: list[FloatArray]) -> float:
    heights = [0.0] * len(order)
    for joint, parent in enumerate(parents):
        heights[joint] = offsets[joint][1] + (heights[parent] if parent >= 0 else 0.0)
    return min(heights)
