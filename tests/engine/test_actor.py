from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import deform
from mummer.engine.state import SCORE
from mummer.errors import InputError
from mummer.general import animation_from_text
from mummer.grid.judge import pops, scene_of
from mummer.ik.world_state import WorldState
from tests.engine.commands import RATE, Seen, body_named, watch
from tests.engine.judging import BAR, changes, slips, soles_of

STEP = 1 / 60
WINGED = """version = 1
name = 'flutter'
duration = 1.0

[[branch]]
name = 'wing'
needs = {wing = true}

[[branch.channel]]
name = 'wing'
select = {capability = 'wing', limb = 'tip'}
bend = [[0, 0, 0, 0], [0.5, 0, 0, 30], [1, 0, 0, 0]]
"""
BODIES = ("adult", "dog", "spider", "bird", "3", "6")


def walking(name: str, seconds: float = 2.0) -> mm.Actor:
    actor = mm.Actor(body_named(name), at=(0, 0), heading=0.0)
    actor.go(speed=actor.troupe.easy_speed)
    for _ in range(round(seconds / STEP)):
        actor.step(STEP)
    return actor


def sliding(seen: Seen) -> np.ndarray:
    return slips(seen.character, seen.poses, seen.grounds, RATE)


@pytest.mark.parametrize("name", BODIES)
def test_feet_stay_where_they_stand(name: str) -> None:
    slid = sliding(watch(walking(name), 3.0))
    stands = ~np.isnan(slid)
    assert stands.any(axis=0).all()
    assert not stands.all(axis=0).any()
    assert np.nanmax(slid) < BAR, np.nanmax(slid, axis=0)


@pytest.mark.parametrize("name", BODIES)
def test_a_walker_gets_where_its_speed_says(name: str) -> None:
    actor = walking(name, 3.0)
    before = actor.place
    for _ in range(60):
        actor.step(STEP)
    assert actor.place - before == pytest.approx([0.0, actor.troupe.easy_speed], abs=0.01 * actor.troupe.easy_speed)


def test_the_judge_sees_feet_that_slide_and_bodies_that_jump() -> None:
    seen = watch(walking("adult"), 1.0)
    assert changes(seen.character, seen.poses, RATE).max() < 1.0
    seen.poses.root_translation.flags.writeable = True
    seen.poses.root_translation[:, 2] += np.linspace(0, 0.5, len(seen.grounds))
    assert np.nanmax(sliding(seen)) > BAR
    seen.poses.root_translation[30:, 1] += 0.2
    assert changes(seen.character, seen.poses, RATE).max() > 1.0


def test_what_was_does_not_depend_on_what_will_be() -> None:
    def past() -> tuple[mm.Actor, list[np.ndarray]]:
        actor = mm.Actor("zoo:dog", at=(1, 2), heading=0.5)
        actor.go(speed=0.7)
        actor.look_at((3, 1, 4))
        poses = [actor.step(STEP).rotations for _ in range(40)]
        actor.play("wave")
        return actor, poses + [actor.step(STEP).rotations for _ in range(40)]

    first, poses = past()
    second, same = past()
    assert all(np.array_equal(a, b) for a, b in zip(poses, same, strict=True))
    first.go(speed=1.5)
    second.stop()
    for _ in range(20):
        one, other = first.step(STEP), second.step(STEP)
    assert not np.array_equal(one.rotations, other.rotations)


def test_a_recording_is_what_was_stepped() -> None:
    def begun() -> mm.Actor:
        actor = mm.Actor("zoo:adult")
        actor.play("wave", variant="left_hand")
        return actor

    clip, actor = begun().record(2.0), begun()
    stepped = [actor.pose, *(actor.step(STEP) for _ in range(120))]
    for number in (0, 1, 37, 120):
        assert np.allclose(clip.at(number * STEP).rotations, stepped[number].rotations, atol=1e-12)
        assert np.allclose(clip.at(number * STEP).root_translation, stepped[number].root_translation, atol=1e-12)
    assert clip.duration == pytest.approx(2.0)
    assert [mark.name for mark in clip.marks] == ["hello"]
    assert clip.marks[0].time == pytest.approx(0.6, abs=0.02)


def test_a_crowd_is_its_actors_one_by_one() -> None:
    names, places = ["zoo:dog", "zoo:adult", "zoo:dog"], [(0, 0), (3, 1), (5, -2)]
    crowd = mm.Crowd(names, places, [0.0, 1.0, 2.0])
    alone = [mm.Actor(name, at=at, heading=turn) for name, at, turn in zip(names, places, (0.0, 1.0, 2.0), strict=True)]
    for actor in (*crowd, *alone):
        actor.go(speed=0.6)
        actor.look_at((1, 1, 1))
    for _ in range(50):
        crowd.step(STEP)
        for actor in alone:
            actor.step(STEP)
    for one, other in zip(crowd, alone, strict=True):
        assert np.array_equal(one.pose.rotations, other.pose.rotations)
    with pytest.raises(InputError, match="one of a crowd"):
        crowd[0].step(STEP)


def test_go_to_arrives_and_stands() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0)
    actor.go_to((1.0, 2.0))
    for _ in range(600):
        actor.step(STEP)
    assert actor.place == pytest.approx([1.0, 2.0], abs=0.02)
    assert np.linalg.norm(actor.velocity) < 0.01
    assert (actor.troupe.actors.feet[0, :, 0] < 0).all()


