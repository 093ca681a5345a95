"""Every judge fails a motion that was broken on purpose, and lets a good one pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.errors import InputError
from mummer.general import Intent, Track, at_rest, physique_of
from mummer.grid.judge import JUDGES, Judge, Scene, scene_of
from mummer.math import quaternion
from tests.grid.players import RATE, SECONDS, moved, play, tip_parent, wave_of

COUNT = round(SECONDS * RATE) + 1
BY_NAME = {judge.name: judge for judge in JUDGES}


def judged(name: str, scene: Scene) -> tuple[float, bool]:
    score = BY_NAME[name].score(scene)
    assert score.value is not None, f"{name} had nothing to judge"
    return score.value, score.passed


def role(body: Character, name: str) -> int:
    assert body.anatomy is not None
    return body.anatomy.roles[name]


def meant(clip: Clip, change: Callable[[Scene], dict[int, FloatArray]]) -> Scene:
    """A scene whose maker wanted joints at (T, 3) places."""
    scene = scene_of(clip)
    tracks = {joint: Track(places, np.ones(len(scene.times))) for joint, places in change(scene).items()}
    intent: Intent = replace(at_rest(physique_of(clip.body), scene.times), places=tracks)
    vars(scene)["intent"] = intent
    return scene


@pytest.mark.parametrize("body", ["adult", "spider"])
@pytest.mark.parametrize("animation", ["nod", "shake"])
def test_a_good_motion_passes_every_judge(body: str, animation: str, request: pytest.FixtureRequest) -> None:
    scene = scene_of(play(animation, request.getfixturevalue(body)))
    scores = [judge.score(scene) for judge in JUDGES]
    assert [score.measure for score in scores if not score.passed] == []
    assert sum(score.value is not None for score in scores) >= 6


def test_goal_fails_where_a_hand_is_not_where_it_could_be(adult: Character) -> None:
    hand = role(adult, "left_hand")
    nod = play("nod", adult)
    assert judged("goal", meant(nod, lambda scene: {hand: scene.places[:, hand]})) == (0.0, True)
    physique = physique_of(adult)
    toward = physique.positions[physique.limb_bases[hand]] - physique.positions[hand]
    value, passed = judged("goal", meant(nod, lambda scene: {hand: scene.places[:, hand] + 0.3 * toward}))
    assert not passed
    assert value > 15


def test_goal_does_not_ask_for_what_is_out_of_reach(adult: Character) -> None:
    hand = role(adult, "left_hand")
    far = meant(play("nod", adult), lambda scene: {hand: scene.places[:, hand] + 5.0})
    assert BY_NAME["goal"].score(far).value is None


def test_kept_fails_where_the_movement_is_lost(adult: Character) -> None:
    hand = role(adult, "left_hand")
    clip = moved(adult, {role(adult, "left_upper_arm"): wave_of(0.4)})
    assert judged("kept", meant(clip, lambda scene: {hand: scene.places[:, hand]})) == (0.0, True)
    shaking = 0.2 * np.stack([np.sin(np.linspace(0, 20, COUNT)), *np.zeros((2, COUNT))], axis=1)
    value, passed = judged("kept", meant(clip, lambda scene: {hand: scene.places[:1, hand] + shaking}))
    assert not passed
    assert value > 70


def test_frozen_fails_a_body_that_does_not_move(adult: Character) -> None:
    assert judged("frozen", scene_of(play("still", adult))) == (100.0, False)


def test_frozen_fails_a_part_that_was_asked_to_move(adult: Character) -> None:
    hand, head = role(adult, "left_hand"), tip_parent(adult)
    nod = moved(adult, {head: wave_of(0.3, axis=0)})
    asked = meant(nod, lambda scene: {hand: scene.places[:, hand] + wave_of(0.2)})
    assert judged("frozen", asked) == (100.0, False)
    followed = moved(adult, {role(adult, "left_upper_arm"): wave_of(0.4)})
    assert judged("frozen", meant(followed, lambda scene: {hand: scene.places[:, hand]}))[1]


def test_slip_fails_feet_that_slide(adult: Character) -> None:
    assert judged("slip", scene_of(play("nod", adult))) == (0.0, True)
    value, passed = judged("slip", scene_of(play("slide", adult)))
    assert not passed
    assert value > 0.5


def test_slip_asks_only_of_feet_that_are_meant_to_stand(adult: Character) -> None:
    foot = role(adult, "left_foot")
    slide = play("slide", adult)
    assert not judged("slip", meant(slide, lambda scene: {foot: np.repeat(scene.places[:1, foot], COUNT, axis=0)}))[1]
    assert BY_NAME["slip"].score(meant(slide, lambda scene: {foot: scene.places[:, foot]})).value is None


def test_slip_believes_the_marks_of_a_motion(adult: Character) -> None:
    from mummer.clip import Annotated

    slide = play("slide", adult)
    named = Annotated(slide, (Mark(0.2, "left_foot contact", 1.0),))
    assert not judged("slip", scene_of(named))[1]
    elsewhere = Annotated(slide, (Mark(0.2, "left_hand contact", 1.0),))
    assert BY_NAME["slip"].score(scene_of(elsewhere)).value is None


def test_sink_fails_a_body_in_the_ground(adult: Character) -> None:
    lowered = np.zeros((COUNT, 3))
    lowered[:, 1] = -0.15 * np.sin(np.linspace(0, np.pi, COUNT))
    value, passed = judged("sink", scene_of(moved(adult, {}, travel=lowered)))
    assert not passed
    assert value == pytest.approx(100 * 0.15 / physique_of(adult).height, rel=0.05)
    assert judged("sink", scene_of(moved(adult, {}, travel=-lowered)))[1]


def test_penetration_fails_legs_through_each_other(adult: Character) -> None:
    leg = role(adult, "left_upper_leg")
    across = [scene_of(moved(adult, {leg: sign * np.abs(wave_of(0.6))})) for sign in (1.0, -1.0)]
    verdicts = [judged("penetration", scene)[1] for scene in across]
    assert sorted(verdicts) == [False, True]


def test_pops_fails_a_jump_and_not_a_swift_movement(adult: Character) -> None:
    head = tip_parent(adult)
    arm = role(adult, "left_upper_arm")
    jump = wave_of(0.3)
    jump[60] += 0.4
    assert judged("pops", scene_of(moved(adult, {arm: wave_of(1.2)})))[1]
    assert judged("pops", scene_of(moved(adult, {head: wave_of(0.2)})))[1]
    value, passed = judged("pops", scene_of(moved(adult, {arm: jump})))
    assert not passed
    assert value > 5


@pytest.mark.parametrize("rate", [24.0, 30.0, 120.0])
def test_pops_does_not_depend_on_the_rate_of_the_motion(adult: Character, rate: float) -> None:
    swing = moved(adult, {role(adult, "left_upper_arm"): wave_of(1.2)})
    assert judged("pops", scene_of(swing.baked(rate)))[1]


def test_limits_fails_a_knee_that_bends_backwards(adult: Character) -> None:
    knee = role(adult, "left_lower_leg")
    bends = [scene_of(moved(adult, {knee: sign * np.abs(wave_of(0.9, axis=0))})) for sign in (1.0, -1.0)]
    assert sorted(judged("limits", scene)[1] for scene in bends) == [False, True]


def _twisted(body: Character, angles: FloatArray) -> Scene:
    """The left forearm twisted about its own length by (T,) radians."""
    forearm = role(body, "left_forearm")
    along = body.skeleton.rest_translations[list(body.skeleton.children[forearm])].mean(axis=0)
    rest = body.skeleton.rest_rotations[forearm]
    axis = quaternion.rotate(rest, along / np.linalg.norm(along))
    return scene_of(moved(body, {forearm: angles[:, None] * axis}))


def test_twist_fails_what_flips_and_what_is_wrung(adult: Character) -> None:
    ramp = np.linspace(0.0, 1.0, COUNT)
    assert judged("twist", _twisted(adult, np.radians(100) * ramp))[1]
    assert not judged("twist", _twisted(adult, np.radians(90) * (ramp > 0.5)))[1]
    assert not judged("twist", _twisted(adult, np.radians(300) * ramp))[1]


def test_buckling_fails_a_zigzag_and_not_a_bow(adult: Character) -> None:
    spine = [joint for joint in physique_of(adult).spine if joint != physique_of(adult).root]
    assert len(spine) >= 3
    bow = {joint: np.abs(wave_of(0.25, axis=0)) for joint in spine}
    zigzag = {joint: np.abs(wave_of(1.2, axis=0)) * (-1) ** place for place, joint in enumerate(spine)}
    fold = {spine[1]: np.abs(wave_of(2.6, axis=0))}
    assert judged("buckling", scene_of(moved(adult, bow)))[1]
    assert not judged("buckling", scene_of(moved(adult, zigzag)))[1]
    assert not judged("buckling", scene_of(moved(adult, fold)))[1]


def test_numbers_that_are_not_finite_are_a_fault(adult: Character) -> None:
    scene = scene_of(play("nod", adult))
    vars(scene)["clip"] = _Broken(scene.clip)
    with pytest.raises(InputError, match="not finite"):
        _ = scene.pose


class _Broken:
    def __init__(self, clip: Clip) -> None:
        self.body, self._clip = clip.body, clip

    def sample(self, times: FloatArray) -> object:
        pose = self._clip.sample(times)
        root = np.array(pose.root_translation)
        root[3] = np.nan

        class Pose:
            rotations, root_translation, translations, scales, morphs = pose.rotations, root, None, None, None

        return Pose()


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.name)
def test_a_judge_says_what_it_asks_and_why(judge: Judge) -> None:
    assert judge.question.endswith("?")
    assert judge.reason.endswith(".")
    assert judge.threshold > 0
    assert judge.unit


def test_pops_looks_from_the_end_of_a_loop_to_its_start(adult: Character) -> None:
    ramp = np.zeros((COUNT, 3))
    ramp[:, 2] = np.linspace(0.0, 0.8, COUNT)
    clip = moved(adult, {role(adult, "left_upper_arm"): ramp})
    assert judged("pops", scene_of(clip))[1]
    looped = scene_of(clip)
    endless = SimpleNamespace(bound=SimpleNamespace(animation=SimpleNamespace(loop=True)))
    vars(clip)["drivers"] = (endless,)
    assert looped.is_loop
    assert not judged("pops", looped)[1]


def test_slip_looks_at_the_point_of_a_foot_that_was_placed(adult: Character) -> None:
    """A foot that turns about its sole slides nowhere, though all its joints move."""
    foot = role(adult, "left_foot")
    offset = np.array([0.0, 0.5, 0.0])
    still = scene_of(moved(adult, {foot: wave_of(1.0)}))
    sole = still.places[:1, foot] + quaternion.rotate(still.state.rotations[:1, foot], offset)
    drifts = still.places[:, foot] + quaternion.rotate(still.state.rotations[:, foot], offset) - sole
    about = scene_of(moved(adult, {foot: wave_of(1.0)}, travel=-drifts))
    assert np.ptp(about.places[:, foot], axis=0).max() > 0.1
    for scene, passes in ((about, True), (scene_of(play("slide", adult)), False)):
        track = Track(np.repeat(sole, COUNT, axis=0), np.ones(COUNT), offset)
        vars(scene)["intent"] = replace(at_rest(physique_of(adult), scene.times), places={foot: track})
        assert judged("slip", scene)[1] is passes
