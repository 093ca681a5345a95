"""Posture: how a body carries itself over its feet, adjusted without moving them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character, Pose, first_branch
from mummer.errors import InputError
from mummer.ik.balance import listed, planted
from mummer.ik.body_point import Part
from mummer.ik.goal import Goal
from mummer.ik.goals import CenterOfMass, HalfSpace, Orient
from mummer.ik.pose_distance import up_of
from mummer.ik.soft_aim import body_front
from mummer.ik.solution import Solution
from mummer.ik.solve import Solver, solve
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


def adjust_posture(
    character: Character,
    pose: Pose,
    *,
    lean: npt.ArrayLike = (0.0, 0.0),
    twist: npt.ArrayLike = 0.0,
    bend: npt.ArrayLike = 0.0,
    feet: Sequence[Part] = (),
    keep: Goal | Sequence[Goal] = (),
    solver: str | Solver = "mass_weighted",
) -> Solution:
    """The pose carried differently over feet that stay where they are.

    Every adjustment changes the pose smoothly as it grows, and none at all leaves the pose exactly as it is.

    Args:
        character: the body.
        pose: one pose or a batch (B,).
        lean: (2,) or (B, 2) metres that the centre of mass moves to the body's left and to its front.
        twist: radians that the hips turn about the vertical, to the left, under a chest and head that do not.
        bend: metres that the hips come down, zero or more, so that the knees bend.
        feet: the parts that bear the body; by default all feet of the anatomy.
        keep: goals to meet besides.
        solver: see `solve`.

    Example:
        >>> import mummer as mm
        >>> from mummer.ik import posture
        >>> man = mm.zoo.body("adult")
        >>> posture.adjust_posture(man, man.default_pose, bend=0.1, twist=0.2).is_met
        True
    """
    state = WorldState(character, pose)
    count = len(state)
    leans = _spread(lean, (count, 2), "lean")
    twists, bends = _spread(twist, (count,), "twist"), _spread(bend, (count,), "bend")
    if np.any(bends < 0):
        raise InputError(f"knees bend by {bends.min():g} m; expected zero or more")
    goals = (
        CenterOfMass(state.center_of_mass + _level_way(state, leans)),
        *_hips(state, twists, bends),
        *planted(state, feet),
        *listed(keep),
    )
    found = solve(character, goals, pose, solver=solver)
    # Rounding in a solver is no adjustment: where nothing is asked, nothing changes, to the last bit.
    still = (leans == 0).all(axis=1) & (twists == 0) & (bends == 0) & (not listed(keep))
    return replace(found, pose=_chosen(still, pose, found.pose)) if still.any() else found


def hips_of(character: Character) -> int:
    """The joint that carries the legs: the hips of the anatomy, else where the body first branches."""
    roles = {} if character.anatomy is None else character.anatomy.roles
    return roles.get("hips", first_branch(character.skeleton))


def _hips(state: WorldState, twists: FloatArray, bends: FloatArray) -> tuple[Goal, ...]:
    """Goals that turn the hips, and let them be no higher than asked."""
    character, up = state.body.character, up_of(state.body.character)
    hips = hips_of(character)
    turn = quaternion.exp(twists[:, None] * up)
    height = state.positions[:, hips] @ up - bends
    down = (-float(up[0]), -float(up[1]), -float(up[2]))
    return Orient(hips, quaternion.multiply(turn, state.rotations[:, hips])), HalfSpace(hips, down, -height)


def _level_way(state: WorldState, leans: FloatArray) -> FloatArray:
    """(B, 3) metres in the world for ``leans`` (B, 2) to the left and to the front of the body."""
    up = up_of(state.body.character)
    front = body_front(state)
    front = front - (front @ up)[:, None] * up
    length = np.linalg.norm(front, axis=1, keepdims=True)
    # A body that looks straight up has its front where the world has it.
    ahead = np.where(length > 1e-9, front / np.maximum(length, 1e-9), np.array([0.0, 0.0, 1.0]))
    return np.asarray(leans[:, :1] * np.cross(up, ahead) + leans[:, 1:] * ahead)


def _chosen(first: BoolArray, one: Pose, other: Pose) -> Pose:
    """``one`` where ``first`` (B,) says so, else ``other``; both single where there is one problem alone."""
    if not other.shape:
        return one
    picked = np.flatnonzero(first)
    parts = {name: getattr(other, name) for name in ("rotations", "root_translation", "translations")}
    changed = {name: values.copy() for name, values in parts.items() if values is not None}
    for name, values in changed.items():
        values[picked] = getattr(one, name)[picked]
    return other.replace(**changed)


def _spread(values: npt.ArrayLike, shape: tuple[int, ...], what: str) -> FloatArray:
    given = np.asarray(values, np.float64)
    if given.shape not in (shape, shape[1:]) or not np.all(np.isfinite(given)):
        raise InputError(f"{what} has shape {given.shape}; expected {shape[1:]} or {shape} finite numbers")
    return np.broadcast_to(given, shape)
