"""``mummer plant``: a motion in a file gets feet that stand."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest

import mummer as mm
from mummer.cli.app import run
from mummer.clip.analysis.cycles import find_cycle
from mummer.errors import InputError
from mummer.measure import measures
from tests.ik.constraints.walker import walker


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plant") / "walk.bvh"
    clip = walker()
    mm.save(clip.body.replace(recordings=(clip.to_recording(60.0, name="walk"),)), path)
    return path


def test_feet_stand(walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "clean.glb"
    assert run(["plant", str(walk), "-o", str(out), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["stands"] > 3
    assert facts["slides"] < 1e-3 < facts["slid"]
    made = mm.load(out)
    assert len(made.recordings[0].key_times) == facts["frames"] == 181


def test_feet_are_recognised_whatever_they_are_called(
    walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = itertools.count()
    text = re.sub(r"(ROOT|JOINT) \S+", lambda found: f"{found[1]} bone{next(count)}", walk.read_text())
    (tmp_path / "numbered.bvh").write_text(text)
    assert run(["plant", str(tmp_path / "numbered.bvh"), "-o", str(tmp_path / "clean.glb"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stands"] > 3


def test_in_words(walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plant", str(walk), "-o", str(tmp_path / "clean.bvh"), "--resample", "30"]) == 0
    said = capsys.readouterr().out
    assert "footholds; feet were up to" in said
    assert "(91 frames at 30 a second)" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["walk.bvh", "-o", "out.xyz"], "xyz"),
        (["zoo:dog", "-o", "out.glb"], "holds no animation"),
        (["walk.bvh", "-o", "out.glb", "--feet", "left_fot"], "left_foot"),
        (["walk.bvh", "-o", "out.glb", "--feet", "head"], "no foot stands"),
        (["walk.bvh", "-o", "out.glb", "--ease", "-1"], "eased over -1 s"),
        (["walk.bvh", "-o", "out.glb", "--resample", "-1"], "--resample -1"),
    ],
)
def test_bad_input(
    walk: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(walk.parent)
    assert run(["plant", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (walk.parent / "out.glb").exists()


def test_a_single_pose_has_no_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    adult = mm.zoo.body("adult")
    pose = mm.Recording.from_poses("stand", [0.0], mm.Pose.stack([mm.Pose.rest(adult.skeleton)]))
    mm.save(adult.replace(recordings=(pose,)), tmp_path / "stand.glb")
    assert run(["plant", str(tmp_path / "stand.glb"), "-o", str(tmp_path / "out.glb"), "--feet", "left_foot"]) == 2
    assert "no foot stands anywhere in this motion" in capsys.readouterr().err


def test_a_single_pose_is_measured_and_repeats_nothing() -> None:
    adult = mm.zoo.body("adult")
    pose = mm.Recording.from_poses("stand", [0.0], mm.Pose.stack([mm.Pose.rest(adult.skeleton)]))
    clip = mm.clip.of(adult.replace(recordings=(pose,)))
    assert clip.times(30.0).tolist() == [0.0]
    assert measures(clip, clip)["foot_skate"].value == 0
    with pytest.raises(InputError, match="can be looked for in a clip of 0 s"):
        find_cycle(clip)
