"""Bodies of several trees: each is bent by its own goals, and by nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import ik, zoo
from mummer.character import Character
from mummer.ik import Particle, Place, WorldState, cast, solve, split

STILL = Particle(retries=0)


@pytest.fixture(scope="module")
def pair() -> Character:
    return cast({"ann": zoo.body("dog"), "bob": zoo.body("lizard")})


def paw(body: Character, name: str, away: tuple[float, float, float]) -> Place:
    part = body.skeleton.index(name)
    return Place(part, at=WorldState(body, body.default_pose).positions[0, part] + np.array(away))


def test_goals_on_two_trees_are_met(pair: Character) -> None:
    goals = [
        paw(pair, "ann.front_left_foot", (0.05, 0.1, 0.05)),
        paw(pair, "bob.front_left_foot", (0.02, 0.03, 0.02)),
    ]
    found = solve(pair, goals, solver="particle", root="fixed")
    assert found.is_met
    assert not found.report


@pytest.mark.parametrize("root", ["free", "fixed"])
def test_what_others_do_leaves_the_first_tree_alone(pair: Character, root: ik.problem.RootFreedom) -> None:
    first, second = (
        paw(pair, "ann.front_left_foot", (0.05, 0.1, 0.05)),
        paw(pair, "bob.front_left_foot", (0.02, 0.04, 0.03)),
    )
    alone, both = (solve(pair, goals, solver=STILL, root=root).pose for goals in (first, [first, second]))
    mine, again = (split(pair, pose)["ann"] for pose in (alone, both))
    np.testing.assert_allclose(mine.rotations, again.rotations, atol=1e-14)
    np.testing.assert_allclose(mine.root_translation, again.root_translation, atol=1e-14)


def test_others_too_forget_how_they_were_bent(pair: Character) -> None:
    goal, joint = paw(pair, "bob.front_left_foot", (0.02, 0.04, 0.03)), pair.skeleton.index("bob.front_right_foot")
    bent = pair.default_pose.with_rotation(joint, np.array([0.6, 0.0, 0.0, 0.8]))
    here, there = (solve(pair, goal, pose, solver=STILL).pose.rotations for pose in (pair.default_pose, bent))
    np.testing.assert_allclose(here, there, atol=1e-12)


def test_a_tree_without_goals_stays_as_it_was(pair: Character) -> None:
    found = solve(pair, paw(pair, "bob.front_left_foot", (0.02, 0.03, 0.02)), solver="particle", root="free")
    assert found.is_met
    before, after = split(pair, pair.default_pose)["ann"], split(pair, found.pose)["ann"]
    assert after.rotations == pytest.approx(before.rotations, abs=1e-12)
    assert found.pose.full_translations(pair.skeleton)[0] == pytest.approx(
        pair.default_pose.full_translations(pair.skeleton)[0], abs=1e-12
    )
