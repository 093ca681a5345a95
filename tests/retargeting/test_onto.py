"""Laws of retargeting: what must not matter does not, what must be kept is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer import measure
from mummer.character import Character, Recording, Skeleton, world_matrices, world_positions
from mummer.clip import from_text, to_text
from mummer.clip.recorded import bake
from mummer.clip.sampled import Sampled
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from mummer.retargeting import Onto, heights_of_mesh, retarget
from mummer.retargeting.build import build_of
from mummer.retargeting.columns import RATE, SETTINGS
from mummer.retargeting.loops import shifts_at
from tests.measure.test_measures import changed
from tests.retargeting.walk import people, rebuilt, walk


def places(clip, rate: float = 30.0) -> np.ndarray:
    return world_positions(clip.body.skeleton, clip.sample(clip.times(rate)))


def test_onto_itself_changes_next_to_nothing() -> None:
    same = Onto(walk(), people("adult"))
    assert np.abs(places(same) - places(walk())).max() < 0.004
    without = Onto(walk(), people("adult"), feet=False)
    assert measure.bone_direction_error(without, walk()).worst < 1e-4


@settings(max_examples=8)
@given(seed=st.integers(0, 1000))
def test_the_frames_that_files_choose_for_joints_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    turns = quaternion.normalize(rng.normal(size=(len(people("child").skeleton), 4)))
    plain, other = (Onto(walk(), body) for body in (people("child"), rebuilt(people("child"), turns)))
    assert np.allclose(places(plain, 10), places(other, 10), atol=1e-6)


@settings(max_examples=8)
@given(scale=st.floats(0.01, 1.7))
def test_a_larger_body_does_the_same_larger(scale: float) -> None:
    # Up to the size of the source; the feet of a giant slide less than that, for whom a floor is no more slippery.
    plain, large = Onto(walk(), people("child")), Onto(walk(), rebuilt(people("child"), scale=scale))
    assert np.allclose(places(plain, 10) * scale, places(large, 10), atol=2e-4 * scale)


@settings(max_examples=8)
@given(angle=st.floats(-3.1, 3.1))
def test_where_the_target_faces_at_rest_does_not_matter(angle: float) -> None:
    turned = rebuilt(people("child"), world=quaternion.exp([0.0, angle, 0.0]))
    assert np.allclose(places(Onto(walk(), people("child")), 10), places(Onto(walk(), turned), 10), atol=1e-6)


@pytest.mark.parametrize("name", ["child", "giant", "hunched", "two_headed"])
def test_there_and_back_again(name: str) -> None:
    there = Onto(walk(), people(name))
    back = Onto(bake(there, 60.0), people("adult"))
    assert measure.bone_direction_error(back, walk()).value < 1.0
    assert measure.ground_penetration(there, floor=0.0).value < 1.0
    assert measure.jerk_ratio(there, walk()).value < 1.3
    assert measure.side_swaps(there, walk()).value == 0


def test_feet_slide_no_more_than_the_source_where_legs_alone_would() -> None:
    from mummer.clip.analysis import contacts

    marks = contacts(walk())
    kept, free = (measure.foot_skate(Onto(walk(), people("child"), feet=f), marks=marks).value for f in (True, False))
    scale = build_of(people("child")).size / build_of(people("adult")).size
    assert kept < scale * measure.foot_skate(walk(), marks=marks).value + 1.0
    assert kept <= free + 0.1


def test_single_frames_are_those_of_a_batch() -> None:
    clip = Onto(walk(), people("giant"))
    times = np.array([0.0, 0.31, 1.7, 3.0])
    batch = clip.sample(times)
    for place, time in enumerate(times):
        one = clip.at(float(time))
        assert np.allclose(one.rotations, batch.rotations[place], atol=1e-12)
        assert np.allclose(one.root_translation, batch.root_translation[place], atol=1e-12)
    with pytest.raises(InputError, match="not a finite"):
        clip.at(np.nan)


def test_four_legs_onto_four_legs_and_across_kinds() -> None:
    from mummer.clip import Still

    dog, horse = people("dog"), people("horse")
    still = Still(dog, dog.default_pose, seconds=1.0)
    on_horse = places(Onto(still, horse))
    standing = [*horse.anatomy.capabilities["foot"], horse.anatomy.roles["hips"], horse.anatomy.roles["chest"]]
    assert np.abs(on_horse - build_of(horse).places)[:, standing].max() < 0.25 * build_of(horse).size
    for kind in ("dog", "spider", "snake", "bird", "centaur", "fish"):
        made = places(Onto(walk(), people(kind)))
        assert np.isfinite(made).all()
        travelled = made[-1].mean(axis=0)[2] - made[0].mean(axis=0)[2]
        assert travelled > 0.5 * build_of(people(kind)).size
        assert made[..., 1].min() > -0.2 * people(kind).anatomy.height


def test_uneven_ground_holds_planted_feet_without_pops() -> None:
    hills = lambda x, z: 0.08 * np.sin(1.3 * z) + 0.03 * x  # noqa: E731
    clip = Onto(walk(), people("adult"), ground=hills)
    level = Onto(walk(), people("adult"))
    assert measure.jerk_ratio(clip, walk()).value < 1.3
    from mummer.clip.analysis import contacts

    marks = contacts(walk())
    assert measure.ground_float(clip, floor=hills, marks=marks).value < 1.0
    assert measure.ground_penetration(clip, floor=hills).value < 1.0
    assert measure.ground_penetration(level, floor=hills).value > 2.5


def test_soles_tilt_with_the_ground_up_to_a_limit() -> None:
    for slope, least, most in ((0.2, 0.15, 0.21), (3.0, 0.4, 0.8)):
        clip = Onto(walk(), people("adult"), ground=lambda x, z, by=slope: by * x)
        flat = Onto(walk(), people("adult"))
        joint = people("adult").anatomy.roles["left_foot"]
        for row in (20, 50):
            turns = [world_matrices(c.body.skeleton, c.sample([row / 60]))[0, joint, :, :3] for c in (clip, flat)]
            tilted = turns[0] @ turns[1].T @ np.array([0.0, 1.0, 0.0])
            assert least < np.arccos(tilted[1]) < most
            assert tilted[0] < 0


def test_toes_bend_where_they_would_sink() -> None:
    body = people("adult")
    joint, toes = body.anatomy.roles["left_foot"], body.anatomy.roles["left_toes"]
    # For so short that it says nothing of where the floor is.
    tiptoe = changed(walk(), lambda _t, r, _o: _pitch(r[20:24], joint))
    made = Onto(tiptoe, people("child"))
    assert measure.ground_penetration(tiptoe, floor=0.0).value > 1.5
    assert measure.ground_penetration(made, floor=0.0).value < 1.0
    bent = quaternion.angle_between(made.sample(made.times(60)).rotations[:, toes], body.skeleton.rest_rotations[toes])
    assert 0.2 < bent.max() < 1.3


def _pitch(rotations: np.ndarray, joint: int) -> None:
    rotations[:, joint] = quaternion.multiply(rotations[:, joint], quaternion.exp([0.5, 0.0, 0.0]))


def test_the_line_of_the_trunk_is_kept_whatever_the_spine() -> None:
    bowed = changed(walk(), lambda _t, r, _o: _pitch(r, people("adult").anatomy.roles["spine"]))
    for name in ("hunched", "child"):
        found = measure.bone_direction_error(Onto(bowed, people(name)), bowed)
        assert found.parts["hips"] < 0.05


def test_ground_from_a_mesh() -> None:
    corners = np.array([[-5, 0, -5], [5, 0, -5], [5, 2, 5], [-5, 2, 5.0]])
    heights = heights_of_mesh(corners, np.array([[0, 1, 2], [0, 2, 3]]))
    assert np.allclose(heights(np.array([0.0, 1.0]), np.array([0.0, 5.0])), [1.0, 2.0])
    assert heights(np.array([[50.0]]), np.array([[5.0]])).shape == (1, 1)


def clap() -> Sampled:
    """The walk with its hands led together in front of the chest and apart again, above them the head."""
    from mummer.ik import Place, solve

    body, times = people("adult"), np.arange(60) / 30
    poses = walk().sample(times)
    chest = world_positions(body.skeleton, poses)[:, body.anatomy.roles["chest"]]
    wide = (0.03 + 0.5 * np.clip(np.abs(times - 1.0) - 0.3, 0.0, 0.3))[:, None]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        goal = Place(f"{side}_hand", at=chest + np.array([0.0, 0.02, 0.12]) + sign * wide * np.array([1.0, 0.0, 0.0]))
        poses = solve(body, goal, poses, solver="two_bone", root="fixed").pose
    return Sampled(body, Recording.from_poses("clap", times, poses, frame_rate=30.0))


def between(clip, first: str, second: str) -> np.ndarray:
    roles, found = clip.body.anatomy.roles, places(clip)
    return found[:, roles[first]] - found[:, roles[second]]


def arm_length(body) -> float:
    joints = [body.anatomy.roles[f"left_{part}"] for part in ("upper_arm", "forearm", "hand")]
    return float(np.linalg.norm(np.diff(build_of(body).places[joints], axis=0), axis=1).sum())


def broad(shoulders: float, forearm: float) -> Character:
    """The zoo's child with its shoulders further apart and its forearms of another length."""
    body = people("child")
    offsets = body.skeleton.rest_translations.copy()
    for side in ("left", "right"):
        offsets[body.anatomy.roles[f"{side}_upper_arm"]] *= shoulders
        offsets[body.anatomy.roles[f"{side}_hand"]] *= forearm
    made = Skeleton(body.skeleton.names, body.skeleton.parents, offsets, body.skeleton.rest_rotations)
    return Character("broad", made, anatomy=body.anatomy)


