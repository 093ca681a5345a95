"""Bodies without a mesh: each bone a solid octahedron, each joint a small ball, sized by the body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose, world_positions
from mummer.character.mesh import Material
from mummer.render.camera import TINY
from mummer.render.look import Look, linear
from mummer.render.shown import finite_bounds, shown
from mummer.render.sides import joint_sides, side_colors
from mummer.render.surface import Part

BALL, WAIST, WIDEST = 0.012, 0.15, 0.032
"""Radius of a ball and greatest radius of a bone in parts of the body's size; of a bone in parts of its length."""
_CORNERS = np.array([[0, 0, 0], [1, 0.2, 0], [0, 0.2, 1], [-1, 0.2, 0], [0, 0.2, -1], [0, 1, 0]], np.float64)
_FACES = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [5, 2, 1], [5, 3, 2], [5, 4, 3], [5, 1, 4]])


@dataclass(frozen=True, eq=False)
class SolidBones:
    """The bones and joints of a skeleton as solids.

    Attributes:
        character: whose.
        look: the colours.
    """

    character: Character
    look: Look

    @cached_property
    def bones(self) -> IntArray:
        """(B,) joints that a bone leads to from their parent."""
        places = self._rest
        parents = self.character.skeleton.parents
        joints = np.flatnonzero(parents >= 0)
        lengths = np.linalg.norm(places[joints] - places[parents[joints]], axis=1)
        return joints[lengths > 1e-6 * self.size]

    @cached_property
    def size(self) -> float:
        """Metres along the longest side of the body at rest."""
        low, high = finite_bounds(self._rest)
        return max(float(np.max(high - low)), TINY)

    @cached_property
    def _rest(self) -> FloatArray:
        return shown(world_positions(self.character.skeleton, Pose.rest(self.character.skeleton)))

    def part(self) -> Part:
        """Triangles and colours; the order of vertices is that of `shapes`."""
        joints, bones = len(self.character.skeleton), len(self.bones)
        corners = np.arange(24 * bones).reshape(-1, 3)
        ball_vertices, ball_faces = _ball()
        starts = 24 * bones + len(ball_vertices) * np.arange(joints)
        faces = np.concatenate([corners, (starts[:, None, None] + ball_faces).reshape(-1, 3)])
        tint = linear(side_colors(joint_sides(self.character), self.look))
        bone_tint = 0.35 * tint + 0.65 * linear(np.array([205.0, 205.0, 200.0]))
        colors = np.concatenate(
            [np.repeat(bone_tint[self.bones], 24, axis=0), np.repeat(tint, len(ball_vertices), axis=0)]
        )
        return Part(faces, colors.astype(np.float32), None, Material(roughness=0.55))

    def shapes(self, poses: Pose) -> tuple[FloatArray, FloatArray]:
        """(T, V, 3) places and (T, V, 3) normals of the solids in a batch of T poses."""
        places = shown(world_positions(self.character.skeleton, poses))
        tops, ends = places[:, self.character.skeleton.parents[self.bones]], places[:, self.bones]
        corners = _octahedra(tops, ends, WIDEST * self.size)[..., _FACES, :]
        flat = np.cross(corners[..., 1, :] - corners[..., 0, :], corners[..., 2, :] - corners[..., 0, :])
        flat /= np.maximum(np.linalg.norm(flat, axis=-1, keepdims=True), 1e-30)
        frames = len(places)
        ball, _ = _ball()
        balls = (places[:, :, None] + BALL * self.size * ball).reshape(frames, -1, 3)
        positions = np.concatenate([corners.reshape(frames, -1, 3), balls], axis=1)
        round_normals = np.broadcast_to(np.tile(ball, (places.shape[1], 1)), balls.shape)
        bone_normals = np.repeat(flat[..., None, :], 3, axis=-2).reshape(frames, -1, 3)
        return positions, np.concatenate([bone_normals, round_normals], axis=1)


def _octahedra(tops: FloatArray, ends: FloatArray, widest: float) -> FloatArray:
    """(T, B, 6, 3) corners of bones from ``tops`` to ``ends``, both (T, B, 3)."""
    along = ends - tops
    length = np.linalg.norm(along, axis=-1, keepdims=True)
    direction = along / np.maximum(length, 1e-30)
    helper = np.where(np.abs(direction[..., 1:2]) < 0.9, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    across = np.cross(direction, helper)
    across /= np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-30)
    # A basis (across, along, third) that is right-handed keeps the faces outward.
    third = np.cross(across, direction)
    radius = np.minimum(WAIST * length, widest)
    x, y, z = (_CORNERS[:, axis, None] for axis in range(3))
    return (
        tops[..., None, :]
        + x * (across * radius)[..., None, :]
        + y * along[..., None, :]
        + z * (third * radius)[..., None, :]
    )


def _ball(rings: int = 7, around: int = 10) -> tuple[FloatArray, IntArray]:
    """(V, 3) unit vectors and (F, 3) triangles of a ball."""
    polar = np.linspace(0, np.pi, rings)[:, None]
    turn = np.linspace(0, 2 * np.pi, around + 1)[None, :]
    vertices = np.stack(np.broadcast_arrays(np.sin(polar) * np.sin(turn), np.cos(polar), np.sin(polar) * np.cos(turn)))
    index = np.arange(rings * (around + 1)).reshape(rings, around + 1)
    first = np.stack([index[:-1, :-1], index[1:, :-1], index[1:, 1:]], axis=-1)
    second = np.stack([index[:-1, :-1], index[1:, 1:], index[:-1, 1:]], axis=-1)
    return np.moveaxis(vertices, 0, -1).reshape(-1, 3), np.concatenate([first, second]).reshape(-1, 3)