def test_heads_look_at_what_they_are_told_to() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0)
    head = actor.character.anatomy.joint("head")
    actor.look_at((2.0, 1.6, 2.0))
    for _ in range(120):
        actor.step(STEP)
    x, y, z, w = actor.troupe.actors.turns[0, head]
    ahead = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    way = np.array([2.0, 1.6, 2.0]) - actor.troupe.actors.places[0, head]
    assert ahead @ way / np.linalg.norm(way) > 0.98


def test_a_target_that_jumps_is_followed_without_a_jump() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0)
    play = actor.play("point", target=(1.0, 1.4, 2.0))
    for _ in range(60):
        actor.step(STEP)
    hands = [limb for limb in (0, 1) if actor.troupe.goals.places[0, limb, 3] > 0.5]
    hand = actor.troupe.body.limbs.tip[hands[0]]
    places = [actor.troupe.actors.places[0, hand].copy()]
    play.target = (-1.0, 1.8, 1.0)
    for _ in range(30):
        actor.step(STEP)
        places.append(actor.troupe.actors.places[0, hand].copy())
    steps = np.linalg.norm(np.diff(places, 2, axis=0), axis=1)
    assert steps.max() < 0.03 * actor.troupe.body.frame.height
    assert np.linalg.norm(places[-1] - places[0]) > 0.2


def test_hands_reach_the_ground_and_misses_are_told() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0)
    actor.play("pick_up", target=(0.15, 0.05, 0.45), variant="left_hand")
    nearest, lowest, told = np.inf, np.inf, np.inf
    for _ in range(110):
        shapes = deform(actor.character, actor.step(STEP), with_normals=False)
        skin = np.concatenate([shape.positions for shape in shapes])
        nearest = min(nearest, float(np.linalg.norm(skin - [0.15, 0.05, 0.45], axis=1).min()))
        lowest, told = min(lowest, float(skin[:, 1].min())), min(told, actor.misses.get("left_hand", np.inf))
    assert nearest < 0.03
    assert lowest > -0.02
    assert told < 0.1
    far = mm.Actor("zoo:adult", at=(0, 0), heading=0.0)
    far.play("pick_up", target=(0.0, 0.05, 5.0), variant="left_hand")
    for _ in range(95):
        far.step(STEP)
    assert far.misses["left_hand"] > 2.0


def test_plays_end_and_those_that_lie_down_stay_down() -> None:
    actor = mm.Actor("zoo:adult")
    play = actor.play("nod")
    for _ in range(300):
        actor.step(STEP)
    assert play.is_over
    down = actor.play("sleep")
    for _ in range(600):
        actor.step(STEP)
    assert not down.is_over
    head = actor.character.anatomy.joint("head")
    assert actor.troupe.actors.places[0, head, 1] < 0.6
    down.stop()
    for _ in range(120):
        actor.step(STEP)
    assert actor.troupe.actors.places[0, head, 1] > 1.4
    assert (actor.troupe.actors.plays[0, :, SCORE] < 0).all()


@pytest.mark.parametrize("name", ["adult", "dragon", "snake", "1", "5"])
def test_whatever_is_said_nothing_jumps(name: str) -> None:
    seen = watch(mm.Actor(body_named(name), at=(0, 0), heading=0.0), 12.0, np.random.default_rng(len(name)))
    assert np.isfinite(seen.poses.rotations).all()
    score = pops.JUDGE.score(scene_of(seen.clip))
    assert score.passed, (score, seen.said)


@pytest.mark.parametrize("name", ["adult", "dog"])
def test_who_walks_stops_before_it_sits_down(name: str) -> None:
    actor = mm.Actor(body_named(name), at=(0, 0), heading=0.0)
    actor.go(speed=actor.troupe.easy_speed)
    for _ in range(60):
        actor.step(1 / RATE)
    legs, high = actor.troupe.body.legs, actor.pose.root_translation[1]
    actor.play("sit")
    fastest, sits = 0.0, False
    for _ in range(120):
        if actor.step(1 / RATE).root_translation[1] < high - 0.3 * legs.length:
            fastest, sits = max(fastest, float(np.linalg.norm(actor.velocity))), True
    assert sits
    assert fastest * legs.unit / legs.length < 0.1


def test_ground_of_any_shape_is_walked_on() -> None:
    def hills(x: np.ndarray, z: np.ndarray) -> np.ndarray:
        return 0.15 * np.sin(0.8 * z) + 0.05 * np.cos(1.1 * x)

    actor = mm.Actor("zoo:dog", at=(0, 0), heading=0.0, ground=hills)
    actor.go(speed=0.8)
    seen = watch(actor, 4.0)
    state = WorldState(seen.character, seen.poses)
    for sole in soles_of(seen.character):
        places = sole.places(state)
        still = np.linalg.norm(np.diff(places.mean(axis=1), axis=0), axis=1) < 0.002
        stands = np.convolve(still, np.ones(7), mode="same") == 7
        lowest = (places[..., 1] - hills(places[..., 0], places[..., 2])).min(axis=1)[1:][stands]
        assert stands.mean() > 0.2
        assert lowest.min() > -0.04
        assert lowest.max() < 0.02
    assert np.ptp(state.positions[:, 0, 1]) > 0.1


def test_what_makes_no_sense_is_said() -> None:
    actor = mm.Actor("zoo:dog")
    with pytest.raises(InputError, match="a velocity or a speed"):
        actor.go()
    with pytest.raises(InputError, match="expected 3 finite numbers"):
        actor.look_at((1.0, np.nan, 0.0))
    with pytest.raises(InputError, match="expected x and z"):
        actor.go_to((1.0, 2.0, 3.0, 4.0))
    text = WINGED.replace("'", '"')
    with pytest.raises(InputError, match="'flutter' is not for"):
        actor.play(animation_from_text(text))
