"""Feet planted together with goals for the rest of the body."""

from __future__ import annotations

import numpy as np

from mummer.clip import Clip
from mummer.ik import Aim, CenterOfMass, Goal, Place, WorldState
from mummer.ik.constraints import keep_contacts

KINDS = ("hand", "far hand", "all")
HELD = 0.15
"""Seconds to either side of the middle of the clip for which a hand is held."""


def mixed_goals(clip: Clip, kind: str) -> tuple[Goal, ...]:
    """Feet planted, and in the middle of the clip a hand held in the air, or farther off, or head and balance too."""
    middle = clip.start + 0.5 * clip.duration
    state = WorldState(clip.body, clip.sample([middle]))
    front = _front(state)
    hand = state.point("right_hand")[0]
    step = (0.1, 0.1) if kind == "hand" else (0.35, 0.2)
    height = state.body.height / 1.7
    place = hand + height * (step[0] * front + step[1] * np.array([0.0, 1.0, 0.0]))
    goals: list[Goal] = [Place("right_hand", place, interval=(middle - HELD, middle + HELD))]
    if kind == "all":
        side = np.cross(front, [0.0, 1.0, 0.0])
        goals.append(Aim("head", at=hand + 3.0 * front + side, interval=(middle - 0.4, middle + 0.4)))
        center = state.center_of_mass[0] + 0.02 * height * front
        goals.append(CenterOfMass(center, interval=(middle - 0.02, middle + 0.02)))
    return (*keep_contacts(clip), *goals)


def _front(state: WorldState) -> np.ndarray:
    from mummer.ik.soft_aim import body_front

    front = body_front(state)[0] * [1.0, 0.0, 1.0]
    return front / np.linalg.norm(front)
