"""VRM animation is written so that three-vrm plays it, on the body it was made for and on others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Mark, Recording, world_positions
from mummer.errors import InputError
from mummer.io import save_motions
from mummer.io.gltf.humanoid import human_bones
from mummer.recognition import recognized
from tests.io.judges import three_vrma, validate

AVATARS = ("godot-vrm/Godette_vrm_v4.vrm", "vrm-addon/debug_robot.vrm", "100avatars/100Avatars_001_Crimsom.vrm")
LIMBS = [(f"{side}{first}", f"{side}{second}") for side in ("left", "right")
         for first, second in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"),
                               ("LowerLeg", "Foot"))]  # fmt: skip
TIMES = (0.0, 0.4, 0.8, 1.2)


def waving(body: Character) -> Recording:
    return mm.perform(body, "wave").to_recording(30.0, name="wave")


def bone_places(body: Character, recording: Recording, bones: list[str]) -> np.ndarray:
    """(T, n, 3) where we see the bones."""
    joints = [human_bones(body)[bone] for bone in bones]
    return world_positions(body.skeleton, recording.sample(np.array(TIMES)))[:, joints]


@pytest.mark.parametrize("file", AVATARS)
def test_three_vrm_plays_a_motion_on_its_own_avatar_as_we_do(
    shared_character: Callable[[str], Path], tmp_path: Path, file: str
) -> None:
    path, target = shared_character(file), tmp_path / "wave.vrma"
    body = recognized(mm.load(path))
    recording = waving(body)
    save_motions(body, [recording], target)
    assert validate([target])[0].errors == []
    bones = [bone for bone in human_bones(body) if "Eye" not in bone and bone != "jaw"]
    mine = bone_places(body, recording, bones)
    theirs = three_vrma(path, target, TIMES, bones)["positions"]
    height = float(np.ptp(mine[0, :, 1]))
    assert np.abs(np.ptp(mine, axis=0)).max() > 0.1 * height
    assert np.abs(mine - theirs).max() < 0.01 * height


def test_three_vrm_plays_it_on_another_avatar(shared_character: Callable[[str], Path], tmp_path: Path) -> None:
    body, target = mm.zoo.body("adult"), tmp_path / "wave.vrma"
    recording = waving(body)
    save_motions(body, [recording], target)
    bones = list(dict.fromkeys(bone for pair in LIMBS for bone in pair))
    mine = bone_places(body, recording, bones)
    theirs = three_vrma(shared_character(AVATARS[0]), target, TIMES, bones)["positions"]
    for first, second in LIMBS:
        one, two = (each[:, bones.index(second)] - each[:, bones.index(first)] for each in (mine, theirs))
        # Avatars of VRM 0.x face -Z in their files; three-vrm leaves them so.
        two = two * (-1, 1, -1)
        cosines = np.sum(one * two, axis=1) / np.linalg.norm(one, axis=1) / np.linalg.norm(two, axis=1)
        assert np.degrees(np.arccos(np.clip(cosines, -1, 1))).max() < 12


def test_faces_and_gazes_come_along(shared_character: Callable[[str], Path], tmp_path: Path) -> None:
    body, target = mm.zoo.body("adult"), tmp_path / "face.vrma"
    pose = body.default_pose
    morphs = np.zeros((3, len(body.morph_names)))
    morphs[1, body.morph_names.index("blink_left")] = 1.0
    turns = np.repeat(pose.rotations[None], 3, axis=0)
    eye = body.anatomy.joint("left_eye")
    turns[1, eye] = mm.math.quaternion.multiply(turns[1, eye], mm.math.quaternion.exp([0.0, 0.3, 0.0]))
    poses = mm.Pose(turns, np.repeat(body.skeleton.rest_translations[:1], 3, axis=0), morphs=morphs)
    save_motions(body, [Recording.from_poses("wink", [0.0, 0.5, 1.0], poses)], target)
    seen = three_vrma(shared_character(AVATARS[0]), target, [0.0, 0.5, 1.0], ["head"])
    assert "blinkLeft" in seen["expressions"]
    assert seen["looks"]
    assert validate([target])[0].errors == []


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    body, target = mm.zoo.body("adult"), tmp_path / "wave.vrma"
    recording = waving(body)
    save_motions(body, [recording], target)
    again = mm.load(target)
    assert again.source is not None
    assert again.source.format == "vrma"
    assert again.recordings[0].marks == recording.marks
    assert isinstance(recording.marks[0], Mark)
    back = mm.retarget(target, "zoo:adult")
    bones = ["leftHand", "rightHand", "head", "leftFoot"]
    assert np.abs(bone_places(body, back.recording, bones) - bone_places(body, recording, bones)).max() < 0.02
    # What came as VRM animation is written as such, too.
    mm.save(again, tmp_path / "again.vrma")
    third = mm.load(tmp_path / "again.vrma")
    for time in TIMES:
        one, two = (each.recordings[0].sample(np.array([time])).rotations for each in (again, third))
        np.testing.assert_allclose(np.abs(np.sum(one * two[:, : one.shape[1]], axis=-1)), 1, atol=1e-5)


def test_who_is_no_human_is_refused(tmp_path: Path) -> None:
    dog = mm.zoo.body("dog")
    with pytest.raises(InputError, match="'dog' cannot be written as VRM animation, which is for humans"):
        save_motions(dog, [waving(dog)], tmp_path / "dog.vrma")
    with pytest.raises(InputError, match="has no motion"):
        mm.save(mm.zoo.body("adult"), tmp_path / "still.vrma")
    assert list(tmp_path.iterdir()) == []
