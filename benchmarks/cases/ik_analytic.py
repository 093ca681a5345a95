"""Feet and hands in closed form, and chains by coordinate descent: microseconds a limb, alone and in a batch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import mummer as mm
from benchmarks.timing import Case, Contender
from mummer import ik
from mummer.character import Character, Limits
from mummer.ik.ccd import CCD
from mummer.ik.limbs import make_limbs
from mummer.ik.two_bone import TwoBone
from mummer.math import quaternion

FRAMES = 10_000
LIMBS = ("left_foot", "right_foot", "left_hand", "right_hand")


def cases() -> Iterator[Case]:
    adult = mm.zoo.body("adult")
    yield batch(adult)
    yield single(adult)
    yield descent(adult)


def batch(adult: Character) -> Case:
    """Four limbs of a body in ten thousand frames; a frame here is one limb."""
    rotations, roots, targets = problems(adult, FRAMES)
    limbs = make_limbs(adult, LIMBS)
    free = adult.replace(limits=Limits.from_joints(len(adult.skeleton), {}))
    without = make_limbs(free, LIMBS)
    upper, lower, centers, axes = textbook_arguments(adult, limbs)
    contenders = [
        Contender("mummer limbs, limits and soft reach", lambda: limbs.place(rotations, roots, targets), "ours"),
        Contender("mummer limbs, no limits", lambda: without.place(rotations, roots, targets), "ours"),
        Contender(
            "numpy, law of cosines, no limits, no skeleton", lambda: textbook(upper, lower, centers, axes, targets)
        ),
    ]
    work = f"{len(LIMBS)} limbs × {FRAMES:,} frames, targets within 10 cm of where they are"
    return Case("ik_analytic batch float64", work, FRAMES * len(LIMBS), contenders)


def single(adult: Character) -> Case:
    """One foot of one frame, the way a live loop asks."""
    rotations, roots, targets = problems(adult, 1)
    foot = make_limbs(adult, LIMBS[:1])
    goal, solver = ik.Place("left_foot", at=targets[0, 0]), TwoBone()
    contenders = [
        Contender("mummer limbs", lambda: foot.place(rotations, roots, targets[:, :1]), "ours"),
        Contender("mummer ik.solve, two_bone", lambda: ik.solve(adult, goal, solver=solver), "ours"),
        Contender("mummer ik.solve, auto, root fixed", lambda: ik.solve(adult, goal, root="fixed"), "ours"),
    ]
    return Case("ik_analytic single float64", "1 foot × 1 frame", 1, contenders)


def descent(adult: Character) -> Case:
    """One hand by coordinate descent over the arm, and over the whole body."""
    rotations, roots, targets = problems(adult, 1000)
    pose = mm.Pose(rotations, roots)
    goal = ik.Place("left_hand", at=targets[:, 2])
    arm = ["left_upper_arm", "left_forearm", "left_hand"]
    contenders = [
        Contender("mummer ccd, the arm alone", lambda: ik.solve(adult, goal, pose, solver=CCD(), parts=arm), "ours"),
        Contender("mummer ccd, root to hand", lambda: ik.solve(adult, goal, pose, solver=CCD()), "ours"),
        Contender("mummer two_bone", lambda: ik.solve(adult, goal, pose, solver=TwoBone()), "ours"),
    ]
    return Case("ik_analytic ccd float64", "1 hand × 1,000 frames, to a ten-thousandth of the height", 1000, contenders)


def problems(adult: Character, frames: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(T, J, 4) rotations, (T, 3) roots, and (T, 4, 3) targets near where the limbs are."""
    rng = np.random.default_rng(1)
    rotations = np.repeat(adult.default_pose.rotations[None], frames, axis=0)
    roots = np.repeat(adult.default_pose.root_translation[None], frames, axis=0)
    now = ik.WorldState(adult, adult.default_pose)
    places = np.stack([now.point(part)[0] for part in LIMBS])
    drawn = places + (now.point("chest")[0] - places) * np.array([0.1, 0.1, 0.2, 0.2])[:, None]
    return rotations, roots, drawn + rng.uniform(-0.06, 0.06, (frames, len(LIMBS), 3))


def textbook_arguments(adult: Character, limbs) -> tuple[np.ndarray, ...]:
    """Lengths (F,) of both segments, hips (F, 3) and bending axes (F, 3) in the world."""
    now = ik.WorldState(adult, adult.default_pose)
    joints = np.array([[limb.base, limb.middle, limb.tip] for limb in limbs.joints])
    hips, knees, ankles = (now.positions[0, joints[:, place]] for place in range(3))
    axes = quaternion.rotate(now.rotations[0, joints[:, 0]], limbs.rows[:, 9:12])
    return np.linalg.norm(knees - hips, axis=1), np.linalg.norm(ankles - knees, axis=1), hips, axes


def textbook(upper, lower, hips, axes, targets) -> tuple[np.ndarray, np.ndarray]:
    """(T, F, 4) the turns of hips and knees that place straight limbs: the formulas alone, vectorised."""
    away = targets - hips
    distance = np.clip(np.linalg.norm(away, axis=-1), np.abs(upper - lower) + 1e-9, upper + lower - 1e-9)
    knee = np.arccos(np.clip((distance**2 - upper**2 - lower**2) / (2 * upper * lower), -1, 1))
    lift = np.arccos(np.clip((distance**2 + upper**2 - lower**2) / (2 * distance * upper), -1, 1))
    swing = quaternion.between_vectors(np.array([0.0, -1.0, 0.0]), away)
    return (
        quaternion.multiply(swing, quaternion.from_axis_angle(axes, -lift)),
        quaternion.from_axis_angle(np.broadcast_to(axes, away.shape), knee),
    )
