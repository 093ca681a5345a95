"""Pins: where the particles of joints with a place to be are held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.ik.particles.joint_layout import JointLayout
from mummer.ik.particles.measure_goals import ORIENT, PLACE
from mummer.ik.particles.tasks import Task
from mummer.math import quaternion


@dataclass(frozen=True)
class Pin:
    """A particle to hold, at a joint or at a point that the joint carries.

    Attributes:
        entry: the task with the place.
        turn: the task with the orientation of the same joint, or -1.
        joint: among the joints of the layout.
        point: in the joint's frame, metres; zeros if the joint itself is held.
    """

    entry: int
    turn: int
    joint: int
    point: tuple[float, ...]

    @property
    def has_tip(self) -> bool:
        """Whether the particle is a point away from the joint."""
        return max(abs(number) for number in self.point) > 1e-9


def pins_of(tasks: list[Task], layout: JointLayout) -> list[Pin]:
    """One pin for each joint with a place to be. Of an oriented joint the joint itself is held."""
    turns = {task.joint: entry for entry, task in enumerate(tasks) if task.kind == ORIENT}
    pins: dict[int, Pin] = {}
    for entry, task in enumerate(tasks):
        if task.kind == PLACE and task.joint not in pins:
            turn = turns.get(task.joint, -1)
            point = task.point if turn < 0 else (0.0, 0.0, 0.0)
            pins[task.joint] = Pin(entry, turn, layout.place_of(task.joint), point)
    return list(pins.values())


def rest_of(pin: Pin, layout: JointLayout) -> FloatArray:
    """(3,) where the particle of ``pin`` stands at rest, in the body's space."""
    return np.asarray(
        layout.rest_positions[pin.joint] + quaternion.rotate(layout.rest_rotations[pin.joint], np.array(pin.point))
    )


def pin_places(pins: list[Pin], tasks: list[Task], targets: FloatArray) -> FloatArray:
    """(B, G, 3) where the particles of ``pins`` are to be, in the space of ``targets`` (B, N, 4)."""
    places = np.zeros((len(targets), len(pins), 3))
    for row, pin in enumerate(pins):
        places[:, row] = targets[:, pin.entry, :3]
        if pin.turn >= 0:
            places[:, row] -= quaternion.rotate(targets[:, pin.turn], np.array(tasks[pin.entry].point))
    return places
