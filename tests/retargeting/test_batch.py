"""Many motions onto many bodies: little memory, interrupted and taken up again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from tests.retargeting.walk import walk

GIBIBYTE = 2**30


def make_motions(folder: Path, count: int, *, seconds: float = 0.5) -> None:
    """Short walks, each from another moment at another pace, mirrored or not."""
    from mummer.clip.recorded import bake

    rng, whole = np.random.default_rng(0), walk(seconds=3.0, rate=30.0)
    for number in range(count):
        start = float(rng.uniform(0.0, whole.duration - seconds))
        clip = whole.trimmed(start, start + seconds)
        clip = clip.mirrored() if number % 2 else clip
        made = bake(clip.at_speed(float(rng.uniform(0.8, 1.25))), 30.0)
        mm.save(made.body.replace(recordings=(made.recording,)), folder / f"walk_{number:04d}.bvh")


def memory_of(process: int) -> int:
    """Bytes that a process and those it started hold for themselves, in all."""
    total = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                group, pages = int(fields[2]), int((folder / "statm").read_text().split()[1])
            except (OSError, IndexError):
                continue
            total += pages * os.sysconf("SC_PAGE_SIZE") if group == process else 0
    return total


def start(motions: Path, bodies: list[str], output: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "mummer", "retarget", str(motions), *bodies, "-o", str(output), "-j", "2"]
    return subprocess.Popen([*command, "--no-measure"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            start_new_session=True)  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_a_folder_is_interrupted_and_taken_up_again_in_little_memory(tmp_path: Path) -> None:
    motions, output = tmp_path / "motions", tmp_path / "out"
    motions.mkdir()
    make_motions(motions, 16)
    bodies = ["zoo:child", "zoo:giant", "zoo:hunched"]
    first = start(motions, bodies, output)
    most = 0
    while len(list(output.glob("*.glb"))) < 10:
        assert first.poll() is None, first.stderr and first.stderr.read().decode()
        most = max(most, memory_of(first.pid))
        time.sleep(0.2)
    os.killpg(first.pid, signal.SIGINT)
    first.communicate(timeout=60)
    assert first.returncode not in (0, None)
    stamps = {path: path.stat().st_mtime_ns for path in output.glob("*.glb")}
    assert 10 <= len(stamps) < 48
    # Nothing half-written is left behind.
    assert all(mm.load(path).recordings for path in list(stamps)[-3:])
    again = start(motions, bodies, output)
    while again.poll() is None:
        most = max(most, memory_of(again.pid))
        time.sleep(0.2)
    again.communicate()
    assert again.returncode == 0
    assert len(list(output.glob("*.glb"))) == 48
    kept = [path.stat().st_mtime_ns == stamp for path, stamp in stamps.items()]
    # Those whose record was not yet written when the signal came are done again: at most one a worker.
    assert sum(kept) >= len(kept) - 2
    assert most < 2 * GIBIBYTE
