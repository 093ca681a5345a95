"""Parts that hang beside a body, as handles of a rig do: whatever is to be there is done by the body put together."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.character.whole import Whole, whole_of
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.ik.body_goals import Near
from mummer.ik.body_point import BodyPoint, Part, as_point, joint_of
from mummer.ik.goal import Goal

AnyGoal = TypeVar("AnyGoal", bound=Goal)


def whole_for(body: Character, goals: Sequence[Goal]) -> Whole | None:
    """The body put together, if goals speak of what hangs beside it; None else, or if its parts are not known."""
    whole = None if body.anatomy is None else whole_of(body)
    if whole is None:
        return None
    loose = set(whole.loose)
    about = {joint_of(body, point) for goal in goals for point in goal.points}
    is_about = any(loose & {joint, *body.skeleton.ancestors(joint)} for joint in about)
    return whole if is_about and not any(isinstance(goal, Near) for goal in goals) else None


def part_of(whole: Whole, part: Part) -> Part:
    """A part of the body as it came, in the body put together."""
    point = as_point(part)
    return BodyPoint(int(np.argsort(whole.order)[joint_of(whole.given, point)]), point.offset)


def goal_of(whole: Whole, goal: AnyGoal) -> AnyGoal:
    """A goal of the body as it came, of the body put together."""
    parts = {name: part_of(whole, getattr(goal, name)) for name in ("part", "first", "second") if hasattr(goal, name)}
    return dataclasses.replace(goal, **parts)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False, repr=False)
class PutTogether(Operated):
    """The clip for the body put together: what hung beside it is where it belongs, turned as it was.

    Attributes:
        whole: the body.
    """

    whole: Whole

    @property
    def body(self) -> Character:
        """The body put together."""
        return self.whole.character

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        pose = self.whole.put_together(self.clip.frames(times).to_pose())
        translations = np.array(pose.full_translations(self.body.skeleton))
        return Frames(np.array(pose.rotations), translations[:, 0], translations, morphs=pose.morphs)


def taken_apart(whole: Whole, frames: Frames) -> Frames:
    """Frames of the body put together, of the body as it came."""
    pose = whole.taken_apart(frames.to_pose())
    translations = np.array(pose.full_translations(whole.given.skeleton))
    return Frames(np.array(pose.rotations), translations[:, 0], translations, morphs=frames.morphs)
