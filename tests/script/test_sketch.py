"""Sketches as text: what is printed is what is read, and what is wrong is told with line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from mummer.errors import MalformedFileError, MummerError, UnknownNameError
from mummer.script import load_sketch, sketch_from_text, sketch_names

PRINTED = """\
#Scale duration
SetDuration {*} REL 1.8
#Scale hold time
SetHoldTime {*} REL 3
#provide default shape settings
SetCharShapeParam {*} 1 load oldMan.shp
#flatten the transition functions
SetTransitionFunction {*} AVG 0 0 0 0
#reduce extent
VaryExtent {*} 0.8
#add a normal succession
VarySuccession {*} normal 0.01
#reduce neck rotations
SetDOFAngle {* * * neck_y} REL 0.5
#add some shake to the forearms
SetShake {* * * forearm_x} ABS 0.017 7
"""


def test_the_old_man_as_printed() -> None:
    said = sketch_from_text(PRINTED).said
    assert [type(each.value).__name__ for each in said] == [
        "SetDuration", "SetHoldTime", "SetCharShapeParam", "SetTransitionFunction", "VaryExtent", "VarySuccession",
        "SetDOFAngle", "SetShake",
    ]  # fmt: skip
    assert said[6].address == ("*", "*", "*", "neck_y")
    shipped = load_sketch("old_man").said
    assert [(each.value, each.address) for each in said] == [(each.value, each.address) for each in shipped]


@pytest.mark.parametrize(
    ("line", "column", "what"),
    [
        ("SetDuratoin {*} REL 1.8", 1, "closest: 'SetDuration'"),
        ("SetDuration {*} REL", 20, "wants value; expected SetDuration {...} ABS|REL|AVG|ADD value"),
        ("SetDuration {*} RAL 1.8", 17, "got 'RAL' for flag; expected ABS, REL, AVG, ADD"),
        ("SetDuration {*} REL fast", 21, "got 'fast' for value; expected a number"),
        ("SetDuration {*} REL 1.8 2", 25, "takes no further word"),
        ("SetDuration {*} REL -1", 17, "a duration of -1; expected more than 0"),
        ("SetDuration * REL 1.8", 13, "expected {action cycle pose dof}"),
        ("SetDuration {* REL 1.8", 13, "the brace is not closed"),
        ("SetDuration {} REL 1.8", 14, "the braces are empty"),
        ("SetDOFAngle {* one * neck_y} REL 1", 16, "number of a cycle or pose"),
        ("SetDOFAngle {* * * neck flap} REL 1", 20, "names no axis; expected bend, sway or twist"),
        ("SetCharShapeParam {*} 1 load old.shp", 30, "there is no shape 'old.shp'; there are"),
        ("when mood tired", 1, "this when has no end"),
        ("end", 1, "an end without a when"),
        ("when weather wet", 6, "expected 'when action NAME ...'"),
    ],
)
def test_what_is_wrong_is_told_with_line_and_column(line: str, column: int, what: str) -> None:
    with pytest.raises(MalformedFileError) as caught:
        sketch_from_text(f"# a sketch\n{line}\n", Path("my.sketch"))
    assert str(caught.value).startswith(f"my.sketch: line 2, column {column}: ")
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_sketch_that_is_not_there() -> None:
    with pytest.raises(UnknownNameError, match="closest: 'old_man'"):
        load_sketch("old_mann")
    with pytest.raises(MummerError, match=r"nowhere\.sketch: cannot be read"):
        load_sketch("nowhere.sketch")


def test_every_sketch_that_ships_can_be_read() -> None:
    assert "old_man" in sketch_names()
    for name in sketch_names():
        assert load_sketch(name).said
