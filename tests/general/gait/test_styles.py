"""Styles: text files, parameters by speed, layers with weights."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from mummer.errors import InputError, MalformedFileError, UnknownNameError
from mummer.general.gait import make_style, parse_style, read_style, style_names

WALK = read_style("walk")
LAYER = 'version = 1\nname = "high"\nlayer = true\n[[at]]\nspeed = 0.0\nlift = 0.5\n'


@pytest.mark.parametrize("name", style_names())
def test_every_style_of_the_library_is_whole(name: str) -> None:
    style = make_style(name)
    speeds = np.linspace(0, 3, 40)
    given = style.parameters(speeds)
    assert np.all((given["duty"] > 0.15) & (given["duty"] < 0.95))
    assert np.all(given["lift"] > 0)
    assert np.all(np.isfinite(style.flight))
    # A flight begins where the foot is and ends where it lands.
    np.testing.assert_allclose(style.flight[0, :2], 0, atol=1e-12)
    np.testing.assert_allclose(style.flight[-1, :2], [1, 0], atol=1e-12)
    assert read_style(name).description


def test_parameters_go_straight_between_speeds() -> None:
    given = make_style("walk").parameters(np.array([0.25, 0.4, 0.55]))
    low, middle, high = given["duty"]
    assert low > high
    assert middle == pytest.approx(0.5 * (low + high))


def test_styles_that_say_nothing_of_heels_are_read_as_before() -> None:
    silent = msgspec.structs.replace(WALK, at=[msgspec.structs.replace(row, heel_off=None) for row in WALK.at])
    np.testing.assert_allclose(make_style(silent).parameters(np.array([0.2, 0.6]))["heel_off"], 0.6)


def test_layers_change_what_they_mention_by_their_weight() -> None:
    speeds = np.array([0.3])
    plain = make_style("walk").parameters(speeds)
    whole = make_style(["walk", "sneak"]).parameters(speeds)
    half = make_style(["walk", ("sneak", 0.5)]).parameters(speeds)
    none = make_style(["walk", ("sneak", 0.0)]).parameters(speeds)
    np.testing.assert_allclose(half["crouch"], 0.5 * (plain["crouch"] + whole["crouch"]))
    np.testing.assert_allclose(none["crouch"], plain["crouch"])
    np.testing.assert_allclose(whole["yaw"], plain["yaw"])
    assert whole["crouch"] > plain["crouch"] + 0.05


def test_a_layer_alone_is_a_layer_over_the_walk() -> None:
    style = make_style(parse_style(LAYER))
    assert style.name == "walk+high"
    assert style.parameters(np.array([0.4]))["lift"] == 0.5


def test_unknown_styles_name_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="the gait library has no style 'gallopp'; closest: 'gallop'"):
        make_style("gallopp")


def test_weights_are_between_0_and_1() -> None:
    with pytest.raises(InputError, match="weight 2; expected 0 to 1"):
        make_style(["walk", ("limp", 2.0)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version = 2\nname = 'x'\n[[at]]\nspeed = 0.0", "version 2; this mummer reads version 1"),
        (LAYER.replace("lift", "lifft"), r"unknown field `lifft`; closest: 'lift'"),
        (LAYER.replace("0.5", "'high'"), "expected `float \\| null`, got `str`"),
        (LAYER + "[[at]]\nspeed = 0.0\n", "speeds must be 0 or more and increase"),
        (LAYER + "duty = 1.5\n", "duty 1.5; expected 0.1 to 0.95"),
        (LAYER + "[[pattern]]\nfeet = 0\nrows = [[0, 0, 0, 0]]", "expected one foot or more"),
        ("path = [[0, 0, 0, 0, 0]]\n" + LAYER, "moments must increase from 0 to 1"),
        (LAYER.replace("layer = true\n", ""), "lacks duty, .*path, pattern; only a layer may leave things out"),
        ("version = ", "not TOML"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(MalformedFileError, match=message):
        parse_style(text, "mine.toml")


def test_a_style_of_ones_own(tmp_path) -> None:
    path = tmp_path / "high.toml"
    path.write_text(LAYER, encoding="utf-8")
    assert read_style(str(path)).name == "high"
    assert make_style(["walk", (str(path), 0.5)]).parameters(np.array([0.0]))["lift"] == pytest.approx(0.28)


FRONT = '[[legs]]\nwhich = "front"\n[[legs.at]]\nspeed = 0.0\nlift = 0.3\n'


def test_a_group_of_legs_has_parameters_of_its_own() -> None:
    style, speeds = make_style(parse_style(LAYER + FRONT)), np.array([0.4])
    assert style.parameters(speeds)["lift"] == 0.5
    assert style.parameters(speeds, frozenset({"front", "left"}))["lift"] == 0.3
    assert style.parameters(speeds, frozenset({"hind", "left"}))["lift"] == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FRONT.replace("front", "foremost"), "which"),
        (FRONT.replace("lift", "sway"), "sway is of the whole body; of legs may be said duty, lift"),
        (FRONT + "[[legs.at]]\nspeed = 0.0\n", "speeds must be 0 or more and increase"),
        (FRONT + "duty = 1.5\n", "duty 1.5; expected 0.1 to 0.95"),
    ],
)
def test_groups_of_legs_that_cannot_be_are_told(text: str, message: str) -> None:
    with pytest.raises(MalformedFileError, match=message):
        parse_style(LAYER + text)
