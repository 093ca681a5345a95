"""The page of the server in a real browser: bodies are there, move, and a block that is sent from it is told about."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from mummer.grid.pack import as_glb
from mummer.grid.viewer import live_page
from mummer.live import World
from tests.grid.test_browser import DRIVER, browser
from tests.live.serving import serving

__all__ = ["browser"]


def test_the_page_shows_who_is_there_and_plays_a_block(browser: str, tmp_path: Path) -> None:
    picture = tmp_path / "live.png"
    with serving(World({"ann": "zoo:adult", "rex": "zoo:dog"}), page=live_page, body=as_glb) as (hall, place):
        command = ["node", "live.mjs", browser, f"http://{place}/?token={hall.token}", str(picture)]
        done = subprocess.run(command, cwd=DRIVER, capture_output=True, text=True, timeout=180, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["errors"] == []
    assert found["outside"] == []
    assert found["note"] == ""
    assert found["frames"] > 20
    assert found["before"]["drawn"] > 0.01
    assert found["before"]["sum"] != found["after"]["sum"]
    assert any("nod:stroke" in line for line in found["lines"])
    assert found["overflow"] <= 0
    assert picture.stat().st_size > 10_000
