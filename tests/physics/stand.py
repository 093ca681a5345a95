"""Who stays up: bodies that reach about and are pushed, by the impulse for each kilogram.

python -m tests.physics.stand [--bodies zoo:adult zoo:dog ...] [--impulses 0.2 0.4 0.6] [--trials 50] [--balance wide]

Each trial is a body that turns its arms, neck and trunk to random poses and back for three seconds, pushed once from a
random side at a random part of its trunk. It stays up if head and trunk end as high as planned, within a tenth
of its height. What is measured is the written motion alone.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.character import Character, Recording
from mummer.character.balance import mass_of
from mummer.clip.sampled import Sampled
from mummer.math import quaternion
from mummer.physics import Push, simulate
from mummer.recognition import recognized

PEOPLE = ("zoo:adult", "zoo:child", "zoo:giant")
FOUR_LEGS = ("zoo:dog", "zoo:horse", "zoo:dragon", "zoo:lizard")
RATE, SECONDS, PUSHED = 30.0, 3.0, 0.8
WIDEST = 0.5
"""Radians that each joint of a reach is turned from the body's own pose at most."""


def reaching(body: Character, random: np.random.Generator) -> Sampled:
    """A motion in which limbs that do not stand, necks and spines go to a random pose and back."""
    anatomy = body.anatomy
    assert anatomy is not None
    free = [joint for limb in anatomy.limbs if limb.kind in ("arm", "neck", "wing", "tail") for joint in limb.joints]
    free += list(anatomy.capabilities.get("spine", ())[1:])
    times = np.arange(int(SECONDS * RATE) + 1) / RATE
    share = np.sin(np.pi * np.clip(times / (SECONDS - 0.6), 0.0, 1.0)) ** 2
    poses = body.default_pose.broadcast_to((len(times),))
    rotations = np.array(poses.rotations)
    for joint in sorted(set(free)):
        axis = random.normal(size=3)
        turn = axis / np.linalg.norm(axis) * random.uniform(0.0, WIDEST)
        if joint in anatomy.capabilities.get("spine", ()):
            turn *= 0.3
        rotations[:, joint] = quaternion.multiply(rotations[:, joint], quaternion.exp(share[:, None] * turn))
    return Sampled(body, Recording.from_poses("reach", times, poses.replace(rotations=rotations), frame_rate=RATE))


def stays_up(body: Character, impulse: float, balance: str, random: np.random.Generator) -> bool:
    """One trial; ``impulse`` in newton seconds a kilogram."""
    clip = reaching(body, random)
    anatomy = body.anatomy
    assert anatomy is not None
    around = random.uniform(0.0, 2.0 * np.pi)
    level = np.cos(around) * anatomy.left + np.sin(around) * anatomy.front
    parts = [role for role in ("hips", "chest", "spine") if role in anatomy.roles]
    mass = mass_of(body).total
    push = Push(PUSHED, str(random.choice(parts)), tuple(level.tolist()), float(impulse * mass))
    made = simulate(clip, pushes=push, balance=balance, get_up=False)  # type: ignore[arg-type]
    ends = [mm.world_positions(body.skeleton, each.at(made.clip.end)) @ anatomy.up for each in (clip, made.clip)]
    watched = [anatomy.roles[role] for role in ("head", "chest", "hips") if role in anatomy.roles]
    tall = max(float(ends[0].max() - anatomy.ground), 1e-9)
    return bool(np.abs(ends[1][watched] - ends[0][watched]).max() < 0.1 * tall)


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bodies", nargs="+", default=[*PEOPLE, *FOUR_LEGS])
    parser.add_argument("--impulses", nargs="+", type=float, default=[0.2, 0.4, 0.6])
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--balance", default="wide")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    print(f"balance {asked.balance}, {asked.trials} trials each; share that stays up, by N·s/kg")
    print(f"{'body':32}" + "".join(f"{each:>8.2f}" for each in asked.impulses))
    for name in asked.bodies:
        body = recognized(mm.load(name))
        shares = []
        for impulse in asked.impulses:
            random = np.random.default_rng(asked.seed)
            kept = [stays_up(body, impulse, asked.balance, random) for _ in range(asked.trials)]
            shares.append(float(np.mean(kept)))
        print(f"{Path(name).name[:32]:32}" + "".join(f"{each:8.2f}" for each in shares), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
