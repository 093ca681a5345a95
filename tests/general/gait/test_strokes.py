"""Tails that sweep, fins and wings that beat; and bodies that stay above the ground as they lean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.general import at_rest, physique_of
from mummer.general.gait import Float, gait, manner_of
from mummer.general.gait.belly import belly_joints, sunk
from mummer.general.gait.strokes import stroke_bends, strokes_of
from mummer.general.predicates import fits
from mummer.recognition import recognize


def test_a_fish_sweeps_its_tail_and_a_man_has_no_strokes() -> None:
    fish = physique_of(mm.zoo.body("fish"))
    kinds = {limb.kind for limb in fish.anatomy.limbs for stroke in strokes_of(fish) if limb.joints == stroke.joints}
    assert {"tail", "fin"} <= kinds
    assert strokes_of(physique_of(mm.zoo.body("adult"))) == ()


def test_strokes_of_both_sides_mirror_each_other() -> None:
    bird = physique_of(mm.zoo.body("bird"))
    times = np.array([[0.3, 1.1, 1.0], [2.0, 2.0, 0.5]])
    found = stroke_bends(bird, times)
    mirror = bird.anatomy.mirror
    for joint, bend in found.items():
        np.testing.assert_allclose(found[int(mirror[joint])], bend * [1, -1, -1], atol=1e-12)


def test_strokes_are_stronger_the_faster_a_body_swims() -> None:
    fish = physique_of(mm.zoo.body("fish"))
    tail = next(limb.joints[-1] for limb in fish.anatomy.limbs if limb.kind == "tail")
    widest = []
    for speed in (0.05, 0.6):
        swim = gait(fish, path=[(0, 0), (0, 2)], speed=speed)
        assert isinstance(swim, Float)
        intent = swim.drive(at_rest(fish, np.arange(swim.start, swim.end, 1 / 30)))
        widest.append(np.ptp(intent.bends[tail], axis=0).max())
    assert widest[1] > 1.5 * widest[0] > 0


@pytest.mark.parametrize("file", ["quaternius/Shark.glb", "quaternius/Manta_ray.glb", "quaternius/Bee.glb"])
def test_what_has_fins_or_wings_and_no_feet_floats(shared_character: Callable[[str], Path], file: str) -> None:
    body = mm.load(shared_character(file))
    physique = physique_of(body.replace(anatomy=recognize(body)))
    assert manner_of(physique) == "float"
    assert fits(physique, {"floats": True})
    assert strokes_of(physique)
    ride = gait(physique, path=[(0, 0), (0, 3 * physique.height)])
    assert isinstance(ride, Float)
    # It goes where it is at rest: level ground is where the body stands.
    intent = ride.drive(at_rest(physique, np.array([ride.start, 0.5 * (ride.start + ride.end)])))
    rest = at_rest(physique, np.zeros(1)).root_positions[0, 1]
    assert intent.root_positions[:, 1].min() > rest - 1e-6 * physique.height


def test_a_body_that_leans_is_lifted_by_how_deep_it_would_be() -> None:
    dog = physique_of(mm.zoo.body("dog"))
    joints = belly_joints(dog)
    assert dog.root in joints
    assert not set(joints) & {joint for limb in dog.anatomy.limbs for joint in limb.joints}
    leans, ups = np.array([[0.0, 0, 0], [1.2, 0, 0], [0.0, 0, 0]]), np.array([0.0, 0.0, -2 * dog.height])
    deep = sunk(dog, joints, leans, ups)
    assert deep[0] == 0
    assert deep[1] >= 0
    assert deep[2] > dog.height
    np.testing.assert_allclose(sunk(dog, joints, leans[2:], ups[2:] + deep[2:]), 0.0, atol=1e-9)
