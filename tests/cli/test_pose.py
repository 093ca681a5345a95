"""``mummer pose`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer import ik
from mummer.cli.app import run
from mummer.math import quaternion
from tests.clip.stepper import gait, stepper

TWO = ("--solver", "two_bone")


def facts_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert run(["pose", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_help_names_the_goals_and_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pose", "--help"]) == 0
    shown = capsys.readouterr().out
    for word in ("Examples:", "--place", "--aim", "--orient", "--keep", "--balanced", "--solver", "--root"):
        assert word in shown


def test_a_table_says_what_is_met_and_what_is_missed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--place", "left_hand=0.3,1.3,0.4", "--place", "right_hand=-0.3,1.3,4", "--aim", "head=0,1,3"]
    assert run(["pose", "zoo:adult", *words, *TWO]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["place", "left_hand", "met", "0.00", "mm"]
    assert lines[1].split()[:3] == ["place", "right_hand", "missed"]
    assert float(lines[1].split()[3]) > 1000
    assert any("goal 2 (Aim head)" in line for line in lines)
    assert lines[-1] == "1 of 3 met by two_bone"


def test_angles_are_told_in_degrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pose", "zoo:adult", "--orient", "head=0,170,0", "--solver", "one_bone"]) == 0
    line = capsys.readouterr().out.splitlines()[0]
    assert "missed" in line
    assert line.endswith("°")
    assert float(line.split()[-1][:-1]) > 30


def test_a_body_file_holds_the_pose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "posed.glb"
    facts = facts_of(capsys, "zoo:adult", "--place", "left_hand=0.3,1.3,0.4", *TWO, "-o", str(target))
    assert facts["target"] == str(target)
    assert facts["goals"] == [
        {"goal": "place left_hand", "met": True, "error": facts["goals"][0]["error"], "unit": "m"}
    ]
    body = mm.load(target)
    hand = ik.WorldState(body, body.default_pose).point("left_hand")[0]
    assert np.allclose(hand, [0.3, 1.3, 0.4], atol=1e-4)
    assert not body.recordings


def test_numbers_and_motion_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "posed.json"
    facts_of(capsys, "zoo:dog", "--orient", "head=0,20,0", "--solver", "one_bone", "-o", str(target))
    data = json.loads(target.read_text())
    dog = mm.zoo.body("dog")
    assert list(data["rotations"]) == list(dog.skeleton.names)
    assert data["solver"] == "one_bone"
    pose = dog.default_pose.replace(rotations=np.array(list(data["rotations"].values())))
    before = ik.WorldState(dog, dog.default_pose).turn("head")[0]
    turned = quaternion.multiply(quaternion.from_axis_angle([0, 1.0, 0], np.radians(20)), before)
    assert quaternion.angle_between(ik.WorldState(dog, pose).turn("head")[0], turned) < 0.01
    motion = tmp_path / "posed.bvh"
    facts_of(capsys, "zoo:dog", "--orient", "head=0,20,0", "--solver", "one_bone", "-o", str(motion))
    assert len(mm.load(motion).recordings[0].key_times) == 1


def test_a_picture_is_made(tmp_path: Path) -> None:
    target = tmp_path / "posed.png"
    words = ["--place", "leg_1_left_foot=0.5,0.3,0.4", *TWO, "--view", "side", "-o", str(target)]
    assert run(["pose", "zoo:spider", *words]) == 0
    assert target.read_bytes()[:4] == b"\x89PNG"


def test_a_quaternion_and_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    facts = facts_of(capsys, "zoo:adult", "--orient", "head=0,0.1,0,1", "--keep", "left_foot", *TWO)
    names = [row["goal"] for row in facts["goals"]]
    assert names == ["orient head", "keep left_foot in place", "keep left_foot turned"]
    assert [row["met"] for row in facts["goals"][1:]] == [True, True]
    assert facts["findings"][0]["kind"] == "ignored"


def test_it_starts_from_a_moment_of_a_motion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body, file, target = stepper(), tmp_path / "walk.glb", tmp_path / "out.json"
    clip = gait(body)
    mm.save(body.replace(recordings=(clip.recording,)), file)
    name = clip.recording.name
    facts_of(capsys, str(file), "--clip", name, "--at", "1.0", "--keep", "left_foot", *TWO, "-o", str(target))
    root = json.loads(target.read_text())["root_translation"]
    assert np.allclose(root, clip.recording.sample([1.0]).root_translation[0], atol=1e-4)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["zoo:adult"], "no goal was given; expected --place, --aim, --orient, --keep or --balanced"),
        (["zoo:adult", "--place", "left_hnd=0,1,0"], "has no role or joint 'left_hnd'; closest: 'left_hand'"),
        (["zoo:adult", "--keep", "left_fot"], "has no role or joint 'left_fot'; closest: 'left_foot'"),
        (["zoo:adult", "--place", "left_hand"], "--place 'left_hand'; expected PART=X,Y,Z"),
        (["zoo:adult", "--place", "left_hand=0,1"], "'0,1' is not a list of 3 numbers up to a million; expected PART"),
        (["zoo:adult", "--place", "left_hand=1e300,0,0"], "is not a list of 3 numbers up to a million"),
        (["zoo:adult", "--aim", "head=0,1,nan"], "'0,1,nan' is not a list of 3 numbers"),
        (["zoo:adult", "--orient", "head=0,1"], "expected PART=X,Y,Z or PART=X,Y,Z,W"),
        (["zoo:adult", "--orient", "head=0,0,0,0"], "--orient head: a quaternion of zeros is no rotation"),
        (["zoo:adult", "--aim", "head=0,1,3", "--solver", "one_bon"], "has no solver 'one_bon'; closest: 'one_bone'"),
        (["zoo:adult", "--aim", "head=0,1,3", "--root", "fixd"], "--root has no choice 'fixd'; closest: 'fixed'"),
        (["zoo:adult", "--aim", "head=0,1,3", "-o", "x.foo"], "x.foo: cannot be written: no writer for '.foo'"),
        (["zoo:adult", "--aim", "head=0,1,3", "--at", "1"], "'adult' has no animation"),
        (["zoo:adlt", "--aim", "head=0,1,3"], "closest: 'adult'"),
    ],
)
def test_bad_input_is_one_line_and_exit_two(words, message, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pose", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_moment_outside_the_motion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body, file = stepper(), tmp_path / "walk.glb"
    mm.save(body.replace(recordings=(gait(body).recording,)), file)
    assert run(["pose", str(file), "--at", "99", "--keep", "left_foot"]) == 2
    assert "runs from 0 to 4 seconds" in capsys.readouterr().err
    assert run(["pose", str(file), "--clip", "wlk", "--keep", "left_foot"]) == 2
    assert "has no recording 'wlk'" in capsys.readouterr().err


def test_roles_of_a_real_rig_are_recognised(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = next((data_dir / "characters").rglob("CesiumMan*.gl*"))
    assert "left_foot" not in mm.load(file).skeleton.names
    facts = facts_of(capsys, str(file), "--keep", "left_foot", *TWO)
    assert all(row["met"] for row in facts["goals"])


def test_a_goal_far_away_is_a_miss_and_no_flight(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "far.json"
    assert run(["pose", "zoo:adult", "--place", "left_hand=100,1,0", "-o", str(target), "--json"]) == 0
    (goal,) = json.loads(capsys.readouterr().out)["goals"]
    assert not goal["met"]
    assert 97 < goal["error"] < 100
    rest = mm.zoo.body("adult").default_pose.root_translation
    np.testing.assert_allclose(json.loads(target.read_text())["root_translation"], rest, atol=1e-9)
    assert run(["pose", "zoo:adult", "--place", "left_hand=1.2,1,0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["goals"][0]["met"]
