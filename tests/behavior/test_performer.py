"""Performers: behaviours started, stepped, told of and stopped."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mummer import behavior
from mummer.behavior import Behavior, Performer, make
from mummer.errors import InputError
from tests.behavior.lacking import lacking


class Marked(Behavior):
    """Does nothing, but has moments, and counts what is called."""

    kind = "marked"

    def __init__(self, syncs):
        super().__init__(syncs)
        self.calls = []

    def begin(self, performer):
        self.calls.append("begin")

    def step(self, performer, time, seconds):
        self.calls.append(time)

    def finish(self, performer):
        self.calls.append("finish")


@pytest.fixture
def adult():
    return Performer("zoo:adult")


def told(performer, steps, seconds=1 / 60):
    return [event for _ in range(steps) for event in performer.step(seconds).events]


def test_each_moment_is_told_once_and_at_its_time(adult):
    marked = Marked({"ready": 0.1, "stroke": 0.1, "relax": 0.25, "end": 0.3})
    running = adult.start(marked, at=0.05)
    events = told(adult, 40)
    assert [event.name for event in events] == ["start", "ready", "stroke", "relax", "end"]
    np.testing.assert_allclose([event.time for event in events], [0.05, 0.15, 0.15, 0.3, 0.35], atol=1e-6)
    assert all(event.running is running for event in events)
    assert running.is_over
    assert marked.calls[0] == "begin"
    assert marked.calls.count("finish") == 1


def test_a_step_longer_than_a_behaviour_tells_all_of_it(adult):
    adult.start(Marked({"stroke": 0.1, "end": 0.2}))
    assert [event.name for event in told(adult, 1, 0.5)] == ["start", "stroke", "end"]


def test_what_is_stopped_tells_no_more(adult):
    running = adult.start(Marked({"stroke": 0.5, "end": 1.0}))
    told(adult, 6)
    adult.stop(running)
    assert told(adult, 80) == []
    assert running.behavior.calls[-1] == "finish"
    assert adult.running == []


def test_a_behaviour_starts_once(adult):
    marked = Marked({"end": 1.0})
    adult.start(marked)
    with pytest.raises(InputError, match="has been started already"):
        adult.start(marked)


def test_a_nod_goes_down_and_comes_back_and_the_eyes_stay(adult):
    adult.gaze.habit = None
    place = tuple(np.array(adult.where(adult)) + np.array([0.0, 0.0, 2.0]))
    told(adult, 1)
    adult.start(make("gaze_shift", adult, target=place))
    told(adult, 60)
    adult.start(make("head", adult, lexeme="nod", amount=1.0))
    head = adult.sight.heads[0]
    pitches, errors = [], []
    for _ in range(50):
        adult.step(1 / 60)
        front = turn_of(adult, head.joint, head.axes[head.joint])
        pitches.append(math.degrees(math.asin(front[1])))
        errors.append(off(adult, head.eyes[0].joint, head.axes[head.eyes[0].joint], place))
    assert min(pitches) < pitches[-1] - 10.0
    assert abs(pitches[-1] - pitches[0]) < 2.0
    assert max(errors) < 1.0


def test_what_a_body_lacks_is_told():
    who = Performer(lacking("adult", "head", "eye"))
    with pytest.raises(InputError, match="has no head, which gaze needs; it has"):
        make("gaze", who, target=(0.0, 1.0, 1.0))


def test_kinds_attributes_and_values_are_checked(adult):
    with pytest.raises(InputError, match="no behaviour 'gaz'; closest: 'gaze'"):
        make("gaz", adult)
    with pytest.raises(InputError, match="gaze needs 'target'"):
        make("gaze", adult)
    with pytest.raises(InputError, match="gaze has no attribute 'targt'; closest: 'target'"):
        make("gaze", adult, targt=1)
    with pytest.raises(InputError, match="no thing or person 'ball'"):
        make("gaze", adult, target="ball")
    with pytest.raises(InputError, match="head has no lexeme 'nodd'; closest: 'nod'"):
        make("head", adult, lexeme="nodd")


def test_a_recording_has_the_poses_and_the_moments(adult):
    adult.start(make("head", adult, lexeme="shake"))
    clip = adult.record(1.0, rate=30)
    assert clip.duration == pytest.approx(1.0)
    assert sorted(mark.name for mark in clip.marks) == sorted(behavior.SYNCS)
    assert "Performer" in behavior.__all__


def turn_of(performer, joint, axis):
    from mummer.math import quaternion

    return quaternion.rotate(np.array(performer.posed.facing(joint)), np.array(axis))


def off(performer, joint, axis, place):
    """Degrees by which what looks misses a place."""
    away = np.array(place) - performer.posed.place(joint)
    return math.degrees(math.acos(min(1.0, float(turn_of(performer, joint, axis) @ away / np.linalg.norm(away)))))
