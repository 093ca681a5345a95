"""What FBX files made to order come to."""

from __future__ import annotations

import dataclasses
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mummer.character import Character, Pose, world_positions
from mummer.errors import LimitError, MalformedFileError, MissingExtraError, MummerError
from mummer.io.fbx import read
from mummer.io.limits import DEFAULT_LIMITS
from mummer.math import euler, quaternion
from tests.alone import run_alone
from tests.io.fbx.ascii_fbx import Scene, two_joints

pytest.importorskip("ufbx")
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]


def load(scene: Scene, path: Path | None = None) -> Character:
    return read(scene.data(), path, DEFAULT_LIMITS)


def places(character: Character) -> dict[str, list[float]]:
    rows = world_positions(character.skeleton, character.default_pose).round(9) + 0.0
    return dict(zip(character.skeleton.names, rows.tolist(), strict=True))


@pytest.mark.parametrize(("unit", "metres"), [(1.0, 0.01), (100.0, 1.0), (2.54, 0.0254)])
def test_units_become_metres_without_a_scale_on_the_joints(unit: float, metres: float) -> None:
    scene, _, _ = two_joints(unit=unit)
    character = load(scene)
    assert places(character) == {"hip": [0, metres, 0], "head": [0, pytest.approx(3 * metres), 0]}
    assert character.skeleton.is_rigid
    assert character.source is not None
    assert character.source.metres_per_unit == pytest.approx(metres)


def test_z_up_becomes_y_up() -> None:
    scene = Scene(unit=100, up=2, front=1)
    root = scene.add_model("root", props={"Lcl Translation": (1, 2, 3)})
    scene.add_model("tip", root, props={"Lcl Translation": (0, 0, 1)})
    character = load(scene)
    assert places(character) == {"root": [1, 3, -2], "tip": [1, 4, -2]}
    assert character.source is not None
    assert character.source.up == "+Z"


def test_pre_rotation_and_rotation_order_turn_the_children() -> None:
    scene = Scene(unit=100)
    angles, before = (20.0, -30.0, 50.0), (10.0, 40.0, 5.0)
    turned = {"Lcl Rotation": angles, "PreRotation": before, "RotationOrder": (2,), "RotationActive": (1,)}
    root = scene.add_model("root", props=turned)
    scene.add_model("tip", root, props={"Lcl Translation": (1, 2, 3)})
    # Order 2 of FBX is YZX: about Y first, all about the parent's axes. Pre-rotation is always XYZ.
    x, y, z = angles
    own = euler.from_euler_degrees([y, z, x], "yzx")
    expected = quaternion.multiply(euler.from_euler_degrees(before, "xyz"), own)
    character = load(scene)
    assert np.allclose(
        character.skeleton.rest_rotations[0] * np.sign(character.skeleton.rest_rotations[0, 3]), expected
    )
    assert np.allclose(places(character)["tip"], quaternion.rotate(expected, [1.0, 2.0, 3.0]))


def test_pivots_move_what_is_turned_about_them() -> None:
    scene = Scene(unit=100)
    root = scene.add_model("root", props={"Lcl Rotation": (0, 0, 90), "RotationPivot": (1, 0, 0)})
    scene.add_model("tip", root, props={"Lcl Translation": (2, 0, 0)})
    # Turned about (1, 0, 0), the point (2, 0, 0) comes to (1, 1, 0).
    assert places(load(scene))["tip"] == [1, 1, 0]


@pytest.mark.parametrize(("inherit", "expected"), [(1, 3.0), (2, 2.0)])
def test_scale_is_inherited_as_the_file_says(inherit: int, expected: float) -> None:
    scene = Scene(unit=100)
    scaled = {"Lcl Scaling": (2, 2, 2), "InheritType": (inherit,)}
    root = scene.add_model("root", props=scaled)
    middle = scene.add_model("middle", root, props={"Lcl Translation": (0, 1, 0), "InheritType": (inherit,)})
    scene.add_model("tip", middle, props={"Lcl Translation": (0, 0.5, 0), "InheritType": (inherit,)})
    # Both put the middle at 2; only plain inheritance (1) doubles the step from there to the tip.
    assert places(load(scene))["tip"] == [0, expected if inherit == 1 else 2.5, 0]


