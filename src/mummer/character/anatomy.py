"""The anatomy of a body: what each part of it is, what it can do, and how the parts stand to one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked, require_finite
from mummer.character._checks import require_exact_shape
from mummer.character.limb import Limb
from mummer.character.skeleton import Skeleton
from mummer.character.socket import Socket
from mummer.errors import InputError, UnknownNameError

CAPABILITIES = (
    "root", "spine", "head", "mouth", "eye", "ear", "grasper", "foot", "tail", "wing", "fin", "antenna", "jaw", "digit",
)  # fmt: skip
"""The capabilities that mummer itself speaks of; an anatomy may name others."""


@dataclass(frozen=True)
class Evidence:
    """Why a role was given to a joint.

    Attributes:
        confidence: 0 to 1.
        reason: one sentence.
    """

    confidence: float
    reason: str


@dataclass(frozen=True, eq=False)
class Anatomy:
    """What the parts of one body are.

    Attributes:
        kind: ``humanoid``, ``quadruped``, ``bird``, ``insect``, ``snake``, ``fish`` ...
        roles: canonical name to joint index: ``hips``, ``spine``, ``chest``, ``neck``, ``head``, ``left_hand``,
            ``front_right_foot``, ``tail`` ... One joint each.
        capabilities: what joints can do, to the joints that can, see `CAPABILITIES`.
        limbs: chains from the spine to the tips.
        groups: joints that act as a unit when motions are mixed; every joint is in exactly one.
        mirror: (J,) the partner of each joint on the other side; a joint on the middle, or alone, is its own.
        front, up: (3,) unit vectors of the rest pose in the world.
        ground: height of the ground along ``up`` that the rest pose stands (or floats) over, in metres.
        bounds: (2, 3) lowest and highest corner of the rest pose in the world, in metres.
        evidence: why roles were given, where a recogniser gave them.
        sockets: named places where something can be held, worn or held on to.
    """

    kind: str
    roles: Mapping[str, int]
    capabilities: Mapping[str, tuple[int, ...]]
    limbs: tuple[Limb, ...]
    groups: Mapping[str, tuple[int, ...]]
    mirror: IntArray
    front: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    up: FloatArray = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))
    ground: float = 0.0
    bounds: FloatArray = field(default_factory=lambda: np.zeros((2, 3)))
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    sockets: tuple[Socket, ...] = ()

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "roles", {name: int(joint) for name, joint in self.roles.items()})
        set_field(self, "limbs", tuple(self.limbs))
        set_field(self, "sockets", tuple(self.sockets))
        set_field(self, "evidence", dict(self.evidence))
        for name in ("capabilities", "groups"):
            table = {key: tuple(int(joint) for joint in joints) for key, joints in getattr(self, name).items()}
            set_field(self, name, table)
        set_field(self, "mirror", locked(self.mirror, np.int32))
        set_field(self, "bounds", locked(self.bounds))
        require_exact_shape(self.mirror, (None,), "mirror of an anatomy")
        require_exact_shape(self.bounds, (2, 3), "bounds of an anatomy")
        require_finite(self.bounds, "bounds of an anatomy")
        for name in ("front", "up"):
            vector = locked(getattr(self, name))
            length = float(np.linalg.norm(vector))
            if vector.shape != (3,) or not 0 < length < np.inf:
                raise InputError(f"{name} of an anatomy must be a direction of three numbers")
            set_field(self, name, locked(vector / length))

    def __repr__(self) -> str:
        limbs = ", ".join(limb.name for limb in self.limbs if limb.kind not in ("finger", "toe"))
        return f"Anatomy({self.kind!r}, {self.height:.2f} m, {len(self.roles)} roles, limbs: {limbs})"

    @property
    def height(self) -> float:
        """Metres from the lowest to the highest point at rest, along ``up``."""
        corners = np.stack(np.meshgrid(*self.bounds.T, indexing="ij"), axis=-1).reshape(-1, 3) @ self.up
        return float(corners.max() - corners.min())

    @property
    def left(self) -> FloatArray:
        """(3,) the body's own left."""
        return np.cross(self.up, self.front)

    def joint(self, role: str) -> int:
        """The joint that has ``role``.

        Raises:
            UnknownNameError: with the closest roles that this body has.
        """
        try:
            return self.roles[role]
        except KeyError:
            raise UnknownNameError("this body", "role", role, self.roles) from None

    def limb(self, name: str) -> Limb:
        """The limb called ``name``."""
        for limb in self.limbs:
            if limb.name == name:
                return limb
        raise UnknownNameError("this body", "limb", name, [limb.name for limb in self.limbs])

    def socket(self, name: str) -> Socket:
        """The socket called ``name``."""
        for socket in self.sockets:
            if socket.name == name:
                return socket
        raise UnknownNameError("this body", "socket", name, [socket.name for socket in self.sockets])

    def group(self, name: str) -> tuple[int, ...]:
        """The joints of one group."""
        try:
            return self.groups[name]
        except KeyError:
            raise UnknownNameError("this body", "group", name, self.groups) from None

    def problems(self, skeleton: Skeleton) -> tuple[str, ...]:
        """What is inconsistent between this anatomy and ``skeleton``; empty when all is well."""
        return tuple(_problems(self, skeleton))

    def outside(self, count: int) -> tuple[str, ...]:
        """What names a joint that a skeleton of ``count`` joints does not have."""
        named: list[tuple[str, Iterable[int]]] = [("mirror", self.mirror.tolist())]
        named += [(f"role {role!r}", (joint,)) for role, joint in self.roles.items()]
        named += [(f"capability {name!r}", joints) for name, joints in self.capabilities.items()]
        named += [(f"group {name!r}", joints) for name, joints in self.groups.items()]
        named += [(f"limb {limb.name!r}", limb.joints) for limb in self.limbs]
        named += [(f"socket {socket.name!r}", (socket.joint,)) for socket in self.sockets]
        return tuple(
            f"{what} names a joint outside the skeleton"
            for what, joints in named
            if any(not 0 <= joint < count for joint in joints)
        )


def _problems(anatomy: Anatomy, skeleton: Skeleton) -> list[str]:
    count = len(skeleton)
    if anatomy.mirror.shape != (count,):
        return [f"mirror is for {len(anatomy.mirror)} joints; the skeleton has {count}"]
    found = list(anatomy.outside(count))
    if found:
        return found
    if not np.array_equal(anatomy.mirror[anatomy.mirror], np.arange(count)):
        found.append("mirroring a joint twice does not give the joint itself")
    members = sorted(joint for joints in anatomy.groups.values() for joint in joints)
    if members != list(range(count)):
        found.append("the groups do not hold every joint exactly once")
    found += _limb_problems(anatomy, skeleton)
    if abs(float(anatomy.front @ anatomy.up)) > 1e-6:
        found.append("front is not at right angles to up")
    return found


def _limb_problems(anatomy: Anatomy, skeleton: Skeleton) -> list[str]:
    names = [limb.name for limb in anatomy.limbs]
    found = ["two limbs have the same name"] if len(set(names)) != len(names) else []
    return found + [
        f"limb {limb.name!r} is not a chain of joints"
        for limb in anatomy.limbs
        if any(skeleton.parents[below] != above for above, below in pairwise(limb.joints))
    ]
