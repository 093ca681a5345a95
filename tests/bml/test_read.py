"""Blocks are read as BML 1.0 says, older spellings with a warning, and hostile XML not at all."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer.bml import SyncRef, read_blocks
from mummer.bml.kinds import KINDS, POINTS, point_named, points_of
from mummer.errors import FileError, InputError

BML = 'xmlns="http://www.bml-initiative.org/bml/bml-1.0"'
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha"}">' for n in range(12))
HOSTILE = {
    "laughs": f"<!DOCTYPE bml [{LAUGHS}]><bml id='a'><speech id='s'><text>&l11;</text></speech></bml>",
    "file": '<!DOCTYPE bml [<!ENTITY x SYSTEM "file:///etc/passwd">]><bml id="a"><speech id="s">&x;</speech></bml>',
    "network": '<!DOCTYPE bml SYSTEM "http://localhost:1/x.dtd"><bml id="a"/>',
    "parameter": '<!DOCTYPE bml [<!ENTITY % x SYSTEM "http://localhost:1/x">%x;]><bml id="a"/>',
    "wide": "<?xml version='1.0' encoding='utf-16'?><!DOCTYPE bml [<!ENTITY x 'y'>]><bml id='a'/>".encode("utf-16"),
    "reference": "<bml id='a'><speech id='s'>&nothing;</speech></bml>",
    "deep": "<bml id='a'>" + "<required>" * 2000 + "</required>" * 2000 + "</bml>",
    "many": "<bml id='a'>" + "<wait id='w'/>" * 6000 + "</bml>",
    "long": "<bml id='a'><speech id='s'>" + "ha " * 500_000 + "</speech></bml>",
    "attributes": "<bml id='a'><wait " + " ".join(f"a{n}='1'" for n in range(500)) + "/></bml>",
    "broken": "<bml id='a'><wait id='w'></bml>",
    "twice": "<bml id='a' id='b'/>",
    "after": "<bml id='a'/><bml id='b'/>",
    "empty": "",
    "bytes": bytes(range(256)),
    "other": "<html><body/></html>",
    "name": "<bml id='a b&#10;c'/>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_xml_is_refused_in_one_line_and_at_once(name: str) -> None:
    began = time.perf_counter()
    with pytest.raises(FileError) as refused:
        read_blocks(HOSTILE[name])
    assert time.perf_counter() - began < 2.0
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=200), st.binary(max_size=200), st.text("<>/bml id='\"&;!-[]", max_size=80)))
def test_anything_is_read_or_refused(source: str | bytes) -> None:
    said, blocks = "", ()
    try:
        blocks = read_blocks(source)
    except FileError as refused:
        said = str(refused)
    assert "\n" not in said
    assert len(said) < 400
    assert all(block.id for block in blocks), "what is read can be told about"


@settings(max_examples=300, deadline=None)
@given(st.text("abs1:+-. e0", max_size=14))
def test_moments_are_read_back_or_refused(text: str) -> None:
    try:
        ref = SyncRef.read(text)
    except InputError:
        return
    assert SyncRef.read(str(ref)) == ref


def test_moments_of_every_spelling() -> None:
    assert SyncRef.read(" b1:stroke + 0.5 ") == SyncRef("b1", "stroke", 0.5)
    assert SyncRef.read("bml1:b1:end-2") == SyncRef("b1", "end", -2.0, "bml1")
    assert SyncRef.read("2.5") == SyncRef(offset=2.5)
    assert SyncRef.read("bml:start+1") == SyncRef(offset=1.0)
    for wrong in ("", "b1", "b1:", ":end", "a:b:c:d", "nod1:relax:2", "inf", "nan", "1e9"):
        with pytest.raises(InputError):
            SyncRef.read(wrong)


def test_speech_keeps_its_marks_before_the_words_they_stand_before() -> None:
    (block,) = read_blocks(
        f"<bml {BML} id='a'><speech id='s'><text><sync id='m0'/>One two <sync id='m1'/>three\n <sync id='m2'/></text>"
        "</speech></bml>"
    )
    speech = block.elements[0]
    assert speech.text == "One two three"
    assert [(name, speech.text[place:]) for name, place in speech.marks] == [
        ("m0", "One two three"), ("m1", "three"), ("m2", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_behaviour_of_the_standard_is_read_with_its_times(kind: str) -> None:
    times = " ".join(f"{point}='{number}'" for number, point in enumerate(points_of(kind)))
    (block,) = read_blocks(f"<bml {BML} id='a'><required><{kind} id='b' lexeme='x' {times}/></required></bml>")
    (element,) = block.elements
    assert (element.kind, element.id, element.required, element.attributes["lexeme"]) == (kind, "b", True, "x")
    assert [element.times[point].offset for point in points_of(kind)] == list(range(len(points_of(kind))))
    assert not block.warnings


@pytest.mark.parametrize("kind", KINDS)
def test_points_that_a_kind_has_not_are_its_nearest_in_order(kind: str) -> None:
    own = points_of(kind)
    places = [own.index(str(point_named(kind, point))) for point in POINTS]
    assert all(before <= after for before, after in pairwise(places))
    assert point_named(kind, "mark") is None


def test_references_are_spelled_as_the_standard_does() -> None:
    (block,) = read_blocks(
        "<bml id='a'><gesture id='g'/><head id='h' start='g:stroke_end'/><gaze id='z'/>"
        "<wait id='w' start='z:stroke'/></bml>"
    )
    assert block.elements[1].times["start"].point == "strokeEnd"
    assert block.elements[3].times["start"].point == "ready"


def test_composition_and_its_relatives() -> None:
    asap = 'xmlns:bmla="http://www.asap-project.org/bmla"'
    (block,) = read_blocks(f"<bml {BML} {asap} id='a' composition='append' bmla:appendAfter='b,c' bmla:interrupt='d'/>")
    assert (block.composition, block.after, block.interrupts) == ("APPEND", ("b", "c"), ("d",))
    (block,) = read_blocks("<bml id='a' composition='APPEND-AFTER(x,y)'/>")
    assert block.after == ("x", "y")
    (block,) = read_blocks("<bml id='a' composition='SIDEWAYS'/>")
    assert block.composition == "MERGE"
    assert block.warnings[0].type == "PARSING_FAILURE"


def test_what_is_missing_or_strange_is_warned_about() -> None:
    (block,) = read_blocks(
        f"<bml {BML}><head id='n' lexeme='NOD'/><head id='n' lexeme='NOD'/><dance id='d'/>"
        "<x:dance xmlns:x='urn:x' id='e'/><gaze id='g' start='soon'/></bml>"
    )
    assert [warning.type for warning in block.warnings] == [
        "MISSING_ID", "DUPLICATE_ID", "BEHAVIOR_TYPE_NOT_SUPPORTED", "CUSTOM_BEHAVIOR_NOT_SUPPORTED", "PARSING_FAILURE",
    ]  # fmt: skip
    assert len({element.id for element in block.elements}) == 2


def test_what_is_required_and_unknown_fails_the_block() -> None:
    (block,) = read_blocks(f"<bml {BML} id='a'><required><dance id='d'/></required></bml>")
    assert block.failed


def test_smartbody_says_it_otherwise() -> None:
    (block,) = read_blocks(
        "<act><bml><head type='NOD' repeats='2'/><sbm:reach sbm:action='pick-up' target='ball' sbm:reach-type='left'/>"
        "<face type='facs' au='1_left' amount='1'/><gaze sbm:joint-range='EYES CHEST' target='t'/></bml></act>"
    )
    head, grasp, face, gaze = block.elements
    assert (head.kind, head.attributes["lexeme"], head.attributes["repetition"]) == ("head", "NOD", "2")
    assert (grasp.kind, grasp.attributes["target"], grasp.attributes["mode"]) == ("grasp", "ball", "LEFT_HAND")
    assert (face.kind, face.attributes["au"], face.attributes["side"]) == ("faceFacs", "1", "LEFT")
    assert gaze.attributes["influence"] == "TORSO"
    assert sum(warning.type == "OLD_SPELLING" for warning in block.warnings) == 4
