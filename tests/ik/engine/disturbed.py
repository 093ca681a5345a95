"""Recorded walks, and three ways of disturbing their feet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.character import Character, Recording, Skeleton
from mummer.clip import Annotated, Clip, Mix, Sampled, SpaceWarp, SpaceWarpKey, TimeWarp, Trim
from mummer.ik.engine import with_footholds
from mummer.ik.engine.foothold import HEEL
from mummer.math import quaternion

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
# Straight walks with straight walks, runs with runs: what somebody would blend.
PARTNERS = {
    "02_01_walk": "07_01_walk", "07_01_walk": "02_01_walk", "07_05_slow": "07_01_walk", "08_07_stride": "02_01_walk",
    "104_19_casual": "07_01_walk", "02_03_jog": "09_01_run", "09_01_run": "02_03_jog",
}  # fmt: skip
LEGS = ("UpLeg", "Leg", "Foot", "ToeBase")


@dataclass(frozen=True)
class Disturbance:
    """A walk whose feet slide, with the footholds of the recording marked."""

    recording: str
    kind: str
    clip: Clip
    rate: float

    @property
    def bent(self) -> list[int]:
        names = self.clip.body.skeleton.names
        return [place for place, name in enumerate(names) if name.endswith(LEGS)]


def recorded(folder: Path, name: str) -> Clip:
    """A recording with its footholds marked; CMU's begin with a T-pose, which is left out."""
    character = mm.load(folder / WALKS[name])
    clip: Clip = Sampled(character, character.recordings[0])
    if "cmu" in WALKS[name]:
        clip = Trim(clip, clip.start + 2 / 120, clip.end)
    return with_footholds(clip, feet=["LeftFoot", "RightFoot"])


def disturbances(folder: Path, names: Sequence[str] = tuple(WALKS)) -> Iterator[Disturbance]:
    for name in names:
        if not (folder / WALKS[name]).exists():
            continue
        clip = recorded(folder, name)
        rate = 30.0 if name == "zombie" else 120.0
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
    return [mark.time for mark in clip.marks if mark.name == f"LeftFoot {HEEL}"]


def _heading(clip: Clip) -> float:
    way = clip.at(clip.end).root_translation - clip.at(clip.start).root_translation
    return float(np.arctan2(way[0], way[2]))


def warped(clip: Clip) -> Clip:
    """Bent at two moments: hips shifted and turned, one thigh swung."""
    at = [clip.start + share * clip.duration for share in (0.0, 0.35, 0.7, 1.0)]
    keys = (
        SpaceWarpKey.nothing(at[0]),
        SpaceWarpKey(
            at[1], shift=(0.06, -0.02, 0.05), turns={"Hips": _turn(0.12, 1), "LeftUpLeg": _turn(0.1, 0)}, zero=True
        ),
        SpaceWarpKey(
            at[2], shift=(-0.05, 0.01, -0.04), turns={"Hips": _turn(-0.1, 1), "RightUpLeg": _turn(0.1, 0)}, zero=True
        ),
        SpaceWarpKey.nothing(at[3]),
    )
    return SpaceWarp(clip, keys)


def _turn(angle: float, axis: int) -> tuple[float, ...]:
    return tuple(quaternion.exp(angle * np.eye(3)[axis]).tolist())


def retargeted(clip: Clip, rate: float = 120.0) -> Clip:
    """The same rotations on a body of other proportions, with the root's way scaled by its height alone."""
    skeleton = clip.body.skeleton
    factors = np.ones(len(skeleton))
    for place, name in enumerate(skeleton.names):
        parent = "" if skeleton.parents[place] < 0 else skeleton.names[skeleton.parents[place]]
        factors[place] = 1.2 if parent.endswith("UpLeg") else 1.05 if parent.endswith("Leg") else 1.0
        factors[place] = 1.15 if name.endswith("UpLeg") else factors[place]
    longer = Skeleton(
        skeleton.names, skeleton.parents, skeleton.rest_translations * factors[:, None], skeleton.rest_rotations,
        name="longer",
    )  # fmt: skip
    times = clip.times(rate)
    poses = clip.sample(times)
    assert poses.root_translation is not None
    moved = poses.replace(root_translation=1.06 * poses.root_translation, translations=None)
    body = Character("longer", longer)
    return Annotated(Sampled(body, Recording.from_poses("naive", times, moved)), clip.marks)
