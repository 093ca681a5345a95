"""``mummer say`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.behavior.speech import read_wav, synthesize, write_wav
from mummer.cli.app import run
from mummer.render.mp4 import ffmpeg


def test_a_film_has_sound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import subprocess

    out = tmp_path / "hello.mp4"
    assert run(["say", "zoo:dog", "Hi Bob.", "-o", str(out), "--size", "64x64", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [word[2] for word in told["words"]] == ["Hi", "Bob"]
    assert any(symbol == "b" for _, _, symbol in told["phones"])
    heard = subprocess.run([ffmpeg(), "-i", str(out)], capture_output=True, text=True).stderr
    assert "Audio: aac" in heard
    assert "Video: h264" in heard


def test_motion_has_its_sound_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "hello.glb"
    assert run(["say", "zoo:adult", "Hi Bob.", "-o", str(out)]) == 0
    character = mm.load(out)
    recording = character.recordings[-1]
    morphs = recording.sample(np.arange(0.0, recording.duration, 1 / 60)).morphs
    assert morphs is not None
    assert morphs[:, character.morph_names.index("viseme_PP")].max() > 0.99
    assert read_wav(tmp_path / "hello.wav").duration == pytest.approx(recording.duration, abs=0.02)


def test_bvh_speaks_with_the_jaw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "hello.bvh"
    assert run(["say", "zoo:adult", "Hi Bob.", "-o", str(out)]) == 0
    assert "jaw alone" in capsys.readouterr().out
    character = mm.load(out)
    turned = character.recordings[0].sample(np.arange(0.0, 1.2, 1 / 60)).rotations[:, character.skeleton.index("jaw")]
    assert np.ptp(turned, axis=0).max() > 0.05


def test_a_recording_with_its_transcript(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = synthesize("a big map", pitch=70, rate=130)
    assert said.sound is not None
    write_wav(tmp_path / "line.wav", said.sound)
    assert run(["say", "zoo:dog", "a big map", "--audio", str(tmp_path / "line.wav"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    starts = [phone[0] for phone in told["phones"]]
    assert np.abs(np.array(starts) - [phone.start for phone in said.phones]).max() < 0.04


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["zoo:dog", ""], "nothing to say"),
        (["zoo:dog", "hi", "--voice", "none"], "no voice 'none'"),
        (["zoo:dog", "--audio", "nowhere.wav"], "nowhere.wav: is not there"),
        (["zoo:dog", "hi", "-o", "a.xyz"], "a.xyz"),
        (["zoo:dog", "hi", "--look-at", "1,2"], "--look-at 1,2: expected three numbers"),
        (["zoo:dgo", "hi"], "closest: 'dog'"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["say", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())
