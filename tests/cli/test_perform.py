"""``mummer perform`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

import mummer as mm
from mummer.character import world_positions
from mummer.cli import watching
from mummer.cli.app import run
from mummer.general.gait import style_names


def test_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", "--help"]) == 0
    shown = capsys.readouterr().out
    for word in ("Examples:", "--target", "--variant", "--path", "--list"):
        assert word in shown


def test_the_library_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    named = [line.split()[0] for line in lines]
    assert set(named) == {*mm.general.animation_names(), *style_names()}
    assert "wave" in named
    assert "walk" in named


def test_what_a_body_can_play_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", "zoo:adult", "wave", "nod", "--list", "--json"]) == 0
    wave, nod = json.loads(capsys.readouterr().out)["animations"]
    assert (wave["branch"], wave["variants"]) == ("hand", ["left_hand", "right_hand"])
    assert (nod["branch"], nod["variants"]) == ("head", [""])
    assert run(["perform", "zoo:adult", "walk", "--list", "--json"]) == 0
    (gait,) = json.loads(capsys.readouterr().out)["animations"]
    assert gait["gait"]


def test_a_performance_is_written_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "wave.glb"
    assert run(["perform", "zoo:adult", "wave", "nod", "--rate", "10", "-o", str(target)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("zoo:adult plays wave + nod with left_hand: 2.60 s, wrote ")
    assert "hello" in told
    again = mm.load(target)
    assert again.recordings[0].name == "wave nod"
    assert again.recordings[0].end == pytest.approx(2.6, abs=0.05)


def test_numbers_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", "zoo:adult", "point", "--target=-1,1.2,2", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["variants"] == ["right_hand"]
    assert facts["events"] == [{"time": 0.7, "name": "point"}]
    assert {finding["kind"] for finding in facts["findings"]} <= {"missed"}


def test_a_file_of_one_s_own_along_a_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "up.toml").write_text(
        'version = 1\nname = "up"\nduration = 1\n[[branch]]\n[[branch.channel]]\n'
        'select = {capability = "head"}\nturn = [[0, 0, 0, 0], [1, -20, 0, 0]]\n'
    )
    assert run(["perform", "zoo:adult", str(tmp_path / "up.toml"), "--path", "0,0 0,1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["duration"] > 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["zoo:adult"], "nothing for zoo:adult to perform"),
        (["zoo:adult", "wafe"], "the library has no animation 'wafe'; closest: 'wave'"),
        (["zoo:adult", "wave", "--target", "1,2"], "--target 1,2: expected three numbers"),
        (["zoo:adult", "walk", "--to", "1,2,3"], "--to 1,2,3: expected a place on the ground, as in 0,2"),
        (["zoo:adult", "walk", "--to", "1,2", "--path", "0,0 1,1"], "expected one of them"),
        (["zoo:adult", "wave", "--path", "1,2,3"], "--path 1,2,3: expected places on the ground"),
        (["zoo:adult", "wave", "--variant", "tail"], "no variant 'tail' for this body"),
        (["zoo:adult", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["zoo:adult", "wave", "--size", "big"], "--size 'big'; expected columns and rows such as 640x480"),
        (["zoo:adult", "wave", "--size", "4x4"], "size is 4x4; each side must be 16 to 8192 pixels"),
    ],
)
def test_mistakes_are_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", *words]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1
    assert message in said[0]


def test_who_is_sent_somewhere_arrives(tmp_path: Path) -> None:
    assert run(["perform", "zoo:dog", "walk", "--to", "0.5,2", "-o", str(tmp_path / "there.glb")]) == 0
    clip = mm.clip.of(tmp_path / "there.glb")
    places = world_positions(clip.body.skeleton, clip.sample(np.array([clip.start, clip.end])))[:, 0]
    np.testing.assert_allclose((places[1] - places[0])[[0, 2]], [0.5, 2.0], atol=0.05)


def test_performances_stand_beside_one_another_with_their_events(tmp_path: Path) -> None:
    once, twice, alone = (tmp_path / name for name in ("once.glb", "twice.glb", "alone.glb"))
    assert run(["perform", "zoo:adult", "wave", "--rate", "10", "-o", str(once)]) == 0
    assert run(["perform", str(once), "wave", "--rate", "10", "-o", str(twice)]) == 0
    made = mm.load(twice)
    assert [recording.name for recording in made.recordings] == ["wave", "wave.001"]
    assert all(mark.name == "hello" for recording in made.recordings for mark in recording.marks)
    assert all(recording.marks for recording in made.recordings)
    assert run(["perform", str(twice), "wave", "--rate", "10", "--only-new", "-o", str(alone)]) == 0
    assert [recording.name for recording in mm.load(alone).recordings] == ["wave"]
    assert alone.stat().st_size < 1.02 * once.stat().st_size


@pytest.mark.parametrize("body", ["adult", "spider", "snake"])
def test_a_walk_is_short_begins_at_zero_and_loops(
    body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "walk.glb"
    for place in ([], ["--in-place"]):
        assert run(["perform", f"zoo:{body}", "walk", *place, "-o", str(target), "--rate", "60"]) == 0
        character = mm.load(target)
        (recording,) = character.recordings
        assert recording.start == 0.0
        assert 0.2 < recording.duration < 3.0
        places = world_positions(character.skeleton, recording.sample(recording.key_times))
        travel = places[-1] - places[0]
        np.testing.assert_allclose(travel, np.broadcast_to(travel[0], travel.shape), atol=0.002)
        steps = np.diff(places, axis=0)
        quickest = np.abs(np.diff(steps, axis=0)).max()
        assert np.abs(steps[0] - steps[-1]).max() <= 1.05 * quickest  # the seam is no more of a jerk than the rest
        away = float(np.linalg.norm(travel[0]))
        assert away < 0.002 if place else away > 0.1


def test_a_gait_goes_as_fast_as_it_is_asked_to(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def pace(*words: str) -> float:
        target = tmp_path / "walk.bvh"
        assert run(["perform", "zoo:adult", "walk", "--duration", "2", *words, "-o", str(target)]) == 0
        recording = mm.load(target).recordings[0]
        way = recording.sample([0.5, 1.5]).root_translation
        assert way is not None
        return float(np.linalg.norm((way[1] - way[0])[[0, 2]]))

    assert pace("--speed", "0.5") == pytest.approx(0.5 * pace(), rel=0.1)
    assert pace("--speed", "0.5", "--pace", "1") == pytest.approx(1.0, rel=0.1)


def test_seconds_are_what_they_say(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "walk.bvh"
    for words in (["walk", "--duration", "1.5"], ["walk", "wave", "--duration", "1.5", "--in-place"]):
        assert run(["perform", "zoo:adult", *words, "-o", str(target), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["duration"] == pytest.approx(1.5)
        assert mm.load(target).recordings[0].duration == pytest.approx(1.5, abs=0.01)
    assert run(["perform", "zoo:adult", "walk", "--path", "0,0 0,1", "-o", str(tmp_path / "way.glb")]) == 0
    recording = mm.load(tmp_path / "way.glb").recordings[0]
    assert recording.start == 0.0


def test_a_gait_lasts_as_long_as_what_is_played_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perform", "zoo:adult", "walk", "wave", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert 2.6 <= facts["duration"] < 4.5


def test_who_waits_sees_what_is_done(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with watching.waiting(quiet=False) as say:
        say("performing")
    with watching.drawing(quiet=False) as progress:
        assert progress is not None
        progress(1, 2)
    shown = capsys.readouterr()
    assert "drawing" in shown.err
    assert shown.out == ""
    with watching.drawing(quiet=True) as progress:
        assert progress is None


def test_a_film_of_a_loop_has_no_picture_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "walk.gif"
    words = ["perform", "zoo:frog", "walk", "--in-place", "--size", "120x90", "-o", str(target), "--json"]
    assert run(words) == 0
    seconds = json.loads(capsys.readouterr().out)["duration"]
    with Image.open(target) as film:
        pictures = [np.asarray(frame.convert("RGB"), np.int64) for frame in ImageSequence.Iterator(film)]
        assert film.info["loop"] == 0
        assert film.size == (120, 90)
    assert len(pictures) == round(20 * seconds)
    changes = [np.abs(one - two).mean() for one, two in zip(pictures, [*pictures[1:], pictures[0]], strict=True)]
    assert min(changes) > 0.1 * max(changes)
