"""Which capsules are kept apart from one another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.ik.volume import pairs_of, volume_of
from mummer.ik.volume.pairs import SLIVER
from mummer.recognition import recognize


def test_stray_skin_is_kept_apart_from_nothing(shared_character: Callable[[str], Path]) -> None:
    body = mm.load(shared_character("quaternius/Manta_ray.glb"))
    volume, pairs = volume_of(body), pairs_of(body)
    thickness = volume.radii.mean(axis=1)
    counted = np.unique(np.concatenate([pairs.first, pairs.second]))
    assert len(counted)
    assert thickness[counted].min() > SLIVER
    stray = np.flatnonzero(volume.joints == body.skeleton.names.index("Root"))
    assert len(stray)
    assert not np.isin(stray, counted).any()


def test_wings_wrapped_round_a_body_are_kept_apart_from_nothing(shared_character: Callable[[str], Path]) -> None:
    body = mm.load(shared_character("rocketbox/Bird_Chicken_Brown_01.fbx"))
    volume, pairs = volume_of(body), pairs_of(body)
    names = np.array(body.skeleton.names)[volume.joints]
    counted = set(names[np.unique(np.concatenate([pairs.first, pairs.second]))].tolist())
    assert {"chicken L Foot", "chicken Head"} <= counted
    assert not {"chicken L Finger0", "chicken R UpperArm"} & counted


def test_limbs_beside_a_body_are_kept_apart_from_it() -> None:
    body = mm.zoo.body("adult")
    volume, pairs = volume_of(body), pairs_of(body)
    counted = set(volume.joints[np.unique(np.concatenate([pairs.first, pairs.second]))].tolist())
    for role in ("left_upper_arm", "right_hand", "left_upper_leg", "head"):
        assert body.anatomy.joint(role) in counted


def test_handles_above_the_hips_are_no_flesh(shared_character: Callable[[str], Path]) -> None:
    body = mm.load(shared_character("mesh2motion/rig-kaiju.glb"))
    body = body.replace(anatomy=recognize(body))
    fleshy = {body.skeleton.names[joint] for joint in volume_of(body).joints}
    assert "Hips" in fleshy
    assert "root" not in fleshy
