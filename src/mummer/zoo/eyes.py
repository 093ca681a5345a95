"""Eyes: balls with iris and pupil that turn with their joints, and lids that slide over them."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.zoo.arguments import IntegerArray
from mummer.zoo.geometry import unit
from mummer.zoo.patch import Patch, carried_by, smooth_normals
from mummer.zoo.plan import Plan
from mummer.zoo.recipe import Eye
from mummer.zoo.sides import swap_sides

LID_RADIUS = 1.15
"""In eye radii: far enough out that a lid half closed, moving on a straight line, still clears the ball."""
CORNER = 68.0
"""Degrees from the middle of the eye to where the lids meet."""


def eye_patch(plan: Plan, eye: Eye, *, around: int = 20) -> Patch:
    """The ball of one eye, carried by its joint."""
    frame = eye_frame(eye)
    iris = np.radians(eye.iris_size)
    colors = [plan.color(eye.pupil), plan.color(eye.iris), plan.color(eye.sclera)]
    wide, high = eye.pupil_shape
    turns = np.linspace(0, 2 * np.pi, around, endpoint=False)
    pupil = iris / np.sqrt((np.cos(turns) / wide) ** 2 + (np.sin(turns) / high) ** 2)
    # Colour edges are two rings in the same place, so that they stay crisp.
    rings = [(0.02 * pupil, 0), (0.6 * pupil, 0), (pupil, 0), (pupil, 1), (0.0 * pupil + iris, 1), (0.0 * pupil + iris, 2)]
    rings += [(0.0 * pupil + angle, 2) for angle in np.linspace(iris + 0.18, np.pi - 0.02, 7)]
    polar = np.array([angles for angles, _ in rings])
    directions = (
        np.cos(polar)[..., None] * frame[2]
        + (np.sin(polar) * np.cos(turns))[..., None] * frame[0]
        + (np.sin(polar) * np.sin(turns))[..., None] * frame[1]
    ).reshape(-1, 3)
    shades = np.repeat(np.array([colors[number] for _, number in rings]), around, axis=0)
    dark = np.repeat(np.array([0.55 if place == 3 else 1.0 for place in range(len(rings))]), around)
    glint, glint_triangles = _glint(frame, len(directions))
    positions = np.asarray(eye.center) + eye.radius * np.concatenate([directions, glint])
    triangles = np.concatenate([_rings(len(rings), around), glint_triangles])
    normals = np.concatenate([directions, np.repeat(unit(glint.mean(axis=0))[None], len(glint), axis=0)])
    shades = np.concatenate([shades * dark[:, None], np.ones((len(glint), 3))])
    indices, weights = carried_by(plan.index[eye.joint], len(positions))
    return Patch("eyes", positions, normals, triangles, indices, weights, shades, 0.15)


def eye_frame(eye: Eye) -> FloatArray:
    """(3, 3) rows: the eye's left, up and forward at rest."""
    forward = unit(eye.gaze)
    guess = np.array([0.0, 1.0, 0.0]) if abs(forward[1]) < 0.95 else np.array([0.0, 0.0, -1.0])
    left = unit(np.cross(guess, forward))
    return np.stack([left, np.cross(forward, left), forward])


def _glint(frame: FloatArray, start: int) -> tuple[FloatArray, IntegerArray]:
    """A small bright disc up and to the side of the pupil: it makes an eye look alive."""
    middle = unit(frame[2] + 0.22 * frame[1] + 0.16 * frame[0])
    left = unit(np.cross(frame[1], middle))
    up = np.cross(middle, left)
    turns = np.linspace(0, 2 * np.pi, 7, endpoint=False)
    ring = middle + 0.1 * (np.cos(turns)[:, None] * left + np.sin(turns)[:, None] * up)
    disc = 1.015 * np.concatenate([ring, middle[None]])
    corner = np.arange(7)
    return disc, np.stack([np.full(7, 7), corner, (corner + 1) % 7], 1) + start


def _rings(rings: int, around: int) -> IntegerArray:
    ring, corner = np.meshgrid(np.arange(rings - 1), np.arange(around), indexing="ij")
    a, b = ring * around + corner, ring * around + (corner + 1) % around
    c, d = a + around, b + around
    return np.concatenate([np.stack([a, c, b], -1).reshape(-1, 3), np.stack([b, c, d], -1).reshape(-1, 3)])


def blink_name(joint: str) -> str:
    """The morph that closes an eye: ``blink_left``, ``blink_right``, or ``blink`` for one in the middle."""
    words = [word for word in joint.split("_") if word in ("left", "right")]
    return f"blink_{words[-1]}" if words and swap_sides(joint) != joint else "blink"


def lid_patches(plan: Plan, eye: Eye) -> list[Patch]:
    """The upper and the lower lid of one eye, carried by its parent, with the shape that closes them."""
    if len(eye.lids) != 2:
        return []
    return [_lid(plan, eye, upper=True), _lid(plan, eye, upper=False)]


def _lid(plan: Plan, eye: Eye, *, upper: bool) -> Patch:
    """A part of a sphere from behind the eye to the lid's edge, and a rim that folds inwards."""
    across = np.linspace(-100.0, 100.0, 19)
    bow = np.sqrt(np.clip(1.0 - (across / CORNER) ** 2, 0.0, 1.0))
    edge = (eye.lids[0] if upper else eye.lids[1]) * bow
    shut = 0.45 * eye.lids[1] * bow
    rows = np.array([0.0, 0.3, 0.55, 0.75, 0.9, 1.0, 1.0])[:, None]
    radii = np.array([LID_RADIUS] * 6 + [1.005])[:, None] * np.ones(len(across))
    far = 105.0 if upper else -105.0
    opened = _on_ball(eye, across, far + rows * (edge - far), radii)
    closed = _on_ball(eye, across, far + rows * (shut - far), radii)
    row, column = np.meshgrid(np.arange(len(rows) - 1), np.arange(len(across) - 1), indexing="ij")
    a, b = row * len(across) + column, row * len(across) + column + 1
    c, d = a + len(across), b + len(across)
    faces = [(a, c, b), (b, c, d)] if upper else [(a, b, c), (b, d, c)]
    triangles = np.concatenate([np.stack(face, -1).reshape(-1, 3) for face in faces])
    indices, weights = carried_by(plan.index[eye.parent], len(opened))
    colors = np.repeat(np.array([plan.color(eye.lid_color)]), len(opened), axis=0)
    colors[-len(across) :] *= 0.45
    normals = smooth_normals(opened, triangles)
    shapes = {blink_name(eye.joint): closed - opened}
    return Patch("lids", opened, normals, triangles, indices, weights, colors, shapes=shapes)


def _on_ball(eye: Eye, across: FloatArray, up: FloatArray, radii: FloatArray) -> FloatArray:
    """(V, 3) points around an eye at angles across and up in degrees, at radii in parts of the eye's."""
    frame = eye_frame(eye)
    side, high = np.radians(across)[None, :] * np.ones_like(up), np.radians(up)
    directions = (
        (np.cos(high) * np.sin(side))[..., None] * frame[0]
        + np.sin(high)[..., None] * frame[1]
        + (np.cos(high) * np.cos(side))[..., None] * frame[2]
    )
    points: FloatArray = (np.asarray(eye.center) + eye.radius * radii[..., None] * directions).reshape(-1, 3)
    return points
