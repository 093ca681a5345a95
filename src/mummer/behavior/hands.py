"""The hands of a body: where the palm is and which way it faces, how far the arm reaches, how fingers close."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.sight import row3
from mummer.general.fingers import Curl, curls_of
from mummer.general.physique import Physique
from mummer.ik.limb_joints import LimbJoints, find_limb
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume.skin_points import skin_at_rest
from mummer.kept import kept
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import back, turned
from mummer.math import quaternion

FINGERS = ("thumb", "index", "middle", "ring", "little")
PALM = 0.6
"""How far along the palm, from wrist to knuckles, what is held lies."""
THICK = 0.22
"""How far from the bones the skin of a palm is where there is no skin to see, in lengths of the palm."""

Shape = Mapping[str, float]
"""A hand shape: finger to how far it is curled, -1 wide open, 0 as at rest, 1 closed; ``finger`` is for all others."""
SHAPES: dict[str, Shape] = {
    "rest": {"finger": 0.0},
    "open": {"finger": -0.4},
    "flat": {"finger": -0.1},
    "relaxed": {"finger": 0.15},
    "fist": {"finger": 1.0, "thumb": 0.8},
    "point": {"index": -0.1, "thumb": 0.6, "finger": 0.9},
    "cup": {"finger": 0.35, "thumb": 0.1},
    "pinch": {"index": 0.5, "thumb": 0.5, "finger": 0.3},
    "two": {"index": -0.1, "middle": -0.1, "thumb": 0.8, "finger": 1.0},
    "thumb_up": {"thumb": -0.6, "finger": 1.0},
}
"""Hand shapes by name."""


@dataclass(frozen=True, eq=False)
class Hand:
    """One hand. Vectors are in the frame of its joint, metres.

    Attributes:
        joint: which.
        name: its role, or the name of its joint.
        side: ``left``, ``right`` or ``center``.
        limb: shoulder, elbow and hand.
        along, thumb, normal: unit vectors to the knuckles, to the side of the thumb, and out of the palm.
        length: from the wrist to the knuckles.
        palm: on the skin of the palm, where what is held touches it.
        tip: of the index finger as it is at rest.
        reach: from the shoulder to the wrist when the arm is straight.
        curls: joints of fingers, and which finger each is of.
    """

    joint: int
    name: str
    side: str
    limb: LimbJoints
    along: Three
    thumb: Three
    normal: Three
    length: float
    palm: Three
    tip: Three
    reach: float
    curls: tuple[tuple[str, Curl], ...]

    def holding(self, radius: float) -> Three:
        """Where the middle of something round is that lies in the palm."""
        x, y, z = self.palm
        return x + radius * self.normal[0], y + radius * self.normal[1], z + radius * self.normal[2]

    def wrapped(self, radius: float) -> Shape:
        """The shape of a hand that holds something round: fingers lie around it as far as they go."""
        fingers: dict[str, float] = {}
        for name in {finger for finger, _ in self.curls}:
            closed = sum(abs(curl.closed) for finger, curl in self.curls if finger == name)
            long = self.length * (0.7 if name == "thumb" else 1.0)
            fingers[name] = min(max(long / max(radius + 0.1 * self.length, 1e-6) / max(closed, 1e-6), -0.2), 1.0)
        return fingers


@kept
def hands_of(physique: Physique) -> tuple[Hand, ...]:
    """The hands of a body that arms carry, left ones first."""
    anatomy = physique.anatomy
    body = rigid_body(physique.character)
    roles = {joint: role for role, joint in anatomy.roles.items()}
    found = []
    for joint in anatomy.capabilities.get("grasper", ()):
        limb = find_limb(body, joint)
        if limb is not None:
            found.append(_hand(physique, joint, roles, limb))
    return tuple(sorted(found, key=lambda hand: (hand.side != "left", hand.joint)))


def _hand(physique: Physique, joint: int, roles: Mapping[int, str], limb: LimbJoints) -> Hand:
    name = roles.get(joint, physique.character.skeleton.names[joint])
    places = physique.positions
    side = "left" if places[joint, 0] > 1e-6 else "right" if places[joint, 0] < -1e-6 else "center"
    curls = tuple((_finger(roles, physique, curl.joint), curl) for curl in curls_of(physique, joint))
    along, thumb, length = _axes(physique, joint, limb, curls)
    normal = np.cross(along, thumb) * (1.0 if side != "right" else -1.0)
    middle = PALM * length * along
    depth = _depth(physique, joint, along, normal, length)
    last = [curl.joint for finger, curl in curls if finger == "index"] or [curl.joint for _, curl in curls]
    tip = (places[last[-1]] - places[joint]) + 0.3 * length * along if last else 1.6 * length * along
    reach = sum(float(np.linalg.norm(places[one] - places[two])) for one, two in
                ((limb.base, limb.middle), (limb.middle, limb.tip)))  # fmt: skip
    own = back(row3(physique.rotations[joint]))

    def inward(vector: FloatArray) -> Three:
        x, y, z = vector.tolist()
        return turned(own, (x, y, z))

    return Hand(
        joint, name, side, limb, inward(along), inward(thumb), inward(normal), length, inward(middle + depth * normal),
        inward(tip), reach, curls,
    )  # fmt: skip


def _finger(roles: Mapping[int, str], physique: Physique, joint: int) -> str:
    """Which finger a joint is of, by its role or name."""
    text = f"{roles.get(joint, '')} {physique.character.skeleton.names[joint]}".lower()
    found = re.search(r"thumb|index|middle|ring|little|pink", text)
    return "finger" if found is None else {"pink": "little"}.get(found[0], found[0])


def _axes(
    physique: Physique, joint: int, limb: LimbJoints, curls: tuple[tuple[str, Curl], ...]
) -> tuple[FloatArray, FloatArray, float]:
    """Unit vectors to the knuckles and to the thumb, in character space, and metres to the knuckles."""
    places, parents = physique.positions, physique.character.skeleton.parents
    knuckles = {finger: curl.joint for finger, curl in reversed(curls)}
    row = [knuckles[finger] for finger in FINGERS[1:] if finger in knuckles]
    row = row or [curl.joint for _, curl in curls if parents[curl.joint] == joint]
    reach = places[row].mean(axis=0) - places[joint] if row else np.zeros(3)
    if np.linalg.norm(reach) < 1e-6 * physique.height:
        reach = (places[joint] - places[limb.middle]) / 3.0
    length = max(float(np.linalg.norm(reach)), 1e-9)
    along = reach / length
    choices = [places[row[0]] - places[row[-1]]] if len(row) > 1 else []
    if "thumb" in knuckles:
        choices.append(places[knuckles["thumb"]] - places[joint])
    for choice in (*choices, np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])):
        across = choice - (choice @ along) * along
        size = float(np.linalg.norm(across))
        if size > 0.2 * float(np.linalg.norm(choice)):
            return along, across / size, length
    raise AssertionError("three axes cannot all lie along one")


def _depth(physique: Physique, joint: int, along: FloatArray, normal: FloatArray, length: float) -> float:
    """Metres from the bones of a palm to its skin, where it is thickest."""
    skin = skin_at_rest(physique.character)
    places = skin.places[skin.joints == joint] - physique.origin
    away = quaternion.rotate(quaternion.conjugate(physique.axes), places) - physique.positions[joint]
    there = (away @ along > 0.2 * length) & (away @ along < length)
    return float((away[there] @ normal).max()) if there.any() else THICK * length
