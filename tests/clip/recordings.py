"""Real recordings as clips, and how hard they accelerate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.clip.clip import Clip
from mummer.clip.retimed import Trim
from mummer.clip.sampled import Sampled
from mummer.math import quaternion

CMU = "motions/cmu-cgspeed"
RATE = 120.0


def cmu(data_dir: Path, name: str) -> Clip:
    """A recording of a person, without the T-pose that these files begin with."""
    path = data_dir / CMU / f"{name}.bvh"
    if not path.exists():
        pytest.skip(f"{name}.bvh is not among the real files")
    character = mm.load(path)
    clip = Sampled(character, character.recordings[0])
    return Trim(clip, clip.start + 2 / RATE, clip.end)


def accelerations(clip: Clip, *, rate: float = RATE) -> tuple[np.ndarray, np.ndarray]:
    """(T,) times and (T,) the largest angular acceleration of any joint, in radians a second squared."""
    times = clip.times(rate)
    poses, step = clip.sample(times), (times[-1] - times[0]) / (len(times) - 1)
    turns = quaternion.multiply(poses.rotations[1:], quaternion.conjugate(poses.rotations[:-1]))
    spins = quaternion.log(turns) / step
    return times[1:-1], np.linalg.norm(np.diff(spins, axis=0) / step, axis=-1).max(axis=1)


def root_accelerations(clip: Clip, *, rate: float = RATE) -> tuple[np.ndarray, np.ndarray]:
    """(T,) times and (T,) the acceleration of joint 0 in metres a second squared."""
    times = clip.times(rate)
    step = (times[-1] - times[0]) / (len(times) - 1)
    places = clip.sample(times).root_translation
    assert places is not None
    return times[1:-1], np.linalg.norm(np.diff(places, 2, axis=0) / step**2, axis=-1)
