"""Blender puts the joints and meshes of the USD files that we write where we do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Character, Pose, Recording, Skeleton, deform, world_positions
from mummer.character.derive import rest_positions
from mummer.io import load, save
from mummer.io.parts.fold_scales import unscaled
from mummer.io.usd.names import identifiers
from mummer.math import quaternion
from mummer.report import Report
from tests.io.fbx.test_second_reader_fbx import bounding_box, size_of
from tests.io.real_files import assert_same_character, real_files
from tests.second_readers.blender import ask_blender

pytest.importorskip("pxr")
TOLERANCE, HALVES = 1e-4, 5e-4
"""Of the body's size; the second where joints are scaled by factors that UsdSkel rounds to eleven bits."""
MESHED = (".fbx", ".glb", ".gltf", ".vrm")


def swaying(name: str) -> Character:
    """A built-in body that turns at every joint and moves about."""
    body = zoo.body(name)
    rng = np.random.default_rng(3)
    rest = body.skeleton
    turns = quaternion.exp(rng.normal(scale=0.2, size=(4, len(rest), 3)))
    moved = rest.rest_translations[0] + rng.normal(size=(4, 3))
    morphs = rng.uniform(size=(4, len(body.morph_names))) if body.morph_names else None
    poses = Pose(quaternion.multiply(rest.rest_rotations, turns), moved, morphs=morphs)
    return body.replace(recordings=(Recording.from_poses("sway", [0, 0.5, 1, 1.5], poses, frame_rate=24),))


def test_a_built_in_body_comes_back(tmp_path: Path) -> None:
    body = swaying(zoo.names()[0])
    save(body, tmp_path / "body.usdc")
    assert_same_character(body, load(tmp_path / "body.usdc"))


@pytest.mark.slow
@pytest.mark.parametrize("name", zoo.names())
def test_blender_agrees_on_built_in_bodies(name: str, tmp_path: Path) -> None:
    body = swaying(name)
    save(body, tmp_path / "body.usda")
    assert_same_character(body, load(tmp_path / "body.usda"))
    assert_blender_agrees(body, tmp_path / "body.usda", meshes=not body.morph_names)


@pytest.mark.slow
@pytest.mark.parametrize("path", real_files("characters", "motions", extensions=MESHED))
def test_blender_agrees_on_real_bodies(path: Path, tmp_path: Path) -> None:
    body = load(path)
    report = save(body, tmp_path / "body.usdc")
    assert_same_character(unscaled(body), load(tmp_path / "body.usdc"))
    assert_blender_agrees(body, tmp_path / "body.usdc", meshes=True, tolerance=HALVES if rounds(report) else TOLERANCE)


SCALED = ("threejs/Xbot.glb", "threejs/Soldier.glb", "quaternius-farm-animals/Pug.gltf", "quaternius/Spider.glb")


@pytest.mark.parametrize("name", SCALED)
def test_the_library_skins_scaled_armatures_as_we_do(
    name: str, shared_character: Callable[[str], Path], tmp_path: Path
) -> None:
    assert_library_agrees(load(shared_character(name)), tmp_path / "body.usdc")


