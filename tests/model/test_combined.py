"""Combinations: models made of others, with the parameters and invariants of all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.errors import InputError, MalformedFileError, UnknownNameError
from mummer.ik import Aim, WorldState
from mummer.math import quaternion
from mummer.model import load_model, style_names
from mummer.model.action import MET, TURNED
from mummer.model.model import model_from_text
from mummer.model.timing import jumps_of
from mummer.stage import Director, Play

TWO = """
version = 1
name = "wave and step"

[[layer]]
model = "walk"

[[layer]]
model = "reach"
with = "walk.go"
key = "achieve"
as = {target = "rail"}
"""


@pytest.mark.parametrize("body", ["adult", "dog", "spider", "bird"])
def test_all_invariants_of_all_layers_are_met_and_nothing_jumps(body: str) -> None:
    whole = mm.load(f"zoo:{body}")
    height = whole.anatomy.height if whole.anatomy is not None else 1.0
    action = mm.act(whole, "preen", mirror=(0.1 * height, 0.8 * height, 1.3 * height))
    assert not action.report.of("missed")
    assert max(action.misses) < min(MET, TURNED)
    aims = [goal.interval or (0.0, 0.0) for goal in action.invariants if isinstance(goal, Aim)]
    # Who has no neck turns all of itself.
    assert len(aims) == ("neck" in action.clip.anatomy.roles)
    assert all(begin == pytest.approx(action.key_times["achieve"]) for begin, _ in aims)
    assert jumps_of(action.clip) < 0.03
    assert action.clip.start == 0.0
    # It comes back to where it began.
    first, last = (WorldState(whole, action.clip.sample([time])).positions[0] for time in (0.0, action.clip.end))
    assert np.linalg.norm(last - first, axis=1).max() < 0.02 * height


def test_parameters_are_the_union_of_those_that_layers_leave_open() -> None:
    model = load_model("preen")
    assert [each.name for each in model.parameters] == ["position", "orientation", "tempo", "hand", "mirror"]
    assert style_names(model)[0] == "performed"
    assert {"stealthy", "normal", "fast"} <= set(style_names(model))
    with pytest.raises(UnknownNameError, match="model 'preen' has no parameter 'target'"):
        mm.act("zoo:adult", "preen", target=(0, 1, 1))


def test_each_group_is_driven_by_the_layer_that_needs_it_and_additions_lie_on_top() -> None:
    alone, both = (
        mm.act("zoo:adult", name, **said)
        for name, said in (
            ("stroke_hair", {"duration": 1.1, "hand": "left"}),
            ("preen", {"mirror": (0, 1.6, 2.0), "hand": "left"}),
        )
    )
    roles = both.clip.anatomy.roles
    middle, then = (float(each) for each in (alone.key_times.seconds(1.5), 0.9 + alone.key_times.seconds(1.5)))
    hands = []
    for clip, time in ((alone.clip, middle), (both.clip, then)):
        state = WorldState(clip.body, clip.sample([time]))
        away = state.positions[0, roles["left_hand"]] - state.positions[0, roles["head"]]
        hands.append(quaternion.rotate(quaternion.conjugate(state.rotations[0, roles["head"]]), away))
    # The hand is where it is on the head, though head and chest are elsewhere.
    np.testing.assert_allclose(hands[0], hands[1], atol=0.02)
    leans = mm.act("zoo:adult", "lean")
    bent = [each.rough.at(each.key_times["achieve"]).rotations[roles["chest"]] for each in (leans, both)]
    assert quaternion.angle_between(*bent) < 1e-3


def test_a_place_that_is_clipped_in_a_layer_is_clipped_in_all_and_said() -> None:
    action = mm.act("zoo:adult", "preen", mirror=(0, 1.5, -2.0))
    assert "mirror" in action.values.clips
    assert "mirror = 0,1.5,-2 is not legal and was clipped to" in str(action.report)


def test_layers_go_along_with_who_goes_somewhere() -> None:
    model = model_from_text(TWO)
    action = mm.act("zoo:adult", model, to=(0, 0, 2.0), rail=(0.4, 1.1, 0.3), hand="left")
    assert not action.report.of("missed")
    plain = mm.act("zoo:adult", "walk", to=(0, 0, 2.0))
    end = WorldState(action.body, action.clip.sample([action.clip.end])).positions[0]
    assert end[0, 2] == pytest.approx(WorldState(action.body, plain.clip.sample([plain.clip.end])).positions[0, 0, 2],
                                      abs=0.02)  # fmt: skip


def test_a_combination_is_an_action_of_plays() -> None:
    director = Director()
    play = Play("vain").actor("ann", "zoo:adult").prop("glass", "cube", at=(0, 1.5, 1.2), size=0.2)
    cut = director.cut(play.do("ann", "preen", name="look", mirror="glass").do("ann", "nod"))
    assert cut.done["look"].key_times["achieve"] == pytest.approx(0.9)
    assert not cut.report.of("missed")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'model = "reach"',
            'model = "rech"',
            r"line 9, layer\[1\]\.model: mummer has no model .rech.; closest: .reach.",
        ),
        ('with = "walk.go"', 'with = "wolk.go"', r"line 10, layer\[1\]\.with: .* no earlier layer 'wolk'"),
        ('with = "walk.go"', 'with = "walk.gone"', r"layer\[1\]\.with: .* no key time 'gone'"),
        ('key = "achieve"', 'key = "achived"', r"layer\[1\]\.key: .* no key time"),
        ("as = {target", "as = {targt", r"layer\[1\]\.as: .* no parameter 'targt'"),
        (
            '{target = "rail"}',
            '{target = "rail", look = "tempo"}',
            r"layer\[1\]\.model: tempo of reach is another",
        ),
        (
            'name = "wave and step"',
            'name = "x"\nlike = "reach"',
            r"line 4, like: a combination has those",
        ),
        ('model = "reach"', 'model = "preen"', r"layer\[1\]\.model: preen is made of layers itself"),
    ],
)
def test_a_bad_combination_names_file_line_and_field(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TWO.replace(old, new))
    with pytest.raises((MalformedFileError, InputError), match=message):
        load_model(path)
