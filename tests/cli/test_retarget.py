"""``mummer retarget`` as a user types it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

import mummer as mm
from mummer.cli.app import run
from tests.retargeting.walk import walk


@pytest.fixture(scope="module")
def motions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("motions")
    clip = walk(seconds=1.0, rate=30.0)
    mm.save(clip.body.replace(recordings=(clip.recording,)), folder / "walk.bvh")
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT")
    return folder


def test_one_motion_onto_two_bodies_with_a_report(motions: Path, tmp_path: Path, capsys) -> None:
    arguments = ["retarget", str(motions / "walk.bvh"), "zoo:child", "zoo:giant", "-o", str(tmp_path), "-j", "1"]
    assert run(arguments) == 0
    assert "2 of 2 written" in capsys.readouterr().out
    made = mm.load(tmp_path / "walk__child.glb")
    assert made.recordings[0].duration == pytest.approx(1.0, abs=1e-3)
    report = json.loads((tmp_path / "report.json").read_text())
    assert [Path(entry["character"]).name for entry in report] == ["zoo:child", "zoo:giant"]
    (measures,) = report[0]["clips"].values()
    assert measures["bone_direction_error"]["value"] < 5
    stamp = (tmp_path / "walk__child.glb").stat().st_mtime_ns
    assert run([*arguments, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(line["skipped"] for line in lines)
    assert (tmp_path / "walk__child.glb").stat().st_mtime_ns == stamp


def test_one_bad_file_does_not_stop_the_rest(motions: Path, tmp_path: Path, capsys) -> None:
    assert run(["retarget", str(motions), "zoo:child", "-o", str(tmp_path), "--format", "bvh", "--no-measure"]) == 1
    shown = capsys.readouterr()
    assert "broken__child.bvh" in shown.err
    assert "1 of 2 written" in shown.out
    assert (tmp_path / "walk__child.bvh").is_file()
    assert not (tmp_path / "broken__child.bvh").exists()
    assert "error" in json.loads((tmp_path / "report.json").read_text())[0]


def test_bad_arguments_are_one_line_and_exit_two(tmp_path: Path, motions: Path, capsys) -> None:
    assert run(["retarget", "nowhere.bvh", "zoo:child", "-o", str(tmp_path)]) == 2
    assert "there is no file or folder 'nowhere.bvh'" in capsys.readouterr().err
    assert run(["retarget", str(motions / "walk.bvh"), "zoo:child", "-o", str(tmp_path), "--format", "doc"]) == 2
    assert run(["retarget", str(motions / "broken.bvh"), "zoo:child", "-o", str(tmp_path), "-j", "1"]) == 2
    assert run(["retarget", "--help"]) == 0
    assert "Examples:" in capsys.readouterr().out


def test_results_stand_beside_what_the_character_came_with_and_are_called_as_the_motion(
    motions: Path, tmp_path: Path
) -> None:
    hero, output = tmp_path / "hero.glb", tmp_path / "out"
    clip = walk(seconds=0.5, rate=10.0)
    own = [dataclasses.replace(clip.recording, name=name) for name in ("idle", "walk")]
    mm.save(clip.body.replace(recordings=tuple(own)), hero)
    words = ["retarget", str(motions / "walk.bvh"), str(hero), "-j", "1", "--no-measure", "-o"]
    assert run([*words, str(output)]) == 0
    names = [recording.name for recording in mm.load(output / "walk__hero.glb").recordings]
    assert names == ["idle", "walk", "walk.001"]
    assert run([*words, str(output), "--only-new"]) == 0
    assert [recording.name for recording in mm.load(output / "walk__hero.glb").recordings] == ["walk"]


def test_a_single_pose_is_a_motion_too(tmp_path: Path, capsys) -> None:
    adult = mm.zoo.body("adult")
    pose = mm.Recording.from_poses("stand", [0.0], mm.Pose.stack([mm.Pose.rest(adult.skeleton)]))
    mm.save(adult.replace(recordings=(pose,)), tmp_path / "stand.bvh")
    mm.save(adult.replace(recordings=(pose,)), tmp_path / "stand.glb")
    for name in ("stand.bvh", "stand.glb"):
        output = tmp_path / name.replace(".", "_")
        assert run(["retarget", str(tmp_path / name), "zoo:child", "-o", str(output)]) == 0
        (made,) = mm.load(output / "stand__child.glb").recordings
        assert made.duration == 0
    assert "error" not in capsys.readouterr().err


def test_a_file_is_written_where_it_was_asked_for_and_nothing_else(motions: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "new" / "hero.glb"
    assert run(["retarget", str(motions / "walk.bvh"), "zoo:child", "-o", str(target)]) == 0
    assert f"wrote {target}" in capsys.readouterr().out
    assert [path.name for path in target.parent.iterdir()] == ["hero.glb"]
    assert len(mm.load(target).recordings) == 1
    assert run(["retarget", str(motions / "walk.bvh"), "zoo:child", "-o", str(tmp_path / "hero.bvh"), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["output"] == str(tmp_path / "hero.bvh")
    assert facts["clips"]


def test_several_results_need_a_folder(motions: Path, tmp_path: Path, capsys) -> None:
    asked = ["retarget", str(motions / "walk.bvh"), "zoo:child", "zoo:giant", "-o", str(tmp_path / "hero.glb")]
    assert run(asked) == 2
    assert "is one file, but there are 2 results; expected a folder" in capsys.readouterr().err
    assert run([*asked[:3], *asked[4:], "--format", "bvh"]) == 2
    assert "leave --format out" in capsys.readouterr().err
    assert run([*asked[:3], "-o", str(tmp_path / "hero.xyz")]) == 2
    assert "no writer for '.xyz'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_table_has_no_columns_for_what_was_not_measured(motions: Path, tmp_path: Path, capsys) -> None:
    asked = ["retarget", str(motions / "walk.bvh"), "zoo:child", "-o", str(tmp_path / "walk.bvh")]
    assert run([*asked, "--no-measure"]) == 0
    assert capsys.readouterr().out == f"wrote {tmp_path / 'walk.bvh'}\n"
    assert run(asked) == 0
    assert "skate" in capsys.readouterr().out


def test_the_table_keeps_the_end_of_long_names(motions: Path, tmp_path: Path, monkeypatch, capsys) -> None:
    long = tmp_path / f"{'a_very_long_name_of_a_walk_' * 3}07.bvh"
    long.write_bytes((motions / "walk.bvh").read_bytes())
    asked = ["retarget", str(long), "zoo:child", "-o", str(tmp_path / "out"), "--no-measure"]
    assert run(asked) == 0
    assert f"{long.stem}__child.glb" in capsys.readouterr().out  # where no terminal bounds it, all of it
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "90")
    assert run(asked) == 0
    shown = capsys.readouterr().out
    assert "…" in shown
    assert "07__child.glb" in shown
