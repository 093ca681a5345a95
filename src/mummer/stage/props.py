"""Props: things that lie about, are taken, carried, let go of, fall, and lie still again.

A prop is a body of one joint with a surface, so that everything that draws, writes and moves bodies does so with it.
What it does is a clip like any other, and `scene` puts several clips, of actors and props, into one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character import (
    Anatomy,
    Character,
    Mass,
    Material,
    Mesh,
    Pose,
    Recording,
    Skeleton,
    Skin,
    Socket,
    world_from_socket,
)
from mummer.clip import Clip, Sampled
from mummer.clip.standing import up_of
from mummer.errors import InputError
from mummer.ik import cast, handle, join_poses
from mummer.math import quaternion, rigid
from mummer.math.rigid import Rigid

GRAVITY = 9.81
RATE = 60.0
SETTLE = 0.25
"""Seconds in which a thing that has come down lies flat."""
DENSITY = 300.0
"""Kilograms a cubic metre of what props are made of: light wood."""


def box(
    size: npt.ArrayLike = (0.2, 0.2, 0.2), *, name: str = "box", color: npt.ArrayLike = (0.8, 0.5, 0.2)
) -> Character:
    """A box with its centre at its joint.

    Args:
        size: (3,) metres.
        name: what it is called.
        color: (3,) linear RGB, 0 to 1.
    """
    half = 0.5 * np.asarray(size, np.float64)
    if half.shape != (3,) or not np.all((half > 0) & np.isfinite(half)):
        raise InputError(f"a box of {size!r} m makes no sense; expected three positive lengths")
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    # Four corners of their own for each face, so that edges are sharp.
    points = np.concatenate([corners[list(quad)] for quad in quads]) * half
    triangles = np.concatenate([[[4 * n, 4 * n + 1, 4 * n + 2], [4 * n, 4 * n + 2, 4 * n + 3]] for n in range(6)])
    moment = np.diag(half**2 / 3)
    return _prop(name, points, triangles, float(8 * half.prod()), moment, color)


def ball(radius: float = 0.11, *, name: str = "ball", color: npt.ArrayLike = (0.8, 0.2, 0.2)) -> Character:
    """A ball with its centre at its joint.

    Args:
        radius: metres.
        name: what it is called.
        color: (3,) linear RGB, 0 to 1.
    """
    if not 0 < radius < np.inf:
        raise InputError(f"a ball with a radius of {radius:g} m makes no sense; expected a positive length")
    rows, columns = 12, 20
    polar, around = np.linspace(0, np.pi, rows + 1), np.linspace(0, 2 * np.pi, columns + 1)
    theta, phi = (each.ravel() for each in np.meshgrid(polar, around, indexing="ij"))
    points = radius * np.stack([np.sin(theta) * np.cos(phi), np.cos(theta), np.sin(theta) * np.sin(phi)], axis=1)
    first = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).ravel()
    below = first + columns + 1
    triangles = np.concatenate(
        [np.stack(each, 1) for each in ((first, first + 1, below), (first + 1, below + 1, below))]
    )
    moment = np.eye(3) * radius**2 / 5
    return _prop(name, points, triangles, 4 / 3 * np.pi * radius**3, moment, color)


def _prop(
    name: str, points: FloatArray, triangles: npt.ArrayLike, volume: float, moment: FloatArray, color: npt.ArrayLike
) -> Character:
    count, kilograms = len(points), volume * DENSITY
    skeleton = Skeleton((name,), np.array([-1]), np.zeros((1, 3)), name=name)
    skin = Skin(np.array([0]), np.eye(3, 4)[None], np.zeros((count, 1), int), np.ones((count, 1)))
    red, green, blue = (float(part) for part in np.asarray(color, np.float64))
    mesh = Mesh(name, points, np.asarray(triangles), skin, material=Material(name, (red, green, blue, 1.0)))
    bounds = np.stack([points.min(axis=0), points.max(axis=0)])
    anatomy = Anatomy(
        "prop", {"hips": 0}, {"root": (0,)}, (), {"waist": (0,)}, np.zeros(1, int), ground=float(bounds[0, 1]),
        bounds=bounds, sockets=(Socket("grip", 0),),
    )  # fmt: skip
    mass = Mass(np.array([kilograms]), np.zeros((1, 3)), kilograms * moment[None])
    return Character(name, skeleton, meshes=(mesh,), anatomy=anatomy, mass=mass)


@dataclass(frozen=True, eq=False)
class Carry:
    """A time during which somebody holds a prop.

    Attributes:
        holder: the motion of who holds it, in the time of the scene.
        by: a socket of the holder, or a part: its handle, see `mummer.ik.handles_of`.
        taken: seconds at which it is taken hold of.
        dropped: seconds at which it is let go of, or None for never.
        grip: where on the prop it is held: translation (3,) and rotation (4,) of the holding point in the prop's
            frame; as it happens to lie when it is taken if None.
    """

    holder: Clip
    by: str
    taken: float
    dropped: float | None = None
    grip: Rigid | None = None


def carried(
    prop: Character, at: npt.ArrayLike, *carries: Carry, seconds: float, turned: npt.ArrayLike = (0, 0, 0, 1),
    floor: float = 0.0,
) -> Sampled:  # fmt: skip
    """What a prop does: lies, is carried, flies as it is let go of, comes down, lies.

    When it is let go of it keeps the speed and the spin that it had; it falls, and lies flat on the side that it comes
    down on. It does not bounce or roll.

    Args:
        prop: see `box` and `ball`, or any body of one joint.
        at: (3,) metres, where its joint is at first.
        carries: who holds it and when, in order.
        seconds: how long the clip is.
        turned: (4,) how it is turned at first.
        floor: height of the ground in metres.

    Raises:
        InputError: if times of carrying overlap, or the prop has several joints.
    """
    if len(prop.skeleton) != 1:
        raise InputError(f"{prop.name!r} has {len(prop.skeleton)} joints; expected a thing of one")
    times = np.linspace(0.0, seconds, max(2, round(seconds * RATE) + 1))
    places, turns = (
        np.tile(np.asarray(at, np.float64), (len(times), 1)),
        np.tile(quaternion.normalize(np.asarray(turned, float)), (len(times), 1)),
    )
    free = -np.inf
    for carry in carries:
        end = np.inf if carry.dropped is None else carry.dropped
        if not free <= carry.taken < end:
            raise InputError(
                f"{prop.name!r} is taken at {carry.taken:g} s and dropped at {end:g} s; expected it in order"
            )
        free = end
        here = int(np.searchsorted(times, carry.taken))
        held = np.flatnonzero((times >= carry.taken) & (times <= end))
        if not len(held):
            continue
        places[held], turns[held] = _held(carry, times[held], (places[here], turns[here]))
        after = np.flatnonzero(times > end)
        if len(after):
            places[after], turns[after] = _fallen(prop, times, places, turns, held[-1], floor)
    poses = Pose(turns[:, None], places)
    return Sampled(prop, Recording.from_poses(prop.name, times, poses, frame_rate=RATE))


def scene(clips: Mapping[str, Clip], rate: float = RATE) -> Sampled:
    """Several motions, of actors and props, as one clip of all of them; ready to be drawn and saved.

    Args:
        clips: by name, without dots; each holds still before its start and after its end.
        rate: frames a second.
    """
    if not clips:
        raise InputError("nobody is in the scene; expected at least one clip")
    begin, end = min(clip.start for clip in clips.values()), max(clip.end for clip in clips.values())
    times = np.linspace(begin, end, max(2, round((end - begin) * rate) + 1))
    whole = cast({name: clip.body for name, clip in clips.items()})
    poses = join_poses(whole, {name: clip.sample(times) for name, clip in clips.items()})
    return Sampled(whole, Recording.from_poses("scene", times - begin, poses, frame_rate=rate))


def _held(carry: Carry, times: FloatArray, lies: Rigid) -> Rigid:
    """Places (T, 3) and turns (T, 4) of a prop in somebody's hold."""
    body = carry.holder.body
    known = [socket for socket in carry.holder.anatomy.sockets if socket.name == carry.by]
    if known:
        socket = known[0]
    else:
        point = handle(body, carry.by)
        socket = Socket(carry.by, int(point.part), (np.array(point.offset), np.array([0.0, 0.0, 0.0, 1.0])))
    world_from_hold = world_from_socket(body.skeleton, carry.holder.sample(times), socket)
    if carry.grip is None:
        first = (world_from_hold[0][0], world_from_hold[1][0])
        hold_from_prop = rigid.multiply(*rigid.inverse(*first), *lies)
    else:
        hold_from_prop = rigid.inverse(np.asarray(carry.grip[0], float), np.asarray(carry.grip[1], float))
    return rigid.multiply(*world_from_hold, *hold_from_prop)


