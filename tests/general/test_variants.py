"""Variants: how many ways there are to play, who plays with whom, and which one is taken."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import mummer as mm
from mummer.errors import InputError
from mummer.general import Bound, animate, animation_from_text, bind, choose, load_animation, physique_of, select
from mummer.general.variants import side_of
from mummer.report import ReportBuilder
from tests.general.bodies import physique

HEAD = 'version = 1\nname = "test"\nduration = 1\n[[branch]]\n'


def channel(name: str, more: str, capability: str = "grasper", curve: str = "place = [[0, 0, 0, 0]]") -> str:
    return f'[[branch.channel]]\nname = "{name}"\nselect = {{capability = "{capability}"{more}\n{curve}\n'


def bound_to(body: str, *channels: str) -> Bound:
    return bind(animation_from_text(HEAD + "".join(channels)), physique(body))


def names(bound: Bound) -> list[str]:
    return [variant.name for variant in bound.variants]


def played(bound: Bound, variant: int, channel_name: str) -> list[str]:
    place = [channel.name for channel in bound.branch.channels].index(channel_name)
    skeleton = bound.physique.character.skeleton
    return [skeleton.names[joint] for joint in bound.variants[variant].joints[place]]


def test_sides_are_the_body_s_own() -> None:
    body = physique("adult")
    roles = body.anatomy.roles
    assert [side_of(body, roles[name]) for name in ("left_hand", "right_foot", "head", "left_eye")] == [1, -1, 0, 1]


def test_all_of_them_play_where_nothing_varies() -> None:
    bound = bound_to("adult", channel("hand", "}"))
    assert names(bound) == [""]
    assert played(bound, 0, "hand") == ["left_hand", "right_hand"]


def test_one_at_a_time() -> None:
    bound = bound_to("adult", channel("hand", '}\nvary = "one"'))
    assert names(bound) == ["left_hand", "right_hand"]
    assert [variant.mirrored for variant in bound.variants] == [False, True]


def test_products_leave_out_a_part_beside_itself() -> None:
    bound = bound_to("adult", channel("give", '}\nvary = "one"'), channel("take", '}\nvary = "one"'))
    assert names(bound) == ["left_hand right_hand", "right_hand left_hand"]
    feet = bound_to("spider", channel("a", '}\nvary = "one"', "foot"), channel("b", '}\nvary = "one"', "foot"))
    assert len(feet.variants) == 8 * 7


@pytest.mark.parametrize(("side", "count"), [("as", 4 * 3 * 2), ("opposite", 8 * 4)])
def test_same_and_other_side(side: str, count: int) -> None:
    second = channel("b", f'}}\nvary = "one"\nside = {{{side} = "a"}}', "foot")
    bound = bound_to("spider", channel("a", '}\nvary = "one"', "foot"), second)
    assert len(bound.variants) == count
    for variant in bound.variants:
        sides = [side_of(bound.physique, joint) for joint in variant.leads]
        assert (sides[0] == sides[1]) == (side == "as")


def test_an_impossible_side_is_let_go() -> None:
    second = channel("b", '}\nvary = "one"\nside = {as = "a"}')
    bound = bound_to("adult", channel("a", '}\nvary = "one"'), second)
    assert names(bound) == ["left_hand right_hand", "right_hand left_hand"]


def test_groups_vary_together() -> None:
    shoulder = channel("shoulder", ', limb = "shoulder"}\ngroup = "arm"', curve="turn = [[0, 0, 0, 0]]")
    bound = bound_to("adult", channel("hand", '}\nvary = "one"\ngroup = "arm"'), shoulder)
    assert names(bound) == ["left_hand", "right_hand"]
    assert [played(bound, row, "shoulder") for row in (0, 1)] == [["left_upper_arm"], ["right_upper_arm"]]


def test_what_belongs_to_a_head_goes_with_it() -> None:
    parts = [
        channel("head", '}\nvary = "one"\ngroup = "head"', "head"),
        channel("eyes", '}\ngroup = "head"', "eye", "turn = [[0, 0, 0, 0]]"),
        channel("mouth", '}\ngroup = "head"', "mouth", "open = [[0, 1]]"),
    ]
    bound = bound_to("two_headed", *parts)
    assert len(bound.variants) == 2
    for row in (0, 1):
        side = played(bound, row, "head")[0].split("_")[0]
        assert len(played(bound, row, "eyes")) == 2
        assert all(name.startswith(side) for name in (*played(bound, row, "eyes"), *played(bound, row, "mouth")))


def test_all_others_on_the_other_side() -> None:
    rest = channel("rest", '}\nside = {opposite = "lead"}', "foot")
    bound = bound_to("spider", channel("lead", '}\nvary = "one"', "foot"), rest)
    for row, variant in enumerate(bound.variants):
        others = [side_of(bound.physique, joint) for joint in variant.joints[1]]
        assert others == [-side_of(bound.physique, variant.leads[0])] * 4
        assert played(bound, row, "lead")[0] not in played(bound, row, "rest")


def test_what_a_body_has_not_is_left_out() -> None:
    bound = bound_to("snake", channel("hand", '}\nvary = "one"'), channel("head", "}", "head"))
    assert names(bound) == [""]
    assert played(bound, 0, "hand") == []


def test_the_nearest_and_the_free_one_is_chosen() -> None:
    bound = bound_to("adult", channel("hand", '}\nvary = "one"'))
    body = bound.physique
    assert choose(bound.variants, body).name == "left_hand"
    assert choose(bound.variants, body, nearest_to=(-0.4, 1, 0.5)).name == "right_hand"
    assert choose(bound.variants, body, nearest_to=(0.4, 1, 0.5)).name == "left_hand"
    left = body.anatomy.joint("left_hand")
    assert choose(bound.variants, body, nearest_to=(0.4, 1, 0.5), free_of=[left]).name == "right_hand"
    with pytest.raises(InputError, match="every way to play this needs a part that is in use"):
        choose(bound.variants, body, free_of=select(body, "grasper"))


def test_variants_are_found_by_the_parts_that_play() -> None:
    bound = bound_to("adult", channel("give", '}\nvary = "one"'), channel("take", '}\nvary = "one"'))
    assert bound.variant("right_hand").name == "left_hand right_hand"
    assert bound.variant("right_hand left_hand").name == "right_hand left_hand"
    with pytest.raises(InputError, match="no variant 'tail' for this body; it has 'left_hand right_hand'"):
        bound.variant("tail")


def test_many_hands_do_not_take_for_ever() -> None:
    body = physique_of(mm.zoo.body("spider"))
    text = HEAD + "".join(channel(name, '}\nvary = "one"', "foot") for name in "abcdef")
    bound = bind(animation_from_text(text), body)
    assert 0 < len(bound.variants) <= 4096
    assert np.all([len(set(variant.leads)) == 6 for variant in bound.variants])


def test_a_mouth_that_is_the_head_opens_and_turns() -> None:
    body = mm.zoo.body("dog")
    head = body.anatomy.joint("head")
    able = {name: joints for name, joints in body.anatomy.capabilities.items() if name != "jaw"} | {"mouth": (head,)}
    bare = body.replace(anatomy=dataclasses.replace(body.anatomy, capabilities=able))
    parts = animate(load_animation("hand_over"), physique_of(bare), {}, None, ReportBuilder()).parts
    assert {name for part in parts if part.joint == head for name in part.freedoms} == {"open", "turn"}
