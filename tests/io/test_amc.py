"""Acclaim motions: bones turn as the textbook has it, skeletons are found, and bad files say where they are bad."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from mummer.character import Character, world_positions
from mummer.errors import FileError, InputError, LimitError, MalformedFileError, MummerError
from mummer.io import ReadLimits, amc, asf, load
from tests.io.test_asf import ASF as PLAIN

ASF = PLAIN.replace(b"axis 0 0 90 XYZ\n", b"axis 0 0 90 XYZ\n     dof rx ry rz\n").replace(
    b"axis 10 20 30 XYZ\n", b"axis 10 20 30 XYZ\n     dof rz rx\n"
)
AMC = """#!OML:ASF stick.asf
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
thigh 40 -50 60
shin 15 25
2
root 4 5 6 -10 0 5
thigh 0 0 0
shin -70 80
"""


def stick() -> Character:
    return asf.read(ASF, metres_per_unit=1.0)


def read(content: str = AMC, **options: object) -> Character:
    return amc.read(content.encode(), Path("kick.amc"), skeleton=stick(), **options)  # type: ignore[arg-type]


def test_bones_are_where_the_textbook_puts_them() -> None:
    """Every bone turns its child frames by C M inverse(C), C its axes at rest and M what the motion says."""
    found = read()
    positions = world_positions(found.skeleton, found.recordings[0].frames())
    lengths = {"thigh": np.array([0, -4, 0.0]), "shin": np.array([0, 0, 3.0])}
    axes = {"thigh": Rotation.from_euler("xyz", [0, 0, 90], degrees=True),
            "shin": Rotation.from_euler("xyz", [10, 20, 30], degrees=True)}  # fmt: skip
    frames = [((1, 2, 3), (10, 20, 30), (40, -50, 60), (15, 25)), ((4, 5, 6), (-10, 0, 5), (0, 0, 0), (-70, 80))]
    for frame, (place, root, thigh, shin) in enumerate(frames):
        moves = {
            "thigh": Rotation.from_euler("xyz", thigh, degrees=True),
            "shin": Rotation.from_euler("zx", shin, degrees=True),
        }
        world, tip = Rotation.from_euler("xyz", root, degrees=True), np.array(place, float)
        expected = [tip]
        for bone in ("thigh", "shin"):
            world = world * axes[bone] * moves[bone] * axes[bone].inv()
            tip = tip + world.apply(lengths[bone])
            expected.append(tip)
        assert np.allclose(positions[frame, [1, 2, 3]], expected, rtol=0, atol=1e-9)


def test_what_the_format_leaves_open_is_told_and_chosen() -> None:
    found = read()
    assert "guessed: 120 frames a second, which the format does not state" in str(found.report)
    assert found.recordings[0].name == "kick"
    chosen = read(frame_rate=60.0).recordings[0]
    assert (chosen.frame_rate, chosen.end) == (60.0, 1 / 60)
    with pytest.raises(InputError, match="frame_rate is -1"):
        read(frame_rate=-1.0)


def test_angles_may_be_radians() -> None:
    numbers = [" ".join(str(float(np.radians(float(word)))) for word in ("15", "25"))]
    radians = AMC.replace(":DEGREES", ":RADIANS").replace("shin 15 25", f"shin {numbers[0]}")
    turned = [read(text).recordings[0].frames().rotations[0, 2] for text in (AMC, radians)]
    assert np.allclose(turned[0], turned[1])


def test_the_skeleton_is_found_beside_the_motion(tmp_path: Path) -> None:
    (tmp_path / "stick_01.amc").write_text(AMC)
    with pytest.raises(FileError, match=r"its skeleton \(.asf\) does not lie beside it; name it with --skeleton FILE"):
        load(tmp_path / "stick_01.amc")
    (tmp_path / "Stick.ASF").write_bytes(ASF)
    found = load(tmp_path / "stick_01.amc", unit="inch")
    assert "its skeleton is Stick.ASF, which lies beside it" in str(found.report)
    assert found.skeleton.rest_translations[2] == pytest.approx([-4 * 0.0254, 0, 0])
    assert found.recordings[0].frames().translations[0, 0] == pytest.approx([0.0254, 0.0508, 0.0762])
    (tmp_path / "other.sk").write_text("skeleton\nroot root\n{ offset 0 1 0\n}\nend\n")
    with pytest.raises(FileError, match=r"needs the .asf file that it was made with"):
        load(tmp_path / "stick_01.amc", skeleton="other.sk")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("shin 15 25", "shin 15 x", r"line 7: expected finite numbers after 'shin'"),
        ("shin 15 25", "shin", r"line 7: expected finite numbers after 'shin'"),
        ("shin 15 25", "shin 15 1e300", r"line 7: expected finite numbers"),
        ("shin -70 80", "shin -70", r"line 11: 'shin' has 1 numbers; it had 2 before"),
        ("shin -70 80", "", r"frame 2 says nothing of 'shin'"),
        ("shin -70 80", "foot 1", r"line 11: 'foot' is new here, or stands twice"),
        ("thigh 0 0 0", "shin -70 80", r"stands twice in a frame"),
        ("1\nroot 1", "root 1", r"line 4: 'root' stands before the number of a frame"),
        ("thigh 40 -50 60\n", "thigh 40 -50\n", r"'thigh' has 3 numbers; it had 2"),
        (AMC[AMC.index("1\n") :], "", r"has no frame"),
    ],
)
def test_bad_files_say_what_is_wrong(old: str, new: str, message: str) -> None:
    with pytest.raises(MalformedFileError, match=message):
        read(AMC.replace(old, new, 1))


def test_numbers_must_be_those_that_the_skeleton_lists() -> None:
    short = AMC.replace("shin 15 25", "shin 15").replace("shin -70 80", "shin -70")
    with pytest.raises(MalformedFileError, match="'shin' has 1 numbers, but its skeleton lists rz rx"):
        read(short)


def test_limits_are_kept() -> None:
    with pytest.raises(LimitError, match="has more than 5 numbers"):
        read(limits=ReadLimits(values=5))


@given(place=st.integers(0, len(AMC)), word=st.sampled_from(["", "nan", "\n1\n", "\0", ":DEGREES", "-", "shin 1 2\n"]))
def test_damaged_files_only_give_our_errors(place: int, word: str) -> None:
    for text in (AMC[:place] + word + AMC[place + 2 :], AMC[:place]):
        message = ""
        try:
            found = read(text)
        except MummerError as error:
            message = str(error)
        else:
            assert np.all(np.isfinite(found.recordings[0].frames().rotations))
        assert "\n" not in message


def test_a_real_one_walks_on_its_feet(data_dir: Path) -> None:
    path = data_dir / "motions/fairmotion/cmu_11_01.amc"
    found = load(path, skeleton=data_dir / "characters/fairmotion/cmu_11.asf")
    assert found.recordings[0].duration == pytest.approx(596 / 120)
    positions = world_positions(found.skeleton, found.recordings[0].frames())
    lowest, highest = positions[..., 1].min(axis=1), positions[..., 1].max(axis=1)
    # A foot is on the ground in every frame but those of a kick, and the head stays high.
    assert np.ptp(lowest) < 0.13
    assert np.all((highest - lowest > 1.2) & (highest - lowest < 1.8))
