"""What may be written over: never the input, never a read-only file, unless --force says so."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

import mummer as mm
from mummer.cli.app import run
from tests.retargeting.walk import walk


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A small moving body, as a .glb."""
    path = tmp_path_factory.mktemp("moving") / "m.glb"
    clip = walk(seconds=0.5, rate=30.0)
    mm.save(clip.body.replace(recordings=(clip.recording,)), path)
    return path.read_bytes()


@pytest.fixture
def hero(moving: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "hero.glb"
    path.write_bytes(moving)
    return path


COMMANDS = {
    "convert": ["convert", "{hero}", "{out}"],
    "clip": ["clip", "{hero}", "-o", "{out}", "--mirror"],
    "plant": ["plant", "{hero}", "-o", "{out}"],
    "pose": ["pose", "{hero}", "--aim", "head=0,1,3", "-o", "{out}"],
    "perform": ["perform", "{hero}", "nod", "-o", "{out}"],
    "retarget": ["retarget", "{hero}", "{hero}", "-o", "{out}", "--no-measure"],
}


def command(name: str, hero: Path, out: Path) -> list[str]:
    return [word.format(hero=hero, out=out) for word in COMMANDS[name]]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_input_is_never_written_over(name: str, hero: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = hashlib.sha256(hero.read_bytes()).hexdigest()
    assert run(command(name, hero, hero)) == 2
    said = capsys.readouterr().err
    assert said == f"mummer: {hero}: is the input; write elsewhere, or give --force to write over it\n"
    linked = hero.with_name("link.glb")
    linked.symlink_to(hero)
    assert run(command(name, linked, hero)) == 2
    assert hashlib.sha256(hero.read_bytes()).hexdigest() == before


@pytest.mark.parametrize(
    "words",
    [*COMMANDS.values(), ["zoo", "snake", "-o", "{out}"], ["render", "{hero}", "-o", "{out}.png"],
     ["view", "{hero}", "--no-open", "-o", "{out}.html"], ["recognize", "{hero}", "-o", "{out}.png"]],
    ids=lambda words: words[0],
)  # fmt: skip
def test_read_only_files_are_never_written_over(
    words: list[str], hero: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.glb"
    filled = [word.format(hero=hero, out=out) for word in words]
    locked = Path(next(word for word in filled if word.startswith(str(out))))
    locked.write_text("precious")
    os.chmod(locked, 0o444)
    assert run(filled) == 2
    assert f"{locked}: is read-only; write elsewhere, or give --force" in capsys.readouterr().err
    assert locked.read_text() == "precious"


def test_a_read_only_anatomy_is_kept(hero: Path, capsys: pytest.CaptureFixture[str]) -> None:
    beside = Path(f"{hero}.anatomy.toml")
    beside.write_text("mine")
    os.chmod(beside, 0o444)
    assert run(["recognize", str(hero), "--save"]) == 2
    assert "is read-only" in capsys.readouterr().err
    assert beside.read_text() == "mine"


def test_force_writes_over_both(hero: Path) -> None:
    os.chmod(hero, 0o444)
    assert run([*command("convert", hero, hero), "--force"]) == 0
    assert len(mm.load(hero).recordings) == 1


def test_places_where_nothing_can_be_written_are_told_before_the_work(
    hero: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mummer.cli.subjects.load_subject", lambda _: pytest.fail("a body was loaded"))
    assert run(["convert", str(hero), str(tmp_path / "hero.glb" / "out.glb")]) == 2
    assert f"{hero}: is a file; expected a folder" in capsys.readouterr().err
    (tmp_path / "folder.glb").mkdir()
    assert run(["convert", str(hero), str(tmp_path / "folder.glb")]) == 2
    assert "is a folder; expected the name of a file" in capsys.readouterr().err
    assert run(["grid", "-o", str(hero)]) == 2
    assert "is a file; expected a folder" in capsys.readouterr().err
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert run(["convert", str(hero), str(tmp_path / "new" / "out.glb")]) == 2
    assert "is a folder in which nothing can be written" in capsys.readouterr().err
