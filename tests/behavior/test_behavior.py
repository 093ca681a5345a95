"""Behaviours and their moments."""

from __future__ import annotations

import pytest

from mummer.behavior import Behavior
from mummer.behavior.behavior import ordered, retimed
from mummer.errors import InputError

SYNCS = {"start": 0.0, "ready": 1.0, "stroke": 2.0, "relax": 3.0, "end": 4.0}


class Still(Behavior):
    def step(self, performer, time, seconds):
        pass


def test_moments_come_in_their_order_whatever_the_order_they_are_given_in():
    found = ordered({"end": 3.0, "mark": 2.0, "stroke": 2.0, "ready": 1.0})
    assert list(found) == ["start", "ready", "stroke", "mark", "end"]


@pytest.mark.parametrize(
    ("syncs", "told"),
    [
        ({"ready": 2.0, "relax": 1.0}, "relax at 1 s is before ready at 2 s"),
        ({"ready": -1.0}, "none below 0"),
        ({"mark": 5.0, "end": 4.0}, "mark at 5 s is after the end at 4 s"),
    ],
)
def test_moments_that_contradict_each_other_are_refused(syncs, told):
    with pytest.raises(InputError, match=told):
        ordered(syncs)


def test_retiming_keeps_shares_between_and_distances_after():
    assert retimed(SYNCS, {"stroke": 4.0}) == {"start": 0.0, "ready": 2.0, "stroke": 4.0, "relax": 5.0, "end": 6.0}
    assert retimed(SYNCS, {"ready": 0.5, "end": 3.5})["relax"] == pytest.approx(2.5)
    assert retimed(SYNCS, {}) == SYNCS


def test_retiming_out_of_order_or_by_an_unknown_moment_is_refused():
    with pytest.raises(InputError, match="out of order: start 0, ready 3, stroke 2"):
        retimed(SYNCS, {"ready": 3.0, "stroke": 2.0})
    with pytest.raises(InputError, match="no sync point 'strok'; closest: 'stroke'"):
        retimed(SYNCS, {"strok": 2.0})


def test_own_time_goes_back_to_how_it_was_made():
    slow = Still(SYNCS).retimed({"stroke": 4.0, "end": 5.0})
    assert [slow.own_time(time) for time in (0.0, 1.0, 4.0, 4.5, 6.0)] == [0.0, 0.5, 2.0, 3.0, 5.0]
    assert slow.share(3.0, "ready", "stroke") == 0.5


def test_what_lasts_until_it_is_stopped_has_no_end():
    endless = Still({"ready": 1.0, "end": float("inf")})
    assert endless.own_time(100.0) == 100.0
    assert endless.retimed({"ready": 2.0}).syncs["end"] == float("inf")
