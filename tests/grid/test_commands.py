"""``mummer grid`` and ``mummer view``."""

from __future__ import annotations

import base64
import gzip
import json
import re
import sys
from pathlib import Path

import pytest

from mummer.cli.app import run
from mummer.grid import page_folder, viewer
from mummer.grid import run as running
from mummer.grid.play import play
from tests.io.gltf.test_compression import draco_arm, meshopt_arm


@pytest.fixture(autouse=True)
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """A viewer, whether or not it was built, and cells played in this process."""
    for module in (page_folder, viewer):
        monkeypatch.setattr(module, "script", lambda: "/* code </script> */")
        monkeypatch.setattr(module, "style", lambda: "/* style */")
    monkeypatch.setattr(running, "play_all", lambda tasks, **_: (play(task) for task in tasks))


MADE = ["--player", "tests.grid.players:play"]


def test_grid_prints_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["grid", "-a", "nod,slide,raise", "-b", "spider", "--random", "1", "--seed", "3", "-o", str(tmp_path)]
    assert run([*asked, *MADE, "--json"]) == 1  # one of them could not be played
    facts = json.loads(capsys.readouterr().out)
    assert (facts["cells"], facts["passed"], facts["crashed"]) == (6, 2, 2)
    failure = facts["failures"][0]
    assert (failure["animation"], failure["body"], failure["measure"]) == ("slide", "zoo:spider", "slip")
    assert failure["value"] > failure["threshold"]
    assert (tmp_path / "index.html").is_file()


def test_grid_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["grid", "-a", "nod,slide,raise", "-b", "spider", "-o", str(tmp_path), *MADE]
    assert run([*asked, "--strict"]) == 1
    said = capsys.readouterr().out
    assert "slide on zoo:spider: slip" in said
    assert "raise on zoo:spider: crashed: RuntimeError: no such luck with spider" in said
    assert "1 of 3 passed (33.3 %), 1 failed, 1 crashed, 0 not admitted" in said


def test_grid_plays_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grid", "-a", "nod,walk", "-b", "adult", "-o", str(tmp_path), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["cells"], facts["crashed"], facts["not_admitted"]) == (2, 0, 0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-a", "wvae"], "the library has no animation 'wvae'; closest: 'wave'"),
        (["-a", "nod", "-b", "dgo"], "the grid has no body 'dgo'"),
        (["--player", "nowhere"], "there is no player 'nowhere'"),
        (["--limit", "0"], "--limit 0 makes no sense; expected more than 0"),
        (["--random", "-1"], "'--random'"),
        (["-a", ",", *MADE], "a grid of 0 animations"),
    ],
)
def test_grid_says_what_is_wrong(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["grid", "-o", str(tmp_path / "out"), *words]) == 2
    assert message in capsys.readouterr().err


def test_files_that_cannot_be_read_are_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.glb"
    bad.write_bytes(b"glTF\x02\x00")
    asked = ["grid", "-a", "nod", "-o", str(tmp_path / "out"), "--json", *MADE]
    assert run([*asked, "-b", str(bad)]) == 2
    assert "bad.glb" in json.loads(capsys.readouterr().out)["crashes"][0]["reason"]
    assert run([*asked, "-b", f"{bad},spider", "--fresh"]) == 1


def test_numbers_alone_need_no_viewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> str:
        raise viewer.ViewerMissingError(viewer.HOW_TO_BUILD)

    monkeypatch.setattr(page_folder, "script", missing)
    asked = ["grid", "-a", "nod", "-b", "spider", *MADE]
    assert run([*asked, "-o", str(tmp_path / "numbers"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["passed"] == 1
    assert not (tmp_path / "numbers" / "index.html").exists()
    assert run([*asked, "-o", str(tmp_path / "page")]) == 2
    assert "make web" in capsys.readouterr().err


def test_grid_says_that_nobody_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["grid", "-a", "nod", "-b", "spider", "-o", str(tmp_path), *MADE, "--cluster", "tcp://127.0.0.1:9"]
    assert run([*asked, "--limit", "1"]) == 2
    assert re.search("needs the extra 'cluster'|no Dask scheduler answers", capsys.readouterr().err)


def test_view_writes_one_page_with_everything_inside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "spider.html"
    assert run(["view", "zoo:spider", "-o", str(page), "--no-open", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts == {"target": str(page), "bytes": page.stat().st_size, "opened": False}
    text = page.read_text()
    assert re.findall(r'(?:src|href)="([^"]*)"', text) == ["data:,"]
    assert text.count("</script>") == 2
    found = re.search(r"window.mummerView = (\{.*\})</script>", text)
    assert found
    data = json.loads(found[1])
    assert data["title"] == "spider"
    assert gzip.decompress(base64.b64decode(data["file"])).startswith(b"glTF")


def test_view_opens_a_temporary_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: not opened.append(address))
    assert run(["view", "random:3"]) == 0
    assert opened[0].startswith("file:///")
    assert "opened" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.glb"], "nowhere.glb"),
        (["zoo:dgo"], "closest"),
        (["zoo:dog", "-o", "dog.png"], "a page ends in .html"),
    ],
)
def test_view_says_what_is_wrong(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["view", "--no-open", *words]) == 2
    assert message in capsys.readouterr().err


def test_view_says_how_to_build_the_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing() -> str:
        raise viewer.ViewerMissingError(viewer.HOW_TO_BUILD)

    monkeypatch.setattr(viewer, "script", missing)
    assert run(["view", "random:3", "--no-open"]) == 2
    assert "run `make web`" in capsys.readouterr().err


def shown_in(page: Path) -> dict[str, object]:
    """The JSON of the .glb file inside a page."""
    found = re.search(r"window.mummerView = (\{.*\})</script>", page.read_text())
    assert found
    content = gzip.decompress(base64.b64decode(json.loads(found[1])["file"]))
    document: dict[str, object] = json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")])
    return document


def test_view_shows_compressed_meshes_or_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, page = tmp_path / "packed.glb", tmp_path / "page.html"
    for make in (draco_arm, meshopt_arm):
        file.write_bytes(make().glb())
        assert run(["view", str(file), "-o", str(page), "--no-open"]) == 0
        text = json.dumps(shown_in(page))
        assert "draco" not in text
        assert "meshopt" not in text
        assert "POSITION" in text
    file.write_bytes(draco_arm().glb())
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    assert run(["view", str(file), "-o", str(page), "--no-open"]) == 2
    assert "pip install 'mummer[compressed]'" in capsys.readouterr().err
