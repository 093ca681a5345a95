"""``mummer recognize``: what it prints, what it keeps, and how it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mummer import zoo
from mummer.cli.app import run
from mummer.io import save


@pytest.fixture
def dog(tmp_path: Path) -> Path:
    file = tmp_path / "dog.glb"
    save(zoo.body("dog").replace(anatomy=None), file)
    return file


def test_json_is_one_object_a_line(dog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["recognize", str(dog), "zoo:snake", "--json", "--ignore-names"]) == 0
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["kind"] for entry in facts] == ["quadruped", "snake"]
    assert facts[0]["file"] == str(dog)
    foot = facts[0]["roles"]["front_left_foot"]
    assert foot["joint"] == "front_left_foot"
    assert 0.5 < foot["confidence"] <= 1
    assert foot["reason"]


def test_people_get_a_table(dog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["recognize", str(dog)]) == 0
    said = capsys.readouterr().out
    assert "quadruped" in said
    (row,) = (line for line in said.splitlines() if "hind_right_upper" in line)
    assert row.rstrip().endswith("it starts the limb")  # one line a role, for those who search


def test_one_bad_file_does_not_stop_the_rest(dog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.glb"
    bad.write_bytes(b"glTF no more")
    assert run(["recognize", str(bad), str(dog), "--json"]) == 1
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert "error" in lines[0]
    assert lines[1]["kind"] == "quadruped"
    assert err.count("\n") == 1
    assert str(bad) in err


def test_nothing_read_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.glb"
    bad.write_bytes(b"glTF no more")
    assert run(["recognize", str(bad), str(tmp_path / "none.glb")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_corrections_are_saved_and_found_again(dog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["recognize", str(dog), "--set", "head=neck", "--save", "--json"]) == 0
    assert Path(f"{dog}.anatomy.toml").is_file()
    capsys.readouterr()
    assert run(["recognize", str(dog), "--json"]) == 0
    head = json.loads(capsys.readouterr().out)["roles"]["head"]
    assert head == {"joint": "neck", "confidence": 1.0, "reason": "a person has said so"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "head"], "is not ROLE=JOINT"),
        (["--set", "head=nekc"], "no joint 'nekc'; closest: 'neck'"),
        (["zoo:dog", "--set", "head=neck"], "are for one file at a time"),
        (["-o", "out.jpg"], "choose .png"),
    ],
)
def test_wrong_words_get_one_line(
    dog: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["recognize", str(dog), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_nothing_is_saved_beside_what_is_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["recognize", "zoo:dog", "--save"]) == 2
    assert "nothing can be saved beside it" in capsys.readouterr().err


def test_a_picture_shows_the_roles(dog: Path, tmp_path: Path) -> None:
    picture = tmp_path / "dog.png"
    assert run(["recognize", str(dog), "-o", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
