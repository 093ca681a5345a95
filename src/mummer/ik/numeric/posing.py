"""Where a stance puts the joints, what a step does to it, and what moving costs: the mass metric."""

from __future__ import annotations

from mummer.arrays import FloatArray, IntArray
from mummer.character.limits import BALL, FREE, PIVOT
from mummer.ik.limits import REST, allowed_angles, angles_of, axes_at, rotation_at
from mummer.ik.numeric import records as col
from mummer.ik.numeric.records import Body, Work
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Three, rotation_matrix
from mummer.kernels.vectors import (
    dot,
    exponential,
    four,
    plus,
    put_four,
    put_three,
    three,
    times,
    turned,
    unit_rotation,
)


@apart
def read_stance(body: Body, rotations: FloatArray, offsets: FloatArray, stance: FloatArray) -> None:
    """Take over a pose, rotations (J, 4) and offsets (J, 3); joints that may turn are held in their limits."""
    for joint in range(body.joints.shape[0]):
        rotation = four(rotations, joint, 0)
        put_four(stance, joint, col.LOCAL, rotation)
        put_three(stance, joint, col.ANGLE, (0.0, 0.0, 0.0))
        put_three(stance, joint, col.OFFSET, three(offsets, joint, 0))
        if body.joints[joint, col.KIND] != FREE and body.joints[joint, col.FIRST] != col.STAYS:
            bend(body, stance, joint, angles_of(joint, body.limits, rotation))


def bend(body: Body, stance: FloatArray, joint: int, angles: Three) -> None:
    """Give a limited joint its angles."""
    put_three(stance, joint, col.ANGLE, angles)
    put_four(stance, joint, col.LOCAL, rotation_at(joint, body.limits, angles))


def copy_stance(source: FloatArray, target: FloatArray) -> None:
    """Make ``target`` stand as ``source`` does."""
    for joint in range(source.shape[0]):
        for part in range(source.shape[1]):
            target[joint, part] = source[joint, part]


@apart
def place_joints(body: Body, stance: FloatArray, world: FloatArray, chosen: IntArray) -> None:
    """Fill in where the ``chosen`` joints are and how they are turned; parents first."""
    for place in range(chosen.shape[0]):
        joint = chosen[place]
        parent = body.joints[joint, col.PARENT]
        above, at = (0.0, 0.0, 0.0, 1.0), three(stance, joint, col.OFFSET)
        if parent >= 0:
            above = four(world, parent, col.TURN)
            at = plus(turned(above, at), three(world, parent, col.PLACE_AT))
        put_three(world, joint, col.PLACE_AT, at)
        put_four(world, joint, col.TURN, times(above, four(stance, joint, col.LOCAL)))


@apart
def write_columns(body: Body, stance: FloatArray, world: FloatArray) -> None:
    """Fill in the axes in the world about which joints turn when their angles change; places must be known."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        if body.joints[joint, col.FIRST] < 0:
            continue
        if body.joints[joint, col.KIND] == FREE:
            frame = four(world, joint, col.TURN)
            first, second, third = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        else:
            parent, frame = body.joints[joint, col.PARENT], four(body.limits, joint, REST)
            if parent >= 0:
                frame = times(four(world, parent, col.TURN), frame)
            first, second, third = axes_at(joint, body.limits, three(stance, joint, col.ANGLE))
        put_three(world, joint, col.COLUMN, turned(frame, first))
        put_three(world, joint, col.COLUMN + 3, turned(frame, second))
        put_three(world, joint, col.COLUMN + 6, turned(frame, third))


def dof_count(kind: int) -> int:
    """In how many ways a joint of this kind turns."""
    if kind == FREE or kind == BALL:  # noqa: SIM109
        return 3
    return 2 if kind == PIVOT else 1


@apart
def take_step(body: Body, stance: FloatArray, dofs: FloatArray) -> None:
    """Turn and move every joint by the row STEP of ``dofs``, and no joint past its limits."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        travel, first = body.joints[joint, col.TRAVEL], body.joints[joint, col.FIRST]
        if travel >= 0:
            put_three(stance, joint, col.OFFSET, plus(three(stance, joint, col.OFFSET), three(dofs, col.STEP, travel)))
        if first >= 0:
            if body.joints[joint, col.KIND] == FREE:
                moved = times(four(stance, joint, col.LOCAL), exponential(three(dofs, col.STEP, first)))
                put_four(stance, joint, col.LOCAL, unit_rotation(moved))
            else:
                for column in range(dof_count(body.joints[joint, col.KIND])):
                    stance[joint, col.ANGLE + column] += dofs[col.STEP, first + column]
                bend(body, stance, joint, allowed_angles(joint, body.limits, three(stance, joint, col.ANGLE)))


