"""Clearance: what a text wishes inside this body, or in the ground, is wished on the skin, and on the ground."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.engine.body import Body, body_of
from mummer.engine.clearance import Wished, clear_of_body
from mummer.general import physique_of
from mummer.general.default_target import default_target
from mummer.general.variants import Variant
from mummer.grid.judge import reach
from mummer.grid.judge.scene import scene_of
from mummer.ik.volume import volume_of
from mummer.ik.volume.capsule import signed_distance
from mummer.math import quaternion

STILL = np.array([0.0, 0.0, 0.0, 1.0])


def hands_of(body: Body) -> list[int]:
    """The limbs that do not walk, those of the left first."""
    found = np.flatnonzero(body.limbs.leg < 0).tolist()
    return sorted(found, key=lambda limb: -body.limbs.side[limb])


def wished(places: np.ndarray) -> Wished:
    return Wished(places, np.tile(STILL, (len(places), 1)))


def moved(body: Body, limb: int, places: np.ndarray) -> np.ndarray:
    return clear_of_body(body, limb, {limb: wished(places)})


def test_who_is_clear_is_not_moved_and_who_is_inside_comes_out_once() -> None:
    body = body_of(mm.zoo.body("adult"))
    hand, head = hands_of(body)[0], int(body.necks.head[0])
    rest = body.frame.places[[body.limbs.tip[hand]]]
    assert not moved(body, hand, rest).any()
    assert not moved(body, hand, rest + np.array([3.0, 0.0, 0.0])).any()
    # Anywhere about the middle of the head: it comes out, and there is next to nothing left to do.
    rng = np.random.default_rng(3)
    middle = body.frame.places[head] + body.solids.middle[head]
    inside = middle + 0.02 * rng.normal(size=(20, 3))
    once = moved(body, hand, inside)
    assert np.median(np.linalg.norm(once, axis=1)) > 0.05
    again = moved(body, hand, inside + once)
    assert np.linalg.norm(again, axis=1).max() < 0.1 * np.linalg.norm(once, axis=1).max()


def test_both_hands_make_way_for_one_another_alike() -> None:
    body = body_of(mm.zoo.body("adult"))
    left, right = hands_of(body)
    # Far ahead of the chest, where nothing else is.
    ahead = np.array([[0.01, 1.2, 0.6]])
    both = {left: wished(ahead), right: wished(ahead * [-1, 1, 1])}
    one, two = clear_of_body(body, left, both)[0], clear_of_body(body, right, both)[0]
    assert one[0] > 0.005
    assert one == pytest.approx(two * [-1, 1, 1], abs=0.002)
    assert not moved(body, left, ahead).any()


@pytest.mark.parametrize(("seed", "animation"), [(43031, "clap"), (43051, "clap"), (43021, "fall"), (43056, "fall")])
def test_hands_come_to_where_thick_bodies_let_them(seed: int, animation: str) -> None:
    scene = scene_of(mm.perform(mm.zoo.random_creature(seed), animation))
    assert (reach.JUDGE.score(scene).value or 0.0) < 10.0


@pytest.mark.parametrize("seed", [43022, 43031, 43039, 43051])
@pytest.mark.parametrize("kind", ["reach", "above"])
def test_no_large_head_is_in_the_way_of_what_a_hand_reaches(seed: int, kind: str) -> None:
    body = mm.zoo.random_creature(seed)
    physique, volume = physique_of(body), volume_of(body)
    for hand in body.anatomy.capabilities["grasper"]:
        place = default_target(physique, Variant("", (), (hand,), False), kind)  # type: ignore[arg-type]
        place = quaternion.rotate(quaternion.conjugate(physique.axes), place - physique.origin)
        head = np.isin(volume.joints, body.anatomy.capabilities["head"])
        ends = physique.positions[volume.joints[head]][:, None] + quaternion.rotate(
            physique.rotations[volume.joints[head]][:, None], volume.ends[head]
        )
        thick = volume.radii[volume.joints == hand].max()
        assert signed_distance(place, ends, volume.radii[head])[0].min() > thick


def test_hands_that_share_an_arm_and_both_arms_of_a_pair_hang_alike() -> None:
    for seed in (43000, 43004, 43030):
        limbs = body_of(mm.zoo.random_creature(seed)).limbs
        hands = np.flatnonzero((limbs.leg < 0) & (limbs.hangs > 0.0))
        assert len(hands) == (limbs.leg < 0).sum()
        for hand in hands:
            assert (limbs.hangs[limbs.mate == limbs.mate[hand]] == limbs.hangs[hand]).all()
