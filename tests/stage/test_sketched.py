"""Actors of a play who are characters, and scripts as actions of a play."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.errors import MalformedFileError, UnknownNameError
from mummer.stage import load_play, play_from_text

TEXT = """version = 1
name = "one"
[[actor]]
name = "ann"
body = "zoo:adult"
{actor}
[[action]]
actor = "ann"
model = "{model}"
{action}
"""


@pytest.fixture(scope="module")
def reach() -> mm.Play:
    return mm.Play("one").actor("ann", "zoo:adult").do("ann", "reach", name="grab", target=(0.25, 1.1, 0.45))


def test_an_actor_who_is_old_takes_his_time_and_still_gets_there(reach: mm.Play) -> None:
    plain, old = reach.cut(), reach.sketched("old_man").cut()
    one, other = plain.done["grab"].action, old.done["grab"].action
    assert other.key_times["achieve"] > 1.5 * one.key_times["achieve"]
    assert max(other.misses) < max(one.misses) + 0.005 + 1e-9
    head = plain.clips["ann"].anatomy.roles["head"]
    heights = [
        mm.world_positions(cut.clips["ann"].body.skeleton, cut.clips["ann"].at(0.0))[head, 1] for cut in (plain, old)
    ]
    assert heights[1] < heights[0] - 0.05


def test_an_edit_is_heard_of_one_action_after_the_sketches(reach: mm.Play) -> None:
    old = reach.sketched("old_man")
    quick = old.changed("grab", edits=("SetDuration {*} REL 0.5", "SetHoldTime {*} REL 0.5"))
    assert quick.cut().done["grab"].action.rough.duration < 0.6 * old.cut().done["grab"].action.rough.duration


def test_who_walks_arrives_however_small_the_steps_of_a_sketch_are() -> None:
    play = mm.Play("go").actor("ann", "zoo:adult").do("ann", "walk", to=(0.0, 0.0, 1.5))
    hips = mm.zoo.body("adult").anatomy.roles["hips"]  # type: ignore[union-attr]
    ends = []
    for each in (play, play.sketched("dejected")):
        clip = each.cut().clips["ann"]
        ends.append(mm.world_positions(clip.body.skeleton, clip.at(clip.end))[hips, [0, 2]])
    assert np.linalg.norm(ends[1] - ends[0]) < 0.15


def test_a_script_is_done_in_a_play_where_the_actor_stands() -> None:
    play = mm.Play("show").actor("ann", "zoo:adult", at=(2.0, 1.0), heading=90).do("ann", "reach_inspect_show")
    clip = play.cut().clips["ann"]
    places = mm.world_positions(clip.body.skeleton, clip.sample(np.linspace(0.0, clip.end, 20)))
    hips, hand = (clip.anatomy.roles[role] for role in ("hips", "right_hand"))
    assert np.abs(places[:, hips, [0, 2]] - [2.0, 1.0]).max() < 0.3
    # It faces +X, so that is where the hand goes.
    assert places[:, hand, 0].max() > 2.35


def test_the_examples_of_the_paper_ship_as_plays() -> None:
    told = {name: load_play(name) for name in ("four_treatments", "three_characters", "three_recoils", "two_dances")}
    assert [part.sketches for part in told["three_characters"].actors] == [("old_man",), ("energetic",), ("dejected",)]
    assert len({doing.model for doing in told["three_recoils"].doings}) == 3
    seconds = [one.duration for one in told["three_recoils"].cut().clips.values()]
    assert min(seconds) > 2.5


@pytest.mark.parametrize(
    ("fields", "line", "what"),
    [
        ({"actor": 'sketch = "old_mann"'}, 6, "closest: 'old_man'"),
        ({"model": "reach_inspect_shw"}, 9, "closest: 'reach_inspect_show'"),
        ({"action": 'edits = ["VaryExtant {*} 1"]'}, 10, "closest: 'VaryExtent'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(fields: dict[str, str], line: int, what: str) -> None:
    with pytest.raises((MalformedFileError, UnknownNameError), match=what) as caught:
        play_from_text(TEXT.format(**{"actor": "", "model": "reach", "action": ""} | fields))
    assert f"line {line}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_somebody_who_is_not_on_stage_is_no_character(reach: mm.Play) -> None:
    with pytest.raises(UnknownNameError, match="closest: 'ann'"):
        reach.sketched("old_man", actor="an")
