"""``mummer play``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mummer.cli.app import run
from mummer.model import load_model, load_style

STORY = """version = 1
name = "hello"
[[actor]]
name = "ann"
body = "zoo:adult"
[[action]]
actor = "ann"
model = "reach"
set = {target = [0.3, 1.2, 0.4]}
"""


def test_a_play_is_written_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "story.toml").write_text(STORY)
    output = tmp_path / "story.glb"
    assert run(["play", str(tmp_path / "story.toml"), "-o", str(output), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert output.stat().st_size > 10_000
    assert facts["actions"][0]["key_times"]["achieve"] == pytest.approx(1.15)


def test_a_bad_play_is_one_line_and_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "story.toml").write_text(STORY.replace('"reach"', '"raech"'))
    output = tmp_path / "story.glb"
    assert run(["play", str(tmp_path / "story.toml"), "-o", str(output)]) == 2
    said = capsys.readouterr().err
    assert "story.toml: line 8, action[0].model" in said
    assert said.count("\n") == 1
    assert not output.exists()


def test_plays_that_ship_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--list"]) == 0
    assert "fetch" in capsys.readouterr().out


def test_an_action_with_its_tweaks_becomes_a_style(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tweak = '[[action.tweak]]\nat = 1.5\npart = "head"\nturn = [5, 0, 0]\n'
    (tmp_path / "story.toml").write_text(STORY.replace("[[action]]", '[[action]]\nname = "grab"') + tweak)
    told = ["play", str(tmp_path / "story.toml"), "--as-style", "grab"]
    assert run([*told, "-o", str(tmp_path / "deep.toml")]) == 0
    assert load_style(tmp_path / "deep.toml", load_model("reach")).tweaks[0].turn == (5, 0, 0)
    assert run([*told, "-o", str(tmp_path / "deep.glb")]) == 2
    assert "expected -o with a .toml file" in capsys.readouterr().err
