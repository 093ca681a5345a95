"""What is heavy is lifted slowly, and thrown no faster than the arm can."""

from __future__ import annotations

import pytest

import mummer as mm
from mummer.character.balance import mass_of
from mummer.model import load_model, load_style
from mummer.model.load import laden
from mummer.model.values import settle

BODY = mm.zoo.body("adult")


def slower(mass: float, tip: str | None = "right_hand") -> float:
    model = load_model("pick_up")
    values = settle(model, load_style(None, model), {"target": (0, 1, 0), "mass": mass}, 1.8)
    return laden(BODY, tip, values)[1]


def test_the_same_work_moves_what_acts_and_what_it_holds() -> None:
    assert slower(0.0) == 1.0
    arm = float(mass_of(BODY).masses[list(BODY.anatomy.group("right_arm"))].sum())
    assert slower(3.0 * arm) == pytest.approx(2.0)
    assert slower(1.0) < slower(5.0)
    assert slower(5.0, tip=None) < slower(5.0)


def test_what_is_heavy_is_lifted_slowly_and_held_as_long_and_no_more_than_it_weighs_is_lifted() -> None:
    light, heavy = (mm.act(BODY, "pick_up", target=(0.2, 0.3, 0.4), mass=mass) for mass in (0.0, 20.0))
    spans = [each.key_times["settle"] - each.key_times["release"] for each in (light, heavy)]
    assert spans[1] > 1.5 * spans[0]
    assert heavy.key_times["achieve"] == pytest.approx(light.key_times["achieve"], abs=1e-6)
    assert heavy.key_times["release"] == pytest.approx(light.key_times["release"], abs=1e-6)
    assert max(heavy.misses) < 1e-3
    lion = mm.act(BODY, "pick_up", target=(0.2, 0.3, 0.4), mass=200.0)
    assert "mass = 200 is not legal and was clipped to" in str(lion.report)
