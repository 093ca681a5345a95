"""``mummer render``: what it writes, what it prints, and one line with exit code 2 for what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mummer.cli.app import run
from mummer.io import save
from tests.render.helpers import figure, waving


@pytest.fixture(scope="module")
def body(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("render") / "figure.glb"
    character = figure()
    save(character.replace(recordings=(waving(character),)), file)
    return str(file)


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("render") / "still.glb"
    save(figure("still"), file)
    return str(file)


def size_of(path: Path) -> tuple[int, int]:
    with Image.open(path) as image:
        return image.size


def test_a_motion_becomes_a_sheet_of_moments(body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.png"
    assert run(["render", body, "-o", str(out), "--size", "40x40"]) == 0
    assert size_of(out)[0] == 8 * 46 + 6
    assert capsys.readouterr().out.startswith(f"wrote {out} (374x")


def test_a_body_that_does_not_move_is_seen_from_three_sides(still: str, tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    assert run(["render", still, "-o", str(out), "--size", "40x40"]) == 0
    assert size_of(out)[0] == 3 * 46 + 6


def test_json_describes_the_output(body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.gif"
    assert run(["render", body, "-o", str(out), "--size", "40x40", "--fps", "5", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts == {
        "target": str(out),
        "bytes": out.stat().st_size,
        "subjects": [body],
        "kind": "video",
        "size": [40, 40],
        "frames": 6,
        "fps": 5.0,
        "findings": [],
    }


@pytest.mark.parametrize(
    ("options", "columns"),
    [
        (["--frames", "3"], 3),
        (["--times", "0,0.5"], 2),
        (["--times", "0,0.5", "--views", "front,side"], 2),
        (["--pose", "rest"], 1),
        (["--pose", "default"], 1),
        (["--pose", "0.25"], 1),
        (["--pose", "0.25", "--views", "front,30:10,top"], 3),
        (["--clip", "wave", "--frames", "4", "--columns", "2"], 2),
        (["--frames", "1", "--skeleton", "--names", "--trail", "head", "--floor-path", "--scale-bar"], 1),
        (["--frames", "1", "--dual-quaternion"], 1),
    ],
)
def test_options_choose_what_is_shown(body: str, tmp_path: Path, options: list[str], columns: int) -> None:
    out = tmp_path / "a.png"
    # A motion alone is one view, so that a row is one moment after the other.
    assert run(["render", body, "-o", str(out), "--size", "40x40", *options]) == 0
    assert size_of(out)[0] == 46 * (3 if columns == 1 and options[0] == "--pose" else columns) + 6


def test_several_bodies_in_one_picture(body: str, still: str, tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    assert run(["render", body, still, "--side-by-side", "--times", "0.5", "-o", str(out), "--size", "90x40"]) == 0
    assert size_of(out) == (90, 40)
    assert np.asarray(Image.open(out)).std() > 5


def test_rest_and_a_moment_differ(body: str, tmp_path: Path) -> None:
    pictures = []
    for pose in ("rest", "1.0"):
        out = tmp_path / f"{pose}.png"
        run(["render", body, "--pose", pose, "--views", "front", "-o", str(out), "--size", "60x60"])
        pictures.append(np.asarray(Image.open(out)).astype(int)[:60])
    assert np.abs(pictures[0] - pictures[1]).mean() > 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "a.tiff"], "a.tiff: cannot be written: choose .png, .gif or .mp4"),
        (["-o", "a.png", "--clip", "wvae"], "has no recording 'wvae'; closest: 'wave'"),
        (["-o", "a.png", "--views", "frnt"], "has no view 'frnt'; closest: 'front'"),
        (["-o", "a.png", "--views", "a:b"], "--views: 'a' is not a number"),
        (["-o", "a.png", "--size", "40"], "--size '40'; expected columns and rows such as 640x480"),
        (["-o", "a.png", "--size", "4x4"], "each side must be 16 to 8192 pixels"),
        (["-o", "a.png", "--times", "0,x"], "--times: 'x' is not a number"),
        (["-o", "a.png", "--times", "99"], "--times 99: 'wave' of"),
        (["-o", "a.png", "--pose", "99"], "--pose 99: 'wave' of"),
        (["-o", "a.png", "--times", "nan"], "--times: 'nan' is not a number"),
        (["-o", "a.png", "--times", "0", "--frames", "2"], "give --times or --frames, not both"),
        (["-o", "a.png", "--frames", "-2"], "'--frames'"),
        (["-o", "a.png", "--pose", "rest", "--frames", "2"], "it does not go with --times or --frames"),
        (["-o", "a.png", "--pose", "rest", "--clip", "wave"], "leave --clip out"),
        (["-o", "a.png", "--pose", "sit"], "--pose: 'sit' is not a number"),
        (["-o", "a.png", "--trail", "haed"], "has no joint 'haed'; closest: 'head'"),
        (["-o", "a.png", "--columns", "-1"], "'--columns'"),
        (["-o", "a.gif", "--views", "front,side"], "a video is seen from one side: give one view"),
        (["-o", "a.gif", "--fps", "0"], "--fps 0 makes no sense"),
        (["-o", "a.png", "--side-by-side", "--views", "front,side"], "give one view"),
        (["-o", "a.png", "--side-by-side", "--times", "0,1"], "give one of --times"),
    ],
)
def test_what_cannot_be(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    options: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(["render", body, *options]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_moment_of_a_motion_that_is_not_there(still: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["render", still, "--pose", "0.5", "-o", str(tmp_path / "a.png")]) == 2
    assert "has no animation" in capsys.readouterr().err


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["render", str(tmp_path / "no.glb"), "-o", str(tmp_path / "a.png")]) == 2
    assert "no.glb: is not there" in capsys.readouterr().err


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["render", "--help"]) == 0
    printed = capsys.readouterr().out
    assert "mummer render hero.glb -o hero.png" in printed
    assert "--dual-quaternion" in printed


def test_a_body_that_does_not_move_has_no_moments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["render", "zoo:dog", "--times", "99", "-o", str(tmp_path / "dog.png")]) == 2
    assert "--times 99: zoo:dog has no animation" in capsys.readouterr().err
    assert not (tmp_path / "dog.png").exists()
