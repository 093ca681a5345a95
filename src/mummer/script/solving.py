"""The shape solver: a pose that meets places in the world, keeps its balance, and is held as properties ask, in one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mummer import ik
from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.script.dofs import PLACES, TRAVEL, Dofs
from mummer.script.draft import PoseSite, above, is_beneath, posture_pose

CHANGED = 0.01
"""Radians, or metres, by which a degree of freedom differs that a pose speaks of."""


@dataclass(frozen=True)
class Reach:
    """Where a tip is to be.

    Attributes:
        part: a hand, or what else a body has.
        place: to the side, up and ahead: metres in the world, or lengths of the limb from its base.
        in_limbs: whether it is said in lengths of the limb.
    """

    part: str
    place: tuple[float, float, float]
    in_limbs: bool


def solve_pose(site: PoseSite, reach: Reach) -> None:
    """Write into a pose what brings a tip to its place: balance, feet that stand and the posture are kept."""
    dofs = site.draft.dofs
    tips = dofs.joints(reach.part)
    if not tips:
        site.draft.report.add("ignored", f"this body has no {reach.part} to reach with")
        return
    held = {above(track): element.value for track, element in site.ref.elements.items() if is_beneath(track)}
    start = _held(dofs, held)
    target = _target(dofs, start, tips[-1], reach)
    goals: list[ik.Goal] = [ik.Place(tips[-1], target)]
    goals += [ik.Place(f.heel, dofs.state.positions[0, f.heel]) for f in dofs.feet if f.heel not in tips]
    if dofs.feet:
        goals.append(ik.CenterOfMass(dofs.state.center_of_mass[0], axes="xz", weight=0.3))
    found = ik.solve(dofs.character, goals, start, solver="mass_weighted", root="free")
    missed = float(np.max(np.atleast_2d(found.errors)[0, :1]))
    if missed > 0.02 * dofs.hip_height:
        site.draft.report.add("missed", f"{reach.part} goes as far as it can, {missed:.2f} m short")
    _write(site, dofs, start, found.pose)


def _held(dofs: Dofs, held: dict[str, float]) -> Pose:
    """The body as it stands, held in a posture, hips lowered and moved as signals say."""
    pose = posture_pose(dofs, held)
    shift = np.array([held.get("balance side", 0.0), -held.get("knees bend", 0.0), held.get("balance ahead", 0.0)])
    assert pose.root_translation is not None
    return Pose(pose.rotations, pose.root_translation + dofs.hip_height * shift @ dofs.axes, pose.translations,
                pose.scales, pose.morphs)  # fmt: skip


def _target(dofs: Dofs, start: Pose, tip: int, reach: Reach) -> FloatArray:
    if not reach.in_limbs:
        return np.asarray(reach.place, np.float64)
    limb = next((limb for limb in dofs.anatomy_limbs if tip in limb.joints), None)
    joints = [tip] if limb is None else list(limb.joints[: limb.joints.index(tip) + 1])
    # A collar is no part of the length that an arm reaches.
    joints = joints[1:] if len(joints) > 3 else joints
    rest = dofs.state.positions[0]
    length = sum(float(np.linalg.norm(rest[a] - rest[b])) for a, b in pairwise(joints))
    base = WorldState(dofs.character, start).positions[0, joints[0]]
    return np.asarray(base + max(length, 0.1 * dofs.hip_height) * np.asarray(reach.place) @ dofs.axes)


def _write(site: PoseSite, dofs: Dofs, start: Pose, found: Pose) -> None:
    """Put what was found into the elements of the pose, beyond the posture that it is held in."""
    vectors = quaternion.log(quaternion.multiply(quaternion.conjugate(start.rotations), found.rotations))
    angles = np.einsum("jba,jb->ja", dofs.joint_from_axes, vectors)
    for dof, (joint, axis) in dofs.columns.items():
        if joint not in dofs.legs and (dof in site.ref.elements or abs(angles[joint, axis]) > CHANGED):
            site.put(dof, float(angles[joint, axis]))
    states = [WorldState(dofs.character, pose).positions[0] for pose in (start, found)]
    for part, joint in ((TRAVEL, dofs.hips), *zip(dofs.foot_names, [foot.heel for foot in dofs.feet], strict=True)):
        moved = dofs.axes @ (states[1][joint] - (states[0] if part == TRAVEL else dofs.state.positions[0])[joint])
        for way, value in zip(PLACES, moved, strict=True):
            if f"{part} {way}" in site.ref.elements or abs(value) > CHANGED:
                site.put(f"{part} {way}", float(value))