def test_a_scaled_armature_is_folded_into_what_it_carries() -> None:
    scene = Scene()
    armature = scene.add_model("armature", kind="Null", props={"Lcl Scaling": (100, 100, 100)})
    hip = scene.add_model("hip", armature, props={"Lcl Translation": (0, 1, 0)})
    box = scene.add_model("box", hip, kind="Mesh", props={"Lcl Translation": (0, 0, 2)})
    scene.add_mesh(box, SQUARE, [(0, 1, 2, 3)])
    character = load(scene)
    assert character.skeleton.is_rigid
    assert places(character)["box"] == [0, 1, 2]
    (mesh,) = character.meshes
    shown = mesh.positions @ mesh.skin.joint_from_mesh[0, :, :3].T + [0, 1, 2]
    assert np.allclose(shown, np.add(SQUARE, [0, 1, 2]), atol=1e-6)
    assert "scale folded" in str(character.report)


def test_geometry_transforms_move_the_mesh_and_not_the_joint() -> None:
    scene = Scene(unit=100)
    box = scene.add_model("box", kind="Mesh", props={"GeometricTranslation": (0, 0, 5)})
    scene.add_mesh(box, SQUARE, [(0, 1, 2, 3)])
    character = load(scene)
    assert places(character) == {"box": [0, 0, 0]}
    assert character.meshes[0].skin.joint_from_mesh[0, :, 3].tolist() == [0, 0, 5]


def test_cameras_lights_and_skinned_mesh_nodes_are_no_joints() -> None:
    scene, hip, _ = two_joints()
    body = scene.add_model("body", kind="Mesh")
    scene.add_skin(scene.add_mesh(body, SQUARE, [(0, 1, 2, 3)]), [(hip, [0, 1, 2, 3], [1] * 4, (0, 1, 0))])
    scene.add_model("extra", kind="Null")
    assert load(scene).skeleton.names == ("hip", "head")


def test_a_scene_without_bones_keeps_every_node() -> None:
    scene = Scene()
    first = scene.add_model("first", kind="Null")
    scene.add_model("", first, kind="Null")
    scene.add_model("first", first, kind="Null")
    assert load(scene).skeleton.names == ("first", "joint1", "first#2")


def test_nodes_in_another_pose_than_the_bind_rest_as_bound() -> None:
    scene, hip, head = two_joints(unit=100)
    hand = scene.add_model("hand", head, props={"Lcl Translation": (1, 0, 0)})
    body = scene.add_model("body", kind="Mesh")
    mesh = scene.add_mesh(body, SQUARE, [(0, 1, 2, 3)])
    clusters = [(hip, [0], [1], (0, 1, 0)), (head, [1], [1], (0, 3, 0)), (hand, [2, 3], [1, 1], (0, 3, 4))]
    scene.add_skin(mesh, clusters)
    character = load(scene)
    rest = world_positions(character.skeleton, Pose.rest(character.skeleton))
    assert rest.round(9).tolist() == [[0, 1, 0], [0, 3, 0], [0, 3, 4]]
    assert places(character)["hand"] == [1, 3, 0]
    assert "rest as bound" in str(character.report)


def test_motion_is_sampled_at_the_frame_rate_and_starts_at_zero() -> None:
    scene, hip, head = two_joints(unit=100, frame_rate=24)
    layer = scene.add_stack("turn", (1, 2))
    scene.add_curve(layer, hip, "Lcl Rotation", {"d|Y": ((1, 2), (0, 180))})
    scene.add_curve(layer, head, "Lcl Translation", {"d|X": ((1, 2), (3, 3)), "d|Y": ((1, 2), (2, 2))})
    character = load(scene)
    (recording,) = character.recordings
    assert recording.name == "turn"
    assert np.allclose(recording.key_times, np.arange(25) / 24)
    assert recording.frame_rate == 24
    turned, moved = recording.curves
    assert quaternion.angle(turned.values[:, 0]) == pytest.approx(np.radians(np.arange(25) * 7.5), abs=1e-6)
    # What stands still, but elsewhere than by default, has one key.
    assert moved.values.tolist() == [[[3, 2, 0]]]
    assert character.source is not None
    assert character.source.details["starts"] == {"turn": 1.0}


def test_a_stack_that_moves_nothing_is_reported() -> None:
    scene, hip, _ = two_joints()
    scene.add_curve(scene.add_stack("still", (0, 1)), hip, "Lcl Translation", {"d|Y": ((0, 1), (1, 1))})
    character = load(scene)
    assert character.recordings == ()
    assert "'still' moves nothing" in str(character.report)


