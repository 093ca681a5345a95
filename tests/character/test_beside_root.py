"""Limbs and skin that hang beside the body are found, and the joint that should carry each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character
from mummer.character.beside_root import holders_of_loose
from mummer.character.whole import put_together, whole_of
from mummer.general.gait.legs import legs_of
from mummer.general.physique import physique_of
from mummer.ik.world_state import WorldState
from mummer.recognition import recognize


@pytest.fixture(scope="module")
def dog_without_hips() -> Character:
    """A dog whose root is its spine: legs and tail hang from the hips above."""
    dog = mm.zoo.body("dog")
    spine = dog.anatomy.capabilities["spine"][1:]
    able = {**dog.anatomy.capabilities, "root": spine[:1], "spine": spine}
    return dog.replace(anatomy=replace(dog.anatomy, capabilities=able))


def test_bodies_of_one_piece_have_no_loose_parts() -> None:
    for name in ("adult", "spider", "bird", "snake"):
        body = mm.zoo.body(name)
        assert holders_of_loose(body, body.anatomy) == {}


def test_limbs_above_the_root_belong_to_the_spine(dog_without_hips: Character) -> None:
    anatomy = dog_without_hips.anatomy
    found = holders_of_loose(dog_without_hips, anatomy)
    first = anatomy.capabilities["spine"][0]
    assert {found[anatomy.joint(f"hind_{side}_upper")] for side in ("left", "right")} == {first}
    assert found[anatomy.joint("tail")] == first
    assert not any(role.startswith("front") for role, joint in anatomy.roles.items() if joint in found)


def test_a_body_put_together_needs_nothing_more(dog_without_hips: Character) -> None:
    whole = whole_of(dog_without_hips)
    assert whole is not None
    assert whole_of(whole.character) is None
    assert len(legs_of(physique_of(whole.character))) == 4


def test_handles_are_left_to_others(dog_without_hips: Character) -> None:
    tail = dog_without_hips.anatomy.joint("tail")
    assert tail not in holders_of_loose(dog_without_hips, dog_without_hips.anatomy, [tail])


def test_a_jaw_that_hangs_from_the_root_belongs_to_its_head() -> None:
    dog = mm.zoo.body("dog")
    head, jaw = dog.anatomy.joint("head"), dog.anatomy.joint("jaw")
    loose = put_together(dog, {jaw: 0}).character
    names = loose.skeleton.names
    found = holders_of_loose(loose, loose.anatomy)
    assert {names[joint]: names[holder] for joint, holder in found.items()} == {
        dog.skeleton.names[jaw]: dog.skeleton.names[head]
    }


@pytest.mark.parametrize("file", ["quaternius/Trex.glb", "quaternius/Triceratops.glb", "quaternius/Spider.glb"])
def test_animals_whose_legs_hang_beside_their_hips_walk(shared_character: Callable[[str], Path], file: str) -> None:
    body = _loaded(shared_character(file))
    whole = whole_of(body)
    assert whole is not None
    assert len(legs_of(physique_of(whole.character))) == len(body.anatomy.capabilities["foot"])


def test_a_mouth_stays_at_its_head(shared_character: Callable[[str], Path]) -> None:
    body = _loaded(shared_character("quaternius/Snake.glb"))
    state = WorldState(body, mm.perform(body, "die").sample(np.linspace(0, 3, 10)))
    head, mouth = (body.skeleton.names.index(name) for name in ("Head", "Mouth"))
    away = np.linalg.norm(state.positions[:, head] - state.positions[:, mouth], axis=1)
    assert np.ptp(away) < 1e-6 * body.anatomy.height
    assert np.ptp(state.positions[:, mouth, 1]) > 0.01 * body.anatomy.height


def _loaded(path: Path) -> Character:
    body = mm.load(path)
    return body.replace(anatomy=recognize(body))
