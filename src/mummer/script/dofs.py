"""Degrees of freedom of any body, each named by a part and an axis: `left_elbow bend`, `spine twist`, `tail sway`.

All are measured from how the body stands of itself. *Bend* closes a joint: a head nods, an elbow folds, a limb goes
ahead, a tail is tucked in. *Twist* turns a part about its length, a head to its left. *Sway* is to the side, of limbs
away from the body. On the right everything is the mirror image of what it is on the left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Character, Limb, Pose
from mummer.clip.analysis.feet import Foot, known_feet
from mummer.clip.standing import Standing
from mummer.engine import Actor
from mummer.errors import InputError
from mummer.ik.limb_joints import find_limb
from mummer.ik.limbs import Limbs, make_limbs
from mummer.ik.rigid_body import rigid_body
from mummer.ik.world_state import WorldState
from mummer.kept import kept
from mummer.math import quaternion

AXES = ("bend", "sway", "twist")
LETTERS = {"x": "bend", "y": "twist", "z": "sway"}
PLACES = ("side", "up", "ahead")
TRAVEL = "travel"
SIGNALS = ("balance side", "balance ahead", "knees bend", "pelvis twist")
"""What is asked of the body as a whole: lengths in heights of the hips above the ground, turns in radians."""
SAME_PART = {
    "elbow": "forearm", "wrist": "hand", "ankle": "foot", "knee": "lower_leg", "hip": "upper_leg",
    "collar": "shoulder", "arm": "upper_arm", "leg": "upper_leg",
}  # fmt: skip
ARM_PARTS, LEG_PARTS = ("shoulder", "upper_arm", "forearm", "hand"), ("upper_leg", "lower_leg", "foot")
ARM_LIKE = ("arm", "front leg", "wing", "fin", "antenna")
STRAIGHT = 0.1
"""Sine of the angle below which a limb does not show which way it folds."""


@dataclass(frozen=True, eq=False)
class Dofs:
    """The degrees of freedom of one body; see `dofs_of`.

    Attributes:
        character: the body, its parts known.
        neutral: how it stands of itself.
        names: of each joint: its role, or what the file calls it.
        joint_from_axes: (J, 3, 3) the axes of bend, sway and twist as columns, in the joint's frame.
        hips: the joint that the body is carried by.
        feet: those that legs put somewhere.
        depths: (J,) joints from the base of the spine.
        in_limbs: the joints that the extent of a gesture is up to: of arms, wings, tails, feelers.
    """

    character: Character
    neutral: Pose
    names: tuple[str, ...]
    joint_from_axes: FloatArray
    hips: int
    feet: tuple[Foot, ...]
    depths: IntArray
    in_limbs: frozenset[int]

    @cached_property
    def legs(self) -> frozenset[int]:
        """The joints of legs that put feet somewhere, and of their feet: they follow the feet, whatever is asked."""
        found: set[int] = set()
        for foot in self.feet:
            found |= {foot.heel, *foot.toes}
            for limb in self.anatomy_limbs:
                if foot.heel in limb.joints:
                    found |= set(limb.joints)
            chain = find_limb(rigid_body(self.character), foot.heel)
            assert chain is not None
            found |= set(chain.joints)
        return frozenset(found)

    @property
    def anatomy_limbs(self) -> tuple[Limb, ...]:
        """The limbs of the body."""
        assert self.character.anatomy is not None
        return self.character.anatomy.limbs

    @cached_property
    def front_carrier(self) -> int | None:
        """The joint of the trunk that legs farther ahead than the hips hang on; None if all hang on the hips."""
        assert self.character.anatomy is not None
        parents, spine = self.character.skeleton.parents, self.joints("spine")
        found = None
        for limb in self.anatomy_limbs:
            above = int(parents[limb.base])
            if above in spine and any(foot.heel in limb.joints for foot in self.feet):
                found = above if found is None else max(found, above, key=spine.index)
        return found

    @cached_property
    def solver(self) -> Limbs | None:
        """What bends the legs to where feet are; None for a body that has none."""
        return make_limbs(self.character, [foot.heel for foot in self.feet]) if self.feet else None

    @cached_property
    def axes(self) -> FloatArray:
        """(3, 3) the body's left, up and front in the world as rows."""
        anatomy = self.character.anatomy
        assert anatomy is not None
        return np.stack([anatomy.left, anatomy.up, anatomy.front])

    @cached_property
    def state(self) -> WorldState:
        """The body as it stands of itself."""
        return WorldState(self.character, self.neutral)

    @cached_property
    def hip_height(self) -> float:
        """Metres from the ground to the hips."""
        anatomy = self.character.anatomy
        assert anatomy is not None
        above = float(self.state.positions[0, self.hips] @ anatomy.up) - anatomy.ground
        return max(above, 0.05 * anatomy.height, 1e-6)

    @cached_property
    def standing(self) -> Standing:
        """Tells where the body is and faces."""
        return Standing.of(self.character, self.character.skeleton.names[self.hips])

    @cached_property
    def columns(self) -> dict[str, tuple[int, int]]:
        """Joint and axis of each degree of freedom of a joint."""
        return {f"{name} {axis}": (joint, place) for joint, name in enumerate(self.names) for place, axis in
                enumerate(AXES)}  # fmt: skip

    @cached_property
    def places(self) -> tuple[str, ...]:
        """What is said in metres: the travel of the hips, and that of each foot."""
        return tuple(f"{part} {axis}" for part in (TRAVEL, *self.foot_names) for axis in PLACES)

    @cached_property
    def foot_names(self) -> tuple[str, ...]:
        """The feet, as tracks call them."""
        return tuple(self.names[foot.heel] for foot in self.feet)

    @property
    def turns(self) -> tuple[str, ...]:
        """How feet are turned in the world."""
        return tuple(f"{name} world_{axis}" for name in self.foot_names for axis in AXES)

    def tracks(self, text: str) -> tuple[str, ...]:
        """The degrees of freedom that a word such as `neck_y`, or two such as `left_elbow bend`, speak of.

        A part alone means all its axes. What this body has not got is none.

        Raises:
            InputError: if there is no such axis or part on any body.
        """
        part, axis = split_name(text)
        if f"{part} {axis}" in (*SIGNALS, *self.places):
            return (f"{part} {axis}",)
        if axis is not None and axis not in AXES:
            raise InputError(f"{text!r} names no axis; expected bend, sway or twist, or x, y or z")
        joints = self.joints(part)
        return tuple(f"{self.names[joint]} {each}" for joint in joints for each in (AXES if axis is None else (axis,)))

    def joints(self, part: str) -> tuple[int, ...]:
        """The joints of a part; none if this body has no such part."""
        return _joints(self, part)