@pytest.mark.parametrize("shape", [(1.4, 1.0), (0.8, 1.3)])
@pytest.mark.parametrize("other", ["right_hand", "chest"])
def test_hands_that_touch_are_kept_exactly_where_they_touch(shape: tuple[float, float], other: str) -> None:
    source, body = clap(), broad(*shape)
    free, kept = (retarget(source, body, rate=30, keep=keep) for keep in ([], [("left_hand", other)]))
    arms = arm_length(source.body), arm_length(body)
    given = between(source, "left_hand", other)
    touching = np.linalg.norm(given, axis=1) < 0.28 * arms[0]
    assert touching.sum() > 5
    wrong = np.linalg.norm(between(kept, "left_hand", other) - given * arms[1] / arms[0], axis=1)[touching]
    before = np.linalg.norm(between(free, "left_hand", other) - given * arms[1] / arms[0], axis=1)[touching]
    assert wrong.max() < 2e-3 * arms[1]
    assert before.max() > 2e-2 * arms[1]
    assert measure.jerk_ratio(kept, free, rate=30).value < 1.5


def test_only_hands_with_arms_can_be_kept() -> None:
    with pytest.raises(InputError, match="no arm to bend"):
        retarget(clap(), people("giant"), keep=[("head", "left_hand")])


