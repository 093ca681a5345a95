"""The methods are the operators, and a few operators of Python read as one would expect."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
import mummer.clip as mc
from mummer.clip.fluent import Fluent
from mummer.errors import InputError, UnknownNameError
from tests.clip.strategies import assert_same_poses, smooth_motion

ADULT = mm.zoo.body("adult")
WALK = smooth_motion(ADULT, np.random.default_rng(1))
WAVE = smooth_motion(ADULT, np.random.default_rng(2), frames=20, start=0.3)

SAME = {
    "shifted": (WALK.shifted(1.0), mc.Shift(WALK, 1.0)),
    "trimmed": (WALK.trimmed(0.2), mc.Trim(WALK, 0.2, WALK.end)),
    "reversed": (WALK.reversed(), mc.Reverse(WALK)),
    "at_speed": (WALK.at_speed(2.0), mc.TimeWarp(WALK, ((0.0, 0.0), (WALK.end, WALK.end / 2)))),
    "warped": (WALK.warped((0, 0), (1, 2)), mc.TimeWarp(WALK, ((0, 0), (1, 2)))),
    "held": (WALK.held(0.5, 2.0), mc.Hold(WALK, 0.5, 2.0)),
    "repeated": (WALK.repeated(2), mc.Repeat(WALK, 2)),
    "looped": (WALK.looped(2), mc.Loop(WALK, 2)),
    "baked": (WALK.baked(20), mc.Recorded(WALK, 20)),
    "mirrored": (WALK.mirrored(), mc.Mirror(WALK)),
    "on": (WALK.on("head"), mc.Select(WALK, ("head",))),
    "scaled": (WALK.scaled(0.5), mc.Scale(WALK, 0.5)),
    "bent": (WALK.bent(mc.SpaceWarpKey.nothing(0.0)), mc.SpaceWarp(WALK, (mc.SpaceWarpKey.nothing(0.0),))),
    "pivoted": (WALK.pivoted((1, 0, 0), (0, 1, 0, 0)), mc.Pivot(WALK, (1, 0, 0), (0, 1, 0, 0), (1, 0, 0))),
    "standing_at": (WALK.standing_at((1, 0, 2), 0.5), mc.pivot_to(WALK, (1, 0, 2), 0.5)),
    "in_place": (WALK.in_place(), mc.InPlace(WALK)),
    "blended_into": (WALK.blended_into(WAVE, 0.2), mc.Blend(WALK, WAVE, 0.2, "ground")),
    "then": (WALK.then(WAVE, duration=0.2), mc.join(WALK, WAVE, duration=0.2)),
    "mixed": (WALK.mixed(WAVE, 0.5), mc.Mix(WALK, WAVE, 0.5)),
    "under": (WALK.under(WAVE.on("head")), mc.Mix(WALK, WAVE, {"head": 1.0})),
}

ELSEWHERE = {"in_step", "constrained", "onto", "planted", "save"}
"""Methods that are tested where their operators are."""


@pytest.mark.parametrize("name", SAME)
def test_methods_are_operators(name: str) -> None:
    ours, theirs = SAME[name]
    times = np.linspace(theirs.start, theirs.end, 30)
    assert_same_poses(ours.sample(times), theirs.sample(times), 1e-10)
    assert (ours.start, ours.end) == pytest.approx((theirs.start, theirs.end))


def test_every_method_is_tested_and_shown_by_an_example() -> None:
    methods = {name: getattr(Fluent, name) for name in vars(Fluent) if not name.startswith("_")}
    assert set(methods) - ELSEWHERE == {*SAME, "paused"}
    for name, method in methods.items():
        assert f".{name}(" in method.__doc__, name


def test_pause_goes_on_afterwards() -> None:
    still = WALK.paused(0.5, 1.0)
    assert_same_poses(still.sample([0.5, 1.4]), WALK.sample([0.5, 0.5]), 1e-9)
    assert_same_poses(still.sample([still.end]), WALK.sample([WALK.end]), 1e-9)


def test_plus_plays_one_after_the_other_from_where_it_ended() -> None:
    both = WALK + WAVE
    assert both.duration == pytest.approx(WALK.duration + WAVE.duration - 0.25)
    places = both.sample(both.times(60)).root_translation
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 0.1
    short = WALK + WAVE.trimmed(0.3, 0.4)
    assert short.overlap == pytest.approx(0.05)
    with pytest.raises(TypeError):
        WALK + 1  # type: ignore[operator]


def test_layers_read_from_left_to_right() -> None:
    stage = WALK.mirrored() >> WAVE.on("right_arm") >> WAVE.on("head")
    assert isinstance(stage, mc.Composite)
    assert [segment.level for segment in stage.segments] == [0, 1, 2]
    expected = mc.Mix(mc.Mix(WALK.mirrored(), WAVE, {"right_arm": 1.0}), WAVE, {"head": 1.0})
    times = np.linspace(0, 1.3, 40)
    assert_same_poses(stage.sample(times), expected.sample(times), 1e-12)
    with pytest.raises(TypeError):
        WALK >> 1  # type: ignore[operator]


def test_recordings_by_name(tmp_path: Path) -> None:
    recordings = (WALK.to_recording(30, name="walk"), WAVE.to_recording(30, name="wave"))
    hero = dataclasses.replace(ADULT, recordings=recordings)
    assert mc.of(hero, "wave").recording is recordings[1]
    with pytest.raises(UnknownNameError, match="has no recording 'wavee'; closest: 'wave'"):
        mc.of(hero, "wavee")
    assert mc.of(hero).recording is recordings[0]
    assert "'walk', the first of 2 recordings, was taken; clip= takes 'wave'" in str(mc.of(hero).report)
    mm.save(dataclasses.replace(hero, recordings=recordings[:1]), tmp_path / "hero.glb")
    assert mc.of(tmp_path / "hero.glb").recording.name == "walk"
    with pytest.raises(InputError, match="'adult' has no recordings, so there is no motion to take from it"):
        mc.of(ADULT)


def test_public_names_exist_and_are_sorted() -> None:
    assert list(mc.__all__) == sorted(mc.__all__)
    assert all(hasattr(mc, name) for name in mc.__all__)
    operators = {name for name, kind in mc.Clip.OPERATORS.items() if kind.__module__.startswith("mummer.clip.")}
    bases = {"Beneath", "Cyclic", "Operated", "Retimed"}
    assert operators - bases <= set(mc.__all__)


def test_a_rate_that_nobody_can_have_meant() -> None:
    with pytest.raises(InputError, match="frames a second are too many"):
        WALK.times(1e9)
