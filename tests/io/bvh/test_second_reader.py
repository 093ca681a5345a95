"""Joint positions of every real file agree with three.js in every frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character import world_positions
from mummer.io import bvh
from mummer.io.axes import AxisChange
from tests.io.bvh.three_reader import read_with_three
from tests.io.real_files import real_files

TOLERANCE = 1e-4


@pytest.mark.parametrize("path", real_files("characters", "motions", extensions=(".bvh",)))
def test_positions_agree_with_three(path: Path, tmp_path: Path) -> None:
    character = bvh.read(path.read_bytes(), path)
    other = read_with_three(path, character, tmp_path)
    source = character.source
    assert source is not None
    ours = world_positions(character.skeleton, character.recordings[0].frames())
    in_file_axes = AxisChange(source.up).undo_vectors(ours) / source.metres_per_unit
    assert in_file_axes.shape == other.positions.shape
    height = float(np.ptp(other.positions[0], axis=0).max())
    assert np.abs(in_file_axes - other.positions).max() < TOLERANCE * height


@pytest.mark.parametrize("path", real_files("motions/animated-drawings", extensions=(".bvh",)))
def test_what_we_write_reads_the_same_in_three(path: Path, tmp_path: Path) -> None:
    character = bvh.read(path.read_bytes(), path)
    target = tmp_path / "written.bvh"
    bvh.write(character, target, up="+Y", metres_per_unit=0.01)
    other = read_with_three(target, bvh.read(target.read_bytes(), target), tmp_path)
    ours = world_positions(character.skeleton, character.recordings[0].frames())
    height = float(np.ptp(ours[0], axis=0).max())
    assert np.abs(ours - other.positions * 0.01).max() < TOLERANCE * height
