"""Balance as a correction: a body, or a whole motion, shifted so that its mass is over what it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character import Character, Pose, first_branch, rest_positions
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.standing import up_of
from mummer.errors import InputError
from mummer.ik.bells import smoothed
from mummer.ik.body_point import Part, joint_of
from mummer.ik.goal import Goal
from mummer.ik.goals import CenterOfMass, Orient, Place
from mummer.ik.soft_aim import body_front
from mummer.ik.solution import Solution
from mummer.ik.solve import solve
from mummer.ik.support import find_support, foot_point, nearest_over
from mummer.ik.two_bone import TwoBone
from mummer.ik.world_state import WorldState
from mummer.math import quaternion, splines
from mummer.math.vectors import rejection

UPRIGHT = 0.7
"""The cosine between spine and vertical at rest above which a body counts as upright."""
RATE = 30.0
"""Frames a second at which shifts of a clip are worked out."""
ROUNDS = 12
"""How often a smoothed shift is topped up by what it still falls short of."""


def moved_torso(state: WorldState, shift: FloatArray, twist: FloatArray, pitch: FloatArray) -> Pose:
    """(B,) poses with the whole body carried along, the hips turned, and head and chest turned back.

    The twist fades from the hips to the chest, the pitch from the chest to the head, spread over the joints between.

    Args:
        state: B poses.
        shift: (B, 3) metres in the world.
        twist: (B,) radians of the hips about the vertical, to the left.
        pitch: (B,) radians of hips and chest forwards.
    """
    character, pose = state.body.character, state.pose
    up, left = up_of(character), level_left(state)
    rotations = pose.rotations.copy()
    above: FloatArray | None = None
    for joint, twisted, pitched in _spine(character):
        parent = int(character.skeleton.parents[joint])
        if above is None:
            above = state.rotations[:, parent] if parent >= 0 else np.broadcast_to(quaternion.IDENTITY, (len(state), 4))
        turn = quaternion.multiply(
            quaternion.exp((twisted * twist)[:, None] * up), quaternion.exp((pitched * pitch)[:, None] * left)
        )
        world_from_joint = quaternion.multiply(turn, state.rotations[:, joint])
        rotations[:, joint] = quaternion.multiply(quaternion.conjugate(above), world_from_joint)
        above = world_from_joint
    assert pose.root_translation is not None
    return pose.replace(rotations=quaternion.normalize(rotations), root_translation=pose.root_translation + shift)


def hips_of(character: Character) -> int:
    """The joint that carries the legs: the hips of the anatomy, else where the body first branches."""
    roles = {} if character.anatomy is None else character.anatomy.roles
    return roles.get("hips", first_branch(character.skeleton))


def is_upright(character: Character) -> bool:
    """Whether the spine stands rather than lies at rest, as that of a human does and that of a dog does not."""
    roles = {} if character.anatomy is None else character.anatomy.roles
    top = roles.get("neck", roles.get("chest"))
    if top is None:
        return False
    places = rest_positions(character.skeleton)
    spine = places[top] - places[hips_of(character)]
    return bool(spine @ up_of(character) > UPRIGHT * np.linalg.norm(spine))


def level_front(state: WorldState) -> FloatArray:
    """(B, 3) unit vectors across the vertical, to the front of the body as its root is turned."""
    up, front = up_of(state.body.character), body_front(state)
    front = rejection(front, up)
    length = np.linalg.norm(front, axis=1, keepdims=True)
    # A body that looks straight up has its front somewhere, as good as anywhere.
    return np.asarray(np.where(length > 1e-9, front / np.maximum(length, 1e-9), quaternion.perpendicular(up)))


def level_left(state: WorldState) -> FloatArray:
    """(B, 3) unit vectors across the vertical, to the left of the body as its root is turned."""
    return np.asarray(np.cross(up_of(state.body.character), level_front(state)))


def _spine(character: Character) -> list[tuple[int, float, float]]:
    """The joints from the hips to the head, with the shares of the twist and of the pitch that each takes."""
    roles = {} if character.anatomy is None else character.anatomy.roles
    hips = hips_of(character)
    chest = _chain(character, hips, roles.get("chest", roles.get("neck")))
    head = _chain(character, chest[-1], roles.get("head"))[1:]
    lower = [(joint, 1 - place / max(1, len(chest) - 1), 1.0) for place, joint in enumerate(chest)]
    upper = [(joint, 0.0, 1 - (place + 1) / len(head)) for place, joint in enumerate(head)]
    # With no chest to turn back, the hips take the rest of the body along.
    return [(hips, 1.0, 1.0)] if len(chest) == 1 else lower + upper


def _chain(character: Character, top: int, tip: int | None) -> list[int]:
    """The joints from ``top`` down to ``tip``; ``top`` alone if the one does not hang from the other."""
    found = [] if tip is None else [tip]
    while found and found[-1] != top:
        parent = int(character.skeleton.parents[found[-1]])
        if parent < 0:
            return [top]
        found.append(parent)
    return found[::-1] or [top]


def balanced(
    character: Character,
    pose: Pose,
    *,
    feet: Sequence[Part] = (),
    keep: Goal | Sequence[Goal] = (),
    margin: float = 0.0,
) -> Solution:
    """The pose, changed as little as it can, with the centre of mass over the support and the feet where they are.

    Args:
        character: the body.
        pose: one pose or a batch.
        feet: the parts that bear it; by default the anatomy's feet, of which those bear that are lowest in the pose.
        keep: goals to meet besides, such as a hand that stays where it is.
        margin: metres inside the edge of the support.

    Returns:
        The pose found; its first goal is that of the centre of mass. A pose that is balanced already comes back as it
        is, and so does one of a body that stands on nothing.

    Example:
        >>> import mummer as mm
        >>> from mummer.ik import balance
        >>> crab = mm.zoo.body("crab")
        >>> balance.balanced(crab, crab.default_pose).is_met
        True
    """
    state = WorldState(character, pose)
    shift = shift_needed(state, feet, margin)
    return shifted(character, pose, shift if pose.shape else shift[0], feet=feet, keep=keep)


def shift_needed(state: WorldState, feet: Sequence[Part] = (), margin: float = 0.0) -> FloatArray:
    """(B, 3) the shortest level way, metres, that brings the centre of mass over the support; zero where it is."""
    found = find_support(state, feet, margin)
    if found is None:
        return np.zeros((len(state), 3))
    return nearest_over(found, state.center_of_mass) - state.center_of_mass


def shifted(
    character: Character,
    pose: Pose,
    shift: FloatArray,
    *,
    feet: Sequence[Part] = (),
    keep: Goal | Sequence[Goal] = (),
) -> Solution:
    """The pose with its centre of mass moved by ``shift`` (3,) or (B, 3), metres in the world, feet where they are.

    Only the level part of the shift counts: how high the centre of mass is follows from the rest. See `balanced`.
    """
    state = WorldState(character, pose)
    by = np.broadcast_to(np.asarray(shift, np.float64), (len(state), 3))
    stay = keep_feet(state, feet)
    goals = (CenterOfMass(state.center_of_mass + by), *stay, *listed(keep))
    nothing = np.zeros(len(state))
    start = on_feet(character, moved_torso(state, by, nothing, nothing), stay)
    return solve(character, goals, start if pose.shape else start[0], solver="mass_weighted")


def on_feet(character: Character, start: Pose, stay: Sequence[Goal]) -> Pose:
    """(B,) poses with the legs bent so that the feet come as near to where they ``stay`` as legs alone can bring them.

    Solving from there shifts hips over feet as a person would; solving from the pose itself would lean over, for the
    way that moves the least mass is seldom the way that anybody moves.
    """
    return solve(character, stay, start, solver=TwoBone(softness=0.0)).pose if stay else start


@dataclass(frozen=True, eq=False, repr=False)
class Balancing(Operated):
    """The clip with its mass over its feet at every moment, as far as a slow motion goes.

    How far the body must shift is worked out along the whole clip and smoothed in time, so that it leans over the
    standing foot before the other leaves the ground; then each frame is shifted on its own. A run or a jump is not
    in balance at any moment, and is not meant to be.

    Attributes:
        feet: the parts that bear the body; by default the anatomy's feet, of which those bear that are lowest.
        margin: metres inside the edge of the support.
        ease: seconds over which a shift comes and goes.
    """

    feet: tuple[Part, ...] = ()
    margin: float = 0.0
    ease: float = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "feet", (self.feet,) if isinstance(self.feet, (str, int)) else tuple(self.feet))
        if not self.ease > 0:
            raise InputError(f"a shift cannot be eased over {self.ease:g} s; expected a positive number")

    @cached_property
    def shifts(self) -> tuple[FloatArray, FloatArray]:
        """(T,) seconds and (T, 3) metres by which the centre of mass is shifted then."""
        times = self.clip.times(RATE)
        state = WorldState(self.body, self.clip.sample(times))
        shift = np.zeros((len(times), 3))
        found = find_support(state, self.feet, self.margin)
        if found is None:
            return times, shift
        # Smoothing falls short of peaks; what is missing is smoothed and added, a little more than all of it.
        for _ in range(ROUNDS):
            at = state.center_of_mass + shift
            shift = shift + 1.5 * smoothed(nearest_over(found, at) - at, max(1, round(0.5 * self.ease * RATE)))
        return times, locked(shift)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self.clip.frames(times)
        at, shifts = self.shifts
        if len(at) < 2 or not np.any(shifts):
            return made
        by = np.asarray(splines.monotone_cubic(at, shifts, np.clip(times, at[0], at[-1])))
        pose = shifted(self.body, made.to_pose(), by, feet=self.feet).pose
        assert pose.root_translation is not None
        moved = pose.translations
        return Frames(
            pose.rotations.copy(), pose.root_translation.copy(), None if moved is None else moved.copy(),
            made.scales, made.morphs,
        )  # fmt: skip


def keep_feet(state: WorldState, feet: Sequence[Part] = ()) -> tuple[Goal, ...]:
    """Goals that keep feet where they are, and flat feet turned as they are; pointed ones may turn on their points.

    Args:
        state: the posed body.
        feet: the parts that bear it; the other feet of the anatomy stay as well as they can. All of those if empty.
    """
    character = state.body.character
    bearing = {joint_of(character, part): part for part in (feet or _feet(character))}
    others = [foot for foot in _feet(character) if foot not in bearing]
    goals: list[Goal] = []
    for part, weight in [*((part, None) for part in bearing.values()), *((foot, 1.0) for foot in others)]:
        point = foot_point(character, part)
        if point is None:
            goals += [Place(part, state.point(part), weight=weight), Orient(part, state.turn(part), weight=weight)]
        else:
            goals.append(Place(point, state.point(point), weight=weight))
    return tuple(goals)


def _feet(character: Character) -> tuple[int, ...]:
    """The feet of the anatomy; a body that lies on all its joints keeps none of them in place."""
    return () if character.anatomy is None else character.anatomy.capabilities.get("foot", ())


def listed(goals: Goal | Sequence[Goal]) -> tuple[Goal, ...]:
    """One goal or several as several."""
    return (goals,) if isinstance(goals, Goal) else tuple(goals)
