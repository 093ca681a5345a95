"""The mass metric: what it costs to move each degree of freedom, from the mass that moves with it."""

from __future__ import annotations

from mummer.arrays import FloatArray
from mummer.ik.numeric.arguments import Body, Masses, World
from mummer.ik.numeric.posing import dof_count
from mummer.ik.numeric.turns import rotated
from mummer.kernels.scalars import rotation_matrix


def gather_mass(body: Body, masses: Masses, world: World, carried: FloatArray) -> None:
    """Fill ``carried`` (J, 10): mass, first and second moments about the origin of all that hangs from each joint.

    The second moments are xx, yy, zz, xy, xz, yz, kg m², in the world's axes.
    """
    for joint in range(body.parents.shape[0]):
        own_mass(masses, world, joint, carried)
    for back in range(body.parents.shape[0]):
        joint = body.parents.shape[0] - 1 - back
        parent = body.parents[joint]
        if parent >= 0:
            for part in range(10):
                carried[parent, part] += carried[joint, part]


def own_mass(masses: Masses, world: World, joint: int, carried: FloatArray) -> None:
    """The moments of the mass of one joint alone."""
    rotations, positions, centers, seconds = world.rotations, world.positions, masses.centers, masses.seconds
    own = (rotations[joint, 0], rotations[joint, 1], rotations[joint, 2], rotations[joint, 3])
    x, y, z = rotated(own, (centers[joint, 0], centers[joint, 1], centers[joint, 2]))
    x, y, z = x + positions[joint, 0], y + positions[joint, 1], z + positions[joint, 2]
    mass = masses.masses[joint]
    m = rotation_matrix(own[0], own[1], own[2], own[3])
    carried[joint, 0], carried[joint, 1], carried[joint, 2], carried[joint, 3] = mass, mass * x, mass * y, mass * z
    place = (x, y, z)
    for part in range(6):
        row = (0, 1, 2, 0, 0, 1)[part]
        column = (0, 1, 2, 1, 2, 2)[part]
        total = mass * place[row] * place[column]
        for i in range(3):
            for k in range(3):
                total += m[3 * row + i] * seconds[joint, i, k] * m[3 * column + k]
        carried[joint, 4 + part] = total


def inertia_about(carried: FloatArray, joint: int, x: float, y: float, z: float, axis: FloatArray) -> float:
    """The moment of inertia of what a joint carries about ``axis`` (3,) through xyz, kg m²; not only unit axes."""
    mass, mx, my, mz = carried[joint, 0], carried[joint, 1], carried[joint, 2], carried[joint, 3]
    xx = carried[joint, 4] - 2.0 * x * mx + mass * x * x
    yy = carried[joint, 5] - 2.0 * y * my + mass * y * y
    zz = carried[joint, 6] - 2.0 * z * mz + mass * z * z
    xy = carried[joint, 7] - x * my - y * mx + mass * x * y
    xz = carried[joint, 8] - x * mz - z * mx + mass * x * z
    yz = carried[joint, 9] - y * mz - z * my + mass * y * z
    a, b, c = axis[0], axis[1], axis[2]
    spread = a * (xx * a + xy * b + xz * c) + b * (xy * a + yy * b + yz * c) + c * (xz * a + yz * b + zz * c)
    return (xx + yy + zz) * (a * a + b * b + c * c) - spread


def diagonal_metric(
    body: Body, world: World, carried: FloatArray, pull: FloatArray, restitution: float, metric: FloatArray
) -> None:
    """Fill ``metric`` (D,): what each degree of freedom costs, kg m² or kg, times the ``pull`` (J,) of its joint."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first, travel = body.first[joint], body.travel[joint]
        if travel >= 0:
            for axis in range(3):
                metric[travel + axis] = pull[joint] * max(carried[joint, 0], 1e-9)
        if first < 0:
            continue
        x, y, z = world.positions[joint, 0], world.positions[joint, 1], world.positions[joint, 2]
        for column in range(dof_count(body.kinds[joint])):
            own = inertia_about(carried, joint, x, y, z, world.columns[joint, column])
            metric[first + column] = pull[joint] * (max(own, 0.0) + restitution)
        if body.kinds[joint] == 3:
            # One value for both parts of a swing, so that they may be measured along any two directions.
            mean = 0.5 * (metric[first] + metric[first + 1])
            metric[first], metric[first + 1] = mean, mean
