"""Tails that sweep, fins and wings that beat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import mummer as mm
from mummer.general import physique_of
from mummer.general.gait.strokes import strokes_of
from mummer.general.predicates import fits
from mummer.math import quaternion
from mummer.recognition import recognize


def test_a_fish_sweeps_its_tail_and_a_man_has_no_strokes() -> None:
    fish = physique_of(mm.zoo.body("fish"))
    kinds = {limb.kind for limb in fish.anatomy.limbs for stroke in strokes_of(fish) if limb.joints == stroke.joints}
    assert {"tail", "fin"} <= kinds
    assert strokes_of(physique_of(mm.zoo.body("adult"))) == ()


def test_strokes_of_both_sides_mirror_each_other() -> None:
    bird = physique_of(mm.zoo.body("bird"))
    found = {
        joint: bend for stroke in strokes_of(bird) for joint, bend in zip(stroke.joints, stroke.bends, strict=True)
    }
    for joint, bend in found.items():
        np.testing.assert_allclose(found[int(bird.anatomy.mirror[joint])], bend * [1, -1, -1], atol=1e-12)


def test_strokes_are_stronger_the_faster_a_body_swims() -> None:
    fish = mm.zoo.body("fish")
    tail = next(limb.joints[-1] for limb in fish.anatomy.limbs if limb.kind == "tail")
    widest = []
    for speed in (0.05, 0.6):
        poses = mm.perform(fish, path=[(0, 0), (0, 2)], pace=speed, sway=False).sample(np.arange(1.0, 3.0, 1 / 30))
        widest.append(quaternion.angle_between(poses.rotations[:, tail], poses.rotations[0, tail]).max())
    assert widest[1] > 1.5 * widest[0] > 0


@pytest.mark.parametrize("file", ["quaternius/Shark.glb", "quaternius/Manta_ray.glb", "quaternius/Bee.glb"])
def test_what_has_fins_or_wings_and_no_feet_floats(shared_character: Callable[[str], Path], file: str) -> None:
    body = mm.load(shared_character(file))
    physique = physique_of(body.replace(anatomy=recognize(body)))
    assert fits(physique, {"floats": True})
    assert strokes_of(physique)


@pytest.mark.parametrize(("wide", "high", "axis"), [(0.2, 1.0, 1), (1.0, 1.0, 1), (3.0, 1.0, 0)])
def test_flat_bodies_beat_their_tails_up_and_down_and_all_others_from_side_to_side(
    wide: float, high: float, axis: int
) -> None:
    fish = physique_of(mm.zoo.body("fish"))
    shaped = SimpleNamespace(size=np.array([wide, high, 2.0]), anatomy=fish.anatomy)
    tails = {limb.joints for limb in fish.anatomy.limbs if limb.kind == "tail"}
    found = [stroke for stroke in strokes_of(shaped) if stroke.joints in tails]
    assert found
    for stroke in found:
        np.testing.assert_array_equal(np.delete(stroke.bends, axis, axis=1), 0.0)
        # Most at the tip, which comes last.
        assert np.all(np.diff(stroke.bends[:, axis]) > 0.0)
        assert np.all(np.diff(stroke.late) > 0.0)
        assert stroke.late[0] == 0.0
        assert not stroke.is_wing
