"""New motions beside those of a file: free names, marks that come back, data that goes with what is dropped."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Mark, world_positions
from mummer.io import save_motions
from mummer.io.gltf import read
from tests.io.gltf.helpers import Maker, arm
from tests.io.gltf.test_judges import compare_with_three
from tests.io.gltf.test_patching import nod, parts
from tests.io.judges import three_clips, validate

MARKS = (Mark(0.25, "hello"), Mark(0.5, "left_foot contact", 0.75))


def animated_arm(count: int = 3) -> Character:
    """The arm with long animations whose keys share one view with what stays."""
    character = read(arm().glb())
    recordings = []
    for number in range(count):
        turned = nod(character, f"own {number}")
        times = np.linspace(0.0, 1.0, 500 + number)
        values = np.tile(turned.curves[0].values[:1], (len(times), 1, 1))
        curve = dataclasses.replace(turned.curves[0], times=times, values=values)
        recordings.append(dataclasses.replace(turned, curves=(curve,)))
    return character.replace(recordings=tuple(recordings))


def written(character: Character, path: Path) -> Character:
    mm.save(character, path)
    return mm.load(path)


def test_new_motions_stand_beside_the_old_ones_under_names_that_are_free(tmp_path: Path) -> None:
    body = written(animated_arm(2), tmp_path / "body.glb")
    new = [nod(body, name) for name in ("own 1", "own 1", "wave")]
    save_motions(body, new, tmp_path / "more.glb")
    names = [recording.name for recording in mm.load(tmp_path / "more.glb").recordings]
    assert names == ["own 0", "own 1", "own 1.001", "own 1.002", "wave"]


def test_formats_that_play_one_motion_get_the_new_one(tmp_path: Path) -> None:
    body = written(animated_arm(1), tmp_path / "body.glb")
    save_motions(body, [nod(body)], tmp_path / "one.bvh")
    assert len(mm.load(tmp_path / "one.bvh").recordings[0].key_times) < 100


def test_marks_are_in_the_file_and_come_back(tmp_path: Path) -> None:
    for file in ("fresh.glb", "patched.glb"):
        body = read(arm().glb()) if file == "patched.glb" else mm.zoo.body("adult")
        save_motions(body, [dataclasses.replace(nod(body), marks=MARKS)], tmp_path / file)
        made = mm.load(tmp_path / file)
        assert made.recordings[-1].marks == MARKS
        # What came with the file keeps its marks when others are added.
        save_motions(made, [nod(made)], tmp_path / "again.glb")
        assert mm.load(tmp_path / "again.glb").recordings[-2].marks == MARKS
    row = parts(tmp_path / "patched.glb")[0]["animations"][-1]["extras"]["marks"]
    assert row == [{"name": "hello", "time": 0.25}, {"name": "left_foot contact", "time": 0.5, "until": 0.75}]


def test_three_hands_the_marks_on(tmp_path: Path) -> None:
    body = read(arm().glb())
    save_motions(body, [dataclasses.replace(nod(body), marks=MARKS)], tmp_path / "marked.glb")
    clip = three_clips([tmp_path / "marked.glb"])[0][-1]
    assert clip["name"] == "nod"
    assert [row["name"] for row in clip["userData"]["marks"]] == ["hello", "left_foot contact"]


@pytest.mark.parametrize(
    "wrong", [3, [3], [{"name": "a"}], [{"name": 1, "time": 0}], [{"name": "a", "time": 2, "until": 1}]]
)
def test_marks_of_another_form_are_left_out(wrong: object) -> None:
    maker: Maker = arm()
    turns = np.array([[0, 0, 0, 1.0], [0, 0, 0, 1.0]])
    sampler = {"input": maker.accessor(np.array([[0.0], [1.0]])), "output": maker.accessor(turns)}
    channel = {"sampler": 0, "target": {"node": 0, "path": "rotation"}}
    maker.json["animations"] = [{"samplers": [sampler], "channels": [channel], "extras": {"marks": wrong}}]
    character = read(maker.glb())
    assert character.recordings[0].marks == ()
    assert any("marks" in finding.message for finding in character.report) == isinstance(wrong, list)


def test_dropping_the_old_motions_drops_their_data(tmp_path: Path) -> None:
    plain = written(read(arm().glb()), tmp_path / "plain.glb")
    body = written(animated_arm(), tmp_path / "body.glb")
    save_motions(body, [nod(body)], tmp_path / "new.glb", only_new=True)
    save_motions(plain, [nod(plain)], tmp_path / "expected.glb")
    sizes = [(tmp_path / f"{name}.glb").stat().st_size for name in ("new", "expected", "body")]
    assert sizes[0] < sizes[1] + 64
    assert sizes[2] > 3 * sizes[0]
    made = mm.load(tmp_path / "new.glb")
    assert [recording.name for recording in made.recordings] == ["nod"]
    np.testing.assert_array_equal(made.meshes[0].positions, body.meshes[0].positions)
    assert validate([tmp_path / "new.glb"])[0].errors == []


def test_data_that_an_unknown_extension_may_use_stays(tmp_path: Path) -> None:
    mm.save(animated_arm(), tmp_path / "body.glb")
    json, _ = parts(tmp_path / "body.glb")
    body = mm.load(tmp_path / "body.glb")
    assert body.source is not None
    body.source.document.json["extensionsUsed"] = ["ACME_soul"]
    report = save_motions(body, [nod(body)], tmp_path / "new.glb", only_new=True)
    assert any("ACME_soul" in finding.message for finding in report)
    assert len(parts(tmp_path / "new.glb")[0]["accessors"]) > len(json["accessors"])


@pytest.mark.parametrize("file", ["kaykit/Knight.glb", "threejs/Xbot.glb", "khronos/Fox.glb", "quaternius/Horse.glb"])
def test_real_files_shrink_and_stay_whole(shared_character: Callable[[str], Path], tmp_path: Path, file: str) -> None:
    source = shared_character(file)
    body, target = mm.load(source), tmp_path / "new.glb"
    kept = dataclasses.replace(body.recordings[1], name="kept")
    save_motions(body, [kept], target, only_new=True)
    assert target.stat().st_size < 0.9 * source.stat().st_size
    before, after = validate([source, target])
    assert after.error_codes <= before.error_codes
    made = mm.load(target)
    assert len(made.recordings) == 1
    assert compare_with_three([target]) == []
    for time in (0.0, 0.3):
        mine, theirs = (each.sample(np.array([time])) for each in (made.recordings[0], body.recordings[1]))
        np.testing.assert_allclose(
            world_positions(made.skeleton, mine), world_positions(body.skeleton, theirs), atol=1e-6
        )
    for mine_mesh, their_mesh in zip(made.meshes, body.meshes, strict=True):
        np.testing.assert_array_equal(mine_mesh.positions, their_mesh.positions)
        np.testing.assert_array_equal(mine_mesh.skin.weights, their_mesh.skin.weights)
