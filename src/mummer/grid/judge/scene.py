"""A motion as the judges see it: sampled once, with everything that several of them ask for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import Foot, known_feet
from mummer.clip.clip import Clip
from mummer.errors import InputError
from mummer.general import Intent, Physique, physique_of
from mummer.ik.world_state import WorldState

RATE = 60.0
"""Samples a second that every judge works on, whatever rate a motion was made at."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One clip, sampled evenly in time.

    Attributes:
        clip: the motion.
        times: (T,) seconds, 1/60 s apart or as near to that as the length allows.
    """

    clip: Clip
    times: FloatArray

    @property
    def body(self) -> Character:
        """The body that moves."""
        return self.clip.body

    @property
    def step(self) -> float:
        """Seconds between samples."""
        return float(self.times[1] - self.times[0]) if len(self.times) > 1 else 1.0 / RATE

    @cached_property
    def pose(self) -> Pose:
        """A batch of T poses.

        Raises:
            InputError: if a number in them is not finite: that is a fault, not a motion.
        """
        pose = self.clip.sample(self.times)
        parts = (pose.rotations, pose.root_translation, pose.translations, pose.scales, pose.morphs)
        if not all(np.all(np.isfinite(part)) for part in parts if part is not None):
            raise InputError(f"the motion of {self.body.name!r} holds numbers that are not finite")
        return pose

    @cached_property
    def state(self) -> WorldState:
        """Where all joints are."""
        return WorldState(self.body, self.pose)

    @cached_property
    def rest(self) -> WorldState:
        """Where all joints are at rest, as a batch of one."""
        return WorldState(self.body, self.body.default_pose)

    @property
    def places(self) -> FloatArray:
        """(T, J, 3) joints in the world, metres."""
        return self.state.positions

    @cached_property
    def physique(self) -> Physique:
        """The body at rest."""
        return physique_of(self.body)

    @property
    def size(self) -> float:
        """Metres that one length of the body means: its longest side."""
        return self.physique.height

    @property
    def up(self) -> FloatArray:
        """(3,) unit."""
        return self.physique.anatomy.up

    @cached_property
    def feet(self) -> tuple[Foot, ...]:
        """The feet of the body; none where it has none."""
        return known_feet(self.body)

    @cached_property
    def intent(self) -> Intent | None:
        """What the maker of the motion wanted at these times, where it tells."""
        wanted = getattr(self.clip, "intent", None)
        return wanted(self.times) if callable(wanted) else None

    @property
    def is_loop(self) -> bool:
        """Whether the end of the motion is meant to flow into its start, as far as its maker tells."""
        played = [getattr(driver, "bound", None) for driver in getattr(self.clip, "drivers", ())]
        return bool(played) and all(bound is not None and bound.animation.loop for bound in played)

    @cached_property
    def contacts(self) -> tuple[Mark, ...]:
        """When feet stand, as far as the motion carries marks that say so."""
        return tuple(mark for mark in self.clip.marks if mark.name.endswith(" contact"))

    def part(self, joint: int) -> str:
        """What to call a joint: its role where it has one, and its name."""
        name = self.body.skeleton.names[joint]
        roles = [role for role, owner in self.physique.anatomy.roles.items() if owner == joint]
        return roles[0] if roles else name

    def at(self, joint: int, frame: int) -> str:
        """A part and a moment, for people: ``left_hand at 0.53 s``."""
        return f"{self.part(joint)} at {self.times[frame] - self.times[0]:.2f} s"


def scene_of(clip: Clip) -> Scene:
    """``clip`` sampled for the judges."""
    return Scene(clip, clip.times(RATE))