def test_skins_keep_the_eight_heaviest_influences() -> None:
    scene = Scene(unit=100)
    bones = [scene.add_model(f"bone{place}") for place in range(10)]
    body = scene.add_model("body", kind="Mesh")
    mesh = scene.add_mesh(body, SQUARE, [(0, 1, 2, 3)])
    scene.add_skin(mesh, [(bone, [0, 1, 2], [place + 1] * 3, (0, 0, 0)) for place, bone in enumerate(bones)])
    character = load(scene)
    skin = character.meshes[0].skin
    assert skin.influences == 8
    assert skin.joints[skin.indices[0]].tolist() == [9, 8, 7, 6, 5, 4, 3, 2]
    assert np.allclose(skin.weights[0], np.arange(10, 2, -1) / 52)
    assert skin.weights[3].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    text = str(character.report)
    assert "keep the 8 heaviest (3×)" in text
    assert "without skin weight" in text


def test_blend_shapes_and_their_motion() -> None:
    scene, hip, _ = two_joints(unit=100)
    body = scene.add_model("body", hip, kind="Mesh")
    mesh = scene.add_mesh(body, SQUARE, [(0, 1, 2, 3)])
    channel = scene.add_blend(mesh, "smile", [2], [(0, 0, 0.5)], 25)
    layer = scene.add_stack("grin", (0, 1))
    scene.add_curve(layer, channel, "DeformPercent", {"d|DeformPercent": ((0, 1), (0, 100))})
    character = load(scene)
    assert character.morph_names == ("smile",)
    assert character.default_pose.morphs is not None
    assert character.default_pose.morphs.tolist() == [0.25]
    assert character.meshes[0].morphs[0].positions[2].tolist() == [0, 0, 0.5]
    half = character.recordings[0].sample([0.5]).morphs
    assert half is not None
    assert half[0, 0] == pytest.approx(0.5)


def test_colors_and_textures(tmp_path: Path) -> None:
    scene = Scene()
    for name, texture in (
        ("plain", None),
        ("there", "there.png"),
        ("gone", "C:\\\\art\\\\gone.png"),
        ("out", "../out.png"),
    ):
        box = scene.add_model(name, kind="Mesh")
        scene.add_mesh(box, SQUARE, [(0, 1, 2, 3)])
        scene.add_material(box, name, (1, 0.5, 0.25), texture)
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "there.png").write_bytes(PNG)
    (tmp_path / "out.png").write_bytes(PNG)
    materials = {mesh.material.name: mesh.material for mesh in load(scene, folder / "a.fbx").meshes}
    assert materials["plain"].base_color == (1, 0.5, 0.25, 1)
    assert materials["there"].texture == PNG
    assert materials["there"].base_color == (1, 1, 1, 1)
    assert materials["gone"].texture is None
    assert materials["out"].texture is None


def test_faces_of_many_corners_are_cut() -> None:
    scene = Scene(unit=100)
    box = scene.add_model("box", kind="Mesh")
    arrow = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (1, 0.5, 0), (0, 2, 0)]
    scene.add_mesh(box, arrow, [(0, 1, 2, 3, 4)])
    mesh = load(scene).meshes[0]
    a, b, c = (mesh.positions[mesh.triangles[:, place]] for place in range(3))
    areas = np.cross(b - a, c - a)[:, 2] / 2
    assert np.all(areas > 0)
    assert areas.sum() == pytest.approx(2.5)


