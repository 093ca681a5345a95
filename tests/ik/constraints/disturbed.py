"""Recorded walks, and three ways of disturbing their feet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.character import Character, Recording, Skeleton
from mummer.clip import Annotated, Clip, Mix, Sampled, SpaceWarp, SpaceWarpKey, TimeWarp, Trim
from mummer.ik.constraints import with_footholds
from mummer.ik.constraints.plant import HEEL
from mummer.math import quaternion
from mummer.recognition import recognize

CMU = "motions/cmu-cgspeed/cmu"
WALKS = {
    "02_01_walk": f"{CMU}_02_01_walk.bvh",
    "07_01_walk": f"{CMU}_07_01_walk.bvh",
    "07_05_slow": f"{CMU}_07_05_slow_walk.bvh",
    "08_07_stride": f"{CMU}_08_07_walk_exaggerated_stride.bvh",
    "104_19_casual": f"{CMU}_104_19_casual_walk.bvh",
    "111_01_backwards": f"{CMU}_111_01_walk_backwards.bvh",
    "16_18_left_turn": f"{CMU}_16_18_walk_90deg_left_turn.bvh",
    "16_20_right_turn": f"{CMU}_16_20_walk_90deg_right_turn.bvh",
    "02_03_jog": f"{CMU}_02_03_run_jog.bvh",
    "09_01_run": f"{CMU}_09_01_run.bvh",
    "figure_eight": "motions/pymo/AV_8Walk_Meredith.bvh",
    "zombie": "motions/animated-drawings/zombie_walk.bvh",
}
# Never looked at while the engine was being tuned.
HELD_OUT = {
    "02_06_scoop": f"{CMU}_02_06_bend_scoop_lift.bvh",
    "115_01_box": f"{CMU}_115_01_pick_up_box.bvh",
    "139_01_looking": f"{CMU}_139_01_looking_around.bvh",
    "141_16_wave": f"{CMU}_141_16_wave_hello.bvh",
    "ozz_walk": "motions/ozz/pab_walk.fbx",
    "overte_turn": "motions/overte/turn_left.fbx",
    "dance": "motions/animated-drawings/rokoko_jesse_dance.bvh",
}
# Straight walks with straight walks, runs with runs: what somebody would blend.
PARTNERS = {
    "02_01_walk": "07_01_walk", "07_01_walk": "02_01_walk", "07_05_slow": "07_01_walk", "08_07_stride": "02_01_walk",
    "104_19_casual": "07_01_walk", "02_03_jog": "09_01_run", "09_01_run": "02_03_jog",
}  # fmt: skip
COARSE = ("zombie", "ozz_walk", "overte_turn")
"""Recorded at thirty frames a second or less."""


@dataclass(frozen=True)
class Disturbance:
    """A walk whose feet slide, with the footholds of the recording marked."""

    recording: str
    kind: str
    clip: Clip
    rate: float

    @property
    def bent(self) -> list[int]:
        roles = self.clip.body.anatomy.roles
        return [joint for role, joint in roles.items() if role.endswith(("upper_leg", "lower_leg", "foot", "toes"))]

    def joint(self, role: str) -> str:
        """The name of the joint with a role."""
        return self.clip.body.skeleton.names[self.clip.body.anatomy.roles[role]]


def recorded(folder: Path, name: str) -> Clip:
    """A recording with its footholds marked; CMU's begin with a T-pose, which is left out."""
    file = (WALKS | HELD_OUT)[name]
    loaded = mm.load(folder / file)
    character = loaded.replace(anatomy=recognize(loaded))
    clip: Clip = Sampled(character, character.recordings[0])
    if "cmu" in file:
        clip = Trim(clip, clip.start + 2 / 120, clip.end)
    return with_footholds(clip)


