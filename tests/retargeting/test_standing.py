"""Bodies that do not stand at rest, and feet that must not slide."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer import measure
from mummer.character import Character
from mummer.character.derive import rest_positions
from mummer.clip.recorded import bake
from mummer.clip.sampled import Sampled
from mummer.math import quaternion
from mummer.measure.watched import places_at
from mummer.recognition import recognized
from mummer.retargeting import Onto
from mummer.retargeting.build import build_of
from mummer.retargeting.standing import MOST, _bent, _seen, _turns, stood
from mummer.retargeting.transfer import _pelvis
from tests.measure.test_measures import changed
from tests.retargeting.walk import people, walk


@cache
def resting_in_a_step() -> Sampled:
    """The walk of a body whose file rests in the middle of a step, as files that hold a motion alone do."""
    body, frame = people("adult"), walk().at(0.75)
    skeleton = dataclasses.replace(body.skeleton, rest_rotations=frame.rotations)
    other = Character("stepping", skeleton, anatomy=body.anatomy, recordings=(walk().recording,))
    return Sampled(other, walk().recording)


def test_a_body_that_stands_is_left_as_it_is() -> None:
    for name in ("adult", "child", "giant", "hunched", "dog", "spider", "snake"):
        assert stood(people(name)) is people(name)


def test_up_is_what_the_world_says_where_a_body_leans() -> None:
    body = people("adult")
    up = quaternion.rotate(quaternion.exp([0.15, 0.0, 0.1]), body.anatomy.up)
    front = np.cross(np.cross(up, body.anatomy.front), up)
    leaning = body.replace(anatomy=dataclasses.replace(body.anatomy, up=up, front=front / np.linalg.norm(front)))
    assert np.allclose(stood(leaning).anatomy.up, [0.0, 1.0, 0.0])
    made = Onto(Sampled(leaning, walk().recording), people("child"))
    assert measure.bone_direction_error(made, walk()).value < 2.0


def test_a_body_that_rests_in_a_step_is_seen_to_stand_in_its_motion() -> None:
    source = resting_in_a_step()
    build, plain = build_of(source.body), build_of(people("adult"))
    for leg, other in zip(build.legs, plain.legs, strict=True):
        assert leg.ball_height == pytest.approx(other.ball_height, abs=0.03 * plain.size)
    assert float(build.anatomy.front @ plain.anatomy.front) > 0.98
    made = Onto(source, people("child"))
    assert measure.bone_direction_error(made, walk()).value < 2.0
    assert measure.ground_penetration(made, floor=0.0).value < 1.0
    assert measure.ground_float(made, floor=0.0).value < 1.0


def test_there_and_back_again_by_way_of_it() -> None:
    there = bake(Onto(walk(), resting_in_a_step().body), 60.0)
    assert measure.bone_direction_error(Onto(there, people("adult")), walk()).value < 1.0


def slipping() -> Sampled:
    """The walk on a floor that is a little slippery: the body creeps to the side."""
    return changed(walk(), lambda times, _r, root: root.__iadd__(0.04 * times[:, None] * [1.0, 0.0, 0.0]))


def test_feet_of_a_giant_slide_no_further_than_those_of_a_man() -> None:
    from mummer.clip.analysis import contacts

    source, marks = slipping(), contacts(slipping())
    made = Onto(source, people("giant"))
    assert made.transfer.scale > 1.5
    skates = [measure.foot_skate(clip, marks=marks).value for clip in (source, made)]
    assert skates[0] > 1.0
    assert skates[1] < skates[0] + 0.5


def test_knees_that_are_overstretched_stay_so() -> None:
    body = people("adult")
    knees = [body.anatomy.roles[f"{side}_lower_leg"] for side in ("left", "right")]
    thighs = [body.anatomy.roles[f"{side}_upper_leg"] for side in ("left", "right")]

    def stretch(_times: np.ndarray, rotations: np.ndarray, _root: np.ndarray) -> None:
        rotations[:, thighs] = body.skeleton.rest_rotations[thighs]
        rotations[:, knees] = quaternion.multiply(
            body.skeleton.rest_rotations[knees], quaternion.exp([-0.08, 0.0, 0.0])
        )

    standing = changed(walk(), stretch)
    made = Onto(standing, people("child"))
    found = measure.bone_direction_error(made, standing)
    assert max(found.parts[f"{side}_lower_leg"] for side in ("left", "right")) < 3.0


def test_feet_that_rest_rolled_stand_on_flat_soles(data_dir: Path) -> None:
    motion = recognized(mm.load(data_dir / "motions/cmu-cgspeed/cmu_02_01_walk.bvh"))
    assert not motion.meshes
    made, body = Onto(Sampled(motion, motion.recordings[0]), people("adult")), build_of(people("adult"))
    times = made.times(30.0)
    turns = _turns(body.skeleton, made.sample(times).rotations)
    for leg in body.legs:
        low = places_at(made, times)[:, [leg.foot, leg.ball], 1].sum(axis=1)
        stands = low <= np.quantile(low, 0.2)
        tilted = quaternion.rotate(
            quaternion.multiply(turns[stands, leg.foot], quaternion.conjugate(body.turns[leg.foot])), body.anatomy.up
        )
        assert np.median(np.degrees(np.arccos(tilted @ body.anatomy.up))) < 8.0


def test_the_more_uneven_folded_or_fallen_the_less_a_body_stands() -> None:
    body = people("adult")
    rest, roles = rest_positions(body.skeleton), body.anatomy.roles
    leg = build_of(body).size

    def moved(*parts: str, by: float) -> float:
        places = rest.copy()
        places[[roles[part] for part in parts], 1] += by * leg
        return float(_bent(body.anatomy, places[None])[0])

    assert moved("left_foot", by=0.0) < 0.5
    raised = [moved("left_foot", by=by) for by in (0.0, 0.05, 0.2, 0.4)]
    assert np.all(np.diff(raised) > 0.0)
    assert raised[1] < 1.0 < raised[2]
    assert moved("right_foot", by=0.2) == pytest.approx(raised[2], rel=0.05)
    folded = [moved("hips", "left_upper_leg", "right_upper_leg", by=by) for by in (0.0, -0.3, -0.9)]
    assert np.all(np.diff(folded) > 0.0)
    assert moved("head", by=-3.0) > 1.0
    twice = _bent(body.anatomy, np.stack([rest, 2.0 * rest, rest + 5.0]))
    np.testing.assert_allclose(twice, twice[0], atol=1e-9)


@pytest.mark.parametrize("count", [1, 3, 20])
def test_no_more_frames_are_looked_at_however_many_recordings_there_are(count: int) -> None:
    body = dataclasses.replace(people("adult"), recordings=(walk().recording,) * count)
    places, turns = _seen(body, None)
    assert 0.9 * MOST <= len(places) == len(turns) <= MOST


def test_bodies_without_legs_are_as_large_as_they_are_and_have_no_pelvis_to_turn() -> None:
    snake = build_of(people("snake"))
    assert snake.size == snake.anatomy.height
    assert _pelvis(snake)[0] < 0
    adult = build_of(people("adult"))
    assert adult.size == pytest.approx(np.mean([leg.length for leg in adult.legs]))
    hips, one, other, *line = _pelvis(adult)
    assert {int(one), int(other)} == {leg.upper for leg in adult.legs}
    seen = adult.places[int(one)] - adult.places[int(other)]
    np.testing.assert_allclose(quaternion.rotate(adult.turns[int(hips)], np.array(line)), seen, atol=1e-9)
