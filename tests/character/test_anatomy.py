"""Anatomies: look-up, and every inconsistency that they can tell."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import mummer as mm
from mummer.character import Anatomy, Limb, Socket
from mummer.errors import InputError, UnknownNameError
from tests.character.strategies import exactly, human, human_anatomy


def test_a_consistent_anatomy_has_no_problems() -> None:
    skeleton = human()
    anatomy = human_anatomy(skeleton)
    assert anatomy.problems(skeleton) == ()
    assert anatomy.joint("head") == skeleton.index("head")
    assert anatomy.limb("left_arm").tip == skeleton.index("left_hand")
    assert anatomy.limb("left_arm").base == skeleton.index("left_shoulder")
    assert skeleton.index("left_toes") in anatomy.group("left_leg")
    assert anatomy.height == pytest.approx(1.75)
    np.testing.assert_allclose(anatomy.left, [1, 0, 0])


def test_height_is_along_up() -> None:
    anatomy = dataclasses.replace(human_anatomy(human()), up=np.array([0, 0, 2.0]), front=np.array([0, -1.0, 0]))
    assert anatomy.height == pytest.approx(0.3)
    np.testing.assert_allclose(anatomy.up, [0, 0, 1])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda a: a.joint("hed"), "this body has no role 'hed'; closest: 'head'"),
        (lambda a: a.limb("left_arn"), "this body has no limb 'left_arn'; closest: 'left_arm'"),
        (lambda a: a.group("torsoo"), "this body has no group 'torsoo'; closest: 'torso'"),
        (lambda a: a.socket("gripp"), "this body has no socket 'gripp'; closest: 'grip'"),
    ],
)
def test_names_that_are_not_there(ask: Any, message: str) -> None:
    anatomy = dataclasses.replace(human_anatomy(human()), sockets=(Socket("grip", 3),))
    assert anatomy.socket("grip").joint == 3
    with pytest.raises(UnknownNameError) as caught:
        ask(anatomy)
    assert str(caught.value).startswith(message)


def broken(**parts: Any) -> tuple[str, ...]:
    skeleton = human()
    return dataclasses.replace(human_anatomy(skeleton), **parts).problems(skeleton)


def test_each_problem_is_told() -> None:
    skeleton = human()
    good, count = human_anatomy(skeleton), len(skeleton)
    limb = good.limbs[0]
    off = dataclasses.replace(limb, joints=(3, 99))
    gap = dataclasses.replace(limb, joints=(limb.joints[0], limb.joints[2]))
    assert broken(mirror=np.arange(3)) == (f"mirror is for 3 joints; the skeleton has {count}",)
    assert broken(mirror=np.full(count, count)) == ("mirror names a joint outside the skeleton",)
    assert broken(mirror=np.full(count, -1)) == ("mirror names a joint outside the skeleton",)
    assert broken(mirror=np.zeros(count, int)) == ("mirroring a joint twice does not give the joint itself",)
    assert broken(roles={"head": count}) == ("role 'head' names a joint outside the skeleton",)
    assert broken(capabilities={"head": (-1,)}) == ("capability 'head' names a joint outside the skeleton",)
    assert broken(sockets=(Socket("grip", count),)) == ("socket 'grip' names a joint outside the skeleton",)
    both = broken(roles={"head": count}, capabilities={"head": (0,)})
    assert both == ("role 'head' names a joint outside the skeleton",)
    assert broken(groups={"all": range(count - 1)}) == ("the groups do not hold every joint exactly once",)
    assert broken(groups={"all": range(count), "more": (0,)}) == ("the groups do not hold every joint exactly once",)
    assert broken(limbs=(limb, limb)) == ("two limbs have the same name",)
    assert broken(limbs=(off,)) == ("limb 'left_arm' names a joint outside the skeleton",)
    assert broken(limbs=(gap,)) == ("limb 'left_arm' is not a chain of joints",)
    assert broken(front=np.array([0, 1, 1.0])) == ("front is not at right angles to up",)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"front": np.zeros(3)}, "front of an anatomy must be a direction of three numbers"),
        ({"up": np.array([np.inf, 0, 0])}, "up of an anatomy must be a direction of three numbers"),
        ({"up": np.ones(2)}, "up of an anatomy must be a direction of three numbers"),
        ({"bounds": np.zeros((3, 2))}, "bounds of an anatomy has shape (3, 2); expected (2, 3)"),
        ({"mirror": np.zeros((2, 2))}, "mirror of an anatomy has shape (2, 2); expected (any,)"),
    ],
)
def test_bad_anatomies(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=exactly(message)):
        broken(**parts)


def test_bad_limbs() -> None:
    with pytest.raises(InputError, match=exactly("limb 'arm' has no joints")):
        Limb("arm", "arm", "left", 0, (), 1.0)
    with pytest.raises(InputError, match=exactly("limb 'arm' has side 'up'; expected left, right or center")):
        Limb("arm", "arm", "up", 0, (1,), 1.0)  # type: ignore[arg-type]


def test_the_tables_given_can_change_without_harm() -> None:
    roles, groups = {"head": 0}, {"all": [0]}
    anatomy = Anatomy("snake", roles, {}, (), groups, np.zeros(1))  # type: ignore[arg-type]
    roles["tail"] = 0
    groups["all"].append(3)
    assert anatomy.roles == {"head": 0}
    assert anatomy.groups == {"all": (0,)}
    with pytest.raises(ValueError, match="read-only"):
        anatomy.mirror[0] = 1


def test_a_body_does_not_take_an_anatomy_that_names_joints_it_lacks() -> None:
    """Loops over mirror partners and limbs are compiled, and trust them."""
    adult = mm.zoo.body("adult")
    count = len(adult.skeleton)
    wrong: dict[str, dict[str, Any]] = {
        "mirror": {"mirror": np.full(count, count)},
        "role 'hips'": {"roles": {"hips": count}},
        "capability 'foot'": {"capabilities": {"foot": (-1,)}},
        "group 'all'": {"groups": {"all": (count + 3,)}},
    }
    for what, fields in wrong.items():
        anatomy = dataclasses.replace(adult.anatomy, **fields)
        with pytest.raises(InputError, match=f"anatomy of 'adult': {what} names a joint outside the skeleton"):
            adult.replace(anatomy=anatomy)