def _fallen(
    prop: Character, times: FloatArray, places: FloatArray, turns: FloatArray, last: int, floor: float
) -> Rigid:
    """Places and turns after frame ``last``: a throw, then lying flat."""
    before, up = max(0, last - 2), up_of(prop)
    span = max(float(times[last] - times[before]), 1e-9)
    speed = (places[last] - places[before]) / span
    spin = quaternion.log(quaternion.multiply(turns[last], quaternion.conjugate(turns[before]))) / span
    passed = (times[last + 1 :] - times[last])[:, None]
    way = places[last] + speed * passed - 0.5 * GRAVITY * passed**2 * up
    turned = quaternion.multiply(quaternion.exp(spin * passed), turns[last])
    low = np.array([_lowest(prop, turn, up) for turn in turned])
    down = way @ up + low <= floor
    if not down.any():
        return way, turned
    hit = int(np.argmax(down))
    flat = _flat(turned[hit], up)
    share = np.clip((passed[hit:, 0] - passed[hit, 0]) / SETTLE, 0.0, 1.0)
    rest = quaternion.multiply(flat, quaternion.conjugate(turned[hit]))
    for frame, part in enumerate(share):
        turned[hit + frame] = quaternion.multiply(quaternion.exp(part * quaternion.log(rest)), turned[hit])
        level = way[hit] - (way[hit] @ up) * up
        way[hit + frame] = level + (floor - _lowest(prop, turned[hit + frame], up)) * up
    return way, turned


def _lowest(prop: Character, turn: FloatArray, up: FloatArray) -> float:
    """The height of the lowest point of a prop above its joint, turned so."""
    points = np.concatenate([mesh.positions for mesh in prop.meshes]) if prop.meshes else np.zeros((1, 3))
    return float((quaternion.rotate(turn, points) @ up).min())


def _flat(turn: FloatArray, up: FloatArray) -> FloatArray:
    """The nearest rotation in which an axis of the thing points straight up."""
    axes = quaternion.rotate(turn, np.concatenate([np.eye(3), -np.eye(3)]))
    nearest = axes[int(np.argmax(axes @ up))]
    axis = np.cross(nearest, up)
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        return turn
    angle = float(np.arctan2(length, nearest @ up))
    return quaternion.multiply(quaternion.exp(axis / length * angle), turn)
