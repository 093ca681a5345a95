"""Jiggles: what swings, that it is passive, stable, the same at any rate, closed in loops, and within limits."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mummer as mm
from mummer.character import Character, Pose, Recording, violations
from mummer.clip import Sampled
from mummer.errors import InputError
from mummer.general.jiggle import Jiggled, idle_joints
from mummer.general.jiggle.flexibility import kinds_of
from mummer.general.jiggle.jiggled import closes
from mummer.general.jiggle.simulate import step_numbers
from mummer.general.knots import on_knots
from mummer.math import quaternion
from tests.general.bodies import physique
from tests.general.jiggle.shaken import shaken


@cache
def body(name: str) -> Character:
    return physique(name).character


def bends(clip: Jiggled, rate: float = 60.0) -> np.ndarray:
    """(T, J) radians by which joints differ from the clip's operand."""
    times = clip.times(rate)
    return quaternion.angle_between(clip.sample(times).rotations, clip.clip.sample(times).rotations)


def names(clip: Jiggled) -> list[str]:
    return [clip.body.skeleton.names[joint] for joint in clip.chains.joints]


def test_what_hangs_loose_swings_and_nothing_else_does() -> None:
    clip = Jiggled(shaken(body("snake")))
    assert [name for name in names(clip) if not name.startswith("tail")] == []
    found = bends(clip)
    moved = np.zeros(found.shape[1], bool)
    moved[clip.chains.joints] = True
    assert (found[:, ~moved] < 1e-7).all()
    assert (found[:, moved].max(axis=0) > 0.02).all()


@pytest.mark.parametrize("name", ["adult", "bird", "crab", "spider", "two_headed", "random 3", "random 7"])
def test_legs_heads_and_spines_do_not_swing(name: str) -> None:
    character = body(name)
    anatomy = character.anatomy
    loose = {joint for joint, kind in enumerate(kinds_of(character)) if kind is not None}
    for capability in ("root", "spine", "head", "eye", "jaw", "foot"):
        assert not loose & set(anatomy.capabilities.get(capability, ()))
    for limb in anatomy.limbs:
        if limb.kind in ("leg", "neck"):
            assert not loose & set(limb.joints)


def test_what_something_moves_does_not_swing_nor_what_carries_it() -> None:
    clip = shaken(body("snake"))
    tail = body("snake").anatomy.limb("tail").joints
    pose = clip.sample(clip.times(30))
    assert idle_joints(clip.body, pose)[list(tail)].all()
    rotations = np.array(pose.rotations)
    wag = quaternion.exp(np.outer(np.sin(np.arange(len(rotations))), [0.0, 0.1, 0.0]))
    rotations[:, tail[2]] = quaternion.multiply(rotations[:, tail[2]], wag)
    found = idle_joints(clip.body, pose.replace(rotations=rotations))
    assert not found[list(tail[:3])].any()
    assert found[list(tail[3:])].all()


def test_names_tell_of_hair_and_capes() -> None:
    snake = body("snake")
    neck = snake.anatomy.joint("neck")
    names = list(snake.skeleton.names)
    eye = snake.anatomy.joint("left_eye")
    for name, kind in (("Hair_Front", "hair"), ("weapon_socket", None)):
        names[eye] = name
        capabilities = {**snake.anatomy.capabilities, "eye": ()}
        anatomy = dataclasses.replace(snake.anatomy, capabilities=capabilities)
        other = snake.replace(skeleton=dataclasses.replace(snake.skeleton, names=tuple(names)), anatomy=anatomy)
        assert kinds_of(other)[eye] == kind
        assert kinds_of(other)[neck] is None
    assert set(kinds_of(snake.replace(anatomy=None))) == {None}


