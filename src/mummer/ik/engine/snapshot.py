"""Snapshots: the body as it is in frames that are still being written to."""

from __future__ import annotations

import numpy as np

from mummer.character import Character
from mummer.clip.frames import Frames
from mummer.ik.world_state import WorldState


def snapshot(body: Character, frames: Frames) -> WorldState:
    """The body as it is in ``frames`` now, whatever becomes of them."""
    return WorldState(body, frames.select(np.arange(len(frames))).to_pose())
