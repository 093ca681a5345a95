"""The commands as a user types them."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mummer
from mummer.cli import demo
from mummer.cli.app import COMMANDS, run
from tests.retargeting.walk import walk


def test_help_of_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (each.__name__ for each in COMMANDS):
        assert run([command, "--help"]) == 0
        assert "Examples:" in capsys.readouterr().out


def test_no_arguments_shows_help_and_a_typo_is_exit_two(capsys: pytest.CaptureFixture[str]) -> None:
    run([])
    assert "inspect" in capsys.readouterr().out
    assert run(["inspct", "x"]) == 2
    assert "Did you mean 'inspect'?" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"mummer {mummer.__version__}"


def test_inspect_json_is_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", "zoo:dog", "random:3", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    facts = [json.loads(line) for line in lines]
    assert [entry["file"] for entry in facts] == ["zoo:dog", "random:3"]
    assert facts[0]["anatomy"]["roles"]["head"]
    assert facts[0]["joint_count"] == len(facts[0]["joints"])
    assert facts[0]["size"][1] == pytest.approx(facts[0]["anatomy"]["height"], rel=0.05)


def test_inspect_shows_tree_and_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.bvh"
    file.write_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT a\n{\nOFFSET 0 10 0\n"
        "CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 100 0\n}\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n"
    )
    assert run(["inspect", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "a#2" in shown
    assert "joints" in shown
    assert run(["inspect", str(file), "--no-tree"]) == 0
    assert "└" not in capsys.readouterr().out


def test_one_bad_file_does_not_stop_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.glb"
    bad.write_bytes(b"glTF\x02\x00")
    assert run(["inspect", str(bad), "zoo:dog", "--json"]) == 1
    captured = capsys.readouterr()
    first, second = (json.loads(line) for line in captured.out.splitlines())
    assert "error" in first
    assert second["joint_count"] > 10
    assert len(captured.err.splitlines()) == 1
    assert run(["inspect", str(bad)]) == 2


def test_the_unit_of_bvh_is_said_and_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bvh = tmp_path / "adult.bvh"
    assert run(["convert", "zoo:adult", str(bvh)]) == 0
    assert "lengths are in centimetres, +Y up" in capsys.readouterr().out
    assert run(["inspect", str(bvh), "--no-tree"]) == 0
    assert "lengths are in centimetres, which makes the body 1." in capsys.readouterr().out
    assert run(["inspect", str(bvh), "--unit", "mm", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["metres_per_unit"] == 0.001
    assert run(["convert", str(bvh), str(tmp_path / "other.bvh"), "--to-unit", "furlong"]) == 2
    assert "choose m, cm" in capsys.readouterr().err


def test_convert_round_trip_and_bad_targets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    glb, bvh = tmp_path / "dog.glb", tmp_path / "dog.bvh"
    assert run(["convert", "zoo:dog", str(glb)]) == 0
    assert run(["convert", str(glb), str(bvh), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["bytes"] == bvh.stat().st_size
    assert run(["convert", str(glb), str(tmp_path / "dog.glbb")]) == 2
    assert "did you mean .glb" in capsys.readouterr().err
    assert run(["convert", str(glb), str(bvh), "--clip", "walk"]) == 2
    assert "has no recording 'walk'" in capsys.readouterr().err


def test_zoo_lists_writes_and_corrects_typos(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["zoo"]) == 0
    assert "dragon" in capsys.readouterr().out.split()
    assert run(["zoo", "dragn", "-o", str(tmp_path / "x.glb")]) == 2
    assert "closest: 'dragon'" in capsys.readouterr().err
    assert run(["zoo", "dog"]) == 2
    assert "-o dog.glb" in capsys.readouterr().err
    assert run(["zoo", "dog", "--random", "3"]) == 2
    assert run(["zoo", "--random", "-3", "-o", str(tmp_path / "c.glb")]) == 2
    assert "-3 is not a seed" in capsys.readouterr().err
    assert run(["zoo", "dragn"]) == 2
    assert "closest: 'dragon'" in capsys.readouterr().err
    assert run(["zoo", "--random", "3", "-o", str(tmp_path / "c.glb"), "--json"]) == 0
    assert (tmp_path / "c.glb").exists()
    assert run(["inspect", "random:x"]) == 2


def test_an_internal_fault_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from mummer.cli import subjects

    def broken(text: str, **options: str) -> None:
        raise RuntimeError("a\nfault")

    monkeypatch.setattr(subjects, "load_subject", broken)
    assert run(["inspect", "zoo:dog"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "internal error: RuntimeError: a fault" in error


def test_the_installed_command_starts(tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "mummer", "inspect", str(tmp_path / "no.glb")],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert answer.returncode == 2
    assert answer.stderr.strip().endswith("is not there")
    assert "Traceback" not in answer.stderr


def test_a_reader_who_has_seen_enough_is_no_fault() -> None:
    command = [sys.executable, "-m", "mummer", "perform", "--list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stderr is not None
        writer.stdout.close()
        assert writer.stderr.read() == b""
    assert writer.returncode == 0


def test_every_command_speaks_to_programs() -> None:
    for each in COMMANDS:
        assert "json" in inspect.signature(each).parameters


def test_every_command_that_takes_a_body_says_if_it_is_of_an_odd_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    clip = walk(seconds=0.5, rate=30.0)
    mummer.save(clip.body.replace(recordings=(clip.recording,)), "walk.bvh", unit="m")
    mummer.save(mummer.load("walk.bvh", unit=100.0), "huge.glb")
    for line in (
        "recognize huge.glb", "render huge.glb --views front --size 60x80 -o huge.png", "plant huge.glb -o planted.bvh",
        "pose huge.glb --place left_hand=20,120,30 -o reach.bvh", "clip huge.glb --mirror -o mirrored.bvh",
        "retarget walk.bvh huge.glb --unit m -o one.bvh --no-measure",
        "retarget huge.glb zoo:child zoo:adult -o many --no-measure -j 1",
    ):  # fmt: skip
        for way in ([], ["--json"]):
            assert run([*line.split(), *way]) == 0
            said = "".join(capsys.readouterr())
            assert re.search(r"the body is 1\d\d m in size; a file that counts in another unit", said), line
            assert way or said.count("unusual: the body") == 1, line


@pytest.mark.parametrize(
    ("called", "found", "typed"),
    [
        (
            ".venv/bin/mummer",
            "/checkout/.venv/bin/mummer",
            ".venv/bin/mummer",
        ),  # as make calls it
        ("/usr/bin/mummer", "/usr/bin/mummer", "mummer"),
        ("/checkout/.venv/bin/mummer", None, "/checkout/.venv/bin/mummer"),
        ("/site-packages/mummer/__main__.py", None, f"{Path(sys.executable).name} -m mummer"),
    ],
)
def test_the_demo_tells_commands_that_can_be_typed(
    called: str, found: str | None, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [called, "demo"])
    monkeypatch.setattr(demo, "which", lambda _: found)
    assert demo._typed() == typed


def test_what_cannot_be_written_is_said_before_anything_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mummer.zoo.body", lambda _: pytest.fail("a body was made"))
    assert run(["zoo", "dog", "-o", "dog.xyz"]) == 2
    assert "no writer for '.xyz'" in capsys.readouterr().err
    monkeypatch.setattr("mummer.cli.subjects.load_subject", lambda _: pytest.fail("a body was loaded"))
    assert run(["perform", "zoo:dog", "nod", "-o", "nod.xyz"]) == 2
    assert "no writer for '.xyz'" in capsys.readouterr().err


def test_an_interrupted_command_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mummer.grid.run_grid", interrupted)
    assert run(["grid", "-a", "nod", "-b", "dog", "-o", str(tmp_path)]) == 130
    said = capsys.readouterr().err
    assert f"what was played is kept in {tmp_path}; the same command goes on from there" in said
    assert "mummer: interrupted; nothing half-written was left" in said
