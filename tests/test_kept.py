"""What is made of a body is made once, and does not outlive it."""

from __future__ import annotations

import gc
import weakref

import mummer as mm
from mummer.general import physique_of
from mummer.general.part_frames import part_frames
from mummer.kept import kept


def test_made_once_for_each_owner_and_option() -> None:
    made: list[tuple[object, int]] = []

    class Owner:
        pass

    @kept
    def something(owner: Owner, number: int) -> int:
        made.append((owner, number))
        return number + 1

    one, two = Owner(), Owner()
    assert [something(one, 1), something(one, 1), something(one, 2), something(two, 1)] == [2, 2, 3, 2]
    assert made == [(one, 1), (one, 2), (two, 1)]


def test_a_body_is_forgotten_with_what_was_made_of_it() -> None:
    creature = mm.zoo.random_creature(9)
    assert physique_of(creature) is physique_of(creature)
    assert part_frames(physique_of(creature)) is part_frames(physique_of(creature))
    gone = weakref.ref(creature)
    del creature
    gc.collect()
    assert gone() is None
