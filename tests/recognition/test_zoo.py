"""The bodies of the zoo and creatures nobody has seen: what the recogniser says against their own anatomies."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from mummer import zoo as menagerie
from mummer.character import Anatomy, Character
from mummer.recognition import recognize

body_of = lru_cache(menagerie.body)
creature = lru_cache(menagerie.random_creature)

LIMBS = ("leg", "arm", "wing", "neck")
WELL_KNOWN = ("adult", "bird", "centaur", "child", "dog", "dragon", "giant", "horse", "hunched", "lizard")


def limbs(anatomy: Anatomy, *kinds: str) -> set[tuple[str, str, int]]:
    """Kind, side and second joint of each limb: bodies differ in whether the first belongs to it."""
    chosen = [limb for limb in anatomy.limbs if limb.kind in kinds]
    return {(limb.kind, limb.side, limb.joints[min(1, len(limb.joints) - 1)]) for limb in chosen}


def blind(body: Character) -> Anatomy:
    return recognize(body.replace(anatomy=None), ignore_names=True)


@pytest.mark.parametrize("name", WELL_KNOWN)
@pytest.mark.parametrize("ignore_names", [False, True])
def test_common_bodies_are_known(name: str, ignore_names: bool) -> None:
    body = body_of(name)
    truth, found = body.anatomy, recognize(body.replace(anatomy=None), ignore_names=ignore_names)
    assert truth is not None
    assert found.kind == truth.kind
    assert limbs(found, *LIMBS) == limbs(truth, *LIMBS)
    assert found.front @ truth.front > 0.99
    assert np.array_equal(found.mirror, truth.mirror)
    wrong = [role for role in truth.roles if not role[-1].isdigit() and found.roles.get(role) != truth.roles[role]]
    assert set(wrong) <= {"chest", "tail", "jaw", "left_ear", "right_ear"}, wrong


@pytest.mark.parametrize("name", menagerie.names())
def test_front_feet_and_mirror_are_found_by_shape_alone(name: str) -> None:
    body = body_of(name)
    assert body.anatomy is not None
    found = blind(body)
    assert found.front @ body.anatomy.front > 0.99
    assert set(found.capabilities.get("foot", ())) == set(body.anatomy.capabilities.get("foot", ()))
    assert np.mean(found.mirror == body.anatomy.mirror) > 0.8
    assert not found.problems(body.skeleton)


RARE = {"spider": "arachnid", "beetle": "insect", "fish": "fish", "snake": "snake", "ghost": "floating"}


@pytest.mark.parametrize(("name", "kind"), RARE.items())
def test_kinds_that_are_not_common(name: str, kind: str) -> None:
    assert blind(body_of(name)).kind == kind


def test_two_heads_are_two_heads() -> None:
    body = body_of("two_headed")
    assert body.anatomy is not None
    assert set(blind(body).capabilities["head"]) == set(body.anatomy.capabilities["head"])


def feet_agree(body: Character, truth: Anatomy, found: Anatomy) -> bool:
    """Whether every foot is found; of legs with three bends either paw or hock, as in maps of real rigs."""
    feet = set(found.capabilities.get("foot", ()))
    for leg in [limb for limb in truth.limbs if limb.kind == "leg"]:
        foot = next(joint for joint in truth.capabilities["foot"] if joint in leg.joints)
        either = {foot, int(body.skeleton.parents[foot])} if leg.joints.index(foot) >= 3 else {foot}
        if not either & feet:
            return False
    return len(feet) == len(truth.capabilities.get("foot", ()))


def agreement(seeds: range, *, ignore_names: bool) -> dict[str, float]:
    scores: dict[str, list[float]] = {"front": [], "mirror": [], "legs": [], "head": [], "feet": []}
    for seed in seeds:
        body = creature(seed)
        truth, found = body.anatomy, recognize(body.replace(anatomy=None), ignore_names=ignore_names)
        assert truth is not None
        assert not found.problems(body.skeleton)
        scores["front"].append(found.front @ truth.front > 0.9)
        scores["mirror"].append(np.mean(found.mirror == truth.mirror) > 0.9)
        scores["legs"].append(limbs(found, "leg") == limbs(truth, "leg"))
        scores["feet"].append(feet_agree(body, truth, found))
        scores["head"].append(set(found.capabilities.get("head", ())) == set(truth.capabilities.get("head", ())))
    return {what: float(np.mean(values)) for what, values in scores.items()}


@pytest.mark.parametrize("ignore_names", [False, True])
def test_random_creatures_are_mostly_understood(ignore_names: bool) -> None:
    scores = agreement(range(12), ignore_names=ignore_names)
    assert min(scores.values()) > 0.7, scores


@pytest.mark.slow
@pytest.mark.parametrize("ignore_names", [False, True])
def test_two_hundred_random_creatures(ignore_names: bool) -> None:
    scores = agreement(range(200), ignore_names=ignore_names)
    assert min(scores.values()) > 0.8, scores
