"""Where a body reaches that nobody told where: in front of it, out of the ground, and mirrored for the other side."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.general.animation import TargetPlace
from mummer.general.context import select
from mummer.general.context_limbs import swing_length, walk_limb
from mummer.general.default_target import LOWEST, default_target
from mummer.general.physique import Physique
from mummer.general.variants import Variant
from mummer.math import quaternion
from tests.general.bodies import physique

KINDS: tuple[TargetPlace, ...] = ("reach", "far", "ground", "above")


def target(body: Physique, joint: int, kind: TargetPlace) -> np.ndarray:
    """In character space."""
    found = default_target(body, Variant("", (), (joint,), False), kind)
    return quaternion.rotate(quaternion.conjugate(body.axes), found - body.origin)


def shoulder(body: Physique, joint: int) -> np.ndarray:
    return body.positions[walk_limb(body, [joint], "shoulder")[0]]


@pytest.mark.parametrize("name", ["adult", "child"])
def test_hands_find_what_they_reach_for(name: str) -> None:
    body = physique(name)
    left, right = (body.anatomy.roles[f"{side}_hand"] for side in ("left", "right"))
    arm, base = swing_length(body, left), shoulder(body, left)
    found = {kind: target(body, left, kind) for kind in KINDS}
    for kind in KINDS:
        np.testing.assert_allclose(target(body, right, kind), found[kind] * [-1.0, 1.0, 1.0], atol=0.01 * body.height)
        assert found[kind][0] > 0.0
        assert found[kind][2] > base[2]
        assert found[kind][1] >= LOWEST * body.height - 1e-12
    for kind in ("reach", "above"):
        assert 0.7 * arm < np.linalg.norm(found[kind] - base) < arm
    assert found["ground"][1] < 0.5 * found["reach"][1] < found["reach"][1] < base[1] < found["above"][1]
    assert np.linalg.norm(found["ground"] - base) > arm
    # Far is farther than the body is tall, and about as high as its head.
    head = body.positions[body.anatomy.roles["head"]]
    assert np.linalg.norm(found["far"] - head) > body.height
    assert abs(found["far"][1] - head[1]) < 0.25 * body.height


@pytest.mark.parametrize("name", ["dog", "horse", "snake"])
def test_mouths_find_what_they_reach_for(name: str) -> None:
    body = physique(name)
    head = select(body, "head")[0]
    base = body.positions[body.limb_bases[head]]
    found = {kind: target(body, head, kind) for kind in KINDS}
    length = float(np.linalg.norm(body.positions[head] - base))
    for kind in KINDS:
        assert found[kind][1] >= LOWEST * body.height - 1e-12
        assert found[kind][2] > base[2]
    for kind in ("reach", "above"):
        assert np.linalg.norm(found[kind] - body.positions[head]) < 2.5 * max(length, 0.1 * body.height)
    assert found["ground"][1] <= found["reach"][1] < found["above"][1]
    assert found["ground"][1] < 0.3 * body.height
    assert np.linalg.norm(found["far"] - body.positions[head]) > body.height
    # Whoever plays nothing looks with the head.
    nobody = default_target(body, Variant("", (), (), False), "far")
    np.testing.assert_allclose(nobody, default_target(body, Variant("", (), (head,), False), "far"))
