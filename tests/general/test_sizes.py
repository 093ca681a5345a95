"""Animations see a body of another size as the same body."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import zoo
from mummer.general.animation import TargetPlace
from mummer.general.context import select
from mummer.general.context_limbs import LIMB_STEPS, end_point, swing_length, walk_limb
from mummer.general.context_space import EXTENTS, ZONES, in_zones, outermost
from mummer.general.default_target import default_target
from mummer.general.feet import standing_feet
from mummer.general.fingers import curls_of
from mummer.general.mouth import mouth_point
from mummer.general.part_frames import part_frames
from mummer.general.physique import Physique, physique_of
from mummer.general.variants import Variant, side_of
from tests.strange import grown

KINDS: tuple[TargetPlace, ...] = ("reach", "far", "ground", "above")
SIZES = (0.05, 20.0)


@pytest.fixture(params=["adult", "dog", "spider", "bird", "snake"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=SIZES)
def factor(request: pytest.FixtureRequest) -> float:
    return float(request.param)


@pytest.fixture
def both(name: str, factor: float) -> tuple[Physique, Physique]:
    return physique_of(zoo.body(name)), physique_of(grown(name, factor))


def test_zones_sides_and_limbs_are_those_of_the_other(both: tuple[Physique, Physique]) -> None:
    one, other = both
    everybody = list(range(len(one)))
    for zone in ZONES:
        assert in_zones(one, everybody, (zone,), None) == in_zones(other, everybody, (zone,), None)
        assert in_zones(one, everybody, (zone,), everybody) == in_zones(other, everybody, (zone,), everybody)
    for extent in EXTENTS:
        assert outermost(one, everybody, extent) == outermost(other, everybody, extent)
    assert [side_of(one, joint) for joint in everybody] == [side_of(other, joint) for joint in everybody]
    # Two joints may be as near to the middle of a limb as each other.
    for step in set(LIMB_STEPS) - {"middle"}:
        assert [walk_limb(one, [joint], step) for joint in everybody] == [
            walk_limb(other, [joint], step) for joint in everybody
        ]
    assert standing_feet(one) == standing_feet(other)


def test_lengths_and_places_are_so_many_times_as_large(both: tuple[Physique, Physique], factor: float) -> None:
    one, other = both
    for field in ("positions", "size", "corners", "limb_lengths"):
        np.testing.assert_allclose(getattr(other, field), factor * getattr(one, field), rtol=1e-5, atol=1e-6 * factor)
    for joint in {*select(one, "grasper"), *select(one, "mouth"), *select(one, "foot")}:
        assert swing_length(other, joint) == pytest.approx(factor * swing_length(one, joint), rel=0.01)
        near = 0.01 * factor * one.height
        np.testing.assert_allclose(end_point(other, joint), factor * end_point(one, joint), atol=near)
        np.testing.assert_allclose(mouth_point(other, joint), factor * mouth_point(one, joint), atol=near)


def test_targets_that_nobody_named_are_so_many_times_as_far(both: tuple[Physique, Physique], factor: float) -> None:
    one, other = both
    for joint in {*select(one, "grasper"), *select(one, "mouth"), *select(one, "head")}:
        played = Variant("", (), (joint,), False)
        for kind in KINDS:
            expected = factor * default_target(one, played, kind)
            np.testing.assert_allclose(default_target(other, played, kind), expected, atol=0.01 * other.height)


def test_parts_face_and_fingers_curl_the_same_way(both: tuple[Physique, Physique]) -> None:
    one, other = both
    frames = [part_frames(each) for each in both]
    np.testing.assert_allclose(frames[0], frames[1], atol=1e-5)
    for hand in select(one, "grasper"):
        mine, theirs = curls_of(one, hand), curls_of(other, hand)
        assert [curl.joint for curl in mine] == [curl.joint for curl in theirs]
        for first, second in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(first.axis, second.axis, atol=1e-5)
