"""The tests' own measure of a process: it counts that process, whatever size the tests have grown to."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from tests.alone import run_alone

MEGABYTE = 1024


def test_the_size_of_the_tests_is_not_counted(tmp_path: Path) -> None:
    here = np.ones(400 << 17)  # 400 MB, touched
    small = run_alone([sys.executable, "-S", "-c", "print(1)"], tmp_path / "out", tmp_path / "err")
    assert here[-1] == 1
    assert small.code == 0
    assert (tmp_path / "out").read_text() == "1\n"
    assert small.kilobytes < 100 * MEGABYTE


def test_what_a_command_takes_is_counted(tmp_path: Path) -> None:
    greedy = "held = b'x' * (300 << 20); raise SystemExit(3)"
    large = run_alone([sys.executable, "-S", "-c", greedy], tmp_path / "out", tmp_path / "err")
    assert large.code == 3
    assert 300 * MEGABYTE < large.kilobytes < 500 * MEGABYTE
    assert large.seconds > 0
