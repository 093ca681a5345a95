"""Recorded motion put onto another body in the simplest way: every part points where the recorded one points.

Nothing looks after the width of a chest or the thickness of an arm, which is what makes bodies sink into themselves.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.character import Character, Pose, rest_positions, world_positions
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

NEXT = {
    "spine": "chest", "neck": "head", "head": None, "chest": "neck",
    **{f"{side}_{one}": f"{side}_{two}" for side in ("left", "right") for one, two in (
        ("shoulder", "upper_arm"), ("upper_arm", "forearm"), ("forearm", "hand"), ("upper_leg", "lower_leg"),
        ("lower_leg", "foot"), ("foot", "toes"))},
}  # fmt: skip
FRAMES = {"hips": ("left_upper_leg", "right_upper_leg"), "chest": ("left_upper_arm", "right_upper_arm")}


@dataclass(frozen=True, eq=False)
class Source:
    """A recording with the roles of its joints: (T, J, 3) places at (T,) seconds."""

    name: str
    places: np.ndarray
    times: np.ndarray
    roles: dict[str, int]


def roles_of(character: Character, data: Path, name: str) -> dict[str, int]:
    """The hand-checked roles of the character or motion whose mapping is called ``name``."""
    table = json.loads((data / "mappings" / f"{name}.json").read_text())["mapping"]
    names = character.skeleton.names
    return {role: names.index(joint) for role, joint in table.items() if joint in names}


def read_source(data: Path, path: str, mapping: str, *, rate: float = 60.0, seconds: float = np.inf) -> Source:
    """The recording in the file at ``path``, sampled evenly."""
    character = mm.load(data / path)
    recording = character.recordings[0]
    end = min(recording.end, recording.start + seconds)
    times = recording.start + 2 / 30 + np.arange(int((end - recording.start - 2 / 30) * rate) + 1) / rate
    places = world_positions(character.skeleton, recording.sample(times))
    return Source(Path(path).stem, places, times - times[0], roles_of(character, data, mapping))


def retargeted(source: Source, target: Character, roles: dict[str, int]) -> Pose:
    """(T,) poses of ``target`` whose parts point where those of the recording point."""
    skeleton = target.skeleton
    rest_places, rest_turns = rest_positions(skeleton), WorldState(target, Pose.rest(skeleton)).rotations[0]
    role_at = {joint: role for role, joint in roles.items() if role in source.roles}
    count = len(source.times)
    deltas = np.zeros((count, len(skeleton), 4))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        above = deltas[:, parent] if parent >= 0 else np.tile([0.0, 0, 0, 1], (count, 1))
        deltas[:, joint] = _delta(role_at.get(joint), above, source, rest_places, roles)
    world = quaternion.multiply(deltas, rest_turns)
    local = world.copy()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            local[:, joint] = quaternion.multiply(quaternion.conjugate(world[:, parent]), world[:, joint])
    return _placed(source, target, roles, quaternion.normalize(local), rest_places)


def _delta(role, above, source, rest_places, roles):
    if role in FRAMES and all(side in source.roles and side in roles for side in FRAMES[role]):
        ours = _basis(rest_places[None], roles, role)
        return quaternion.multiply(_basis(source.places, source.roles, role), quaternion.conjugate(ours))
    after = NEXT.get(role)
    if after is None or after not in source.roles or after not in roles:
        return above
    wanted = source.places[:, source.roles[after]] - source.places[:, source.roles[role]]
    ours = rest_places[roles[after]] - rest_places[roles[role]]
    if np.linalg.norm(ours) < 1e-6 or np.linalg.norm(wanted, axis=1).min() < 1e-9:
        return above
    return quaternion.multiply(quaternion.between_vectors(quaternion.rotate(above, ours), wanted), above)


def _basis(places, roles, role):
    """(T, 4) how the hips or the chest stand: across from right to left, up along the spine."""
    left, right = (places[:, roles[side]] for side in FRAMES[role])
    across, middle = left - right, (left + right) / 2
    # From the legs to the shoulders: a joint of the spine may lie on top of the next.
    up = places[:, roles["chest"]] - middle if role == "hips" else middle - places[:, roles["hips"]]
    return quaternion.look_rotation(np.cross(across, up), up)


def _placed(source, target, roles, local, rest_places):
    """The poses with the hips where those of the recording are, scaled by the length of the legs."""
    at = source.places[:, source.roles["hips"]]
    lowest = source.places[..., 1].min()
    scale = _leg(rest_places[None], roles)[0] / np.median(_leg(source.places, source.roles))
    wanted = (at - [at[0, 0], lowest, at[0, 2]]) * scale + [0, rest_places[:, 1].min(), 0]
    pose = Pose(local, np.tile(target.skeleton.rest_translations[0], (len(local), 1)))
    found = WorldState(target, pose).positions[:, roles["hips"]]
    return pose.replace(root_translation=pose.root_translation + wanted - found)


def _leg(places, roles):
    joints = [roles[f"left_{part}"] for part in ("upper_leg", "lower_leg", "foot")]
    return np.linalg.norm(np.diff(places[:, joints], axis=1), axis=2).sum(axis=1)
