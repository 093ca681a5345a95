"""Simulation: standing, pushes, tension, things that hit, and numbers that make no sense."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Mass
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from mummer.physics import Push, Thing, parse_push, parse_throw, simulate
from mummer.recognition import recognized
from tests.physics.bodies import bending, standing
from tests.physics.tension import posing

pytest.importorskip("mujoco")


@pytest.fixture(scope="module")
def adult() -> Character:
    return mm.zoo.body("adult")


def _angles(clip: mm.clip.Clip, role: str, start: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(T,) degrees by which a joint is turned from a rotation."""
    joint = clip.anatomy.roles[role]
    return np.degrees(quaternion.angle_between(clip.sample(times).rotations[:, joint], start))


def _sized(body: Character, factor: float) -> Character:
    """The body so many times as large, as its joints say; how thick it is is guessed from them."""
    skeleton = body.skeleton
    larger = mm.Skeleton(
        skeleton.names, skeleton.parents, skeleton.rest_translations * factor, skeleton.rest_rotations, name="sized"
    )
    return recognized(Character("sized", larger))


def test_a_body_that_stands_stays_as_it_is(adult: Character) -> None:
    clip = standing(adult, 1.0)
    made = simulate(clip)
    assert made.facts["falls"] == 0
    assert made.facts["guide_most_weights"] == 0
    moved = mm.world_positions(adult.skeleton, made.clip.at(1.0)) - mm.world_positions(adult.skeleton, clip.at(1.0))
    assert np.linalg.norm(moved, axis=-1).max() < 0.02
    assert made.facts["mean_off_degrees"] < 1.0


def test_a_push_moves_a_body_where_it_pushes_and_the_body_comes_back(adult: Character) -> None:
    made = simulate(standing(adult, 0.2), pushes="0.2s:chest:left:25")
    chest = adult.anatomy.roles["chest"]  # type: ignore[union-attr]
    path = mm.world_positions(adult.skeleton, made.clip.sample(np.linspace(0, 2.2, 60)))[:, chest]
    away = path - path[0]
    farthest = away[np.argmax(np.abs(away[:, 0]))]
    assert farthest[0] > 0.02  # left is +x
    assert abs(farthest[2]) < abs(farthest[0])
    assert np.linalg.norm(away[-1]) < 0.5 * abs(farthest[0])
    assert made.facts["falls"] == 0


def test_the_same_again_is_the_same(adult: Character) -> None:
    asked = {"pushes": "0.1s:head:back:12", "throws": "0.4s:ball:chest:front:5"}
    one, two = (simulate(standing(adult, 0.5), **asked) for _ in range(2))
    times = np.linspace(0, one.clip.end, 40)
    assert np.array_equal(one.clip.sample(times).rotations, two.clip.sample(times).rotations)
    assert [event.impulse for event in one.events] == [event.impulse for event in two.events]


def test_tension_changes_how_an_arm_gets_there_and_not_where_it_ends(adult: Character) -> None:
    clip = bending(adult, "left_forearm", (0.0, -1.2, 0.0), seconds=3.0, within=0.25)
    times = np.linspace(0.0, 3.0, 181)
    start = clip.at(0.0).rotations[adult.anatomy.roles["left_forearm"]]  # type: ignore[union-attr]
    planned = _angles(clip, "left_forearm", start, times)
    over, ends = [], []
    for tension in (1.0, 0.1, 0.02):
        made = simulate(clip, tension=tension, actuator="antagonistic")
        angles = _angles(made.clip, "left_forearm", start, times)
        over.append(angles.max() - planned[-1])
        ends.append(abs(angles[-15:] - planned[-1]).max())
    assert over[0] < 2.0
    assert over[0] < over[1] < over[2]
    assert ends[0] < 2.0
    assert max(ends) < 6.0


def test_a_plan_says_how_tense_joints_are(adult: Character) -> None:
    from mummer.script import Rehearsal

    take = Rehearsal.of_clip(bending(adult, "left_forearm", (0.0, -1.2, 0.0), seconds=2.0, within=0.25))
    times = np.linspace(0.0, 2.0, 121)
    start = take.clip.at(0.0).rotations[adult.anatomy.roles["left_forearm"]]  # type: ignore[union-attr]
    slack, usual, firm = (
        _angles(simulate(each).clip, "left_forearm", start, times)
        for each in (take.edit("SetTension {*} REL 0.1"), take, take.edit("SetTension {*} REL 3"))
    )
    planned = _angles(take.clip, "left_forearm", start, times)
    assert slack.max() > firm.max() + 2.0
    assert abs(firm[-1] - planned[-1]) < 2.0
    assert abs(usual - planned).max() < abs(slack - planned).max()


def test_who_is_slack_all_over_keeps_up() -> None:
    clip = posing(mm.zoo.body("child"), np.random.default_rng(1)).trimmed(0.0, 0.5)
    made = simulate(clip, tension=0.03, actuator="antagonistic")
    assert made.facts["falls"] == 0
    assert made.clip.duration == pytest.approx(0.5, abs=0.02)


