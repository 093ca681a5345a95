"""What a body looks with: heads, their eyes, what carries them, and how far each of these goes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.behavior.posed import Posed, row
from mummer.character import Pose
from mummer.character.clamp import violations
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.kept import kept
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import back, plus, times, turned
from mummer.math import quaternion

GROUPS = ("head", "chest", "waist")
"""What carries eyes, in the order in which it comes along."""
FURTHEST = {"head": (75.0, 50.0), "chest": (25.0, 15.0), "waist": (20.0, 12.0), "eye": (35.0, 25.0)}
"""Degrees to the side, and up or down, that all joints of a group turn together for a look where limits allow it.
People turn the neck some 75° to the side and nod 50° (goniometry of healthy adults); eyes go on to 35°."""
A_JOINT = (25.0, 20.0)
"""The same of each joint of a neck of many."""
PROBED = np.radians(np.arange(2.0, 62.0, 2.0))
"""Turns that are tried to see how far a joint goes."""
WITHIN = math.radians(0.5)
"""Radians beyond its limits from which on a joint does not go somewhere."""


@dataclass(frozen=True, eq=False)
class Carrier:
    """A joint that turns for a look.

    Attributes:
        joint: which.
        side, up: radians that it turns for a look, at most.
    """

    joint: int
    side: float
    up: float

    def room(self, axis: Three) -> float:
        """Radians that it turns about a unit axis (left, up, front) at most."""
        return 1.0 / math.sqrt((axis[1] / self.side) ** 2 + ((axis[0] ** 2 + axis[2] ** 2) / self.up**2) + 1e-12)


@dataclass(frozen=True, eq=False)
class Head:
    """One head.

    Attributes:
        joint: which.
        base: the joint below all that turns for it; its frame is what angles are measured in. -1 for the world.
        carriers: of each of `GROUPS` the joints that turn, lowest first; the head itself is last of the first.
        eyes: joints of eyes.
        axes: of the head and each eye, in its own frame, what faces the front at rest.
        middle: (3,) in the frame of the head, the middle between the eyes.
        frame: joint_from_left_up_front of the base at rest.
        own: the same of the head.
    """

    joint: int
    base: int
    carriers: dict[str, tuple[Carrier, ...]]
    eyes: tuple[Carrier, ...]
    axes: dict[int, Three]
    middle: Three
    frame: Four
    own: Four


@dataclass(frozen=True, eq=False)
class Sight:
    """All heads of a body.

    Attributes:
        heads: which; empty for a body that has none.
        root: the joint that carries the body.
        size: metres of the body's longest side.
    """

    heads: tuple[Head, ...]
    root: int
    size: float

    def eye_point(self, posed: Posed) -> Three:
        """Where somebody is who is looked at: between the eyes of the first head, or the body itself."""
        return eyes_of(self.heads[0], posed) if self.heads else posed.place(self.root)


def eyes_of(head: Head, posed: Posed) -> Three:
    """The middle between the eyes of a head in the world."""
    return plus(posed.place(head.joint), turned(posed.facing(head.joint), head.middle))


@kept
def sight_of(physique: Physique) -> Sight:
    """The heads of a body."""
    anatomy = physique.anatomy
    parents = rigid_body(physique.character).parents
    heads = sorted(anatomy.capabilities.get("head", ()))
    if not heads:
        # Eyes on stalks, as those of crabs, turn by themselves.
        heads = sorted({int(parents[eye]) for eye in anatomy.capabilities.get("eye", ()) if parents[eye] >= 0})
    chains = {head: _chain(physique, head, parents) for head in heads}
    return Sight(tuple(_head(physique, head, chains, parents) for head in heads), physique.root, physique.height)


def _chain(physique: Physique, head: int, parents: IntArray) -> list[int]:
    """The joints from the head down to the first that carries a leg or is the root, which are left out."""
    anatomy, chain = physique.anatomy, [head]
    feet = [joint for limb in anatomy.limbs if limb.kind == "leg" for joint in limb.joints]
    feet += list(anatomy.capabilities.get("foot", ()))
    rooted = {physique.root}
    for joint in feet:
        while joint >= 0 and joint not in rooted:
            rooted.add(joint)
            joint = int(parents[joint])
    while (above := int(parents[chain[-1]])) >= 0 and above not in rooted:
        chain.append(above)
    return chain if chain[0] not in rooted else []


def _head(physique: Physique, head: int, chains: dict[int, list[int]], parents: IntArray) -> Head:
    anatomy, chain = physique.anatomy, chains[head]
    limbs = [limb.joints[0] for limb in anatomy.limbs if limb.kind in ("arm", "wing", "fin")]
    trunk = {joint for base in limbs for joint in _above(base, parents)}
    trunk |= {joint for other, below in chains.items() if other != head for joint in below}
    neck = [joint for joint in chain if joint not in trunk][::-1] or chain[:1]
    rest = [joint for joint in chain if joint not in neck][::-1]
    half = (len(rest) + 1) // 2
    groups = {"head": neck, "chest": rest[len(rest) - half :], "waist": rest[: len(rest) - half]}
    lowest = min((*neck, *rest), default=head)
    base = int(parents[lowest])
    eyes = [eye for eye in anatomy.capabilities.get("eye", ()) if _owner(eye, chains, parents) == head and eye != head]
    front = physique.rotations
    axes = {joint: _in_frame(front[joint], (0.0, 0.0, 1.0)) for joint in (head, *eyes)}
    places = physique.positions
    middle = places[eyes].mean(axis=0) - places[head] if eyes else np.zeros(3)
    frame = row3(quaternion.conjugate(front[base])) if base >= 0 else row3(physique.axes)
    return Head(
        head, base, {name: _carriers(physique, joints, name) for name, joints in groups.items()},
        _carriers(physique, eyes, "eye"), axes, _in_frame(front[head], row(middle)), frame,
        row3(quaternion.conjugate(front[head])),
    )  # fmt: skip


def row3(values: FloatArray) -> Four:
    """(4,) numbers as a tuple."""
    x, y, z, w = np.asarray(values, np.float64).tolist()
    return x, y, z, w


def _in_frame(rotation: FloatArray, vector: Three) -> Three:
    return turned(back(row3(rotation)), vector)


def _above(joint: int, parents: IntArray) -> list[int]:
    found = []
    while (joint := int(parents[joint])) >= 0:
        found.append(joint)
    return found


def _owner(eye: int, chains: dict[int, list[int]], parents: IntArray) -> int | None:
    """The head that an eye hangs from."""
    return next((joint for joint in (eye, *_above(eye, parents)) if joint in chains), None)


def _carriers(physique: Physique, joints: Sequence[int], group: str) -> tuple[Carrier, ...]:
    """Joints with how far each turns: what limits allow, and not more than people use of such a group."""
    if not joints:
        return ()
    most_side, most_up = (math.radians(part) for part in FURTHEST[group])
    if group == "head":
        most_side, most_up = (max(most, len(joints) * math.radians(each))
                              for most, each in zip((most_side, most_up), A_JOINT, strict=True))  # fmt: skip
    together = 1.0 if group == "eye" else 2.0 / (1 + len(joints))
    rooms = [_room(physique, joint) for joint in joints]
    found = [
        Carrier(joint, min(side, together * most_side), min(up, together * most_up))
        for joint, (side, up) in zip(joints, rooms, strict=True)
    ]
    if group == "eye":
        return tuple(found)
    less_side = min(1.0, most_side / sum(each.side for each in found))
    less_up = min(1.0, most_up / sum(each.up for each in found))
    return tuple(Carrier(each.joint, each.side * less_side, each.up * less_up) for each in found)


def _room(physique: Physique, joint: int) -> tuple[float, float]:
    """Radians that a joint at rest turns either way about up, and either way about left, within its limits."""
    character = physique.character
    if character.limits is None:
        return math.inf, math.inf
    found = []
    for axis in ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)):
        own = _in_frame(physique.rotations[joint], axis)
        least = math.inf
        for way in (1.0, -1.0):
            count = len(PROBED)
            pose = Pose.rest(character.skeleton, (count,))
            rotations = pose.rotations.copy()
            turns = quaternion.from_axis_angle(np.array(own), way * PROBED)
            rotations[:, joint] = quaternion.multiply(rotations[:, joint], turns)
            over = violations(character.limits, character.skeleton, pose.replace(rotations=rotations))[:, joint]
            out = np.flatnonzero(over > WITHIN)
            least = min(least, math.inf if not len(out) else float(PROBED[max(out[0] - 1, 0)]))
        found.append(max(least, math.radians(1.0)))
    return found[0], found[1]


def base_frame(head: Head, posed: Posed) -> Four:
    """World_from_base, of left, up and front."""
    return head.frame if head.base < 0 else times(posed.facing(head.base), head.frame)


def angles(direction: Three) -> tuple[float, float]:
    """Radians to the left and up of a direction given as left, up and front."""
    x, y, z = direction
    return math.atan2(x, z), math.atan2(y, math.hypot(x, z))


def from_angles(yaw: float, pitch: float) -> Four:
    """The turn of the front to angles, see `angles`, with no roll."""
    sine, cosine = math.sin(yaw / 2.0), math.cos(yaw / 2.0)
    down, level = -math.sin(pitch / 2.0), math.cos(pitch / 2.0)
    return cosine * down, sine * level, -sine * down, cosine * level
