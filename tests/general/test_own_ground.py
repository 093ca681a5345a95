"""A body that rests half a metre up or down stands on its own ground: everything is the same, only higher or lower."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character.derive import rest_positions
from mummer.engine import perform
from mummer.retargeting import retarget
from tests.retargeting.walk import walk
from tests.strange import raised, with_origin

SHIFT = 0.5


def moved_alike(first: mm.clip.Clip, second: mm.clip.Clip, height: float, skip: int = 0) -> float:
    """Metres by which the joints of a clip are elsewhere than those of another so much higher, at most."""
    times = np.linspace(first.start, first.end, 17)
    here, there = (mm.world_positions(clip.body.skeleton, clip.sample(times)) for clip in (first, second))
    return float(np.abs(there[:, skip:] - here - [0.0, height, 0.0]).max())


@pytest.mark.parametrize("height", [SHIFT, -SHIFT])
@pytest.mark.parametrize(("body", "name"), [("adult", "walk"), ("spider", "wave"), ("dog", "sit"), ("snake", "walk")])
def test_a_performance_is_the_same_on_its_own_ground(body: str, name: str, height: float) -> None:
    usual = mm.zoo.body(body).replace(meshes=())
    clips = [perform(each, name) for each in (usual, raised(usual, height))]
    assert moved_alike(clips[0], clips[1], height) < 1e-4


@pytest.mark.parametrize("height", [SHIFT, -SHIFT])
@pytest.mark.parametrize("body", ["child", "dog", "spider"])
def test_a_motion_moved_onto_it_stands_there_too(body: str, height: float) -> None:
    usual, motion = mm.zoo.body(body), walk(seconds=1.0, rate=30.0)
    made = [retarget(motion, each) for each in (usual, raised(usual, height))]
    assert moved_alike(made[0], made[1], height) < 1e-6
    assert moved_alike(made[0], retarget(motion, raised(usual, height), floor=0.0), 0.0) < 1e-6


def test_a_skeleton_that_hangs_about_the_origin_is_put_on_the_floor() -> None:
    """As most recordings have it: the motion lifts the body, not its rest pose."""
    bare = mm.zoo.body("adult").replace(meshes=())
    hanging = raised(bare, -float(bare.skeleton.rest_translations[0, 1]))
    motion = walk(seconds=1.0, rate=30.0)
    assert moved_alike(retarget(motion, bare), retarget(motion, hanging), 0.0) < 1e-6


def test_the_lowest_joint_of_a_bare_body_is_no_ground_if_it_only_carries_it() -> None:
    """A root that stays at the origin under a body that stands higher."""
    bare = mm.zoo.body("adult").replace(meshes=(), anatomy=None)
    usual = mm.recognize(bare)
    higher = with_origin(raised(bare, SHIFT))
    assert rest_positions(higher.skeleton)[:, 1].min() == 0
    assert mm.recognize(higher).ground == pytest.approx(usual.ground + SHIFT)


@pytest.mark.parametrize("height", [SHIFT, -SHIFT])
def test_the_ground_is_drawn_where_it_stands(height: float) -> None:
    usual = mm.zoo.body("spider")
    for body in (usual, usual.replace(anatomy=None)):
        pictures = [mm.render.picture(each, size=(96, 80)) for each in (body, raised(body, height))]
        assert np.abs(pictures[0].astype(int) - pictures[1]).mean() < 0.2


def test_real_rigs_too(data_dir: Path) -> None:
    rig = mm.load(data_dir / "characters" / "quaternius" / "Spider.glb")
    usual = rig.replace(anatomy=mm.recognize(rig))
    higher = raised(usual, SHIFT)
    assert mm.recognize(higher.replace(anatomy=None)).ground == pytest.approx(usual.anatomy.ground + SHIFT, abs=1e-6)
    assert moved_alike(perform(usual, "walk"), perform(higher, "walk"), SHIFT) < 1e-4
