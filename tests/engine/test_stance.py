"""The stance: arms hang where body and ground leave them room, and stay as they were bound where neither does."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.engine.body import body_of
from mummer.general import physique_of
from mummer.ik.volume import volume_of
from mummer.ik.volume.capsule import signed_distance
from mummer.math import quaternion


def arms(body: mm.Character) -> list[int]:
    """The limbs that hang."""
    return np.flatnonzero(body_of(body).limbs.hangs > 0.0).tolist()


def test_arms_of_people_hang_close_beside_them() -> None:
    body = mm.zoo.body("adult")
    assert len(arms(body)) == 2
    places = mm.world_positions(body.skeleton, mm.Actor(body).pose)
    hand, shoulder = (places[body.anatomy.joint(name)] for name in ("left_hand", "left_upper_arm"))
    assert shoulder[1] - hand[1] > 0.4
    assert 0.0 < hand[0] - shoulder[0] < 0.2


@pytest.mark.parametrize("seed", [9104, 9209, 9218, 9220, 9222])
def test_no_hand_hangs_in_the_ground_or_in_the_body(seed: int) -> None:
    body = mm.zoo.random_creature(seed)
    physique, volume = physique_of(body), volume_of(body)
    places = mm.world_positions(body.skeleton, mm.Actor(body).pose)
    limbs = body_of(body).limbs
    for limb in arms(body):
        chain = limbs.chain[limbs.first[limb] : limbs.first[limb] + limbs.number[limb]].tolist()
        arm = [chain[0], *body.skeleton.descendants(chain[0])]
        hand = [int(limbs.tip[limb]), *body.skeleton.descendants(int(limbs.tip[limb]))]
        assert places[hand, 1].min() > -0.01 * physique.height
        # The trunk stands in the stance as it does at rest, but for how low it is.
        others = ~np.isin(volume.joints, arm)
        joints = volume.joints[others]
        ends = physique.positions[joints][:, None] + quaternion.rotate(
            physique.rotations[joints][:, None], volume.ends[others]
        )
        lower = places[physique.root] - physique.origin - physique.positions[physique.root]
        far = signed_distance((places[hand] - physique.origin - lower)[:, None], ends, volume.radii[others])[0]
        assert far.min() > -0.01 * physique.height
