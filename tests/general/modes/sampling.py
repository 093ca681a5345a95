"""Bodies, joints, modes and targets drawn at random for the laws of movement modes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from mummer.general import Context, Physique
from mummer.general.modes import PositionMode, Target, part_volume
from mummer.general.modes.position_map import PositionMap, position_map
from mummer.math import quaternion
from tests.general.bodies import all_names, physique

OUTSIDE = Context("target")
MODES = [
    *(PositionMode(scale=scale) for scale in ("none", "size", "limb")),
    *(PositionMode(scale=scale, ground=True, sagittal=True) for scale in ("none", "size", "limb")),
    PositionMode(ground=True),
    PositionMode(sagittal=True, scale="limb"),
    PositionMode(relative="absolute"),
    PositionMode(relative="absolute", scale="size"),
    *(PositionMode(toward=OUTSIDE, scale=scale) for scale in ("none", "size", "limb")),
    PositionMode(toward=OUTSIDE, directional=True, scale="limb"),
    PositionMode(toward=OUTSIDE, relative="absolute", scale="size"),
    PositionMode(reach=True),
    PositionMode(reach=True, toward=OUTSIDE),
    PositionMode(toward=OUTSIDE, boundary=(0.0, -0.8, 1.0)),
    PositionMode(toward=OUTSIDE, boundary=(0.3, 0.5, -1.0)),
]
COUNT = 5


class Case(NamedTuple):
    """One joint of one body under one mode, and random numbers to go with it."""

    physique: Physique
    joint: int
    mode: PositionMode
    target: Target | None
    chance: np.random.Generator

    def map(self, *, mirror: bool = False) -> PositionMap:
        return position_map(self.physique, self.joint, self.mode, mirror=mirror, target=self.target)

    def general(self) -> np.ndarray:
        """(T, 3) generalised values within the domain of every mode."""
        return self.chance.uniform(-1, 1, (COUNT, 3))

    def places(self) -> np.ndarray:
        """(T, 3) places about the body."""
        low, high = self.physique.corners
        return self.chance.uniform(low - 0.5, high + 0.5, (COUNT, 3))


@st.composite
def cases(draw: st.DrawFn, modes: list[PositionMode] = MODES) -> Case:
    body = physique(draw(st.sampled_from(all_names())))
    joint = draw(st.integers(0, len(body) - 1))
    mode = draw(st.sampled_from(modes))
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    target = None
    if mode.boundary is not None:
        target = posed_part(body, draw(st.integers(0, len(body) - 1)), chance)
    elif mode.toward is not None:
        target = Target(chance.normal(0, 2 * body.height, (COUNT, 3)))
    return Case(body, joint, mode, target, chance)


def posed_part(body: Physique, part: int, chance: np.random.Generator) -> Target:
    """Some part of the body, in the places it has when the whole body is turned and moved at random."""
    turns = quaternion.random(chance, (COUNT,))
    moves = chance.normal(0, 0.3 * body.height, (COUNT, 1, 3))
    positions = moves + quaternion.rotate(turns[:, None], body.positions)
    rotations = quaternion.multiply(turns[:, None], body.rotations)
    return Target(positions[:, part], part_volume(body.character, part).placed(positions, rotations))
