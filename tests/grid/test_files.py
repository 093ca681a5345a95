"""Files are judged as they are played."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from mummer.character import Character
from mummer.cli.app import run
from mummer.errors import UnknownNameError
from mummer.grid import Verdict, judge_file
from mummer.grid.judge import hover, scene_of
from tests.grid.players import moved, play, tip_parent, wave_of


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, spider: Character) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("files")
    found = {}
    for name in ("nod", "slide"):
        found[name] = str(folder / f"{name}.glb")
        play(name, spider).save(found[name])
    return found


def test_a_written_motion_is_judged_as_the_clip_was(files: dict[str, str]) -> None:
    (good,), (bad,) = judge_file(files["nod"]), judge_file(files["slide"])
    assert (good.status, bad.status) == ("passed", "failed")
    assert [score.measure for score in bad.failures] == ["slip"]


def test_the_command_prints_each_measure(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", files["slide"]]) == 0
    said = capsys.readouterr().out
    assert ": failed" in said
    assert "FAILED slip:" in said
    assert "passed sink:" in said
    assert run(["judge", files["slide"], "--strict"]) == 1
    assert run(["judge", files["nod"], "--strict"]) == 0


def test_the_command_prints_json(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", files["nod"], "--json"]) == 0
    verdict = msgspec.json.decode(capsys.readouterr().out, type=Verdict)
    assert verdict.status == "passed"


def test_a_motion_that_is_not_there_is_named(files: dict[str, str]) -> None:
    with pytest.raises(UnknownNameError, match="has no recording 'run'"):
        judge_file(files["nod"], "run")


def test_a_body_that_rests_elsewhere_stands_where_its_motion_does(spider: Character) -> None:
    """Captured motion often comes with a body at rest whose hips are at the origin."""
    high = moved(spider, {tip_parent(spider): wave_of(0.1)}, travel=np.tile([0.0, 2.0, 0.0], (121, 1)))
    assert not hover.JUDGE.score(scene_of(high)).passed
    assert hover.JUDGE.score(scene_of(high, finds_ground=True)).passed
