"""Laws of retargeting: what must not matter does not, what must be kept is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer import measure
from mummer.character import world_positions
from mummer.clip import from_text, to_text
from mummer.clip.recorded import bake
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from mummer.retarget import Onto, heights_of_mesh, retarget
from mummer.retarget.build import build_of
from tests.retarget.walk import people, rebuilt, walk


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
@given(scale=st.floats(0.01, 100.0))
def test_a_larger_body_does_the_same_larger(scale: float) -> None:
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
    assert measure.ground_penetration(clip, floor=hills).value < 2.0
    assert measure.ground_penetration(level, floor=hills).value > 2.5


def test_ground_from_a_mesh() -> None:
    corners = np.array([[-5, 0, -5], [5, 0, -5], [5, 2, 5], [-5, 2, 5.0]])
    heights = heights_of_mesh(corners, np.array([[0, 1, 2], [0, 2, 3]]))
    assert np.allclose(heights(np.array([0.0, 1.0]), np.array([0.0, 5.0])), [1.0, 2.0])
    assert heights(np.array([[50.0]]), np.array([[5.0]])).shape == (1, 1)


def test_hands_are_kept_together_when_asked() -> None:
    from tests.measure.test_measures import changed

    roles = people("adult").anatomy.roles

    def fold(_times, rotations, _root):
        for side, sign in (("left", 1.0), ("right", -1.0)):
            turn = quaternion.exp(np.array([0.0, -1.45 * sign, 0.0]))
            rotations[:, roles[f"{side}_upper_arm"]] = people("adult").skeleton.rest_rotations[
                roles[f"{side}_upper_arm"]
            ]
            rotations[:, roles[f"{side}_upper_arm"]] = quaternion.multiply(
                turn, rotations[:, roles[f"{side}_upper_arm"]]
            )

    folded = changed(walk(), fold).trimmed(0, 0.5)
    giant = people("giant")

    def apart(clip, body):
        left, right = body.anatomy.roles["left_hand"], body.anatomy.roles["right_hand"]
        found = places(clip)
        return np.linalg.norm(found[:, left] - found[:, right], axis=1).mean() / build_of(body).size

    near = apart(folded, people("adult"))
    free = apart(retarget(folded, giant, rate=30), giant)
    kept = apart(retarget(folded, giant, rate=30, keep=[("left_hand", "right_hand")]), giant)
    assert abs(kept - near) <= abs(free - near) + 0.02
    with pytest.raises(InputError, match="no arm to bend"):
        retarget(folded, giant, keep=[("head", "left_hand")])


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
