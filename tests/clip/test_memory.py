"""Memory grows with what is asked for: ten minutes through ten operators, saved, in less than a gibibyte."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

LIMIT = 1 << 30

SCRIPT = """
import resource, sys
import numpy as np
from benchmarks.clips import made_body, made_clip
from benchmarks.cases.clip_expression import expression, operators
from mummer.io import save

seconds, rate, target = float(sys.argv[1]), 60.0, sys.argv[2]
body = made_body()
# The loop at the top doubles what it is given.
leaves = [made_clip(body, seed=seed, seconds=seconds / 2, rate=rate) for seed in (1, 2, 3)]
made = expression(*leaves)
assert operators(made) == 10 and len(body.skeleton) == 64, operators(made)
recording = made.to_recording(rate, name="long")
assert abs(recording.duration - seconds) < 0.1, recording.duration
save(body.replace(recordings=(recording,)), target)
print(len(recording.key_times), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def peak(seconds: float, target: Path) -> tuple[int, int]:
    """Frames written, and the largest resident size in bytes of a child that made, baked and saved them."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(seconds), str(target)],
        cwd=REPOSITORY, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    frames, size = done.stdout.split()
    return int(frames), int(size)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read as Linux counts it")
def test_ten_minutes_through_ten_operators_stay_below_a_gibibyte(tmp_path: Path) -> None:
    frames, size = peak(600.0, tmp_path / "long.glb")
    assert frames == 36_001
    assert (tmp_path / "long.glb").stat().st_size > 36_000 * 64 * 16
    assert size < LIMIT


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read as Linux counts it")
def test_a_short_stretch_of_a_long_motion_needs_little(tmp_path: Path) -> None:
    """Ten times the frames need more memory, and ten times fewer need less: nothing is held for its own sake."""
    short, long = peak(30.0, tmp_path / "short.glb")[1], peak(300.0, tmp_path / "long.glb")[1]
    assert short < 0.7 * long
