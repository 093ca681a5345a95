"""Names for prims: always allowed, always different."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from mummer.io.usd.names import identifiers

NAMES = st.lists(st.text(st.sampled_from("ab#_2: é"), max_size=5), max_size=12)


@given(names=NAMES)
def test_identifiers_are_allowed_and_unique(names: list[str]) -> None:
    made = identifiers(names)
    assert len(made) == len(set(made)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) for name in made)


@given(names=NAMES)
def test_taken_names_are_left_alone(names: list[str]) -> None:
    assert not {"Skeleton", "a"} & set(identifiers(names, taken=("Skeleton", "a")))


def test_names_that_are_fine_stay() -> None:
    assert identifiers(["Hips", "left_arm2"]) == ("Hips", "left_arm2")
