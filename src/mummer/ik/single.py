"""One pose as a batch of one and back, without looking at its arrays again: for callers that solve by the thousand."""

from __future__ import annotations

from typing import Any

from mummer.character import Pose


def as_batch(pose: Pose) -> Pose:
    """The pose as a batch of one, or the batch that it already is."""
    return pose if pose.shape else _indexed(pose, None)


def first_of(pose: Pose) -> Pose:
    """The first pose of a batch (B,)."""
    return _indexed(pose, 0)


def _indexed(pose: Pose, index: Any) -> Pose:
    def at(values: Any) -> Any:
        return None if values is None else values[index]

    return Pose.unchecked(
        pose.rotations[index],
        at(pose.root_translation),
        at(pose.translations),
        at(pose.scales),
        at(pose.morphs),
    )
