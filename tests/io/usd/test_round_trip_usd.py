"""What is written as USD is read back the same, and USD's own judges find nothing wrong with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character import Character, Mass, Pose, Recording, Skeleton
from mummer.errors import FileError
from mummer.io import load, save
from mummer.io.parts.fold_scales import unscaled
from mummer.math import quaternion
from tests.io.real_files import assert_same_character
from tests.io.usd.bodies import PNG, rich_body

pytest.importorskip("pxr")


@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usd", ".usdz"])
def test_everything_comes_back(suffix: str, tmp_path: Path) -> None:
    body = unscaled(rich_body())
    report = save(body, tmp_path / f"body{suffix}")
    again = load(tmp_path / f"body{suffix}")
    assert again.name == body.name
    assert_same_character(body, again)
    for mine, other in zip(body.meshes, again.meshes, strict=True):
        assert mine.name == other.name
        assert mine.material.name == other.material.name
        assert mine.material.base_color == pytest.approx(other.material.base_color)
        assert mine.material.roughness == pytest.approx(other.material.roughness)
        assert (mine.material.double_sided, mine.material.texture) == (
            other.material.double_sided,
            other.material.texture,
        )
        for name in ("normals", "uvs", "colors"):
            given, got = getattr(mine, name), getattr(other, name)
            assert (given is None) == (got is None)
            assert given is None or np.allclose(given, got, atol=1e-6)
    assert [recording.frame_rate for recording in again.recordings][:1] == [30.0]
    assert "cubic curves" in str(report)
    assert "steps" in str(report)
    assert again.source is not None
    assert (again.source.up, again.source.metres_per_unit) == ("+Y", 1.0)


@pytest.mark.parametrize("seed", range(1, 4))
def test_other_bodies_come_back(seed: int, tmp_path: Path) -> None:
    body = unscaled(rich_body(seed))
    save(body, tmp_path / "body.usdc")
    assert_same_character(body, load(tmp_path / "body.usdc"))


@pytest.mark.parametrize("suffix", [".usda", ".usdz"])
def test_the_library_finds_no_fault(suffix: str, tmp_path: Path) -> None:
    from pxr import Usd, UsdValidation

    path = tmp_path / f"body{suffix}"
    save(rich_body(), path)
    context = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())
    found = [f"{error.GetName()}: {error.GetMessage()}" for error in context.Validate(Usd.Stage.Open(str(path)))]
    assert found == []


def test_the_library_poses_the_body_as_we_do(tmp_path: Path) -> None:
    from pxr import Usd, UsdSkel

    from mummer.character import world_matrices

    body = unscaled(rich_body())
    save(body, tmp_path / "body.usda")
    stage = Usd.Stage.Open(str(tmp_path / "body.usda"))
    query = UsdSkel.Cache().GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/a_body/Skeleton")))
    walk = body.recordings[0]
    for time in walk.key_times:
        theirs = np.array(query.ComputeJointSkelTransforms(Usd.TimeCode(time * stage.GetTimeCodesPerSecond())))
        ours = world_matrices(body.skeleton, walk.sample([time]))[0]
        # The library reads the scales that the schema holds, which are halves: eleven bits.
        assert np.allclose(np.swapaxes(theirs, 1, 2)[:, :3], ours, rtol=2**-11, atol=5e-3)


def test_a_skeleton_alone_and_a_motion_that_holds(tmp_path: Path) -> None:
    skeleton = Skeleton(("root", "tip"), [-1, 0], [[0, 1, 0], [0, 1, 0]])
    held = Pose(np.tile([0.0, 0.0, 0.0, 1.0], (2, 2, 1)), np.tile([0.0, 1.0, 0.0], (2, 1)))
    body = Character("bare", skeleton, recordings=(Recording.from_poses("hold", [0.5, 3.0], held),))
    save(body, tmp_path / "bare.usda")
    again = load(tmp_path / "bare.usda")
    assert_same_character(body, again)
    assert (again.recordings[0].start, again.recordings[0].end) == (0.5, 3.0)


def test_a_motion_that_scales_some_joints_of_a_body_that_is_not_scaled(tmp_path: Path) -> None:
    skeleton = Skeleton(("root", "head", "ear"), [-1, 0, 1], [[0, 0, 0], [0, 1, 0], [0, 0.2, 0]])
    scales = np.ones((3, 3, 3))
    scales[1, 1] = 2.0
    turns = np.tile([0.0, 0.0, 0.0, 1.0], (3, 3, 1))
    poses = Pose(turns, np.zeros((3, 3)), np.tile(skeleton.rest_translations, (3, 1, 1)), scales)
    body = Character("puffer", skeleton, recordings=(Recording.from_poses("puff", [0, 1, 2], poses, frame_rate=24),))
    save(body, tmp_path / "body.usda")
    again = load(tmp_path / "body.usda").recordings[0].sample([0.0, 1.0, 2.0])
    assert again.scales is not None
    np.testing.assert_allclose(again.scales, scales, atol=1e-3)


def test_textures_lie_beside_a_file_and_inside_a_package(tmp_path: Path) -> None:
    save(rich_body(), tmp_path / "plain" / "body.usda")
    save(rich_body(), tmp_path / "packed" / "body.usdz")
    assert sorted(path.name for path in (tmp_path / "plain").iterdir()) == ["body.usda", "body_0.png"]
    assert (tmp_path / "plain" / "body_0.png").read_bytes() == PNG
    assert [path.name for path in (tmp_path / "packed").iterdir()] == ["body.usdz"]


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "body.usda"
    path.write_text("old")
    monkeypatch.setattr("os.replace", _broken)
    with pytest.raises(FileError, match="cannot be written"):
        save(rich_body(), path)
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir() if entry.suffix == ".usda"] == ["body.usda"]


def _broken(*arguments: object) -> None:
    raise OSError(28, "No space left on device")


def test_what_usd_cannot_hold_is_said(tmp_path: Path) -> None:
    mass = Mass(np.ones(5), np.zeros((5, 3)), np.tile(np.eye(3), (5, 1, 1)))
    report = save(rich_body().replace(mass=mass), tmp_path / "a.usda")
    assert "the mass of a character has no place in USD" in str(report)


def test_rotations_take_the_short_way_between_keys(tmp_path: Path) -> None:
    turns = quaternion.from_axis_angle([0.0, 1.0, 0.0], np.array([0.0, 1.5, 3.0]))[:, None]
    skeleton = Skeleton(("root",), [-1], [[0, 0, 0]])
    poses = Pose(turns, np.zeros((3, 3)))
    save(Character("spin", skeleton, recordings=(Recording.from_poses("spin", [0, 1, 2], poses),)), tmp_path / "a.usdc")
    between = load(tmp_path / "a.usdc").recordings[0].sample([0.5, 1.5])
    assert quaternion.angle(between.rotations[:, 0]) == pytest.approx([0.75, 2.25], abs=1e-6)
