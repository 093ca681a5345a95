"""Every error that the troubleshooting page quotes is what the program says, word for word."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from mummer import zoo
from mummer.cli import app
from mummer.errors import MissingExtraError
from mummer.io import save

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "troubleshooting.md").read_text()
BLOCKS = re.findall(r"^```text\n(.*?)^```", PAGE, re.S | re.M)
COMMANDS = [block.splitlines() for block in BLOCKS if block.startswith("$ mummer ")]
"""A command, and the line that it prints; ``…`` stands for what depends on the file or the machine."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("trouble")
    save(zoo.body("adult").replace(meshes=()), made / "hero.glb")
    (made / "broken.glb").write_bytes((made / "hero.glb").read_bytes()[:3000])
    (made / "notes.txt").write_text("buy milk\n")
    return made


@pytest.mark.parametrize(("command", "line"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_an_error_is_told_as_the_page_quotes_it(
    command: str, line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert app.run(shlex.split(command.removeprefix("$ mummer "))) == 2
    told = capsys.readouterr().err.strip().splitlines()
    pattern = ".*".join(re.escape(part) for part in line.split("…"))
    assert re.fullmatch(pattern, told[-1]), told


def test_there_are_many_of_them_and_the_other_quotes_hold_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(COMMANDS) >= 8
    app._say_compiling(kept=True)
    assert capsys.readouterr().err.strip() in PAGE
    monkeypatch.delenv("MUMMER_TRACEBACK", raising=False)
    monkeypatch.setattr(app, "app", lambda **_: 1 / 0)
    assert app.run([]) == 1
    told = capsys.readouterr().err.strip()
    assert re.sub(r"(internal error: ).*( \(set)", r"\1…\2", told) in PAGE
    assert str(MissingExtraError("usd", "reading USD")).endswith("pip install 'mummer[usd]'")
