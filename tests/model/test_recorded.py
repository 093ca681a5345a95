"""Recorded styles: base motions in files, blended in canonical time and bent to exact goals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character.marks import Mark
from mummer.clip import Still
from mummer.ik import WorldState
from mummer.model import load_model, load_style
from mummer.model.key_times import KeyTimes
from mummer.model.recorded import Bound, _strikes, bound_motions

TARGETS = {"low": (-0.3, 0.9, 0.4), "high": (-0.3, 1.5, 0.4), "side": (-0.6, 1.2, 0.2)}


@pytest.fixture(scope="module")
def style(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three reaches of the right hand in files, at different speeds, and a style that names them."""
    folder = tmp_path_factory.mktemp("style")
    text = ['version = 1\nname = "three"\nmodel = "reach"\n']
    for number, (name, target) in enumerate(TARGETS.items()):
        action = mm.act("zoo:adult", "reach", target=target, hand="right", tempo=1.0 + 0.2 * number)
        action.clip.save(folder / f"{name}.glb", rate=30)
        times = ", ".join(f"{key} = {time:.4f}" for key, time in action.key_times)
        text.append(f'[[motion]]\nfile = "{name}.glb"\npart = "right_hand"\nkey_times = {{{times}}}\n')
    (folder / "three.toml").write_text("\n".join(text))
    return folder / "three.toml"


def test_a_wish_between_recordings_is_met(style: Path) -> None:
    action = mm.act("zoo:adult", "reach", target=(-0.35, 1.25, 0.4), hand="right", style=style)
    assert action.style == "three"
    assert max(action.misses) < 1e-3
    assert sum(action.weights.values()) == pytest.approx(1)
    assert len(action.weights) > 1
    where = WorldState(action.body, action.clip.sample([action.key_times["achieve"]])).point("right_hand")[0]
    assert np.allclose(where, (-0.35, 1.25, 0.4), atol=1e-3)


def test_key_times_are_the_mean_by_weight(style: Path) -> None:
    action = mm.act("zoo:adult", "reach", target=(-0.35, 1.25, 0.4), hand="right", style=style)
    motions = {one.name: one for one in bound_motions(action.body, *_both(style))}
    mean = sum(weight * motions[name].key_times["achieve"] for name, weight in action.weights.items())
    assert action.key_times["achieve"] == pytest.approx(mean)


def test_the_goal_of_a_recording_gives_that_recording(style: Path) -> None:
    body = mm.zoo.body("adult")
    motion = next(one for one in bound_motions(body, *_both(style)) if one.name == "high")
    action = mm.act(body, "reach", target=motion.values["target"], hand="right", style=style)
    assert action.weights["high"] > 0.9
    times = np.linspace(0, 1, 9)
    made, shown = (WorldState(body, each.sample(times * each.end)).positions for each in (action.clip, motion.clip))
    assert np.linalg.norm(made - shown, axis=-1).mean() < 0.02


def test_the_other_hand_is_a_mirror_image(style: Path) -> None:
    action = mm.act("zoo:adult", "reach", target=(0.35, 1.25, 0.4), hand="left", style=style)
    assert max(action.misses) < 1e-3
    assert all(name.endswith("mirrored") for name in action.weights)


def test_a_style_swap_keeps_goals_and_values(style: Path) -> None:
    wishes = {"target": (-0.35, 1.25, 0.4), "hand": "right", "position": (1.0, 0.0, 0.5), "orientation": 30}
    wishes["target"] = (0.9, 1.25, 1.0)
    one, other = (mm.act("zoo:adult", "reach", style=each, **wishes) for each in (None, style))
    assert one.values["target"] == other.values["target"] == (0.9, 1.25, 1.0)
    assert max(*one.misses, *other.misses) < 1e-3


def test_on_another_body(style: Path) -> None:
    action = mm.act("zoo:child", "reach", target=(-0.2, 0.75, 0.25), hand="right", style=style)
    assert max(action.misses) < 1e-3


def _both(style: Path):  # type: ignore[no-untyped-def]
    model = load_model("reach")
    return model, load_style(style, model)


def test_a_foot_that_is_on_its_toes_as_a_recording_begins_has_not_come_to_stand() -> None:
    body = mm.zoo.body("adult")
    marks = (
        Mark(0.03, "right_foot toe_down", 0.12), Mark(0.3, "left_foot heel_down", 0.5),
        Mark(0.31, "left_foot toe_down", 0.56), Mark(0.74, "right_foot heel_down", 0.9),
        Mark(0.75, "right_foot toe_down", 1.0),
    )  # fmt: skip
    times = KeyTimes(("start", "end"), (0.0, 1.0))
    motion = Bound("walk", Still(body, body.default_pose, 1.0), times, marks, None, {})
    assert [foot for _, foot in _strikes(motion)] == ["left_foot", "right_foot"]
    tiptoes = tuple(mark for mark in marks if mark.name != "right_foot heel_down")
    assert _strikes(replace(motion, footsteps=tiptoes))[0][1] == "right_foot"