def disturbances(folder: Path, names: Sequence[str] = tuple(WALKS)) -> Iterator[Disturbance]:
    for name in names:
        if not (folder / (WALKS | HELD_OUT)[name]).exists():
            continue
        clip = recorded(folder, name)
        rate = 30.0 if name in COARSE else 120.0
        yield Disturbance(name, "as recorded", clip, rate)
        if name in PARTNERS:
            yield Disturbance(name, "blended", blended(clip, recorded(folder, PARTNERS[name])), rate)
        yield Disturbance(name, "warped", warped(clip), rate)
        yield Disturbance(name, "retargeted", retargeted(clip, rate), rate)


def blended(clip: Clip, other: Clip, share: float = 0.5) -> Clip:
    """Half and half with another walk on the same body, in step but not of the same stride."""
    character = clip.body
    times = other.times(120.0)
    recording = Recording.from_poses("other", times, other.sample(times))
    stranger: Clip = Sampled(character, recording)
    mine, theirs = strikes(clip), strikes(other)
    count = min(len(mine), len(theirs))
    keys = list(zip(theirs[:count], mine[:count], strict=True))
    stranger = TimeWarp(stranger, tuple(keys)) if count > 1 else stranger
    first = clip.at(max(clip.start, stranger.start))
    assert first.root_translation is not None
    heading = _heading(clip)
    stranger = stranger.standing_at(first.root_translation, heading)
    return Mix(clip, stranger, share, fade=0.6)


def strikes(clip: Clip) -> list[float]:
    """When the left heel comes down."""
    return [mark.time for mark in clip.marks if mark.name == f"left_foot {HEEL}"]


def _heading(clip: Clip) -> float:
    way = clip.at(clip.end).root_translation - clip.at(clip.start).root_translation
    return float(np.arctan2(way[0], way[2]))


def warped(clip: Clip) -> Clip:
    """Bent at two moments: hips shifted and turned, one thigh swung."""
    at = [clip.start + share * clip.duration for share in (0.0, 0.35, 0.7, 1.0)]
    hips, left, right = (_name(clip, role) for role in ("hips", "left_upper_leg", "right_upper_leg"))
    keys = (
        SpaceWarpKey.nothing(at[0]),
        SpaceWarpKey(at[1], shift=(0.06, -0.02, 0.05), turns={hips: _turn(0.12, 1), left: _turn(0.1, 0)}, zero=True),
        SpaceWarpKey(at[2], shift=(-0.05, 0.01, -0.04), turns={hips: _turn(-0.1, 1), right: _turn(0.1, 0)}, zero=True),
        SpaceWarpKey.nothing(at[3]),
    )
    return SpaceWarp(clip, keys)


def _name(clip: Clip, role: str) -> str:
    return clip.body.skeleton.names[clip.body.anatomy.roles[role]]


def _turn(angle: float, axis: int) -> tuple[float, ...]:
    return tuple(quaternion.exp(angle * np.eye(3)[axis]).tolist())


def retargeted(clip: Clip, rate: float = 120.0) -> Clip:
    """The motion on a body of other proportions, transferred as usual but with its feet left as they fall."""
    moved = clip.onto(longer_legs(clip.body), feet=False)
    times = moved.times(rate)
    return Annotated(Sampled(moved.body, Recording.from_poses("retargeted", times, moved.sample(times))), clip.marks)


def longer_legs(body: Character) -> Character:
    """The same body with thighs a fifth longer, shins a little, and hips wider."""
    skeleton, roles = body.skeleton, body.anatomy.roles
    factors = np.ones(len(skeleton))
    for role, factor in (("upper_leg", 1.15), ("lower_leg", 1.2), ("foot", 1.05)):
        for side in ("left", "right"):
            factors[roles[f"{side}_{role}"]] = factor
    longer = Skeleton(
        skeleton.names, skeleton.parents, skeleton.rest_translations * factors[:, None], skeleton.rest_rotations,
        name="longer",
    )  # fmt: skip
    return Character("longer", longer, anatomy=body.anatomy)
