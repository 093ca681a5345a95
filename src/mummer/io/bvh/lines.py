"""Lines of a BVH file as they come: a frame of numbers each, read as poses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from mummer.character import Pose
from mummer.errors import InputError
from mummer.io.bvh.conventions import Conventions
from mummer.io.bvh.parse import parse, without_ends
from mummer.io.bvh.reader import read, recording_of
from mummer.io.limits import DEFAULT_LIMITS
from mummer.report import ReportBuilder

MOST_LINE = 100_000
"""Letters of a line."""


class Lines:
    """Reads frames of a skeleton that is known, one at a time.

    Attributes:
        character: whose poses they are.
    """

    def __init__(self, head: bytes, path: Path | None = None) -> None:
        """Lines of a file.

        Args:
            head: a BVH file; frames that it has tell in which axes and units the lines will be.
            path: where it came from, for messages.
        """
        self.character = read(head, path)
        found = parse(head, path, DEFAULT_LIMITS, ReportBuilder())
        self._document = without_ends(found, only_empty=True)
        source = self.character.source
        assert source is not None
        said = source.details
        self._conventions = Conventions(
            up=source.up, metres_per_unit=source.metres_per_unit, root_positions=said["root_positions"],
            joint_positions=said["joint_positions"],
        )  # fmt: skip

    def pose(self, line: str) -> Pose:
        """The pose of a line.

        Raises:
            InputError: if it is not as many finite numbers as the skeleton has channels.
        """
        count = self._document.channel_count
        try:
            numbers = np.array([float(word) for word in line[:MOST_LINE].split()])
        except ValueError:
            numbers = np.empty(0)
        if len(numbers) != count or not np.isfinite(numbers).all():
            raise InputError(f"a line of motion is {line[:40]!r}; expected {count} finite numbers")
        skeleton = self.character.skeleton
        recording = recording_of(replace(self._document, values=numbers[None]), skeleton, self._conventions)
        rotations, root = np.array(skeleton.rest_rotations), np.array(skeleton.rest_translations[0])
        for curve in recording.curves:
            if curve.path == "rotation":
                rotations[curve.targets] = curve.values[0]
            elif curve.path == "translation" and 0 in curve.targets:
                root = np.asarray(curve.values[0][list(curve.targets).index(0)])
        return Pose(rotations, root)
