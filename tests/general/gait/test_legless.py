"""Bodies without legs: they wind, inch or float along."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.general import at_rest, physique_of
from mummer.general.gait import Crawl, Float, Inch, gait, manner_of
from mummer.general.gait.backbone import backbone_of
from mummer.general.solving import solve_intent
from mummer.ik import WorldState


def physique(name: str | int):
    return physique_of(mm.zoo.random_creature(name) if isinstance(name, int) else mm.zoo.body(name))


def posed(driver, times):
    frames = solve_intent(driver.drive(at_rest(driver.physique, times)))
    return WorldState(driver.physique.character, frames.to_pose())


def test_manners() -> None:
    assert manner_of(physique("snake")) == "crawl"
    assert manner_of(physique("ghost")) == manner_of(physique("fish")) == "float"
    assert manner_of(physique("dog")) == "legs"


def test_the_backbone_runs_from_tail_to_head() -> None:
    line = backbone_of(physique("snake"))
    assert np.all(np.diff(line.places[:, 2]) > -0.005)
    assert line.joints[line.root] == physique("snake").root
    assert len(line.joints) > 12


@pytest.mark.parametrize("name", ["snake", 30])
def test_every_joint_follows_the_track_of_the_head(name: str | int) -> None:
    body = physique(name)
    crawl = gait(body, path=[(0, 0), (0, 1.5), (1.0, 2.5)], speed=0.4)
    assert isinstance(crawl, Crawl)
    times = np.arange(crawl.start, crawl.end, 1 / 30)
    intent = crawl.drive(at_rest(body, times))
    state = posed(crawl, times)
    np.testing.assert_allclose(state.positions[:, body.root], intent.root_positions, atol=1e-9)
    # Sideways speed of the middle of the body is small beside its speed along itself: nothing slips.
    line = backbone_of(body)
    middle = line.joints[line.root - 1 : line.root + 2]
    places = state.positions[:, middle][:, :, [0, 2]]
    along = places[:, 2] - places[:, 0]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    velocity = np.gradient(places[:, 1], times, axis=0)
    aside = np.abs(velocity[:, 0] * along[:, 1] - velocity[:, 1] * along[:, 0])
    assert np.median(aside) < 0.15 * np.median(np.linalg.norm(velocity, axis=1)) + 1e-3
    assert np.linalg.norm(state.positions[-1, body.root, [0, 2]] - [1.0, 2.5]) < 0.2


def test_it_lies_as_at_rest_before_it_goes() -> None:
    body = physique("snake")
    crawl = gait(body, path=[(0, 0), (0, 1)], speed=0.4)
    state = posed(crawl, np.array([crawl.start]))
    line = backbone_of(body).joints
    assert np.linalg.norm(state.positions[0, line] - body.positions[line], axis=1).max() < 0.08 * body.height


def test_inching_holds_one_end_at_a_time() -> None:
    body = physique(30)
    inch = gait(body, path=[(0, 0), (0, 0.6)], speed=0.15, manner="inch")
    assert isinstance(inch, Inch)
    times = np.arange(inch.start, inch.end, 1 / 60)
    ends = inch.ends(times)
    speeds = np.abs(np.diff(ends, axis=0)) * 60
    assert np.all(speeds.min(axis=1) < 1e-3 + 0.02 * speeds.max())
    np.testing.assert_allclose(ends[-1] - ends[0], 0.6, atol=1e-6)
    intent = inch.drive(at_rest(body, times))
    assert intent.root_positions[:, 1].max() > intent.root_positions[0, 1] - 1e-9


def test_floaters_drift_bob_and_lean_into_their_way() -> None:
    body = physique("ghost")
    drift = gait(body, path=[(0, 0), (0, 3)], speed=1.0, ground=lambda x, z: 0.1 * z)
    assert isinstance(drift, Float)
    times = np.linspace(drift.start, drift.end, 200)
    intent = drift.drive(at_rest(body, times))
    assert intent.root_positions[-1, 1] - intent.root_positions[0, 1] == pytest.approx(0.3, abs=0.08)
    assert drift.ride.values[:, 1].max() > 0.02
    np.testing.assert_allclose(intent.stage_positions[-1, [0, 2]], [0, 3], atol=1e-6)
