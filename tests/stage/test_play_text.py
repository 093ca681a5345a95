"""Plays as text: what is wrong is told with file, line and field."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from mummer.errors import InputError, MalformedFileError, UnknownNameError
from mummer.ik import BodyPoint
from mummer.math import quaternion
from mummer.model import act
from mummer.stage import Play, Tweak, load_play, play_from_text, play_names, play_to_text, style_to_text
from mummer.zoo import body

GOOD = """version = 1
name = "test"

[[actor]]
name = "ann"
body = "zoo:adult"
at = [1, 2]
heading = 90

[[prop]]
name = "ball"
at = [0.3, 1.2, 0.4]

[[action]]
name = "grab"
actor = "ann"
model = "reach"
set = {target = "ball", hand = "left"}
takes = "ball"

[[action]]
actor = "ann"
model = "wave"
with = "grab.release"
key = "achieve"

[[action.tweak]]
at = 1.5
part = "head"
turn = [0, 30, 0]
"""


TOUCH = """turn = [0, 30, 0]

[[contact]]
first = "{}"
second = "ball"
begin = "grab.achieve"
end = "{}"
"""


MOVE = """turn = [0, 30, 0]

[[move]]
prop = "ball"
to = [0, 0, 0]
after = "{}"
seconds = {}
"""


def test_a_play_says_who_what_and_when() -> None:
    play = play_from_text(GOOD)
    assert play.actors[0].at == (1.0, 2.0)
    assert play.props[0].size == 0.12
    assert [doing.name for doing in play.doings] == ["grab", "ann 2"]
    assert play.doings[0].handling == {"takes": "ball"}
    assert (play.doings[1].together, play.doings[1].key) == ("grab.release", "achieve")
    assert play.doings[1].tweaks[0].turn == (0.0, 30.0, 0.0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('model = "wave"', 'model = "waev"', r"story.toml: line 23, action\[1\].model: .*closest: 'wave'"),
        ('actor = "ann"\nmodel = "wave"', 'actor = "anm"\nmodel = "wave"', r"line 22, action\[1\].actor: .*'ann'"),
        ('takes = "ball"', 'takes = "bal"', r"line 19, action\[0\].takes: .*'ball'"),
        ("target = ", "taget = ", r"line 18, action\[0\].set: .*'target'"),
        ('"ball", hand', '"bell", hand', r"line 18, action\[0\].set: .*'ball'"),
        ('hand = "left"', 'hand = "both"', r"line 18, action\[0\].set: "),
        ("grab.release", "garb.release", r"line 24, action\[1\].with: .*'grab'"),
        ("grab.release", "grab.relase", r"line 24, action\[1\].with: .*'release'"),
        ('key = "achieve"', 'key = "achive"', r"line 25, action\[1\].key: .*'achieve'"),
        ("at = 1.5", "at = 7", r"line 27, action\[1\].tweak\[0\]: canonical time 7; expected 0 to 4"),
        ("turn = [0, 30, 0]", "", "expected one of turn, move and later"),
        ('key = "achieve"', 'over = "grip"', r"line 25, action\[1\].over: .*there is grab"),
        ('key = "achieve"', "groups = {head = 200}", r"line 25, action\[1\].groups: .*0 to 100"),
        ('key = "achieve"', "pause = [{at = 9, seconds = 1}]", r"line 25, action\[1\].pause\[0\]: canonical time 9"),
        ("turn = [0, 30, 0]", TOUCH.format("ann.left_hand", "grab.relase"), r"line 36, contact\[0\].end: .*'release'"),
        ("turn = [0, 30, 0]", TOUCH.format("ann", "grab.release"), r"line 33, contact\[0\].first: .*expected a part"),
        ('name = "ball"', 'name = "ann"', r"line 11, prop\[0\].name: 'ann' is on stage already"),
        ("heading = 90", 'heading = "left"', r"line 8, actor\[0\].heading"),
        ("heading = 90", "haste = -1", r"line 8, actor\[0\].haste: a haste of -1; expected 0.1 to 10"),
        ('key = "achieve"', 'arrive = "later"', r"line 25, action\[1\].arrive: .*'later'; expected before or steps"),
        ('key = "achieve"', 'transition = {timing = "slow"}', r"timing: .*'slow'; expected constant, .* or"),
        ("heading = 90", "facing = 90", r"line 8, actor\[0\].facing: .*unknown field"),
        ("at = [1, 2]", "at = [nan, 2]", r"line 7, actor\[0\].at: nan; expected a number"),
        ("heading = 90", "heading = inf", r"line 8, actor\[0\].heading: inf"),
        ("at = 1.5", "at = 1.5\nmove = [0, 1e9, 0]", r"line 29, action\[1\].tweak\[0\].move: 1e\+09; expected"),
        ('"ball", hand', "[1e200, 1, 1], hand", r"line 18, action\[0\].set.target: 1e\+200"),
        ('key = "achieve"', "at = -3", r"line 25, action\[1\].at: an action at -3 s; expected 0 or more"),
        ('key = "achieve"', "transition = {seconds = -1}", r"line 25, action\[1\].transition: a transition of -1 s"),
        ('key = "achieve"', 'name = "grab"', r"line 25, action\[1\].name: 'grab' is an action already"),
        ("turn = [0, 30, 0]", MOVE.format("grab", -1), r"line 36, move\[0\].seconds: a move of -1 s"),
        ("turn = [0, 30, 0]", MOVE.format("", 1), r"line 35, move\[0\].after: 'ball' is moved after nothing"),
        ("version = 1", "version = 2", "version 2; this mummer reads version 1"),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_field(old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(MalformedFileError, match=said):
        play_from_text(GOOD.replace(old, new, 1), Path("story.toml"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"zoo:adult"', '"nobody.glb"', r"story.toml: line 6, actor\[0\].body: nobody.glb: is not there"),
        ('"zoo:adult"', '"zoo:adlut"', r"line 6, actor\[0\].body: the zoo has no body 'adlut'; closest: 'adult'"),
        ('name = "ball"', 'name = "ball"\nshape = "bal"', r"line 12, prop\[0\].shape: .*closest: 'ball'"),
        ('hand = "left"', 'by = "left_hnad"', r"line 14, action\[0\]: .*closest: 'left_hand'"),
        ('hand = "left"}', 'hand = "left"}\nafter = "ann 2.end"', r"action\[0\]: waits for ever: grab for ann 2"),
        ('hand = "left"}', 'hand = "left"}\ngroups = {haed = 9}', r"line 14, action\[0\]: .*closest: 'head'"),
        ('target = "ball"', 'target = "ann.haed"', r"line 14, action\[0\]: .*closest: 'head'"),
        ("turn = [0, 30, 0]", TOUCH.format("ann.left_hnad", "ann 2"), r"line 32, contact\[0\]: .*'left_hand'"),
    ],
)
def test_what_only_the_bodies_show_is_told_with_its_place_too(old: str, new: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        play_from_text(GOOD.replace(old, new, 1), Path("story.toml")).cut()


def test_plays_that_ship_can_be_read() -> None:
    assert "fetch" in play_names()
    for name in play_names():
        assert load_play(name).doings
    with pytest.raises(UnknownNameError, match="closest: 'fetch'"):
        load_play("fetsh")


@pytest.mark.parametrize("name", play_names())
def test_a_play_that_is_written_is_read_again_as_it_was(name: str, tmp_path: Path) -> None:
    play = load_play(name)
    play.save(tmp_path / "again.toml")
    again = play_from_text((tmp_path / "again.toml").read_text(encoding="utf-8"), play.folder / "again.toml")
    for what in ("actors", "props", "doings", "contacts", "moves"):
        old, new = ([asdict(each) for each in getattr(one, what)] for one in (play, again))
        assert new == old


def test_what_was_said_in_python_is_written_too() -> None:
    play = Play('odd "one"').actor("ann", "zoo:adult", hand="left", styles={"throw": "sidearm"})
    play = play.do(
        "ann", "reach", name="a", target=np.array([0.3, 1.2, 0.4]), look=True, by=BodyPoint("left_hand", (0, 0.1, 0))
    )
    again = play_from_text(play_to_text(play.tweaked("a", Tweak("achieve", "head", turn=(5, 0, 0)))))
    assert again.name == 'odd "one"'
    assert again.doings[0].values == {"target": [0.3, 1.2, 0.4], "look": True, "by": "left_hand@0,0.1,0"}
    assert again.doings[0].tweaks == (Tweak("achieve", "head", turn=(5, 0, 0)),)
    assert again.actors[0].styles == {"throw": "sidearm"}
    with pytest.raises(InputError, match="the body of 'ann' is not a file"):
        play_to_text(Play("x").actor("ann", body("adult")))


def test_an_action_may_be_put_before_another() -> None:
    play = play_from_text(GOOD).do("ann", "nod", name="yes", before="grab")
    assert [doing.name for doing in play.doings] == ["yes", "grab", "ann 2"]
    with pytest.raises(UnknownNameError, match="closest: 'grab'"):
        play.do("ann", "nod", before="grap")


def test_the_tweaks_of_an_action_become_a_style_of_its_model(tmp_path: Path) -> None:
    turn = Tweak(1.5, "left_hand", turn=(0.0, 0.0, 50.0))
    play = Play("p").actor("ann", "zoo:adult", styles={"peer": "fast"}).do("ann", "peer", name="look", target=(1, 1, 2))
    (tmp_path / "keen.toml").write_text(style_to_text(play.tweaked("look", turn), "look", "keen"))
    bent, plain = (act("zoo:child", "peer", target=(0.5, 0.8, 1.5), style=style) for style in
                   (tmp_path / "keen.toml", "fast"))  # fmt: skip
    time, joint = float(plain.key_times.seconds(1.5)), plain.clip.anatomy.roles["left_hand"]
    turns = [each.clip.at(time).rotations[joint] for each in (bent, plain)]
    assert np.degrees(quaternion.angle_between(*turns)) == pytest.approx(50.0, abs=1e-6)
    assert bent.key_times == plain.key_times
    with pytest.raises(UnknownNameError, match="play 'p' has no action 'lok'; closest: 'look'"):
        style_to_text(play, "lok", "keen")
    with pytest.raises(InputError, match="shifts time"):
        style_to_text(play.tweaked("look", Tweak("release", later=0.1)), "look", "keen")


def test_facts_say_which_values_depend_on_what_comes_before() -> None:
    play = Play("p").actor("ann", "zoo:adult").do("ann", "nod", name="one").do("ann", "nod", name="two")
    one, two = play.do("ann", "nod", name="three", position=(0.3, 0, 0)).cut().facts()["actions"][:2]
    assert one["parameters"]["position"]["from"] == "given"
    assert two["parameters"]["position"]["from"] == "before"