def split_name(text: str) -> tuple[str, str | None]:
    """Part and axis of a degree of freedom."""
    part, _, axis = text.partition(" ")
    if not axis and part[-2:-1] == "_" and part[-1] in LETTERS:
        return part[:-2], LETTERS[part[-1]]
    return part, axis or None


@kept
def dofs_of(character: Character) -> Dofs:
    """The degrees of freedom of a body whose anatomy is known, measured once.

    Raises:
        InputError: if its anatomy is not known.
    """
    anatomy = character.anatomy
    if anatomy is None:
        raise InputError(f"the anatomy of {character.name!r} is not known; recognise it or give it a sidecar file")
    neutral = Actor(character).step(0.0)
    rigid = rigid_body(character)
    feet = tuple(foot for foot in known_feet(character) if find_limb(rigid, foot.heel) is not None)
    hips = Standing.of(character).joint
    legs = {limb.name for limb in anatomy.limbs if any(foot.heel in limb.joints for foot in feet)}
    moved = [limb for limb in anatomy.limbs if limb.kind not in ("neck", "abdomen") and limb.name not in legs]
    return Dofs(
        character, neutral, _names(character), _frames(character, neutral, feet), hips, feet,
        _depths(character, hips), frozenset(joint for limb in moved for joint in limb.joints),
    )  # fmt: skip


def _names(character: Character) -> tuple[str, ...]:
    assert character.anatomy is not None
    roles = {joint: role for role, joint in character.anatomy.roles.items()}
    names: list[str] = []
    for joint, name in enumerate(character.skeleton.names):
        said = roles.get(joint) or "_".join(name.split()) or f"joint_{joint}"
        while said in names or (joint not in roles and said in (*character.anatomy.roles, TRAVEL, "balance", "knees",
                                                                 "pelvis")):  # fmt: skip
            said += "_"
        names.append(said)
    return tuple(names)


