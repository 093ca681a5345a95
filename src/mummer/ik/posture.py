"""Posture: how a body carries itself over its feet, adjusted without moving them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.clip.standing import up_of
from mummer.errors import InputError
from mummer.ik.balance import hips_of, is_upright, keep_feet, level_front, listed, moved_torso, on_feet
from mummer.ik.body_point import Part
from mummer.ik.goal import Goal
from mummer.ik.goals import Aim, CenterOfMass, HalfSpace
from mummer.ik.problem import make_problem
from mummer.ik.solution import Solution, make_solution
from mummer.ik.solve import Solver, solver_named
from mummer.ik.world_state import WorldState, picked
from mummer.math import quaternion

HALVINGS = 10
"""How often the way to what knees can bend is halved where more is asked: to a thousandth of it."""
FAR = 1e4
"""Heights of the body to a point so far ahead that it gives a direction."""
SITS_BACK = 0.5
"""How far the hips of an upright body go back for each metre that they go down."""
LEANS = 3.5
"""Radians that an upright body leans forward for each of its heights that the hips go down."""


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
        bend: metres that the hips come down, zero or more, so that the knees bend, as far as they can.
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
    stay = keep_feet(state, feet)
    up, front = up_of(character), level_front(state)
    way = leans[:, :1] * np.cross(up, front) + leans[:, 1:] * front
    bent = _possible(state, bends, stay)
    shift, pitch = _carried(state, bent)
    carried = WorldState(character, moved_torso(state, way + shift, twists, pitch))
    goals = (CenterOfMass(state.center_of_mass + way), _hips_facing(carried), *stay, *listed(keep))
    problem = make_problem(character, (_hips_below(state, bent), *goals), on_feet(character, carried.pose, stay))
    found = solver_named(solver) if isinstance(solver, str) else solver
    solved = found.solve(problem)
    # Rounding in a solver is no adjustment: where nothing is asked, nothing changes, to the last bit.
    still = (leans == 0).all(axis=1) & (twists == 0) & (bends == 0) & (not listed(keep))
    answer = picked(still, state.pose, solved.pose)
    # What is reported is how far it is from what was asked, also where that was more than knees can bend.
    asked = replace(problem, goals=(_hips_below(state, bends), *goals), single=not pose.shape)
    return make_solution(asked, answer, solved.solver, iterations=solved.iterations, softened=solved.softened)


def _possible(state: WorldState, bends: FloatArray, stay: Sequence[Goal]) -> FloatArray:
    """(B,) metres of ``bends`` (B,) that legs can follow with the feet where they ``stay``, found by halving."""
    # Feet that legs alone do not bring back to where they are, bent or not, do not count.
    near = np.maximum(1.0, 1.5 * _off(state, np.zeros_like(bends), stay))
    if np.all(_off(state, bends, stay) <= near):
        return bends
    low, high = np.zeros_like(bends), bends
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        fits = _off(state, middle, stay) <= near
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    return low


def _off(state: WorldState, bends: FloatArray, stay: Sequence[Goal]) -> FloatArray:
    """(B,) how far feet are off where hips come down by ``bends`` (B,); up to 1 a solver brings them back easily."""
    character = state.body.character
    shift, pitch = _carried(state, bends)
    stood = WorldState(character, on_feet(character, moved_torso(state, shift, np.zeros_like(bends), pitch), stay))
    allowed = {"m": 1e-3 * state.body.height, "rad": 0.1}
    return np.max([np.zeros(len(state)), *(goal.error(stood) / allowed[goal.UNIT] for goal in stay)], axis=0)


def _carried(state: WorldState, bends: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(B, 3) where the body is carried, and (B,) how far it is pitched: a squat sits back and leans forward."""
    character = state.body.character
    sits = float(is_upright(character))
    shift = -bends[:, None] * (up_of(character) + sits * SITS_BACK * level_front(state))
    return shift, sits * LEANS * bends / state.body.height


def _hips_facing(carried: WorldState) -> Goal:
    """The front of the hips turned as in ``carried``; they may tilt from side to side, as they do over one leg."""
    hips = hips_of(carried.body.character)
    front = Aim(hips, (0.0, 0.0, 0.0)).axis_in(carried)
    far = FAR * carried.body.height * quaternion.rotate(carried.rotations[:, hips], front)
    return Aim(hips, carried.positions[:, hips] + far)


def _hips_below(state: WorldState, bends: FloatArray) -> Goal:
    """The hips lower by ``bends`` (B,), or lower still where a lean needs it."""
    up, hips = up_of(state.body.character), hips_of(state.body.character)
    down = (-float(up[0]), -float(up[1]), -float(up[2]))
    return HalfSpace(hips, down, bends - state.positions[:, hips] @ up)


def _spread(values: npt.ArrayLike, shape: tuple[int, ...], what: str) -> FloatArray:
    given = np.asarray(values, np.float64)
    if given.shape not in (shape, shape[1:]) or not np.all(np.isfinite(given)):
        raise InputError(f"{what} has shape {given.shape}; expected {shape[1:]} or {shape} finite numbers")
    return np.broadcast_to(given, shape)
