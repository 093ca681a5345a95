"""Performers do what blocks ask for, say what they cannot, and are where blocks say when they say."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from mummer.behavior import Performer
from mummer.bml import Company, Feedback, Realizer
from mummer.bml.kinds import KINDS, OWN
from mummer.bml.own_making import MAKERS
from mummer.bml.syncs import standard_times

OURS = 'xmlns="http://www.bml-initiative.org/bml/bml-1.0" xmlns:m="urn:mummer:bml"'


@pytest.fixture(scope="module")
def company() -> Company:
    return Company.of({"ann": "zoo:adult"})


def played(company: Company, *blocks: str, longest: float = 30.0) -> list[Feedback]:
    realizer = Realizer(company)
    reports = [report for block in blocks for report in realizer.submit(f"<all {OURS}>{block}</all>")]
    while not realizer.idle:
        reports += realizer.step(1 / 60)
        assert realizer.clock < longest
    company.performers["ann"].stop()
    assert not company.faults
    return reports


def warnings(reports: list[Feedback]) -> list[tuple[str, str]]:
    return [(each.type, each.behavior) for each in reports if each.kind == "warning"]


def times(reports: list[Feedback], block: str = "b") -> dict[str, float]:
    told = [each for each in reports if each.kind == "progress" and each.block == block]
    assert set(Counter((each.behavior, each.sync) for each in told).values()) == {1}
    return {f"{each.behavior}:{each.sync}": each.time for each in told}


def test_every_kind_has_somebody_who_makes_it() -> None:
    assert set(KINDS) <= set(MAKERS)
    assert set(OWN) <= set(MAKERS)


def test_a_sentence_with_all_that_goes_with_it(company: Company) -> None:
    reports = played(
        company,
        """<bml id="b"><speech id="s"><text>Welcome <sync id="m"/>ladies and gentlemen!</text></speech>
        <gaze id="g" target="bluebox" ready="s:start" relax="s:end"/><head id="n" lexeme="NOD" stroke="s:m"/>
        <faceLexeme id="f" lexeme="RAISE_BROWS" start="s:m" end="s:end"/><gesture id="h" lexeme="BEAT" stroke="s:m"/>
        <faceFacs id="a" au="12" side="BOTH" amount="0.5"/></bml>""",
    )
    assert not warnings(reports)
    at = times(reports)
    assert at["g:ready"] == pytest.approx(at["s:start"], abs=0.1)
    assert at["n:stroke"] == pytest.approx(at["s:m"], abs=0.1)
    assert at["h:stroke"] == pytest.approx(at["s:m"], abs=0.1)
    assert at["f:end"] == pytest.approx(at["s:end"], abs=0.1)
    assert company.performers["ann"].sounds


def test_two_gazes_at_once_are_warned_about_and_two_after_another_are_not(company: Company) -> None:
    both = '<gaze id="x" target="bluebox" start="0" end="2"/><gaze id="y" target="camera" start="{}" end="4"/>'
    assert warnings(played(company, f'<bml id="b">{both.format(1)}</bml>')) == [("CONFLICT", "x")]
    assert warnings(played(company, f'<bml id="b">{both.format(2)}</bml>')) == []
    apart = [f'<bml id="{name}"><gaze id="g" target="bluebox"/></bml>' for name in "bc"]
    assert warnings(played(company, *apart)) == [("CONFLICT", "g")]


def test_who_walks_is_there_when_the_block_says_so_and_others_wait_for_it(company: Company) -> None:
    performer = company.performers["ann"]
    place = (float(performer.actor.place[0]) + 1.0, 1.2)
    reports = played(
        company,
        f"<bml id='b'><locomotion id='l' target='{place[0]} {place[1]}'/>"
        "<head id='n' start='l:end' lexeme='NOD'/></bml>",
    )
    assert not warnings(reports)
    at = times(reports)
    assert at["n:start"] == pytest.approx(at["l:end"], abs=0.1)
    assert np.linalg.norm(performer.actor.place - np.array(place)) < 0.3


def test_our_own_namespace(company: Company) -> None:
    reports = played(
        company, '<bml id="b"><m:animation id="w" name="wave" start="0.5"/><m:saccade id="e" mode="thinking"/></bml>'
    )
    assert not warnings(reports)
    assert times(reports)["w:start"] == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    "element",
    [
        '<m:model id="x" name="reach" target="ball" mode="LEFT_HAND"/>', '<m:jump id="x" target="0.3 0 0.5"/>',
        '<m:style id="x" model="throw" name="sidearm"/>', '<m:animation id="x" name="wave" sketch="old_man"/>',
        '<m:play id="x" name="greeting"/>', '<m:breathing id="x"/>', '<m:blink id="x"/>',
    ],
)  # fmt: skip
def test_models_styles_sketches_and_plays(company: Company, element: str) -> None:
    reports = played(company, f'<bml id="b">{element}<head id="n" start="x:end"/></bml>', longest=60.0)
    assert not warnings(reports)
    at = times(reports)
    assert at["n:start"] == pytest.approx(at["x:end"], abs=0.1)


def test_styles_and_models_that_are_not_here_are_told_and_files_are_never_read(company: Company) -> None:
    for element in (
        '<m:model id="x" name="/etc/passwd"/>', '<m:model id="x" name="reach" style="/tmp/a.toml"/>',
        '<m:style id="x" model="reach" name="/tmp/a.toml"/>', '<m:play id="x" name="../a"/>',
        '<m:animation id="x" name="/tmp/a.toml"/>', '<m:animation id="x" name="wave" sketch="/tmp/a.sketch"/>',
    ):  # fmt: skip
        assert warnings(played(company, f'<bml id="b">{element}</bml>')) == [("CANNOT_CREATE_BEHAVIOR", "x")], element


def test_what_a_body_cannot_do_is_said_and_left_out() -> None:
    snake = Company.of({"ann": "zoo:snake"})
    reports = played(snake, '<bml id="b"><pointing id="p" target="camera"/><head id="n" lexeme="NOD"/></bml>')
    assert warnings(reports) == [("CANNOT_CREATE_BEHAVIOR", "p")]
    assert any(each.behavior == "n" and each.sync == "end" for each in reports)
    wanted = '<bml id="c"><required><pointing id="p" target="camera"/></required><head id="n" lexeme="NOD"/></bml>'
    assert not [each for each in played(snake, wanted) if each.kind == "progress"]


def test_targets_that_are_nowhere_are_told(company: Company) -> None:
    assert warnings(played(company, '<bml id="b"><gaze id="g" target="atlantis"/></bml>')) == [("NO_SUCH_TARGET", "g")]


def test_replace_ends_what_goes_on_and_append_waits(company: Company) -> None:
    long, nod = '<bml id="a"><wait id="w" start="0" end="9"/></bml>', '<head id="n" lexeme="NOD"/></bml>'
    reports = played(company, long, f'<bml id="b" composition="REPLACE">{nod}')
    assert [each.type for each in reports if each.block == "a" and each.sync == "end" and each.kind == "progress"] == [
        "INTERRUPTED"
    ]
    reports = played(company, long.replace("9", "1"), f'<bml id="b" composition="APPEND">{nod}')
    start = next(each for each in reports if (each.kind, each.block, each.behavior) == ("progress", "b", ""))
    assert start.global_time == pytest.approx(1.0, abs=0.02)


def test_standard_times_are_in_order_and_finite() -> None:
    own = {"start": 0.0, "stroke_start": 0.2, "stroke_end": 0.6, "mark": 0.3, "end": math.inf}
    found = standard_times("gesture", own)
    assert list(found.values()) == sorted(found.values())
    assert found["stroke"] == pytest.approx(0.4)
    assert math.isfinite(found["end"])


def test_characters_are_found_by_name() -> None:
    pair = Company({"ann": Performer("zoo:adult"), "bob": Performer("zoo:adult", at=(1.5, 0.0))})
    reports = Realizer(pair).submit(f'<bml {OURS} id="x" characterId="bob"><gaze id="g" target="ann"/></bml>')
    assert {each.character for each in reports} == {"bob"}
    assert Realizer(pair).submit(f'<bml {OURS} id="x" characterId="eve"/>')[0].type == "NO_SUCH_TARGET"


def test_bodies_stand_where_they_have_room() -> None:
    who = Company.of({"ann": "zoo:adult", "rex": "zoo:dog", "drake": "zoo:dragon"}).performers
    ann, rex, drake = (float(who[name].actor.place[0]) for name in ("ann", "rex", "drake"))
    assert rex - ann == pytest.approx(1.5)
    assert drake - rex > 2.0
    assert ann + drake == pytest.approx(0.0)
