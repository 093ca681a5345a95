"""The size of a body and the unit of its file, from names and lengths."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.errors import InputError
from mummer.io import units
from mummer.io.body import Body, chain_positions
from mummer.math import quaternion
from mummer.report import ReportBuilder

HUMAN = ("hips", "head", "hand", "thigh", "shin", "foot", "toe")
PARENTS = np.array([-1, 0, 1, 0, 3, 4, 5])


def human(height: float) -> Body:
    """A body ``height`` from foot to head along its joints."""
    places = np.array([[0, 1, 0], [0, 1.7, 0], [0.6, 1.5, 0], [0, 1, 0], [0, 0.5, 0], [0, 0, 0], [0, 0, 0.2]])
    return Body(HUMAN, PARENTS, places[None] * height / 1.7)


def blob(size: float) -> Body:
    return Body(("a", "b"), np.array([-1, 0]), np.array([[[0, 0, 0], [size, 0, 0]]]))


def test_feet_and_heads_are_the_topmost_joints_so_called() -> None:
    body = human(1.7)
    assert (body.feet, body.heads, body.is_human) == ([5], [1], True)
    assert body.size == pytest.approx(1.7)
    assert not blob(1).is_human


@pytest.mark.parametrize("unit", units.UNITS.values())
def test_a_grown_up_is_found_in_every_unit(unit: float) -> None:
    assert units.guess_unit(human(1.6 / unit)) == unit


@pytest.mark.parametrize(("size", "unit"), [(0.85, 1.0), (2.5, 1.0), (85, 0.01), (250, 0.01)])
def test_children_and_giants_in_the_usual_units(size: float, unit: float) -> None:
    assert units.guess_unit(human(size)) == unit


@pytest.mark.parametrize(("size", "unit"), [(0.2, 1.0), (5, 1.0), (20, 0.01), (500, 0.01), (3000, 0.001), (0, 0.01)])
def test_other_bodies(size: float, unit: float) -> None:
    assert units.guess_unit(blob(size)) == unit


def test_unit_names() -> None:
    assert units.unit_name(0.01) == "centimetres"
    assert units.unit_name(0.3) == "units of 0.3 m"


def test_leg_directions() -> None:
    assert human(1.7).leg_directions().tolist() == [[[0, 1, 0]]]
    assert blob(1).leg_directions().shape == (1, 0, 3)


def test_chain_positions_agree_with_the_step_by_step_product() -> None:
    rng = np.random.default_rng(5)
    parents = np.array([-1, 0, 0, 2, 1, -1, 5, 3])
    rotations, translations = quaternion.random(rng, (3, 8)), rng.normal(size=(3, 8, 3))
    found = chain_positions(parents, rotations, translations)
    for joint in range(8):
        place, above = translations[:, joint], int(parents[joint])
        while above >= 0:
            place = translations[:, above] + quaternion.rotate(rotations[:, above], place)
            above = int(parents[above])
        assert np.allclose(found[:, joint], place, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("said", "length"),
    [
        ("cm", 0.01),
        ("Centimeters", 0.01),
        ("metre", 1.0),
        ("inch", 0.0254),
        ("in", 0.0254),
        ("ft", 0.3048),
        ("0.5", 0.5),
        (2, 2.0),
    ],
)
def test_units_are_known_by_many_names(said: str | float, length: float) -> None:
    assert units.unit_length(said) == length


@pytest.mark.parametrize(
    ("said", "meant"),
    [("furlong", "; choose m, cm"), ("metrs", "did you mean metres"), (-1.0, "choose"), ("nan", "choose")],
)
def test_other_units_list_the_choices(said: str | float, meant: str) -> None:
    with pytest.raises(InputError, match=meant):
        units.unit_length(said)


def test_a_guess_says_what_it_makes_of_the_body() -> None:
    report = ReportBuilder()
    units.guess_unit(human(165), report)
    told = "guessed: lengths are in centimetres, which makes the body 1.65 m from foot to head; --unit or unit= says"
    assert str(report.build()).startswith(told)
