"""Styles made of other styles: tweaked, with goals of their own; and footfalls that are moved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.clip.analysis.feet import known_feet
from mummer.errors import MalformedFileError
from mummer.ik import WorldState, handle
from mummer.model import load_model, load_style
from mummer.model.style import style_from_text
from mummer.model.tweak import Tweak, moved_footfall

WAVING = """
version = 1
name = "nodding"
model = "reach"
like = "performed"

[[tweak]]
at = 1.5
part = "head"
turn = [30, 0, 0]

[[goal]]
kind = "keep"
part = "right_hand"
to = "hips"
during = ["start", "end"]
"""
TARGET = {"target": (0.3, 1.2, 0.45), "hand": "left"}


def test_a_style_like_another_bends_all_of_its_motions_and_keeps_every_goal() -> None:
    style = style_from_text(WAVING)
    plain, tweaked = (mm.act("zoo:adult", "reach", style=each, **TARGET) for each in (None, style))
    assert style.motions == load_style(None, load_model("reach")).motions
    assert max(tweaked.misses) < 1e-3
    assert tweaked.values["target"] == plain.values["target"] == TARGET["target"]
    assert dict(tweaked.key_times) == dict(plain.key_times)
    head = plain.body.anatomy.roles["head"]
    times = plain.key_times.seconds([1.5, 0.0])
    turns = [WorldState(each.body, each.rough.sample(times)).rotations[:, head] for each in (plain, tweaked)]
    assert 2 * np.degrees(np.arccos(abs(turns[0][0] @ turns[1][0]))) == pytest.approx(30, abs=4)
    assert abs(turns[0][1] @ turns[1][1]) == pytest.approx(1.0)


def test_a_goal_of_a_style_keeps_a_hand_where_it_was_on_the_body() -> None:
    action = mm.act("zoo:adult", "reach", style=style_from_text(WAVING), **TARGET)
    assert "together right_hand hips+" in [row["name"] for row in action.facts()["invariants"]]
    state = WorldState(action.body, action.clip.sample(np.linspace(0.0, action.clip.end, 12)))
    roles = action.body.anatomy.roles
    apart = np.linalg.norm(state.positions[:, roles["right_hand"]] - state.positions[:, roles["hips"]], axis=1)
    assert np.ptp(apart) < 2e-3


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ('like = "performed"', 'like = "performd"', r"a.toml: line 5, like: .*closest: 'performed'"),
        ('like = "performed"', "", "expected base motions, one or more, or another style"),
        ("at = 1.5", "at = 9.5", r"tweak\[0\]: canonical time 9.5; expected 0 to 4"),
        ('to = "hips"', "", r"goal\[0\].to: a goal of kind keep; expected the other part"),
    ],
)
def test_a_bad_style_of_a_style_is_told_with_its_place(old: str, new: str, match: str) -> None:
    with pytest.raises(MalformedFileError, match=match):
        style_from_text(WAVING.replace(old, new), Path("a.toml"))


def test_moving_a_foot_that_stands_moves_its_whole_footfall() -> None:
    action = mm.act("zoo:adult", "reach", **TARGET)
    by = np.array([0.1, 0.0, 0.15])
    goals = moved_footfall(action.body, action.invariants, action.key_times, Tweak(1.5, "left_foot", move=tuple(by)))
    assert goals is not None
    heel = next(foot.heel for foot in known_feet(action.body) if foot.name == "left_foot")
    feet = {heel, *action.body.skeleton.descendants(heel)}
    for old, new in zip(action.invariants, goals, strict=True):
        joints = {action.body.anatomy.roles.get(str(point), point) for point in old.points}
        moved = by if {getattr(joint, "part", joint) for joint in joints} & {*feet, "left_foot"} else 0.0
        if hasattr(old, "at"):
            np.testing.assert_allclose(np.asarray(new.at) - np.asarray(old.at), np.zeros(3) + moved)
    assert moved_footfall(action.body, action.invariants, action.key_times, Tweak(1.5, "head", move=(0, 0, 1))) is None


def test_what_touches_is_a_point_of_a_part() -> None:
    action = mm.act("zoo:adult", "reach", target=(0.3, 1.2, 0.45), by="right_hand@0,-0.1,0")
    point = action.values["by"]
    there = WorldState(action.body, action.clip.sample([action.key_times["achieve"]])).point(point)[0]
    assert np.linalg.norm(there - (0.3, 1.2, 0.45)) < 1e-3
    hand = mm.act("zoo:adult", "reach", target=(0.3, 1.2, 0.45), by="left_hand")
    palm = handle(hand.body, "left_hand")
    there = WorldState(hand.body, hand.clip.sample([hand.key_times["achieve"]])).point(palm)[0]
    assert np.linalg.norm(there - (0.3, 1.2, 0.45)) < 1e-3
