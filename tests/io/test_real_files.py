"""Every real character and motion loads, and loading what was saved gives the same again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character import world_positions
from mummer.io import load, save
from tests.io.real_files import assert_same_character, load_real, real_files

OWN_FORMAT = {".gltf": ".gltf", ".bvh": ".bvh", ".vrm": ".vrm"}


@pytest.mark.parametrize("path", real_files("characters", "motions"))
def test_load_save_load(path: Path, tmp_path: Path) -> None:
    character = load_real(path)
    assert len(character.skeleton) > 0
    assert np.all(np.isfinite(world_positions(character.skeleton, character.default_pose)))
    target = tmp_path / f"again{OWN_FORMAT.get(path.suffix.lower(), '.glb')}"
    save(character, target)
    assert_same_character(character, load(target))


@pytest.mark.parametrize("path", real_files("characters", extensions=(".glb", ".fbx", ".vrm", ".bvh")))
def test_humans_and_animals_have_plausible_sizes(path: Path) -> None:
    character = load(path)
    positions = world_positions(character.skeleton, character.default_pose)
    extent = float(np.ptp(positions, axis=0).max())
    # These are drawn in units of their own; glTF says metres, so they stay as they are.
    free = ("Fox.glb", "RecursiveSkeletons.glb", "RiggedSimple.glb", "Trex.glb")
    assert path.name in free or 0.05 < extent < 25, extent
