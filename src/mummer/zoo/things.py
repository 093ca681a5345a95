"""Things: balls and boxes. Each is a body of one joint with a surface, so that all that moves bodies moves it too."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character import Anatomy, Character, Mass, Material, Mesh, Skeleton, Skin, Socket
from mummer.errors import InputError

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
