"""Everything that stays the same through a shot: who stands where, the ground, the camera that sees it all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character
from mummer.character.derive import bounds_of
from mummer.errors import UnknownNameError
from mummer.render.body import Body
from mummer.render.camera import TINY, Camera, camera_axes, fit_camera
from mummer.render.ground import Ground, spacing_for
from mummer.render.options import Options
from mummer.render.placement import STAY, Placement, side_by_side
from mummer.render.shown import finite_bounds, shown
from mummer.render.subject import Subject
from mummer.render.surface import Shape, Surface, join_parts
from mummer.render.view import View, front_of

FORWARD = np.array([0.0, 0.0, 1.0])
NEAR_GROUND = 0.25
"""A body that comes nearer to a height than this part of its own counts as standing there."""
LONG_WAY = 2.0
"""Ways longer than this many sizes of the body are followed."""
SPIN_STEPS = 24


@dataclass(frozen=True, eq=False)
class Setting:
    """A shot made ready.

    Attributes:
        bodies: who is shown.
        placements: where each stands.
        surface: what all of them look like together.
        camera: for the first frame.
        ground: for the first frame; drawn or not.
        track: (T, 3) how far the camera has travelled at each frame, metres.
        spin: (T,) how far it has gone round the bodies, radians.
        points: (N, 3) what the camera must see, as if nobody travelled.
        front: (3,) where the bodies face.
    """

    bodies: tuple[Body, ...]
    placements: tuple[Placement, ...]
    surface: Surface
    camera: Camera
    ground: Ground
    track: FloatArray
    spin: FloatArray
    points: FloatArray
    front: FloatArray

    def __len__(self) -> int:
        return len(self.track)

    @property
    def width(self) -> float:
        """Metres that the bodies measure across the ground at most."""
        return float(np.ptp(self.points[:, [0, 2]], axis=0).max())

    @property
    def height(self) -> float:
        """Metres from the ground to the highest point."""
        return max(float(self.points[:, 1].max()) - self.ground.height, TINY)

    def camera_at(self, frame: int) -> Camera:
        """The camera, as far as it has travelled and gone round."""
        middle = np.array([self.ground.center[0], 0.0, self.ground.center[1]])
        return self.camera.spun(middle, float(self.spin[frame])).moved(self.track[frame])

    def ground_at(self, frame: int) -> Ground:
        """The ground, its middle where the camera looks."""
        x, _, z = self.track[frame]
        return replace(self.ground, center=(self.ground.center[0] + x, self.ground.center[1] + z))

    def joints_at(self, body: int, frame: int) -> FloatArray:
        """(J, 3) the joints of one body where it stands; its last pose once its motion is over."""
        joints = self.bodies[body].joints
        return self.placements[body].points(joints[min(frame, len(joints) - 1)])

    def shapes(self, frames: Sequence[int]) -> Iterator[Shape]:
        """The shape of all bodies together at some frames; one whose motion is over keeps its last pose."""
        flows = [body.shapes(frames) for body in self.bodies]
        for shapes in zip(*flows, strict=True):
            if len(shapes) == 1:
                yield self.placements[0].shape(shapes[0])
                continue
            placed = [place.shape(shape) for place, shape in zip(self.placements, shapes, strict=True)]
            yield Shape(
                np.concatenate([shape.positions for shape in placed]),
                np.concatenate([shape.normals for shape in placed]),
            )


def build_setting(subjects: Sequence[Subject], options: Options) -> Setting:
    """The setting for some bodies as the options want them shown.

    Raises:
        UnknownNameError: if a trail is asked for of a joint that no body has.
    """
    _require_joints(options.trails, subjects)
    assert isinstance(options.view, View)
    bodies = tuple(Body(subject, options.method, options.look) for subject in subjects)
    outlines = [body.outline(with_joints=bool(options.skeleton or options.names)) for body in bodies]
    placements, front, height = _place(bodies, outlines, options)
    track = _track(bodies, placements, outlines, options.follow)
    points = np.concatenate(
        [place.points(points) - track[when] for place, (points, when) in zip(placements, outlines, strict=True)]
    )
    ground = _ground(points, height)
    spin = 2 * math.pi * options.turns * np.linspace(0.0, 1.0, len(track))
    seen = (
        points
        if not options.focus
        else np.concatenate(
            [
                place.points(points) - track[when]
                for place, (points, when) in zip(
                    placements, [_focused(body, options.focus) for body in bodies], strict=True
                )
            ]
        )
    )
    camera = fit_camera(_swept(seen, ground, options.turns), options.view, front, options.size)
    surface = join_parts([part for body in bodies for part in body.parts])
    return Setting(bodies, placements, surface, camera, ground, track, spin, points, front)


def _focused(body: Body, names: Sequence[str]) -> tuple[FloatArray, IntArray]:
    """The outline of some parts of a body; all of it if it has none of them.

    Raises:
        UnknownNameError: for a part that is neither role nor capability nor joint of this body.
    """
    character = body.subject.character
    skeleton, anatomy = character.skeleton, character.anatomy
    wanted = np.zeros(len(skeleton))
    for name in names:
        if anatomy is not None and name in anatomy.roles:
            wanted[anatomy.roles[name]] = 1.0
        elif anatomy is not None and anatomy.capabilities.get(name):
            wanted[list(anatomy.capabilities[name])] = 1.0
        elif name in skeleton:
            wanted[skeleton.index(name)] = 1.0
        else:
            known = () if anatomy is None else (*anatomy.roles, *anatomy.capabilities)
            raise UnknownNameError(f"{character.name!r}", "part", name, (*known, *skeleton.names))
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            wanted[joint] = max(wanted[joint], wanted[parent])
    return body.outline(with_joints=False, joints=wanted)


def with_room(setting: Setting, options: Options, width: float, height: float) -> Setting:
    """The same shot from so far that a box of ``width`` by ``height`` metres around the bodies would be seen whole."""
    assert isinstance(options.view, View)
    x, z = setting.ground.center
    low, high = (x - 0.5 * width, z - 0.5 * width), (x + 0.5 * width, z + 0.5 * width)
    level = setting.ground.height
    corners = [(a, b, c) for a in (low[0], high[0]) for b in (level, level + height) for c in (low[1], high[1])]
    points = np.concatenate([setting.points, np.array(corners)])
    camera = fit_camera(points, options.view, setting.front, options.size)
    return replace(setting, camera=camera, ground=_ground(points, level))


def ground_height(character: Character, points: FloatArray) -> float:
    """The height of the ground under a body.

    It is where the body stands at rest; or 0 for files whose rest pose hangs about the origin and whose motion lifts it
    onto the ground; or where its lowest point ever is.

    Args:
        character: the body.
        points: (N, 3) points that span it over the whole motion.
    """
    lowest, near = float(points[:, 1].min()), NEAR_GROUND * float(np.ptp(points[:, 1]))
    at_rest = float(finite_bounds(shown(bounds_of(character)))[0][1])
    stays = abs(lowest - at_rest) <= near
    if abs(lowest) <= near and not stays:
        return 0.0
    if character.anatomy is not None:
        return float(character.anatomy.ground)
    return at_rest if stays else lowest


def _place(
    bodies: Sequence[Body], outlines: Sequence[tuple[FloatArray, IntArray]], options: Options
) -> tuple[tuple[Placement, ...], FloatArray, float]:
    """Where each body stands, where they face, and the height of the ground."""
    assert isinstance(options.view, View)
    fronts = [front_of(body.subject.character) for body in bodies]
    heights = [
        ground_height(body.subject.character, points) for body, (points, _) in zip(bodies, outlines, strict=True)
    ]
    if len(bodies) == 1:
        return (STAY,), fronts[0], heights[0]
    along = camera_axes(options.view, FORWARD)[0]
    still = [points - _way(body)[when] for body, (points, when) in zip(bodies, outlines, strict=True)]
    return side_by_side(still, fronts, heights, along, true_size=options.true_size), FORWARD, 0.0


def _way(body: Body) -> FloatArray:
    """(T, 3) how far a body has come since its first frame."""
    return body.track - body.track[:1]


def _ground(points: FloatArray, height: float) -> Ground:
    low, high = points.min(axis=0), points.max(axis=0)
    radius = 0.5 * math.hypot(high[0] - low[0], high[2] - low[2])
    tall, size = float(high[1] - low[1]), float(np.max(high - low))
    center = (0.5 * float(low[0] + high[0]), 0.5 * float(low[2] + high[2]))
    # A row of bodies, or a long way, is wide: the lines should still suit one body.
    return Ground(height, center, 1.3 * radius + 1.1 * size, spacing_for(max(tall, 0.35 * size)))


def _track(
    bodies: Sequence[Body],
    placements: Sequence[Placement],
    outlines: Sequence[tuple[FloatArray, IntArray]],
    follow: bool | None,
) -> FloatArray:
    """(T, 3) the way of the camera: none, or the mean way of the bodies."""
    frames = max(len(body.subject) for body in bodies)
    ways = []
    for body, place in zip(bodies, placements, strict=True):
        way = place.scale * (_way(body) @ place.turn.T)
        ways.append(np.pad(way, ((0, frames - len(way)), (0, 0)), mode="edge"))
    track = np.mean(ways, axis=0)
    if follow is None:
        size = max(
            place.scale * float(np.ptp(points - body.track[when], axis=0).max())
            for body, place, (points, when) in zip(bodies, placements, outlines, strict=True)
        )
        follow = float(np.ptp(track, axis=0).max()) > LONG_WAY * size
    return track if follow else np.zeros_like(track)


def _swept(points: FloatArray, ground: Ground, turns: float) -> FloatArray:
    """The points, and where they come when the bodies are seen from all around."""
    if turns == 0:
        return points
    x, z = points[:, 0] - ground.center[0], points[:, 2] - ground.center[1]
    copies = []
    for angle in 2 * math.pi * np.arange(SPIN_STEPS) / SPIN_STEPS:
        cosine, sine = math.cos(angle), math.sin(angle)
        turned = ground.center[0] + cosine * x + sine * z, points[:, 1], ground.center[1] + cosine * z - sine * x
        copies.append(np.stack(turned, axis=1))
    return np.concatenate(copies)


def _require_joints(names: Sequence[str], subjects: Sequence[Subject]) -> None:
    for name in names:
        skeletons = [subject.character.skeleton for subject in subjects]
        if not any(name in skeleton for skeleton in skeletons):
            raise UnknownNameError(f"skeleton {skeletons[0].name!r}", "joint", name, skeletons[0].names)
