"""Gaits: feet that stand stay, whatever the gait and the body."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.engine.body import body_of
from mummer.engine.feet import edge, on_edge, show_heel
from mummer.engine.ground import level_ground
from mummer.engine.legs import COLUMN
from mummer.engine.state import AIR, CONTACT, FOOT, HEEL, LANDING, WALKING, new_actors
from mummer.engine.walk import Pace, flight_at, fly
from mummer.grid.judge import pops, scene_of, slip
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from tests.engine.commands import RATE, body_named
from tests.engine.judging import BAR, MOST_CHANGE, changes, slips
from tests.gaits import four_legs
from tests.gaits.cycle import strides

LEG = ("upper_leg", "lower_leg", "foot")


@pytest.mark.parametrize(
    ("name", "gait"),
    [
        ("adult", "walk"),
        ("adult", "march"),
        ("bird", "hop"),
        ("horse", "walk"),
        ("dog", "sneak"),
        ("9336", "bounce"),
        ("frog", "walk"),
        ("frog", "run"),
    ],
)
def test_feet_that_stand_stay_and_legs_do_not_jump_for_it(name: str, gait: str) -> None:
    body = mm.zoo.random_creature(int(name)) if name.isdigit() else mm.zoo.body(name)
    scene = scene_of(mm.perform(body, gait, duration=5.0))
    for judge in (slip.JUDGE, pops.JUDGE):
        score = judge.score(scene)
        assert score.passed, f"{judge.name} {score.value:.2f} {score.where}"


@pytest.mark.parametrize("name", ["adult", "horse", "spider", "bird"])
def test_a_foot_that_is_as_low_as_it_stands_does_not_go_on(name: str) -> None:
    legs = body_of(mm.zoo.body(name)).legs
    feet, before = np.zeros((1, len(legs.limb), FOOT)), None
    for share in np.linspace(0.5, 1.0, 60):
        feet[0, 0, AIR], feet[0, 0, LANDING + 2] = share, 1.0
        fly(0, 0, legs, feet)
        if before is not None and flight_at(legs, share, 1) < 0.1:
            assert feet[0, 0, CONTACT + 2] - before < 2e-3
        before = feet[0, 0, CONTACT + 2]
    assert before == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["adult", "4711"])
def test_a_foot_that_cannot_be_flat_rests_on_its_lowest_edge(name: str) -> None:
    legs, rng = body_of(body_named(name)).legs, np.random.default_rng(3)
    front, rear, wide = legs.toe[0] * (1, 0, 1), legs.heel[0], np.array([legs.wide[0], 0.0, 0.0])
    for _ in range(200):
        astray = quaternion.exp(rng.normal(size=3) * 0.4)
        spot = np.array(edge(0, tuple(astray), legs))
        corners = np.array([end + side * wide for end in (front, rear) for side in (-1, 1)])
        turned = spot + quaternion.rotate(astray, corners - spot)
        assert turned[:, 1].min() > -0.15 * max(np.ptp(corners[:, 2]), 2 * legs.wide[0])
    np.testing.assert_allclose(edge(0, (0.0, 0.0, 0.0, 1.0), legs), legs.toe[0], atol=1e-12)


@pytest.mark.parametrize("name", ["adult", "4711"])
def test_a_foot_that_is_held_back_on_its_heel_rolls_off_over_its_ball_and_stays(name: str) -> None:
    legs = body_of(body_named(name)).legs
    ends = np.array([legs.heel[0] * (1, 0, 1), legs.toe[0]])
    before = None
    for angle in np.linspace(-0.6, 0.9, 151):
        tilt = quaternion.exp(np.array([angle, 0.0, 0.0]))
        joint = np.array(on_edge(0, tuple(tilt), legs))
        places = joint + quaternion.rotate(tilt, ends - legs.ankle[0])
        if before is not None:
            # What it rests on does not go anywhere.
            assert np.abs((places - before)[:, 2]).min() < 1e-3 * legs.length
        before = places


def test_who_turns_about_steps_before_its_feet_are_crossed() -> None:
    actor = mm.Actor(mm.zoo.random_creature(7103), at=(0, 0), heading=0.0)
    poses = []
    for heading in (0.0, 2.6, -0.5, 2.0):
        actor.go(speed=actor.troupe.easy_speed, heading=heading)
        poses += [actor.step(1 / RATE) for _ in range(60)]
    seen = Pose.stack(poses)
    assert changes(actor.character, seen, RATE).max() < MOST_CHANGE
    assert np.nanmax(slips(actor.character, seen, np.zeros((len(poses), 3)), RATE)) < 5 * BAR


def test_who_limps_spares_a_leg() -> None:
    body = mm.zoo.body("adult")
    feet = [body.anatomy.roles[f"{side}_foot"] for side in ("left", "right")]
    times = np.arange(0.0, 4.0, 1 / 60)
    clips = [mm.perform(body, gait, ends="moving", duration=4.0) for gait in ("walk", "limp")]
    places = [WorldState(body, clip.sample(times)).positions for clip in clips]
    walk, limp = ([float(np.ptp(place[:, foot, 1])) for foot in feet] for place in places)
    assert abs(walk[0] / walk[1] - 1.0) < 0.1
    assert limp[0] < 0.9 * limp[1]
    hips = body.anatomy.roles["hips"]
    over = [place[int(np.argmax(place[:, feet[1], 1])), hips, 1] for place in places]
    assert over[1] < over[0] - 0.005


def test_who_runs_leaves_the_ground() -> None:
    body = mm.zoo.body("adult")
    for speed in (2.6, 3.4):
        clip = mm.perform(body, "run", pace=speed, duration=4.0, ends="moving")
        found = strides(clip, clip.start, clip.end)
        assert found is not None
        assert found.flight > 0.1


def running(name: str, speed: float) -> dict[str, FloatArray]:
    """Curves of the mean stride of a body that runs at a relative speed."""
    body = mm.zoo.body(name)
    legs = body_of(body, ("run",)).legs
    clip = mm.perform(body, "run", pace=speed * legs.length / legs.unit, duration=4.0, ends="moving")
    found = strides(clip, clip.start, clip.end)
    assert found is not None
    return {curve: rows.mean(axis=0) for curve, rows in found.curves.items()}


@pytest.mark.parametrize(("name", "speed"), [("adult", 0.85), ("adult", 1.1), ("child", 1.1)])
def test_arms_of_who_runs_swing_against_the_leg_of_their_side(name: str, speed: float) -> None:
    curves = running(name, speed)
    arm, leg = (np.angle(np.fft.rfft(curves[curve])[1]) for curve in ("shoulder", "hip"))
    assert (arm - leg) / (2.0 * np.pi) % 1.0 == pytest.approx(0.5, abs=0.06)


def test_small_people_run_as_tall_ones() -> None:
    adult, child = running("adult", 1.1), running("child", 1.1)
    assert np.abs(adult["hip"] - child["hip"]).mean() < 4.0


@pytest.mark.parametrize("name", ["dog", "horse"])
def test_who_gallops_is_carried_evenly_by_feet_that_land_in_time(name: str) -> None:
    body = mm.zoo.body(name)
    legs = body_of(body, ("gallop",)).legs
    clip = mm.perform(body, "gallop", pace=1.5 * legs.length / legs.unit, duration=3.0, ends="moving")
    hips = WorldState(body, clip.sample(np.arange(0.5, 3.0, 1 / 60))).positions[:, body.anatomy.roles["hips"]]
    assert np.ptp(hips[:, 1]) < 0.2 * legs.length


def test_elbows_of_who_walks_are_behind() -> None:
    body = mm.zoo.body("adult")
    clip = mm.perform(body, "run", duration=3.0, ends="moving")
    places = WorldState(body, clip.sample(np.arange(1.0, 3.0, 1 / 30))).positions
    for side in ("left", "right"):
        shoulder, elbow, hand = (
            places[:, body.anatomy.roles[f"{side}_{role}"]] for role in ("upper_arm", "forearm", "hand")
        )
        line = hand - shoulder
        share = np.sum((elbow - shoulder) * line, axis=1) / np.sum(line * line, axis=1)
        assert np.all((elbow - shoulder - share[:, None] * line)[:, 2] < 0.0)


def test_a_gallop_gathers_and_stretches_the_spine_and_a_walk_does_not() -> None:
    body = mm.zoo.body("horse")
    ranges = []
    for gait, speed in (("walk", 1.5), ("gallop", 6.0)):
        clip = mm.perform(body, gait, pace=speed, duration=3.0, ends="moving")
        places = WorldState(body, clip.sample(np.arange(1.0, 3.0, 1 / 60))).positions
        hips, spine, chest = (places[:, body.anatomy.roles[role]] for role in ("hips", "spine", "chest"))
        rear, front = spine - hips, chest - spine
        bend = np.arctan2(rear[:, 1], rear[:, 2]) - np.arctan2(front[:, 1], front[:, 2])
        ranges.append(np.degrees(np.ptp(bend)))
    assert ranges[0] < 1.0
    assert ranges[1] > 4.0


def test_heads_are_up_as_hind_legs_land_in_a_gallop_and_down_before_front_legs_do() -> None:
    body = mm.zoo.body("dog")
    legs = body_of(body, ("gallop",)).legs
    clip = mm.perform(body, "gallop", pace=1.5 * legs.length / legs.unit, duration=3.0, ends="moving")
    found = four_legs.strides(clip)
    assert found is not None
    head, trunk = found["head"].mean(axis=0), found["trunk"].mean(axis=0)
    assert head[0] < -3.0
    assert 0.4 < np.argmax(head) / len(head) < 0.7
    assert trunk[0] < 0.0 < trunk[len(trunk) // 2], "the chest is up as hind legs land"


def test_knees_of_who_walks_do_not_snap_as_feet_leave() -> None:
    body = mm.zoo.body("adult")
    legs = body_of(body).legs
    clip = mm.perform(body, "walk", pace=0.43 * legs.length / legs.unit, duration=3.0, ends="moving")
    places = WorldState(body, clip.sample(np.arange(0.5, 3.0, 1 / 60))).positions
    for side in ("left", "right"):
        hip, knee, ankle = (places[:, body.anatomy.roles[f"{side}_{role}"]] for role in LEG)
        thigh, shank = knee - hip, ankle - knee
        bend = np.degrees(np.arctan2(np.linalg.norm(np.cross(thigh, shank), axis=1), np.sum(thigh * shank, axis=1)))
        assert np.abs(np.diff(bend, n=2)).max() < 11.0


def test_a_heel_rises_ever_faster_until_its_foot_leaves_and_goes_on() -> None:
    body = body_of(body_named("adult"))
    legs, actors, pace = body.legs, new_actors(body, np.zeros((1, 3)), level_ground()), Pace(
        0.4, 1.0, 0.6, moving=True, busy=True, able=True
    )  # fmt: skip
    actors.gait[0, WALKING] = 1.0
    hip, seen = tuple(legs.hip[0]), []
    for phase in np.arange(0.0, 0.6, 1 / 120):
        actors.phases[0, 0], actors.feet[0, 0, AIR] = phase, -1.0
        show_heel(0, 0, hip, pace, legs, actors, 1 / 120)
        seen.append(actors.feet[0, 0, HEEL])
    speeds = np.diff(seen)
    assert speeds.min() >= 0.0
    assert np.argmax(speeds) >= len(speeds) - 2
    actors.feet[0, 0, AIR] = 0.01
    show_heel(0, 0, hip, pace, legs, actors, 1 / 120)
    assert actors.feet[0, 0, HEEL] - seen[-1] > 0.8 * speeds[-1]


def test_a_group_of_legs_steps_as_its_style_says(tmp_path: Path) -> None:
    text = 'version = 1\nname = "prance"\nlayer = true\n[[at]]\nspeed = 0.0\n'
    text += '[[legs]]\nwhich = "front"\n[[legs.at]]\nspeed = 0.0\nlift = 0.35\n'
    (tmp_path / "prance.toml").write_text(text)
    legs = body_of(mm.zoo.body("dog"), (str(tmp_path / "prance.toml"),)).legs
    front = legs.home[:, 2] > np.mean(legs.home[:, 2])
    np.testing.assert_allclose(legs.own[front][:, :, COLUMN["lift"]], 0.35)
    np.testing.assert_allclose(legs.own[~front][:, :, COLUMN["lift"]], legs.style[None, :, COLUMN["lift"]].repeat(2, 0))


def test_styles_differ_from_the_walk_at_a_glance() -> None:
    body = mm.zoo.body("adult")
    times = np.arange(1.0, 4.0, 1 / 30)
    hips = {}
    for gait in ("walk", "limp", "lumber", "bounce"):
        clip = mm.perform(body, gait, duration=4.0, ends="moving")
        places = WorldState(body, clip.sample(times)).positions
        hips[gait] = places[:, body.anatomy.roles["hips"]]
    assert np.ptp(hips["limp"][:, 1]) > 1.5 * np.ptp(hips["walk"][:, 1])
    assert np.ptp(hips["bounce"][:, 1]) > 1.5 * np.ptp(hips["walk"][:, 1])
    assert np.ptp(hips["lumber"][:, 0]) > 2.0 * np.ptp(hips["walk"][:, 0])
    assert hips["lumber"][:, 1].mean() < hips["walk"][:, 1].mean() - 0.03
