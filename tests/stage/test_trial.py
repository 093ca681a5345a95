"""Every timing of the way into an action, tried from a row of others."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import mummer as mm
from mummer.cli.app import app
from mummer.stage import trials
from mummer.stage.durations import shipped
from mummer.stage.timing import SHORTEST, TIMINGS


def test_each_timing_is_what_it_says() -> None:
    nod = mm.act("zoo:adult", "nod")
    found = {each.start: each for each in trials("zoo:adult", nod, starts=["stand", "squat", "wave"])}
    assert list(found) == ["stand", "squat", "wave"]
    for each in found.values():
        assert tuple(each.seconds) == TIMINGS
        assert each.seconds["constant"] == pytest.approx(nod.key_times["achieve"])
        assert each.seconds["fast"] <= min(each.seconds.values())
    assert found["squat"].seconds["learned"] > found["stand"].seconds["learned"]
    legal = trials("zoo:adult", nod, starts=["squat"], join="fastest-legal")[0]
    assert max(legal.hurry.values()) <= 1


def test_slower_limits_make_more_haste_of_the_same_way() -> None:
    known = shipped()
    slow = type(known)(**{**vars(known), "limits": {name: 0.01 * limit for name, limit in known.limits.items()}})
    (usual,), (hurried,) = (trials("zoo:adult", "nod", starts=["squat"], durations=each) for each in (known, slow))
    assert hurried.hurry["constant"] == pytest.approx(100 * usual.hurry["constant"])
    assert hurried.seconds["fast"] > usual.seconds["fast"] >= SHORTEST


def test_the_command_prints_a_row_a_start() -> None:
    run = CliRunner().invoke(app, ["model", "nod", "zoo:dog", "--transitions", "--json"])
    assert run.exit_code == 0, run.output
    rows = json.loads(run.output)["transitions"]
    assert len(rows) == 8
    assert set(rows[0]["seconds"]) == set(TIMINGS)
