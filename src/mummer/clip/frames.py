"""Frames: poses while they are being made, in arrays that their owner may still write to."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character, Pose

Rows = IntArray | BoolArray | slice
"""Which of T frames: indices, a mask or a slice."""


class Frames:
    """A batch of T poses that an operator fills and hands to the operator above, which may write into it.

    Attributes:
        rotations: (T, J, 4) parent_from_joint.
        root: (T, 3) translation of joint 0.
        translations: (T, J, 3) of every joint, or None if all but joint 0 are as at rest; its first row is ``root``.
        scales: (T, J, 3), or None if as at rest.
        morphs: (T, M), or None if all are zero.
    """

    __slots__ = ("morphs", "root", "rotations", "scales", "translations")

    def __init__(
        self,
        rotations: FloatArray,
        root: FloatArray,
        translations: FloatArray | None = None,
        scales: FloatArray | None = None,
        morphs: FloatArray | None = None,
    ) -> None:
        self.rotations, self.scales, self.morphs, self.translations = rotations, scales, morphs, translations
        self.root = root if translations is None else translations[:, 0]

    @classmethod
    def of_pose(cls, pose: Pose, count: int) -> Frames:
        """One pose repeated ``count`` times."""

        def spread(values: FloatArray | None) -> FloatArray | None:
            return None if values is None else np.repeat(values[None], count, axis=0)

        rotations, root = spread(pose.rotations), spread(pose.root_translation)
        assert rotations is not None
        assert root is not None
        return cls(rotations, root, spread(pose.translations), spread(pose.scales), spread(pose.morphs))

    def __len__(self) -> int:
        return len(self.rotations)

    def to_pose(self) -> Pose:
        """The same as a pose; do not write to these frames afterwards."""
        return Pose(self.rotations, self.root, self.translations, self.scales, self.morphs)

    def widen(self, other: Frames, body: Character) -> None:
        """Fill in what ``other`` carries and these do not, with rest values, so that both can be combined."""
        count = len(self)
        if self.translations is None and other.translations is not None:
            filled = np.repeat(body.skeleton.rest_translations[None], count, axis=0)
            filled[:, 0] = self.root
            self.translations, self.root = filled, filled[:, 0]
        if self.scales is None and other.scales is not None:
            self.scales = np.repeat(body.skeleton.rest_scales[None], count, axis=0)
        if self.morphs is None and other.morphs is not None:
            self.morphs = np.zeros((count, other.morphs.shape[1]))

    def select(self, rows: Rows) -> Frames:
        """The frames at ``rows``, indices or a mask, in arrays of their own."""

        def pick(values: FloatArray | None) -> FloatArray | None:
            return None if values is None else values[rows]

        return Frames(
            self.rotations[rows], self.root[rows], pick(self.translations), pick(self.scales), pick(self.morphs)
        )

    def put(self, rows: Rows, other: Frames, body: Character) -> None:
        """Write ``other`` into the frames at ``rows``."""
        self.rotations[rows] = other.rotations
        self.put_others(rows, other, body)

    def put_others(self, rows: Rows, other: Frames, body: Character) -> None:
        """Write all of ``other`` but its rotations into the frames at ``rows``."""
        self.widen(other, body)
        other.widen(self, body)
        self.root[rows] = other.root
        for name in ("translations", "scales", "morphs"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine is not None:
                mine[rows] = theirs
