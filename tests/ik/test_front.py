"""Where a body faces, whatever joints its file holds the motion in."""

from __future__ import annotations

import numpy as np

import mummer as mm
from mummer.character.root import with_ground_root
from mummer.ik import WorldState
from mummer.ik.soft_aim import body_front
from mummer.math import quaternion


def test_a_body_faces_where_its_hips_do_whatever_they_hang_from() -> None:
    body = with_ground_root(mm.zoo.body("adult"))
    quarter = quaternion.exp(np.array([0.0, 0.5 * np.pi, 0.0]))
    pose, hips = body.default_pose, body.anatomy.roles["hips"]
    turned = pose.with_rotation(hips, quaternion.multiply(quarter, pose.rotations[hips]))
    carried = pose.with_rotation(0, quaternion.multiply(quarter, pose.rotations[0]))
    for each in (turned, carried):
        np.testing.assert_allclose(body_front(WorldState(body, each))[0], (1.0, 0.0, 0.0), atol=1e-9)
