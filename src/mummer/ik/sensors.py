"""Sensors on somebody's body, or markers, become goals for another: a recording from what was worn, not from joints."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose, Recording
from mummer.clip.clip import Clip
from mummer.clip.recorded import recorded
from mummer.clip.sampled import Sampled
from mummer.errors import InputError
from mummer.ik.body_point import BodyPoint, Part, joint_of
from mummer.ik.goal import Goal
from mummer.ik.moving import Moving
from mummer.ik.point_goals import Orient, Place
from mummer.ik.solve import solve
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions
from mummer.math import quaternion

FEWEST = 3
"""Sensors without which nobody knows where a body is and which way it faces."""
TURNS = math.radians(0.1)
"""Radians by which one has to turn at some time to be a sensor of turns, too; markers never do."""


def follow_sensors(
    body: Character, seen: Clip | Character, worn: Mapping[str, Part], *, at: float | None = None,
    pose: Pose | None = None, rate: float = 30.0,
) -> Sampled:  # fmt: skip
    """A body moved by sensors that somebody wore, each held to the part that it was worn on.

    At one moment the wearer stands as the body does in a pose that is known: it tells where on each part a sensor sits
    and how it is turned, and how large the wearer is. Everything is put where the body is then, and made as large.

    Args:
        body: who shall move; it stays as large as it is.
        seen: the sensors, each a joint of a body of its own, as a C3D file of markers has them (``load(path,
            markers=True)``), in a clip or its first recording. One that turns tells how its part is turned, too.
        worn: by the name of a sensor the part that it was on; others are not looked at.
        at: the moment; the start if None.
        pose: the pose; how the body stands by default if None.
        rate: frames a second.

    Returns:
        A recording of the body. Feet may slide as much as the sensors on them did; `keep_contacts` holds them.

    Raises:
        InputError: if fewer than three sensors are worn.
        UnknownNameError: if there is no such sensor or part.
    """
    if len(worn) < FEWEST:
        raise InputError(f"{len(worn)} sensors are worn; expected {FEWEST} or more")
    if isinstance(seen, Character):
        seen = Sampled(seen, seen.recordings[0])
    sensors = [joint_of(seen.body, name) for name in worn]
    joints = [joint_of(body, part) for part in worn.values()]
    times = seen.times(rate)
    then = WorldState(seen.body, seen.sample([seen.start if at is None else at]))
    stands = WorldState(body, body.default_pose if pose is None else pose)
    here, there = stands.positions[0, joints], then.positions[0, sensors]
    scale = _spread(here) / max(_spread(there), 1e-9)
    yaw = _yaw(there, here)

    def aligned(places: FloatArray) -> FloatArray:
        return np.asarray(here.mean(axis=0) + scale * quaternion.rotate(yaw, places - there.mean(axis=0)))

    state = WorldState(seen.body, seen.sample(times))
    places = aligned(state.positions[:, sensors])
    turned = quaternions.multiply(yaw, np.ascontiguousarray(state.rotations[:, sensors]))
    goals: list[Goal] = []
    for number, (sensor, joint) in enumerate(zip(sensors, joints, strict=True)):
        back = quaternion.conjugate(stands.rotations[0, joint])
        point = BodyPoint(joint, tuple(quaternion.rotate(back, aligned(there)[number] - here[number]).tolist()))
        goals.append(Place(point, Moving(times, places[:, number]), weight=1.0))
        if float(quaternion.angle_between(state.rotations[:, sensor], state.rotations[:1, sensor]).max()) > TURNS:
            on_part = quaternion.multiply(back, quaternion.multiply(yaw, then.rotations[0, sensor]))
            turns = quaternion.multiply(turned[:, number], quaternion.conjugate(on_part))
            goals.append(Orient(joint, Moving(times, turns), weight=1.0))
    found = solve(body, goals, _start(stands, here, places), solver="mass_weighted", times=times).pose
    made: Recording = recorded(times, found, np.arange(len(body.skeleton)), rate=rate, name=seen.body.name)
    return Sampled(body, made)


def _start(stands: WorldState, here: FloatArray, places: FloatArray) -> Pose:
    """The pose at each moment, the whole of it turned about the vertical and moved as the sensors (T, n, 3) are."""
    turns = np.array([_yaw(here, each) for each in places])
    rotations = np.repeat(stands.pose.rotations, len(places), axis=0)
    rotations[:, 0] = quaternion.multiply(turns, rotations[:, 0])
    root = places.mean(axis=1) + quaternion.rotate(turns, stands.positions[0, 0] - here.mean(axis=0))
    return Pose(rotations, root)


def _spread(places: FloatArray) -> float:
    """Metres from their middle that places (n, 3) are, in the root of the mean square."""
    return float(np.sqrt(((places - places.mean(axis=0)) ** 2).sum(axis=1).mean()))


def _yaw(start: FloatArray, end: FloatArray) -> FloatArray:
    """(4,) the turn about the vertical that brings places (n, 3) nearest to others, from their middles."""
    a, b = start - start.mean(axis=0), end - end.mean(axis=0)
    across = float((a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]).sum())
    angle = math.atan2(across, float((a[:, 0] * b[:, 0] + a[:, 2] * b[:, 2]).sum()))
    return quaternion.exp(np.array([0.0, angle, 0.0]))
