"""Two legs onto four and eight, eight onto four, and what is said of limbs and parts that do not get what they need."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.clip.sampled import Sampled
from mummer.measure.watched import places_at
from mummer.recognition import recognized
from mummer.retargeting.build import build_of
from mummer.retargeting.onto import Onto
from tests.retargeting.walk import people, walk

FOUR = ("dog", "horse", "dragon", "centaur")
MANY = ("spider", "crab", "beetle")


def soles(clip, *, rate: float = 30.0) -> np.ndarray:
    """(T, L) heights of the balls of all legs over where they are at rest, in leg lengths."""
    body = build_of(clip.body)
    high = places_at(clip, clip.times(rate))[:, [leg.ball for leg in body.legs]][..., 1]
    return (high - body.places[[leg.ball for leg in body.legs]][:, 1]) / body.size


def travel(clip, joint: int) -> np.ndarray:
    """(T,) how far a joint has come along +Z, metres."""
    return places_at(clip, clip.times(30.0))[:, joint, 2]


@pytest.mark.parametrize("kind", [*FOUR, *MANY])
def test_all_feet_of_a_body_stand_and_step_when_a_man_walks(kind: str) -> None:
    high = soles(Onto(walk(), people(kind)))
    assert high.shape[1] >= 4
    assert np.abs(high.min(axis=0)).max() < 0.06, "each foot comes down to the ground"
    assert high.max(axis=0).min() > 0.02, "each foot is lifted"
    assert np.median(high.min(axis=1)) < 0.03, "something always stands"


@pytest.mark.parametrize("kind", FOUR)
def test_forelegs_follow_the_legs_of_a_man_crosswise(kind: str) -> None:
    body = build_of(people(kind))
    made = Onto(walk(), people(kind))
    pairs = {each.target.name: each.source.name for each in made.transfer.legs}
    assert pairs["front_left_leg"] == pairs["hind_right_leg"] == "right_leg"
    steps = {leg.name: np.diff(travel(made, leg.foot)) > 0.5 * body.size / 30 for leg in body.legs}
    assert np.mean(steps["front_left_leg"] == steps["hind_right_leg"]) > 0.9
    assert np.mean(steps["front_left_leg"] == steps["hind_left_leg"]) < 0.6


def test_neighbours_of_eight_legs_step_in_turn() -> None:
    pairs = {each.target.name: each.source.name for each in Onto(walk(), people("spider")).transfer.legs}
    left = [pairs[f"leg_{rank}_left"] for rank in (4, 3, 2, 1)]
    assert left == ["left_leg", "right_leg", "left_leg", "right_leg"]
    assert all(each.by_foot for each in Onto(walk(), people("spider")).transfer.legs)


def test_legs_are_counted_once(data_dir: Path) -> None:
    spider = build_of(recognized(mm.load(data_dir / "characters/quaternius/Spider.glb")))
    assert len({leg.foot for leg in spider.legs}) == len(spider.legs) == 8


@pytest.mark.parametrize("kind", ["spider", "dog", "adult", "lizard"])
def test_a_spider_walks_on_the_ground_on_other_bodies(kind: str, data_dir: Path) -> None:
    spider = recognized(mm.load(data_dir / "characters/quaternius/Spider.glb"))
    source = Sampled(spider, spider.recording("SpiderArmature|Spider_Walk"))
    high = soles(Onto(source, people(kind)))
    assert np.abs(np.median(high.min(axis=1))) < 0.05
    if kind == "spider":
        assert {each.source.name.removesuffix("_leg") for each in Onto(source, people(kind)).transfer.legs} == {
            leg.name for leg in build_of(people(kind)).legs
        }


def test_arms_do_not_walk_where_legs_do() -> None:
    transfer = Onto(Onto(walk(), people("horse")).baked(30.0), people("crab")).transfer
    assert len(transfer.legs) == len(build_of(people("crab")).legs)
    names = people("crab").skeleton.names
    assert not any("hand" in names[joint] or "forearm" in names[joint] for joint in transfer.pairs)


def test_limbs_that_nothing_moves_are_told() -> None:
    assert not Onto(walk(), people("child")).report
    (finding,) = Onto(walk(), people("dog")).report
    assert str(finding) == "ignored: nothing in 'adult' moves tail of 'dog'"


def test_what_is_deep_in_the_ground_is_told() -> None:
    made = mm.retarget(walk(), people("crab"), rate=30)
    (deep,) = made.report.of("missed")
    assert "of 'crab' is up to" in deep.message
    assert "below the floor" in deep.message
    assert not mm.retarget(walk(), people("child"), rate=30).report.of("missed")
