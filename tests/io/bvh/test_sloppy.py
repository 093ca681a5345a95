"""Sloppy files that exist: they load, and the report says what was found."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.character import Character
from mummer.io import bvh
from tests.io.bvh.making import ROW, TWO_JOINTS, findings, motion, read

GOOD = TWO_JOINTS + motion(ROW, ROW)


def same_as_good(character: Character) -> bool:
    good = read(GOOD)
    mine, other = good.recordings[0].frames(), character.recordings[0].frames()
    return good.skeleton.same_as(character.skeleton) and np.array_equal(mine.rotations, other.rotations)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(GOOD.replace("\n", "\r\n").encode(), id="windows line ends"),
        pytest.param(GOOD.replace("\n", "\r").encode(), id="old mac line ends"),
        pytest.param(b"\xef\xbb\xbf" + GOOD.encode(), id="byte-order mark"),
        pytest.param(GOOD.encode("utf-16"), id="utf-16"),
        pytest.param(GOOD.replace(" ", "\t").encode(), id="tabs"),
        pytest.param(GOOD.replace(" ", "   ").encode(), id="many blanks"),
        pytest.param(GOOD.replace("\n", " \n\n").encode(), id="blank lines"),
        pytest.param(GOOD.replace("\n\t{", " {").replace("\n{", "{").encode(), id="braces on the same line"),
        pytest.param(GOOD.replace("OFFSET", "offset").replace("JOINT", "Joint").encode(), id="lower case"),
        pytest.param(GOOD.replace("HIERARCHY", "hierarchy").replace("MOTION", "Motion").encode(), id="lower case"),
        pytest.param(GOOD.replace("Zrotation", "ZROTATION").replace("Xpos", "xpos").encode(), id="channel case"),
        pytest.param(b"# made by hand\n" + GOOD.encode().replace(b"MOTION", b"// now\nMOTION # go"), id="comments"),
        pytest.param(GOOD.replace("Frames: 2", "Frames:2").replace("Time: ", "Time:").encode(), id="no blanks"),
        pytest.param(GOOD.replace("MOTION\n", "MOTION ").encode(), id="frames on the line of motion"),
        pytest.param(GOOD.replace("}\nMOTION", "} MOTION").encode(), id="brace on the line of motion"),
        pytest.param(GOOD.replace(" 40 50", "\n40 50").encode(), id="frames over several lines"),
        pytest.param(GOOD.replace(ROW + "\n" + ROW, ROW + " " + ROW).encode(), id="two frames on a line"),
        pytest.param(GOOD.replace(ROW, ROW.replace(" ", ", ")).encode(), id="commas between numbers"),
        pytest.param(GOOD.rstrip().encode(), id="no newline at the end"),
    ],
)
def test_harmless_variations(data: bytes) -> None:
    assert same_as_good(bvh.read(data, metres_per_unit=1.0, up="+Y"))


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (TWO_JOINTS + motion(ROW, ROW, frames=5), "repaired: says 5 frames but holds 2; what is there is used"),
        (TWO_JOINTS + motion(ROW, ROW, frames=1), "repaired: says 1 frames but holds 2; what is there is used"),
        (GOOD.replace("Frames: 2\n", ""), "repaired: the count of frames is missing"),
        (GOOD.replace("Frames: 2", "Frames: many"), "repaired: the count of frames is missing"),
        (GOOD + "the end\nof it\n", "ignored: after the frames stands 'the end'"),
        (GOOD.rstrip().removesuffix("50 60") + "\n", "repaired: the last frame is cut short and left out"),
        (GOOD.replace("Frame Time: 0.1\n", ""), "guessed: the frame time is missing"),
        (GOOD.replace("Frame Time: 0.1", "Frame Time: 0"), "guessed: the frame time is 0 s"),
        (GOOD.replace("Frame Time: 0.1", "Frame Time: -1"), "guessed: the frame time is -1 s"),
        (GOOD.replace("Frame Time: 0.1", "Frame Time: 30"), "unusual: a frame lasts 30 s"),
        (GOOD.replace("\tOFFSET 0 10 0\n", ""), "repaired: a joint has no OFFSET"),
        (GOOD.replace("\tOFFSET 0 10 0", "\tOFFSET 0 10 0\n\t\tCOLOR 1 2 3"), "ignored: 'COLOR' in the hierarchy"),
        (GOOD.replace("}\nMOTION", "}\n}\nMOTION"), "ignored: a '}' closes nothing"),
        (GOOD.replace("JOINT Spine", "JOINT Hips"), "repaired: joints had no name, or that of another"),
        (GOOD.replace("JOINT Spine", "JOINT"), "repaired: joints had no name, or that of another"),
        (GOOD.replace("ROOT Hips", "JOINT Hips"), "unusual: joint 'Hips' hangs from nothing"),
        (TWO_JOINTS, "unusual: there is no MOTION"),
    ],
)
def test_findings(text: str, finding: str) -> None:
    assert finding in findings(read(text))


def test_what_is_there_is_used() -> None:
    assert len(read(TWO_JOINTS + motion(ROW, ROW, frames=9)).recordings[0].key_times) == 2
    assert len(read(TWO_JOINTS + motion(ROW, ROW, ROW, frames=1)).recordings[0].key_times) == 3
    assert len(read(GOOD.rstrip().removesuffix("60")).recordings[0].key_times) == 1


@pytest.mark.parametrize("text", [TWO_JOINTS, TWO_JOINTS + motion()])
def test_no_frames_no_recording(text: str) -> None:
    assert read(text).recordings == ()


def test_missing_frame_time_is_thirty_a_second() -> None:
    assert read(GOOD.replace("Frame Time: 0.1", "")).recordings[0].frame_rate == 30


def test_decimal_commas() -> None:
    text = TWO_JOINTS.replace("0 10 0", "0,0 10,5 0,0") + motion("1,5 2 3 0 0 0 0 0 0", frame_time="0,25")
    character = read(text)
    assert character.skeleton.rest_translations[1].tolist() == [0, 10.5, 0]
    assert character.recordings[0].frames().root_translation[0].tolist() == [1.5, 2, 3]
    assert character.recordings[0].frame_rate == 4
    assert "decimal commas" in findings(character)


@pytest.mark.parametrize("name", ["Left Arm", "mixamorig:Hips", "spine.001", "Füße", "a#2", "x/y", "JOINT", "OFFSET"])
def test_names(name: str) -> None:
    assert read(GOOD.replace("JOINT Spine", f"JOINT {name}")).skeleton.names[1] == name


def test_names_in_a_western_encoding() -> None:
    data = GOOD.replace("Spine", "Füße").encode("cp1252")
    assert bvh.read(data).skeleton.names[1] == "Füße"
