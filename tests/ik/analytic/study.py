"""A study by hand of the analytic solvers: ``python -m tests.ik.analytic.study [problems a limb]``.

Every limb of every zoo body and of random creatures; targets that are reachable (poses of the limb within its limits),
and targets anywhere around it. Prints how many of the first are met, the worst violation, and how quickly poses change
with targets of the second kind.
"""

from __future__ import annotations

import sys

import numpy as np

import mummer as mm
from mummer.character import Character, Pose, clamp, violations
from mummer.ik import WorldState
from mummer.ik.limb_joints import find_limb, is_plain_limb
from mummer.ik.limbs import make_limbs
from mummer.ik.rigid_body import rigid_body
from mummer.math import quaternion

STEP = 1e-4


def tips_of(body: Character) -> list[int]:
    """The tips of limbs that bend once."""
    found = []
    for limb in body.anatomy.limbs:
        for joint in limb.joints[1:]:
            joints = find_limb(rigid_body(body), joint)
            if joints is not None and joints.base in limb.joints and is_plain_limb(rigid_body(body), joints):
                found.append(joint)
    return found


def study_limb(body: Character, tip: int, count: int, rng: np.random.Generator) -> tuple[float, float, np.ndarray]:
    """Share of reachable targets met, worst violation in radians, and (count,) pose change per target change."""
    limbs, exact = make_limbs(body, [tip]), make_limbs(body, [tip], softness=0.0)
    joints, height = limbs.joints[0], rigid_body(body).height
    start = body.default_pose.broadcast_to((count,))
    rotations = np.array(start.rotations)
    for joint in (joints.base, joints.middle):
        rotations[:, joint] = quaternion.multiply(
            rotations[:, joint], quaternion.exp(rng.normal(size=(count, 3)) * 0.5)
        )
    there = clamp(body.limits, body.skeleton, start.replace(rotations=rotations))
    reachable = WorldState(body, there).positions[:, tip, None]
    solved, misses = exact.place(start.rotations, start.root_translation, reachable)
    worst = violations(body.limits, body.skeleton, Pose(solved, start.root_translation))[
        :, [joints.base, joints.middle]
    ]
    now = WorldState(body, body.default_pose).positions[0]
    length = np.linalg.norm(now[joints.base] - now[joints.middle]) + np.linalg.norm(now[tip] - now[joints.middle])
    anywhere = now[joints.base] + rng.normal(size=(count, 1, 3)) * length * 0.8
    first, _ = limbs.place(start.rotations, start.root_translation, anywhere)
    second, _ = limbs.place(start.rotations, start.root_translation, anywhere + STEP * length * unit(rng, count))
    assert np.isfinite(first).all()
    held = violations(body.limits, body.skeleton, Pose(first, start.root_translation))[:, [joints.base, joints.middle]]
    change = quaternion.angle_between(first, second).max(axis=1) / STEP
    return float(np.mean(misses < 1e-3 * height)), float(max(worst.max(), held.max())), change


def unit(rng: np.random.Generator, count: int) -> np.ndarray:
    vectors = rng.normal(size=(count, 1, 3))
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def main() -> None:
    count, rng = int(sys.argv[1]) if len(sys.argv) > 1 else 500, np.random.default_rng(0)
    bodies = [mm.zoo.body(name) for name in mm.zoo.names()] + [mm.zoo.random_creature(seed) for seed in range(20)]
    met, worst, changes = [], 0.0, []
    for body in bodies:
        for tip in tips_of(body):
            share, violated, change = study_limb(body, tip, count, rng)
            met.append(share)
            worst = max(worst, violated)
            changes.append(change)
    every = np.concatenate(changes)
    shares = ", ".join(f"{p}%: {np.percentile(every, p):.1f}" for p in (50, 99, 99.9, 99.99))
    print(f"{len(bodies)} bodies, {len(met)} limbs, {2 * len(every):,} problems")  # noqa: T201
    print(f"reachable met: {100 * np.mean(met):.3f} %, worst limb {100 * min(met):.1f} %")  # noqa: T201
    print(f"largest violation {worst:.1e} rad; radians per limb length of target: {shares}")  # noqa: T201


if __name__ == "__main__":
    main()