BAD = {
    "an empty file": (b"", "no readable FBX"),
    "only a header": (b"; FBX 7.4.0 project file\n", "no readable FBX"),
    "no nodes": (Scene().data(), "holds no node"),
    "cut short": (b"Kaydara FBX Binary  \x00\x1a\x00" + bytes(4), "no readable FBX"),
    "another format": (b"glTF" + bytes(40), "no readable FBX"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_files_are_one_line(what: str) -> None:
    data, message = BAD[what]
    with pytest.raises(MalformedFileError, match=message) as caught:
        read(data, Path("bad.fbx"), DEFAULT_LIMITS)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("bad.fbx: ")


@pytest.mark.parametrize("count", [2**28, 2**32 - 1])
def test_arrays_packed_into_next_to_nothing_stay_small(count: int, tmp_path: Path) -> None:
    bomb, err = tmp_path / "bomb.fbx", tmp_path / "err"
    bomb.write_bytes(packed_zeros(count))
    usage = run_alone([sys.executable, "-m", "mummer", "inspect", str(bomb)], tmp_path / "out", err)
    assert usage.code == 2
    assert "more memory than the limit" in err.read_text()
    assert usage.kilobytes < 2**20


def packed_zeros(count: int) -> bytes:
    """A binary FBX with a mesh that promises so many numbers, and holds a part of them packed as zeros."""
    packer, zeros = zlib.compressobj(9), bytes(2**22)
    packed = b"".join(packer.compress(zeros) for _ in range(4)) + packer.flush()
    words = [b"L" + struct.pack("<q", 7), *(b"S" + struct.pack("<I", len(word)) + word for word in (b"m", b"Mesh"))]
    vertices = [b"d" + struct.pack("<III", count, 1, len(packed)) + packed]
    header = b"Kaydara FBX Binary  \x00\x1a\x00" + struct.pack("<I", 7400)
    mesh = ("Objects", [], [("Geometry", words, [("Vertices", vertices, [])])])
    return header + _record(mesh, len(header)) + bytes(13)


def _record(node: tuple[str, list[bytes], list[Any]], start: int) -> bytes:
    name, values, children = node
    body = b"".join(values)
    inside = b""
    for child in children:
        inside += _record(child, start + 13 + len(name) + len(body) + len(inside))
    inside += bytes(13) if children else b""
    end = start + 13 + len(name) + len(body) + len(inside)
    return struct.pack("<IIIB", end, len(values), len(body), len(name)) + name.encode() + body + inside


def test_transforms_that_are_not_finite_are_an_error() -> None:
    scene, hip, _ = two_joints()
    scene.add_model("far", hip, props={"Lcl Translation": (0, "1e999", 0)})  # type: ignore[dict-item]
    with pytest.raises(MalformedFileError, match="node 'far': has a transform that is not finite"):
        load(scene)


@pytest.mark.parametrize("far", ["1e300", "-1e200", "1e30"])
def test_absurd_places_end_well(far: str) -> None:
    scene, hip, _ = two_joints()
    scene.add_model("far", hip, props={"Lcl Translation": (0, far, 0), "Lcl Scaling": (far, 1, 1)})  # type: ignore[dict-item]
    body = scene.add_model("body", hip, kind="Mesh")
    scene.add_skin(scene.add_mesh(body, SQUARE, [(0, 1, 2, 3)]), [(hip, [0, 1, 2, 3], [1] * 4, (0, 1, 0))])
    try:
        outcome = load(scene).skeleton.names
    except MummerError as error:
        outcome = (str(error),)
    assert outcome


def test_points_that_are_not_finite_are_an_error() -> None:
    scene = Scene()
    scene.add_mesh(scene.add_model("box", kind="Mesh"), [(0, 0, 0), (1, 0, 0), (1, "1e999", 0)], [(0, 1, 2)])  # type: ignore[list-item]
    with pytest.raises(MalformedFileError, match="mesh 'box': has points that are not finite"):
        load(scene)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({"joints": 2}, "has 3 nodes; the limit is 2"),
        ({"depth": 1}, "deeper than the limit of 1"),
        ({"vertices": 3}, "has 4 vertices"),
        ({"values": 100}, "more motion than the limit of 100"),
    ],
)
def test_limits_are_kept(limit: dict[str, int], message: str) -> None:
    scene, hip, _ = two_joints()
    if "joints" not in limit:
        scene.add_mesh(scene.add_model("box", hip, kind="Mesh"), SQUARE, [(0, 1, 2, 3)])
    scene.add_curve(scene.add_stack("long", (0, 100)), hip, "Lcl Translation", {"d|Y": ((0, 100), (1, 2))})
    with pytest.raises(LimitError, match=message):
        read(scene.data(), None, dataclasses.replace(DEFAULT_LIMITS, **limit))


def test_an_animation_of_absurd_length_is_refused_at_once() -> None:
    scene, hip, _ = two_joints()
    scene.add_curve(scene.add_stack("ages", (0, 1e8)), hip, "Lcl Translation", {"d|Y": ((0, 1), (1, 2))})
    with pytest.raises(MalformedFileError, match="'ages' from 0 to"):
        load(scene)


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'mummer\[fbx\]'"):
        read(b"", None, DEFAULT_LIMITS)
