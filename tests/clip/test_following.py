"""Several armatures in one file move together: eyes with the head, clothes with the body."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import mummer as mm
from mummer.character import Character, Recording, Skeleton, world_positions
from mummer.clip import Following, Sampled
from mummer.clip.following import followers_of
from mummer.recognition import recognized
from tests.retargeting.walk import walk


def dressed() -> Character:
    """The adult, and beside it its own skeleton once more, as clothes have it, and an armature of one joint."""
    adult = mm.zoo.body("adult")
    skeleton, count = adult.skeleton, len(adult.skeleton)
    parents = np.concatenate([skeleton.parents, np.where(skeleton.parents < 0, -1, skeleton.parents + count), [-1]])
    names = (*skeleton.names, *(f"{name}#2" for name in skeleton.names), "Glasses")
    head = mm.world_positions(skeleton, mm.Pose.rest(skeleton))[adult.anatomy.joint("head")]
    both = Skeleton(
        names,
        parents,
        np.concatenate([skeleton.rest_translations, skeleton.rest_translations, [head + np.array([0, 0.02, 0.08])]]),
        np.concatenate([skeleton.rest_rotations, skeleton.rest_rotations, [[0, 0, 0, 1]]]),
        name="dressed",
    )
    return Character("dressed", both)


def test_clothes_and_glasses_go_along() -> None:
    body, alone = dressed(), walk(seconds=1.0, rate=30.0).sample(np.array([0.0, 0.3, 0.7]))
    others = np.repeat(body.skeleton.rest_rotations[None, alone.joint_count :], 3, axis=0)
    poses = mm.Pose(np.concatenate([alone.rotations, others], axis=1), alone.root_translation)
    clip = Following(Sampled(body, Recording.from_poses("walk", [0.0, 0.3, 0.7], poses)))
    places = world_positions(body.skeleton, clip.sample([0.0, 0.3, 0.7]))
    count = len(body.skeleton) // 2
    np.testing.assert_allclose(places[:, :count], places[:, count : 2 * count], atol=1e-9)
    assert np.ptp(places[:, 0, 2]) > 0.3
    away = np.linalg.norm(places[:, -1] - places[:, body.skeleton.index("head")], axis=1)
    assert np.ptp(away) < 1e-9


def test_a_dressed_body_is_recognised_as_itself_and_walks_in_its_clothes() -> None:
    body, adult = recognized(dressed()), mm.zoo.body("adult")
    assert body.anatomy is not None
    assert body.anatomy.kind == "humanoid"
    assert {role: body.anatomy.roles[role] for role in ("hips", "head", "left_hand", "right_foot")} == {
        role: adult.anatomy.joint(role) for role in ("hips", "head", "left_hand", "right_foot")
    }
    recording = mm.retarget(walk(seconds=1.0, rate=30.0), body).recording
    places = world_positions(body.skeleton, recording.sample(np.array([0.0, 0.3, 0.7])))
    count = len(adult.skeleton)
    np.testing.assert_allclose(places[:, :count], places[:, count : 2 * count], atol=1e-9)


def test_a_body_of_one_armature_is_left_alone() -> None:
    assert followers_of(mm.zoo.body("spider")) == {}


def test_the_eyes_of_a_dragon_stay_in_its_head(data_dir: Path, tmp_path: Path) -> None:
    files = sorted((data_dir / "characters").rglob("Dragon.fbx"))
    body = recognized(mm.load(files[0]))
    clip = mm.perform(body, "walk")
    # At frames of the recording; between them joints of two armatures are drawn straight from place to place.
    times = clip.recording.curves[0].times
    shown = world_positions(body.skeleton, clip.sample(times[:: len(times) // 8]))
    mm.save(clip, tmp_path / "walk.glb", only_new=True, rate=10.0)
    made = mm.load(tmp_path / "walk.glb")
    skeleton = made.skeleton
    places = world_positions(skeleton, made.recordings[0].frames())
    eyes = skeleton.index("EyeArmature")
    holder = followers_of(body)[body.skeleton.index("EyeArmature")]
    away = np.linalg.norm(places[:, eyes] - places[:, skeleton.index(body.skeleton.names[holder])], axis=1)
    assert np.ptp(places[:, 0], axis=0).max() + np.ptp(places[:, eyes], axis=0).max() > 0.5
    drawn = np.linalg.norm(shown[:, body.skeleton.index("EyeArmature")] - shown[:, holder], axis=1)
    assert np.ptp(drawn) < 1e-6 * drawn.max()
    assert np.ptp(away) < 1e-3 * float(np.ptp(places[0], axis=0).max())
