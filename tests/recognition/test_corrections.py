"""Corrections: what a person says stands, the rest follows, and a file beside the body keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mummer import zoo
from mummer.character import save_anatomy, sidecar_of
from mummer.errors import InputError, UnknownNameError
from mummer.io import load, save
from mummer.recognition import corrections_in, recognize
from mummer.recognition.roles import check_role
from tests.recognition.bodies import human


def test_a_correction_stands_with_full_confidence() -> None:
    body = human()
    anatomy = recognize(body, corrections={"left_hand": "left_forearm"})
    assert body.skeleton.names[anatomy.roles["left_hand"]] == "left_forearm"
    assert anatomy.evidence["left_hand"].confidence == 1.0
    assert "left_forearm" not in anatomy.roles or anatomy.roles["left_forearm"] != anatomy.roles["left_hand"]
    assert not anatomy.problems(body.skeleton)


def test_the_other_side_and_the_limbs_follow() -> None:
    body = zoo.body("adult").replace(anatomy=None)
    before = recognize(body, ignore_names=True)
    digit = body.skeleton.children[before.roles["left_hand"]][0]
    anatomy = recognize(body, ignore_names=True, corrections={"left_hand": digit})
    assert anatomy.roles["right_hand"] == before.mirror[digit]
    assert 0.5 < anatomy.evidence["right_hand"].confidence < 1
    assert "a person has said" in anatomy.evidence["right_hand"].reason
    for side in ("left", "right"):
        assert anatomy.limb(f"{side}_arm").joints[-1] == anatomy.roles[f"{side}_hand"]
    assert corrections_in(anatomy) == {"left_hand": digit}
    assert not anatomy.problems(body.skeleton)


def test_what_is_said_of_both_sides_stands() -> None:
    body = human()
    said = {"left_hand": "left_forearm", "right_hand": "right_hand"}
    anatomy = recognize(body, corrections=said)
    assert {role: body.skeleton.names[anatomy.roles[role]] for role in said} == said


def test_a_correction_works_without_names() -> None:
    body = human()
    head = body.skeleton.index("neck")
    assert recognize(body, ignore_names=True, corrections={"head": head}).roles["head"] == head


def test_a_joint_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownNameError, match="no joint 'left_hnad'; closest: 'left_hand'"):
        recognize(human(), corrections={"left_hand": "left_hnad"})
    with pytest.raises(InputError, match="names joint 99"):
        recognize(human(), corrections={"left_hand": 99})


def test_a_role_that_there_is_not_is_named_with_what_is_like_it() -> None:
    with pytest.raises(UnknownNameError, match="an anatomy has no role 'left_hnad'; closest: 'left_hand'"):
        recognize(human(), corrections={"left_hnad": "left_hand"})
    with pytest.raises(UnknownNameError, match="has no role 'nonsense_2'"):
        recognize(human(), corrections={"nonsense_2": "left_hand"})


@pytest.mark.parametrize("name", zoo.names())
def test_every_role_that_is_found_can_be_set(name: str) -> None:
    for role in recognize(zoo.body(name)).roles:
        check_role(role)


def test_corrections_are_kept_beside_the_file(tmp_path: Path) -> None:
    file = tmp_path / "horse.glb"
    save(zoo.body("horse").replace(anatomy=None), file)
    body = load(file)
    assert corrections_in(body.anatomy) == {}
    save_anatomy(recognize(body, corrections={"head": "neck"}), body.skeleton, sidecar_of(file))
    again = load(file)
    assert again.anatomy is not None
    kept = corrections_in(again.anatomy)
    assert {role: again.skeleton.names[joint] for role, joint in kept.items()} == {"head": "neck"}
