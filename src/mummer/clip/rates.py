"""Frames a second of what a clip plays."""

from __future__ import annotations

import numpy as np

from mummer.clip.clip import Clip
from mummer.clip.sampled import Sampled

SLOWEST, FASTEST = 1.0, 240.0
"""Frames a second that keys alone can tell of."""


def rate_of(clip: Clip) -> float | None:
    """Frames a second of the recordings in a clip: the highest that is stated or seen in their keys; None without."""
    if not isinstance(clip, Sampled):
        return max((rate for part in clip.parts if (rate := rate_of(part)) is not None), default=None)
    recording = clip.recording
    if recording.frame_rate:
        return float(recording.frame_rate)
    steps = np.diff(recording.key_times)
    return float(np.clip(round(1.0 / float(np.median(steps)), 3), SLOWEST, FASTEST)) if len(steps) else None