def test_the_operator_is_a_method_and_has_a_form_in_text() -> None:
    clip = walk().onto(people("child"), feet=False)
    assert isinstance(clip, Onto)
    bodies = {"adult": people("adult"), "child": people("child")}
    again = from_text(to_text(clip, bodies=bodies), bodies=bodies)
    assert np.allclose(places(again), places(clip))


def test_bad_inputs_are_said_in_one_line() -> None:
    with pytest.raises(UnknownNameError, match="has no group 'left_arn'; closest: 'left_arm'"):
        Onto(walk(), people("child"), groups=("left_arn",))
    with pytest.raises(InputError, match="the floor is at nan"):
        Onto(walk(), people("child"), floor=float("nan"))
    with pytest.raises(InputError, match="comes without its body"):
        retarget(walk().recording, people("child"))
    made = retarget(walk().recording, people("child"), source=people("adult"), rate=20)
    assert made.recording.name == "walk"


@pytest.mark.parametrize(("time", "row"), [(np.nan, 0.0), (-np.inf, 0.0), (-5.0, 0.0), (0.5, 0.5), (1e300, 3.0)])
def test_shifts_are_read_within_their_table_at_any_time(time: float, row: float) -> None:
    settings, found = np.zeros(SETTINGS), np.empty(1)
    settings[RATE] = 1.0
    shifts_at(time, settings, np.arange(4.0)[:, None], found)
    assert np.isnan(time) or found[0] == row


@pytest.mark.parametrize("block", [7, 30])
def test_blocks_of_frames_are_not_seen(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made, times = Onto(walk(), people("child")), np.linspace(0.0, 1.0, 31)
    whole = made.sample(times)
    monkeypatch.setattr("mummer.retargeting.transfer.BLOCK", block)
    parts = made.sample(times)
    np.testing.assert_array_equal(parts.rotations, whole.rotations)
    np.testing.assert_array_equal(parts.root_translation, whole.root_translation)