@pytest.mark.slow
@pytest.mark.parametrize("path", real_files("characters", extensions=MESHED))
def test_the_library_skins_every_body_as_we_do(path: Path, tmp_path: Path) -> None:
    assert_library_agrees(load(path), tmp_path / "body.usdc")


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_no_bone_of_a_scaled_armature_is_scaled(factor: float, tmp_path: Path) -> None:
    from pxr import Usd, UsdSkel

    body = zoo.body("adult")
    skeleton = body.skeleton
    names, parents = ("Armature", *skeleton.names), [-1, *(skeleton.parents + 1)]
    moved = [[0, 0, 0], *(skeleton.rest_translations / factor)]
    scales = np.ones((len(names), 3))
    scales[0] = factor
    armature = Skeleton(names, parents, moved, [quaternion.IDENTITY, *skeleton.rest_rotations], scales)
    skins = [
        replace(m.skin, joints=m.skin.joints + 1, joint_from_mesh=m.skin.joint_from_mesh / factor) for m in body.meshes
    ]
    meshes = tuple(replace(mesh, skin=skin) for mesh, skin in zip(body.meshes, skins, strict=True))
    scaled = Character("scaled", armature, meshes)
    assert_library_agrees(scaled, tmp_path / "scaled.usda")
    stage = Usd.Stage.Open(str(tmp_path / "scaled.usda"))
    binds = np.array(UsdSkel.Skeleton(stage.GetPrimAtPath("/scaled/Skeleton")).GetBindTransformsAttr().Get())
    assert np.abs(np.linalg.norm(binds[:, :3, :3], axis=-1) - 1).max() < 1e-6
    assert np.allclose(binds[1:, 3, :3], rest_positions(skeleton), atol=1e-6)


def rounds(report: Report) -> bool:
    """Whether scales were written that UsdSkel holds only roughly."""
    return "rounded" in str(report)


def assert_library_agrees(body: Character, path: Path) -> None:
    """Skinned by USD itself, every point of every mesh is where we have it, to 1e-5 of the body's size."""
    tolerance = HALVES if rounds(save(body, path)) else 1e-5
    motion = body.recordings[0] if body.recordings else None
    for time in (None,) if motion is None else (motion.start, (motion.start + motion.end) / 2):
        pose = body.default_pose if motion is None else motion.sample([time])[0]
        ours = deform(body, pose.replace(morphs=None), with_normals=False)
        for mine, other in zip(ours, skinned_by_library(path, time), strict=True):
            assert np.abs(mine.positions - other).max(initial=0) < tolerance * size_of(body)


def skinned_by_library(path: Path, seconds: float | None) -> list[np.ndarray]:
    """The points of every mesh in the world, as UsdSkel poses them; morphs at rest."""
    from pxr import Usd, UsdGeom, UsdSkel

    stage, cache = Usd.Stage.Open(str(path)), UsdSkel.Cache()
    time = Usd.TimeCode.Default() if seconds is None else Usd.TimeCode(seconds * stage.GetTimeCodesPerSecond())
    cache.Populate(UsdSkel.Root(stage.GetDefaultPrim()), Usd.PrimDefaultPredicate)
    shown = []
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            skeleton = UsdSkel.BindingAPI(prim).GetInheritedSkeleton()
            points = UsdGeom.Mesh(prim).GetPointsAttr().Get()
            transforms = cache.GetSkelQuery(skeleton).ComputeSkinningTransforms(time)
            assert cache.GetSkinningQuery(prim).ComputeSkinnedPoints(transforms, points, time)
            world = np.array(UsdGeom.XformCache(time).GetLocalToWorldTransform(skeleton.GetPrim()))
            shown.append(np.array(points) @ world[:3, :3] + world[3, :3])
    return shown


def assert_blender_agrees(body: Character, path: Path, *, meshes: bool, tolerance: float = TOLERANCE) -> None:
    """The Skeleton plays the first recording, so that is what Blender shows."""
    times = body.recordings[0].key_times if body.recordings else np.zeros(1)
    poses = body.recordings[0].sample(times) if body.recordings else Pose.stack([body.default_pose])
    rate = body.recordings[0].frame_rate if body.recordings else None
    (answer,) = ask_blender([{"path": str(path), "motion": None, "times": times.tolist(), "frame_rate": rate}])
    assert "error" not in answer, answer
    names = identifiers(body.skeleton.names)
    ours = world_positions(body.skeleton, poses)
    for frame, heads in enumerate(answer["heads"]):
        theirs = np.array([heads[name] for name in names])
        assert np.abs(ours[frame] - theirs).max() < tolerance * size_of(body), f"frame {frame}"
    if meshes and body.meshes:
        box = bounding_box(body, poses[0])
        assert np.abs(box - answer["boxes"][0]).max() < tolerance * size_of(body)
