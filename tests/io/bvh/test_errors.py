"""What makes the body or the motion unknowable is one line of error that names the line, quickly."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from mummer.errors import LimitError, MalformedFileError
from mummer.io import ReadLimits, bvh
from tests.io.bvh.making import ROW, SIX, TWO_JOINTS, motion

GOOD = TWO_JOINTS + motion(ROW, ROW)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"line 1: the file is empty; expected HIERARCHY"),
        (GOOD.removeprefix("HIERARCHY\n"), r"line 1: starts with 'ROOT'; expected HIERARCHY"),
        ("HIERARCHY\n" + motion(ROW), r"the hierarchy has no joint; expected ROOT and a name"),
        (GOOD.replace("\t}\n}", "}"), r"joint 'Hips', opened on line 2, is never closed by '}'"),
        ("HIERARCHY\nROOT a", r"line 2: the file ends where '{' should be"),
        ("HIERARCHY\nROOT a\nOFFSET 0 0 0", r"line 3: ROOT 'a' is not followed by '{'"),
        (GOOD.replace("0 10 0", "0 ten 0"), r"line 8: 'ten' stands where y of OFFSET should be"),
        (GOOD.replace("0 10 0", "0 nan 0"), r"line 8: 'nan' stands where y of OFFSET should be"),
        (GOOD.replace("0 10 0", "0 1_0 0"), r"line 8: '1_0' stands where y of OFFSET"),
        (GOOD.replace("CHANNELS 3", "CHANNELS 4"), r"CHANNELS of joint 'Spine' on line 9 says 4 but names 3"),
        (GOOD.replace("CHANNELS 3", "CHANNELS 2"), r"CHANNELS of joint 'Spine' on line 9 says 2 but names more"),
        (GOOD.replace("CHANNELS 3", "CHANNELS -1"), r"says -1 but names"),
        (GOOD.replace("CHANNELS 3", "CHANNELS"), r"line 9: 'Zrotation' stands where the count of CHANNELS"),
        (GOOD.replace("JOINT Spine", "ROOT Spine"), r"line 7: ROOT 'Spine' stands inside joint 'Hips'"),
        (GOOD.replace("OFFSET 0 5 0", "JOINT x\n{\n}"), r"line 12: an end site has a JOINT inside"),
        ("HIERARCHY\n{\n}\n", r"line 2: '{' opens nothing"),
        (TWO_JOINTS + motion(ROW, ROW + " 7"), r"line 20: a frame holds 10 numbers, but the joints have 9 channels"),
        (TWO_JOINTS + motion("1 2 3", "1 2 3"), r"line 19: a frame holds 3 numbers, but the joints have 9 channels"),
        (TWO_JOINTS + motion(*["1 2 3"] * 3), r"line 19: a frame holds 3 numbers, but the joints have 9"),
        (TWO_JOINTS + motion(ROW, ROW.replace("50", "nan")), r"line 20: 'nan' is not a finite number"),
        (TWO_JOINTS + motion(ROW, ROW.replace("50", "-inf")), r"line 20: '-inf' is not a finite number"),
        (TWO_JOINTS + motion(ROW, ROW.replace("50", "1.#IND")), r"line 20: '1.#IND' is not a finite number"),
        (TWO_JOINTS + motion(ROW, ROW.replace("50", "x")), r"line 20: 'x' is not a finite number"),
        (TWO_JOINTS + motion(ROW, ROW.replace("50", "1e999")), r"line 20: '1e999' is not a finite number"),
        (TWO_JOINTS + motion(ROW.replace("50", "1e300")), r"holds the number 1e\+300; expected none beyond 1e\+12"),
        (GOOD.replace("0 10 0", "0 1e30 0"), r"holds the number 1e\+30"),
        ("HIERARCHY\0\0", r"is not text"),
    ],
)
def test_messages(text: str, message: str) -> None:
    with pytest.raises(MalformedFileError, match=message) as caught:
        bvh.read(text.encode(), Path("clip.bvh"))
    assert str(caught.value).startswith("clip.bvh: ")
    assert "\n" not in str(caught.value)


def test_a_million_deep() -> None:
    text = "HIERARCHY\n" + "".join(f"JOINT j{n}\n{{\n" for n in range(1_000_000))
    start = time.process_time()
    with pytest.raises(LimitError, match=r"line 8194: nests joints deeper than 4,096"):
        bvh.read(text.encode())
    assert time.process_time() - start < 5


def test_as_deep_as_allowed() -> None:
    depth = 4096
    text = "HIERARCHY\n" + "".join(f"JOINT j{n}\n{{\nOFFSET 0 0.1 0\n" for n in range(depth)) + "}" * depth
    assert len(bvh.read(text.encode()).skeleton) == depth


def test_too_many_joints() -> None:
    text = f"HIERARCHY\nROOT a\n{{\n{SIX}\n" + "JOINT b\n{\n}\n" * 20 + "}\n"
    with pytest.raises(LimitError, match="has more than 10 joints"):
        bvh.read(text.encode(), limits=ReadLimits(joints=10))


def test_a_promise_of_a_terabyte() -> None:
    text = TWO_JOINTS + motion(ROW, frames=10**15)
    with pytest.raises(LimitError, match=r"line 16: asks for 1,000,000,000,000,000 frames of 9 channels"):
        bvh.read(text.encode())


def test_more_numbers_than_allowed() -> None:
    text = TWO_JOINTS + motion(*[ROW] * 100, frames=1)
    with pytest.raises(LimitError, match=r"holds about 900 numbers; the limit is 500"):
        bvh.read(text.encode(), limits=ReadLimits(values=500))


def test_more_rotations_than_allowed() -> None:
    text = "HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotation\n}\n" + motion(*["5"] * 100)
    with pytest.raises(LimitError, match=r"has 100 frames of 1 turning joints; the limit is 399 numbers"):
        bvh.read(text.encode(), limits=ReadLimits(values=399))
    assert len(bvh.read(text.encode(), limits=ReadLimits(values=400)).recordings) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("HIERARCHY\nROOT a\n{\n" + "End Site\n{\nOFFSET 0 1 0\n}\n" * 30_000 + "}\n", id="end sites"),
        pytest.param("HIERARCHY\nROOT a\n{\n" + "JOINT b\n{\n}\n" * 30_000 + "}\n", id="equal names"),
        pytest.param("HIERARCHY" + "\n" * 3_000_000 + "ROOT a\n{\n}\n", id="blank lines"),
        pytest.param("HIERARCHY\nROOT a\n{\n}\nMOTION\n" + " \n" * 3_000_000, id="blank motion"),
    ],
)
def test_monotonous_files_take_linear_time(text: str) -> None:
    start = time.process_time()
    bvh.read(text.encode())
    assert time.process_time() - start < 5
