"""Compiled loops stay within their arrays, and numbers stay numbers: everything once more with both checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.under_bounds import CHARACTERS, MOTIONS, failures, known

FEW = {
    "draw": ("khronos/Fox.glb", "100avatars/100Avatars_013_Mint.fbx", "smartbody/ChrBrad.sk"),
    "motions": (
        "makehuman/mh_tpose.bvh",
        "cmu-cgspeed/cmu_02_01_walk.bvh",
        "smartbody/ChrHarmony_Relax001_HandReach2.skm",
    ),
}


def test_strange_bodies_are_drawn() -> None:
    assert failures("strange", "24") == []


def test_damaged_streams_are_decoded_or_refused() -> None:
    assert failures("streams", "300") == []


def test_some_characters_are_drawn(data_dir: Path) -> None:
    assert failures("draw", *(data_dir / "characters" / name for name in FEW["draw"])) == []


def test_motions_of_joints_alone_find_a_skeleton(data_dir: Path) -> None:
    for file in (data_dir / "motions" / "smartbody").glob("*.skm"):
        assert known(str(file)).recordings  # else they would be refused, which is no failure above


def test_some_motions_go_onto_three_bodies(data_dir: Path) -> None:
    assert failures("motions", *(data_dir / "motions" / name for name in FEW["motions"])) == []


@pytest.mark.slow
def test_a_thousand_strange_bodies_are_drawn() -> None:
    assert failures("strange", "1000") == []


@pytest.mark.slow
@pytest.mark.parametrize("work", ["draw", "perform"])
def test_every_character_is_drawn_and_performs(data_dir: Path, work: str) -> None:
    found = [path for path in sorted((data_dir / "characters").rglob("*")) if path.suffix in CHARACTERS]
    assert len(found) > 50
    assert failures(work, *found) == []


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["motions", "motions_families"])
def test_every_motion_goes_onto_three_bodies(data_dir: Path, folder: str) -> None:
    found = [path for path in sorted((data_dir / folder).rglob("*")) if path.suffix in MOTIONS]
    assert len(found) > 50
    assert failures("motions", *found) == []
