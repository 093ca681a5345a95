"""Turning joints that no place binds, once everything else is bent: heads, toes, hands that hang."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.context_limbs import chain_to
from mummer.general.holding import hold
from mummer.general.kept import kept
from mummer.general.physique import Physique
from mummer.kernels import quaternions
from mummer.math import quaternion

FARTHEST = 2.0
"""Radians that a part turns at most."""


class Turner:
    """The rotations of a body at T moments while joints are turned one after another, parents first.

    Attributes:
        physique: the body.
        rotations: (T, J, 4) parent_from_joint, changed in place.
    """

    def __init__(self, physique: Physique, rotations: FloatArray) -> None:
        self.physique, self.rotations = physique, rotations
        self._parents = physique.character.skeleton.parents.tolist()
        self._turned: set[int] = set()

    def world(self, joint: int) -> FloatArray:
        """(T, 4) world_from_joint."""
        turned = self.rotations[:, joint]
        above = self._parents[joint]
        while above >= 0:
            turned = quaternions.multiply(self.rotations[:, above], turned)
            above = self._parents[above]
        return np.asarray(turned)

    def turn(self, joint: int, wanted: FloatArray, busy: Iterable[int]) -> None:
        """Turn a joint to ``wanted`` (T, 4) world_from_joint, and the joints of its limb above it a part of the way.

        Args:
            joint: what is turned.
            wanted: world_from_joint.
            busy: joints that others have turned already, which stay as they are.
        """
        chain = _free_chain(self.physique, joint, frozenset(busy))
        now = self.world(joint)
        away = quaternions.multiply(wanted, quaternions.conjugate(now))
        way = eased(quaternions.log(np.where(away[:, 3:] < 0, -away, away)))
        total = len(chain) * (len(chain) + 1) / 2
        for number, part in enumerate(chain[:-1]):
            self._add(part, way * ((number + 1) / total))
        above = self._parents[joint]
        turned = quaternions.multiply(quaternions.exp(way), now)
        local = turned if above < 0 else quaternions.multiply(quaternions.conjugate(self.world(above)), turned)
        self._set(joint, local)

    def point(self, joint: int, base: int, way: FloatArray) -> None:
        """Turn the joint ``base`` so that ``joint``, below it, lies in the direction ``way`` (T, 3) of the world."""
        character_way = self.physique.positions[joint] - self.physique.positions[base]
        in_base = quaternions.rotate(quaternions.conjugate(self.physique.rotations[base]), character_way)
        now = quaternions.rotate(self.world(base), in_base)
        self._add(base, quaternions.log(quaternions.between_vectors(now, way)))

    def bend(self, bends: Mapping[int, FloatArray]) -> None:
        """Turn joints against what carries them; see `Intent.bends`."""
        for joint in sorted(bends):
            above = self._parents[joint]
            axes = quaternions.conjugate(self.physique.rotations[above]) if above >= 0 else quaternion.IDENTITY
            turn = quaternions.exp(quaternions.rotate(axes, bends[joint]))
            self._set(joint, quaternions.multiply(turn, self.rotations[:, joint]))

    def _add(self, joint: int, way: FloatArray) -> None:
        """Turn a joint on by rotation vectors (T, 3) in the world."""
        above = self._parents[joint]
        local_way = way if above < 0 else quaternions.rotate(quaternions.conjugate(self.world(above)), way)
        self._set(joint, quaternions.multiply(quaternions.exp(local_way), self.rotations[:, joint]))

    def _set(self, joint: int, local: FloatArray) -> None:
        self.rotations[:, joint] = local
        self._turned.add(joint)

    def hold(self) -> None:
        """Turn what was turned back into its limits."""
        hold(self.physique, self._turned, self.rotations)


def eased(ways: FloatArray) -> FloatArray:
    """(T, 3) rotation vectors of up to half a turn, shorter the nearer they are to half a turn.

    Half a turn can be made either way, so a body that should turn round must not have to choose; from `FARTHEST` on
    it turns back to where it was.
    """
    angles = np.linalg.norm(ways, axis=-1, keepdims=True)
    back = FARTHEST * (np.pi - angles) / (np.pi - FARTHEST) / np.maximum(angles, FARTHEST)
    return np.asarray(ways * np.where(angles > FARTHEST, np.maximum(back, 0.0), 1.0))


@kept
def _free_chain(physique: Physique, joint: int, busy: frozenset[int]) -> tuple[int, ...]:
    """The joints of the limb of ``joint`` from below the last one that is busy down to ``joint``."""
    chain = chain_to(physique, joint)[1:] or [joint]
    last = max((place for place, part in enumerate(chain[:-1]) if part in busy), default=-1)
    return tuple(chain[last + 1 :])
