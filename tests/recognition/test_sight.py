"""What the rest of a rig tells about its head: whether tips are mere ends."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Character
from mummer.recognition.choose import legs_among, limbs_among
from mummer.recognition.limbs import find_branches, middle_joints
from mummer.recognition.look import as_shape
from mummer.recognition.reading import SILENT
from mummer.recognition.reference import rest_of
from mummer.recognition.sight import Sight
from mummer.recognition.symmetry import find_symmetry
from mummer.recognition.tidy import tidy
from tests.recognition.learn import known
from tests.recognition.rigs import Rig
from tests.recognition.surgery import Table
from tests.recognition.variants import VARIANTS


def sight_of(character: Character) -> Sight:
    silent = (SILENT,) * len(character.skeleton)
    shape = tidy(as_shape(character, rest_of(character), np.array([0.0, 1.0, 0.0])), silent)
    symmetry = find_symmetry(shape, silent)
    middle = middle_joints(shape, symmetry)
    branches = find_branches(shape, symmetry, middle)
    legs = legs_among(shape, middle, branches, silent)
    arms = limbs_among(shape, [branch for branch in branches if branch not in legs], legs, silent)
    return Sight(shape, middle, legs, arms, (), silent, shape.order[0], symmetry.normal)


def changed(*variants: str) -> Rig:
    rig = known(zoo.body("adult"), "zoo")
    for variant in variants:
        other = VARIANTS[variant](rig, np.random.default_rng(0))
        assert other is not None
        rig = other
    return rig


@pytest.mark.parametrize(
    ("variants", "hands"),
    [
        (("no mesh",), 0.0),
        (("no mesh", "end joints"), 1.0),
        (("no mesh", "no fingers"), -1.0),
    ],
)
def test_hands_tell_whether_tips_are_mere_ends(variants: tuple[str, ...], hands: float) -> None:
    assert sight_of(changed(*variants).character).hands_have_ends == hands


def test_feet_tell_whether_tips_are_mere_ends() -> None:
    found = [
        sight_of(changed("no mesh", *more).character).feet_have_ends for more in (("no toes",), (), ("end joints",))
    ]
    assert found[0] == -1.0
    assert found[0] < found[1] <= found[2] == 1.0


def test_bones_of_the_palm_are_no_ends() -> None:
    table = Table(changed("no mesh"))
    for side in ("left", "right"):
        hand = table.before.joints[f"{side}_hand"]
        for finger in table.children(hand):
            table.put_between(finger, 0.3, f"{table.names[finger]}_metacarpal")
    assert sight_of(table.rig().character).hands_have_ends == 0.0