@apart
def gather_mass(body: Body, world: FloatArray, carried: FloatArray) -> None:
    """Fill ``carried`` (J, 10): moments about the world's origin of all that hangs from each joint."""
    for joint in range(body.joints.shape[0]):
        own_mass(body, world, joint, carried)
    for back in range(body.joints.shape[0]):
        joint = body.joints.shape[0] - 1 - back
        parent = body.joints[joint, col.PARENT]
        if parent >= 0:
            for part in range(10):
                carried[parent, part] += carried[joint, part]


def own_mass(body: Body, world: FloatArray, joint: int, carried: FloatArray) -> None:
    """The moments of the mass of one joint alone."""
    own, mass = four(world, joint, col.TURN), body.moments[joint, 0]
    x, y, z = plus(turned(own, three(body.moments, joint, 1)), three(world, joint, col.PLACE_AT))
    carried[joint, 0], carried[joint, 1], carried[joint, 2], carried[joint, 3] = mass, mass * x, mass * y, mass * z
    a, b, c, d, e, f, g, h, i = rotation_matrix(own[0], own[1], own[2], own[3])
    carried[joint, 4] = mass * x * x + spread_of(body.moments, joint, (a, b, c), (a, b, c))
    carried[joint, 5] = mass * y * y + spread_of(body.moments, joint, (d, e, f), (d, e, f))
    carried[joint, 6] = mass * z * z + spread_of(body.moments, joint, (g, h, i), (g, h, i))
    carried[joint, 7] = mass * x * y + spread_of(body.moments, joint, (a, b, c), (d, e, f))
    carried[joint, 8] = mass * x * z + spread_of(body.moments, joint, (a, b, c), (g, h, i))
    carried[joint, 9] = mass * y * z + spread_of(body.moments, joint, (d, e, f), (g, h, i))


def spread_of(moments: FloatArray, joint: int, a: Three, b: Three) -> float:
    """The second moments of a row of ``moments`` between the directions a and b."""
    xx, yy, zz = three(moments, joint, 4)
    xy, xz, yz = three(moments, joint, 7)
    return dot(
        a, (xx * b[0] + xy * b[1] + xz * b[2], xy * b[0] + yy * b[1] + yz * b[2], xz * b[0] + yz * b[1] + zz * b[2])
    )


@apart
def turning_mass(carried: FloatArray, joint: int, p: Three, a: Three, q: Three, b: Three) -> float:
    """∫ (a × (r - p)) · (b × (r - q)) dm over what a joint carries, kg m²."""
    mass, first = carried[joint, 0], three(carried, joint, 1)
    xx, yy, zz = three(carried, joint, 4)
    # a × u · b × v = (a · b)(u · v) - (a · v)(b · u), with u = r - p and v = r - q.
    far = xx + yy + zz - dot(first, p) - dot(first, q) + mass * dot(p, q)
    mixed = spread_of(carried, joint, a, b) - dot(a, q) * dot(b, first) - dot(b, p) * dot(a, first)
    return dot(a, b) * far - mixed - mass * dot(a, q) * dot(b, p)


@apart
def diagonal_metric(body: Body, pulls: FloatArray, restitution: float, work: Work) -> None:
    """Fill in METRIC: what each degree of freedom costs, kg m² or kg, times the pull (J,) of its joint."""
    carried, dofs = work.carried, work.dofs
    for place in range(body.used.shape[0]):
        joints, joint = body.joints, body.used[place]
        kind, first, travel = joints[joint, col.KIND], joints[joint, col.FIRST], joints[joint, col.TRAVEL]
        if travel >= 0:
            cost = pulls[joint] * max(carried[joint, 0], 1e-9)
            put_three(dofs, col.METRIC, travel, (cost, cost, cost))
        if first < 0:
            continue
        at = three(work.world, joint, col.PLACE_AT)
        for column in range(dof_count(kind)):
            axis_of = three(work.world, joint, col.COLUMN + 3 * column)
            own = turning_mass(carried, joint, at, axis_of, at, axis_of)
            dofs[col.METRIC, first + column] = pulls[joint] * (max(own, 0.0) + restitution)
        if kind == BALL:
            # One value for both parts of a swing, so that they may be measured along any two directions.
            mean = 0.5 * (dofs[col.METRIC, first] + dofs[col.METRIC, first + 1])
            dofs[col.METRIC, first], dofs[col.METRIC, first + 1] = mean, mean


def is_way(body: Body, dof: int) -> bool:
    """Whether a degree of freedom is part of a root's way."""
    travel = body.joints[body.owner[dof], col.TRAVEL]
    return travel >= 0 and dof >= travel


@apart
def equal_metric(body: Body, pulls: FloatArray, height: float, work: Work) -> None:
    """Fill in METRIC as if all turns cost the same, and a root's way by its height as much as a turn by one radian."""
    for dof in range(work.dofs.shape[1]):
        work.dofs[col.METRIC, dof] = pulls[body.owner[dof]] * (1.0 / (height * height) if is_way(body, dof) else 1.0)
