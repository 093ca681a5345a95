"""Model and style files: what they may hold, and errors that name file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from mummer.errors import InputError, MalformedFileError, UnknownNameError
from mummer.ik.body_point import BodyPoint
from mummer.model import Parameter, load_model, load_style, model_names, style_names
from mummer.model.model import model_from_text
from mummer.model.style import style_from_text
from mummer.model.values import settle

MODEL = """
version = 1
name = "lob"
key_times = ["start", "release", "end"]

[[parameter]]
name = "apex"
type = "scalar"
default = 0.5
least = 0.1
most = 2
scale = "height"
excludes = ["speed"]

[[parameter]]
name = "speed"
type = "scalar"
"""


def test_every_model_of_the_library_has_a_performed_style() -> None:
    for name in model_names():
        model = load_model(name)
        assert model.description
        for part in [each.model for each in model.layers] or [model]:
            assert load_style(None, part).is_performed
        for style in style_names(model):
            assert load_style(style, model).model == name


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [
        ("position", "0.3,1.2,0.5", (0.3, 1.2, 0.5)),
        ("boolean", "yes", True),
        ("scalar", "2", 2.0),
        ("handle", "left_hand@0,0.05,0", BodyPoint("left_hand", (0, 0.05, 0))),
        ("trajectory", "0,0 0,2", ((0, 0, 0), (0, 0, 2))),
    ],
)
def test_values_are_read_from_text(kind: str, given: str, value: object) -> None:
    assert Parameter("one", kind).read(given) == value  # type: ignore[arg-type]


def test_an_orientation_is_degrees_to_the_left() -> None:
    assert Parameter("one", "orientation").read(90) == pytest.approx((0, 0.5**0.5, 0, 0.5**0.5))


@pytest.mark.parametrize(
    ("kind", "given"), [("position", "1,2"), ("boolean", "maybe"), ("scalar", "nan"), ("trajectory", "1,2")]
)
def test_values_that_cannot_be_read(kind: str, given: str) -> None:
    with pytest.raises(InputError, match=f"one = {given}: expected"):
        Parameter("one", kind).read(given)  # type: ignore[arg-type]


def test_bounds_count_in_heights_and_clipping_is_kept(tmp_path: Path) -> None:
    model = model_from_text(MODEL)
    style = style_from_text('version = 1\nname = "a"\nmodel = "lob"\n[[motion]]\nperform = "throw"', None, model)
    values = settle(model, style, {"apex": 9}, height=2.0)
    assert values["apex"] == 4.0
    assert values.clips == {"apex": (9.0, 4.0)}
    assert not values.has("speed")
    assert settle(model, style, {}, height=2.0)["apex"] == 1.0
    with pytest.raises(InputError, match="apex and speed exclude each other"):
        settle(model, style, {"apex": 1, "speed": 2}, height=2.0)


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ('type = "scalar"\ndefault', 'type = "scaler"\ndefault', r"lob.toml: line 8, parameter\[0\].type"),
        ('excludes = ["speed"]', 'excludes = ["sped"]', r"line 13, parameter\[0\].excludes: .*closest: 'speed'"),
        ("default = 0.5", 'default = "much"', r"line 9, parameter\[0\].default: apex = much: expected a number"),
        ("least = 0.1", "leest = 0.1", r"unknown field `leest`; closest: 'least'"),
    ],
)
def test_a_bad_model_names_file_line_and_field(old: str, new: str, match: str) -> None:
    with pytest.raises(MalformedFileError, match=match):
        model_from_text(MODEL.replace(old, new), Path("lob.toml"))


def test_a_bad_style_names_file_line_and_field() -> None:
    text = 'version = 1\nname = "a"\nmodel = "reach"\n[[motion]]\nfile = "a.bvh"\nkey_times = {achive = 1.0}\n'
    with pytest.raises(MalformedFileError, match=r"a.toml: line 6, motion\[0\].key_times: .*closest: 'achieve'"):
        style_from_text(text, Path("a.toml"))
    with pytest.raises(UnknownNameError, match="has no model 'reech'; closest: 'reach'"):
        load_model("reech")
