"""Eyes: balls with iris and pupil that turn with their joints, and lids that slide over them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.zoo.arguments import IntegerArray
from mummer.zoo.geometry import cross, unit
from mummer.zoo.patch import Patch, carried_by, merged
from mummer.zoo.plan import Plan
from mummer.zoo.recipe import Eye
from mummer.zoo.sides import swap_sides
from mummer.zoo.tubes import smooth_normals

LID_RADIUS = 1.15
"""In eye radii: far enough out that a lid half closed, moving on a straight line, still clears the ball."""
CORNER = 68.0
"""Degrees from the middle of the eye to where the lids meet."""
AROUND = 18
PUPIL, IRIS, WHITE, GLINT = 0, 1, 2, 3


@dataclass(frozen=True, eq=False)
class Ball:
    """An eyeball of radius one that looks along +Z.

    Attributes:
        points, normals: (V, 3).
        triangles: (F, 3).
        colors: (V,) PUPIL, IRIS, WHITE or GLINT.
        shades: (V,) factor of brightness.
    """

    points: FloatArray
    normals: FloatArray
    triangles: IntegerArray
    colors: IntegerArray
    shades: FloatArray


@lru_cache(maxsize=64)
def eyeball(iris_size: float, pupil_shape: tuple[float, float]) -> Ball:
    """An eyeball with an iris of this many degrees and a pupil of this half-width and half-height."""
    turns = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    iris = np.full(AROUND, np.radians(iris_size))
    pupil = iris / np.sqrt((np.cos(turns) / pupil_shape[0]) ** 2 + (np.sin(turns) / pupil_shape[1]) ** 2)
    # Colour edges are two rings in the same place, so that they stay crisp.
    rings = [(0.02 * pupil, PUPIL), (0.6 * pupil, PUPIL), (pupil, PUPIL), (pupil, IRIS), (iris, IRIS), (iris, WHITE)]
    rings += [(np.full(AROUND, angle), WHITE) for angle in np.linspace(iris[0] + 0.18, np.pi - 0.02, 6)]
    polar = np.array([angles for angles, _ in rings])
    points = np.stack([np.sin(polar) * np.cos(turns), np.sin(polar) * np.sin(turns), np.cos(polar)], axis=-1)
    points = points.reshape(-1, 3)
    colors = np.repeat([color for _, color in rings], AROUND)
    shades = np.repeat([0.55 if place == 3 else 1.0 for place in range(len(rings))], AROUND)
    glint, glint_triangles = _glint(len(points))
    return Ball(
        np.concatenate([points, glint]),
        np.concatenate([points, np.tile(glint[-1:] / np.linalg.norm(glint[-1]), (len(glint), 1))]),
        np.concatenate([_rings(len(rings), AROUND), glint_triangles]),
        np.concatenate([colors, np.full(len(glint), GLINT)]),
        np.concatenate([shades, np.ones(len(glint))]),
    )


def _glint(start: int) -> tuple[FloatArray, IntegerArray]:
    """A small bright disc up and to the side of the pupil: it makes an eye look alive."""
    middle = unit((0.16, 0.22, 1.0))
    left = unit(cross((0.0, 1.0, 0.0), middle))
    up = cross(middle, left)
    turns = np.linspace(0, 2 * np.pi, 7, endpoint=False)[:, None]
    ring = middle + 0.1 * (np.cos(turns) * left + np.sin(turns) * np.array(up))
    corner = np.arange(7)
    triangles = np.stack([np.full(7, 7), corner, (corner + 1) % 7], 1) + start
    return 1.015 * np.concatenate([ring, np.array([middle])]), triangles


def _rings(rings: int, around: int) -> IntegerArray:
    ring, corner = np.meshgrid(np.arange(rings - 1), np.arange(around), indexing="ij")
    a, b = ring * around + corner, ring * around + (corner + 1) % around
    c, d = a + around, b + around
    return np.concatenate([np.stack([a, c, b], -1).reshape(-1, 3), np.stack([b, c, d], -1).reshape(-1, 3)])


def eye_patch(plan: Plan) -> Patch | None:
    """All eyeballs of a body, each carried by its joint."""
    if not plan.recipe.eye:
        return None
    return merged("eyes", [_eye(plan, eye) for eye in plan.recipe.eye], roughness=0.12)


def _eye(plan: Plan, eye: Eye) -> Patch:
    if not eye.radius > 0 or not 0 < eye.iris_size < 90 or not min(eye.pupil_shape) > 0:
        raise InputError(
            f"recipe {plan.recipe.name!r}, eye {eye.joint!r}: radius, iris_size and pupil_shape must be above zero, "
            "and iris_size below 90"
        )
    ball, frame = eyeball(eye.iris_size, eye.pupil_shape), eye_frame(eye)
    palette = np.array([plan.color(eye.pupil), plan.color(eye.iris), plan.color(eye.sclera), (1.0, 1.0, 1.0)])
    indices, weights = carried_by(plan.index[eye.joint], len(ball.points))
    return Patch(
        "eyes",
        np.asarray(eye.center) + eye.radius * (ball.points @ frame),
        ball.normals @ frame,
        ball.triangles,
        indices,
        weights,
        palette[ball.colors] * ball.shades[:, None],
    )


def eye_frame(eye: Eye) -> FloatArray:
    """(3, 3) rows: the eye's left, up and forward at rest."""
    forward = unit(eye.gaze)
    left = unit(cross((0.0, 1.0, 0.0) if abs(forward[1]) < 0.95 else (0.0, 0.0, -1.0), forward))
    return np.array([left, cross(forward, left), forward])


