"""Annotations that are proposed: the part that acts, its key times, flights; and a style file that is read again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.cli.app import run
from mummer.clip import Keyed
from mummer.math import quaternion
from mummer.model import annotate, load_model, load_style


@pytest.fixture(scope="module")
def swing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A right arm that goes up within a second, stays for half a second, and comes down; in a file."""
    body = mm.zoo.body("adult")
    arm = body.skeleton.index("right_upper_arm")
    clip = Keyed(body)
    for time, degrees in [(0.0, 0), (1.0, 80), (1.5, 80), (2.5, 0), (3.0, 0)]:
        turn = quaternion.exp(np.radians([0.0, 0.0, -degrees]))
        clip = clip.with_key("right_upper_arm", time, quaternion.multiply(turn, body.default_pose.rotations[arm]))
    path = tmp_path_factory.mktemp("swing") / "swing.glb"
    clip.save(path, rate=60)
    return path


SEEN: dict[str, dict[str, object]] = {
    "jump": {"to": (0.0, 0.0, 0.6)}, "walk": {"to": (0.0, 0.0, 3.0)}, "reach": {"target": (0.3, 1.2, 0.45)},
}  # fmt: skip


def test_part_key_times_and_feet_are_found(swing: Path) -> None:
    found = annotate(swing)
    assert found.part == "right_hand"
    assert 0.9 <= found.key_times["achieve"] <= 1.5
    assert 1.5 <= found.key_times["release"] <= 1.8
    assert found.key_times["settle"] > found.key_times["release"]
    assert {mark.name for mark in found.footsteps} >= {"left_foot heel_down", "right_foot toe_down"}
    assert found.target[1] > 1.0


def test_the_file_that_is_proposed_is_a_style(swing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output, sheet = swing.parent / "mine.toml", swing.parent / "mine.png"
    assert run(["annotate", str(swing), "-o", str(output), "--sheet", str(sheet)]) == 0
    assert "right_hand acts" in capsys.readouterr().out
    assert sheet.stat().st_size > 1000
    style = load_style(output, load_model("reach"))
    assert style.motions[0].file == "swing.glb"
    x, y, z = annotate(swing).target
    action = mm.act("zoo:adult", "reach", style=output, hand="right", target=(x + 0.05, y - 0.05, z))
    assert max(action.misses) < 1e-3


def test_a_list_of_models_and_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "--list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["models"]}
    assert {"reach", "throw", "jump", "peer", "walk", "check_watch", "hammer", "ballistic"} <= set(rows)
    assert rows["throw"]["styles"] == ["overhand", "frisbee_toss", "sidearm", "underhand"]
    assert run(["model", "reach", "zoo:adult", "--set", "target"]) == 2
    assert "expected NAME=VALUE" in capsys.readouterr().err
    assert run(["model", "reach", "zoo:adult", "--style", "none_such"]) == 2
    assert "has no style 'none_such'" in capsys.readouterr().err
    assert run(["model", "reach"]) == 2
    assert "nobody to do reach" in capsys.readouterr().err


def test_what_a_motion_seems_to_be() -> None:
    seen = {name: mm.act("zoo:adult", name, **values).clip for name, values in SEEN.items()}
    assert {name: annotate(clip).model for name, clip in seen.items()} == {name: name for name in SEEN}