def test_who_is_too_slack_to_be_simulated_is_held_firmer_and_told(shared_character: Callable[[str], Path]) -> None:
    body = recognized(mm.load(shared_character("threejs/Xbot.glb")))
    clip = posing(body, np.random.default_rng(5)).trimmed(0.0, 0.6)
    made = simulate(clip, tension=0.03, actuator="antagonistic")
    assert made.clip.duration == pytest.approx(0.6, abs=0.02)
    assert made.facts["falls"] == 0
    assert any("at least 0.1" in finding.message for finding in made.report.of("repaired"))


def test_a_thing_that_hits_is_an_event_and_pushes(adult: Character) -> None:
    made = simulate(standing(adult, 0.3), throws="0.4s:ball:chest:front:8:0.25:2")
    hits = [event for event in made.events if event.by == "ball 1"]
    assert hits
    assert abs(hits[0].time - 0.4) < 0.1
    assert 5.0 < sum(event.impulse for event in hits) < 40.0
    assert any(mark.name.startswith("ball 1 hits") for mark in made.clip.marks)
    ball = made.things["ball 1"]
    speeds = np.gradient(ball.sample(np.linspace(0, 1, 61)).root_translation[:, 2]) * 60  # type: ignore[index]
    assert speeds[:20].min() < -7.0
    assert speeds[30:40].max() > speeds[:20].min() + 4.0


def test_a_hard_push_is_a_fall_that_is_told_and_the_body_gets_up(adult: Character) -> None:
    made = simulate(standing(adult, 0.5), pushes="0.2s:chest:back:150")
    assert made.facts["falls"] >= 1
    assert any("falls at" in finding.message for finding in made.report.of("missed"))
    head = adult.anatomy.roles["head"]  # type: ignore[union-attr]
    heights = mm.world_positions(adult.skeleton, made.clip.sample(np.linspace(0, made.clip.end, 200)))[:, head, 1]
    assert heights.min() < 0.35 * heights[0]
    assert heights[-1] > 0.9 * heights[0]
    limp = simulate(standing(adult, 0.5), pushes="0.2s:chest:back:150", get_up=False)
    end = mm.world_positions(adult.skeleton, limp.clip.at(limp.clip.end))[head, 1]
    assert end < 0.35 * heights[0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pushes": "1s:chest:left"}, "expected TIME:PART:DIRECTION:IMPULSE"),
        ({"pushes": "1s:chest:left:nan"}, "'nan' is no number"),
        ({"pushes": Push(0.1, "chset", "left", 5.0)}, "closest: 'chest'"),
        ({"throws": "1s:bal:chest:front:5"}, "a throw has no shape 'bal'; closest: 'ball'"),
        ({"tension": float("nan")}, "expected a number"),
        ({"tension": {"left_arm": -1.0}}, "expected 0 for slack to 1 for stiff"),
        ({"tension": {"left_am": 1.0}}, "closest: 'left_arm'"),
        ({"actuator": "motor"}, "simulate() has no actuator 'motor'"),
        ({"balance": "ankles"}, "closest: 'ankle'"),
        ({"rate": 0.0}, "expected 1 to 1000"),
        ({"ground": float("inf")}, "the ground"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(adult: Character, given: dict, said: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(InputError) as caught:
        simulate(standing(adult, 0.1), **given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_pushes_and_throws_that_make_no_sense() -> None:
    with pytest.raises(UnknownNameError, match="closest: 'left'"):
        parse_push("1:chest:lft:5")
    with pytest.raises(InputError, match="impulse of a push is nan"):
        Push(0.0, "chest", "left", float("nan"))
    with pytest.raises(InputError, match="three numbers"):
        Push(0.0, "chest", (0.0, 0.0, 0.0), 1.0)
    with pytest.raises(InputError, match="size of a throw"):
        parse_throw("1:ball:chest:front:5:-1")
    with pytest.raises(InputError, match="mass of thing"):
        Thing("it", "ball", 0.1, 0.0)


@pytest.mark.parametrize("what", ["zero masses", "huge tension", "huge push", "tiny", "giant"])
def test_hostile_numbers_never_give_numbers_that_are_none(adult: Character, what: str) -> None:
    body, options = adult, {}
    count = len(adult.skeleton)
    if what == "zero masses":
        body = adult.replace(mass=Mass(np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3))))
    elif what == "huge tension":
        options = {"tension": 1e12, "actuator": "antagonistic", "pushes": "0.05s:head:left:30"}
    elif what == "huge push":
        options = {"pushes": "0.05s:left_hand:up:9e6"}
    else:
        body = _sized(adult, 0.005 if what == "tiny" else 100.0)
    made = simulate(standing(body, 0.3), **options)  # type: ignore[arg-type]
    pose = made.clip.sample(np.linspace(0, made.clip.end, 30))
    assert np.isfinite(pose.rotations).all()
    assert np.isfinite(pose.root_translation).all()  # type: ignore[arg-type]
    assert all(np.isfinite(value) for value in made.facts.values())
