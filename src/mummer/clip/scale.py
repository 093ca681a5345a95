"""Scale: a motion made larger or smaller about a pose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.turning import run, scale_rotations
from mummer.clip.weights import Weights, joint_weights, morph_joint, plain_weights
from mummer.errors import InputError
from mummer.math.blend import blend

SAMPLES = 64
"""Moments over which a mean pose is taken."""


@dataclass(frozen=True, eq=False, repr=False)
class Scale(Operated):
    """The clip with the way of each joint from a reference pose multiplied.

    A factor of 1 leaves a joint as it is, 0 holds it in the reference, 2 doubles how far it is turned, -1 turns it the
    other way. The root's translation and everything else that is not a rotation is scaled in a straight line.

    Attributes:
        factor: one number, or numbers by group; groups not named stay as they are.
        about: the reference; the mean of the clip if left out, so that swings grow to both sides.
    """

    factor: Weights
    about: Pose | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "factor", plain_weights(self.factor))
        _ = self._factors
        if self.about is not None and (self.about.shape or self.about.joint_count != len(self.body.skeleton)):
            raise InputError(
                f"a clip of {self.body.name!r} is scaled about one pose of {len(self.body.skeleton)} joints"
            )

    @cached_property
    def _factors(self) -> FloatArray:
        return joint_weights(self.body, self.factor, other=1.0)

    @cached_property
    def reference(self) -> Pose:
        """The pose that stays where it is."""
        return mean_pose(self.clip) if self.about is None else self.about

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made, factors = self.clip.frames(times), self._factors
        base = Frames.of_pose(self.reference, 1)
        run(scale_rotations, made.rotations, factors, base.rotations[0])
        made.widen(base, self.body)
        base.widen(made, self.body)
        if made.translations is None:
            _stretch(made.root, base.root, factors[0])
        for mine, middle in ((made.translations, base.translations), (made.scales, base.scales)):
            if mine is not None and middle is not None:
                _stretch(mine, middle, factors[:, None])
        if made.morphs is not None and base.morphs is not None:
            _stretch(made.morphs, base.morphs, factors[morph_joint(self.body)])
        return made


def mean_pose(clip: Clip, *, samples: int = SAMPLES) -> Pose:
    """The pose in the middle of all that a clip does, from evenly spread moments."""
    made = clip.frames(np.linspace(clip.start, clip.end, samples))

    def mean(values: FloatArray | None) -> FloatArray | None:
        return None if values is None else values.mean(axis=0)

    return Pose(
        blend(made.rotations, axis=0), mean(made.root), mean(made.translations), mean(made.scales), mean(made.morphs)
    )


def _stretch(values: FloatArray, middle: FloatArray, factor: FloatArray | float) -> None:
    # Written so that a factor of one changes nothing, not even by rounding.
    values += (np.asarray(factor) - 1.0) * (values - middle)
