"""Where a body looks: signs that follow from where its head is are worth as much as that is sure."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mummer import zoo
from mummer.recognition.facing import find_facing
from mummer.recognition.look import look
from mummer.recognition.reading import SILENT


@pytest.mark.parametrize("name", ["fish", "snake"])
def test_a_body_whose_head_may_be_its_tail_has_no_sure_sides(name: str) -> None:
    body = zoo.body(name)
    silent = (SILENT,) * len(body.skeleton)
    plan, _ = look(body, silent)
    found = []
    for chance in (0.5, 0.75, 1.0):
        trunk = dataclasses.replace(plan.trunk, line_chance=chance)
        found.append(find_facing(plan.shape, plan.symmetry.normal, trunk, [], [], (), [], silent))
    assert all(np.array_equal(each.front, found[0].front) for each in found)
    assert found[0].confidence < 0.5 < found[2].confidence
    assert found[0].sure < found[1].sure < found[2].sure == pytest.approx(found[2].shape)
