"""Solves full-body problems with mink and with a loop on Pinocchio; runs in the peers' own environment.

``python ik_peers.py problems.json`` then answers each line ``mink`` or ``pinocchio`` with the seconds a solve and how
many problems were met. The settings of both were chosen on other problems than those they are timed on.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

STEPS, TOLERANCE = 100, 1e-3


class WithMink:
    """A task for each tip, one for the posture, limits, and a quadratic program a step."""

    def __init__(self, tree: dict) -> None:
        import mink
        import mujoco

        self.mink, model = mink, mujoco.MjModel.from_xml_string(description(tree))
        self.home = np.zeros(model.nq)
        self.home[3] = 1.0
        self.state = mink.Configuration(model)
        self.bodies = [model.body(tip).id for tip in tree["tips"]]
        self.tasks = [
            mink.FrameTask(tip, "body", position_cost=1.0, orientation_cost=0.0, lm_damping=0.1) for tip in tree["tips"]
        ]
        posture = mink.PostureTask(model, cost=1e-3)
        posture.set_target(self.home)
        self.all_tasks, self.limits = [*self.tasks, posture], [mink.ConfigurationLimit(model, gain=0.95)]

    def solve(self, targets: np.ndarray) -> bool:
        self.state.update(self.home)
        for task, target in zip(self.tasks, targets, strict=True):
            task.set_target(self.mink.SE3.from_translation(target))
        for _ in range(STEPS + 1):
            away = self.state.data.xpos[self.bodies] - targets
            if np.linalg.norm(away, axis=1).max() < TOLERANCE:
                return True
            speed = self.mink.solve_ik(self.state, self.all_tasks, 1.0, "daqp", damping=1e-6, limits=self.limits)
            self.state.integrate_inplace(speed, 1.0)
        return False


class WithPinocchio:
    """Least squares damped by the square of what is missed, a pull home in what is left, hinges held at their ends."""

    def __init__(self, tree: dict) -> None:
        import pinocchio

        self.pin, model = pinocchio, pinocchio.Model()
        ids: list[int] = []
        turns = (pinocchio.JointModelRX, pinocchio.JointModelRY, pinocchio.JointModelRZ)
        for name, parent, offset in zip(tree["names"], tree["parents"], tree["offsets"], strict=True):
            if parent < 0:
                free = pinocchio.JointModelFreeFlyer()
                ids.append(model.addJoint(0, free, pinocchio.SE3.Identity(), name))
                continue
            above, place = ids[parent], pinocchio.SE3(np.eye(3), np.array(offset))
            for number, turn in enumerate(turns):
                above = model.addJoint(above, turn(), place, f"{name}_{number}")
                place = pinocchio.SE3.Identity()
            ids.append(above)
        self.model, self.data, self.home = model, model.createData(), pinocchio.neutral(model)
        self.tips = [ids[tree["names"].index(tip)] for tip in tree["tips"]]
        ranges = np.array(tree["ranges"])[1:].reshape(-1, 2)
        self.low, self.high = ranges.T

    def solve(self, targets: np.ndarray) -> bool:
        pin, model, data, at = self.pin, self.model, self.data, self.home.copy()
        for _ in range(STEPS + 1):
            pin.computeJointJacobians(model, data, at)
            miss = np.array(
                [target - data.oMi[tip].translation for tip, target in zip(self.tips, targets, strict=True)]
            )
            if np.linalg.norm(miss, axis=1).max() < TOLERANCE:
                return True
            frame = pin.LOCAL_WORLD_ALIGNED
            slopes = np.vstack([pin.getJointJacobian(model, data, tip, frame)[:3] for tip in self.tips])
            at = pin.integrate(model, at, self.step(at, slopes, miss.ravel()))
            at[7:] = np.clip(at[7:], self.low, self.high)
        return False

    def step(self, at: np.ndarray, slopes: np.ndarray, miss: np.ndarray) -> np.ndarray:
        give = np.eye(len(miss)) * (1e-8 + 1e-2 * (miss @ miss))
        wish = np.concatenate([np.zeros(6), -0.05 * at[7:]])
        for _ in range(2):
            move = wish + slopes.T @ np.linalg.solve(slopes @ slopes.T + give, miss - slopes @ wish)
            angles = at[7:] + move[6:]
            out = np.flatnonzero((angles < self.low) | (angles > self.high))
            if not len(out):
                break
            slopes[:, out + 6], wish[out + 6] = 0.0, 0.0
            move[out + 6] = np.clip(angles, self.low, self.high)[out] - at[out + 7]
        return move


def description(tree: dict) -> str:
    """The tree as MuJoCo reads it."""
    children: dict[int, list[int]] = {joint: [] for joint in range(len(tree["names"]))}
    for joint, parent in enumerate(tree["parents"]):
        if parent >= 0:
            children[parent].append(joint)

    def body(joint: int) -> str:
        name = tree["names"][joint]
        hinges = "<freejoint/>"
        if joint:
            hinges = "".join(
                f'<joint name="{name}_{axis}" type="hinge" axis="{line}" limited="true" range="{low!r} {high!r}"/>'
                for axis, line, (low, high) in zip(
                    "xyz", ("1 0 0", "0 1 0", "0 0 1"), tree["ranges"][joint], strict=True
                )
            )
        place = " ".join(repr(number) for number in tree["offsets"][joint])
        inside = "".join(body(child) for child in children[joint])
        mass = '<inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>'
        return f'<body name="{name}" pos="{place}">{hinges}{mass}{inside}</body>'

    return f'<mujoco><compiler angle="radian"/><worldbody>{body(0)}</worldbody></mujoco>'


def main() -> None:
    tree = json.loads(Path(sys.argv[1]).read_text())
    targets = np.array(tree["targets"])
    solvers = {"mink": WithMink(tree), "pinocchio": WithPinocchio(tree)}
    print("ready", flush=True)
    for line in sys.stdin:
        solver = solvers[line.strip()]
        start = time.perf_counter()
        met = sum(solver.solve(target) for target in targets)
        print((time.perf_counter() - start) / len(targets), met, flush=True)


if __name__ == "__main__":
    main()
