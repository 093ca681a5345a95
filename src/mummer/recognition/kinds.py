"""What a limb off the ground is (arm, wing, fin), and what kind of body the limbs make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.choose import plumes
from mummer.recognition.facing import Facing
from mummer.recognition.limbs import Branch
from mummer.recognition.reading import Reading
from mummer.recognition.segments import fan_of
from mummer.recognition.shape import Shape
from mummer.recognition.trunk import Trunk


def upright_of(shape: Shape, trunk: Trunk) -> float:
    """How upright the trunk is: 1 straight up, 0 along the ground."""
    top = next((joint for joint in (trunk.neck, trunk.chest, trunk.head) if joint >= 0 and joint != trunk.hips), -1)
    if top < 0:
        return 1.0
    line = shape.positions[top] - shape.positions[trunk.hips]
    length = float(np.linalg.norm(line))
    return float(line @ shape.up) / length if length > 1e-9 else 1.0


def upper_kind(
    shape: Shape,
    branch: Branch,
    legs: Sequence[Branch],
    upright: float,
    tails: Sequence[Sequence[int]],
    trunk: Trunk,
    facing: Facing,
    readings: Sequence[Reading],
) -> str:
    """What a pair of limbs is that does not stand on the ground."""
    leg_pairs = len(legs)
    front = legs[0] if leg_pairs == 2 else None
    wingness = _wing_signs(shape, branch, facing.front)
    wingness += 0.6 * sum("wing" in readings[joint].meanings for joint in branch.chain)
    # Words for arms are used for the front limbs of anything.
    wingness -= 0.15 * any(readings[joint].vote("upper_arm", "forearm", "hand") > 0.5 for joint in branch.chain)
    if any("fin" in readings[joint].meanings for joint in branch.chain):
        return "fin"
    if leg_pairs == 0 and upright < 0.5 and wingness < 2.0:
        return "fin" if len(branch.chain) < 5 else "arm"
    if leg_pairs == 1 and upright < 0.62:
        wingness += 0.7 if _tail_length(shape, tails) < 0.8 * _trunk_length(shape, trunk) else -0.6
    if front is not None:
        # What leaves the back of a body on four legs no further ahead than its front legs do is a pair of wings.
        inward = branch.attach == front.attach or branch.attach in shape.ancestors(front.attach)
        wingness += 1.3 if inward else 0.0
    return "wing" if wingness > 0.5 else "arm"


def _wing_signs(shape: Shape, branch: Branch, front: FloatArray) -> float:
    """What speaks for a wing: it rises and leads back, carries feathers along its length, and is very long."""
    start, tip = shape.positions[branch.chain[0]], shape.positions[branch.chain[-1]]
    line = (tip - start) / max(branch.length, 1e-9)
    score = 0.9 * max(0.0, float(line @ shape.up) - 0.2) + 0.9 * max(0.0, -float(line @ front) - 0.2)
    feathers = plumes(shape, branch)
    score += 0.35 * max(0, feathers - 1)
    score += 0.5 * max(0.0, branch.length / (0.45 * shape.tall) - 2.0)
    return score - (1.0 if fan_of(shape, branch.chain) >= 0 and feathers < 3 else 0.0)


def _tail_length(shape: Shape, tails: Sequence[Sequence[int]]) -> float:
    return max((shape.reaches[tail[0]] for tail in tails), default=0.0)


def _trunk_length(shape: Shape, trunk: Trunk) -> float:
    return sum(shape.distance(one, other) for one, other in zip(trunk.path, trunk.path[1:], strict=False))


def kind_of(shape: Shape, kinds: Sequence[str], trunk: Trunk, tails: Sequence[Sequence[int]], upright: float) -> str:
    """The name of the kind of body that has these limbs."""
    legs = kinds.count("leg")
    if legs == 0:
        return _legless_kind(shape, kinds, trunk, tails)
    if legs == 1:
        return _biped_kind(shape, kinds, tails, trunk, upright)
    if legs == 2:
        return "centaur" if "arm" in kinds else "quadruped"
    return {3: "insect", 4: "arachnid"}.get(legs, "many-legged")


def _biped_kind(
    shape: Shape, kinds: Sequence[str], tails: Sequence[Sequence[int]], trunk: Trunk, upright: float
) -> str:
    if "wing" in kinds:
        if "arm" in kinds:
            return "humanoid"
        return "bird" if upright < 0.7 else "winged biped"
    if upright < 0.6 and _tail_length(shape, tails) > 0.5 * _trunk_length(shape, trunk):
        return "theropod"
    return "humanoid" if "arm" in kinds or upright > 0.6 else "biped"


def _legless_kind(shape: Shape, kinds: Sequence[str], trunk: Trunk, tails: Sequence[Sequence[int]]) -> str:
    if "wing" in kinds:
        return "flying"
    if "arm" in kinds:
        return "floating"
    if "fin" in kinds:
        return "fish"
    longest = max((len(shape.longest_chain(root)) for root in shape.roots), default=0)
    line = len(trunk.path) + max((len(tail) for tail in tails), default=0)
    return "snake" if max(line, longest) >= 8 and max(line, longest) > 0.5 * len(shape.order) else "unknown"
