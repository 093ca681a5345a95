"""Wings are folded until an animation asks for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.engine.body import body_of
from mummer.recognition import recognized


def span(body: mm.Character, pose: mm.Pose) -> np.ndarray:
    """(...) how far apart the tips of wings are, metres."""
    places = mm.world_positions(body.skeleton, pose)
    tips = [limb.joints[-1] for limb in body.anatomy.limbs if limb.kind == "wing"]
    return np.ptp(places[..., tips, 0], axis=-1)


def rebound(body: mm.Character, pose: mm.Pose) -> mm.Character:
    """A body without skin that rests as it was posed."""
    skeleton = replace(body.skeleton, rest_rotations=pose.rotations)
    return replace(body, skeleton=skeleton, meshes=(), limits=None)


def test_who_stands_has_its_wings_folded() -> None:
    body = mm.zoo.body("bird")
    bound = span(body, body.default_pose)
    actor = mm.Actor(body)
    assert span(body, actor.pose) < 0.6 * bound
    places = mm.world_positions(body.skeleton, actor.pose)
    assert places[[joint for limb in body.anatomy.limbs if limb.kind == "wing" for joint in limb.joints], 1].min() > 0


def test_wings_open_to_cheer_and_fold_again() -> None:
    bird = mm.zoo.body("bird")
    clip = mm.perform(bird, "cheer", sway=False)
    spans = span(bird, clip.sample(np.linspace(0.0, clip.duration, 13)))
    assert max(spans) > 1.5 * spans[0]
    assert spans[-1] < 1.2 * spans[0]


def test_who_has_no_wings_or_stiff_ones_folds_none() -> None:
    assert len(body_of(mm.zoo.body("bird")).wings.joint) > 0
    for name in ("fish", "adult", "beetle"):
        assert len(body_of(mm.zoo.body(name)).wings.joint) == 0


def test_wings_that_were_bound_folded_stay_and_do_not_sway() -> None:
    body = mm.zoo.body("bird")
    assert body.anatomy is not None
    wing = next(limb for limb in body.anatomy.limbs if limb.kind == "wing")
    actor = mm.Actor(body)
    folded = rebound(body, actor.pose)
    made = body_of(folded)
    assert not set(wing.joints) & {*made.wings.joint.tolist(), *made.sways.joint.tolist()}
    assert span(folded, mm.Actor(folded).pose) == pytest.approx(span(folded, mm.Pose.rest(folded.skeleton)), rel=0.02)


def test_wings_with_feathers_of_their_own_fold_with_them(shared_character: Callable[[str], Path]) -> None:
    body = recognized(mm.load(shared_character("mesh2motion/bird-eagle.glb")))
    assert span(body, mm.Actor(body).pose) < 0.5 * span(body, body.default_pose)


def test_wings_with_ribs_stay_as_they_were_bound() -> None:
    assert not set(body_of(mm.zoo.body("dragon")).wings.joint.tolist())
