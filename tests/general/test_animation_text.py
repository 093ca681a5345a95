"""Animations as text: what is read, and one line for each thing that can be wrong."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.errors import InputError, MalformedFileError, UnknownNameError
from mummer.general import Animation, animation, animation_from_text, animation_names, load_animation

GOOD = """version = 1
name = "greet"
description = "Says hello."
duration = 2.0
tags = ["gesture"]

[[branch]]
needs = {grasper = true}

[[branch.channel]]
name = "hand"
select = {capability = "grasper", where = "front"}
vary = "one"
position = {scale = "limb"}
place = [
    [0, 0, 0, 0],
    [1, 0, 0.5, 0],
    [2, 0, 0, 0],
]
open = [[0, 0], [1, 1]]
events = [[1.0, "hello"]]

[[branch.channel]]
name = "other"
select = {capability = "grasper"}
side = {opposite = "hand"}
turn = [[0, 0, 90, 0]]
deform = {smile = [[0, 1]]}

[[branch]]

[[branch.channel]]
select = {capability = "root"}
position = {scale = "size"}
place = [[0, 0, 0.1, 0]]
ease = "linear"
"""


def test_everything_is_read() -> None:
    made = animation_from_text(GOOD, "greet.toml")
    first, second = made.branches
    hand, other = first.channels
    assert (made.name, made.duration, made.loop, made.tags) == ("greet", 2.0, False, ("gesture",))
    assert (hand.vary, hand.context.where, hand.position.scale) == ("one", ("front",), "limb")
    assert hand.freedoms == ("place", "open")
    assert hand.events == ((1.0, "hello"),)
    assert other.opposite == "hand"
    assert other.freedoms == ("turn", "smile")
    assert other.turn is not None
    np.testing.assert_allclose(other.turn(np.zeros(1))[0], [0, np.pi / 2, 0])
    assert (first.name, second.name, second.channels[0].name) == ("grasper", "any", "channel 0")


def test_what_stands_on_the_ground_is_seen_from_there() -> None:
    def space(select: str, position: str) -> str:
        text = GOOD.replace('select = {capability = "root"}', select).replace('position = {scale = "size"}', position)
        return animation_from_text(text).branches[1].channels[0].space

    assert space('select = {capability = "head"}', "") == "body"
    assert space('select = {capability = "foot"}', "") == "stage"
    assert space('select = {capability = "grasper"}', "position = {ground = true}") == "stage"
    assert space('select = {capability = "foot"}\nspace = "body"', "") == "body"


def test_channels_are_taken_by_priority() -> None:
    made = animation_from_text(GOOD.replace('name = "other"', 'name = "other"\npriority = 2'))
    assert [channel.name for channel in made.branches[0].channels] == ["other", "hand"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("duration = 2.0", "duration = 0", "line 4, duration: expected `float` > 0.0"),
        ("tags = [", "tag = [", "line 5, tag: object contains unknown field `tag`; closest: 'tags'"),
        ("needs = {grasper = true}", "needs = {graspr = true}", r"line 8, branch\[0\].needs: .*closest: 'grasper'"),
        ('where = "front"', 'where = "frnt"', r"line 12, branch\[0\].channel\[0\].select: .*the zone 'frnt'"),
        ('scale = "limb"', 'scale = "leg"', r"line 14, .*channel\[0\].position.scale: invalid enum value 'leg'"),
        ('scale = "limb"', "directional = true", r"line 14, .*names nothing|has nothing to move toward"),
        ("[1, 0, 0.5, 0]", "[1, 0, 0.5]", r"line 15, branch\[0\].channel\[0\].place: key 1 has 3 numbers; expected 4"),
        ("[2, 0, 0, 0]", "[3, 0, 0, 0]", r"line 15, .*a key is at 3 s; expected 0 to 2, the duration"),
        ("[2, 0, 0, 0]", "[0.5, 0, 0, 0]", r"line 15, .*key 2 is at 0.5 s, not after the key before it"),
        ('[[1.0, "hello"]]', '[[9.0, "hello"]]', r"line 21, .*event 'hello' is at 9 s; expected 0 to 2"),
        ('opposite = "hand"', 'opposite = "hnd"', r"line 23, branch\[0\].channel\[1\]: .*'hnd'; closest: 'hand'"),
        ('name = "other"', 'name = "hand"', r"line 23, .*two channels are called 'hand'"),
        ("smile = [[0, 1]]", "smiel = [[0, 1]]", r"line 28, .*no deform 'smiel'; closest: 'smile'"),
        ("turn = [[0, 0, 90, 0]]\ndeform = {smile = [[0, 1]]}", "", r"line 23, .*channel 'other' has no curve"),
        ('ease = "linear"', 'ease = "bouncy"', r"line 36, branch\[1\].channel\[0\].ease: .*"),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_line_and_field(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(MalformedFileError, match=message) as caught:
        animation_from_text(GOOD.replace(old, new), "greet.toml")
    assert str(caught.value).startswith("greet.toml: line ")
    assert "\n" not in str(caught.value)


def test_a_branch_needs_channels() -> None:
    with pytest.raises(MalformedFileError, match="branch"):
        animation_from_text('version = 1\nname = "x"\nduration = 1\n')
    with pytest.raises(MalformedFileError, match="channel"):
        animation_from_text('version = 1\nname = "x"\nduration = 1\n[[branch]]\n')


def test_names_files_and_text_are_loaded(tmp_path) -> None:
    (tmp_path / "greet.toml").write_text(GOOD)
    assert load_animation(tmp_path / "greet.toml").name == "greet"
    assert load_animation(str(tmp_path / "greet.toml")).name == "greet"
    assert load_animation(GOOD).name == "greet"
    made = load_animation("nod")
    assert isinstance(made, Animation)
    assert load_animation(made) is made
    assert animation("nod") is made
    with pytest.raises(UnknownNameError, match="the library has no animation 'nodd'; closest: 'nod'"):
        load_animation("nodd")
    with pytest.raises(InputError, match="cannot be read"):
        load_animation("nowhere.toml")
    with pytest.raises(InputError, match=r"expected a \.toml file"):
        load_animation(tmp_path)


@pytest.mark.parametrize("name", animation_names())
def test_the_library_is_whole(name: str) -> None:
    made = animation(name)
    assert made.name == name
    assert made.description.endswith((".", "?", "!"))
    assert made.tags
    for branch in made.branches:
        assert branch.channels
