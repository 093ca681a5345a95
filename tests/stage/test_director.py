"""The director: actions one after another, props in hands, events, tweaks, and edits that re-make little."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mummer as mm
from mummer.character import world_positions
from mummer.clip import Clip
from mummer.errors import InputError
from mummer.io import load
from mummer.model.act import act
from mummer.model.timing import SUDDEN, jumps_of
from mummer.stage import Cut, Director, Play, Tweak, director
from mummer.stage.actions import tweaked
from mummer.stage.clearance import DEEP, depth_of
from mummer.stage.prop_path import Held

BALL = (0.3, 1.25, 0.45)
DIRECTOR = Director()


def story() -> Play:
    return (
        Play("test")
        .actor("ann", "zoo:adult")
        .actor("ben", "zoo:adult", at=(3.0, 0.0), heading=-90)
        .prop("ball", at=BALL)
        .do("ann", "reach", name="grab", target="ball", takes="ball")
        .do("ann", "reach", name="lay", target=(-0.2, 1.1, 0.5), hand="left", puts="ball", after="grab.settle")
    )


@pytest.fixture(scope="module")
def cut() -> Cut:
    return DIRECTOR.cut(story())


def hand(cut: Cut, time: float) -> np.ndarray:
    held = next(phase for _, phase in cut.paths["ball"].phases if isinstance(phase, Held))
    return world_positions(held.clip.body.skeleton, held.clip.at(time))[held.joint]


def test_actions_follow_one_another_and_wait_for_what_they_come_after(cut: Cut) -> None:
    grab, lay = cut.done["grab"], cut.done["lay"]
    assert grab.key_times["start"] == 0.0
    assert lay.key_times["start"] >= grab.key_times["settle"] - 1e-6
    assert lay.begin >= grab.key_times["release"]
    assert cut.duration == pytest.approx(lay.key_times["end"], abs=0.03)


def test_a_thing_is_held_from_achieve_to_release_and_stays_where_it_is_put(cut: Cut) -> None:
    take, leave = cut.done["grab"].key_times["achieve"], cut.done["lay"].key_times["release"]
    times = np.linspace(take, leave, 9)
    places = cut.paths["ball"].at(times)[0]
    np.testing.assert_allclose(places[0], BALL, atol=1e-9)
    away = [np.linalg.norm(place - hand(cut, time)) for place, time in zip(places, times, strict=True)]
    np.testing.assert_allclose(away, away[0], atol=1e-6)
    assert away[0] < 0.25
    assert np.linalg.norm(places[-1] - BALL) > 0.2
    np.testing.assert_allclose(cut.paths["ball"].at([leave, leave + 1])[0], [places[-1]] * 2, atol=1e-9)


def test_nobody_jumps_and_feet_stay_where_they_are(cut: Cut) -> None:
    clip = cut.clips["ann"]
    rows = world_positions(clip.body.skeleton, clip.sample(np.arange(0.0, clip.end, 1 / 60)))
    assert np.abs(np.diff(rows, axis=0)).max() < 0.08
    for role in ("left_foot", "right_foot"):
        way = rows[:, clip.body.anatomy.roles[role]]  # type: ignore[union-attr]
        assert np.linalg.norm(way - way[0], axis=1).max() < 0.01


def test_who_has_nothing_to_do_stands_where_the_play_says(cut: Cut) -> None:
    place = world_positions(cut.clips["ben"].body.skeleton, cut.clips["ben"].at(0.0))
    assert place[:, 0].mean() == pytest.approx(3.0, abs=0.1)


def test_an_edit_makes_again_only_what_it_touches(cut: Cut, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counting(*given: Any, **named: Any) -> Any:
        made.append(given)
        return act(*given, **named)

    monkeypatch.setattr(director, "act", counting)
    assert DIRECTOR.cut(story()).duration == cut.duration
    assert not made
    DIRECTOR.cut(story().changed("lay", values={"target": (-0.25, 1.1, 0.5)}))
    assert len(made) == 1
    DIRECTOR.cut(story().changed("lay", after="grab.end"))
    assert len(made) == 1
    DIRECTOR.cut(story().tweaked("lay", Tweak(1.5, "head", turn=(0.0, 10.0, 0.0))))
    assert len(made) == 1


def test_a_tweak_is_at_its_canonical_time_whatever_the_tempo() -> None:
    plain = story().changed("lay", values={"look": False})
    turned = plain.tweaked("lay", Tweak(2.5, "head", turn=(0.0, 40.0, 0.0)))
    for tempo in (1.0, 0.7):
        found = []
        for play in (plain, turned):
            done = DIRECTOR.cut(play.changed("lay", values={"tempo": tempo})).done["lay"]
            clip, time = done.action.clip, float(done.action.key_times.seconds(2.5))
            found.append(clip.at(time).rotations[clip.body.anatomy.roles["head"]])  # type: ignore[union-attr]
        angle = 2 * np.degrees(np.arccos(min(1.0, abs(float(np.dot(*found))))))
        assert angle == pytest.approx(40.0, abs=1.0)


def test_a_tweak_moves_a_part_and_fades_to_the_key_times_beside_it(cut: Cut) -> None:
    action = cut.done["lay"].action
    bent = tweaked(action.rough, action.key_times, Tweak("achieve", "head", move=(0.0, -0.1, 0.0)))
    joint = bent.body.anatomy.roles["head"]  # type: ignore[union-attr]
    times = [action.key_times[name] for name in ("start", "achieve", "release")]
    off = [_place(bent, time, joint) - _place(action.rough, time, joint) for time in times]
    np.testing.assert_allclose(off, [[0, 0, 0], [0, -0.1, 0], [0, 0, 0]], atol=2e-3)


def test_a_thing_is_taken_out_of_a_hand_and_thrown() -> None:
    play = story().changed("lay", handling={}, values={"target": (0.0, 1.2, 0.55)}).changed("lay", after="grab.settle")
    play = replace(play, actors=(play.actors[0], replace(play.actors[1], at=(0.0, 1.0), heading=180)))
    play = play.do("ben", "reach", name="accept", target="ball", takes="ball", together="lay.release", key="achieve")
    play = play.do("ben", "throw", name="toss", target=(0.5, 0.4, 4.0), throws="ball")
    cut = DIRECTOR.cut(play)
    holders = [phase.actor for _, phase in cut.paths["ball"].phases if isinstance(phase, Held)]
    assert holders == ["ann", "ben"]
    assert cut.done["accept"].key_times["achieve"] == pytest.approx(cut.done["lay"].key_times["release"], abs=1e-6)
    strike = cut.done["toss"].events["strike"]
    assert strike > cut.done["toss"].key_times["release"]
    np.testing.assert_allclose(cut.paths["ball"].at([strike])[0][0], (0.5, 0.4, 4.0), atol=1e-6)
    times = np.arange(0.0, cut.duration, 1 / 60)
    assert np.linalg.norm(np.diff(cut.paths["ball"].at(times)[0], axis=0), axis=1).max() < 0.25


def _place(clip: Clip, time: float, joint: int) -> np.ndarray:
    return world_positions(clip.body.skeleton, clip.at(time))[joint]


def test_what_cannot_be_done_is_said() -> None:
    play = story()
    with pytest.raises(InputError, match="action 'grab': waits for ever: grab for lay"):
        DIRECTOR.cut(play.changed("grab", after="lay"))
    with pytest.raises(InputError, match="'lay' is an action already"):
        play.do("ann", "reach", name="lay")
    with pytest.raises(InputError, match="closest: 'ann'"):
        play.do("amn", "reach")
    cut = DIRECTOR.cut(play.changed("lay", handling={"drops": "ball"}).changed("grab", handling={}))
    assert any("which ann does not hold" in each.message for each in cut.report)
    late = DIRECTOR.cut(play.changed("lay", after="", at=0.5))
    assert any("lay comes" in each.message and "late" in each.message for each in late.report)


def test_a_stage_has_its_ground_at_nought_whatever_lies_about(cut: Cut) -> None:
    assert cut.paths["ball"].body.anatomy.ground < 0
    assert cut.cast.anatomy.ground == 0.0


def test_everybody_and_everything_is_in_one_file(cut: Cut, tmp_path: Path) -> None:
    cut.save(tmp_path / "story.glb")
    back = load(tmp_path / "story.glb")
    whose = {name.partition(".")[0] for name in back.skeleton.names}
    assert whose >= {"ann", "ben", "ball"}
    recording = back.recordings[0]
    time = cut.done["lay"].key_times["achieve"]
    joint = next(joint for joint, name in enumerate(back.skeleton.names) if name.startswith("ball."))
    place = world_positions(back.skeleton, recording.sample([time]))[0, joint]
    np.testing.assert_allclose(place, cut.paths["ball"].at([time])[0][0], atol=0.01)


def way_of(pair: tuple[str, str]) -> tuple[Clip, float, float, float]:
    """A dog's play of two actions, from when to when the way into the second takes, and the height of the dog."""
    dog, play = mm.zoo.body("dog"), mm.Play("pair").actor("dog", "zoo:dog")
    assert dog.anatomy is not None
    tall = dog.anatomy.height
    far = {"throw": 3.0, "reach": 0.28}
    for name in pair:
        there = {"target": (0.1 * tall, 0.6 * tall, far[name] * tall)} if name in far else {}
        play = play.do("dog", name, name=name, **there)
    cut = play.cut()
    done = cut.done[pair[1]]
    return cut.clips["dog"], done.begin, done.begin + done.seconds, tall


