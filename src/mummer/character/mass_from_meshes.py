"""The mass of a body with a surface: the volume within it, shared out by skin weight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character.character import Character
from mummer.character.deform import deform
from mummer.character.mass import WATER, Mass
from mummer.character.mass_frames import mass_of_rest
from mummer.character.mesh import Mesh
from mummer.character.patches import cut_faces, find_borders
from mummer.character.pose import Pose
from mummer.character.solids import Moments, capsule_moments, polyhedron_moments, summed
from mummer.errors import InputError
from mummer.report import Report, ReportBuilder

MOST = 1.02
"""A volume beyond this many times that of its convex hull counts something twice: clothes over skin, say."""
ROUNDING = 1e-9
NAMED = 6  # joints that a finding names before it only counts them
"""A part of the fitted volume below which a volume is nothing but rounding."""
LEAST = 0.3
"""A volume below this part of that of the fitted capsule is not believed where the surface has holes."""


@dataclass(frozen=True, eq=False)
class _Surface:
    """All meshes of a body at rest as one surface, with vertices at the same place made one.

    Attributes:
        points: (N, 3) world, metres.
        triangles: (F, 3).
        labels: (F,) the joint that carries each triangle.
    """

    points: FloatArray
    triangles: IntArray
    labels: IntArray


def mass_from_meshes(character: Character, *, density: float = WATER) -> tuple[Mass, Report]:
    """The mass within the surface of ``character`` at rest, and what had to be guessed.

    The surface is cut between joints, each piece closed, and its volume integrated exactly. Where that gives nothing
    sensible (a piece that is open, turned inside out or doubled), a capsule fitted to the piece stands in.

    Args:
        character: a body with meshes.
        density: kilograms a cubic metre.

    Raises:
        InputError: if there is no surface.
    """
    surface = _surface_of(character)
    if not len(surface.triangles):
        raise InputError(f"character {character.name!r} has no surface; use Mass.from_capsules")
    count, report = len(character.skeleton), ReportBuilder()
    moments, has_hole = _piece_moments(surface, count)
    capsules = _fitted_capsules(surface, count)
    if moments.volumes.sum() < -ROUNDING * capsules.volumes.sum():
        report.add("repaired", "the surface is turned inside out; its volume is counted as positive")
        moments = Moments(-moments.volumes, moments.centers, -moments.seconds)
    doubtful = _is_doubtful(moments, capsules, has_hole, _hull_volumes(surface, count))
    doubtful |= _is_outside(moments.centers, surface)
    names = [character.skeleton.names[joint] for joint in np.flatnonzero(doubtful)]
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        listed = ", ".join(names[:NAMED])
        report.add("guessed", f"capsules stand in for joints whose surface encloses no sensible volume: {listed}{more}")
    return mass_of_rest(character.skeleton, _chosen(doubtful, capsules, moments), density), report.build()


def _surface_of(character: Character) -> _Surface:
    """The surface at rest. Triangles with a corner that is not a number are left out."""
    bent = deform(character, Pose.rest(character.skeleton), with_normals=False)
    points: list[FloatArray] = [np.zeros((0, 3))]
    triangles: list[IntArray] = [np.zeros((0, 3), np.int64)]
    labels: list[IntArray] = [np.zeros(0, np.int64)]
    start = 0
    for mesh, shape in zip(character.meshes, bent, strict=True):
        points.append(shape.positions)
        triangles.append(mesh.triangles + start)
        labels.append(_carriers(mesh))
        start += len(shape.positions)
    places, corners, carriers = np.concatenate(points), np.concatenate(triangles), np.concatenate(labels)
    whole = np.isfinite(places)[corners].all(axis=(1, 2))
    return _welded(np.nan_to_num(places, posinf=0, neginf=0), corners[whole], carriers[whole])


def _carriers(mesh: Mesh) -> IntArray:
    """(F,) the joint that carries each triangle: the one that two corners agree on, else the strongest."""
    if not len(mesh.triangles):
        return np.zeros(0, np.int64)
    strongest = mesh.skin.weights.argmax(axis=1)
    rows = np.arange(len(strongest))
    joints = mesh.skin.joints[mesh.skin.indices[rows, strongest]][mesh.triangles]
    weights = mesh.skin.weights[rows, strongest][mesh.triangles]
    votes = np.stack([weights.sum(axis=1, where=joints == joints[:, [corner]]) for corner in range(3)], axis=1)
    return np.asarray(joints[np.arange(len(joints)), votes.argmax(axis=1)], np.int64)


def _welded(points: FloatArray, triangles: IntArray, labels: IntArray) -> _Surface:
    """The surface with vertices closer than a hundred-thousandth of its size made one, and flat triangles dropped."""
    step = 1e-5 * max(float(np.ptp(points, axis=0).max()), 1e-12) if len(points) else 1.0
    cells = np.round((points - points.min(axis=0, initial=0)) / step).astype(np.int64)
    _, first, place = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    corners = place.reshape(-1)[triangles]
    proper = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
    return _Surface(points[first], corners[proper], labels[proper])


def _piece_moments(surface: _Surface, count: int) -> tuple[Moments, BoolArray]:
    """The moments of each joint's piece of the surface, closed, and (count,) whether it had a hole."""
    borders = find_borders(surface.triangles, surface.labels)
    faces, labels, weights = cut_faces(surface.points, borders)
    moments = polyhedron_moments(
        np.concatenate([surface.points[surface.triangles], faces]),
        np.concatenate([surface.labels, labels]),
        count,
        weights=np.concatenate([np.ones(len(surface.triangles)), weights]),
    )
    open_labels = borders.labels[borders.is_open[borders.rows]]
    return moments, np.bincount(open_labels, minlength=count) > 0


