"""SmartBody skeletons: offsets, rotations before and after the moving one, units, and bad files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from mummer.character import world_positions
from mummer.errors import LimitError, MalformedFileError, MummerError
from mummer.io import ReadLimits, load, sk
from mummer.math import quaternion

SMALL = """# SK Skeleton Definition    Units: m
set_name small
skeleton
root base
{ offset 0 1 0
  channel XPos 0 free
  channel Quat
  joint left arm
  { offset 0.5 0 0
    prerot axis 0 0 2 ang 90
    postrot axis 1 0 0 ang 45
    euler YXZ
    channel Quat
    joint hand
    { center 0.2 0 0
    }
  }
}
end
whatever follows
"""


def test_small() -> None:
    character = sk.read(SMALL.encode(), Path("x.sk"))
    assert character.name == "small"
    assert character.skeleton.names == ("base", "left arm", "hand")
    assert character.skeleton.parents.tolist() == [-1, 0, 1]
    assert not character.report
    expected = (Rotation.from_euler("z", 90, degrees=True) * Rotation.from_euler("x", 45, degrees=True)).as_quat()
    assert quaternion.equal_rotations(character.skeleton.rest_rotations[1], expected, 1e-12)
    positions = world_positions(character.skeleton, character.default_pose)
    assert np.allclose(positions, [[0, 1, 0], [0.5, 1, 0], [0.5, 1.2, 0]], rtol=0, atol=1e-12)
    assert character.source is not None
    assert character.source.details["euler_orders"] == {"left arm": "YXZ"}
    assert character.source.details["channels"]["base"] == ("XPos", "Quat")
    assert list(character.source.details["post_rotations"]) == ["left arm"]


def test_several_rotations_before_are_a_product() -> None:
    text = SMALL.replace("postrot axis 1 0 0 ang 45", "prerot axis 1 0 0 ang 45")
    one, two = sk.read(SMALL.encode()), sk.read(text.encode())
    assert np.allclose(one.skeleton.rest_rotations, two.skeleton.rest_rotations, rtol=0, atol=1e-15)
    assert two.source is not None
    assert two.source.details["post_rotations"] == {}


@pytest.mark.parametrize(("stated", "unit"), [("m", 1.0), ("cm", 0.01), ("mm", 0.001)])
def test_stated_units(stated: str, unit: float) -> None:
    character = sk.read(SMALL.replace("Units: m", f"Units: {stated}").encode())
    assert character.skeleton.rest_translations[1, 0] == 0.5 * unit


def test_guessed_and_given_units() -> None:
    text = SMALL.replace("Units: m", "").replace("0.5", "50").encode()
    assert "guessed: lengths are in centimetres" in str(sk.read(text).report)
    assert sk.read(text, metres_per_unit=2.0).skeleton.rest_translations[1, 0] == 100


def test_scale() -> None:
    text = SMALL.replace("set_name small", "set_scale 3").encode()
    assert sk.read(text).skeleton.rest_translations[1, 0] == 1.5


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (SMALL.replace("left arm", "base"), "repaired: joints had no name, or that of another"),
        (SMALL.replace("euler YXZ", 'visgeo "arm.srm"'), "ignored: 'visgeo' of a joint is left out"),
        (SMALL.replace("euler YXZ", "color 1 2 3"), "ignored: 'color' of a joint is not understood"),
        (SMALL.replace("XPos 0 free", "XPos 2 lim 1 3"), "ignored: channels have values at rest"),
        (SMALL.replace("set_name small", "add_posture x"), "ignored: 'add_posture' is not understood"),
    ],
)
def test_findings(text: str, finding: str) -> None:
    assert finding in str(sk.read(text.encode()).report)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"line 1: there is no joint; expected 'root' and a name"),
        (SMALL.replace("}\n}\nend", "end"), r"line 18: joint 'left arm', opened on line 8, is never closed by '}'"),
        (SMALL.replace("}\nend", "}\n}\nend"), r"line 19: '}' closes nothing"),
        (SMALL.replace("offset 0.5", "offset x"), r"line 9: 'x' stands where x of an offset should be"),
        (SMALL.replace("axis 0 0 2", "0 0 2"), r"line 10: a rotation must be written as: axis x y z ang degrees"),
        (SMALL.replace("ang 90", "90"), r"line 10: a rotation must be written as: axis x y z ang degrees"),
        (SMALL.replace("ang 90", "ang nan"), r"line 10: 'nan' stands where an angle should be"),
        (SMALL.replace("XPos 0 free", ""), r"line 6: a channel of joint 'base' has no type"),
        ("skeleton\nroot a\noffset", r"line 3: joint 'a' is not followed by '{'"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(MalformedFileError, match=message):
        sk.read(text.encode(), Path("x.sk"))


def test_limits() -> None:
    deep = "skeleton\n" + "".join(f"joint j{n}\n{{\n" for n in range(5000))
    with pytest.raises(LimitError, match="nests joints deeper than 4,096"):
        sk.read(deep.encode())
    wide = "skeleton\nroot a\n{\n" + "joint b { }\n" * 20 + "}"
    with pytest.raises(LimitError, match="has more than 5 joints"):
        sk.read(wide.encode(), limits=ReadLimits(joints=5))


WORDS = ["", "{", "}", "nan", "joint", "axis", "1e400", "\0", "#"]


@given(place=st.integers(0, len(SMALL)), word=st.sampled_from(WORDS))
def test_damaged_files_only_give_our_errors(place: int, word: str) -> None:
    for text in (SMALL[:place] + word + SMALL[place + 3 :], SMALL[:place]):
        message = ""
        try:
            sk.read(text.encode())
        except MummerError as error:
            message = str(error)
        assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "joints", "unit", "head", "foot"),
    [("ChrBrad", 119, 1.0, "JtSkullA", "JtBallLf"), ("common", 112, 0.01, "skullbase", "l_forefoot")],
)
def test_real_files(name: str, joints: int, unit: float, head: str, foot: str, data_dir: Path) -> None:
    character = load(data_dir / "characters" / "smartbody" / f"{name}.sk")
    assert len(character.skeleton) == joints
    assert character.source is not None
    assert character.source.metres_per_unit == unit
    positions = world_positions(character.skeleton, character.default_pose)
    high, low = positions[character.skeleton.index(head)], positions[character.skeleton.index(foot)]
    assert 1.4 < high[1] - low[1] < 1.8
    # They face +Z: the toes are before the heels.
    assert low[2] > high[2] + 0.05
