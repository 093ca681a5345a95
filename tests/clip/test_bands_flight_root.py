"""Frequency bands, bodies in the air, and the way over the ground taken out and put back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import center_of_mass, estimate_mass
from mummer.clip.bands import Banded, Graft, graft
from mummer.clip.clip import Clip
from mummer.clip.hold import Hold
from mummer.clip.retimed import Trim
from mummer.clip.root_motion import InPlace, Restored, RootMotion, extract
from mummer.clip.sampled import Sampled
from mummer.clip.standing import Standing, wrapped
from mummer.clip.trajectory import GRAVITY, Trajectory, flight_time
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from tests.clip.bodies import twisted_human, walkabout, walkabouts
from tests.clip.recordings import cmu
from tests.clip.strategies import assert_same_poses, seeds

# Bands ----------------------------------------------------------------------------------------------------------------


@given(walkabouts(stretched=True))
def test_gains_of_one_are_the_baked_clip(clip: Sampled) -> None:
    times = clip.times(30)
    same = Banded(clip, (1.0, 1.0, 1.0))
    assert_same_poses(same.sample(times), clip.sample(times), 1e-12)
    assert np.allclose(same.sample(times).translations, clip.sample(times).translations, rtol=0, atol=1e-12)
    assert same.marks == clip.marks


@given(walkabouts())
def test_taking_out_the_fast_bands_smooths_and_keeps_the_ends(clip: Sampled) -> None:
    smooth, times = Banded(clip, (0.0, 0.0)), clip.times(30)

    def roughness(poses: np.ndarray) -> float:
        spins = quaternion.log(quaternion.multiply(poses[1:], quaternion.conjugate(poses[:-1])))
        return float(np.abs(np.diff(spins, axis=0)).sum())

    assert roughness(smooth.sample(times).rotations) < roughness(clip.sample(times).rotations)
    ends = [clip.start, clip.end]
    assert_same_poses(smooth.sample(ends), clip.sample(ends), 1e-9)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Sampled, Sampled]:
    rng = np.random.default_rng(draw(seeds))
    body = twisted_human(rng)
    return walkabout(body, rng), walkabout(body, rng, frames=40)


@given(pairs())
def test_grafting_a_clip_onto_itself_is_the_clip(pair: tuple[Sampled, Sampled]) -> None:
    clip, other = pair
    assert_same_poses(Graft(clip, clip).sample(clip.times(30)), clip.sample(clip.times(30)), 1e-9)
    mixed = graft(other, clip, bands=2)
    assert (mixed.start, mixed.end) == (clip.start, clip.end)
    assert mixed.marks == clip.marks


@given(pairs())
def test_grafting_no_detail_is_smoothing(pair: tuple[Sampled, Sampled]) -> None:
    clip, _ = pair
    times = clip.times(30)
    plain = graft(Hold(clip, 1.0, 5.0), clip, bands=2).sample(times)
    assert_same_poses(plain, Banded(clip, (0.0, 0.0)).sample(times), 1e-9)


def test_the_shiver_of_one_on_the_other(data_dir: Path) -> None:
    """The slow part of the result is that of the one, and its fast part that of the other."""
    walk, dance = cmu(data_dir, "cmu_02_01_walk"), cmu(data_dir, "cmu_02_03_run_jog")
    mixed = graft(dance, walk, bands=3)
    times = walk.times(30)
    slow = Banded(mixed, (0.0, 0.0, 0.0)).sample(times).rotations
    expected = Banded(walk, (0.0, 0.0, 0.0)).sample(times).rotations
    apart = quaternion.angle_between(slow, expected)
    assert np.median(apart) < 0.03
    assert np.median(quaternion.angle_between(mixed.sample(times).rotations, walk.sample(times).rotations)) > 1e-4


# In the air -----------------------------------------------------------------------------------------------------------


def centers(clip: Clip, times: np.ndarray) -> np.ndarray:
    mass, _ = estimate_mass(clip.body)
    return center_of_mass(mass, clip.body.skeleton, clip.sample(times))


@given(walkabouts(), st.floats(1.0, 20.0))
def test_the_centre_of_mass_falls_freely(clip: Sampled, gravity: float) -> None:
    flight = Trajectory(clip, 0.8, 1.9, gravity=gravity)
    times = np.linspace(0.8, 1.9, 12)
    path = centers(flight, times)
    fall = np.diff(path, 2, axis=0) / (times[1] - times[0]) ** 2
    assert np.allclose(fall, [0, -gravity, 0], rtol=0, atol=1e-6)
    ends = np.array([0.8, 1.9])
    assert np.allclose(path[[0, -1]], centers(clip, ends), rtol=0, atol=1e-9)
    outside = np.array([clip.start, 0.7, 0.8, 1.9, 2.2])
    assert_same_poses(flight.sample(outside), clip.sample(outside), 1e-12)
    assert np.array_equal(flight.sample(times).rotations, clip.sample(times).rotations)


@given(walkabouts(), st.floats(0.05, 2.0))
def test_an_apex_is_reached(clip: Sampled, above: float) -> None:
    rise = Trajectory(clip, 0.8, 1.6).rise
    apex = max(rise, 0.0) + above
    flight = Trajectory(clip, 0.8, 1.6, apex=apex)
    heights = centers(flight, np.linspace(0.8, 1.6, 2000))[:, 1]
    assert heights.max() - heights[0] == pytest.approx(apex, abs=1e-4)
    assert flight_time(apex, rise=rise, gravity=flight.pull) == pytest.approx(0.8, abs=1e-9)


def test_flight_times() -> None:
    assert flight_time(0.5) == pytest.approx(2 * np.sqrt(2 * 0.5 / GRAVITY))
    assert flight_time(1.0, rise=1.0) == pytest.approx(np.sqrt(2 / GRAVITY))
    assert flight_time(0.0, rise=-1.0) == pytest.approx(np.sqrt(2 / GRAVITY))
    with pytest.raises(InputError, match=r"cannot have its apex 0\.5 m above the takeoff; expected 1 m or more"):
        flight_time(0.5, rise=1.0)
    with pytest.raises(InputError, match="a flight does not end"):
        flight_time(0.5, gravity=0.0)


def test_a_recorded_jump_is_nearly_a_parabola(data_dir: Path) -> None:
    """The feet of this jump leave the ground; then the trajectory changes the motion only a little."""
    jump = cmu(data_dir, "cmu_13_11_forward_jump")
    times = jump.times(120)
    height = centers(jump, times)[:, 1]
    top = times[np.argmax(height)]
    flight = Trajectory(jump, top - 0.15, top + 0.15)
    moved = np.abs(flight.sample(times).root_translation - jump.sample(times).root_translation)
    assert moved.max() < 0.03
    assert moved.max() > 1e-6


# Root motion ----------------------------------------------------------------------------------------------------------


@given(walkabouts(), st.sampled_from(["linear", "composite"]), st.booleans(), st.floats(5, 60))
def test_what_is_taken_out_is_put_back_exactly(clip: Sampled, mode: str, vertical: bool, rate: float) -> None:
    in_place, motion = extract(clip, mode, vertical=vertical, rate=rate)  # type: ignore[arg-type]
    times = np.linspace(clip.start, clip.end, 77)
    assert_same_poses(Restored(in_place, motion).sample(times), clip.sample(times), 1e-9)
    assert in_place.marks == clip.marks


@given(walkabouts())
def test_composite_stays_and_faces_the_same(clip: Sampled) -> None:
    in_place = InPlace(clip, "composite", rate=30.0)
    standing = Standing.of(clip.body)
    places, headings = standing.places(in_place.frames(in_place.motion.times))
    assert np.allclose(places[:, [0, 2]], places[0, [0, 2]], rtol=0, atol=1e-9)
    assert np.abs(wrapped(headings - headings[0])).max() < 1e-9
    heights, _ = standing.places(clip.frames(in_place.motion.times))
    assert np.allclose(places[:, 1], heights[:, 1], rtol=0, atol=1e-12)
    flat = InPlace(clip, "composite", rate=30.0, vertical=True)
    still, _ = standing.places(flat.frames(flat.motion.times))
    assert np.allclose(still, still[0], rtol=0, atol=1e-9)


@given(walkabouts())
def test_linear_takes_out_the_average_velocity(clip: Sampled) -> None:
    in_place = InPlace(clip, "linear")
    standing = Standing.of(clip.body)
    ends = np.array([clip.start, clip.end])
    (first, last), _ = standing.places(clip.frames(ends))
    expected = (last - first) / clip.duration * [1, 0, 1]
    assert np.allclose(in_place.motion.velocity, expected, rtol=0, atol=1e-12)
    (begin, finish), _ = standing.places(in_place.frames(ends))
    assert np.allclose(begin[[0, 2]], finish[[0, 2]], rtol=0, atol=1e-9)
    assert np.array_equal(in_place.sample(ends).rotations, clip.sample(ends).rotations)


@given(walkabouts())
def test_deltas_lead_along_the_same_way(clip: Sampled) -> None:
    motion = InPlace(clip).motion
    steps, turns = motion.deltas
    again = RootMotion.from_deltas("composite", motion.times, motion.positions[0], steps, turns, motion.up)
    assert np.allclose(again.positions, motion.positions, rtol=0, atol=1e-9)
    assert np.allclose(again.headings, motion.headings, rtol=0, atol=1e-9)
    # The walk goes along a bend, forward all the time: seen in its own heading its steps are alike.
    start = Standing.of(clip.body).places(clip.frames(np.array([clip.start])))[1][0]
    forward = quaternion.rotate(quaternion.exp([0, -start, 0]), steps)[:, 2]
    assert np.abs(np.linalg.norm(steps, axis=1)).max() < 0.2
    assert len(forward) == len(turns) == len(motion.times) - 1


def test_deltas_of_a_turning_walk(data_dir: Path) -> None:
    walk = cmu(data_dir, "cmu_16_18_walk_90deg_left_turn")
    in_place, motion = extract(walk)
    assert motion.headings[-1] == pytest.approx(np.pi / 2, abs=0.3)
    steps, _ = motion.deltas
    # Forward all the way in its own heading, though sideways in the world at the end.
    assert steps[5:-5, 2].min() > 0
    assert abs(steps[5:-5, 0]).mean() < 0.3 * steps[5:-5, 2].mean()
    times = walk.times(77)
    assert_same_poses(Restored(in_place, motion).sample(times), walk.sample(times), 1e-9)
    spread = np.ptp(in_place.sample(times).root_translation[:, [0, 2]], axis=0)
    assert spread.max() < 0.02


def test_a_way_that_turns_many_times_adds_up(data_dir: Path) -> None:
    pirouette = cmu(data_dir, "cmu_05_02_dance_pirouette")
    headings = InPlace(pirouette, rate=60.0).motion.headings
    assert np.abs(np.diff(headings)).max() < 1.0
    assert np.ptp(headings) > np.pi


def test_bad_bands_flights_and_root_motion() -> None:
    rng = np.random.default_rng(1)
    clip = walkabout(twisted_human(rng), rng)
    with pytest.raises(InputError, match="has 1 to 5 bands; 9 were asked for"):
        Banded(clip, (1.0,) * 9)
    with pytest.raises(InputError, match="gains of bands must be finite"):
        Banded(clip, (np.nan,))
    with pytest.raises(InputError, match="no detail to graft"):
        Graft(Trim(clip, 1.0, 1.0), clip)
    with pytest.raises(InputError, match="a graft needs clips of one body"):
        Graft(walkabout(twisted_human(rng), rng), clip)
    with pytest.raises(InputError, match="cannot fly from 1 to 99 s"):
        Trajectory(clip, 1.0, 99.0)
    with pytest.raises(InputError, match="m/s² makes no sense"):
        Trajectory(clip, 1.0, 2.0, gravity=-1.0)
    with pytest.raises(InputError, match="a flight cannot have its apex -1 m"):
        Trajectory(clip, 1.0, 2.0, apex=-1.0)
    with pytest.raises(UnknownNameError, match="InPlace has no mode 'liner'; closest: 'linear'"):
        InPlace(clip, "liner")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="goes nowhere"):
        InPlace(Trim(clip, 1.0, 1.0))
    with pytest.raises(UnknownNameError, match="no joint 'hip'"):
        InPlace(clip, joint="hip")
    with pytest.raises(InputError, match="two or more increasing times"):
        RootMotion("linear", np.zeros(1), np.zeros((1, 3)), np.zeros(1), np.array([0.0, 1, 0]))
    with pytest.raises(InputError, match="needs 2 positions and headings"):
        RootMotion("linear", np.arange(2.0), np.zeros((1, 3)), np.zeros(2), np.array([0.0, 1, 0]))
