"""Frames a second of what a clip plays."""

from __future__ import annotations

import numpy as np

from mummer.clip.clip import Clip
from mummer.clip.sampled import Sampled


def rate_of(clip: Clip) -> float | None:
    """Frames a second of the recording that a clip plays, if it is one and says so."""
    recording = clip.recording if isinstance(clip, Sampled) else None
    if recording is None:
        return None
    if recording.frame_rate:
        return float(recording.frame_rate)
    keys = recording.key_times
    return float(np.clip(1.0 / np.median(np.diff(keys)), 1.0, 240.0)) if len(keys) > 1 else None
