"""Videos decode to the pictures that went in: as many, as large, as long."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mummer.errors import FileError, InputError, MissingExtraError, UnknownFormatError
from mummer.render import mp4, save_video, video
from mummer.render.gif import durations, write_gif
from tests.render.helpers import difference, figure, waving

SMALL = {"size": (66, 50)}


def wave() -> tuple[object, object]:
    body = figure()
    return body, waving(body)


def decoded(path: Path, size: tuple[int, int]) -> np.ndarray:
    """(T, rows, columns, 3) the pictures of an mp4."""
    command = [mp4.ffmpeg(), "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
    return np.frombuffer(raw, np.uint8).reshape(-1, size[1], size[0], 3)


def test_a_gif_has_every_picture_and_loops(tmp_path: Path) -> None:
    file = tmp_path / "wave.gif"
    facts = save_video(file, wave(), fps=10, **SMALL)
    assert (facts.frames, facts.size) == (11, (66, 50))
    with Image.open(file) as gif:
        assert gif.n_frames == 11
        assert gif.size == (66, 50)
        assert gif.info["loop"] == 0
        pictures = []
        for frame in range(11):
            gif.seek(frame)
            pictures.append(np.asarray(gif.convert("RGB")))
            assert gif.info["duration"] == 100
    for drawn, read in zip(video(wave(), fps=10, **SMALL), pictures, strict=True):
        assert difference(drawn, read) < 4


@pytest.mark.parametrize("fps", [7, 24, 30, 50])
def test_a_gif_keeps_time(fps: int) -> None:
    lengths = durations(3 * fps, fps)
    assert sum(lengths) == 3000
    assert all(length % 10 == 0 and length > 0 for length in lengths)


@pytest.mark.parametrize("size", [(66, 50), (65, 51)])
def test_an_mp4_has_every_picture(tmp_path: Path, size: tuple[int, int]) -> None:
    pytest.importorskip("imageio_ffmpeg", reason="the extra 'video' is not installed")
    file = tmp_path / "wave.mp4"
    facts = save_video(file, wave(), fps=10, size=size)
    even = (66, 50) if size == (66, 50) else (66, 52)
    pictures = decoded(file, even)
    assert len(pictures) == facts.frames == 11
    for drawn, read in zip(video(wave(), fps=10, size=size), pictures, strict=True):
        assert difference(drawn, read[: size[1], : size[0]]) < 6


def test_what_does_not_move_is_turned_round(tmp_path: Path) -> None:
    pictures = list(video(figure(), fps=2, size=(64, 64)))
    assert len(pictures) == 8
    assert min(difference(one, other) for one, other in itertools.pairwise(pictures)) > 1
    # The next picture would be the first again: from the last to the first is no further than between neighbours.
    steps = [difference(one, other) for one, other in zip(pictures, pictures[1:] + pictures[:1], strict=True)]
    assert steps[-1] < 1.5 * max(steps[:-1])


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    save_video(tmp_path / "w.gif", wave(), times=3, progress=lambda *done: told.append(done), **SMALL)
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("ending", [".gif", ".mp4"])
def test_a_failure_leaves_what_was_there(tmp_path: Path, ending: str) -> None:
    if ending == ".mp4":
        pytest.importorskip("imageio_ffmpeg", reason="the extra 'video' is not installed")
    file = tmp_path / f"old{ending}"
    file.write_text("old")

    def pictures() -> Iterator[np.ndarray]:
        yield np.zeros((50, 66, 3), np.uint8)
        raise RuntimeError("half way")

    write = write_gif if ending == ".gif" else mp4.write_mp4
    with pytest.raises(RuntimeError, match="half way"):
        write(file, pictures(), fps=10, size=(66, 50))
    assert file.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


def test_another_ending(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormatError, match=r"is no video that can be written; choose \.mp4"):
        save_video(tmp_path / "a.mp3", wave(), **SMALL)


@pytest.mark.parametrize("fps", [0, -1, 51])
def test_a_gif_that_is_too_fast_or_stands_still(tmp_path: Path, fps: float) -> None:
    with pytest.raises(InputError, match=r"(frames|pictures) a second"):
        save_video(tmp_path / "a.gif", wave(), fps=fps, **SMALL)


def test_without_the_extra_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(
        MissingExtraError, match=r"writing \.mp4 needs the extra 'video': pip install 'mummer\[video\]'"
    ):
        save_video(tmp_path / "a.mp4", wave(), **SMALL)
    assert not list(tmp_path.iterdir())


def fake_ffmpeg(folder: Path, body: str) -> str:
    program = folder / "ffmpeg"
    program.write_text(f"#!{sys.executable}\nimport sys, time\n{body}\n")
    program.chmod(0o755)
    return str(program)


def test_an_ffmpeg_that_complains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = fake_ffmpeg(tmp_path, "sys.stderr.write('x' * 300000 + '\\nno such codec\\n'); sys.exit(1)")
    monkeypatch.setattr(mp4, "ffmpeg", lambda: broken)
    with pytest.raises(FileError, match="ffmpeg says"):
        save_video(tmp_path / "out" / "a.mp4", wave(), **SMALL)
    assert not list((tmp_path / "out").iterdir())


def test_an_ffmpeg_that_stands_still_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = fake_ffmpeg(tmp_path, "time.sleep(600)")
    monkeypatch.setattr(mp4, "ffmpeg", lambda: stuck)
    monkeypatch.setattr(mp4, "PATIENCE", 0.5)
    pictures = (np.zeros((400, 400, 3), np.uint8) for _ in range(3))
    with pytest.raises(FileError, match="stood still"):
        mp4.write_mp4(tmp_path / "out" / "a.mp4", pictures, fps=10, size=(400, 400))
    assert not list((tmp_path / "out").iterdir())


def test_no_pictures_make_no_video(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least one picture"):
        write_gif(tmp_path / "a.gif", [], fps=10, size=(66, 50))
    pytest.importorskip("imageio_ffmpeg", reason="the extra 'video' is not installed")
    with pytest.raises(InputError, match="at least one picture"):
        mp4.write_mp4(tmp_path / "a.mp4", [], fps=10, size=(66, 50))