def _depths(character: Character, hips: int) -> IntArray:
    """(J,) joints between each and the base of the spine."""
    parents = character.skeleton.parents
    depths = np.zeros(len(parents), np.int32)
    for joint, parent in enumerate(parents):
        depths[joint] = 0 if joint == hips or parent < 0 else depths[parent] + 1
    return locked(depths, np.int32)


def _frames(character: Character, neutral: Pose, feet: tuple[Foot, ...]) -> FloatArray:
    """(J, 3, 3) the axes of each joint in its own frame, as columns."""
    anatomy = character.anatomy
    assert anatomy is not None
    state = WorldState(character, neutral)
    left, up, front = anatomy.left, anatomy.up, anatomy.front
    found = np.repeat(np.stack([left, -front, up], axis=1)[None], len(character.skeleton), axis=0)
    for joints in _center_chains(character):
        for place, joint in enumerate(joints):
            found[joint] = _center_axes(_along(state, joints, place), left, up, front)
    for limb in anatomy.limbs:
        if limb.kind == "neck":
            continue
        for place, joint in enumerate(limb.joints):
            along = _along(state, limb.joints, place)
            if limb.side == "center":
                found[joint] = _center_axes(along, left, up, front)
            else:
                side = 1.0 if limb.side == "left" else -1.0
                fold = _fold(state, limb, place, up, front, leg=_is_leg(limb, feet))
                found[joint] = _limb_axes(along, fold, side * left + up, side)
    local = quaternion.to_matrix(quaternion.conjugate(state.rotations[0]))
    return locked(np.einsum("jab,jbc->jac", local, found))


def _center_chains(character: Character) -> Iterator[tuple[int, ...]]:
    assert character.anatomy is not None
    spine = character.anatomy.capabilities.get("spine", ())
    if len(spine) > 1:
        yield tuple(spine)


def _along(state: WorldState, joints: tuple[int, ...], place: int) -> FloatArray:
    """(3,) unit, from a joint of a chain to the next; from the one before to the last."""
    first = min(place, max(len(joints) - 2, 0))
    ends = [joints[first], joints[min(first + 1, len(joints) - 1)]]
    if ends[0] == ends[1]:
        parent = int(state.body.skeleton.parents[ends[0]])
        ends = [max(parent, 0), ends[1]]
    way = state.positions[0, ends[1]] - state.positions[0, ends[0]]
    length = float(np.linalg.norm(way))
    return np.asarray(way / length) if length > 1e-9 else np.array([0.0, 1.0, 0.0])


def _center_axes(along: FloatArray, left: FloatArray, up: FloatArray, front: FloatArray) -> FloatArray:
    """(3, 3) bend, sway and twist of what is in the middle: it bends towards the belly, sways to the left."""
    toward_head = float(along @ up) + float(along @ front) >= 0.0
    bend = _level(left if toward_head else -left, along)
    twist = along if toward_head else -along
    return np.stack([bend, np.cross(twist, bend), twist], axis=1)


def _limb_axes(along: FloatArray, fold: FloatArray, out: FloatArray, side: float) -> FloatArray:
    """(3, 3) bend, sway and twist of a limb at a side: it folds about ``fold``, and is lifted away from the body."""
    bend = _level(fold, along)
    sway = np.cross(along, bend)
    if float(np.cross(sway, along) @ out) < 0.0:
        sway = -sway
    return np.stack([bend, sway, side * along], axis=1)


def _fold(state: WorldState, limb: Limb, place: int, up: FloatArray, front: FloatArray, *, leg: bool) -> FloatArray:
    """(3,) the axis that a joint of a limb bends about: the first swings it ahead, the others fold it further."""
    along = _along(state, limb.joints, place)
    if place > 0:
        before = _along(state, limb.joints, place - 1)
        across = np.cross(before, along)
        if np.linalg.norm(across) > STRAIGHT:
            return np.asarray(across)
    ahead = -front if leg and place > 0 else front
    across = np.cross(along, ahead)
    if np.linalg.norm(across) > STRAIGHT:
        return np.asarray(across)
    return np.asarray(np.cross(along, up))


