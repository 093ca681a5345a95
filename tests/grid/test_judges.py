"""Every judge fails a motion that was broken on purpose, and lets a good one pass."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.clip import Sampled, Still, Wish
from mummer.clip.clip import Clip
from mummer.errors import InputError
from mummer.grid.judge import JUDGES, Judge, Scene, scene_of
from mummer.grid.judge.hover import _standing
from mummer.math import quaternion, transform
from tests.grid.players import RATE, SECONDS, moved, play, tip_parent, wave_of

COUNT = round(SECONDS * RATE) + 1
TIMES = np.linspace(0.0, SECONDS, COUNT)
BY_NAME = {judge.name: judge for judge in JUDGES}


def judged(name: str, scene: Scene) -> tuple[float, bool]:
    score = BY_NAME[name].score(scene)
    assert score.value is not None, f"{name} had nothing to judge"
    return score.value, score.passed


def role(body: Character, name: str) -> int:
    assert body.anatomy is not None
    return body.anatomy.roles[name]


def place_of(clip: Clip, joint: int) -> FloatArray:
    """(T, 3) where a joint is at `TIMES`."""
    return scene_of(clip).places[::2, joint]


def wished(clip: Sampled, joint: int, places: FloatArray, **others: object) -> Scene:
    """A scene whose maker wished a joint at (T, 3) places."""
    wish = Wish(joint, TIMES, np.ones(COUNT), places, **others)  # type: ignore[arg-type]
    return scene_of(replace(clip, wishes=(wish,)))


def shifted(along: int, metres: FloatArray | float) -> FloatArray:
    """(T, 3) ways of the root along one axis."""
    way = np.zeros((COUNT, 3))
    way[:, along] = metres
    return way


@pytest.mark.parametrize("body", ["adult", "spider"])
@pytest.mark.parametrize("animation", ["nod", "shake"])
def test_a_good_motion_passes_every_judge(body: str, animation: str, request: pytest.FixtureRequest) -> None:
    scene = scene_of(play(animation, request.getfixturevalue(body)))
    scores = [judge.score(scene) for judge in JUDGES]
    assert [score.measure for score in scores if not score.passed] == []
    assert sum(score.value is not None for score in scores) >= 8


def test_motions_are_looked_at_120_times_a_second_as_their_file_is_played(adult: Character) -> None:
    arm = role(adult, "left_upper_arm")
    coarse = moved(adult, {arm: wave_of(1.0)}).baked(10.0)
    scene = scene_of(coarse)
    assert scene.step == pytest.approx(1 / 120)
    assert np.allclose(scene.pose.rotations, coarse.sample(np.arange(241) / 120).rotations)


# Wishes ---------------------------------------------------------------------------------------------------------------


def test_reach_fails_where_a_hand_is_not_where_it_was_wished(adult: Character) -> None:
    hand, nod = role(adult, "left_hand"), play("nod", adult)
    there = place_of(nod, hand)
    assert judged("reach", wished(nod, hand, there)) == (0.0, True)
    toward = scene_of(nod).places[0, role(adult, "left_upper_arm")] - there[0]
    value, passed = judged("reach", wished(nod, hand, there + 0.3 * toward))
    assert not passed
    assert value > 15


def test_a_point_of_a_hand_is_so_many_metres_away_whatever_the_scale_of_its_joint(adult: Character) -> None:
    nod, hand, point = play("nod", adult), role(adult, "left_hand"), (0.03, -0.1, 0.05)
    turns = transform.decompose(scene_of(nod).world[::2, hand])[1]
    there = place_of(nod, hand) + quaternion.rotate(turns, np.array(point))
    scales = np.ones((len(adult.skeleton), 3))
    scales[hand] = 0.01
    scaled = Sampled(replace(adult, skeleton=replace(adult.skeleton, rest_scales=scales)), nod.recording)
    assert np.linalg.norm(scene_of(scaled).world[0, hand, :, :3]) < 0.02
    assert judged("reach", wished(scaled, hand, there, point=point)) == (pytest.approx(0.0, abs=1e-6), True)
    assert not judged("reach", wished(scaled, hand, there, point=(0.03, 0.1, 0.05)))[1]


def test_what_is_out_of_reach_passes_only_if_the_motion_says_so(adult: Character) -> None:
    hand, nod = role(adult, "left_hand"), play("nod", adult)
    far = place_of(nod, hand) + 5.0
    assert not judged("reach", wished(nod, hand, far))[1]
    told = wished(nod, hand, far, missed=8.0)
    assert judged("reach", told)[1]
    assert BY_NAME["reach"].score(told).reported
    near = place_of(nod, hand) + 0.3 * (place_of(nod, role(adult, "left_upper_arm")) - place_of(nod, hand))
    assert not judged("reach", wished(nod, hand, near, missed=8.0))[1]


def test_moments_that_are_not_fully_wished_do_not_count(adult: Character) -> None:
    hand, nod = role(adult, "left_hand"), play("nod", adult)
    wish = Wish(hand, TIMES, np.where(TIMES < 1.0, 1.0, 0.5), place_of(nod, hand) + (TIMES > 1.0)[:, None])
    assert judged("reach", scene_of(replace(nod, wishes=(wish,))))[1]


def test_kept_fails_where_the_movement_is_lost(adult: Character) -> None:
    hand = role(adult, "left_hand")
    clip = moved(adult, {role(adult, "left_upper_arm"): wave_of(0.4)})
    assert judged("kept", wished(clip, hand, place_of(clip, hand)))[1]
    shaking = 0.2 * np.stack([np.sin(np.linspace(0, 20, COUNT)), *np.zeros((2, COUNT))], axis=1)
    value, passed = judged("kept", wished(clip, hand, place_of(clip, hand)[:1] + shaking))
    assert not passed
    assert value > 70


def test_frozen_fails_a_body_that_does_not_move(adult: Character) -> None:
    assert judged("frozen", scene_of(play("still", adult))) == (100.0, False)


def test_frozen_fails_a_part_that_was_wished_to_move(adult: Character) -> None:
    hand = role(adult, "left_hand")
    nod = moved(adult, {tip_parent(adult): wave_of(0.3, axis=0)})
    assert judged("frozen", wished(nod, hand, place_of(nod, hand) + wave_of(0.2))) == (100.0, False)
    followed = moved(adult, {role(adult, "left_upper_arm"): wave_of(0.4)})
    assert judged("frozen", wished(followed, hand, place_of(followed, hand)))[1]


def test_frozen_fails_a_part_that_was_wished_to_turn(adult: Character) -> None:
    head, foot = tip_parent(adult), role(adult, "left_foot")
    nod = moved(adult, {head: wave_of(0.4, axis=0)})
    turns = transform.decompose(scene_of(nod).world[::2, head])[1]
    for joint, passes in ((head, True), (foot, False)):
        wish = Wish(joint, TIMES, np.ones(COUNT), turns=turns)
        assert judged("frozen", scene_of(replace(nod, wishes=(wish,))))[1] is passes


def test_touch_fails_hands_that_do_not_meet(adult: Character) -> None:
    left, right = role(adult, "left_hand"), role(adult, "right_hand")
    apart = play("nod", adult)
    assert not judged("touch", wished(apart, left, place_of(apart, left), touches=right))[1]
    assert judged("touch", wished(apart, left, place_of(apart, left), touches=role(adult, "left_forearm")))[1]
    there = scene_of(apart).skin[::2, scene_of(apart).rows_of(left)[0]]
    assert judged("touch", wished(apart, left, there, touches="place"))[1]
    assert not judged("touch", wished(apart, left, there + 0.2, touches="place"))[1]


# Ground ---------------------------------------------------------------------------------------------------------------


def test_slip_fails_feet_that_slide(adult: Character) -> None:
    assert judged("slip", scene_of(play("nod", adult))) == (0.0, True)
    value, passed = judged("slip", scene_of(play("slide", adult)))
    assert not passed
    assert value > 0.5


def test_slip_fails_one_foot_that_is_shifted_while_it_stands(adult: Character) -> None:
    turned = moved(adult, {role(adult, "left_upper_leg"): wave_of(0.1, axis=2)})
    assert not judged("slip", scene_of(turned))[1]


def test_slip_lets_a_foot_turn_about_a_point_that_stands(adult: Character) -> None:
    """A body that turns about a point of its sole slides nowhere there, though all of its joints move."""
    still = scene_of(play("still", adult))
    (foot, _) = still.feet
    point = still.rest_skin[foot.sole[0]]
    root = int(still.trunk[0])
    turns = np.zeros((COUNT, 3))
    turns[:, 1] = np.linspace(0.0, 0.5, COUNT)
    origin = still.rest_world[root, :, 3]
    about = point + quaternion.rotate(quaternion.exp(turns), origin - point) - origin
    clip = moved(adult, {root: turns}, travel=about)
    scene = scene_of(clip)
    assert np.ptp(scene.skin[:, foot.sole[0]], axis=0).max() < 1e-6
    only = [each for each in scene.feet if each.joint == foot.joint]
    vars(scene)["feet"] = tuple(only)
    assert judged("slip", scene)[1]


def test_slip_does_not_ask_of_feet_in_the_air(adult: Character) -> None:
    up = scene_of(moved(adult, {}, travel=shifted(1, 0.2) + shifted(2, TIMES)))
    assert BY_NAME["slip"].score(up).value is None


def test_sink_fails_a_body_whose_root_is_lowered(adult: Character) -> None:
    size = scene_of(play("nod", adult)).size
    value, passed = judged("sink", scene_of(moved(adult, {}, travel=shifted(1, -0.035 * size))))
    assert not passed
    assert value == pytest.approx(3.5, rel=1e-3)
    assert judged("sink", scene_of(moved(adult, {}, travel=shifted(1, 0.035 * size))))[1]


def test_a_body_is_judged_by_how_it_is_bound_and_not_by_how_its_file_holds_it(adult: Character) -> None:
    root = adult.default_pose.root_translation
    held = adult.replace(default_pose=Pose(adult.default_pose.rotations, np.add(root, [0.0, 0.4, 0.0])))
    assert judged("sink", scene_of(play("nod", held)))[1]
    assert not judged("sink", scene_of(moved(held, {}, travel=shifted(1, -0.1))))[1]


def test_hover_fails_a_body_that_hangs_in_the_air_and_not_one_that_jumps(adult: Character) -> None:
    arms = {role(adult, "left_upper_arm"): wave_of(0.4)}
    assert judged("hover", scene_of(moved(adult, arms)))[1]
    value, passed = judged("hover", scene_of(moved(adult, arms, travel=shifted(1, 0.05))))
    assert not passed
    assert value == pytest.approx(100 * 0.05 / 1.77, rel=0.05)
    airborne = np.clip(TIMES - 0.7, 0.0, 0.6)
    thrown = 9.81 / 2 * airborne * (0.6 - airborne)
    assert judged("hover", scene_of(moved(adult, arms, travel=shifted(1, thrown))))[1]


def test_hover_looks_at_feet_that_stand_and_not_at_those_that_lie_on_their_side(adult: Character) -> None:
    raised = {role(adult, "left_upper_arm"): wave_of(0.4)}
    still = scene_of(moved(adult, raised, travel=shifted(1, 0.03)))
    foot = still.feet[0]
    assert _standing(still, foot).max() == pytest.approx(0.03, rel=0.1)
    aside = moved(adult, raised | {foot.joint: np.full((COUNT, 3), [0.0, 0.0, 1.4])}, travel=shifted(1, 0.03))
    assert _standing(scene_of(aside), foot).max() == 0.0


def _tilted(body: Character, angles: FloatArray) -> Sampled:
    """A stiff body tilted forward about its toes by (T,) radians."""
    still = scene_of(play("still", body))
    root, lean = still.trunk[0], np.zeros((COUNT, 3))
    lean[:, 0] = angles
    origin, pivot = still.rest_world[root, :, 3], np.array([0.0, 0.0, still.rest_skin[still.feet[0].sole, 2].max()])
    return moved(body, {root: lean}, travel=pivot + quaternion.rotate(quaternion.exp(lean), origin - pivot) - origin)


def test_support_fails_a_body_that_leans_too_far(adult: Character) -> None:
    assert judged("support", scene_of(play("nod", adult)))[1]
    assert judged("support", scene_of(_tilted(adult, np.full(COUNT, 0.05))))[1]
    value, passed = judged("support", scene_of(_tilted(adult, np.full(COUNT, 0.5))))
    assert not passed
    assert value > 10


def test_support_lets_a_body_fall(adult: Character) -> None:
    """Who tips over like a felled tree is beside its feet, and speeds up as what falls does."""
    angle, speed, angles = 0.1, 0.0, []
    for _ in TIMES:
        angles.append(angle)
        speed += 9.81 * np.sin(angle) / RATE
        angle += speed / RATE
    end = int(np.argmax(np.array(angles) > 0.6))
    clip = _tilted(adult, np.array(angles))
    falling = judged("support", scene_of(clip.trimmed(0.0, TIMES[end])))[0]
    held = judged("support", scene_of(Still(adult, clip.at(TIMES[end]), seconds=1.0)))[0]
    assert falling < 0.5 * held


# Skin and joints ------------------------------------------------------------------------------------------------------


def test_penetration_fails_legs_through_each_other(adult: Character) -> None:
    leg = role(adult, "left_upper_leg")
    across = [scene_of(moved(adult, {leg: sign * np.abs(wave_of(0.6))})) for sign in (1.0, -1.0)]
    assert sorted(judged("penetration", scene)[1] for scene in across) == [False, True]


def test_penetration_fails_an_arm_through_the_chest(adult: Character) -> None:
    """The forearm is bent into the chest by turning the upper arm inward, as far as the eye would see it."""
    arm, forearm, chest = (role(adult, name) for name in ("left_upper_arm", "left_forearm", "chest"))
    still = scene_of(play("still", adult))
    middle = still.rest_world[chest, :, 3]
    best, least = np.zeros(3), np.inf
    grid = np.linspace(-2.4, 2.4, 7)
    for vector in np.stack(np.meshgrid(grid, grid, grid), axis=-1).reshape(-1, 3):
        pose = moved(adult, {arm: np.tile(vector, (COUNT, 1)), forearm: np.tile([0.0, 0.0, 0.0], (COUNT, 1))})
        hand = scene_of(pose.trimmed(0.0, 0.02)).places[0, role(adult, "left_hand")]
        if np.linalg.norm(hand - middle) < least:
            best, least = vector, float(np.linalg.norm(hand - middle))
    ramp = np.clip(TIMES / 0.5, 0.0, 1.0)[:, None]
    assert not judged("penetration", scene_of(moved(adult, {arm: ramp * best})))[1]


def test_penetration_lets_parts_be_as_deep_in_one_another_as_they_are_at_rest(adult: Character) -> None:
    leg, crossed = role(adult, "left_upper_leg"), -0.19
    clip = moved(adult, {leg: np.tile([0.0, 0.0, crossed], (COUNT, 1)), tip_parent(adult): wave_of(0.2)})
    assert not judged("penetration", scene_of(clip))[1]
    crossing = adult.replace(default_pose=clip.at(0.0))
    assert judged("penetration", scene_of(replace(clip, character=crossing)))[1]


def test_pops_fails_a_jump_and_not_a_swift_movement(adult: Character) -> None:
    arm = role(adult, "left_upper_arm")
    jump = wave_of(0.3)
    jump[60:] += [0.0, 0.0, 0.4]
    assert judged("pops", scene_of(moved(adult, {arm: wave_of(1.2)})))[1]
    assert judged("pops", scene_of(moved(adult, {tip_parent(adult): wave_of(0.2)})))[1]
    value, passed = judged("pops", scene_of(moved(adult, {arm: jump})))
    assert not passed
    assert value > 5


def test_pops_fails_a_frame_that_is_shown_twice(adult: Character) -> None:
    """A frame that stays, in a motion swift enough to be seen to stop."""
    arm = role(adult, "left_upper_arm")
    swing = np.zeros((COUNT, 3))
    swing[:, 2] = 1.5 * np.sin(np.linspace(0.0, 6 * np.pi, COUNT))
    clip = moved(adult, {arm: swing})
    assert judged("pops", scene_of(clip))[1]
    swing[40:] = swing[39:-1].copy()
    swing[40:] = swing[38:-2].copy()
    assert not judged("pops", scene_of(moved(adult, {arm: swing})))[1]


def test_pops_sees_tips_that_turn_about_themselves(adult: Character) -> None:
    """A head that flips moves no joint; its skin jumps."""
    head = role(adult, "head")
    flips = np.zeros((COUNT, 3))
    flips[60:, 1] = 1.6
    assert not judged("pops", scene_of(moved(adult, {head: flips})))[1]


@pytest.mark.parametrize("rate", [24.0, 30.0, 120.0])
def test_pops_does_not_depend_on_the_rate_of_the_motion(adult: Character, rate: float) -> None:
    swing = moved(adult, {role(adult, "left_upper_arm"): wave_of(1.2)})
    assert judged("pops", scene_of(swing.baked(rate)))[1]


def test_pops_looks_from_the_end_of_a_loop_to_its_start(adult: Character) -> None:
    ramp = np.zeros((COUNT, 3))
    ramp[:, 2] = np.linspace(0.0, 0.8, COUNT)
    clip = moved(adult, {role(adult, "left_upper_arm"): ramp})
    assert judged("pops", scene_of(clip))[1]
    assert not judged("pops", scene_of(clip, loops=True))[1]


def test_limits_fails_a_knee_that_bends_backwards(adult: Character) -> None:
    knee = role(adult, "left_lower_leg")
    bends = [scene_of(moved(adult, {knee: sign * np.abs(wave_of(0.9, axis=0))})) for sign in (1.0, -1.0)]
    assert sorted(judged("limits", scene)[1] for scene in bends) == [False, True]


def test_limits_are_those_of_knees_where_a_body_tells_none(adult: Character) -> None:
    knee = role(adult, "left_lower_leg")
    rest = Pose.rest(adult.skeleton)
    bent = np.array(rest.rotations)
    bent[knee] = quaternion.multiply(quaternion.exp(np.array([0.4, 0.0, 0.0])), bent[knee])
    body = adult.replace(limits=None, default_pose=Pose(bent, rest.root_translation))
    bends = [moved(body, {knee: sign * np.abs(wave_of(0.9, axis=0))}) for sign in (1.0, -1.0)]
    assert sorted(judged("limits", scene_of(bend))[1] for bend in bends) == [False, True]


def _twisted(body: Character, angles: FloatArray) -> Scene:
    """The left forearm twisted about its own length by (T,) radians."""
    forearm = role(body, "left_forearm")
    along = body.skeleton.rest_translations[list(body.skeleton.children[forearm])].mean(axis=0)
    axis = quaternion.rotate(body.skeleton.rest_rotations[forearm], along / np.linalg.norm(along))
    return scene_of(moved(body, {forearm: angles[:, None] * axis}))


def test_twist_fails_what_flips_and_what_is_wrung(adult: Character) -> None:
    ramp = np.linspace(0.0, 1.0, COUNT)
    assert judged("twist", _twisted(adult, np.radians(100) * ramp))[1]
    assert not judged("twist", _twisted(adult, np.radians(90) * (ramp > 0.5)))[1]
    assert not judged("twist", _twisted(adult, np.radians(300) * ramp))[1]


def test_buckling_fails_a_zigzag_and_not_a_bow(adult: Character) -> None:
    trunk = scene_of(play("still", adult)).trunk
    spine = [joint for joint in trunk if joint != trunk[0]]
    assert len(spine) >= 3
    bow = {joint: np.abs(wave_of(0.25, axis=0)) for joint in spine}
    zigzag = {joint: np.abs(wave_of(1.2, axis=0)) * (-1) ** place for place, joint in enumerate(spine)}
    fold = {spine[1]: np.abs(wave_of(2.6, axis=0))}
    assert judged("buckling", scene_of(moved(adult, bow)))[1]
    assert not judged("buckling", scene_of(moved(adult, zigzag)))[1]
    assert not judged("buckling", scene_of(moved(adult, fold)))[1]


# All together ---------------------------------------------------------------------------------------------------------


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


def test_a_bare_skeleton_is_judged_by_capsules_along_its_bones(adult: Character) -> None:
    bare = adult.replace(meshes=())
    leg = role(bare, "left_upper_leg")
    across = [scene_of(moved(bare, {leg: sign * np.abs(wave_of(0.6))})) for sign in (1.0, -1.0)]
    assert sorted(judged("penetration", scene)[1] for scene in across) == [False, True]
    assert not judged("slip", scene_of(play("slide", bare)))[1]
    assert not judged("sink", scene_of(moved(bare, {}, travel=shifted(1, -0.1))))[1]


@pytest.mark.parametrize("name", [judge.name for judge in JUDGES])
def test_what_is_told_beside_does_not_count(name: str) -> None:
    assert BY_NAME[name].beside is (name in ("touch", "support"))
