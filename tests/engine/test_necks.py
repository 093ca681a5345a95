"""How a look is shared out along the necks of a body."""

from __future__ import annotations

import numpy as np

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