def _fitted_capsules(surface: _Surface, count: int) -> Moments:
    """A capsule along the longest direction of each joint's piece, as thick as the piece is on average."""
    corners = surface.points[surface.triangles]
    centers = corners.mean(axis=1)
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) + 1e-300
    labels = surface.labels
    total = np.maximum(np.bincount(labels, areas, count), 1e-300)
    middles = summed(centers * areas[:, None], labels, count) / total[:, None]
    away = centers - middles[labels]
    spread = summed(areas[:, None, None] * away[:, :, None] * away[:, None, :], labels, count)
    axes = np.linalg.eigh(spread)[1][..., 2]
    along = np.vecdot(away, axes[labels])
    across = np.linalg.norm(away - along[:, None] * axes[labels], axis=1)
    radii = np.bincount(labels, areas * across, count) / total
    lowest, highest = np.zeros(count), np.zeros(count)
    np.minimum.at(lowest, labels, along)
    np.maximum.at(highest, labels, along)
    return capsule_moments(middles + lowest[:, None] * axes, middles + highest[:, None] * axes, radii)


def _hull_volumes(surface: _Surface, count: int) -> FloatArray:
    """(count,) cubic metres of the convex hull of each joint's piece of the surface; 0 where that is flat."""
    from scipy.spatial import ConvexHull, QhullError

    volumes = np.zeros(count)
    for joint in np.unique(surface.labels):
        try:
            volumes[joint] = ConvexHull(surface.points[np.unique(surface.triangles[surface.labels == joint])]).volume
        except QhullError:
            volumes[joint] = 0.0
    return volumes


def _is_doubtful(moments: Moments, capsules: Moments, has_hole: BoolArray, hulls: FloatArray) -> BoolArray:
    """(J,) whether the enclosed volume of a joint that has a surface is not to be believed."""
    has_surface = capsules.volumes > 0
    smallest = np.where(has_hole, LEAST, ROUNDING) * capsules.volumes
    believed = (moments.volumes > smallest) & (moments.volumes <= MOST * hulls)
    # Where a piece folds over itself, its second moment can be negative though its volume is not.
    spread = np.linalg.eigvalsh(np.where(believed[:, None, None], moments.seconds, np.eye(3)))
    return has_surface & ~(believed & (spread[:, 0] > 0))


def _is_outside(centers: FloatArray, surface: _Surface) -> BoolArray:
    """(J,) whether a centre lies outside the box around its joint's piece of the surface, where it has one."""
    low, high = np.full(centers.shape, np.inf), np.full(centers.shape, -np.inf)
    corners = surface.points[surface.triangles]
    np.minimum.at(low, surface.labels, corners.min(axis=1))
    np.maximum.at(high, surface.labels, corners.max(axis=1))
    return np.asarray((high >= low).all(axis=1) & ((centers < low) | (centers > high)).any(axis=1))


def _chosen(choice: BoolArray, yes: Moments, no: Moments) -> Moments:
    """Of each pair of solids, that of ``yes`` where ``choice`` (J,) holds, else that of ``no``."""
    return Moments(
        np.where(choice, yes.volumes, no.volumes),
        np.where(choice[:, None], yes.centers, no.centers),
        np.where(choice[:, None, None], yes.seconds, no.seconds),
    )
