"""Gaits without legs: when they begin and end, in numbers that every writer of text knows."""

import json

import pytest

import mummer as mm


@pytest.mark.parametrize("name", ["snake", "ghost", "fish"])
def test_begin_and_end_are_plain_numbers(name: str) -> None:
    clip = mm.perform(mm.zoo.body(name), "walk")
    assert type(clip.start) is float
    assert type(clip.duration) is float
    assert json.loads(json.dumps([clip.start, clip.end])) == [clip.start, clip.end]
