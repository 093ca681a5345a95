"""Everything that stays the same through a shot: who stands where, the ground, the camera that sees it all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character
from mummer.errors import UnknownNameError
from mummer.render.body import Body
from mummer.render.camera import Camera, camera_axes, fit_camera
from mummer.render.ground import Ground, spacing_for
from mummer.render.options import Options
from mummer.render.placement import STAY, Placement, side_by_side
from mummer.render.subject import Subject
from mummer.render.surface import Shape, Surface, join_parts
from mummer.render.view import View, front_of

FORWARD = np.array([0.0, 0.0, 1.0])
LONG_WAY = 2.0
"""Ways longer than this many sizes of the body are followed."""


@dataclass(frozen=True, eq=False)
class Setting:
    """A shot made ready.

    Attributes:
        bodies: who is shown.
        placements: where each stands.
        surface: what all of them look like together.
        camera: for the first frame.
        ground: for the first frame, or None.
        track: (T, 3) how far the camera has travelled at each frame.
        size: metres that the bodies measure at most.
        below: height of the ground, whether drawn or not.
    """

    bodies: tuple[Body, ...]
    placements: tuple[Placement, ...]
    surface: Surface
    camera: Camera
    ground: Ground | None
    track: FloatArray
    size: float
    below: float

    def __len__(self) -> int:
        return len(self.track)

    def camera_at(self, frame: int) -> Camera:
        """The camera, as far as it has travelled."""
        return self.camera.moved(self.track[frame])

    def ground_at(self, frame: int) -> Ground | None:
        """The ground, its middle where the camera looks."""
        if self.ground is None:
            return None
        x, _, z = self.track[frame]
        return replace(self.ground, center=(self.ground.center[0] + x, self.ground.center[1] + z))

    def shapes(self, frames: Sequence[int]) -> Iterator[Shape]:
        """The shape of all bodies together at some frames; one whose motion is over keeps its last pose."""
        flows = [body.shapes(frames) for body in self.bodies]
        for shapes in zip(*flows, strict=True):
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
    bodies = tuple(Body(subject, options.method, options.look) for subject in subjects)
    outlines = [body.outline(with_joints=bool(options.skeleton or options.names)) for body in bodies]
    fronts = [front_of(subject.character) for subject in subjects]
    grounds = [
        ground_height(body.subject.character, points) for body, (points, _) in zip(bodies, outlines, strict=True)
    ]
    assert isinstance(options.view, View)
    placements: tuple[Placement, ...] = (STAY,)
    front, below = fronts[0], grounds[0]
    if len(bodies) > 1:
        along = camera_axes(options.view, FORWARD)[0]
        still = [points - body.track[when] for body, (points, when) in zip(bodies, outlines, strict=True)]
        placements = side_by_side(still, fronts, grounds, along, true_size=options.true_size)
        front, below = FORWARD, 0.0
    track = _track(bodies, placements, outlines, options.follow)
    seen = [place.points(points) - track[when] for place, (points, when) in zip(placements, outlines, strict=True)]
    points = np.concatenate(seen)
    camera = fit_camera(points, options.view, front, options.size)
    size = max(float(np.ptp(each, axis=0).max()) for each in seen)
    ground = _ground(points, below) if options.ground else None
    surface = join_parts([part for body in bodies for part in body.parts])
    return Setting(bodies, placements, surface, camera, ground, track, size, below)


def ground_height(character: Character, points: FloatArray) -> float:
    """The height of the ground under a body.

    Its anatomy says it; else it is 0 if the body comes near that, else where its lowest point ever is.

    Args:
        character: the body.
        points: (N, 3) points that span it over the whole motion.
    """
    if character.anatomy is not None:
        return float(character.anatomy.ground)
    lowest = float(points[:, 1].min())
    return 0.0 if abs(lowest) <= 0.25 * float(np.ptp(points[:, 1])) else lowest


def _ground(points: FloatArray, height: float) -> Ground:
    low, high = points.min(axis=0), points.max(axis=0)
    radius = 0.5 * math.hypot(high[0] - low[0], high[2] - low[2])
    tall = float(np.ptp(points, axis=0).max())
    center = (0.5 * float(low[0] + high[0]), 0.5 * float(low[2] + high[2]))
    return Ground(height, center, 1.3 * radius + 1.1 * tall, spacing_for(tall))


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
        way = place.points(body.track)
        ways.append(np.pad(way - way[:1], ((0, frames - len(way)), (0, 0)), mode="edge"))
    track = np.mean(ways, axis=0)
    if follow is None:
        size = max(
            place.scale * float(np.ptp(points - body.track[when], axis=0).max())
            for body, place, (points, when) in zip(bodies, placements, outlines, strict=True)
        )
        follow = float(np.ptp(track, axis=0).max()) > LONG_WAY * size
    return track if follow else np.zeros_like(track)


def _require_joints(names: Sequence[str], subjects: Sequence[Subject]) -> None:
    for name in names:
        skeletons = [subject.character.skeleton for subject in subjects]
        if not any(name in skeleton for skeleton in skeletons):
            raise UnknownNameError(f"skeleton {skeletons[0].name!r}", "joint", name, skeletons[0].names)
