"""Humans that chance has built of joints alone, without names or a surface."""

from __future__ import annotations

import pytest

from mummer.recognition import recognize
from tests.recognition.made_humans import made_human
from tests.recognition.rigs import judge


def share_right(seeds: range) -> float:
    """The part that is wholly right; no side may be wrong with confidence."""
    right = 0
    for seed in seeds:
        rig = made_human(seed)
        wrong, swapped = judge(rig, recognize(rig.character, ignore_names=True))
        assert not swapped, rig.file
        right += not wrong
    return right / len(seeds)


def test_made_humans_are_mostly_known() -> None:
    assert share_right(range(40)) >= 0.85


@pytest.mark.slow
def test_many_made_humans() -> None:
    assert share_right(range(1000, 1400)) >= 0.85


def test_the_same_seed_makes_the_same_body() -> None:
    one, other = made_human(5), made_human(5)
    assert one.joints == other.joints
    assert (one.character.skeleton.rest_translations == other.character.skeleton.rest_translations).all()
