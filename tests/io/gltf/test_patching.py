"""Writing a character that came from glTF: only what was changed changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mummer.character import Character, Curve, Pose, Recording
from mummer.io.gltf import read, write
from mummer.math import quaternion
from tests.io.gltf.helpers import Maker, arm, primitive
from tests.io.real_files import assert_same_character, real_files

CHANGING = {"animations", "accessors", "bufferViews", "buffers"}
GLTF = (".glb", ".gltf", ".vrm", ".vrma")


def load(path: Path) -> Character:
    return read(path.read_bytes(), path)


def parts(path: Path) -> tuple[dict[str, Any], bytes]:
    """The JSON of a .glb file and its binary chunk, by hand."""
    data = path.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def nod(character: Character, name: str = "nod") -> Recording:
    turn = quaternion.from_axis_angle([[1.0, 0, 0]] * 3, [0.0, 0.5, 0.0])[:, None]
    return Recording(name, (Curve("rotation", [0], [0.0, 0.5, 1.0], turn),), character.default_pose)


def rich_arm() -> Maker:
    """The arm with things that nobody here understands."""
    maker = arm()
    maker.json["extensions"] = {"ACME_soul": {"weight": 21.0}}
    maker.json["extensionsUsed"] = ["ACME_soul"]
    maker.json["extras"] = {"note": ["kept", 1, 1.5, None]}
    maker.json["nodes"][0]["extras"] = {"color": "blue"}
    maker.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}}]
    primitive(maker)["attributes"]["_TEMPERATURE"] = maker.accessor(np.arange(6.0)[:, None])
    return maker


def test_an_untouched_character_is_written_as_it_was(tmp_path: Path) -> None:
    data = rich_arm().glb()
    target = tmp_path / "out.glb"
    report = write(read(data), target)
    assert not report
    source = tmp_path / "in.glb"
    source.write_bytes(data)
    assert parts(target) == parts(source)


def test_adding_a_recording_changes_nothing_else(tmp_path: Path) -> None:
    source, target = tmp_path / "in.glb", tmp_path / "out.glb"
    source.write_bytes(rich_arm().glb())
    character = load(source)
    write(character.replace(recordings=(*character.recordings, nod(character))), target)
    (before, old), (after, new) = parts(source), parts(target)
    assert {key: value for key, value in after.items() if key not in CHANGING} == {
        key: value for key, value in before.items() if key not in CHANGING
    }
    for kind in ("animations", "accessors", "bufferViews"):
        assert after[kind][: len(before[kind])] == before[kind]
        assert len(after[kind]) > len(before[kind])
    assert new.startswith(old[: before["buffers"][0]["byteLength"]])
    again = load(target)
    assert [recording.name for recording in again.recordings] == ["bend", "nod"]
    assert np.allclose(again.recordings[1].sample([0.5]).rotations[0, 0], nod(character).curves[0].values[1, 0])


def test_removed_recordings_lose_their_animation(tmp_path: Path) -> None:
    character = read(rich_arm().glb())
    write(character.replace(recordings=()), tmp_path / "out.glb")
    after, _ = parts(tmp_path / "out.glb")
    assert "animations" not in after
    assert after["accessors"] == rich_arm().json["accessors"]


def test_a_renamed_recording_keeps_its_keys(tmp_path: Path) -> None:
    character = read(rich_arm().glb())
    (bend,) = character.recordings
    renamed = Recording("bow", bend.curves, bend.base)
    write(character.replace(recordings=(renamed,)), tmp_path / "out.glb")
    after, _ = parts(tmp_path / "out.glb")
    assert after["animations"] == [{**rich_arm().json["animations"][0], "name": "bow"}]


def test_a_new_default_pose_is_written_to_the_nodes(tmp_path: Path) -> None:
    character = read(rich_arm().glb())
    turned = character.default_pose.with_rotation(1, quaternion.from_axis_angle([0, 0, 1.0], 0.3))
    turned = turned.replace(morphs=np.array([0.5]))
    write(character.replace(default_pose=turned), tmp_path / "out.glb")
    after, _ = parts(tmp_path / "out.glb")
    assert after["nodes"][0] == rich_arm().json["nodes"][0]
    again = load(tmp_path / "out.glb")
    assert np.allclose(again.default_pose.rotations, turned.rotations)
    assert again.default_pose.morphs.tolist() == [0.5]
    assert np.allclose(again.skeleton.rest_rotations, character.skeleton.rest_rotations)


def test_text_with_data_beside_it_and_inside_it(tmp_path: Path) -> None:
    character = read(rich_arm().glb())
    write(character, tmp_path / "beside" / "arm.gltf")
    assert sorted(file.name for file in (tmp_path / "beside").iterdir()) == ["arm.bin", "arm.gltf"]
    write(load(tmp_path / "beside" / "arm.gltf"), tmp_path / "inside.gltf", embed=True)
    assert not (tmp_path / "inside.bin").exists()
    write(load(tmp_path / "inside.gltf"), tmp_path / "back.glb")
    write(character, tmp_path / "direct.glb")
    assert parts(tmp_path / "back.glb") == parts(tmp_path / "direct.glb")


def test_several_buffers_become_one(tmp_path: Path) -> None:
    maker = rich_arm()
    half = maker.json["bufferViews"][3]["byteOffset"]
    (tmp_path / "one.bin").write_bytes(bytes(maker.binary[:half]))
    (tmp_path / "two.bin").write_bytes(bytes(maker.binary[half:]))
    for view in maker.json["bufferViews"][3:]:
        view.update(buffer=1, byteOffset=view["byteOffset"] - half)
    maker.json["buffers"] = [
        {"byteLength": half, "uri": "one.bin"},
        {"byteLength": len(maker.binary) - half, "uri": "two.bin"},
    ]
    (tmp_path / "arm.gltf").write_text(json.dumps(maker.json))
    character = load(tmp_path / "arm.gltf")
    write(character.replace(recordings=(*character.recordings, nod(character))), tmp_path / "out.glb")
    again = load(tmp_path / "out.glb")
    assert_same_character(character, again.replace(recordings=again.recordings[:1]))
    assert len(parts(tmp_path / "out.glb")[0]["buffers"]) == 1


def test_unknown_chunks_are_kept(tmp_path: Path) -> None:
    data = arm().glb() + (8).to_bytes(4, "little") + b"SOULxxxxxxxx"
    data = data[:8] + len(data).to_bytes(4, "little") + data[12:]
    write(read(data), tmp_path / "out.glb")
    assert (tmp_path / "out.glb").read_bytes().endswith(b"SOULxxxxxxxx")
    assert "chunks of the .glb container" in str(write(read(data), tmp_path / "out.gltf"))


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.gltf"
    write(read(arm().glb()), target)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def broken(self: Path, data: bytes) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", broken)
    with pytest.raises(KeyboardInterrupt):
        write(read(rich_arm().glb()), target)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("path", real_files("characters", "motions", extensions=GLTF))
def test_real_files_keep_everything(path: Path, tmp_path: Path) -> None:
    character = load(path)
    target = tmp_path / "out.glb"
    added = nod(character, "an added recording")
    write(character.replace(recordings=(*character.recordings, added)), target)
    after, _ = parts(target)
    document = character.source.document  # type: ignore[union-attr]
    kept, changing = document.json, CHANGING | ({"nodes", "meshes", "skins", "images"} if document.mended else set())
    assert {key: value for key, value in after.items() if key not in changing} == {
        key: value for key, value in kept.items() if key not in changing
    }
    again = load(target)
    assert_same_character(character, again.replace(recordings=again.recordings[:-1]))
    pose = again.recordings[-1].sample([0.5])
    expected = Pose(added.sample([0.5]).rotations, added.sample([0.5]).root_translation)
    assert np.allclose(np.abs(quaternion.dot(pose.rotations, expected.rotations)), 1, atol=1e-6)


def test_images_beside_the_source_are_brought_along(tmp_path: Path) -> None:
    maker = rich_arm()
    image = b"\x89PNG\r\n\x1a\n" + bytes(16)
    maker.json["images"] = [{"uri": "skin.png", "name": "skin"}, {"uri": "gone.png"}]
    maker.json["textures"] = [{"source": 0}]
    maker.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    source = tmp_path / "source" / "arm.glb"
    source.parent.mkdir()
    source.write_bytes(maker.glb())
    (source.parent / "skin.png").write_bytes(image)
    character = load(source)
    report = write(character, tmp_path / "out.glb")
    assert "the texture 'gone.png', which is not beside the source file" in str(report)
    after, _ = parts(tmp_path / "out.glb")
    assert after["images"][0].keys() == {"name", "bufferView", "mimeType"}
    assert after["images"][1] == {"uri": "gone.png"}
    assert load(tmp_path / "out.glb").meshes[0].material.texture == image
    write(character, tmp_path / "out.gltf")
    assert load(tmp_path / "out.gltf").meshes[0].material.texture == image
    write(character, source.parent / "beside.gltf")
    assert json.loads((source.parent / "beside.gltf").read_text())["images"] == maker.json["images"]
