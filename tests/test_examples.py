"""Every example runs, from any folder, says what it did, and leaves the file that it speaks of."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

FOLDER = REPOSITORY / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(example), "out"])
    runpy.run_path(str(example), run_name="__main__")
    said = capsys.readouterr().out
    wrote = re.findall(r"out/(\S+)", said.splitlines()[-1])
    assert wrote
    for name in wrote:
        assert name.startswith(example.name[:2])
        assert (tmp_path / "out" / name).stat().st_size > 100
    assert len(said.splitlines()) > 1


def test_examples_are_short_numbered_and_listed() -> None:
    assert [path.name[:3] for path in EXAMPLES] == [f"{number:02d}_" for number in range(1, len(EXAMPLES) + 1)]
    listed = re.findall(r"\((\d\d_\w+\.py)\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert listed == [path.name for path in EXAMPLES]
    for path in EXAMPLES:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 100
        assert text.startswith('"""')
