"""Left, right and middle of a body, so that its joints can be told apart by colour."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose, world_positions
from mummer.render.camera import TINY
from mummer.render.look import Look
from mummer.render.shown import shown
from mummer.render.view import front_of

LEFT, MIDDLE, RIGHT = 1, 0, -1


def joint_sides(character: Character) -> IntArray:
    """(J,) 1 for joints on the body's own left at rest, -1 for its right, 0 near its middle plane."""
    places = np.nan_to_num(shown(world_positions(character.skeleton, Pose.rest(character.skeleton))))
    front = front_of(character)
    left = np.array([front[2], 0.0, -front[0]])
    offset = places @ left
    # Half the joints of most bodies are paired: the plane goes through the middle of the extremes.
    offset = offset - 0.5 * (offset.min() + offset.max())
    threshold = 0.02 * max(float(np.ptp(places, axis=0).max()), TINY)
    return np.where(offset > threshold, LEFT, np.where(offset < -threshold, RIGHT, MIDDLE))


def side_colors(sides: IntArray, look: Look) -> FloatArray:
    """(J, 3) sRGB 0 to 255 of joints by side."""
    table = np.array([look.center, look.left, look.right], np.float64)
    return table[sides]