def _is_leg(limb: Limb, feet: tuple[Foot, ...]) -> bool:
    return limb.kind == "leg" or any(foot.heel in limb.joints for foot in feet)


def _level(vector: FloatArray, along: FloatArray) -> FloatArray:
    """(3,) unit, the part of a vector at right angles to ``along``."""
    across = vector - (vector @ along) * along
    length = float(np.linalg.norm(across))
    return np.asarray(across / length) if length > 1e-6 else quaternion.perpendicular(along)


def _joints(dofs: Dofs, part: str) -> tuple[int, ...]:
    anatomy = dofs.character.anatomy
    assert anatomy is not None
    side, rest = _sided(part)
    rest = SAME_PART.get(rest, rest)
    if rest == "spine":
        return tuple(joint for joint in anatomy.capabilities.get("spine", ()) if joint != dofs.hips) or tuple(
            anatomy.roles[role] for role in ("chest",) if role in anatomy.roles
        )
    heads = anatomy.capabilities.get("head", ())
    if rest == "neck":
        necks = [joint for limb in anatomy.limbs if limb.kind == "neck" for joint in limb.joints]
        return tuple(joint for joint in necks if joint not in heads) or tuple(necks) or tuple(heads)
    if rest == "head":
        return tuple(heads)
    if part in anatomy.roles and rest not in ("tail",):
        return (anatomy.roles[part],)
    if part in dofs.names:
        return (dofs.names.index(part),)
    limbs = [limb for limb in anatomy.limbs if side in ("", limb.side)]
    if any(limb.kind == rest for limb in limbs) and rest not in ("arm", "leg"):
        return tuple(joint for limb in limbs if limb.kind == rest for joint in limb.joints)
    if rest in ARM_PARTS:
        return _of_arms(dofs, limbs, rest)
    if rest in LEG_PARTS:
        return _of_legs(dofs, limbs, rest)
    return tuple(joint for limb in anatomy.limbs if limb.name == part for joint in limb.joints)


def _sided(part: str) -> tuple[str, str]:
    for side in ("left", "right"):
        if part.startswith(f"{side}_"):
            return side, part[len(side) + 1 :]
    return "", part


def _of_legs(dofs: Dofs, limbs: list[Limb], part: str) -> tuple[int, ...]:
    found = []
    for foot in dofs.feet:
        if any(foot.heel in limb.joints for limb in limbs):
            chain = find_limb(rigid_body(dofs.character), foot.heel)
            assert chain is not None
            found.append(chain.joints[LEG_PARTS.index(part)])
    return tuple(found)


def _of_arms(dofs: Dofs, limbs: list[Limb], part: str) -> tuple[int, ...]:
    """A part of the arms, or of what a body has in their place: front legs, wings, fins, feelers."""
    legs = [limb for limb in dofs.anatomy_limbs if limb.kind == "leg"]
    kinds = {"front leg": [limb for limb in legs if limb.rank == 0] if len(legs) > 2 else []}
    for kind in ARM_LIKE:
        chosen = kinds.get(kind, [limb for limb in dofs.anatomy_limbs if limb.kind == kind])
        if chosen:
            found = [_arm_part(dofs, limb, part) for limb in chosen if limb in limbs]
            return tuple(joint for joint in found if joint is not None)
    return ()


def _arm_part(dofs: Dofs, limb: Limb, part: str) -> int | None:
    foot = next((foot for foot in dofs.feet if foot.heel in limb.joints), None)
    joints: tuple[int, ...] = limb.joints
    if foot is not None:
        chain = find_limb(rigid_body(dofs.character), foot.heel)
        assert chain is not None
        joints = chain.joints
    roles = {joint: role for role, joint in dofs.character.anatomy.roles.items()} if dofs.character.anatomy else {}
    named = [joint for joint in joints if roles.get(joint, "").endswith(part)]
    if named:
        return named[0]
    if part == "shoulder":
        return joints[0] if len(joints) > 3 else None
    upper = 1 if len(joints) > 3 and foot is None else 0
    place = {"upper_arm": upper, "forearm": max(len(joints) - 2, min(1, len(joints) - 1)), "hand": len(joints) - 1}
    return joints[place[part]]
