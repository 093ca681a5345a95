"""Where bodies end and how far they shoot past, by tension; and how fast a minute is simulated.

python -m tests.physics.tension [--bodies zoo:adult ...] [--motions 2] [--minute]

A body turns its free limbs, neck and spine to a random pose within half a second and stays there for two and a half. Of
the written motion are told: the largest angle in the world between a limb joint and its plan in the last third of a
second, at each tension; and how far past its goal the joint that turns most goes, as a share of its way, in the mean.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import mummer as mm
from mummer.character import Character, Recording
from mummer.clip import Clip
from mummer.clip.sampled import Sampled
from mummer.math import quaternion
from mummer.physics import simulate
from mummer.recognition import recognized

BODIES = ("zoo:adult", "zoo:child", "zoo:dog")
TENSIONS = (1.0, 0.3, 0.1, 0.03)
RATE, WITHIN, SECONDS, WIDEST = 60.0, 0.5, 3.0, 0.8
Array = NDArray[np.float64]


def free_joints(body: Character) -> list[int]:
    assert body.anatomy is not None
    legs = {joint for limb in body.anatomy.limbs if limb.kind == "leg" for joint in limb.joints}
    limbs = [limb for limb in body.anatomy.limbs if limb.kind in ("arm", "neck", "wing")]
    return sorted({joint for limb in limbs for joint in limb.joints} - legs)


def posing(body: Character, random: np.random.Generator) -> Sampled:
    """To a random pose, and there it stays."""
    times = np.arange(int(SECONDS * RATE) + 1) / RATE
    share = np.clip(times / WITHIN, 0.0, 1.0)
    share = share * share * (3.0 - 2.0 * share)
    poses = body.default_pose.broadcast_to((len(times),))
    rotations = np.array(poses.rotations)
    for joint in free_joints(body):
        axis = random.normal(size=3)
        turn = axis / np.linalg.norm(axis) * random.uniform(0.0, WIDEST)
        rotations[:, joint] = quaternion.multiply(rotations[:, joint], quaternion.exp(share[:, None] * turn))
    return Sampled(body, Recording.from_poses("pose", times, poses.replace(rotations=rotations), frame_rate=RATE))


def turned(clip: Clip, times: Array, joints: list[int]) -> Array:
    """(T, k, 4) how joints are turned against their parents."""
    return np.asarray(clip.sample(times).rotations[:, joints])


def told(clip: Clip, made: Clip) -> tuple[float, float]:
    """Degrees off at the end, and the overshoot as a share of the way."""
    joints, times = free_joints(clip.body), np.arange(int(SECONDS * RATE) + 1) / RATE
    planned, got = turned(clip, times, joints), turned(made, times, joints)
    off = np.degrees(quaternion.angle_between(planned[-20:], got[-20:])).max()
    ways = quaternion.angle_between(planned[0], planned[-1])
    widest = int(np.argmax(ways))
    axis = quaternion.log(quaternion.multiply(quaternion.conjugate(planned[0, widest]), planned[-1, widest]))
    along = quaternion.log(quaternion.multiply(quaternion.conjugate(planned[0, widest])[None], got[:, widest]))
    past = float((along @ axis).max() / (axis @ axis)) - 1.0
    return float(off), past


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bodies", nargs="+", default=list(BODIES))
    parser.add_argument("--motions", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minute", action="store_true", help="also time a minute of the first body")
    asked = parser.parse_args(arguments)
    print("degrees off at the end and overshoot, largest and mean, by tension (antagonistic muscles)")
    print(f"{'body':28}" + "".join(f"{tension:>18}" for tension in TENSIONS))
    for name in asked.bodies:
        body = recognized(mm.load(name))
        random, columns = np.random.default_rng(asked.seed), []
        clips = [posing(body, random) for _ in range(asked.motions)]
        for tension in TENSIONS:
            rows = [told(clip, simulate(clip, tension=tension, actuator="antagonistic").clip) for clip in clips]
            columns.append(f"{max(row[0] for row in rows):8.2f}° {np.mean([row[1] for row in rows]):6.1%}")
        print(f"{Path(name).name[:28]:28}" + "".join(f"{column:>18}" for column in columns), flush=True)
    if asked.minute:
        body = recognized(mm.load(asked.bodies[0]))
        clip = posing(body, np.random.default_rng(0)).looped(20)
        simulate(clip.trimmed(0.0, 1.0))
        begun, spent = time.perf_counter(), time.process_time()
        simulate(clip)
        took, spent = time.perf_counter() - begun, time.process_time() - spent
        print(f"{clip.duration:.0f} s of {asked.bodies[0]}: {took:.1f} s on the clock, {spent:.1f} s of one processor")


if __name__ == "__main__":
    main(sys.argv[1:])