def test_the_same_at_any_frame_rate_and_in_any_order() -> None:
    clip = shaken(body("snake"))
    times = np.array([1.37, 0.2, 0.9, 1.99])
    one = Jiggled(clip).sample(times).rotations
    other = Jiggled(clip)
    other.sample(other.times(7))
    assert np.array_equal(one, other.sample(times).rotations)
    assert np.array_equal(one[::-1], Jiggled(clip).sample(times[::-1]).rotations)


def test_finer_steps_change_little(monkeypatch: pytest.MonkeyPatch) -> None:
    clip = shaken(body("snake"), rate=240.0)
    times = clip.times(30)
    usual = Jiggled(clip).sample(times).rotations
    monkeypatch.setattr("mummer.general.knots.RATE", 960.0)
    fine = Jiggled(clip).sample(times).rotations
    monkeypatch.setattr("mummer.general.knots.RATE", 20.0)
    coarse = Jiggled(clip).sample(times).rotations
    assert quaternion.angle_between(usual, fine).max() < 0.04
    assert quaternion.angle_between(coarse, fine).max() > 0.04


def test_frames_that_are_known_are_not_made_again() -> None:
    clip = Jiggled(shaken(body("snake"), travel=1.0))
    there, between = clip.knots[3:9], clip.knots[3:9] + 1e-5
    assert on_knots(clip.knots, between) is None
    known, made = clip.sample(there), clip.sample(between)
    assert quaternion.angle_between(known.rotations, made.rotations).max() < 1e-3
    assert np.allclose(known.root_translation, made.root_translation, atol=1e-3)
    assert np.array_equal(known.root_translation, clip.clip.sample(there).root_translation)


def test_a_still_body_and_one_that_travels_evenly_do_not_swing() -> None:
    for travel in (0.0, 3.0):
        clip = Jiggled(shaken(body("snake"), yaw=0.0, bounce=0.0, travel=travel))
        assert len(clip.chains)
        assert bends(clip).max() < 1e-6


