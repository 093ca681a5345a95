"""Soles lie flat where the source stands, heels and toes come down in turn, and bellies stay out of the ground."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose
from mummer.clip import Still
from mummer.clip.sampled import Sampled
from mummer.math import quaternion
from mummer.measure.watched import places_at
from mummer.recognition import recognized
from mummer.retargeting.build import build_of
from mummer.retargeting.laying import SURE, grounding, leveling, stillness
from mummer.retargeting.onto import Onto
from tests.retargeting.walk import people

STEP = 1.0 / 60.0
UP = np.array([0.0, 1.0, 0.0])


def tilted(degrees: float, *, lifted: float = 0.0) -> Still:
    """The adult stands with one foot's toes up by so many degrees, all of it so many metres above its floor."""
    adult = people("adult")
    foot = adult.anatomy.roles["left_foot"]
    rotations = np.array(adult.skeleton.rest_rotations)
    turn = quaternion.from_axis_angle(np.array([1.0, 0.0, 0.0]), -np.radians(degrees))
    world = build_of(adult).turns
    above = quaternion.multiply(quaternion.conjugate(world[adult.skeleton.parents[foot]]), turn)
    rotations[foot] = quaternion.multiply(above, world[foot])
    root = adult.skeleton.rest_translations[0] + lifted * UP
    return Still(adult, Pose(rotations, root), seconds=1.5)


def slope(clip, body, side: str, time: float) -> float:
    """Degrees between the ground and a sole, which is level at rest."""
    build = build_of(body)
    foot = body.anatomy.roles[f"{side}_foot"]
    pose = clip.at(time)
    turn = pose.rotations[foot]
    for joint in body.skeleton.ancestors(foot):
        turn = quaternion.multiply(pose.rotations[joint], turn)
    up = quaternion.rotate(quaternion.multiply(turn, quaternion.conjugate(build.turns[foot])), UP)
    return float(np.degrees(np.arccos(np.clip(up[1], -1.0, 1.0))))


@pytest.mark.parametrize("target", ["child", "giant"])
@pytest.mark.parametrize("degrees", [-7.0, 4.0, 9.0])
def test_a_foot_that_stands_is_laid_flat_on_the_ground(target: str, degrees: float) -> None:
    body = people(target)
    made = Onto(tilted(degrees), body)
    assert slope(made, body, "left", 0.7) < 1.0
    ball = build_of(body).legs[0].ball
    for leg in build_of(body).legs:
        high = places_at(made, np.array([0.7]))[0, leg.ball, 1] - build_of(body).places[leg.ball, 1]
        assert abs(high) < 0.005 * body.anatomy.height / 1.7, (ball, leg.name)


def test_who_stands_on_the_toes_goes_on_doing_so() -> None:
    assert slope(Onto(tilted(-40.0), people("child")), people("child"), "left", 0.7) > 30.0


def normals(angles: np.ndarray) -> np.ndarray:
    """(N, 3) where a sole's normal points that is pitched by so much."""
    return np.stack([np.zeros_like(angles), np.cos(angles), np.sin(angles)], axis=1)


def test_what_rolls_is_left_to_roll() -> None:
    times = np.arange(0.0, 2.0, STEP)
    rolling = normals(0.4 * np.sin(2 * np.pi * 1.5 * times))
    planted = np.ones(len(times), bool)
    still = stillness(rolling, planted, STEP)
    assert np.abs(leveling(rolling, still, UP, STEP)).max() < 0.03


@pytest.mark.parametrize("off", [0.02, 0.1, 0.9 * SURE])
def test_what_is_steady_is_taken_out(off: float) -> None:
    times = np.arange(0.0, 2.0, STEP)
    ups, planted = normals(np.full(len(times), off)), np.ones(len(times), bool)
    turns = leveling(ups, stillness(ups, planted, STEP), UP, STEP)
    after = quaternion.rotate(quaternion.exp(turns), ups)
    assert np.degrees(np.arccos(np.clip(after[:, 1], -1.0, 1.0))).max() < 0.5
    assert np.abs(grounding(np.full(len(times), 0.02), planted.astype(float), 0.9, STEP) + 0.02).max() < 0.002
    assert not grounding(np.full(len(times), 0.2), planted.astype(float), 0.9, STEP).any(), "a step of a stair"
    assert not leveling(ups, np.zeros(len(times)), UP, STEP).any(), "a foot in the air"


def test_a_snake_that_strikes_stays_out_of_the_ground(data_dir: Path) -> None:
    snake = recognized(mm.load(data_dir / "characters/quaternius/Snake.glb"))
    for name in ("SnakeArmature|Snake_Attack", "SnakeArmature|Snake_Jump"):
        made = mm.retarget(Sampled(snake, snake.recording(name)), "zoo:snake")
        assert not made.report.of("missed")
        assert places_at(made, made.times(30.0))[..., 1].min() > 0.0
