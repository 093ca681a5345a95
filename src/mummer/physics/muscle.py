"""Muscles: springs with damping that turn joints towards what is planned, and hold them within their limits.

A joint at rest has two muscles that pull against each other. What both pull alike is its *tension*: it makes the joint
stiff, and damps it, and moves nothing. What one pulls more than the other turns the joint, and is worked out so that
joint and load are at rest where the plan wants them. So tension changes how a joint gets there, how far it shoots past,
how it swings, and how it answers a push, and never where it ends.

Stiffness acts at the end of a step, damping as well: no tension, however high, can make a step overshoot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray
from mummer.ik.limits import limited
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Number, Output1, Output2
from mummer.kernels.kernel import compiled
from mummer.kernels.vectors import (
    back,
    cross,
    dot,
    exponential,
    four,
    logarithm,
    minus,
    mixed,
    plus,
    put_three,
    scaled,
    size,
    three,
    times,
)

Actuator = Literal["pd", "antagonistic"]
ACTUATORS: tuple[Actuator, ...] = ("pd", "antagonistic")
FASTEST = 40.0
"""Radians a second at which a joint of tension 1 would swing, undamped."""
CRITICAL = 1.0
"""Share of critical damping at tension 1. Damping grows as stiffness does; its share, as the root of that."""
LEAST_TENSION, MOST_TENSION = 1e-3, 4.0
PULL = 1.2
"""Radians that both muscles of a joint can set its point of rest aside, to carry a load."""
HELD = 90.0
"""Radians a second at which a joint beyond its limits swings back."""


@dataclass(eq=False)
class Muscles:
    """The muscles of a figure: gains of its n parts, the first of which has none.

    Attributes:
        inertias: (n,) what each joint has to turn, kg m².
        stiffness, damping: (n,) newton metres a radian, and a radian a second.
        leads: (n,) how much of the planned speed a joint is driven at; 0 for muscles that only know where to go.
        bears: (n,) how much of the planned load is carried.
        calm: (n,) share of critical damping that each joint has at least.
    """

    inertias: FloatArray
    stiffness: FloatArray
    damping: FloatArray
    leads: FloatArray
    bears: FloatArray
    calm: FloatArray

    @classmethod
    def of(cls, inertias: FloatArray) -> Muscles:
        """Muscles of tension 1 for joints that turn so much inertia."""
        count = len(inertias)
        made = cls(inertias, np.zeros(count), np.zeros(count), np.zeros(count), np.ones(count), np.zeros(count))
        made.tense(np.ones(count), np.ones(count, bool))
        return made

    def tense(self, tension: FloatArray, driven: FloatArray, load: FloatArray | None = None) -> None:
        """Set the gains.

        Args:
            tension: (n,) 1 for as stiff as joints are when they are to be exact.
            driven: (n,) 1 for joints that are driven at the planned speed, with proportional-derivative control.
            load: (n,) newton metres a radian that joints need at least, to carry what they carry.
        """
        tension = np.clip(tension, LEAST_TENSION, MOST_TENSION)
        self.stiffness = self.inertias * FASTEST**2 * tension
        if load is not None:
            self.stiffness = np.maximum(self.stiffness, load)
        # Proportional-derivative control is damped critically at any tension; muscles are the looser the slacker.
        share = np.where(driven > 0, CRITICAL, CRITICAL * np.sqrt(np.minimum(tension, 1.0)))
        self.damping = 2.0 * np.maximum(share, self.calm) * np.sqrt(self.stiffness * self.inertias)
        self.leads = np.asarray(driven, np.float64)


@compiled
def pull(
    frame: Count, share: Number, turns: Floats3, spins: Floats3, loads: Floats3, gains: Floats2, aside: Floats2,
    table: Floats2, held: Floats1, q: Floats1, torques: Output2, beyond: Output1,
) -> None:  # fmt: skip
    """Torques (n, 3) of all joints in their own frames, damping left out.

    Args:
        frame: of the plan.
        share: of the way to the next frame.
        turns: (T, n, 4) of the plan.
        spins: (T, n, 3) of the plan.
        loads: (T, n, 3) torques of the plan.
        gains: (n, 4) stiffness, damping, lead and bears; see `Muscles`.
        aside: (n, 3) by which what reacts turns joints away from the plan, rotation vectors in their own frames.
        table: (n, WIDTH) limits.
        held: (n,) how stiff joints are beyond them.
        q: positions as the simulator has them: 7 of the first part, then w, x, y, z of each joint.
        torques: what comes out.
        beyond: (n,) how stiff each joint is held because it is beyond its limits.
    """
    for part in range(1, turns.shape[1]):
        at = 3 + 4 * part
        turn = (q[at + 1], q[at + 2], q[at + 3], q[at])
        wanted = mixed(four(turns[frame], part, 0), four(turns[frame + 1], part, 0), share)
        wanted = times(wanted, exponential(three(aside, part, 0)))
        torque = scaled(logarithm(times(back(turn), wanted)), gains[part, 0])
        spin = plus(scaled(three(spins[frame], part, 0), 1.0 - share), scaled(three(spins[frame + 1], part, 0), share))
        load = plus(scaled(three(loads[frame], part, 0), 1.0 - share), scaled(three(loads[frame + 1], part, 0), share))
        torque = plus(torque, scaled(spin, gains[part, 1] * gains[part, 2]))
        torque = plus(torque, scaled(load, gains[part, 3]))
        past = logarithm(times(back(turn), limited(part, table, turn)[0]))
        far, beyond[part] = size(past), 0.0
        if far > 0.0:
            # A plan beyond the limits, as recordings have, is not held against.
            planned = size(logarithm(times(back(wanted), limited(part, table, wanted)[0])))
            beyond[part] = held[part] * max(0.0, 1.0 - planned / far)
            torque = plus(torque, scaled(past, beyond[part]))
        put_three(torques, part, 0, torque)


@compiled
def pull_feet(
    points: Floats3, anchors: Floats3, speeds: Floats2, middle: Floats1, up: Floats1, gains: Floats2, most: Number,
    given: Output2,
) -> None:  # fmt: skip
    """Springs of sticky ground: for each foot a force, the torque about the middle of its corners, and that middle.

    Args:
        points: (F, 4, 3) where corners are.
        anchors: (F, 4, 3) where they are held.
        speeds: (F, 6) spin of each foot, and the velocity that it would have at ``middle`` (3,).
        middle: the centre of mass.
        up: (3,) unit.
        gains: (F, 2) stiffness and damping.
        most: the largest force on one foot.
        given: (F, 9) what comes out.
    """
    top, center = (up[0], up[1], up[2]), (middle[0], middle[1], middle[2])
    for foot in range(points.shape[0]):
        spin, speed = three(speeds, foot, 0), three(speeds, foot, 3)
        mean = (0.0, 0.0, 0.0)
        for corner in range(4):
            mean = plus(mean, scaled(three(points[foot], corner, 0), 0.25))
        total, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for corner in range(4):
            point = three(points[foot], corner, 0)
            moving = plus(speed, cross(spin, minus(point, center)))
            force = scaled(minus(three(anchors[foot], corner, 0), point), 0.25 * gains[foot, 0])
            force = minus(force, scaled(moving, 0.25 * gains[foot, 1]))
            # The ground itself pushes up: springs only pull down.
            rise = dot(force, top)
            if rise > 0.0:
                force = minus(force, scaled(top, rise))
            total, torque = plus(total, force), plus(torque, cross(minus(point, mean), force))
        share = min(1.0, most / max(size(total), 1e-300))
        put_three(given, foot, 0, scaled(total, share))
        put_three(given, foot, 3, scaled(torque, share))
        put_three(given, foot, 6, mean)
