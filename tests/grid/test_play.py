"""One cell: what becomes of it, whatever it does."""

from __future__ import annotations

import gzip

import msgspec
import numpy as np
import pytest

from mummer.character import Character
from mummer.errors import InputError
from mummer.grid import JUDGES, Cell, find_player
from mummer.grid.pack import FULL, Header, pack_body, pack_poses
from mummer.grid.play import Outcome, Task, play
from tests.grid import players

PLAYER = "tests.grid.players:play"


def played(animation: str, body: str = "zoo:spider", **options: object) -> Outcome:
    return play(Task(Cell(body, animation), PLAYER, **options))  # type: ignore[arg-type]


def test_a_good_cell_passes_with_all_scores_and_its_motion() -> None:
    outcome = played("nod")
    assert outcome.verdict.status == "passed"
    assert [score.measure for score in outcome.verdict.scores] == [judge.name for judge in JUDGES]
    assert outcome.verdict.duration == players.SECONDS
    assert outcome.clip is not None
    assert outcome.body is not None


def test_a_failed_cell_says_what_where_and_by_how_much() -> None:
    verdict = played("slide").verdict
    assert verdict.status == "failed"
    (failure,) = verdict.failures
    assert (failure.measure, failure.threshold) == ("slip", 0.2)
    assert failure.value is not None
    assert failure.value > failure.threshold
    assert "foot at" in failure.where


@pytest.mark.parametrize(
    ("animation", "body", "status", "reason"),
    [
        ("refuse", "zoo:spider", "not_admitted", "'spider' has no wings"),
        ("raise", "zoo:spider", "crashed", "RuntimeError: no such luck with spider"),
        ("nod", "zoo:spidr", "crashed", "the zoo has no body 'spidr'; closest: 'spider'; there are adult, "),
    ],
)
def test_what_goes_wrong_is_a_verdict_in_one_line(animation: str, body: str, status: str, reason: str) -> None:
    outcome = played(animation, body)
    assert outcome.verdict.status == status
    assert outcome.verdict.reason.startswith(reason)
    assert "\n" not in outcome.verdict.reason
    assert outcome.clip is None
    assert outcome.verdict.scores == ()


def test_motions_come_only_where_they_are_wanted() -> None:
    assert played("nod", keep=("failed",)).clip is None
    assert played("slide", keep=("failed",)).clip is not None
    assert played("nod", with_body=False).body is None


def test_a_packed_motion_holds_the_poses(spider: Character) -> None:
    rate = 30.0
    pose = players.play("slide", spider).sample(np.arange(61) / rate)
    content = gzip.decompress(pack_poses(spider, pose, rate))
    length = int.from_bytes(content[:4], "little")
    header = msgspec.json.decode(content[4 : 4 + length], type=Header)
    assert (header.frames, header.rate, header.joints) == (61, rate, len(spider.skeleton))
    assert (4 + length) % 4 == 0
    turns = np.frombuffer(content, "<i2", header.frames * header.joints * 4, 4 + length) / FULL
    assert np.allclose(turns.reshape(pose.rotations.shape), pose.rotations, atol=2 / FULL)
    places = np.frombuffer(content, "<f4", header.frames * 3, 4 + length + turns.size * 2).reshape(-1, 3)
    assert np.allclose(places, pose.root_translation, atol=1e-5)


def test_a_packed_body_numbers_its_nodes_as_joints(spider: Character) -> None:
    content = gzip.decompress(pack_body(spider))
    length = int.from_bytes(content[12:16], "little")
    document = msgspec.json.decode(content[20 : 20 + length])
    names = [node["name"] for node in document["nodes"]]
    assert tuple(names[: len(spider.skeleton)]) == spider.skeleton.names
    assert "animations" not in document


@pytest.mark.parametrize("name", ["nonsense", "mummer.nowhere:play", "mummer.grid:nothing"])
def test_a_player_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(InputError, match=f"there is no player '{name}'; expected module:function"):
        find_player(name)
