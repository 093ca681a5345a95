"""See `mummer.kernels.vectors`."""

from mummer.kernels.vectors import (
    NO_TURN,
    about,
    across,
    back,
    cross,
    direction,
    dot,
    minus,
    part_of,
    plus,
    scaled,
    shortest,
    size,
    times,
    turned,
    unit_rotation,
)

__all__ = [
    "NO_TURN", "about", "across", "back", "cross", "direction", "dot", "minus", "part_of", "plus", "scaled", "shortest",
    "size", "times", "turned", "unit_rotation",
]  # fmt: skip
