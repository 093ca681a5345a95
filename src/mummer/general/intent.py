"""What a performance wants of a body, moment by moment, before any joint is bent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.core import Core, core_of
from mummer.general.physique import Physique
from mummer.general.track import Track as Track
from mummer.kernels import quaternions

UP = np.array([0.0, 1.0, 0.0])


class Posed(NamedTuple):
    """A first guess of where all joints are: (T, J, 3) positions and (T, J, 4) rotations in the world."""

    positions: FloatArray
    rotations: FloatArray


@dataclass(frozen=True, eq=False)
class Intent:
    """What is wanted at T moments, in the world.

    Attributes:
        physique: the body.
        times: (T,) seconds.
        stage_positions, stage_rotations: (T, 3) and (T, 4) world_from_character: where the body is on the stage.
        root_positions, root_rotations: (T, 3) and (T, 4) where the root joint is, and world_from_joint of it.
        places: where joints should be.
        turns: how joints should be turned.
        bends: (T, 3) of joints, rotation vectors about the body's left, up and ahead, by which they are turned
            against what carries them after everything else.
        deforms: how far parts are open, 0 at rest, (T,) each, by joint and name: ``open``, ``blink`` ...
        lift: (T,) metres by which the root is higher than it should be, so that the body does not sink into the
            ground; None if it is not.
        exact: joints whose places are worth bending the whole body for, where their limbs alone do not reach.
        posed: the body as bent by what was wanted without this, where something depends on that; else None.
    """

    physique: Physique
    times: FloatArray
    stage_positions: FloatArray
    stage_rotations: FloatArray
    root_positions: FloatArray
    root_rotations: FloatArray
    places: Mapping[int, Track] = field(default_factory=dict)
    turns: Mapping[int, Track] = field(default_factory=dict)
    bends: Mapping[int, FloatArray] = field(default_factory=dict)
    deforms: Mapping[tuple[int, str], FloatArray] = field(default_factory=dict)
    lift: FloatArray | None = None
    exact: frozenset[int] = frozenset()
    posed: Posed | None = None

    def __len__(self) -> int:
        return len(self.times)

    def on_stage(self, positions: FloatArray, rotations: FloatArray) -> Intent:
        """The same with the whole body moved to another place on the stage: (T, 3) and (T, 4) world_from_character."""
        moved = replace(self, stage_positions=positions, stage_rotations=rotations)
        carried = at_rest(self.physique, self.times, positions, rotations)
        return replace(moved, root_positions=carried.root_positions, root_rotations=carried.root_rotations)

    @cached_property
    def core(self) -> Core:
        """Where the spine is if nothing bends but the root moves and the spine turns as they should."""
        root = self.root_positions
        if self.lift is not None:
            root = root + quaternions.rotate(self.stage_rotations, UP) * self.lift[:, None]
        return core_of(self.physique, root, self.root_rotations, self.turns)

    def carrier(self, joint: int) -> tuple[FloatArray, FloatArray]:
        """(T, 3) and (T, 4) world_from_character as what carries a joint sees it: the spine where its limb begins."""
        return self.core.frame(int(self.physique.limb_bases[joint]))

    def carried(self, joint: int) -> tuple[FloatArray, FloatArray]:
        """(T, 3) and (T, 4) where a joint is if its limb does not bend but the root and the spine do as they should."""
        origin, turned = self.carrier(joint)
        physique = self.physique
        return (
            origin + quaternions.rotate(turned, physique.positions[joint]),
            quaternions.multiply(turned, physique.rotations[joint]),
        )

    def seen_from(self, joint: int) -> Intent:
        """The same, with the character space that is carried along with ``joint`` in place of that of the stage."""
        positions, rotations = self.carrier(joint)
        return replace(self, stage_positions=positions, stage_rotations=rotations)

    def to_world(self, points: FloatArray) -> FloatArray:
        """(T, 3) points of character space in the world."""
        return self.stage_positions + quaternions.rotate(self.stage_rotations, points)

    def to_character(self, points: FloatArray) -> FloatArray:
        """(T, 3) points of the world in character space."""
        return quaternions.rotate(quaternions.conjugate(self.stage_rotations), points - self.stage_positions)


def at_rest(
    physique: Physique,
    times: FloatArray,
    positions: FloatArray | None = None,
    rotations: FloatArray | None = None,
) -> Intent:
    """Nothing is wanted: the body at rest, where it stands or at (T, 3) and (T, 4) places on the stage."""
    count = len(times)
    stage = np.repeat(physique.origin[None], count, axis=0) if positions is None else positions
    turned = np.repeat(physique.axes[None], count, axis=0) if rotations is None else rotations
    root = physique.root
    return Intent(
        physique, times, stage, turned,
        stage + quaternions.rotate(turned, physique.positions[root]),
        quaternions.multiply(turned, physique.rotations[root]),
    )  # fmt: skip


class Driver(Protocol):
    """Something that wants: a gait, a general animation, a hand of game code. Later drivers build on earlier ones."""

    @property
    def needs_posed(self) -> bool:
        """Whether it wants to know first how the body is bent by what is wanted without it."""
        ...

    def drive(self, intent: Intent) -> Intent:
        """What is wanted with this driver added."""
        ...
