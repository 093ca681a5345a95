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
def test_each_tree_does_what_it_would_do_alone(pair: Character, root: ik.problem.RootFreedom) -> None:
    # What a tree's parts are is known of the whole only, and steps end by its height.
    alone = zoo.body("lizard").replace(anatomy=None)
    single = solve(alone, paw(alone, "front_left_foot", (0.02, 0.04, 0.03)), solver=STILL, root=root, tolerance=1e-5)
    goals = [
        paw(pair, "ann.front_left_foot", (0.05, 0.1, 0.05)),
        paw(pair, "bob.front_left_foot", (0.02, 0.04, 0.03)),
    ]
    both = solve(pair, goals, solver=STILL, root=root, tolerance=1e-5)
    mine = split(pair, both.pose)["bob"]
    places = [WorldState(alone, pose).positions[0] for pose in (single.pose, mine)]
    assert np.abs(places[0] - places[1]).max() < 0.02


def test_a_tree_without_goals_stays_as_it_was(pair: Character) -> None:
    found = solve(pair, paw(pair, "bob.front_left_foot", (0.02, 0.03, 0.02)), solver="particle", root="free")
    assert found.is_met
    before, after = split(pair, pair.default_pose)["ann"], split(pair, found.pose)["ann"]
    assert after.rotations == pytest.approx(before.rotations, abs=1e-12)
    assert found.pose.full_translations(pair.skeleton)[0] == pytest.approx(
        pair.default_pose.full_translations(pair.skeleton)[0], abs=1e-12
    )
