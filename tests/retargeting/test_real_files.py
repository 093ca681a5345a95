"""Real motions onto real bodies, with hand-checked joint maps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer import measure
from mummer.character import world_positions
from mummer.clip import of
from mummer.clip.recorded import bake
from mummer.retargeting import Onto
from mummer.retargeting.build import build_of
from tests.retargeting.bodies import real

MALE = "characters/mesh2motion/human-male.glb"


@pytest.mark.parametrize(("file", "name"), [("Xbot", "walk"), ("Xbot", "run"), ("Soldier", "Walk")])
def test_toes_in_contact_slip_less_than_a_percent_of_a_leg(data_dir: Path, file: str, name: str) -> None:
    source, target = of(real(data_dir, f"characters/threejs/{file}.glb"), name), real(data_dir, MALE)
    made, times = Onto(source, target), np.arange(round(source.duration * 60)) / 60
    toes = {}
    for clip in (source, made):
        joint = clip.body.anatomy.roles["left_toes"]
        toes[clip] = world_positions(clip.body.skeleton, clip.sample(times))[:, joint] / build_of(clip.body).size
    low = toes[source][:, 1] < toes[source][:, 1].min() + 0.03
    slip = np.gradient(toes[made] - toes[source], axis=0)[low][:, [0, 2]] * 60
    assert np.linalg.norm(slip, axis=1).mean() < 0.01
    assert measure.bone_direction_error(made, source).value < 1.0


def test_a_captured_walk_there_and_back(data_dir: Path) -> None:
    body = real(data_dir, "motions/cmu-cgspeed/cmu_02_01_walk.bvh")
    source = of(body)
    there = Onto(source, real(data_dir, MALE))
    assert measure.ground_penetration(there, floor=0.0).value < 1.0
    assert measure.jerk_ratio(there, source).value < 1.3
    assert measure.foot_skate(there).value < measure.foot_skate(source).value + 1.0
    assert measure.bone_direction_error(Onto(bake(there, 120.0), body), source).value < 0.5
    bare = Onto(bake(Onto(source, real(data_dir, MALE), feet=False), 120.0), body, feet=False)
    assert measure.bone_direction_error(bare, source).value < 0.3


@pytest.mark.parametrize(
    ("motion", "target"),
    [
        ("motions/pymo/AV_8Walk_Meredith.bvh", MALE),
        ("characters/khronos/CesiumMan.glb", "zoo:child"),
        ("motions/cmu-cgspeed/cmu_16_18_walk_90deg_left_turn.bvh", "characters/smartbody/ChrBrad.sk"),
    ],
)
def test_recognised_bodies_there_and_back(data_dir: Path, motion: str, target: str) -> None:
    from tests.retargeting import study

    row = study.do(study.Task(motion, study.load(motion).recordings[0].name, target, 3.0))
    assert row["back_direction"] < 1.0
    assert row["extra_skate_scaled"] < 1.0
    assert row["penetration"] < 1.6
    assert row["turning_jerk"] < 1.45


def test_the_study_sums_up() -> None:
    from tests.retargeting import study

    row = dict.fromkeys((*study.BARS, "mann_skate", "source_mann_skate"), 1.2)
    assert "| 1.3 | 2 of 2 | 1.20 | 1.20 | 1.20 |" in study.summary([row, row])
    assert study.parse(["--quick", "--every", "3"]).every == 3
