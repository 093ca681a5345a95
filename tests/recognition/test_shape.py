"""Shape: sides, names that lie, other poses and axes, and skeletons that are no bodies."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer import zoo
from mummer.character import Anatomy, Character, Skeleton
from mummer.recognition import recognize, study
from tests.recognition.bodies import human, renamed, roles_of_human, shuffled, turned


def swapped_names(character: Character) -> Character:
    swap = [
        name.replace("left", "#").replace("right", "left").replace("#", "right") for name in character.skeleton.names
    ]
    return renamed(character, swap)


def test_a_human_of_joints_is_found_without_names() -> None:
    body = human()
    anatomy = recognize(body, ignore_names=True)
    assert anatomy.kind == "humanoid"
    assert {role: body.skeleton.names[anatomy.roles[role]] for role in roles_of_human()} == {
        role: role for role in roles_of_human()
    }


def test_names_that_swap_sides_lose_and_confidence_is_low() -> None:
    for body in (human(), zoo.body("adult").replace(anatomy=None)):
        found = study(swapped_names(body))
        anatomy = found.anatomy
        for role in ("left_hand", "right_hand", "left_foot", "right_upper_leg"):
            other = role.replace("left", "#").replace("right", "left").replace("#", "right")
            assert swapped_names(body).skeleton.names[anatomy.roles[role]] == other
            assert anatomy.evidence[role].confidence < 0.5
            assert "says" in anatomy.evidence[role].reason
        assert any("names say left where the shape says right" in str(finding) for finding in found.report)


def test_one_name_that_lies_about_its_part_does_not_win() -> None:
    body = human()
    names = list(body.skeleton.names)
    names[names.index("left_forearm")] = "left_foot_roll"
    anatomy = recognize(renamed(body, names))
    assert names[anatomy.roles["left_forearm"]] == "left_foot_roll"
    assert anatomy.evidence["left_forearm"].confidence < anatomy.evidence["right_forearm"].confidence


@settings(max_examples=20)
@given(st.floats(-3.1, 3.1), st.integers(0, 10**6), st.floats(0.01, 100.0))
def test_roles_do_not_depend_on_heading_order_or_size(angle: float, seed: int, scale: float) -> None:
    body = turned(human(), (0.0, 1.0, 0.0), angle)
    grown = dataclasses.replace(body.skeleton, rest_translations=body.skeleton.rest_translations * scale)
    strange, order = shuffled(body.replace(skeleton=grown), seed)
    anatomy = recognize(strange)
    for role in roles_of_human():
        assert body.skeleton.names[order[anatomy.roles[role]]] == role
    assert anatomy.front @ np.array([np.sin(angle), 0.0, np.cos(angle)]) > 0.99


@pytest.mark.parametrize(("axis", "angle"), [((1.0, 0.0, 0.0), np.pi / 2), ((1.0, 0.0, 0.0), -np.pi / 2)])
def test_a_body_that_lies_along_another_axis_stands_up(axis: tuple[float, float, float], angle: float) -> None:
    anatomy = recognize(turned(human(), axis, angle), ignore_names=True)
    assert anatomy.up @ np.array([0.0, np.cos(angle), np.sin(angle)]) > 0.99
    assert len([role for role in roles_of_human() if role in anatomy.roles]) == len(roles_of_human())


def test_feet_that_hang_from_the_root_belong_to_their_legs() -> None:
    body = human()
    skeleton = body.skeleton
    places = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents):
        places[joint] = skeleton.rest_translations[joint] + (places[parent] if parent >= 0 else 0)
    names = ["root", *skeleton.names]
    parents = [-1] + [int(parent) + 1 if parent >= 0 else 0 for parent in skeleton.parents]
    for side in ("left", "right"):
        parents[names.index(f"{side}_foot")] = 0
    spots = np.vstack([np.zeros(3), places])
    offsets = [spots[joint] - (spots[parent] if parent >= 0 else 0) for joint, parent in enumerate(parents)]
    detached, _ = Skeleton.sorted(names, parents, np.array(offsets))
    found = study(Character("detached", detached), ignore_names=True)
    for side in ("left", "right"):
        assert detached.names[found.anatomy.roles[f"{side}_foot"]] == f"{side}_foot"
    assert any("feet that hang from the root" in str(finding) for finding in found.report)
    assert not found.anatomy.problems(detached)


def chain(count: int, step: tuple[float, float, float] = (0.0, 0.0, 0.1)) -> Character:
    offsets = np.tile(np.array(step), (count, 1))
    return Character("chain", Skeleton([f"j{i}" for i in range(count)], np.arange(count) - 1, offsets))


def tree(parents: list[int], offsets: np.ndarray) -> Character:
    return Character("tree", Skeleton([f"t{joint}" for joint in range(len(parents))], parents, offsets))


HOSTILE = {
    "one joint": chain(1),
    "two joints": chain(2),
    "all at one point": chain(20, (0.0, 0.0, 0.0)),
    "a rope": chain(60),
    "several roots": tree([-1] * 7, np.eye(7, 3)),
    "a star": tree([-1, *[0] * 39], np.random.default_rng(1).normal(size=(40, 3))),
    "a huge one": tree([-1, 0, 0, 1, 2], np.array([[0, 0, 0], [1, 1, 0], [-1, 1, 0], [1, -3, 0], [-1, -3, 0]]) * 1e9),
}


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("ignore_names", [False, True])
def test_what_is_no_body_still_has_an_anatomy(what: str, ignore_names: bool) -> None:
    body = HOSTILE[what]
    anatomy = recognize(body, ignore_names=ignore_names)
    assert not anatomy.problems(body.skeleton)
    assert np.all(np.isfinite([*anatomy.front, *anatomy.up, anatomy.ground, *anatomy.bounds.ravel()]))


@settings(max_examples=25)
@given(st.integers(2, 40), st.integers(0, 10**6))
def test_any_tree_has_an_anatomy_that_fits(count: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    parents = [-1, *[int(chance.integers(0, joint)) for joint in range(1, count)]]
    body = tree(parents, chance.normal(size=(count, 3)))
    assert not recognize(body).problems(body.skeleton)


def test_the_input_is_not_changed() -> None:
    body = zoo.body("dog")
    before = body.skeleton.rest_translations.copy()
    kept: Anatomy | None = body.anatomy
    recognize(body)
    assert np.array_equal(before, body.skeleton.rest_translations)
    assert body.anatomy is kept


@pytest.mark.parametrize("kind", ["dog", "horse", "lizard"])
def test_front_legs_that_are_called_arms_do_not_make_a_man(kind: str) -> None:
    body = zoo.body(kind).replace(anatomy=None)
    words = {"shoulder": "Clavicle", "upper": "UpperArm", "lower": "Forearm", "foot": "Hand", "toes": "Finger0"}
    hind = {"upper": "Thigh", "lower": "Calf", "foot": "Foot", "toes": "Toe0"}
    names = list(body.skeleton.names)
    for joint, name in enumerate(names):
        end, *rest = name.split("_")
        if end in ("front", "hind") and len(rest) == 2:
            names[joint] = f"Bip01 {rest[0][0].upper()} {(words if end == 'front' else hind)[rest[1]]}"
    anatomy = recognize(renamed(body, names))
    assert anatomy.kind == "quadruped"
    np.testing.assert_allclose(anatomy.up, [0, 1, 0], atol=0.2)
