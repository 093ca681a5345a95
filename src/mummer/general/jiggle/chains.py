"""The loose parts of a body as flat arrays, for the loop that swings them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.general.jiggle.flexibility import kinds_of, rates_of
from mummer.general.kept import kept
from mummer.ik.rigid_body import rigid_body
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions

SHORTEST = 1e-3
"""No part counts as shorter than this part of the body's height."""


@dataclass(frozen=True, eq=False)
class Chains:
    """N joints that swing, each loose part of the body after the other, parents first within each.

    Attributes:
        joints: (N,) which joints of the skeleton.
        starts: (P + 1,) where each of P parts begins among them.
        carriers: (P,) the joint that carries each part.
        parents: (N,) the place of each joint's parent among the N, or -1 for the first joint of a part.
        offsets: (N, 3) from each parent to the joint, in the parent's frame, metres.
        levers: (N, 3) from each joint to the middle of what hangs on it, in its own frame at rest, metres.
        ups: (N, 3) the body's up at rest, in the frame of each joint.
        rates: (N, 3) radians a second, damping, most bend in radians.
        rests: (N, 4) parent_from_joint at rest.
    """

    joints: IntArray
    starts: IntArray
    carriers: IntArray
    parents: IntArray
    offsets: FloatArray
    levers: FloatArray
    ups: FloatArray
    rates: FloatArray
    rests: FloatArray

    def __len__(self) -> int:
        return len(self.joints)

    @property
    def parts(self) -> int:
        """How many loose parts there are."""
        return len(self.carriers)


def chains_of(character: Character, loose: BoolArray) -> Chains:
    """The parts of a body that the joints ``loose`` (J,) make up; made once and remembered."""
    return _chains(character, loose.tobytes())


@kept
def _chains(character: Character, mask: bytes) -> Chains:
    loose = np.frombuffer(mask, np.bool_)
    body = rigid_body(character)
    rest = WorldState(character, Pose.rest(character.skeleton))
    joints, starts, carriers = _parts(body.parents, loose)
    levers, lengths = _levers(body.parents, rest.positions[0], body.height)
    turned = quaternions.conjugate(rest.rotations[0, joints])
    up = np.array([0.0, 1.0, 0.0]) if character.anatomy is None else character.anatomy.up
    place = np.full(len(loose) + 1, -1)
    place[joints] = np.arange(len(joints))
    parents = place[body.parents[joints]]
    parents[starts[:-1]] = -1
    return Chains(
        joints, starts, carriers, parents,
        np.ascontiguousarray(body.offsets[joints]), quaternions.rotate(turned, levers[joints]),
        quaternions.rotate(turned, up), rates_of(character, kinds_of(character), lengths)[joints],
        np.ascontiguousarray(body.rest_rotations[joints]),
    )  # fmt: skip


def _parts(parents: IntArray, loose: BoolArray) -> tuple[IntArray, IntArray, IntArray]:
    """The loose joints part after part, where each part starts, and what carries it."""
    heads = [joint for joint in np.flatnonzero(loose).tolist() if parents[joint] < 0 or not loose[parents[joint]]]
    found: list[int] = []
    starts = [0]
    for head in heads:
        members = {head}
        for joint in range(head + 1, len(parents)):
            if loose[joint] and int(parents[joint]) in members:
                members.add(joint)
        found += sorted(members)
        starts.append(len(found))
    return np.array(found, np.int64), np.array(starts, np.int64), parents[heads].astype(np.int64)


def _levers(parents: IntArray, places: FloatArray, height: float) -> tuple[FloatArray, FloatArray]:
    """(J, 3) from each joint to the middle of what hangs on it, in the world at rest, and (J,) how long that is.

    A joint that nothing hangs on goes on as the bone that ends in it, for half its length.
    """
    count = len(parents)
    bones = places - places[np.maximum(parents, 0)]
    weights = np.zeros(count)
    sums, lengths = np.zeros((count, 3)), np.zeros(count)
    for joint in range(count - 1, -1, -1):
        size = max(float(np.linalg.norm(bones[joint])), SHORTEST * height)
        if weights[joint] == 0:
            tip = 0.5 * bones[joint] if np.any(bones[joint]) else np.array([0.0, SHORTEST * height, 0.0])
            weights[joint], sums[joint], lengths[joint] = 0.5 * size, 0.5 * size * (places[joint] + tip), 0.5 * size
        parent = parents[joint]
        if parent >= 0:
            middle = places[joint] - 0.5 * bones[joint]
            weights[parent] += weights[joint] + size
            sums[parent] += sums[joint] + size * middle
            lengths[parent] = max(lengths[parent], lengths[joint] + size)
    levers = sums / weights[:, None] - places
    least = SHORTEST * height
    size = np.linalg.norm(levers, axis=1)
    levers[size < least] = [0.0, least, 0.0]
    return levers, np.maximum(lengths, least)
