"""The numbers that the kernels are tuned by, in one array, since a literal would widen float32."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mummer.arrays import FloatArray

NAMES = (
    "one", "soft", "size", "tolerance", "turn_scale", "damping", "bias", "largest_step", "ease", "compress",
    "stretch", "near", "child_share", "pull", "most_error", "least_error", "patience", "least_share",
    "small_miss", "root_turn", "root_move", "alone", "soft_twist", "stiffen", "loosen",
)  # fmt: skip
(ONE, SOFT, SIZE, TOLERANCE, TURN_SCALE, DAMPING, BIAS, LARGEST_STEP, EASE, COMPRESS,
 STRETCH, NEAR, CHILD_SHARE, PULL, MOST_ERROR, LEAST_ERROR,
 PATIENCE, LEAST_SHARE, SMALL_MISS, ROOT_TURN, ROOT_MOVE, ALONE,
 SOFT_TWIST, STIFFEN, LOOSEN) = range(len(NAMES))  # fmt: skip


def settings_array(
    *,
    height: float,
    tolerance: float,
    stretch: float = 0.0,
    root_turn: float = 0.0,
    root_move: float = 0.0,
    factors: Mapping[str, float] | None = None,
) -> FloatArray:
    """The settings for a body of a given height in metres.

    Args:
        height: metres.
        tolerance: the error at which steps end, a part of the height.
        stretch: how much longer than at rest limbs may become, a part of their length.
        root_turn: how readily the root turns beside other joints; zero for not at all.
        root_move: how readily it travels.
        factors: by name, what settings are multiplied by.
    """
    values = {
        "one": 1.0,
        # Where the smallest turn between directions begins to hold back; see `turn_between`.
        "soft": 0.1,
        # The same for the twist that several children or the end of a spine ask for; begun earlier, it is calmer.
        "soft_twist": 0.5,
        "size": height,
        "tolerance": tolerance * height,
        # A radian of a wrong orientation weighs like this many metres.
        "turn_scale": 0.25 * height,
        "damping": 0.1,
        "bias": 1e-5 * height * height,
        "largest_step": 0.6,
        # A limb out of reach of its goal stays this part of its length, and as much again, from being straight.
        "ease": 0.012,
        "small_miss": 0.08 * height,
        "root_turn": 0.6 * root_turn,
        "root_move": 0.3 * height * root_move,
        # A limb by itself takes care of errors up to this, and of none twice as large.
        "alone": 0.04 * height,
        # A limb in the spine's phase may shrink to this part of its chord at rest.
        "compress": 0.1,
        "stretch": stretch,
        # Nearer to where a limb begins than this part of its chord, its goal has hardly a direction.
        "near": 0.15,
        "child_share": 0.8,
        "pull": 0.7,
        # How much of an error counts in a step, at first and at least; it shrinks by this factor a step.
        "most_error": 0.2 * height,
        "least_error": 0.01 * height,
        "patience": 0.87,
        # A step that would overshoot is shortened to where the error is least, but never below this part of it: shorter
        # ones are calmer but stay in dead ends.
        "least_share": 0.5,
        # After each step damping is multiplied by this less that times the part of the step that was kept.
        "stiffen": 2.0,
        "loosen": 1.8,
    }
    for name, factor in (factors or {}).items():
        values[name] *= factor
    return np.array([values[name] for name in NAMES])