def blink_name(joint: str) -> str:
    """The morph that closes an eye: ``blink_left``, ``blink_right``, or ``blink`` for one in the middle."""
    words = [word for word in joint.split("_") if word in ("left", "right")]
    return f"blink_{words[-1]}" if words and swap_sides(joint) != joint else "blink"


@dataclass(frozen=True, eq=False)
class Lid:
    """A lid of an eye of radius one that looks along +Z.

    Attributes:
        opened, closed: (V, 3) where its points are.
        normals: (V, 3) when open.
        triangles: (F, 3).
        shades: (V,) factor of brightness; the rim is dark, as lashes are.
    """

    opened: FloatArray
    closed: FloatArray
    normals: FloatArray
    triangles: IntegerArray
    shades: FloatArray


@lru_cache(maxsize=128)
def eyelid(upper_edge: float, lower_edge: float, upper: bool) -> Lid:
    """A part of a sphere from behind the eye to the lid's edge, and a rim that folds inwards.

    Args:
        upper_edge: degrees up to the edge of the upper lid.
        lower_edge: degrees up (below zero) to the edge of the lower lid.
        upper: which of the two is wanted.
    """
    across = np.linspace(-100.0, 100.0, 17)
    bow = np.sqrt(np.clip(1.0 - (across / CORNER) ** 2, 0.0, 1.0))
    edge = (upper_edge if upper else lower_edge) * bow
    shut = 0.45 * lower_edge * bow
    rows = np.array([0.0, 0.3, 0.55, 0.75, 0.9, 1.0, 1.0])[:, None]
    radii = np.array([LID_RADIUS] * 6 + [1.005])[:, None]
    far = 105.0 if upper else -105.0
    opened = _on_ball(across, far + rows * (edge - far), radii)
    closed = _on_ball(across, far + rows * (shut - far), radii)
    row, column = np.meshgrid(np.arange(len(rows) - 1), np.arange(len(across) - 1), indexing="ij")
    a, b = row * len(across) + column, row * len(across) + column + 1
    c, d = a + len(across), b + len(across)
    faces = [(a, c, b), (b, c, d)] if upper else [(a, b, c), (b, d, c)]
    triangles = np.concatenate([np.stack(face, -1).reshape(-1, 3) for face in faces])
    shades = np.ones(len(opened))
    shades[-len(across) :] = 0.45
    return Lid(opened, closed, smooth_normals(opened, triangles), triangles, shades)


def _on_ball(across: FloatArray, up: FloatArray, radii: FloatArray) -> FloatArray:
    """(V, 3) points at angles across and up in degrees around an eye that looks along +Z."""
    side, high = np.radians(across)[None, :] * np.ones_like(up), np.radians(up)
    directions = np.stack([np.cos(high) * np.sin(side), np.sin(high), np.cos(high) * np.cos(side)], axis=-1)
    points: FloatArray = (radii[..., None] * directions).reshape(-1, 3)
    return points


def lid_patch(plan: Plan) -> Patch | None:
    """All lids of a body, carried by what the eyes hang from, with the shapes that close them."""
    lids = [
        _lid(plan, eye, eyelid(eye.lids[0], eye.lids[1], upper))
        for eye in plan.recipe.eye
        for upper in (True, False)
        if _has_lids(plan, eye)
    ]
    return merged("lids", lids) if lids else None


def _has_lids(plan: Plan, eye: Eye) -> bool:
    if eye.lids and (len(eye.lids) != 2 or not -90 < eye.lids[1] < 0 < eye.lids[0] < 90):
        raise InputError(
            f"recipe {plan.recipe.name!r}, eye {eye.joint!r}: lids are {eye.lids}; "
            "expected degrees of the upper edge (0 to 90) and of the lower (-90 to 0)"
        )
    return bool(eye.lids)


def _lid(plan: Plan, eye: Eye, lid: Lid) -> Patch:
    frame = eye_frame(eye)
    indices, weights = carried_by(plan.index[eye.parent], len(lid.opened))
    return Patch(
        "lids",
        np.asarray(eye.center) + eye.radius * (lid.opened @ frame),
        lid.normals @ frame,
        lid.triangles,
        indices,
        weights,
        np.array(plan.color(eye.lid_color)) * lid.shades[:, None],
        shapes={blink_name(eye.joint): eye.radius * ((lid.closed - lid.opened) @ frame)},
    )
