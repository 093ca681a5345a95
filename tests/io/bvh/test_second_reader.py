"""Joint positions of every real file agree with three.js in every frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character import world_positions
from mummer.io import bvh, save
from mummer.io.axes import AxisChange
from tests.io.bvh.three_reader import read_with_three
from tests.io.real_files import real_files
from tests.io.usd.test_second_reader_usd import swaying
from tests.second_readers.blender import ask_blender

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


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "scale"), [("cm", 0.01), ("m", 1.0)])
def test_blender_has_our_size_once_it_is_told_the_unit(unit: str, scale: float, tmp_path: Path) -> None:
    body = swaying("adult")
    told = str(save(body, tmp_path / "body.bvh", unit=unit))
    assert ("import with scale 0.01" in told) == (unit == "cm")
    times = body.recordings[0].key_times
    job = {"path": str(tmp_path / "body.bvh"), "motion": None, "times": times.tolist()}
    (answer,) = ask_blender([job | {"scale": scale, "first_frame": 1}])
    ours = world_positions(body.skeleton, body.recordings[0].sample(times))
    for frame, heads in enumerate(answer["heads"]):
        joints = [joint for joint, name in enumerate(body.skeleton.names) if name in heads]  # tips are End Sites
        theirs = np.array([heads[body.skeleton.names[joint]] for joint in joints])
        assert len(joints) > 20
        assert np.abs(ours[frame, joints] - theirs).max() < TOLERANCE * 1.7
