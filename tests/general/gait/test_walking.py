"""Bodies that walk: planted feet stay, hips go smoothly, legs keep their order, and journeys end at rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import mummer as mm
from mummer.errors import InputError, UnknownNameError
from mummer.general import at_rest, physique_of
from mummer.general.gait import Walk, gait, legs_of, natural_speed, natural_style
from mummer.general.gait.feet import feet_at, foot_rotations
from mummer.general.gait.gait import NATURAL
from mummer.general.gait.trying import comfort_of
from mummer.ik import WorldState
from mummer.math import quaternion
from mummer.recognition import recognize
from tests.general.gait.bodies import legged, slope, stairs
from tests.general.gait.judging import judge, phase_error, played
from tests.general.gait.study import MOST_SLIP, bodies, journeys, sudden

SMOOTH = 3.2
"""Gravities that hips bear at most; runners bear two to three."""


def walker(name: str):
    return physique_of(mm.zoo.body(name))


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "bird"])
@pytest.mark.parametrize("factor", [0.4, 1.0, 2.0])
def test_planted_feet_stay_and_hips_are_smooth(name: str, factor: float) -> None:
    physique = walker(name)
    pace = factor * natural_speed(physique)
    verdict = judge(gait(physique, path=[(0, 0), (0, 2 * pace)], speed=pace))
    assert verdict.slip < MOST_SLIP
    assert verdict.jerk < SMOOTH
    assert verdict.phase < 1e-6
    assert verdict.steps >= 2 * len(legs_of(physique))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 9, 12])
def test_any_number_of_legs_climbs_stairs(count: int) -> None:
    physique = legged(count)
    size = float(np.mean([leg.length for leg in legs_of(physique)]))
    walk = gait(physique, path=[(0, 0), (0, 4 * size)], ground=stairs(size))
    verdict = judge(walk)
    assert verdict.slip < MOST_SLIP
    assert verdict.jerk < SMOOTH
    # It does climb: feet stand on the ground, higher at the end than where they began.
    heights = stairs(size)(walk.steps.spots[:, 0], walk.steps.spots[:, 2])
    np.testing.assert_allclose(walk.steps.spots[:, 1], heights, atol=1e-12)
    assert walk.steps.spots[-1, 1] > 0.3 * size


def test_soles_lie_along_a_slope() -> None:
    walk = gait(legged(4), path=[(0, 0), (0, 2)], ground=slope)
    assert isinstance(walk, Walk)
    np.testing.assert_allclose(walk.steps.tilts[:, 0], -np.arctan(0.2), rtol=0.04)
    rise = walk.ride.values[:, 1]
    assert 0.3 < rise[-1] - rise[0] < 0.5


def test_sudden_stops_turns_on_the_spot_and_sideways() -> None:
    for physique in (walker("adult"), legged(6)):
        verdict = judge(gait(physique, path=sudden(natural_speed(physique)), duration=6.0))
        assert verdict.slip < MOST_SLIP
        assert verdict.jerk < SMOOTH


@pytest.mark.parametrize("heading", [np.pi, np.pi / 2])
def test_backwards_and_sideways(heading: float) -> None:
    walk = gait(walker("dog"), path=[(0, 0), (0, 1.5)], heading=heading)
    assert isinstance(walk, Walk)
    np.testing.assert_allclose(walk.way.values[:, 2], heading)
    assert judge(walk).slip < MOST_SLIP


def test_journeys_begin_and_end_in_the_stance_of_rest() -> None:
    physique = walker("adult")
    walk = gait(physique, path=[(0, 0), (0, 1), (2, 2)], speed=1.2)
    assert isinstance(walk, Walk)
    feet = feet_at(walk.legs, walk.steps, walk.style, walk.clock, np.array([walk.start, walk.end]))
    assert feet.planted.all()
    intent = walk.drive(at_rest(physique, np.array([walk.start, walk.end])))
    for index, leg in enumerate(walk.legs):
        home = intent.to_world(np.tile(leg.contact, (2, 1)))
        assert np.linalg.norm(feet.contacts[:, index] - home, axis=1).max() < 0.03 * leg.length
    np.testing.assert_allclose(intent.stage_positions[1, [0, 2]], [2, 2], atol=1e-6)


def test_who_stands_takes_no_step() -> None:
    walk = gait(walker("dog"), path=[(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    assert isinstance(walk, Walk)
    assert len(walk.steps.lifts) == 0
    intent = walk.drive(at_rest(walk.physique, np.array([0.0, 1.0])))
    assert np.ptp(intent.root_positions, axis=0).max() == 0


def test_phases_of_a_steady_walk_are_those_of_the_pattern() -> None:
    physique = legged(4)
    walk = gait(physique, path=[(0, 0), (0, 1)], duration=4.0, ends="moving")
    assert isinstance(walk, Walk)
    assert phase_error(walk) < 1e-6
    middle = 0.5 * (walk.start + walk.end)
    rate = np.interp(middle, walk.clock.times, walk.clock.rate)
    landed = [_next(walk, index, middle - 0.5 / rate) for index in range(4)]
    later = ((np.array(landed) - landed[0]) * rate) % 1.0
    np.testing.assert_allclose(later, [0, 0.5, 0.25, 0.75], atol=0.02)


def _next(walk: Walk, index: int, time: float) -> float:
    lands = walk.steps.lands[walk.steps.first[index] : walk.steps.first[index + 1]]
    return float(lands[np.searchsorted(lands, time)])


def test_running_bodies_are_in_the_air_and_walking_ones_are_not() -> None:
    physique = walker("adult")
    for speed, flies in ((1.2, False), (4.0, True)):
        walk = gait(physique, path=[(0, 0), (0, 3 * speed)], speed=speed)
        assert isinstance(walk, Walk)
        feet = feet_at(walk.legs, walk.steps, walk.style, walk.clock, walk.clock.times)
        assert bool(np.any(~feet.planted.any(axis=1))) is flies


def test_styles_change_the_walk() -> None:
    physique = walker("adult")
    plain, sneaking = gait(physique), gait(physique, style=["walk", "sneak"])
    assert isinstance(plain, Walk)
    assert isinstance(sneaking, Walk)
    assert sneaking.ride.values[:, 1].min() < plain.ride.values[:, 1].min() - 0.03
    assert sneaking.steps.raises.max() > plain.steps.raises.max()
    limping = gait(physique, style="limp")
    assert isinstance(limping, Walk)
    stands = limping.steps.ends - limping.steps.starts
    first = limping.steps.first
    weak, sound = stands[1 : first[1]], stands[first[1] + 2 : -1]
    assert np.median(weak) < 0.9 * np.median(sound)


def test_arms_swing_against_legs_and_heads_look_ahead() -> None:
    physique = walker("adult")
    walk = gait(physique)
    assert isinstance(walk, Walk)
    times = np.linspace(2, 4, 60)
    intent = walk.drive(at_rest(physique, times))
    roles = physique.anatomy.roles
    hand, foot = intent.places[roles["left_hand"]], intent.places[roles["left_foot"]]
    assert hand.weights.max() < 1
    ahead = [(track.values - intent.stage_positions)[:, 2] for track in (hand, foot)]
    assert np.corrcoef(ahead[0], ahead[1])[0, 1] < -0.5
    assert roles["head"] in intent.turns


def test_the_same_body_gives_the_same_gait_at_any_times() -> None:
    physique = walker("spider")
    walk = gait(physique)
    times = np.linspace(0.0, 2.0, 33)
    together = walk.drive(at_rest(physique, times))
    for row in (0, 17, 32):
        alone = walk.drive(at_rest(physique, times[[row]]))
        np.testing.assert_allclose(alone.root_positions[0], together.root_positions[row], atol=1e-12)
        for joint, track in alone.places.items():
            np.testing.assert_allclose(track.values[0], together.places[joint].values[row], atol=1e-12)


def test_comfort_knows_what_legs_can_do() -> None:
    adult, frog = comfort_of(walker("adult")), comfort_of(walker("frog"))
    assert not adult.loose.any()
    assert comfort_of(walker("spider")).loose.all()
    # Frogs have no room to fold where they rest, and so walk with their hind feet farther out.
    assert frog.sink < adult.sink
    np.testing.assert_array_equal(adult.homes, 0.0)
    assert frog.homes[0, 0] > 0.02 > frog.homes[2, 0] == 0.0
    np.testing.assert_allclose(frog.homes[1], frog.homes[0] * [-1, 1], rtol=0.02)


def test_natural_styles() -> None:
    assert natural_style(walker("adult")) == natural_style(walker("dog")) == "walk"
    assert natural_style(walker("frog")) == natural_style(legged(1)) == "hop"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"speed": 0.0}, "a speed of 0 m/s leads nowhere"),
        ({"path": lambda times: times}, "a velocity needs a duration"),
        ({"ground": lambda x, z: np.zeros(3)}, "the ground gave heights of shape"),
        ({"ground": lambda x, z: np.full(np.shape(x), np.nan)}, "expected finite"),
    ],
)
def test_bad_wishes_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        gait(legged(2), **arguments)


def test_who_has_no_legs_does_not_walk() -> None:
    with pytest.raises(InputError, match="'ghost' has no legs that reach the ground"):
        gait(walker("ghost"), manner="legs")
    with pytest.raises(UnknownNameError, match="no style 'moonwalk'"):
        gait(walker("dog"), style="moonwalk")


@pytest.mark.slow
def test_all_bodies_on_all_journeys() -> None:
    found = [(name, journey, judge(walk)) for name, body in bodies() for journey, walk in journeys(body)]
    slipping = [(name, journey, verdict.slip) for name, journey, verdict in found if verdict.slip >= MOST_SLIP]
    assert len(slipping) < 0.06 * len(found), slipping
    assert all(verdict.phase < 1e-6 for _, _, verdict in found)
    assert not [row for row in slipping if "legs" in row[0]]


@pytest.mark.parametrize("name", ["khronos/Fox.glb", "quaternius/Horse.glb"])
def test_bodies_that_others_made(name: str, data_dir) -> None:
    body = mm.load(data_dir / "characters" / name)
    physique = physique_of(replace(body, anatomy=recognize(body)))
    # The front feet of the horse are handles of an animator's rig; the legs beside them are found.
    assert len(legs_of(physique)) == 4
    verdict = judge(gait(physique, path=[(0, 0), (0, 2 * natural_speed(physique))]))
    assert verdict.slip < MOST_SLIP
    assert verdict.jerk < SMOOTH


def test_knees_stay_bent_and_feet_start_and_stop_gently() -> None:
    """No leg is drawn straight, in any style; and no foot is jerked off the ground."""
    physique = walker("adult")
    for style in ("walk", "march", "tiptoe", "hop", "run"):
        walk = gait(physique, path=[(0, 0), (0, 4)], style=style)
        assert isinstance(walk, Walk)
        times, pose = played(walk)
        state = WorldState(physique.character, pose)
        for leg in walk.legs:
            knee = int(physique.character.skeleton.parents[leg.foot])
            hip = int(physique.character.skeleton.parents[knee])
            far = np.linalg.norm(state.positions[:, leg.foot] - state.positions[:, hip], axis=1)
            assert far.max() < 0.9925 * leg.reach
            jumps = np.linalg.norm(np.diff(state.positions[:, knee], n=2, axis=0), axis=1)
            assert jumps.max() < 0.07 * leg.reach
        np.testing.assert_array_less(0, np.diff(times))


def test_feet_roll_about_their_tips_and_do_not_dip_into_the_ground() -> None:
    for name in ("adult", "giant"):
        walk = gait(walker(name), path=[(0, 0), (0, 4)])
        assert isinstance(walk, Walk)
        times = np.linspace(walk.start, walk.end, 200)
        feet = feet_at(walk.legs, walk.steps, walk.style, walk.clock, times)
        assert np.degrees(feet.pitches).max() > 15
        for index, leg in enumerate(walk.legs):
            turned = foot_rotations(feet)[:, index]
            tips = feet.contacts[:, index] + quaternion.rotate(turned, leg.tip)
            pushing = feet.planted[:, index] & (feet.pitches[:, index] > 0)
            _, spots = walk.steps.locate(times)
            wanted = walk.steps.spots[spots[:, index]] + quaternion.rotate(feet.frames[:, index], leg.tip)
            np.testing.assert_allclose(tips[pushing], wanted[pushing], atol=1e-12)


def test_small_bodies_take_their_time() -> None:
    """Feet of tiny creatures are in the air for several frames, and nobody hurries unless told to."""
    physique = physique_of(mm.zoo.random_creature(129))
    assert natural_speed(physique) < 0.8 * NATURAL * np.sqrt(9.81 * legs_of(physique)[0].length)
    walk = gait(physique)
    assert isinstance(walk, Walk)
    assert (walk.steps.lands - walk.steps.lifts).min() > 0.08
