"""A crowd stepped by CUDA's simulator beside one on the CPU; run in a process of its own, where numba simulates."""

from __future__ import annotations

from typing import Any

import numpy as np

import mummer as mm
from mummer.engine import troupe as troupes
from tests.engine.plain import Plain

NAMES, PLACES, HEADINGS = ("zoo:bird", "zoo:snake", "zoo:bird"), [(0.0, 0.0), (2.0, 0.0), (4.0, 1.0)], [0.0, 1.0, 2.0]
FRAMES = 5


def stepped(backend: Any) -> mm.Crowd:
    """A crowd that walks, looks, waves and turns about on the way."""
    crowd = mm.Crowd(NAMES, PLACES, HEADINGS, backend=backend)
    for actor in crowd:
        actor.go(speed=actor.troupe.easy_speed)
        actor.look_at((1.0, 1.0, 3.0))
    crowd[0].play("nod")
    for frame in range(FRAMES):
        if frame == FRAMES // 2:
            crowd[2].go((0.1, 0.0))
        crowd.step(1 / 60)
    return crowd


def main() -> None:
    troupes.CPU = Plain()  # type: ignore[assignment]
    here, there = stepped(None), stepped("cuda")
    for one, other in zip(here, there, strict=True):
        pose, same = one.pose, other.pose
        # Toes that are two thousandths of a millimetre in the ground are not seen to be in single precision.
        np.testing.assert_allclose(same.rotations, pose.rotations, atol=1e-4)
        np.testing.assert_allclose(same.root_translation, pose.root_translation, atol=2e-5)
        np.testing.assert_allclose(other.place, one.place, atol=2e-5)
        assert np.abs(pose.rotations - one.character.skeleton.rest_rotations).max() > 1e-3, "they have moved"
    wishes = there.troupes[0].wishes
    assert wishes.there.looks.shape == (2, 4)
    assert wishes.looks.dtype == np.float32
    assert wishes.looks.flags.f_contiguous, "actors are last in memory"
    print("same")  # noqa: T201
