"""Bodies that stand do no more than their legs allow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mummer import zoo
from mummer.arrays import FloatArray
from mummer.general import perform
from mummer.general.feet import drop_needed, standing_feet, standing_shares
from mummer.general.intent import UP, Intent, Track, at_rest
from mummer.general.physique import physique_of
from mummer.general.steadying import kept_standing
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from tests.general.bodies import physique


def standing(body: str, *, shift: FloatArray | None = None, pitch: float = 0.0, lift: float = 0.0) -> Intent:
    """A body that stands, its root shifted in metres and pitched in radians, at three moments, ever more."""
    intent = at_rest(physique(body), np.arange(3.0))
    amounts = np.linspace(0.0, 1.0, 3)[:, None]
    turn = quaternion.exp(amounts * [pitch, 0.0, 0.0])
    shifted = intent.root_positions + amounts * (np.zeros(3) if shift is None else shift)
    feet = [foot for foot, _ in standing_feet(intent.physique)]
    places = {
        foot: Track(intent.to_world(np.tile(intent.physique.positions[foot], (3, 1))), np.ones(3)) for foot in feet
    }
    return replace(
        intent, root_positions=shifted, root_rotations=quaternion.multiply(turn, intent.root_rotations), places=places,
        lift=lift * amounts[:, 0],
    )  # fmt: skip


def feet_of(intent: Intent) -> list[int]:
    return [foot for foot, _ in standing_feet(intent.physique)]


def test_what_legs_can_do_is_done() -> None:
    intent = standing("dog", shift=np.array([0.0, -0.02, 0.01]))
    kept = kept_standing(intent, feet_of(intent))
    np.testing.assert_allclose(kept.root_positions, intent.root_positions, atol=2e-3)


@pytest.mark.parametrize("body", ["dog", "adult", "spider"])
def test_roots_go_no_farther_than_legs(body: str) -> None:
    far = 2.0 * physique(body).height
    intent = standing(body, shift=np.array([far, 0.0, 0.0]))
    kept = kept_standing(intent, feet_of(intent))
    assert np.abs(kept.root_positions - intent.stage_positions)[:, 0].max() < 0.5 * far


def test_a_body_that_would_be_lifted_off_its_feet_bends_less() -> None:
    intent = standing("dog", pitch=0.5, lift=0.5)
    kept = kept_standing(intent, feet_of(intent))
    assert kept.lift is not None
    assert intent.lift is not None
    assert kept.lift[2] < intent.lift[2]
    asked, shown = (quaternion.angle_between(some.root_rotations[0], some.root_rotations[2]) for some in (intent, kept))
    assert shown < 0.9 * asked


def test_who_lies_is_not_held_back() -> None:
    intent = standing("dog", pitch=1.5)
    np.testing.assert_allclose(kept_standing(intent, feet_of(intent)).root_rotations[2], intent.root_rotations[2])


def test_lifted_feet_hold_nobody() -> None:
    intent = standing("dog", shift=UP)
    raised = {foot: track._replace(values=track.values + UP) for foot, track in intent.places.items()}
    lifted = replace(intent, places=raised)
    shares = standing_shares(lifted, feet_of(lifted))
    assert not shares.any()
    assert not drop_needed(lifted, feet_of(lifted), shares).any()


@pytest.mark.parametrize("seed", [3180, 3210])
def test_heads_that_go_to_the_ground_leave_feet_on_it(seed: int) -> None:
    body = zoo.random_creature(seed)
    clip = perform(body, "sniff")
    times = np.linspace(0.0, clip.end, 25)
    places = WorldState(body, clip.frames(times).to_pose()).positions
    for foot, _ in standing_feet(physique_of(body)):
        moved = np.linalg.norm((places[:, foot] - places[0, foot])[:, [0, 2]], axis=1)
        assert moved.max() < 0.005 * physique_of(body).limb_lengths[foot]
