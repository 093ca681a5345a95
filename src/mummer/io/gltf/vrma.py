"""Writing VRM animation: a motion of human bones that any VRM avatar plays (``VRMC_vrm_animation`` 1.0).

The file holds bones that stand in a T-pose, face +Z and are turned nowhere, with rotations of each, translations of the
hips, weights of expressions as translations along X, and where the eyes look as rotations of one more node.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np

from mummer import __version__
from mummer.arrays import FloatArray
from mummer.atomic import replacing
from mummer.character import Character, Pose, Recording, find_face, rest_positions, world_positions
from mummer.errors import InputError
from mummer.io import formats
from mummer.io.gltf import container
from mummer.io.gltf.builder import Builder
from mummer.io.gltf.fields import Json
from mummer.io.gltf.humanoid import bone_above, human_bones
from mummer.io.gltf.marks import labelled
from mummer.io.gltf.write_motion import Tracks
from mummer.math import quaternion
from mummer.report import Report, ReportBuilder

RATE = 60.0
"""Keys a second for curves that are not straight from key to key."""
LOOKS = 0.005
"""Radians that eyes must turn to be looking somewhere."""
PRESETS = {"viseme_aa": "aa", "viseme_I": "ih", "viseme_U": "ou", "viseme_E": "ee", "viseme_O": "oh",
           "eye_blink_left": "blinkLeft", "eye_blink_right": "blinkRight"}  # fmt: skip
"""Expressions of faces by the names that VRM has for them."""
OLD_NAMES = {"a": "aa", "i": "ih", "u": "ou", "e": "ee", "o": "oh", "blink_l": "blinkLeft", "blink_r": "blinkRight",
             "joy": "happy", "sorrow": "sad", "fun": "relaxed", "lookup": "lookUp", "lookdown": "lookDown",
             "lookleft": "lookLeft", "lookright": "lookRight"}  # fmt: skip
"""Expressions of VRM 0.x by the names that 1.0 has for them."""
KNOWN = {*PRESETS.values(), *OLD_NAMES.values(), "blink", "angry", "surprised", "neutral"}
_TURNED = np.array([0.0, 0.0, 0.0, 1.0])


def write_vrma(character: Character, path: str | os.PathLike[str]) -> Report:
    """Write the first recording of a human body as VRM animation.

    Args:
        character: a body with the bones of a human; recognised if nobody knows its anatomy yet.
        path: ends in .vrma.

    Returns:
        What the file does not hold.

    Raises:
        InputError: if the body is no human, or has no recording.
    """
    report = ReportBuilder()
    if not character.recordings:
        raise InputError(f"{character.name!r} has no motion; VRM animation is a motion of human bones")
    if len(character.recordings) > 1:
        count = len(character.recordings) - 1
        report.add("ignored", "further animations: VRM animation holds one, the first is written", count=count)
    if character.meshes:
        report.add("ignored", "meshes: VRM animation holds a motion alone")
    if character.anatomy is None and "vrm" not in (character.source.details if character.source else {}):
        character = formats.resolve("mummer.recognition:recognized")(character)
    json, content = _document(character, character.recordings[0])
    with replacing(Path(path)) as temporary:
        temporary.write_bytes(container.join(container.encode(json), content, ()))
    return report.build()


def _document(character: Character, recording: Recording) -> tuple[Json, bytes]:
    bones, times = human_bones(character), _times(recording)
    eyes = [bones.pop(name) for name in ("leftEye", "rightEye") if name in bones]
    poses = recording.sample(times)
    body_from_world = quaternion.conjugate(_world_from_body(character))
    straight = _straightened(character, bones, body_from_world)
    turns = {bone: _turns(character, poses, joint, straight[bone], body_from_world) for bone, joint in bones.items()}
    places = _places(character, bones, straight, body_from_world)
    nodes, tracks = _bone_nodes(bones, places), Tracks()
    names = list(bones)
    for number, bone in enumerate(names):
        above = bone_above(bone, bones)
        from_above = (
            turns[bone] if above is None else quaternion.multiply(quaternion.conjugate(turns[above]), turns[bone])
        )
        tracks.add(number, "rotation", times, quaternion.continuous(from_above), "linear")
    tracks.add(0, "translation", times, _hips_way(character, poses, bones["hips"], body_from_world), "linear")
    extension: Json = {"specVersion": "1.0", "humanoid": {"humanBones": {b: {"node": n} for n, b in enumerate(names)}}}
    _add_expressions(extension, nodes, tracks, character, recording, times)
    _add_look(extension, nodes, tracks, eyes, (character, poses, turns, straight, body_from_world, times))
    return _joined(nodes, tracks, extension, recording)


def _joined(nodes: list[Json], tracks: Tracks, extension: Json, recording: Recording) -> tuple[Json, bytes]:
    builder = Builder()
    animation = labelled(tracks.animation(builder), recording)
    content = builder.added
    hanging = {child for node in nodes for child in node.get("children", ())}
    return {
        "asset": {"version": "2.0", "generator": f"mummer {__version__}"},
        "scene": 0,
        "scenes": [{"nodes": [number for number in range(len(nodes)) if number not in hanging]}],
        "nodes": nodes,
        "animations": [animation],
        "accessors": builder.accessors,
        "bufferViews": builder.views,
        "buffers": [{"byteLength": len(content)}],
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": {"VRMC_vrm_animation": extension},
    }, content


def _times(recording: Recording) -> FloatArray:
    """(K,) times of keys, from zero on those of the file where these tell everything."""
    if all(curve.interpolation == "linear" for curve in recording.curves):
        return recording.key_times
    count = max(1, round(recording.duration * RATE))
    return np.linspace(recording.start, recording.end, count + 1)


def _world_from_body(character: Character) -> FloatArray:
    """(4,) turns +Z to where the body faces, and +Y to its up."""
    if character.anatomy is not None:
        return quaternion.look_rotation(character.anatomy.front, character.anatomy.up)
    back = character.source is not None and character.source.front == "-Z"
    return np.array([0.0, 1.0, 0.0, 0.0]) if back else _TURNED


def _world_turns(character: Character, poses: Pose, joint: int) -> FloatArray:
    """(..., 4) world_from_joint."""
    turned = poses.rotations[..., joint, :]
    for above in character.skeleton.ancestors(joint):
        turned = quaternion.multiply(poses.rotations[..., above, :], turned)
    return turned


def _turns(
    character: Character, poses: Pose, joint: int, straight: FloatArray, body_from_world: FloatArray
) -> FloatArray:
    """(T, 4) how a bone is turned in the world from how it is in a T-pose, seen by the body."""
    rest = _world_turns(character, Pose.rest(character.skeleton), joint)
    away = quaternion.multiply(_world_turns(character, poses, joint), quaternion.conjugate(rest))
    seen = quaternion.multiply(quaternion.multiply(body_from_world, away), quaternion.conjugate(body_from_world))
    return quaternion.multiply(seen, quaternion.conjugate(straight))


def _straightened(character: Character, bones: dict[str, int], body_from_world: FloatArray) -> dict[str, FloatArray]:
    """Of each bone (4,) what turns it from rest into a T-pose, seen by the body: arms to the sides, legs down.

    The rest of a VRM is a T-pose, whatever it looks like.
    """
    places = quaternion.rotate(body_from_world, rest_positions(character.skeleton))
    found = dict.fromkeys(bones, _TURNED)
    if character.source is not None and "vrm" in character.source.details:
        return found
    for side, out in (("left", 1.0), ("right", -1.0)):
        for names, to in (("UpperArm LowerArm Hand", (out, 0.0, 0.0)), ("UpperLeg LowerLeg Foot", (0.0, -1.0, 0.0))):
            chain = [f"{side}{name}" for name in names.split()]
            for bone, after in itertools.pairwise(chain):
                along = places[bones[after]] - places[bones[bone]]
                if float(np.linalg.norm(along)) > 1e-9:
                    found[bone] = quaternion.between_vectors(along / np.linalg.norm(along), np.array(to))
        hand = found[f"{side}LowerArm"]
        fingers = ("Hand", "Thumb", "Index", "Middle", "Ring", "Little")
        found |= {bone: hand for bone in bones if bone.startswith(tuple(f"{side}{name}" for name in fingers))}
    return found


def _places(
    character: Character, bones: dict[str, int], straight: dict[str, FloatArray], body_from_world: FloatArray
) -> dict[str, FloatArray]:
    """Of each bone (3,) where it is in a T-pose from the bone above it, in metres."""
    rest = quaternion.rotate(body_from_world, rest_positions(character.skeleton))
    found = {}
    for bone, joint in bones.items():
        above = bone_above(bone, bones)
        if above is None:
            found[bone] = rest[joint] - np.array([0.0, _ground(character), 0.0])
        else:
            found[bone] = quaternion.rotate(straight[above], rest[joint] - rest[bones[above]])
    return found


def _ground(character: Character) -> float:
    """How high the ground is: avatars stand at nought, even if their soles are below it."""
    if character.source is not None and "vrm" in character.source.details:
        return 0.0
    if character.anatomy is not None:
        return character.anatomy.ground
    return float(rest_positions(character.skeleton)[:, 1].min()) if character.source is None else 0.0


def _hips_way(character: Character, poses: Pose, hips: int, body_from_world: FloatArray) -> FloatArray:
    """(T, 3) where the hips are, seen by the body from the ground."""
    way = quaternion.rotate(body_from_world, world_positions(character.skeleton, poses)[:, hips])
    return np.asarray(way - np.array([0.0, _ground(character), 0.0]))


def _bone_nodes(bones: dict[str, int], places: dict[str, FloatArray]) -> list[Json]:
    names = list(bones)
    nodes: list[Json] = [{"name": bone, "translation": places[bone].tolist()} for bone in names]
    for number, bone in enumerate(names):
        above = bone_above(bone, bones)
        if above is not None:
            nodes[names.index(above)].setdefault("children", []).append(number)
    return nodes


def _add_expressions(
    extension: Json, nodes: list[Json], tracks: Tracks, character: Character, recording: Recording, times: FloatArray
) -> None:
    kinds: dict[str, Json] = {}
    for name, weights in _expressions(character, recording, times).items():
        if not np.any(weights > 1e-4):
            continue
        kinds.setdefault("preset" if name in KNOWN else "custom", {})[name] = {"node": len(nodes)}
        nodes.append({"name": name})
        way = np.zeros((len(times), 3))
        way[:, 0] = np.clip(weights, 0.0, 1.0)
        tracks.add(len(nodes) - 1, "translation", times, way, "linear")
    if kinds:
        extension["expressions"] = kinds


def _expressions(character: Character, recording: Recording, times: FloatArray) -> dict[str, FloatArray]:
    """Of each expression (T,) its weight: as the body's file says what shows it, else by the names of morphs."""
    poses = recording.sample(times)
    details: dict[str, Any] = {} if character.source is None else character.source.details.get("vrm", {})
    found: dict[str, FloatArray] = {}
    for name, told in details.get("expressions", {}).items():
        known = OLD_NAMES.get(name.lower(), name)
        if told.get("joint") is not None:
            found[known] = poses.full_translations(character.skeleton)[:, told["joint"], 0]
        shown = [(morph, weight) for morph, weight in told.get("morphs", ()) if weight > 0]
        if shown and poses.morphs is not None:
            columns = [poses.morphs[:, character.morph_names.index(morph)] / weight for morph, weight in shown]
            found[known] = np.min(columns, axis=0)
    if not found and poses.morphs is not None:
        for name, drivers in find_face(character).drivers.items():
            if name in PRESETS and drivers[0].morph is not None:
                found[PRESETS[name]] = poses.morphs[:, drivers[0].morph] / drivers[0].weight
    return found


def _add_look(extension: Json, nodes: list[Json], tracks: Tracks, eyes: list[int], motion: tuple[Any, ...]) -> None:
    """Where the eyes look, seen by the head, if they look anywhere."""
    character, poses, turns, straight, body_from_world, times = motion
    if not eyes:
        return
    gaze = _turns(character, poses, eyes[0], _TURNED, body_from_world)
    seen = quaternion.multiply(quaternion.conjugate(turns["head"]), gaze)
    if np.abs(quaternion.log(seen)).max() < LOOKS:
        return
    rest = quaternion.rotate(body_from_world, rest_positions(character.skeleton))
    head = human_bones(character)["head"]
    offset = quaternion.rotate(straight["head"], rest[eyes].mean(axis=0) - rest[head])
    extension["lookAt"] = {"node": len(nodes), "offsetFromHeadBone": offset.tolist()}
    nodes.append({"name": "lookAt"})
    tracks.add(len(nodes) - 1, "rotation", times, quaternion.continuous(seen), "linear")
