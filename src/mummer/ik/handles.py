"""Handles: a named point of every body part, so that motions can be asked for without knowing a body's geometry."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.clip.analysis.feet import known_feet
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import BodyPoint
from mummer.ik.constraints.plant import TOE, sole_of
from mummer.ik.rigid_body import rigid_body
from mummer.ik.world_state import WorldState
from mummer.kept import kept
from mummer.math import quaternion


@kept
def handles_of(character: Character) -> dict[str, BodyPoint]:
    """The standard point of every part of a body that has a role.

    A foot is handled by its ball, on the sole; a hand by where its fingers begin, or the middle of its mass; every
    other part by the middle of its mass. All are points for goals: ``Place(handles["left_foot"], at)``; ``Orient`` and
    ``JointValue`` take the joint that ``part`` of the point names. A socket of the anatomy is a handle under its name.

    Raises:
        InputError: if the anatomy is not known.
    """
    anatomy, state = character.anatomy, WorldState(character, Pose.rest(character.skeleton))
    if anatomy is None:
        raise InputError(f"the anatomy of {character.name!r} is not known; recognise it or give it a sidecar file")
    feet = {foot.heel for foot in known_feet(character)}
    hands = set(anatomy.capabilities.get("grasper", ()))
    found = {}
    for role, joint in anatomy.roles.items():
        if joint in feet:
            offset = _ball(character, state, joint)
        elif joint in hands:
            offset = _palm(character, joint)
        else:
            offset = rigid_body(character).mass.centers[joint]
        found[role] = _point(joint, offset)
    return found | {socket.name: _point(socket.joint, socket.translation) for socket in anatomy.sockets}


def handle(character: Character, name: str) -> BodyPoint:
    """The standard point of one part; see `handles_of`.

    Raises:
        UnknownNameError: with the closest names.
    """
    found = handles_of(character)
    if name not in found:
        raise UnknownNameError(repr(character.name), "handle", name, found)
    return found[name]


def _ball(character: Character, state: WorldState, joint: int) -> FloatArray:
    """(3,) the ball of a foot at rest, brought down to the ground that the body stands on, in the joint's frame."""
    anatomy = character.anatomy
    assert anatomy is not None
    place = sole_of(character, joint).place(state, TOE)[0]
    place = place - (place @ anatomy.up - anatomy.ground) * anatomy.up
    back = quaternion.conjugate(state.rotations[0, joint])
    return quaternion.rotate(back, place - state.positions[0, joint])


def _palm(character: Character, joint: int) -> FloatArray:
    body = rigid_body(character)
    fingers = np.flatnonzero(body.parents == joint)
    return 0.5 * body.offsets[fingers].mean(axis=0) if len(fingers) else body.mass.centers[joint]


def _point(joint: int, offset: FloatArray) -> BodyPoint:
    x, y, z = (float(number) for number in offset)
    return BodyPoint(joint, (x, y, z))
