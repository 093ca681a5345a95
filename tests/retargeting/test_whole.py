"""Motions arrive whole: pelvis, legs beside it, several heads, stiff feet, bodies without knees; and come back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer import measure
from mummer.character import Character, Pose, Skeleton, world_positions
from mummer.clip import Sampled, Still
from mummer.clip.recorded import bake
from mummer.math import quaternion
from mummer.recognition import recognized
from mummer.retargeting import Onto
from mummer.retargeting.build import build_of
from mummer.retargeting.hocks import is_hock
from tests.retargeting.walk import people, walk


def line_of(clip, time: float = 0.0) -> np.ndarray:
    """Unit, from where the right leg begins to where the left one does."""
    roles = clip.body.anatomy.roles
    places = world_positions(clip.body.skeleton, clip.sample(np.array([time])))[0]
    line = places[roles["left_upper_leg"]] - places[roles["right_upper_leg"]]
    return line / np.linalg.norm(line)


def beside(body: Character) -> Character:
    """The body with legs that hang from a root beside its hips, as some rigs have them."""
    old = body.skeleton
    parents = np.concatenate([[-1], np.where(old.parents < 0, 0, old.parents + 1)])
    offsets = np.concatenate([[[0.0, 0.0, 0.0]], old.rest_translations])
    hips = body.anatomy.roles["hips"]
    for side in ("left", "right"):
        leg = body.anatomy.roles[f"{side}_upper_leg"] + 1
        parents[leg], offsets[leg] = 0, offsets[leg] + offsets[hips + 1]
    made = Skeleton(
        ("base", *old.names), parents, offsets, np.concatenate([[[0.0, 0.0, 0.0, 1.0]], old.rest_rotations])
    )
    from mummer.character.root_indices import shifted_anatomy

    return Character("beside", made, anatomy=shifted_anatomy(body.anatomy, +1))


def turned(body: Character, angle: float) -> Still:
    """The body at rest, turned about the vertical."""
    rotations = body.skeleton.rest_rotations.copy()
    rotations[0] = quaternion.multiply(quaternion.exp([0.0, angle, 0.0]), rotations[0])
    return Still(body, Pose(rotations, body.skeleton.rest_translations[0]), seconds=0.5)


@pytest.mark.parametrize("name", ["child", "giant", "hunched", "two_headed"])
def test_a_walk_comes_back(name: str) -> None:
    there = bake(Onto(walk(), people(name)), 60.0)
    assert measure.bone_direction_error(Onto(there, people("adult")), walk()).value < 0.3
    assert measure.ground_penetration(there, floor=0.0).value < 1.0


@pytest.mark.parametrize("angle", [-0.4, 0.3])
def test_a_pelvis_lies_where_its_legs_begin(angle: float) -> None:
    adult, roles = people("adult"), people("adult").anatomy.roles
    moved = adult.skeleton.rest_translations.copy()
    for side in ("left", "right"):
        leg = roles[f"{side}_upper_leg"]
        moved[leg] = quaternion.rotate(quaternion.exp([0.0, angle, 0.0]), moved[leg])
    source = Still(adult, Pose(adult.skeleton.rest_rotations, moved[0], moved), seconds=0.5)
    made = Onto(source, people("giant"), feet=False)
    assert np.allclose(line_of(made), line_of(source), atol=1e-9)
    assert abs(line_of(made)[2]) > 0.2


@pytest.mark.parametrize("angle", [0.7, 2.0])
def test_legs_beside_the_hips_turn_with_them(angle: float) -> None:
    source = turned(people("adult"), angle)
    odd = beside(people("child"))
    assert build_of(odd).seat == 0
    made = Onto(source, odd)
    assert np.allclose(line_of(made), line_of(source), atol=1e-6)
    assert measure.bone_direction_error(Onto(bake(made, 30.0), people("adult")), source).value < 0.1


def test_trunks_lean_from_hips_that_hang_beside_them() -> None:
    odd, adult = beside(people("child")), people("adult")
    bent = adult.skeleton.rest_rotations.copy()
    bent[adult.anatomy.roles["spine"]] = quaternion.exp([0.5, 0.0, 0.2])
    source = Still(adult, Pose(bent, adult.skeleton.rest_translations[0]), seconds=0.5)
    assert measure.bone_direction_error(Onto(source, odd, feet=False), source).parts["hips"] < 1e-3


def test_several_heads_do_what_one_does_and_it_comes_back() -> None:
    adult, two = people("adult"), people("two_headed")
    nod = adult.skeleton.rest_rotations.copy()
    for role, by in (("neck", 0.4), ("head", 0.3)):
        joint = adult.anatomy.roles[role]
        nod[joint] = quaternion.multiply(nod[joint], quaternion.exp([by, 0.0, 0.0]))
    source = Still(adult, Pose(nod, adult.skeleton.rest_translations[0]), seconds=0.5)
    made = Onto(source, two).at(0.0).rotations
    for name in ("left_neck", "right_neck", "left_head", "right_head"):
        joint = two.skeleton.index(name)
        assert np.degrees(quaternion.angle_between(made[joint], two.skeleton.rest_rotations[joint])) > 10
    back = Onto(bake(Onto(source, two), 30.0), adult)
    assert measure.bone_direction_error(back, source).parts["neck"] < 0.1


def test_feet_whose_heel_hangs_from_the_ball_do_not_bend_there(data_dir: Path) -> None:
    body = recognized(mm.load(data_dir / "characters/smartbody/ChrBrad.sk"))
    legs = build_of(body).legs
    assert legs
    assert all(leg.is_stiff for leg in legs)
    pairs = Onto(walk(), body).transfer.pairs
    assert all(leg.ball not in pairs and leg.foot in pairs for leg in legs)
    assert not any(leg.is_stiff for leg in build_of(people("adult")).legs)


def test_bodies_without_knees_neither_sink_nor_fly(data_dir: Path) -> None:
    toy = recognized(mm.load(data_dir / "characters/kenney/character.glb"))
    made = bake(Onto(walk(), toy), 30.0)
    assert not build_of(toy).legs
    assert measure.ground_penetration(made, floor=0.0).value < 1.0
    hips = made.body.anatomy.roles["hips"]
    high = world_positions(made.body.skeleton, made.sample(made.times(30)))[:, hips, 1]
    assert high.max() < 1.3 * build_of(toy).places[hips][1] + 1e-3
    jump = bake(Onto(Sampled(toy, toy.recording("jump")), people("adult")), 30.0)
    assert measure.ground_penetration(jump, floor=0.0).value < 1.0


def test_a_hip_line_that_counter_turns_does_not_roll_the_pelvis(data_dir: Path) -> None:
    body = recognized(mm.load(data_dir / "motions/deep-motion-editing/comp_3d_1_raw.bvh"))
    source = Sampled(body, body.recordings[0])
    source = source.trimmed(source.start, source.start + 1.0)
    made = Onto(source, people("adult"))
    assert float(line_of(made, 0.5) @ line_of(source, 0.5)) > 0.95


def test_a_wolf_that_crouches_does_not_lift_a_dog(data_dir: Path) -> None:
    wolf = recognized(mm.load(data_dir / "characters/quaternius/Wolf.glb"))
    source = Sampled(wolf, wolf.recording("AnimalArmature|Walk"))
    made = bake(Onto(source, people("dog")), 30.0)
    assert all(is_hock(build_of(wolf), leg) for leg in build_of(wolf).legs if leg.name.startswith("hind"))
    assert measure.ground_float(made, floor=0.0).value < 1.5
