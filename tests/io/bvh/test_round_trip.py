"""What is written reads back: random bodies, random channel orders, and every real file."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer.character import Character, world_positions
from mummer.io import bvh
from tests.io.bvh.making import bodies, read
from tests.io.real_files import assert_same_character, real_files

AXES = [" ".join(f"{axis}rotation" for axis in order) for order in itertools.permutations("XYZ")]
PLACES = "Xposition Yposition Zposition"


def again(character: Character, folder: Path, **options: object) -> Character:
    """The character written and read back, by name in the order it had."""
    path = folder / "again.bvh"
    report = bvh.write(character, path, **options)  # type: ignore[arg-type]
    told = next((finding.message for finding in report if "read it with" in finding.message), None)
    stated = {} if told is None else {"metres_per_unit": 0.01, "up": "+Y", "positions": "replace"}
    return bvh.read(path.read_bytes(), path, **stated)  # type: ignore[arg-type]


def frames(character: Character, like: Character) -> np.ndarray:
    """(T, J, 3) joint positions in the joint order of another character."""
    order = character.skeleton.indices(like.skeleton.names)
    return world_positions(character.skeleton, character.recordings[0].frames())[:, order]


@given(character=bodies())
@settings(deadline=None, max_examples=60)
def test_random_bodies_keep_every_joint_in_place(
    character: Character, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = again(character, tmp_path_factory.mktemp("bvh"))
    assert np.abs(frames(found, character) - frames(character, character)).max() < 1e-6


@given(character=bodies(identity_rest=True, frames=3))
@settings(deadline=None, max_examples=30)
def test_bodies_without_rest_rotations_keep_their_rotations(
    character: Character, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = again(character, tmp_path_factory.mktemp("bvh"))
    order = found.skeleton.indices(character.skeleton.names)
    mine = character.recordings[0].frames().rotations
    other = found.recordings[0].frames().rotations[:, order]
    assert np.allclose(np.abs(np.sum(mine * other, axis=-1)), 1, rtol=0, atol=1e-12)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A chain of joints with channels of any kind, order and number, and up to four frames."""
    count = draw(st.integers(1, 4))
    text, columns = "HIERARCHY\n", 0
    for joint in range(count):
        channels = draw(st.sampled_from([*AXES, f"{PLACES} {AXES[0]}", f"{AXES[3]} {PLACES}", "Yrotation", ""]))
        columns += len(channels.split())
        text += f"{'JOINT' if joint else 'ROOT'} j{joint}\n{{\nOFFSET 0 {10 + joint} {joint}\n"
        text += f"CHANNELS {len(channels.split())} {channels}\n"
    rows = draw(st.lists(st.lists(st.floats(-180, 180), min_size=columns, max_size=columns), max_size=4))
    text += "End Site\n{\nOFFSET 1 2 3\n}\n" + "}\n" * count
    lines = "".join(" ".join(f"{value:.6f}" for value in row) + "\n" for row in rows)
    return text + f"MOTION\nFrames: {len(rows)}\nFrame Time: 0.04\n{lines}"


@given(text=texts())
@settings(deadline=None, max_examples=60)
def test_files_read_the_same_after_writing(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    first = bvh.read(text.encode())
    path = tmp_path_factory.mktemp("bvh") / "again.bvh"
    bvh.write(first, path)
    assert first.source is not None
    unit, up, meaning = first.source.metres_per_unit, first.source.up, first.source.details["joint_positions"]
    second = bvh.read(path.read_bytes(), path)
    if second.recordings and first.recordings:
        assert second.source is not None
        assert (second.source.up, second.source.metres_per_unit) == (up, unit), meaning
        assert np.abs(frames(second, first) - frames(first, first)).max() < 1e-6
        assert second.source.details["channels"] == first.source.details["channels"]
    assert second.skeleton.names == first.skeleton.names


@pytest.mark.parametrize("path", real_files("characters", "motions", extensions=(".bvh",)))
def test_real_files(path: Path, tmp_path: Path) -> None:
    first = bvh.read(path.read_bytes(), path)
    target = tmp_path / "again.bvh"
    report = bvh.write(first, target)
    second = bvh.read(target.read_bytes(), target)
    assert not report
    assert_same_character(first, second, tolerance=1e-7)
    assert second.report == first.report
    assert first.source is not None
    assert second.source is not None
    assert second.source.details == first.source.details
    assert np.array_equal(first.recordings[0].key_times, second.recordings[0].key_times)


def test_reading_is_the_same_every_time() -> None:
    text = "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 1\n5\n"
    assert np.array_equal(read(text).recordings[0].frames().rotations, read(text).recordings[0].frames().rotations)
