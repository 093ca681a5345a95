"""What a simulation gives: a motion, what happened in it, and what of the intent could not be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose, Recording
from mummer.character.cast import cast, join_poses
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.following import followed, followers_of
from mummer.clip.frames import Frames
from mummer.clip.sampled import Sampled
from mummer.clip.standing import fill_translations
from mummer.math import quaternion
from mummer.physics.figure import Figure, gathered
from mummer.physics.thing import Thing
from mummer.report import Report


@dataclass(frozen=True)
class Event:
    """Something that touched something.

    Attributes:
        time: seconds.
        what, by: a part of a body or a thing, and what it met: another, or ``ground``.
        impulse: newton seconds, as long as they touched.
    """

    time: float
    what: str
    by: str
    impulse: float

    def __str__(self) -> str:
        return f"{self.by} hits {self.what}"


@dataclass(frozen=True, eq=False)
class Simulated:
    """A motion that was simulated.

    Attributes:
        clip: the motion, with its events as marks.
        events: what hit what, earliest first.
        things: what each thing did, by its name.
        report: what could not be kept, and what the body was helped with.
        facts: numbers about it.
    """

    clip: Sampled
    events: tuple[Event, ...]
    things: Mapping[str, Sampled]
    report: Report
    facts: Mapping[str, float]

    @cached_property
    def scene(self) -> Sampled:
        """The body and all things as one clip, ready to be drawn and saved; the clip alone where there is no thing."""
        if not self.things:
            return self.clip
        clips = {self.clip.body.name.replace(".", "_") or "body": self.clip, **self.things}
        whole = cast({name: clip.body for name, clip in clips.items()})
        if whole.anatomy is not None and self.clip.body.anatomy is not None:
            whole = whole.replace(anatomy=replace(whole.anatomy, ground=self.clip.body.anatomy.ground))
        times = self.clip.recording.curves[0].times
        poses = join_poses(whole, {name: clip.sample(times) for name, clip in clips.items()})
        made = Recording.from_poses(self.clip.name, times, poses, frame_rate=self.clip.recording.frame_rate)
        return Sampled(whole, replace(made, marks=self.clip.marks))


def motion_of(figure: Figure, clip: Clip, clocks: FloatArray, places: FloatArray, turns: FloatArray) -> Frames:
    """The frames of the body as it came, T of them.

    What is not simulated is as the intent has it, on the part that carries it.

    Args:
        figure: of the body.
        clip: the intent.
        clocks: (T,) seconds of the intent that were carried out then.
        places: (T, 3) of the first part.
        turns: (T, n, 4) of all parts in the world.
    """
    planned = clip.sample(clocks)
    positions, rotations = figure.world(planned)
    if figure.whole is not None:
        planned = gathered(figure.whole, planned)
    joints, skeleton = figure.joints, figure.character.skeleton
    moved = quaternion.multiply(turns, quaternion.conjugate(rotations[:, joints]))
    world = quaternion.multiply(moved[:, figure.holder], rotations)
    local = quaternion.multiply(quaternion.conjugate(world[:, np.maximum(skeleton.parents, 0)]), world)
    roots = list(skeleton.roots)
    local[:, roots] = world[:, roots]
    frames = Frames(
        quaternion.continuous(local), np.zeros((len(turns), 3)),
        *(None if part is None else np.array(part) for part in (planned.translations, planned.scales, planned.morphs)),
    )  # fmt: skip
    if len(roots) > 1:
        fill_translations(frames, figure.character)
    for root in roots:
        away = quaternion.rotate(moved[:, 0], positions[:, root] - positions[:, joints[0]])
        target = frames.root if frames.translations is None else frames.translations[:, root]
        target[:] = places + away
    if figure.whole is not None:
        pose = figure.whole.taken_apart(frames.to_pose())
        translations = np.array(pose.full_translations(figure.whole.given.skeleton))
        frames = Frames(np.array(pose.rotations), translations[:, 0], translations, morphs=frames.morphs)
    return followed(frames, clip.body, followers_of(clip.body))


def clip_of(clip: Clip, times: FloatArray, frames: Frames, rate: float, marks: tuple[Mark, ...]) -> Sampled:
    """The frames as a clip of the same body, with marks."""
    recording = Recording.from_poses(clip.name, times, frames.to_pose(), frame_rate=rate)
    return Sampled(clip.body, replace(recording, marks=tuple(sorted(marks))), report=clip.report)


def thing_clip(thing: Thing, times: FloatArray, places: FloatArray, turns: FloatArray, rate: float) -> Sampled:
    """What a thing did, T frames at ``times``."""
    recording = Recording.from_poses(thing.name, times, Pose(turns[:, None], places), frame_rate=rate)
    return Sampled(thing.body, recording)
