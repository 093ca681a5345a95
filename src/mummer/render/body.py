"""A body made ready to be drawn: its looks once, its shape for each frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import world_positions
from mummer.character.deform import Method, deform
from mummer.errors import InputError
from mummer.render.bones import SolidBones
from mummer.render.camera import TINY
from mummer.render.look import Look
from mummer.render.shown import finite, shown
from mummer.render.subject import Subject
from mummer.render.surface import Part, Shape, part_of_mesh

NUMBERS_A_CHUNK = 6_000_000
"""Coordinates that are bent at once, to bound memory however long the motion is."""
FRAMES_FOR_BOUNDS = 24
SMOOTHED = 0.16
"""Seconds before and after a moment over which the way of a body is smoothed."""


@dataclass(frozen=True, eq=False)
class Body:
    """A subject and how to draw it.

    Attributes:
        subject: body and poses.
        method: of skinning.
        look: colours of bodies without a mesh.
    """

    subject: Subject
    method: Method
    look: Look

    @cached_property
    def has_mesh(self) -> bool:
        """Whether the character has any triangle; if not, its bones are drawn as solids."""
        return any(len(mesh.triangles) for mesh in self.subject.character.meshes)

    @cached_property
    def _bones(self) -> SolidBones:
        return SolidBones(self.subject.character, self.look)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The looks of its meshes, or of its bones."""
        if not self.has_mesh:
            return (self._bones.part(),)
        return tuple(part_of_mesh(mesh) for mesh in self.subject.character.meshes)

    @cached_property
    def vertices(self) -> int:
        """How many vertices it has."""
        return sum(len(part.colors) for part in self.parts)

    @cached_property
    def joints(self) -> FloatArray:
        """(T, J, 3) where its joints are, metres."""
        return shown(world_positions(self.subject.character.skeleton, self.subject.poses))

    @cached_property
    def track(self) -> FloatArray:
        """(T, 3) the middle of its joints on the ground plane (y = 0), smoothed over moments that are near in time."""
        there = np.isfinite(self.joints).all(axis=2, keepdims=True)
        total = np.where(there, self.joints, 0.0).sum(axis=1)
        middle = total / np.maximum(there.sum(axis=1), 1) * [1.0, 0.0, 1.0]
        times = self.subject.times
        near = int(SMOOTHED * (len(times) - 1) / max(float(times[-1] - times[0]), TINY)) if len(times) > 1 else 0
        reach = min(near, (len(middle) - 1) // 2)
        padded = np.pad(middle, ((reach, reach), (0, 0)), mode="edge")
        return np.mean([padded[shift : shift + len(middle)] for shift in range(2 * reach + 1)], axis=0)

    def shapes(self, frames: Sequence[int]) -> Iterator[Shape]:
        """Its shape at some frames, bent a chunk of them at a time; beyond its last frame it keeps its last pose."""
        wanted = np.minimum(np.asarray(frames, np.int64), len(self.subject) - 1)
        chunk = max(1, NUMBERS_A_CHUNK // (6 * max(1, self.vertices)))
        for start in range(0, len(wanted), chunk):
            positions, normals = self._bend(self.subject.at(wanted[start : start + chunk]), with_normals=True)
            for frame in range(len(positions)):
                yield Shape(positions[frame], normals[frame])

    def outline(self, *, with_joints: bool, joints: FloatArray | None = None) -> tuple[FloatArray, IntArray]:
        """Points that span the body, or a part of it, over the whole motion.

        Args:
            with_joints: whether joints count; they may lie far off the surface.
            joints: (J,) 1 for those whose surface counts, else 0; all if None.

        Returns:
            (N, 3) the outermost points in many directions, and (N,) the frame of each.

        Raises:
            InputError: if there is none.
        """
        count = min(len(self.subject), FRAMES_FOR_BOUNDS)
        frames = np.unique(np.linspace(0, len(self.subject) - 1, count).round().astype(int))
        directions = _directions()
        own = slice(None) if joints is None or not self.has_mesh else self._carried_by(joints)
        points, when = [], []
        for frame in frames:
            positions, _ = self._bend(self.subject.at(slice(frame, frame + 1)), with_normals=False)
            places = finite(positions[0][own])
            if len(places):
                x, y, z = np.ascontiguousarray(places.T)
                farthest = [int(np.argmax(x * across + y * up + z * ahead)) for across, up, ahead in directions]
                outermost = places[np.unique(farthest)]
                points.append(outermost)
                when.append(np.full(len(outermost), frame))
        if with_joints or not points:
            places = self.joints[frames] if joints is None else self.joints[frames][:, joints > 0]
            points.append(places.reshape(-1, 3))
            when.append(np.repeat(frames, places.shape[1]))
        found, frame_of = np.concatenate(points), np.concatenate(when)
        there = np.isfinite(found).all(axis=1)
        if not there.any():
            raise InputError(f"nothing of {self.subject.character.name!r} can be shown: no place of it is a number")
        return found[there], frame_of[there]

    def _carried_by(self, joints: FloatArray) -> IntArray:
        """(n,) the vertices that more than half of what moves them is one of ``joints`` (J,)."""
        shares = []
        for mesh in self.subject.character.meshes:
            carried = joints[mesh.skin.joints][mesh.skin.indices]
            shares.append((carried * mesh.skin.weights).sum(axis=1))
        return np.flatnonzero(np.concatenate(shares) > 0.5)

    def _bend(self, subject: Subject, *, with_normals: bool) -> tuple[FloatArray, FloatArray]:
        if not self.has_mesh:
            positions, normals = self._bones.shapes(subject.poses)
            return positions, np.ascontiguousarray(normals, np.float32)
        bent = deform(subject.character, subject.poses, method=self.method, with_normals=with_normals)
        positions = shown(np.concatenate([mesh.positions for mesh in bent], axis=1).astype(np.float64))
        if not with_normals:
            return positions, positions
        flat = [np.zeros_like(mesh.positions) if mesh.normals is None else mesh.normals for mesh in bent]
        normals = np.nan_to_num(np.concatenate(flat, axis=1)).astype(np.float32)
        return positions, normals


def _directions(count: int = 48) -> FloatArray:
    """(count, 3) unit vectors spread evenly over the sphere."""
    place = np.arange(count) + 0.5
    height, turn = 1 - 2 * place / count, np.pi * (1 + 5**0.5) * place
    radius = np.sqrt(1 - height**2)
    return np.stack([radius * np.cos(turn), height, radius * np.sin(turn)], axis=1)