def test_it_comes_to_rest() -> None:
    found = bends(Jiggled(pushed(body("snake")))).max(axis=1)
    assert found[: len(found) // 10].max() > 0.05
    assert found[-10:].max() < 1e-3


def pushed(character: Character) -> Sampled:
    """A body that is pushed aside at once and then left alone for eight seconds."""
    times = np.arange(481) / 60
    rest = Pose.rest(character.skeleton)
    rotations = np.repeat(rest.rotations[None], len(times), axis=0)
    root = np.repeat(np.asarray(rest.root_translation)[None], len(times), axis=0)
    root[2:, 0] += 0.2
    return Sampled(character, Recording.from_poses("pushed", times, Pose(rotations, root), frame_rate=60.0))


def test_parts_hang_down_as_the_body_leans() -> None:
    upright, leaning = (
        Jiggled(shaken(body("snake"), yaw=0.0, bounce=0.0, pitch=pitch), weight=0.5) for pitch in (0.0, 1.2)
    )
    assert bends(upright).max() < 1e-6
    assert bends(leaning).max() > 0.05
    still = leaning.sample(leaning.times(10)).rotations
    assert quaternion.angle_between(still, still[:1]).max() < 1e-6


@pytest.mark.parametrize("travel", [0.0, 1.5])
def test_a_loop_stays_a_loop(travel: float) -> None:
    clip = Jiggled(shaken(body("snake"), seconds=1.0, travel=travel, rate=120.0), loop=True)
    ends = clip.sample([clip.start, clip.end]).rotations
    assert quaternion.angle_between(ends[0], ends[1]).max() < 2e-3
    speed = clip.turns[1] - clip.turns[0], clip.turns[-1] - clip.turns[-2]
    assert np.abs(speed[0] - speed[1]).max() <= np.abs(np.diff(clip.turns, 2, axis=0)).max()
    open_ended = Jiggled(shaken(body("snake"), seconds=1.0, travel=travel, rate=120.0), loop=False)
    gap = open_ended.sample([0.0, 1.0]).rotations
    assert quaternion.angle_between(gap[0], gap[1]).max() > 0.02


def test_loops_are_found() -> None:
    clip = shaken(body("snake"), seconds=1.0)
    pose = clip.sample(clip.times(60))
    assert not closes(pose)
    rotations = np.array(pose.rotations)
    wag = quaternion.exp(np.outer(np.sin(np.linspace(0, 2 * np.pi, len(rotations))), [0.0, 0.4, 0.0]))
    rotations[:, 2] = quaternion.multiply(rotations[:, 2], wag)
    assert closes(pose.replace(rotations=rotations))
    assert not closes(pose.replace(rotations=rotations)[: len(rotations) // 4])


@pytest.mark.parametrize("name", ["snake", "bird", "adult"])
def test_limits_hold_however_hard_it_is_shaken(name: str) -> None:
    clip = Jiggled(shaken(body(name), yaw=2.5, bounce=0.5), looseness=5.0)
    pose = clip.sample(clip.times(60))
    assert np.isfinite(pose.rotations).all()
    beyond = np.asarray(violations(clip.body.limits, clip.body.skeleton, pose))[..., clip.chains.joints]
    assert beyond.max() < 1e-5


@settings(max_examples=10)
@given(yaw=st.floats(-3, 3), bounce=st.floats(0, 3), looseness=st.floats(0.05, 10))
def test_it_is_stable_whatever_happens(yaw: float, bounce: float, looseness: float) -> None:
    clip = Jiggled(shaken(body("snake"), yaw=yaw, bounce=bounce), looseness=looseness)
    assert np.isfinite(clip.turns).all()
    most = np.minimum(clip.chains.rates[:, 2] * looseness, np.pi)
    assert (np.linalg.norm(clip.turns, axis=-1) <= most + 1e-9).all()


@given(fast=st.floats(1, 60), damping=st.floats(0.05, 0.95), step=st.floats(1e-3, 1.0))
def test_one_long_step_is_many_short_ones(fast: float, damping: float, step: float) -> None:
    rates = np.array([[fast, damping, 1.0]])
    long, short = (step_numbers(rates, each, 1.0)[0, :4].reshape(2, 2) for each in (step, step / 8))
    scale = np.array([[1.0, fast], [1 / fast, 1.0]])
    assert np.allclose(np.linalg.matrix_power(short, 8) * scale, long * scale, atol=1e-9)
    assert np.abs(np.linalg.eigvals(long)).max() < 1


def test_chosen_joints_swing() -> None:
    character = body("snake")
    chosen = np.zeros(len(character.skeleton), bool)
    chosen[list(character.anatomy.limb("tail").joints[3:])] = True
    clip = Jiggled(shaken(character), chosen)
    assert clip.chains.joints.tolist() == np.flatnonzero(chosen).tolist()
    assert clip.defined[chosen].all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"joints": [True]}, "joints to jiggle have shape"),
        ({"looseness": 0.0}, "a looseness of 0 makes no sense"),
        ({"weight": -1.0}, "a weight of -1 makes no sense"),
    ],
)
def test_settings_that_make_no_sense(options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Jiggled(shaken(body("snake")), **options)


def test_a_real_rig_with_ears_and_tail(data_dir) -> None:
    fox = mm.load(data_dir / "characters/khronos/Fox.glb")
    fox = fox.replace(anatomy=mm.recognize(fox))
    clip = Jiggled(shaken(fox))
    assert any("Tail" in name for name in names(clip))
    assert bends(clip).max() > 0.05


def test_what_carries_an_eye_swings_little() -> None:
    creature = body("random 6")
    stalks = [joint for joint, kind in enumerate(kinds_of(creature)) if kind == "stalk"]
    assert [creature.skeleton.names[joint] for joint in stalks] == ["left_eye_stalk", "right_eye_stalk"]
    clip = Jiggled(shaken(creature, bounce=0.2))
    assert 0.01 < bends(clip)[:, stalks].max() <= 0.15
