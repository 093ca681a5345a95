"""Damaged FBX files give a character or one line of error, never anything else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mummer.character import Character
from mummer.errors import FileError
from mummer.io import load
from tests.conftest import find_data
from tests.io.fbx.ascii_fbx import two_joints

pytest.importorskip("ufbx")
UNHURRIED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def rich_scene() -> bytes:
    scene, hip, head = two_joints()
    body = scene.add_model("body", kind="Mesh")
    mesh = scene.add_mesh(body, [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2, 3)])
    scene.add_skin(mesh, [(hip, [0, 1], [1, 1], (0, 1, 0)), (head, [2, 3], [1, 0.5], (0, 3, 0))])
    channel = scene.add_blend(mesh, "smile", [0], [(0, 0, 1)], 25)
    layer = scene.add_stack("walk", (0, 1))
    scene.add_curve(layer, hip, "Lcl Rotation", {"d|Y": ((0, 1), (0, 90))})
    scene.add_curve(layer, channel, "DeformPercent", {"d|DeformPercent": ((0, 1), (0, 100))})
    return scene.data()


def binary_file() -> bytes | None:
    root = find_data()
    return None if root is None else (root / "characters/100avatars/100Avatars_013_Mint.fbx").read_bytes()


def damaged(data: bytes, seed: int) -> bytes:
    """The file with bytes changed, a piece cut out or doubled, a number made huge, or the end missing."""
    rng = np.random.default_rng(seed)
    content = bytearray(data)
    for _ in range(rng.integers(1, 6)):
        place = int(rng.integers(0, len(content)))
        match rng.integers(0, 5):
            case 0:
                content[place] = int(rng.integers(0, 256))
            case 1:
                del content[place : place + int(rng.integers(1, 64))]
            case 2:
                content[place:place] = content[place : place + int(rng.integers(1, 64))]
            case 3:
                content[place : place + 4] = b"\xff\xff\xff\x7f" if rng.integers(0, 2) else b"9999"
            case _ if rng.integers(0, 4) == 0:
                del content[place:]
        if not content:
            break
    return bytes(content)


def check(data: bytes, path: Path) -> None:
    path.write_bytes(data)
    try:
        outcome: Character | str = load(path)
    except FileError as error:
        outcome = str(error)
    assert isinstance(outcome, Character) or "\n" not in outcome


@settings(max_examples=12, deadline=None, suppress_health_check=UNHURRIED)
@given(seed=st.integers(0, 2**32 - 1))
def test_damaged_ascii(seed: int, tmp_path: Path) -> None:
    check(damaged(rich_scene(), seed), tmp_path / "damaged.fbx")


@settings(max_examples=12, deadline=None, suppress_health_check=UNHURRIED)
@given(seed=st.integers(0, 2**32 - 1))
def test_damaged_binary(seed: int, tmp_path: Path) -> None:
    data = binary_file()
    if data is None:
        pytest.skip("real files are not here: set MUMMER_DATA")
    check(damaged(data, seed), tmp_path / "damaged.fbx")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_damaged_at_length(seed: int, tmp_path: Path) -> None:
    source = (seed % 2 and binary_file()) or rich_scene()
    check(damaged(source, seed), tmp_path / "damaged.fbx")