@pytest.mark.parametrize("pair", [("squat", "ah_ha"), ("throw", "foot_stomp"), ("bow", "reach"), ("sit", "reach")])
def test_a_way_begins_and_ends_as_the_actions_are(pair: tuple[str, str]) -> None:
    """A body on four legs that steps on its way: its hips are not elsewhere from one frame to the next."""
    clip, begin, end, tall = way_of(pair)
    for moment in (begin, end):
        fine = world_positions(clip.body.skeleton, clip.sample(moment + np.arange(-3, 4) / 240.0))
        assert np.linalg.norm(np.diff(fine, axis=0), axis=-1).max() < 0.02 * tall
    assert jumps_of(clip.trimmed(begin, end)) < 3 * SUDDEN


@pytest.mark.parametrize("first", ["sigh", "scratch_head"])
def test_legs_that_step_are_pushed_out_of_the_body(first: str) -> None:
    clip, begin, end, _ = way_of((first, "squat"))
    assert depth_of(clip.trimmed(begin, end))[0] <= DEEP


def test_legs_that_are_led_to_their_places_are_not_held_away_from_the_body_besides() -> None:
    """A dog that steps into a reach: a leg that is led around the trunk as well swings over as its foot comes down."""
    dog = mm.zoo.body("dog")
    target = tuple(share * dog.anatomy.height for share in (0.1, 0.6, 0.28))
    play = Play("ways").actor("rex", dog).do("rex", "bare_teeth", name="one")
    cut = play.do("rex", "reach", name="two", target=target).cut()
    clip, way = cut.clips["rex"], cut.done["two"]
    assert jumps_of(clip, way.begin, way.begin + way.seconds) < 0.06
