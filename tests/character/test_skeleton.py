"""Skeletons: order, names, look-up, and every way to get one wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import Skeleton, parent_first_order, unique_names
from mummer.errors import InputError, UnknownNameError
from tests.character.strategies import exactly, generators, human, law, skeletons


@law
@given(generators, st.integers(1, 30))
def test_any_order_of_a_tree_is_sorted(rng: np.random.Generator, count: int) -> None:
    tree = [-1] + [int(rng.integers(0, joint)) for joint in range(1, count)]
    shuffle = rng.permutation(count)  # new place -> old joint
    place = np.argsort(shuffle)
    parents = [-1 if tree[old] < 0 else int(place[tree[old]]) for old in shuffle]
    offsets = rng.normal(size=(count, 3))
    skeleton, order = Skeleton.sorted([f"j{old}" for old in shuffle], parents, offsets)
    assert sorted(order.tolist()) == list(range(count))
    np.testing.assert_array_equal(skeleton.rest_translations, offsets[order])
    for name, parent in zip(skeleton.names, skeleton.parents, strict=True):
        assert tree[int(name[1:])] == (-1 if parent < 0 else int(skeleton.names[parent][1:]))


def test_an_order_that_is_right_is_kept() -> None:
    assert parent_first_order([-1, 0, 0, 1, -1]).tolist() == [0, 1, 2, 3, 4]
    assert parent_first_order([1, -1, 1]).tolist() == [1, 0, 2]
    assert Skeleton.sorted("ab", [-9, 0], np.zeros((2, 3)))[0].parents.tolist() == [-1, 0]


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ([0], "joint 0 hangs from itself: the parents form a loop"),
        ([-1, 2, 1], "joint 1 hangs from itself: the parents form a loop"),
        ([1, 2, 1], "joint 1 hangs from itself: the parents form a loop"),
        ([-1, 7], "a parent index is 7, but there are only 2 joints"),
    ],
)
def test_loops_and_strays(parents: list[int], message: str) -> None:
    with pytest.raises(InputError, match=exactly(message)):
        parent_first_order(parents)


@law
@given(st.lists(st.sampled_from(["a", "b", "a#2", "a#3", "joint1", "", None])))
def test_unique_names_are_unique_and_keep_the_first(names: list[str | None]) -> None:
    unique = unique_names(names)
    assert len(set(unique)) == len(names)
    for place, name in enumerate(names):
        if name and name not in names[:place]:
            assert unique[place].startswith(name)


@law
@given(skeletons(roots=3))
def test_family_ties(skeleton: Skeleton) -> None:
    for joint in range(len(skeleton)):
        above = skeleton.ancestors(joint)
        assert len(above) == skeleton.depths[joint]
        assert all(joint in skeleton.descendants(ancestor) for ancestor in above)
        assert all(skeleton.parents[child] == joint for child in skeleton.children[joint])
        top = above[-1] if above else joint
        assert top in skeleton.roots
        assert skeleton.chain(top, joint) == (*reversed(above), joint)
        assert skeleton.index(skeleton.names[joint]) == joint
        assert skeleton.names[joint] in skeleton
    assert skeleton.same_as(skeleton)


def test_looking_up() -> None:
    skeleton = human()
    assert skeleton.indices(["head", "hips"]).tolist() == [4, 0]
    with pytest.raises(UnknownNameError, match="'human' has no joint 'left_hnad'; closest: 'left_hand'"):
        skeleton.index("left_hnad")
    with pytest.raises(InputError, match=exactly("'head' does not stand above 'hips'")):
        skeleton.chain(4, 0)


def test_look_up_is_by_hash() -> None:
    # A search along the names would be asked for once per joint and frame.
    skeleton = human()
    assert isinstance(skeleton._index_by_name, dict)
    assert skeleton._index_by_name is skeleton._index_by_name


def test_same_as_sees_differences() -> None:
    skeleton = human()
    assert skeleton.same_as(Skeleton(skeleton.names, skeleton.parents, skeleton.rest_translations + 1e-12))
    assert not skeleton.same_as(Skeleton(skeleton.names, skeleton.parents, skeleton.rest_translations + 1e-3))
    turned = np.tile([0, 0, np.sqrt(0.5), np.sqrt(0.5)], (len(skeleton), 1))
    assert not skeleton.same_as(Skeleton(skeleton.names, skeleton.parents, skeleton.rest_translations, turned))


def test_scale_noise_counts_as_none() -> None:
    noisy = Skeleton("a", [-1], np.zeros((1, 3)), None, np.full((1, 3), 1 + 1e-7))
    assert noisy.is_rigid
    assert not Skeleton("a", [-1], np.zeros((1, 3)), None, np.full((1, 3), 1.001)).is_rigid


OWN = "skeleton 'skeleton'"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((), [], np.zeros((0, 3))), "skeleton 'skeleton' has no joints; expected at least one"),
        (("ab", [-1], np.zeros((2, 3))), "parents of skeleton 'skeleton' has shape (1,); expected (2,)"),
        (("ab", [[-1, 0]], np.zeros((2, 3))), "parents of skeleton 'skeleton' has shape (1, 2); expected (2,)"),
        (("ab", [-1, 0], np.zeros((3, 3))), f"rest_translations of {OWN} has shape (3, 3); expected (2, 3)"),
        (("a", [-1], [[np.nan, 0, 0]]), f"rest_translations of {OWN} holds 1 value that are not finite numbers"),
        (("a", [-1], np.zeros((1, 3)), np.zeros((1, 4))), "rest rotation of joint 'a' has length 0; expected 1"),
        (
            ("ab", [-1, 1], np.zeros((2, 3))),
            f"joint 'b' (index 1) of {OWN} has parent 1; expected -1 or a smaller index (use Skeleton.sorted)",
        ),
        (("aa", [-1, 0], np.zeros((2, 3))), "skeleton 'skeleton' has two joints called 'a'; see unique_names"),
    ],
)  # fmt: skip
def test_bad_skeletons(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=exactly(message)):
        Skeleton(*arguments)  # type: ignore[arg-type]


def test_sorted_needs_a_name_for_every_parent() -> None:
    with pytest.raises(InputError, match=exactly("skeleton 'skeleton' is given 1 names but 2 parents")):
        Skeleton.sorted("a", [-1, 0], np.zeros((2, 3)))


def test_nothing_can_be_written_to() -> None:
    offsets = np.zeros((1, 3))
    skeleton = Skeleton("a", [-1], offsets)
    offsets[0] = 5
    assert not skeleton.rest_translations.any()
    for name in ("parents", "rest_translations", "rest_rotations", "rest_scales", "depths"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(skeleton, name)[0] = 1
