"""Random creatures: every seed gives a valid body, always the same, and no two alike."""

import sys
import time

import numpy as np
import pytest

from mummer import zoo
from mummer.errors import InputError
from tests.zoo.validity import faults_of, lowest_of_joints, rest_positions, unmirrored

QUICK, MANY = 300, 10_000
PINNED = (("floating", 38), [0.0, 0.681746836, 0.133696331])
"""Kind and joints of seed 5, and the mean place of its joints from the root."""
ODD = ("odd_",)
"""Parts that have no partner on purpose."""


def creature_faults(creature) -> list[str]:
    """What is wrong with a random creature beyond what is wrong with any body."""
    found = faults_of(creature)
    found += [f"{name} has no mirror image" for name in unmirrored(creature) if not name.startswith(ODD)]
    anatomy, size = creature.anatomy, (creature.anatomy.bounds[1] - creature.anatomy.bounds[0]).max()
    if not 0.2 <= size <= 6.0:
        found.append(f"its size is {size:.2f} m")
    floats = anatomy.kind == "floating"
    if floats != (anatomy.bounds[0, 1] > 1e-6) or anatomy.bounds[0, 1] < -1e-6:
        found.append(f"its lowest point is at {anatomy.bounds[0, 1]:.3f}")
    for foot in anatomy.capabilities.get("foot", ()):
        if lowest_of_joints(creature, set(creature.skeleton.descendants(foot))) > 0.03 * size:
            found.append(f"{creature.skeleton.names[foot]} does not touch the ground")
    found += [f"it has no {part}" for part in ("head", "mouth", "eye", "spine") if not anatomy.capabilities.get(part)]
    return found


@pytest.mark.parametrize("start", range(0, QUICK, 50))
def test_seeds_are_valid(start):
    wrong = {seed: creature_faults(zoo.random_creature(seed)) for seed in range(start, start + 50)}
    assert not {seed: faults for seed, faults in wrong.items() if faults}


@pytest.mark.slow
def test_ten_thousand_seeds_are_valid(capsys):
    zoo.random_creature(0)
    spent, wrong = 0.0, {}
    for seed in range(MANY):
        start = time.perf_counter()
        creature = zoo.random_creature(seed)
        spent += time.perf_counter() - start
        faults = creature_faults(creature)
        if faults:
            wrong[seed] = faults
    with capsys.disabled():
        sys.stdout.write(f"\n{MANY} random creatures: {1000 * spent / MANY:.1f} ms each, {len(wrong)} at fault\n")
    assert not wrong


def test_large_seeds_are_valid():
    for seed in (2**31, 2**63, 10**30):
        assert creature_faults(zoo.random_creature(seed)) == []


def test_the_same_seed_gives_the_same_creature():
    first, second = zoo.random_creature(11), zoo.random_creature(11)
    assert first.skeleton.same_as(second.skeleton, tolerance=0)
    for one, other in zip(first.meshes, second.meshes, strict=True):
        np.testing.assert_array_equal(one.positions, other.positions)
        np.testing.assert_array_equal(one.skin.weights, other.skin.weights)
        np.testing.assert_array_equal(one.colors, other.colors)


def test_the_generator_has_not_changed():
    # If this fails on purpose, raise GENERATOR_VERSION: saved seeds mean other creatures from then on.
    recipe = zoo.random_recipe(5)
    creature = zoo.random_creature(5)
    assert (recipe.kind, len(creature.skeleton)) == PINNED[0]
    places = rest_positions(creature)
    np.testing.assert_allclose((places - places[0]).mean(axis=0), PINNED[1], atol=1e-6)


def test_the_source_says_how_it_was_made():
    details = zoo.random_creature(3).source.details
    assert details["seed"] == 3
    assert details["name"] == "creature_3"
    assert details["version"] == 1
    assert details["generator"] == 1
    assert '"creature_3"' in details["recipe"]


def test_creatures_are_of_many_kinds():
    creatures = [zoo.random_creature(seed) for seed in range(200)]
    kinds = {creature.anatomy.kind for creature in creatures}
    assert kinds == {"floating", "legless", "biped", "quadruped", "many-legged"}
    have = {part for creature in creatures for part in creature.anatomy.capabilities}
    assert have >= {"grasper", "foot", "tail", "wing", "fin", "antenna", "ear", "eye", "mouth", "digit", "jaw"}
    heads = [len(creature.anatomy.capabilities["head"]) for creature in creatures]
    assert set(heads) == {1, 2}
    assert any(name.startswith("odd_arm") for creature in creatures for name in creature.skeleton.names)
    assert any(name.endswith("_a_fore") for creature in creatures for name in creature.skeleton.names), "branching arms"
    sizes = [np.ptp(creature.anatomy.bounds, axis=0).max() for creature in creatures]
    assert min(sizes) < 0.5
    assert max(sizes) > 4


def test_a_recipe_can_be_taken_out_and_built():
    recipe = zoo.random_recipe(21)
    built = zoo.from_recipe(recipe)
    assert built.skeleton.names == zoo.random_creature(21).skeleton.names
    assert faults_of(built) == []


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True])
def test_what_is_not_a_seed(seed):
    with pytest.raises(InputError, match="is not a seed; expected a whole number from zero up"):
        zoo.random_creature(seed)
