"""`mummer bml`: every moment a line, and what cannot be read a line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mummer.cli.app import run

NOD = '<bml id="{}"{}><head id="n" lexeme="NOD" start="1" end="2"/></bml>'


def test_every_moment_is_a_line_of_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a.xml", tmp_path / "b.xml"
    first.write_text(NOD.format("a", ""))
    second.write_text(NOD.format("b", ' composition="APPEND"'))
    assert run(["bml", str(first), str(second), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [each for each in lines if each["kind"] == "progress"]
    assert [each["block"] for each in told if each["sync"] == "end" and each["behavior"] is None] == ["a", "b"]
    ends = {
        each["block"]: (each["time"], each["globalTime"]) for each in told if each["behavior"] and each["sync"] == "end"
    }
    assert ends["a"] == pytest.approx((2.0, 2.0), abs=0.02)
    assert ends["b"] == pytest.approx((2.0, 4.0), abs=0.04)


def test_hostile_xml_is_one_line_and_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_text("<!DOCTYPE a [<!ENTITY b 'c'>]><bml id='a'/>")
    assert run(["bml", str(bad), "--json"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert run(["bml", str(tmp_path / "none.xml")]) == 2


def test_what_a_film_needs_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.xml"
    file.write_text(NOD.format("a", ""))
    assert run(["bml", str(file), "-o", str(tmp_path / "a.glb")]) == 2
    assert "--body" in capsys.readouterr().err


def test_who_has_read_enough_may_leave(tmp_path: Path) -> None:
    block = tmp_path / "nod.bml"
    block.write_text('<bml xmlns="http://www.bml-initiative.org/bml/bml-1.0" id="a"><head id="h" lexeme="NOD"/></bml>')
    command = [sys.executable, "-m", "mummer", "bml", str(block), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as done:
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.close()
        assert "pipe" not in done.stderr.read()
