"""Models fed by a queue while time runs."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.character import world_positions
from mummer.errors import InputError, UnknownNameError
from mummer.stage import LiveStage, Told

TARGET = (0.25, 1.2, 0.45)


def run(stage: LiveStage, seconds: float) -> list[Told]:
    return [told for _ in range(round(seconds * 30)) for told in stage.step()]


def hand(stage: LiveStage) -> np.ndarray:
    actor = stage["ann"].actor
    roles = actor.character.anatomy.roles
    return world_positions(actor.character.skeleton, actor.pose)[[roles["left_hand"], roles["right_hand"]]]


def test_actions_follow_one_another_tell_their_key_times_and_are_forgotten() -> None:
    stage = LiveStage({"ann": "zoo:adult"})
    stage["ann"].do("reach", name="one", target=TARGET)
    stage["ann"].do("wave", name="two")
    told = run(stage, 8.0)
    assert [each.action for each in told if each.key == "start"] == ["one", "two"]
    achieve = next(each for each in told if each.key == "achieve" and each.action == "one")
    assert achieve.miss is not None
    assert achieve.miss < 0.01
    assert not stage["ann"].queue


def test_a_changed_goal_is_seen_within_one_chunk_without_a_jump() -> None:
    found, steps = [], []
    for changes in (False, True):
        stage = LiveStage({"ann": "zoo:adult"})
        reach = stage["ann"].do("reach", target=TARGET)
        run(stage, 0.8)
        if changes:
            assert stage["ann"].change(reach, target=(0.3, 1.5, 0.35)) is reach
        before = hand(stage)
        stage.step()
        found.append(hand(stage))
        steps.append(float(np.abs(found[-1] - before).max()))
    assert np.abs(found[1] - found[0]).max() > 1e-3
    assert max(steps) < 0.12


def test_a_goal_elsewhere_begins_anew_and_past_the_point_of_no_return_it_waits() -> None:
    stage = LiveStage({"ann": "zoo:adult"})
    reach = stage["ann"].do("reach", name="get", target=(0.2, 0.5, 0.5))
    run(stage, 0.5)
    again = stage["ann"].change("get", target=(-0.3, 1.9, 0.3))
    assert again is not reach
    assert reach.over
    run(stage, 0.1)
    assert stage["ann"].now is again
    jump = stage["ann"].do("jump", name="hop")
    stage["ann"].change(again, target=(-0.3, 1.85, 0.3))
    run(stage, 3.0)
    while not jump.is_past_return:
        stage.step()
    later = stage["ann"].change(jump, tempo=1.5)
    assert later is not jump
    assert not jump.over
    assert stage["ann"].now is jump
    run(stage, 2.0)
    assert jump.over


def test_who_goes_somewhere_arrives_and_may_be_sent_elsewhere() -> None:
    stage = LiveStage({"ann": "zoo:adult"}, {"ann": (1.0, 0.0)})
    way = stage["ann"].do("walk", to=(1.0, 0.0, 3.0))
    run(stage, 1.0)
    assert stage["ann"].change(way, to=(2.0, 0.0, 1.5)) is way
    told = run(stage, 6.0)
    assert any(each.key == "end" for each in told)
    np.testing.assert_allclose(stage["ann"].actor.place, (2.0, 1.5), atol=0.1)


def test_what_cannot_be_is_said() -> None:
    stage = LiveStage({"ann": "zoo:adult"})
    with pytest.raises(UnknownNameError, match="closest: 'reach'"):
        stage["ann"].do("raech")
    with pytest.raises(UnknownNameError, match="'target'"):
        stage["ann"].do("reach", taget=TARGET)
    with pytest.raises(UnknownNameError, match="the queue of 'ann'"):
        stage["ann"].change("nothing", tempo=2.0)
    with pytest.raises(UnknownNameError, match="the live stage"):
        stage["ben"]
    with pytest.raises(InputError, match="nobody"):
        LiveStage({})


def test_a_combination_does_each_layer_from_its_own_moment_on() -> None:
    stage = LiveStage({"ann": "zoo:adult"})
    preen = stage["ann"].do("preen", mirror=(0.1, 1.5, 1.2))
    begins: dict[str, float] = {}
    jumps, before = [], []
    while not preen.over and stage.time < 20:
        stage.step()
        for layer in preen.layers:
            if layer.is_begun:
                begins.setdefault(layer.name, stage.time)
        skeleton = stage["ann"].actor.character.skeleton
        before = [*before[-2:], world_positions(skeleton, stage["ann"].pose)]
        if len(before) == 3:
            jumps.append(float(np.abs(before[2] - 2 * before[1] + before[0]).max()))
    lean = preen.layers[0]
    assert begins["lean"] < begins["stroke_hair"] < begins["bare_teeth"]
    assert begins["stroke_hair"] - begins["lean"] == pytest.approx(lean.after("achieve"), abs=0.07)
    assert preen.over
    assert stage.time == pytest.approx(begins["lean"] + lean.after("end"), abs=0.5)
    assert max(jumps) < 0.1  # metres, of frames a thirtieth of a second apart


def test_how_long_and_how_often_something_is_done_is_heard_live() -> None:
    stage = LiveStage({"ann": "zoo:adult"})
    stage["ann"].do("hammer", name="five", target=TARGET, times=5)
    stage["ann"].do("hammer", name="once", target=TARGET, times=1)
    stage["ann"].do("shrug", name="long", duration=3.0)
    told = {(each.action, each.key): each.time for each in run(stage, 16.0)}
    assert told["five", "release"] - told["five", "achieve"] == pytest.approx(4 * 0.6, abs=0.1)
    assert told["once", "release"] - told["once", "achieve"] == pytest.approx(0.0, abs=0.1)
    assert told["long", "release"] - told["long", "achieve"] == pytest.approx(3.0, abs=0.1)


def test_a_way_with_corners_is_gone_live() -> None:
    stage = LiveStage({"ann": "zoo:adult"})
    stage["ann"].do("walk", path=[(0, 0), (0, 2), (2, 2)])
    seen = []
    while stage["ann"].queue or stage.time == 0.0:
        stage.step()
        seen.append(stage["ann"].actor.place.copy())
        assert stage.time < 20
    assert np.linalg.norm(np.array(seen) - (0, 2), axis=1).min() < 0.6
    np.testing.assert_allclose(seen[-1], (2, 2), atol=0.1)


def test_what_live_has_no_say_is_refused() -> None:
    stage = LiveStage({"ann": "zoo:adult"})
    with pytest.raises(InputError, match="apex of jump is for plays; live, expected some of"):
        stage["ann"].do("jump", apex=0.3)
