"""How a look is shared out along the necks of a body."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.engine.necks import necks_table
from mummer.general import physique_of


def test_each_of_several_heads_has_a_neck_of_its_own() -> None:
    necks = necks_table(physique_of(mm.zoo.body("two_headed")))
    assert len(necks.head) > 1
    seen: list[int] = []
    for head, first, number in zip(necks.head, necks.first, necks.number, strict=True):
        joints, shares = necks.joints[first : first + number], necks.shares[first : first + number]
        assert joints[-1] == head
        np.testing.assert_allclose(shares.sum(), 1.0)
        seen += joints.tolist()
    assert sorted(seen) == sorted(set(seen))
    assert len(seen) == len(necks.joints)


@pytest.mark.parametrize(
    ("name", "bends"),
    [
        ("adult", ["neck", "head"]),
        ("horse", ["neck", "neck_2", "head"]),
        ("snake", ["neck", "neck_2", "head"]),
        ("fish", ["spine", "chest", "head"]),
    ],
)
def test_a_look_is_shared_by_the_whole_neck_and_not_by_the_trunk_below_it(name: str, bends: list[str]) -> None:
    body = mm.zoo.body(name)
    necks = necks_table(physique_of(body))
    assert [body.skeleton.names[joint] for joint in necks.joints] == bends
    assert np.all(np.diff(necks.shares) > 0.0)
    assert necks.shares.sum() == pytest.approx(1.0)
