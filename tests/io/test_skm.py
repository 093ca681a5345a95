"""SmartBody motions: every kind of channel, the skeleton that they need, and bad files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from mummer.character import Character, Skeleton, world_positions
from mummer.errors import FileError, InputError, LimitError, MalformedFileError, MummerError
from mummer.io import ReadLimits, load, sk, skm
from mummer.math import quaternion
from tests.io.real_files import load_real, real_files
from tests.io.test_sk import SMALL as SKELETON

SMALL = """# SKM Motion Definition
# an exporter    Units: m
SkMotion

name "wave"

channels 5
base XPos
base YPos
base Quat
left arm Quat
tail ZPos

frames 2
kt 0 fr 1 2 0 0 0.5 0.1 0.2 0.3 7
kt 0.5 fr 3 4 0 0 1.5 0 0 0 8


ready time: 0.1
stroke time: 0.4
"""


PLAIN = Character("plain", Skeleton(("base", "left arm", "tail"), [-1, 0, 0], np.zeros((3, 3))))


def motion(channels: str, *rows: str) -> bytes:
    """A motion of one joint, ``base``."""
    kinds = channels.split()
    lines = [f"kt {0.1 * place:.1f} fr {row}" for place, row in enumerate(rows)]
    names = [f"base {kind}" for kind in kinds]
    return "\n".join(["SkMotion", f"channels {len(kinds)}", *names, f"frames {len(rows)}", *lines]).encode()


def read(data: bytes, path: Path | None = None, **options: Any) -> Character:
    """The motion on a body whose joints rest unturned at the origin."""
    return skm.read(data, path, skeleton=PLAIN, **options)


def test_channels_move_the_joints_that_they_name() -> None:
    character = read(SMALL.encode(), Path("x.skm"))
    recording = character.recordings[0]
    assert (recording.name, recording.frame_rate, recording.key_times.tolist()) == ("wave", 2, [0, 0.5])
    poses = recording.frames()
    assert poses.translations[:, 0].tolist() == [[1, 2, 0], [3, 4, 0]]
    assert poses.translations[:, 2, 2].tolist() == [7, 8]
    expected = Rotation.from_rotvec([0.1, 0.2, 0.3]).as_quat()
    assert quaternion.equal_rotations(poses.rotations[0, 1], expected, 1e-12)
    assert character.source is not None
    assert character.source.details["marks"] == {"ready": 0.1, "stroke": 0.4}


def test_without_its_skeleton_a_motion_says_so(tmp_path: Path) -> None:
    motion_file = tmp_path / "wave.skm"
    motion_file.write_text(SMALL)
    missing = (
        r"wave.skm: says how joints move, but not how they hang together: its skeleton \(.sk\) does not lie beside it"
    )
    with pytest.raises(FileError, match=missing):
        load(motion_file)
    (tmp_path / "other.sk").write_text("skeleton\nroot a\n{ offset 0 1 0\n}\nend\n")
    with pytest.raises(FileError, match=r"is not one of those beside it \(other.sk\); name it with --skeleton FILE"):
        load(motion_file)
    with pytest.raises(FileError, match=r"moves base, left arm, tail ..., none of which is a joint of the skeleton"):
        load(motion_file, skeleton="other.sk")
    with pytest.raises(FileError, match="data: says how joints move"):
        skm.read(SMALL.encode())


def test_the_skeleton_that_lies_beside_a_motion_is_found(tmp_path: Path) -> None:
    (tmp_path / "wave.skm").write_text(SMALL)
    (tmp_path / "broken.sk").write_text("skeleton root {")
    (tmp_path / "a.sk").write_text(SKELETON.replace("small", "first"))
    (tmp_path / "WaveBody.sk").write_text(SKELETON.replace("small", "namesake"))
    character = load(tmp_path / "wave.skm")
    assert character.skeleton.name == "namesake"
    assert "guessed: its skeleton is WaveBody.sk, which lies beside it" in str(character.report)


def test_a_motion_without_units_has_those_of_its_skeleton(tmp_path: Path) -> None:
    (tmp_path / "body.sk").write_text(SKELETON.replace("Units: m", "Units: cm"))
    (tmp_path / "wave.skm").write_text(SMALL.replace("Units: m", ""))
    moved = load(tmp_path / "wave.skm")
    assert moved.recordings[0].frames().translations[0, 0, 0] == 0.01
    assert "lengths are in" not in str(moved.report)
    assert load(tmp_path / "wave.skm", unit="mm").recordings[0].frames().translations[0, 0, 0] == 0.001


def test_on_a_skeleton_rotations_go_between_those_before_and_after() -> None:
    body = sk.read(SKELETON.encode())
    character = skm.read(SMALL.encode(), skeleton=body)
    pre, post = Rotation.from_euler("z", 90, degrees=True), Rotation.from_euler("x", 45, degrees=True)
    expected = (pre * Rotation.from_rotvec([0.1, 0.2, 0.3]) * post).as_quat()
    poses = character.recordings[0].frames()
    assert quaternion.equal_rotations(poses.rotations[0, 1], expected, 1e-12)
    assert poses.translations[0, 0].tolist() == [1, 3, 0]
    assert "the skeleton has no joint 'tail'; its channels are left out" in str(character.report)
    assert character.skeleton is body.skeleton


def test_on_any_other_character_the_rest_rotation_comes_first() -> None:
    quarter = Rotation.from_euler("y", 90, degrees=True)
    body = Character("other", Skeleton(("left arm",), [-1], [[0, 0, 1]], [quarter.as_quat()]))
    poses = skm.read(SMALL.encode(), skeleton=body).recordings[0].frames()
    expected = (quarter * Rotation.from_rotvec([0.1, 0.2, 0.3])).as_quat()
    assert quaternion.equal_rotations(poses.rotations[0, 0], expected, 1e-12)


def test_skeleton_by_path(tmp_path: Path) -> None:
    (tmp_path / "body.sk").write_text(SKELETON)
    (tmp_path / "wave.skm").write_text(SMALL)
    for given_path in (tmp_path / "body.sk", str(tmp_path / "body.sk"), "body.sk"):
        assert load(tmp_path / "wave.skm", skeleton=given_path).skeleton.name == "small"
    with pytest.raises(MummerError, match="is not there"):
        load(tmp_path / "wave.skm", skeleton="nobody.sk")
    with pytest.raises(InputError, match="skeleton is a int; expected a Character or the path of one"):
        skm.read(SMALL.encode(), skeleton=3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("channels", "row", "expected"),
    [
        ("Quat", "0 0 0", Rotation.identity()),
        ("Quat", "0 0 3", Rotation.from_rotvec([0, 0, 3])),
        ("Quat", "-1.01927 6.11560 -1.01927", Rotation.from_rotvec([-1.01927, 6.11560, -1.01927])),
        ("XRot", "90", Rotation.from_euler("X", 90, degrees=True)),
        ("XRot YRot ZRot", "10 20 30", Rotation.from_euler("XYZ", [10, 20, 30], degrees=True)),
        ("ZRotation YRotation", "30 20", Rotation.from_euler("YZ", [20, 30], degrees=True)),
        ("Twist", "40", Rotation.from_euler("Z", 40, degrees=True)),
        ("Swing", "0.3 0.4", Rotation.from_rotvec([0.3, 0.4, 0])),
        ("Swing Twist", "0.3 0.4 50", Rotation.from_rotvec([0.3, 0.4, 0]) * Rotation.from_euler("Z", 50, degrees=True)),
    ],
)
def test_rotation_channels(channels: str, row: str, expected: Rotation) -> None:
    found = read(motion(channels, row)).recordings[0].frames().rotations[0, 0]
    assert quaternion.equal_rotations(found, expected.as_quat(), 1e-9)


def test_units() -> None:
    assert read(motion("XPos", "2")).recordings[0].frames().translations[0, 0, 0] == 2
    guessed = read(motion("XPos", "90"))
    assert guessed.recordings[0].frames().translations[0, 0, 0] == 0.9
    assert "guessed: lengths are in centimetres" in str(guessed.report)
    stated = read(b"# Units: cm\n" + motion("XPos", "2"))
    assert stated.recordings[0].frames().translations[0, 0, 0] == 0.02


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (SMALL.replace("frames 2", "frames 9"), "repaired: says 9 frames but holds 2"),
        (SMALL.replace("kt 0.5", "kt 0"), "repaired: frames whose time does not increase are left out"),
        (SMALL[: SMALL.index("kt 0")], "unusual: there are no frames"),
    ],
)
def test_findings(text: str, finding: str) -> None:
    assert finding in str(read(text.encode()).report)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SkMotion", r"has no line 'channels' and a count"),
        (SMALL.replace("frames 2", ""), r"has no line 'frames' and a count"),
        (SMALL.replace("channels 5", "channels 6"), r"line 7: says 6 channels but names 5"),
        (
            SMALL.replace("left arm Quat", "left arm Quart"),
            r"line 11: channel 'left arm Quart'; expected a joint",
        ),
        (SMALL.replace("0.3 7", "7"), r"line 15: a frame holds 8 numbers, but the channels need 9"),
        (SMALL.replace("0.3 7", "nan 7"), r"line 15: 'nan' is not a finite number"),
        (SMALL.replace("0.3 7", "1e30 7"), r"holds the number 1e\+30"),
        ("channels 0\nframes 0\n", r"has no channel"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(MalformedFileError, match=message):
        read(text.encode(), Path("x.skm"))


def test_limits() -> None:
    with pytest.raises(LimitError, match="numbers; the limit is 5"):
        read(SMALL.encode(), limits=ReadLimits(values=5))
    with pytest.raises(LimitError, match="has more than 18 channels"):
        read(motion(" ".join(["XPos"] * 30), "0 " * 30), limits=ReadLimits(joints=2))


WORDS = ["", "kt", "nan", "frames 3\n", "\0", "channels 1\n", "-"]


@given(place=st.integers(0, len(SMALL)), word=st.sampled_from(WORDS))
def test_damaged_files_only_give_our_errors(place: int, word: str) -> None:
    for text in (SMALL[:place] + word + SMALL[place + 2 :], SMALL[:place]):
        message = ""
        try:
            character = read(text.encode())
        except MummerError as error:
            message = str(error)
        else:
            assert np.all(np.isfinite(character.recordings[0].frames().rotations))
        assert "\n" not in message


@pytest.mark.parametrize("path", real_files("motions/smartbody", extensions=(".skm",)))
def test_real_files_stand_on_the_ground(path: Path) -> None:
    character = load_real(path)
    assert character.recordings[0].frame_rate in (30, None)
    assert {finding.kind for finding in character.report} <= {"guessed"}, str(character.report)
    positions = world_positions(character.skeleton, character.recordings[0].frames())
    rest = world_positions(character.skeleton, character.default_pose)
    assert abs(positions[..., 1].min() - rest[:, 1].min()) < 0.1
    assert 1.4 < np.ptp(positions[0, :, 1]) < 2
