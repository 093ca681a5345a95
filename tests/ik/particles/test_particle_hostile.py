"""Bodies and goals that nobody would draw: no NaN, no crash, limits kept; and inputs that contradict themselves."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import io
from mummer.character import Character, Limits, Pose, Skeleton, violations
from mummer.errors import InputError
from mummer.ik import Orient, Place, solve
from mummer.ik.particle import Particle
from tests.ik.particles.bodies import body, ends

HOSTILE = {
    "far away": lambda at: at + 1e9,
    "all at one point": lambda at: 0 * at + 0.3,
    "at the root": lambda at: 0 * at,
    "huge and opposite": lambda at: -1e6 * at,
    "tiny numbers": lambda at: 1e-300 * at,
}


def check(character, found):
    assert np.all(np.isfinite(found.pose.rotations))
    assert np.all(np.isfinite(found.pose.root_translation))
    assert np.abs(np.linalg.norm(found.pose.rotations, axis=-1) - 1).max() < 1e-9
    if character.limits is not None:
        assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9


@pytest.mark.parametrize("name", ["adult", "spider", "snake", 5])
@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("root", ["free", "fixed"])
def test_hostile_goals(name, what, root):
    character = body(name)
    random = np.random.default_rng(1)
    goals = [Place(joint, at=HOSTILE[what](random.normal(size=3))) for joint in ends(character)]
    check(character, solve(character, goals, solver="particle", root=root))


def bare(offsets, parents) -> Character:
    skeleton = Skeleton(tuple(f"j{k}" for k in range(len(parents))), parents, offsets)
    return Character("bare", skeleton)


def test_a_single_joint():
    character = bare([[0.0, 1, 0]], [-1])
    found = solve(character, [Place(0, at=(1, 2, 3)), Orient(0, to=(0, 1, 0, 0))], solver="particle")
    assert found.is_met


def test_joints_without_length():
    character = bare(np.zeros((6, 3)), [-1, 0, 1, 2, 1, 4])
    check(character, solve(character, [Place(3, at=(1, 0, 0)), Place(5, at=(0, 1, 0))], solver="particle"))


@pytest.mark.parametrize("count", [2, 60, 840])
def test_long_chains_and_large_rigs(count):
    parents = [-1, *(max(0, k - 1) if k % 7 else k // 2 for k in range(1, count))]
    offsets = 0.1 * np.random.default_rng(3).normal(size=(count, 3))
    character = bare(offsets, parents)
    leaves = [k for k in range(count) if k not in parents][:12]
    goals = [Place(joint, at=np.random.default_rng(joint).normal(size=3)) for joint in leaves]
    check(character, solve(character, goals, solver=Particle(steps=6)))


def test_several_roots():
    character = bare([[0.0, 1, 0], [0, 1, 0], [2, 0, 0], [0, 1, 0]], [-1, 0, -1, 2])
    found = solve(character, [Place(1, at=(1, 1, 0)), Place(3, at=(2, 1, 0))], solver="particle")
    check(character, found)
    assert found.is_met
    assert not found.report


def test_many_goals_on_one_joint():
    character = body("adult")
    goals = [Place("left_hand", at=(0.4, 1.2, 0.1 * k)) for k in range(4)]
    check(character, solve(character, goals, solver="particle"))


def test_limits_that_leave_no_room():
    character = body("adult")
    joints = len(character.skeleton)
    frozen = Limits.from_joints(joints, {k: character.limits.of(k) for k in range(joints)})
    narrow = Limits(frozen.kinds, frozen.axes, frozen.second_axes, 0 * frozen.ranges, 0 * frozen.second_ranges)
    stiff = Character(character.name, character.skeleton, anatomy=character.anatomy, limits=narrow)
    found = solve(stiff, Place("left_hand", at=(0.4, 1.6, 0.3)), solver="particle", root="fixed")
    check(stiff, found)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": -1}, "takes -1 steps; expected zero or more"),
        ({"retries": 9}, "retries 9 times; expected 0 to 3"),
    ],
)
def test_settings_that_make_no_sense(settings, message):
    with pytest.raises(InputError, match=message):
        Particle(**settings)


@pytest.mark.parametrize("file", ["khronos/Fox.glb", "mesh2motion/rig-dragon.glb", "quaternius/Bee.glb"])
def test_real_rigs(data_dir, file):
    path = data_dir / "characters" / file
    if not path.exists():
        pytest.skip(f"{file} is not among the real files")
    loaded = io.load(path)
    character = getattr(loaded, "character", loaded)
    leaves = sorted(set(range(len(character.skeleton))) - set(character.skeleton.parents.tolist()))[:5]
    random = np.random.default_rng(5)
    pose = Pose.rest(character.skeleton)
    from mummer.ik import WorldState

    state = WorldState(character, pose)
    size = state.body.height
    goals = [Place(leaf, at=state.positions[0, leaf] + 0.05 * size * random.normal(size=3)) for leaf in leaves]
    found = solve(character, goals, solver="particle")
    check(character, found)
    assert found.errors.mean() < 0.05 * size
