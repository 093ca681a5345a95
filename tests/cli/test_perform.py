"""``mummer perform`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mummer as mm
from mummer.cli.app import run


def test_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", "--help"]) == 0
    shown = capsys.readouterr().out
    for word in ("Examples:", "--target", "--variant", "--path", "--list"):
        assert word in shown


def test_the_library_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(mm.general.animation_names())
    assert any(line.split()[0] == "wave" for line in lines)


def test_what_a_body_can_play_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", "zoo:adult", "wave", "nod", "--list", "--json"]) == 0
    wave, nod = json.loads(capsys.readouterr().out)["animations"]
    assert (wave["branch"], wave["variants"]) == ("hand", ["left_hand", "right_hand"])
    assert (nod["branch"], nod["variants"]) == ("head", [""])


def test_a_performance_is_written_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "wave.glb"
    assert run(["perform", "zoo:adult", "wave", "nod", "--rate", "10", "-o", str(target)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("zoo:adult plays wave + nod with left_hand: 2.60 s, wrote ")
    assert "hello" in told
    again = mm.load(target)
    assert again.recordings[0].name == "wave nod"
    assert again.recordings[0].end == pytest.approx(2.6, abs=0.05)


def test_numbers_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", "zoo:adult", "point", "--target=-1,1.2,2", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["variants"] == ["right_hand"]
    assert facts["events"] == [{"time": 0.7, "name": "point"}]
    assert facts["findings"] == []


def test_a_file_of_one_s_own_along_a_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "up.toml").write_text(
        'version = 1\nname = "up"\nduration = 1\n[[branch]]\n[[branch.channel]]\n'
        'select = {capability = "head"}\nturn = [[0, 0, 0, 0], [1, -20, 0, 0]]\n'
    )
    assert run(["perform", "zoo:adult", str(tmp_path / "up.toml"), "--path", "0,0 0,1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["duration"] > 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["zoo:adult"], "nothing for zoo:adult to perform"),
        (["zoo:adult", "wafe"], "the library has no animation 'wafe'; closest: 'wave'"),
        (["zoo:adult", "wave", "--target", "1,2"], "--target 1,2: expected three numbers"),
        (["zoo:adult", "wave", "--path", "1,2,3"], "--path 1,2,3: expected places on the ground"),
        (["zoo:adult", "wave", "--variant", "tail"], "no variant 'tail' for this body"),
        (["zoo:adult", "nowhere.toml"], "nowhere.toml: cannot be read"),
    ],
)
def test_mistakes_are_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", *words]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1
    assert message in said[0]


def test_performances_stand_beside_one_another_with_their_events(tmp_path: Path) -> None:
    once, twice, alone = (tmp_path / name for name in ("once.glb", "twice.glb", "alone.glb"))
    assert run(["perform", "zoo:adult", "wave", "--rate", "10", "-o", str(once)]) == 0
    assert run(["perform", str(once), "wave", "--rate", "10", "-o", str(twice)]) == 0
    made = mm.load(twice)
    assert [recording.name for recording in made.recordings] == ["wave", "wave.001"]
    assert all(mark.name == "hello" for recording in made.recordings for mark in recording.marks)
    assert all(recording.marks for recording in made.recordings)
    assert run(["perform", str(twice), "wave", "--rate", "10", "--only-new", "-o", str(alone)]) == 0
    assert [recording.name for recording in mm.load(alone).recordings] == ["wave"]
    assert alone.stat().st_size < 1.02 * once.stat().st_size
