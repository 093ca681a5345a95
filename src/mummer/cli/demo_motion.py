"""The motion of the demo: a greeting, keyed by body part and not by joint, on a slow turntable."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Curve, Pose, Recording, world_transforms
from mummer.errors import InputError
from mummer.math import interpolate, quaternion

DURATION = 6.0
RATE = 30.0

# Seconds, then degrees about the body's own left, up and front axes as it stands at rest.
Keys = list[tuple[float, tuple[float, float, float]]]
GREETING: dict[str, Keys] = {
    "right_upper_arm": [(0, (0, 0, 30)), (0.5, (4, 0, 27)), (1.3, (0, -20, -62)), (4.2, (0, -20, -62)),
                        (5.2, (0, 0, 30)), (6, (0, 0, 30))],
    "right_forearm": [(0, (-12, 0, 8)), (1.3, (0, -15, -95)), (1.75, (0, -15, -45)), (2.2, (0, -15, -100)),
                      (2.65, (0, -15, -45)), (3.1, (0, -15, -100)), (3.55, (0, -15, -50)), (4.2, (0, -15, -90)),
                      (5.2, (-12, 0, 8)), (6, (-12, 0, 8))],
    "left_upper_arm": [(0, (0, 0, -30)), (1.5, (0, 0, -32)), (3, (4, 0, -28)), (6, (0, 0, -30))],
    "left_forearm": [(0, (-12, 0, -8)), (2, (-18, 0, -8)), (6, (-12, 0, -8))],
    "spine": [(0, (0, 0, 0)), (1.4, (0, 4, 3)), (3.2, (2, -5, -2)), (4.7, (14, 0, 0)), (6, (0, 0, 0))],
    "chest": [(0, (0, 0, 0)), (1.4, (-3, 6, 3)), (3.2, (0, -6, -2)), (4.7, (12, 0, 0)), (6, (0, 0, 0))],
    "neck": [(0, (0, 0, 0)), (1.4, (-3, 8, 4)), (3.2, (0, -10, -3)), (4.7, (10, 0, 0)), (6, (0, 0, 0))],
    "head": [(0, (0, 0, 0)), (1.4, (-2, 10, 6)), (3.2, (2, -12, -5)), (4.7, (12, 0, 0)), (6, (0, 0, 0))],
}  # fmt: skip
MORPHS: dict[str, list[tuple[float, float]]] = {
    "smile_left": [(0, 0), (1, 0.9), (4.4, 0.9), (5.4, 0.2), (6, 0)],
    "smile_right": [(0, 0), (1, 0.9), (4.4, 0.9), (5.4, 0.2), (6, 0)],
    "blink_left": [(0, 0), (2.3, 0), (2.38, 1), (2.5, 0), (4.4, 0), (4.6, 1), (4.9, 1), (5.1, 0), (6, 0)],
    "blink_right": [(0, 0), (2.3, 0), (2.38, 1), (2.5, 0), (4.4, 0), (4.6, 1), (4.9, 1), (5.1, 0), (6, 0)],
    "viseme_aa": [(0, 0), (1.4, 0), (1.55, 0.7), (1.75, 0), (1.9, 0), (2.05, 0.4), (2.3, 0), (6, 0)],
}


def greeting(character: Character, *, turntable: bool = True) -> Recording:
    """A recording in which the body greets its audience, with the parts of the greeting that it has.

    Args:
        character: a body whose anatomy is known.
        turntable: whether it also turns once about the vertical, like a figure on a stand.

    Raises:
        InputError: if its anatomy is not known.
    """
    anatomy = character.anatomy
    if anatomy is None:
        raise InputError(f"the anatomy of {character.name!r} is not known, so nothing can be keyed by body part")
    times = np.arange(0, round(DURATION * RATE) + 1) / RATE
    rest = Pose.rest(character.skeleton)
    axes = np.stack([anatomy.left, anatomy.up, anatomy.front])
    world_from_joint = world_transforms(character.skeleton, rest)[1]
    curves = []
    for role, keys in GREETING.items():
        if role in anatomy.roles:
            joint = anatomy.roles[role]
            turned = _turned(character, world_from_joint, joint, _world_turns(keys, axes, times))
            curves.append(Curve("rotation", [joint], times, turned[:, None]))  # type: ignore[arg-type]
    if turntable:
        curves.append(_turntable(character, world_from_joint, anatomy.up, times))
    names = [name for name in MORPHS if name in character.morph_names]
    for name in names:
        stamps, weights = np.array(MORPHS[name]).T
        target = [character.morph_names.index(name)]
        curves.append(Curve("morph", target, stamps, weights[:, None, None]))  # type: ignore[arg-type]
    base = rest.replace(morphs=np.zeros(len(character.morph_names))) if names else rest
    return Recording("greeting", tuple(curves), base, RATE)


def _world_turns(keys: Keys, axes: FloatArray, times: FloatArray) -> FloatArray:
    """(T, 4) turns in the world at ``times``, eased between the keys."""
    stamps = np.array([stamp for stamp, _ in keys])
    turns = quaternion.exp(np.radians([angles for _, angles in keys]) @ axes)
    after = np.clip(np.searchsorted(stamps, times, side="right"), 1, len(stamps) - 1)
    part = (times - stamps[after - 1]) / (stamps[after] - stamps[after - 1])
    eased = part * part * (3 - 2 * part)
    return interpolate.slerp(turns[after - 1], turns[after], eased)


def _turned(character: Character, world_from_joint: FloatArray, joint: int, turns: FloatArray) -> FloatArray:
    """(T, 4) parent_from_joint of a joint that is turned in the world from its rest."""
    parent = character.skeleton.parents[joint]
    world_from_parent = world_from_joint[parent] if parent >= 0 else quaternion.IDENTITY
    return quaternion.multiply(
        quaternion.conjugate(world_from_parent), quaternion.multiply(turns, world_from_joint[joint])
    )


def _turntable(character: Character, world_from_joint: FloatArray, up: FloatArray, times: FloatArray) -> Curve:
    angle = 2 * np.pi * times / times[-1]
    turned = _turned(character, world_from_joint, 0, quaternion.from_axis_angle(up, angle))
    return Curve("rotation", [0], times, quaternion.continuous(turned)[:, None])  # type: ignore[arg-type]
