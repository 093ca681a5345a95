"""Where a body stands on the ground and where it faces, and moving it about there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character import Character, first_branch
from mummer.clip.frames import Frames
from mummer.math import quaternion


def front_of(body: Character) -> FloatArray:
    """(3,) unit: where a body faces at rest; +Z where nobody knows its anatomy."""
    return np.array([0.0, 0.0, 1.0]) if body.anatomy is None else np.asarray(body.anatomy.front, np.float64)


@dataclass(frozen=True, eq=False)
class Standing:
    """How to tell place and heading of one body from its frames.

    Attributes:
        body: the body.
        joint: the joint that is followed.
        chain: the joints from a root down to it.
        up: (3,) unit, the world's.
        rest_from_world: (4,) undoes the joint's rotation in the world at rest.
    """

    body: Character
    joint: int
    chain: tuple[int, ...]
    up: FloatArray
    rest_from_world: FloatArray

    @classmethod
    def of(cls, body: Character, joint: str | None = None) -> Standing:
        """Follow the joint called ``joint``; by default the hips, or where the body first branches."""
        skeleton = body.skeleton
        if joint is not None:
            followed = skeleton.index(joint)
        else:
            followed = first_branch(skeleton)
            if body.anatomy is not None:
                followed = body.anatomy.roles.get("hips", followed)
        chain = (*reversed(skeleton.ancestors(followed)), followed)
        turned = np.array([0.0, 0.0, 0.0, 1.0])
        for each in chain:
            turned = quaternion.multiply(turned, skeleton.rest_rotations[each])
        return cls(body, followed, chain, up_of(body), quaternion.conjugate(turned))

    def places(self, frames: Frames) -> tuple[FloatArray, FloatArray]:
        """(T, 3) where the joint is in the world in metres, and (T,) where the body faces.

        The heading is the turn about ``up`` from the rest pose in radians, from -pi to pi.
        """
        skeleton, root = self.body.skeleton, self.chain[0]
        turned = frames.rotations[:, root]
        moved = frames.root if root == 0 else self._local(frames, root)
        stretch = self._scale(frames, root)
        for joint in self.chain[1:]:
            moved = moved + quaternion.rotate(turned, stretch * self._local(frames, joint))
            turned = quaternion.multiply(turned, frames.rotations[:, joint])
            stretch = stretch * self._scale(frames, joint)
        assert len(moved) == len(frames), skeleton.name
        turned = quaternion.multiply(turned, self.rest_from_world)
        return np.array(moved), wrapped(2 * np.arctan2(turned[:, :3] @ self.up, turned[:, 3]))

    def level(self, vectors: FloatArray) -> FloatArray:
        """(..., 3) the vectors without their part along ``up``."""
        return np.asarray(vectors - (vectors @ self.up)[..., None] * self.up)

    def turn(self, angles: npt.ArrayLike) -> FloatArray:
        """(..., 4) rotations about ``up`` by ``angles`` in radians."""
        return quaternion.exp(np.asarray(angles, np.float64)[..., None] * self.up)

    def _local(self, frames: Frames, joint: int) -> FloatArray:
        if frames.translations is not None:
            return frames.translations[:, joint]
        rest = self.body.skeleton.rest_translations[joint]
        return np.broadcast_to(rest, (len(frames), 3))

    def _scale(self, frames: Frames, joint: int) -> FloatArray:
        return self.body.skeleton.rest_scales[joint] if frames.scales is None else frames.scales[:, joint]


def up_of(body: Character) -> FloatArray:
    """(3,) where the top of the body is at rest; +Y as long as nobody knows better."""
    return np.array([0.0, 1.0, 0.0]) if body.anatomy is None else body.anatomy.up


def wrapped(angles: npt.ArrayLike) -> FloatArray:
    """The same angles from -pi to pi."""
    return np.asarray((np.asarray(angles, np.float64) + np.pi) % (2 * np.pi) - np.pi)


def move_body(frames: Frames, body: Character, translation: FloatArray, rotation: FloatArray | None = None) -> None:
    """Turn the whole body about the world's origin, then move it, in place.

    Args:
        frames: T poses of ``body``.
        body: its roots are what moves.
        translation: (3,) or (T, 3) metres.
        rotation: (4,) or (T, 4); left out where there is nothing to turn.
    """
    for root, place in zip(body.skeleton.roots, root_places(frames, body), strict=True):
        if rotation is not None:
            place[:] = quaternion.rotate(rotation, place)
            frames.rotations[:, root] = quaternion.multiply(rotation, frames.rotations[:, root])
        place += translation


def root_places(frames: Frames, body: Character) -> list[FloatArray]:
    """For each root of the body, its translations (T, 3), to be read and written."""
    roots = body.skeleton.roots
    if len(roots) > 1:
        fill_translations(frames, body)
    if frames.translations is None:
        return [frames.root]
    return [frames.translations[:, root] for root in roots]


def fill_translations(frames: Frames, body: Character) -> None:
    """Give the frames the translations of all joints, if they have only that of joint 0."""
    if frames.translations is None:
        filled = np.repeat(body.skeleton.rest_translations[None], len(frames), axis=0)
        filled[:, 0] = frames.root
        frames.translations, frames.root = filled, filled[:, 0]
