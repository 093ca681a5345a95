"""What an intent needs in forces: the torque of every joint and the push of the ground, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.math import quaternion
from mummer.physics.intent import RATE, Intent, smooth
from mummer.physics.muscle import PULL
from mummer.physics.world import World, place, simulator

FIRM = 2.0
"""How many times as stiff as what would just not tip over a joint is that carries something upright."""


@dataclass(frozen=True, eq=False)
class Dynamics:
    """The forces of T frames, in the units of the world.

    Attributes:
        carried: (T, n, 3) torques that hold joints against gravity, in their own frames.
        moved: (T, n, 3) torques that hold them and move them as planned.
        needed: (T, n) how stiff joints have to be at least to carry what is above them without tipping over, and to
            bear their load.
        wrench: (T, 6) force on the body and torque about its centre of mass that it needs from outside.
        middles: (T, 3) the centre of mass, and its velocity (T, 3).
        feet: (T, F, 4, 3) the corners of the soles.
    """

    carried: FloatArray
    moved: FloatArray
    needed: FloatArray
    wrench: FloatArray
    middles: FloatArray
    velocities: FloatArray
    feet: FloatArray


def dynamics_of(world: World, figure: int, intent: Intent) -> Dynamics:
    """Inverse dynamics of an intent; the world's state is left as in its first frame."""
    mujoco, model, data = simulator(), world.model, world.data
    _, dof = world.positions(figure)
    count, parts, root = len(intent), len(intent.offsets), int(world.parts[figure][0])
    rows = slice(dof, dof + 3 + 3 * parts)
    carried, moved = np.empty((count, 3 + 3 * parts)), np.empty((count, 3 + 3 * parts))
    middles, result = np.empty((count, 3)), np.zeros(model.nv)
    above, bodies = np.empty((count, parts)), world.parts[figure]
    pull, corners = -model.opt.gravity, world.corners[figure]
    feet = np.zeros((count, len(corners), 4, 3))
    for frame in range(count):
        place(world, figure, intent, frame)
        data.qvel[rows], data.qacc[rows] = 0.0, 0.0
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        mujoco.mj_rne(model, data, 0, result)
        carried[frame] = result[rows]
        middles[frame] = data.subtree_com[root]
        if len(corners):
            feet[frame] = data.geom_xpos[corners]
        above[frame] = (data.subtree_com[bodies] - data.xpos[bodies]) @ pull * model.body_subtreemass[bodies]
        data.qvel[rows] = np.concatenate([intent.velocities[frame], intent.spins[frame].ravel()])
        data.qacc[rows] = np.concatenate([intent.accelerations[frame], intent.rises[frame].ravel()])
        mujoco.mj_comVel(model, data)
        mujoco.mj_rne(model, data, 1, result)
        moved[frame] = result[rows]
    place(world, figure, intent, 0)
    data.qvel[rows], data.qacc[rows] = 0.0, 0.0
    torques = [np.concatenate([np.zeros((count, 1, 3)), each[:, 6:].reshape(count, -1, 3)], 1) for each in
               (carried, moved)]  # fmt: skip
    force, about_root = moved[:, :3], quaternion.rotate(intent.turns[:, 0], moved[:, 3:6])
    about_middle = about_root + np.cross(intent.places - middles, force)
    speeds = np.gradient(smooth(middles), axis=0) * RATE
    needed = np.maximum(FIRM * above, np.linalg.norm(torques[0], axis=2) / PULL)
    return Dynamics(
        torques[0], torques[1], needed, np.concatenate([force, about_middle], axis=1), middles, speeds, feet
    )


def turned_inertias(world: World, figure: int) -> tuple[FloatArray, float]:
    """(n,) what each joint has to turn with all that hangs from it, and what the whole body has about its root."""
    mujoco, model, data = simulator(), world.model, world.data
    mujoco.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    _, dof = world.positions(figure)
    count = len(world.parts[figure])
    diagonal = np.diag(full)[dof + 3 : dof + 3 + 3 * count].reshape(count, 3)
    return np.asarray(diagonal.mean(axis=1)), float(diagonal[0].mean())
