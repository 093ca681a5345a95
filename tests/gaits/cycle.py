"""The curves of a stride: angles of legs, arms, pelvis and trunk over the cycle, read off any motion of a person.

Recordings and performances are measured alike, by where joints are and by nothing else, so that a curve does not depend
on how a rig turns its joints.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.signal import find_peaks

from mummer.arrays import FloatArray
from mummer.character.kinematics import world_positions
from mummer.character.pose import Pose
from mummer.clip.clip import Clip

RATE = 120.0
"""Looks a second."""
MOMENTS = 50
"""Looks a cycle."""
SHORTEST, LONGEST = 0.4, 2.0
"""Seconds that a stride takes, at least and at most."""
NEAR = 0.03
"""How far above its lowest, in leg lengths, a foot still is on the ground."""
GRAVITY = 9.81
SIDES = ("left", "right")
CURVES = ("hip", "knee", "ankle", "pelvis turn", "pelvis list", "trunk", "shoulder", "elbow", "bob")
"""What is measured: degrees; ``bob`` is how high the hips are, in percent of the leg."""


@dataclass(frozen=True)
class Strides:
    """The strides of one motion: each from where a foot is farthest ahead of the hips to where it is so again.

    Attributes:
        speed: of travel, over the root of gravity times leg length (the root of the Froude number).
        flight: the part of the time during which no foot is on the ground.
        curves: name to (strides, `MOMENTS`), of both sides, each from its own strike on.
    """

    speed: float
    flight: float
    curves: dict[str, FloatArray]


def strides(clip: Clip, begin: float, end: float) -> Strides | None:
    """What ``clip`` does between two times; None where it does not stride."""
    times = np.arange(begin, end, 1.0 / RATE)
    world = world_positions(clip.body, clip.sample(times))
    places = {role: world[:, joint] for role, joint in clip.anatomy.roles.items()}
    leg = float(np.mean(_length(places["left_upper_leg"], places["left_lower_leg"], places["left_foot"])))
    middle = 0.5 * (places["left_upper_leg"] + places["right_upper_leg"])
    travel = (middle[-1] - middle[0]) * (1.0, 0.0, 1.0)
    if len(times) < SHORTEST * RATE or np.linalg.norm(travel) < leg:
        return None
    ahead = travel / np.linalg.norm(travel)
    curves = _curves(places, middle, ahead, leg)
    found: dict[str, list[FloatArray]] = {name: [] for name in CURVES}
    spans = []
    for side in SIDES:
        for first, last in _spans((places[f"{side}_foot"] - middle) @ ahead, leg):
            spans.append((first, last))
            at = np.linspace(first, last, MOMENTS, endpoint=False)
            for name in CURVES:
                if (values := curves.get(f"{side} {name}", curves.get(name))) is not None:
                    found[name].append(np.interp(at, np.arange(len(values)), values))
    if not spans:
        return None
    first, last = min(span[0] for span in spans), max(span[1] for span in spans)
    speed = float(np.linalg.norm((middle[last] - middle[first]) @ ahead)) * RATE / (last - first)
    made = {name: np.array(rows) for name, rows in found.items() if rows}
    # Where the toe joint sits tilts the foot by a constant; what is told is how the ankle bends from mid-stance.
    if "ankle" in made:
        made["ankle"] = made["ankle"] - np.median(made["ankle"][:, MOMENTS // 5 : MOMENTS // 3])
    made["trunk"] = made["trunk"] - _rest_lean(clip)
    made["bob"] = made["bob"] - made["bob"].mean(axis=1, keepdims=True)
    return Strides(speed / (GRAVITY * leg) ** 0.5, _flight(places, leg, slice(first, last)), made)


def _rest_lean(clip: Clip) -> float:
    """Degrees by which joints of a trunk lean that stands upright, for they do not sit above one another."""
    anatomy, rest = clip.anatomy, world_positions(clip.body, Pose.rest(clip.body))
    hips, shoulders = (
        0.5 * (rest[anatomy.roles[f"left_{role}"]] + rest[anatomy.roles[f"right_{role}"]])
        for role in ("upper_leg", "upper_arm")
    )
    return float(_angle(shoulders - hips, anatomy.front, anatomy.up))


def _curves(places: dict[str, FloatArray], middle: FloatArray, ahead: FloatArray, leg: float) -> dict[str, FloatArray]:
    """(T,) each, of either side where a body has two."""
    up = np.array([0.0, 1.0, 0.0])
    left = np.cross(up, ahead)
    hips = places["left_upper_leg"] - places["right_upper_leg"]
    shoulders = 0.5 * (places["left_upper_arm"] + places["right_upper_arm"])
    curves = {
        "trunk": _angle(shoulders - middle, ahead, up),
        "bob": 100.0 * middle[:, 1] / leg,
    }
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hip, knee, ankle, toes, shoulder, elbow, hand = (
            places.get(f"{side}_{role}")
            for role in ("upper_leg", "lower_leg", "foot", "toes", "upper_arm", "forearm", "hand")
        )
        assert hip is not None
        assert knee is not None
        assert ankle is not None
        curves[f"{side} hip"] = _angle(knee - hip, ahead, -up)
        curves[f"{side} knee"] = _bend(hip, knee, ankle)
        if toes is not None:
            curves[f"{side} ankle"] = -_bend(knee, ankle, toes)
        if shoulder is not None and elbow is not None and hand is not None:
            curves[f"{side} shoulder"] = _angle(elbow - shoulder, ahead, -up)
            curves[f"{side} elbow"] = _bend(shoulder, elbow, hand)
        curves[f"{side} pelvis turn"] = _angle(sign * hips, ahead, sign * left)
        curves[f"{side} pelvis list"] = _angle(sign * hips, up, sign * left)
    return curves


def _angle(lines: FloatArray, to: FloatArray, base: FloatArray) -> FloatArray:
    """(T,) degrees by which ``lines`` are turned from ``base`` to ``to``, seen along both."""
    return np.degrees(np.arctan2(lines @ to, lines @ base))


def _bend(before: FloatArray, at: FloatArray, after: FloatArray) -> FloatArray:
    """(T,) degrees by which a chain of three joints is bent; 0 is straight."""
    one, two = at - before, after - at
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(one, two), axis=-1), np.sum(one * two, axis=-1)))


def _length(*joints: FloatArray) -> FloatArray:
    """(T,) metres along a chain."""
    return np.sum([np.linalg.norm(two - one, axis=-1) for one, two in itertools.pairwise(joints)], axis=0)


def _spans(forward: FloatArray, leg: float) -> list[tuple[int, int]]:
    """From strike to strike of one foot, whose place ahead of the hips is (T,) ``forward``."""
    peaks, _ = find_peaks(forward, prominence=0.2 * leg, distance=max(1, int(SHORTEST * RATE)))
    pairs = itertools.pairwise(peaks)
    return [(int(one), int(two)) for one, two in pairs if two - one <= LONGEST * RATE]


def _flight(places: dict[str, FloatArray], leg: float, span: slice) -> float:
    """The part of the looks of ``span`` at which neither ankle nor toes of either foot are near their lowest."""
    down = []
    for side in SIDES:
        for role in (f"{side}_foot", f"{side}_toes"):
            if role in places:
                heights = places[role][span, 1]
                down.append(heights <= np.percentile(heights, 2) + NEAR * leg)
    return 1.0 - float(np.mean(np.any(down, axis=0)))
