"""What BVH files mean: channels in every order and number, positions, End Sites, several roots, names."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mummer.character import world_positions
from mummer.errors import InputError
from mummer.io import bvh
from mummer.math import quaternion
from tests.io.bvh.making import ROW, SIX, THREE, TWO_JOINTS, findings, motion, one_joint, read

ORDERS = ["".join(axes) for count in (1, 2, 3) for axes in itertools.permutations("XYZ", count)]


def rotation_channels(order: str) -> str:
    return " ".join(f"{axis}rotation" for axis in order)


@pytest.mark.parametrize("order", [*ORDERS, "ZXZ", "YXY"])
def test_rotations_are_turns_in_the_order_of_the_channels(order: str) -> None:
    degrees = [30.0, -70.0, 110.0][: len(order)]
    character = read(one_joint(rotation_channels(order), " ".join(map(str, degrees))))
    found = character.recordings[0].frames().rotations[0, 0]
    expected = Rotation.from_euler(order, degrees, degrees=True).as_quat()
    assert quaternion.equal_rotations(found, expected, 1e-12)


def test_an_axis_may_come_twice_in_a_row_and_more_than_three_times() -> None:
    character = read(one_joint(rotation_channels("ZZXY"), "10 20 30 40"))
    expected = Rotation.from_euler("ZXY", [30, 30, 40], degrees=True).as_quat()
    assert quaternion.equal_rotations(character.recordings[0].frames().rotations[0, 0], expected, 1e-12)
    assert "same channel twice" in findings(character)


def test_channels_of_positions_and_rotations_may_be_mixed() -> None:
    character = read(one_joint("Zrotation Yposition Xrotation Xposition Yrotation Zposition", "90 2 0 1 0 3"))
    pose = character.recordings[0].frames()
    assert pose.root_translation[0].tolist() == [1, 2, 3]
    assert np.allclose(world_positions(character.skeleton, pose)[0, 1], [1 - 100, 2, 3])


def test_nine_channels_scale_too() -> None:
    names = "Xposition Yposition Zposition Zrotation Xrotation Yrotation Xscale Yscale Zscale"
    character = read(one_joint(names, "0 0 0 0 0 0 1 2 1"))
    assert character.recordings[0].frames().scales[0, 0].tolist() == [1, 2, 1]
    assert world_positions(character.skeleton, character.recordings[0].frames())[0, 1].tolist() == [0, 200, 0]


def test_a_missing_position_channel_keeps_the_offset() -> None:
    character = read(one_joint("Yposition", "7", offset="1 2 3"), positions="replace")
    assert character.recordings[0].frames().root_translation[0].tolist() == [1, 7, 3]
    character = read(one_joint("Yposition", "7", offset="1 2 3"), positions="add")
    assert character.recordings[0].frames().root_translation[0].tolist() == [1, 9, 3]


def test_a_channel_that_is_not_understood_keeps_its_column() -> None:
    character = read(one_joint("Wrotation Yposition", "5 7"))
    assert character.recordings[0].frames().root_translation[0].tolist() == [0, 7, 0]
    assert "channel 'Wrotation' is not understood" in findings(character)


def test_end_sites_become_joints_named_after_their_parent() -> None:
    character = read(TWO_JOINTS + motion(ROW))
    assert character.skeleton.names == ("Hips", "Spine", "Spine_end")
    assert character.skeleton.rest_translations[2].tolist() == [0, 5, 0]
    assert read(TWO_JOINTS + motion(ROW), end_sites=False).skeleton.names == ("Hips", "Spine")


def test_end_sites_without_length_are_left_out() -> None:
    text = TWO_JOINTS.replace("OFFSET 0 5 0", "OFFSET 0 0 0")
    assert read(text + motion(ROW)).skeleton.names == ("Hips", "Spine")


def test_an_end_site_never_takes_the_name_of_a_joint() -> None:
    text = TWO_JOINTS.replace("JOINT Spine", "JOINT Hips_end").replace(
        "\tJOINT", "\tEnd Site\n{\nOFFSET 1 0 0\n}\n\tJOINT"
    )
    assert read(text + motion(ROW)).skeleton.names == ("Hips", "Hips_end2", "Hips_end", "Hips_end_end")


def test_several_roots() -> None:
    root = f"ROOT {{name}}\n{{\nOFFSET 0 0 0\n{SIX}\n}}\n"
    text = "HIERARCHY\n" + root.replace("{name}", "a").replace("{{", "{").replace("}}", "}")
    text += root.replace("{name}", "b").replace("{{", "{").replace("}}", "}")
    character = read(text + motion("1 2 3 0 0 0 4 5 6 0 0 0"))
    assert character.skeleton.roots == (0, 1)
    pose = character.recordings[0].frames()
    assert world_positions(character.skeleton, pose)[0].tolist() == [[1, 2, 3], [4, 5, 6]]


def test_joint_positions_replace_or_add() -> None:
    text = TWO_JOINTS.replace(THREE, SIX)
    row = "0 0 0 0 0 0 0 11 0 0 0 0"
    near_offset = read(text + motion(row))
    assert near_offset.recordings[0].frames().translations[0, 1].tolist() == [0, 11, 0]
    assert "position channels of joints replace" in findings(near_offset)
    near_zero = read(text + motion(row.replace("11", "1")))
    assert near_zero.recordings[0].frames().translations[0, 1].tolist() == [0, 11, 0]
    assert "position channels of joints are added" in findings(near_zero)


def test_times_come_from_the_frame_time() -> None:
    recording = read(TWO_JOINTS + motion(ROW, ROW, ROW, frame_time="0.0083333")).recordings[0]
    assert recording.key_times.tolist() == [0, 0.0083333, 2 * 0.0083333]
    assert recording.frame_rate == 120


def test_axes_and_units_are_brought_to_ours_and_remembered() -> None:
    character = bvh.read((TWO_JOINTS + motion(ROW)).encode(), up="+Z", metres_per_unit=0.5)
    assert character.skeleton.rest_translations[1].tolist() == [0, 0, -5]
    assert character.recordings[0].frames().root_translation[0].tolist() == [0.5, 1.5, -1]
    assert character.source is not None
    assert (character.source.up, character.source.metres_per_unit) == ("+Z", 0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"up": "Z"}, r"the list of axes has no up axis 'Z'"),
        ({"metres_per_unit": 0.0}, r"metres_per_unit is 0.0; expected a positive number"),
        ({"metres_per_unit": float("nan")}, r"metres_per_unit is nan; expected a positive number"),
        ({"positions": "relative"}, r"the option positions has no choice 'relative'"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        bvh.read(TWO_JOINTS.encode(), **options)
