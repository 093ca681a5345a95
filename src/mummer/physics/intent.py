"""Intents: what a figure is to do, frame by frame, as its muscles and its balance need it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.analysis.contacts import contacts
from mummer.clip.clip import Clip
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.physics.figure import Figure

RATE = 100.0
"""Frames a second of an intent."""
SMOOTH = 0.025
"""Seconds of the bell that places are averaged with before they are differentiated twice."""


@dataclass(frozen=True, eq=False)
class Intent:
    """T frames at `RATE`; lengths in metres.

    Attributes:
        turns: (T, n, 4) of parts against their parents, of the first in the world; no jumps of sign.
        spins: (T, n, 3) radians a second, in the frames of the parts.
        rises: (T, n, 3) the same, a second later less now: radians a second squared.
        places: (T, 3) of the first part, velocities (T, 3) and accelerations (T, 3).
        stands: (T, F) whether each foot is to stand.
        offsets: (n, 3) from parents to parts, in the frames of the parents.
    """

    turns: FloatArray
    spins: FloatArray
    rises: FloatArray
    places: FloatArray
    velocities: FloatArray
    accelerations: FloatArray
    stands: FloatArray
    offsets: FloatArray

    def __len__(self) -> int:
        return len(self.turns)

    @property
    def seconds(self) -> float:
        """How long it is."""
        return (len(self) - 1) / RATE

    def scaled(self, factor: float) -> Intent:
        """With all lengths times ``factor``."""
        lengths = ("places", "velocities", "accelerations", "offsets")
        return replace(self, **{name: getattr(self, name) * factor for name in lengths})


def intent_of(figure: Figure, clip: Clip) -> Intent:
    """What a clip wants of a figure.

    Raises:
        InputError: if the clip holds numbers that are not finite.
    """
    times = np.arange(max(2, int(np.ceil(clip.duration * RATE)) + 1)) / RATE + clip.start
    positions, rotations = figure.world(clip.sample(np.minimum(times, clip.end)))
    if not (np.isfinite(positions).all() and np.isfinite(rotations).all()):
        raise InputError(f"the motion {clip.name!r} holds numbers that are not finite")
    return made_of(figure, positions, rotations, _stands(figure, clip, times))


def made_of(figure: Figure, positions: FloatArray, rotations: FloatArray, stands: FloatArray) -> Intent:
    """An intent from the places (T, J, 3) and turns (T, J, 4) of all joints in the world."""
    joints, above = figure.joints, figure.joints[np.maximum(figure.parents, 0)]
    back = quaternion.conjugate(rotations[:, above])
    turns = quaternion.multiply(back, rotations[:, joints])
    turns[:, 0] = rotations[:, joints[0]]
    turns = quaternion.continuous(turns)
    offsets = quaternion.rotate(back[0], positions[0, joints] - positions[0, above])
    offsets[0] = 0.0
    spins, rises = rates(turns)
    places = positions[:, joints[0]]
    return Intent(
        turns, spins, rises, places, np.gradient(smooth(places), axis=0) * RATE, second_rate(places), stands, offsets
    )


def rates(turns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How fast turns (T, n, 4) change, (T, n, 3) in their own frames, and how fast that changes."""
    steps = quaternion.log(quaternion.multiply(quaternion.conjugate(turns[:-1]), turns[1:])) * RATE
    spins = np.concatenate([steps[:1], 0.5 * (steps[1:] + steps[:-1]), steps[-1:]])
    return spins, np.gradient(smooth(spins), axis=0) * RATE


def second_rate(places: FloatArray) -> FloatArray:
    """(T, ...) units a second squared, of smoothed places."""
    return np.asarray(np.gradient(np.gradient(smooth(places), axis=0), axis=0) * RATE * RATE)


def smooth(values: FloatArray) -> FloatArray:
    """Averaged over `SMOOTH` seconds."""
    from scipy.ndimage import gaussian_filter1d

    return np.asarray(gaussian_filter1d(values, SMOOTH * RATE, axis=0, mode="nearest"))


def _stands(figure: Figure, clip: Clip, times: FloatArray) -> FloatArray:
    """(T, F) 1 while a foot is in contact."""
    stands = np.zeros((len(times), len(figure.soles)))
    if not figure.soles:
        return stands
    spells = [mark for mark in contacts(clip) if mark.name.endswith(" contact")]
    for number, sole in enumerate(figure.soles):
        for mark in spells:
            if mark.name == f"{sole.name} contact":
                stands[(times >= mark.time - 1e-6) & (times <= mark.until + 1e-6), number] = 1.0
    return stands
