"""Writing any body as BVH: baked rest frames, scales, End Sites, names, rates, units, smooth angles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character import Character, Curve, Mesh, Pose, Recording, Skeleton, Skin, world_positions
from mummer.errors import InputError
from mummer.io import bvh
from mummer.io.bvh.parse import parse
from mummer.io.limits import DEFAULT_LIMITS
from mummer.math import euler, quaternion
from mummer.report import ReportBuilder
from tests.io.bvh.making import ROW, TWO_JOINTS, motion, read

SKELETON = Skeleton(("root", "arm", "arm_end"), [-1, 0, 1], [[0, 1, 0], [0.4, 0, 0], [0.4, 0, 0]])


def body(rotations: np.ndarray, times: np.ndarray | None = None, skeleton: Skeleton = SKELETON) -> Character:
    """A body with one recording of rotations (T, J, 4), its root where it rests."""
    count = len(rotations)
    poses = Pose(rotations, np.repeat(skeleton.rest_translations[:1], count, axis=0))
    stamps = np.arange(count) / 25 if times is None else times
    return Character("body", skeleton, recordings=(Recording.from_poses("wave", stamps, poses),))


def turning(count: int, *, turns: float = 2.0) -> np.ndarray:
    """(T, 3, 4) the arm turning about an axis askew."""
    rotations = np.tile(quaternion.IDENTITY, (count, 3, 1))
    angles = np.linspace(0, turns * 2 * np.pi, count)
    rotations[:, 1] = quaternion.from_axis_angle(np.array([1.0, 2.0, 3.0]) / np.sqrt(14), angles)
    return rotations


def written(character: Character, path: Path, **options: object) -> tuple[str, str]:
    """The text and the report."""
    report = bvh.write(character, path, **options)  # type: ignore[arg-type]
    return path.read_text(), str(report)


def test_text_of_a_small_body(tmp_path: Path) -> None:
    text, report = written(body(turning(1)), tmp_path / "a.bvh")
    assert report == (
        "unusual: BVH does not state its unit: lengths are in centimetres, +Y up; in Blender, import with scale 0.01"
    )
    assert text == (
        "HIERARCHY\nROOT root\n{\n\tOFFSET 0 100 0\n"
        "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        "\tJOINT arm\n\t{\n\t\tOFFSET 40 0 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 40 0 0\n\t\t}\n\t}\n}\n"
        f"MOTION\nFrames: 1\nFrame Time: {1 / 30!r}\n0 100 0 0 0 0 0 0 0\n"
    )


def test_no_recording_gives_one_rest_frame(tmp_path: Path) -> None:
    text, _ = written(Character("still", SKELETON), tmp_path / "a.bvh")
    assert "Frames: 1\n" in text
    found = bvh.read(text.encode())
    rest = world_positions(SKELETON, Pose.rest(SKELETON))
    assert np.allclose(world_positions(found.skeleton, found.recordings[0].frames())[0], rest, rtol=0, atol=1e-9)


def test_angles_do_not_jump(tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    bvh.write(body(turning(200)), path)
    values = parse(path.read_bytes(), path, DEFAULT_LIMITS, ReportBuilder()).values
    # The arm turns 3.6 degrees a frame; next to gimbal lock single angles move faster, but never wrap.
    assert np.abs(np.diff(values[:, 6:], axis=0)).max() < 90
    assert np.abs(values).max() > 180


@pytest.mark.parametrize("order", ["XYZ", "YZX", "ZYX", "ZXZ"])
def test_order_option(order: str, tmp_path: Path) -> None:
    text, _ = written(body(turning(5)), tmp_path / "a.bvh", order=order)
    assert "CHANNELS 3 " + " ".join(f"{axis}rotation" for axis in order) in text
    found = bvh.read(text.encode()).recordings[0].frames().rotations[:, 1]
    assert np.all(quaternion.equal_rotations(found, turning(5)[:, 1], 1e-8))


@pytest.mark.parametrize("order", ["xyz", "XY", "XXY", ""])
def test_wrong_order(order: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="BVH has no rotation order of three axes"):
        bvh.write(body(turning(1)), tmp_path / "a.bvh", order=order)
    assert not (tmp_path / "a.bvh").exists()


def test_rest_rotations_are_baked_into_offsets(tmp_path: Path) -> None:
    quarter = quaternion.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.pi / 2)
    turned = Skeleton(SKELETON.names, SKELETON.parents, SKELETON.rest_translations, np.tile(quarter, (3, 1)))
    character = body(np.tile(quarter, (1, 3, 1)), skeleton=turned)
    found = bvh.read(written(character, tmp_path / "a.bvh")[0].encode())
    assert np.allclose(found.skeleton.rest_translations, [[0, 1, 0], [0, 0.4, 0], [-0.4, 0, 0]], rtol=0, atol=1e-9)
    assert np.all(quaternion.equal_rotations(found.recordings[0].frames().rotations, quaternion.IDENTITY, 1e-8))


@pytest.mark.parametrize("scales", [(2.0, 2.0, 2.0), (1.0, 3.0, 0.5)])
def test_scales_are_dropped_but_positions_kept(scales: tuple[float, float, float], tmp_path: Path) -> None:
    scaled = Skeleton(SKELETON.names, SKELETON.parents, SKELETON.rest_translations, rest_scales=[scales] * 3)
    character = body(turning(6), skeleton=scaled)
    text, report = written(character, tmp_path / "a.bvh")
    assert "ignored: scales of joints are left out; their positions are kept" in report
    expected = world_positions(scaled, character.recordings[0].frames())
    found = bvh.read(text.encode())
    assert np.allclose(world_positions(found.skeleton, found.recordings[0].frames()), expected, rtol=0, atol=1e-7)


def test_only_joints_that_move_get_positions(tmp_path: Path) -> None:
    translations = np.repeat(SKELETON.rest_translations[None], 3, axis=0).copy()
    translations[:, 1, 1] += [0, 0.1, 0.2]
    poses = Pose(turning(3), translations=translations)
    recording = Recording.from_poses("stretch", np.arange(3.0), poses)
    text, _ = written(Character("body", SKELETON, recordings=(recording,)), tmp_path / "a.bvh")
    assert text.count("CHANNELS 6") == 2
    found = bvh.read(text.encode())
    assert np.allclose(found.recordings[0].frames().translations, translations, rtol=0, atol=1e-9)


def test_every_leaf_has_an_end_site(tmp_path: Path) -> None:
    skeleton = Skeleton(("a", "b", "c"), [-1, 0, 0], [[0, 0, 0], [0.3, 0, 0], [-0.3, 1, 0]])
    text, _ = written(Character("fork", skeleton), tmp_path / "a.bvh")
    assert text.count("End Site") == 2
    assert bvh.read(text.encode()).skeleton.names == ("a", "b", "c")


def test_a_tip_that_turns_stays_a_joint(tmp_path: Path) -> None:
    rotations = turning(3, turns=0.3)
    rotations[:, 2] = rotations[:, 1]
    text, _ = written(body(rotations), tmp_path / "a.bvh")
    assert "JOINT arm_end" in text


def test_names_are_made_safe(tmp_path: Path) -> None:
    names = ("a b", "a{b}", "#c", "a_b", " ")
    skeleton = Skeleton(names, [-1, 0, 1, 2, 3], np.full((5, 3), 0.2))
    text, report = written(Character("odd", skeleton), tmp_path / "a.bvh")
    assert bvh.read(text.encode()).skeleton.names == ("a_b", "a_b_", "_#c", "a_b#2", "joint4")
    assert "joints have names that BVH cannot hold and were renamed (5×)" in report


def test_names_with_blanks_stay_if_the_source_had_them(tmp_path: Path) -> None:
    character = read(TWO_JOINTS.replace("Spine", "Spi ne") + motion(ROW))
    assert "JOINT Spi ne\n" in written(character, tmp_path / "a.bvh")[0]


def test_frame_rate_samples_anew(tmp_path: Path) -> None:
    character = body(turning(26, turns=0.5))
    text, _ = written(character, tmp_path / "a.bvh", frame_rate=50)
    found = bvh.read(text.encode()).recordings[0]
    assert (len(found.key_times), found.frame_rate) == (51, 50)
    expected = character.recordings[0].sample(found.key_times).rotations
    assert np.all(quaternion.equal_rotations(found.frames().rotations, expected, 1e-7))


def test_uneven_keys_are_sampled_evenly(tmp_path: Path) -> None:
    character = body(turning(3, turns=0.3), np.array([0.0, 0.1, 1.0]))
    text, report = written(character, tmp_path / "a.bvh")
    assert "keys are not evenly spaced" in report
    found = bvh.read(text.encode()).recordings[0]
    assert (found.frame_rate, len(found.key_times)) == (30, 31)
    expected = character.recordings[0].sample(found.key_times).rotations
    assert np.all(quaternion.equal_rotations(found.frames().rotations, expected, 1e-7))


def test_which_recording(tmp_path: Path) -> None:
    one, two = body(turning(2)).recordings[0], body(turning(7)).recordings[0]
    character = Character("both", SKELETON, recordings=(one, Recording("other", two.curves, two.base)))
    text, report = written(character, tmp_path / "a.bvh")
    assert "Frames: 2\n" in text
    assert "a BVH file holds one recording; only 'wave' is written" in report
    assert "Frames: 7\n" in written(character, tmp_path / "a.bvh", recording="other")[0]
    assert "Frames: 7\n" in written(character, tmp_path / "a.bvh", recording=two)[0]
    with pytest.raises(InputError, match=r"has no recording 'ohter'; closest: 'other'"):
        bvh.write(character, tmp_path / "a.bvh", recording="ohter")


def test_meshes_and_morphs_are_reported(tmp_path: Path) -> None:
    skin = Skin.rigid(0, np.eye(3, 4), 3)
    mesh = Mesh("skin", np.eye(3), np.array([[0, 1, 2]]), skin)
    base = Pose.rest(SKELETON).replace(morphs=np.zeros(1))
    curve = Curve("morph", np.array([0]), np.array([0.0, 1.0]), np.zeros((2, 1, 1)))
    character = Character("face", SKELETON, meshes=(mesh,), recordings=(Recording("smile", (curve,), base),))
    report = written(character, tmp_path / "a.bvh")[1]
    assert "ignored: meshes are left out" in report
    assert "ignored: morph weights are left out" in report


@pytest.mark.parametrize("up", ["+Y", "+Z", "+X", "-Z"])
def test_axes_and_units_options(up: str, tmp_path: Path) -> None:
    character = body(turning(4))
    path = tmp_path / "a.bvh"
    report = bvh.write(character, path, up=up, metres_per_unit=0.0254)
    found = bvh.read(path.read_bytes(), up=up, metres_per_unit=0.0254, positions="replace")
    expected = world_positions(SKELETON, character.recordings[0].frames())
    assert np.allclose(world_positions(found.skeleton, found.recordings[0].frames()), expected, rtol=0, atol=1e-8)
    # A reader who must guess would not find these, and the report tells how to read the file.
    assert f"read it with metres_per_unit=0.0254, up='{up}'" in str(report)


def test_a_misleading_root_offset_is_left_out(tmp_path: Path) -> None:
    # The root rests at 1 m and lies on the ground in the motion: added to its OFFSET it would stand.
    poses = Pose(turning(2), np.array([[0.0, 0.02, 0.0], [0.0, 0.03, 0.0]]))
    character = Character("fallen", SKELETON, recordings=(Recording.from_poses("lie", np.arange(2.0), poses),))
    found = bvh.read(written(character, tmp_path / "a.bvh")[0].encode())
    mine = world_positions(SKELETON, poses)
    assert np.allclose(world_positions(found.skeleton, found.recordings[0].frames()), mine, rtol=0, atol=1e-8)


def test_a_large_body_is_written_in_units_that_read_back(tmp_path: Path) -> None:
    giant = Skeleton(SKELETON.names, SKELETON.parents, SKELETON.rest_translations * 60)
    found = bvh.read(written(Character("giant", giant), tmp_path / "a.bvh")[0].encode())
    assert found.source is not None
    assert np.allclose(found.skeleton.rest_translations, giant.rest_translations, rtol=0, atol=1e-6)


@pytest.mark.parametrize("rate", [0, -5, float("nan"), float("inf")])
def test_wrong_rate(rate: float, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"frame_rate is .*; expected frames a second"):
        bvh.write(body(turning(2)), tmp_path / "a.bvh", frame_rate=rate)


def test_motion_that_the_source_channels_cannot_hold_gets_more(tmp_path: Path) -> None:
    text = TWO_JOINTS.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 1 Yrotation")
    character = read(text + motion("0 0 0 0 0 0 45"))
    assert "CHANNELS 1 Yrotation\n" in written(character, tmp_path / "a.bvh")[0]
    poses = character.recordings[0].frames()
    askew = euler.from_euler(np.array([0.3, 0.4, 0.5]), "XYZ")
    turned = Recording.from_poses("askew", np.zeros(1), poses.with_rotation(1, askew[None]))
    changed = character.replace(recordings=(turned,))
    found = bvh.read(written(changed, tmp_path / "a.bvh")[0].encode(), metres_per_unit=1.0)
    assert quaternion.equal_rotations(found.recordings[0].frames().rotations[0, 1], askew, 1e-8)
