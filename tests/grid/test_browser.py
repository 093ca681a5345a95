"""The pages in a real browser: opened from the disk, a motion plays and the picture changes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mummer.grid import Plan, run_grid
from mummer.grid import run as running
from mummer.grid.play import play
from mummer.grid.viewer import ViewerMissingError, script, view_page
from tests.grid.players import moved, tip_parent, wave_of

DRIVER = Path(__file__).resolve().parents[1] / "browser"


@pytest.fixture(scope="module")
def browser() -> str:
    modules = DRIVER / "node_modules"
    names = ("chromium", "chromium-browser", "google-chrome", str(modules / ".chromium" / "chromium"))
    found = os.environ.get("MUMMER_CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)
    if found is None or not (modules / "playwright-core").is_dir():
        pytest.skip("no browser, or nothing that drives it: run `scripts/setup node`")
    try:
        script()
    except ViewerMissingError as error:
        pytest.skip(str(error))
    return found


def seen(browser: str, page: Path, *click: str) -> dict[str, Any]:
    command = ["node", "page.mjs", browser, str(page), *click]
    done = subprocess.run(command, cwd=DRIVER, capture_output=True, text=True, timeout=180, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def must_play(found: dict[str, Any]) -> None:
    assert found["errors"] == []
    assert found["outside"] == []
    assert found["note"] == ""
    assert found["playing"]
    assert all(picture["drawn"] > 0.01 for picture in found["pictures"])
    assert len({picture["sum"] for picture in found["pictures"]}) > 1
    assert found["overflow"] <= 0


def test_a_cell_of_the_grid_plays(browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "play_all", lambda tasks, **_: (play(task) for task in tasks))
    run_grid(Plan(("slide", "refuse"), ("zoo:spider",), "tests.grid.players:play"), tmp_path)
    must_play(seen(browser, tmp_path / "index.html", ".cell.f"))
    refused = seen(browser, tmp_path / "index.html", ".cell.n")
    assert refused["note"] == "not admitted: 'spider' has no wings"
    assert not refused["playing"]


def test_a_file_plays(browser: str, tmp_path: Path, spider: Any) -> None:
    clip = moved(spider, {tip_parent(spider): wave_of(0.8)})
    named = spider.replace(name="</script><b>", recordings=(clip.to_recording(30.0, name="nod"),))
    page = tmp_path / "view.html"
    page.write_text(view_page(named))
    must_play(seen(browser, page))
