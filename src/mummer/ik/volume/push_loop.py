"""The hot loop that turns joints until parts no longer overlap: the deepest overlap first, again and again."""

from __future__ import annotations

import math

from mummer.ik.volume.capsule_loops import direction_or_up, nearest_on_lines, nearest_share
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Floats4, Output3, Output4, Parents
from mummer.kernels.fk_rigid import pose_frame
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Three, multiply_quaternions, rotate

LARGEST_TURN = 0.35
"""Radians that a joint turns in one step at most."""
SHORT_LEVER = 0.02
"""Metres."""
STEEPEST = 0.4
"""A way out counts as at least this part of the shortest way out of a single overlap."""
ROUNDS = 2


def capsule_end(
    frame: int, capsule: int, end: int, joints: Parents, ends: Floats3, where: Floats3, turn: Floats3
) -> Three:
    """The end of a capsule in the world."""
    joint = joints[capsule]
    x, y, z = rotate(
        turn[frame, joint, 0], turn[frame, joint, 1], turn[frame, joint, 2], turn[frame, joint, 3],
        ends[capsule, end, 0], ends[capsule, end, 1], ends[capsule, end, 2],
    )  # fmt: skip
    return where[frame, joint, 0] + x, where[frame, joint, 1] + y, where[frame, joint, 2] + z


@kernel(on_cuda=False)
def push_apart(
    frame: int,
    parents: Parents,
    offsets: Floats3,
    root: Floats2,
    weights: Floats1,
    hinges: Floats2,
    joints: Parents,
    ends: Floats3,
    radii: Floats2,
    first: Parents,
    second: Parents,
    trims: Floats3,
    wanted: Floats1,
    sides: Floats3,
    ways: Floats3,
    limbs: Parents,
    movers: Parents,
    goal_joints: Parents,
    goal_points: Floats2,
    goal_places: Floats3,
    goal_on: Floats2,
    most: Count,
    placed: Output4,
    turned: Output3,
    where: Output3,
    turn: Output3,
) -> None:
    """One item is one frame. ``turned`` (T, J, 4) holds the local rotations and takes the result.

    Args:
        frame: the frame.
        parents: (J,).
        offsets: (1 or T, J, 3) local translations.
        root: (T, 3).
        weights: (J,) how willingly joints turn, zero for those that may not.
        hinges: (J, 3) the axis, in the joint's own frame, of joints that turn about one only, else zero.
        joints: (C,) of the capsules.
        ends: (C, 2, 3).
        radii: (C, 2).
        first: (P,).
        second: (P,) capsules of each pair.
        trims: (P, 2, 2) the part of both axes that counts.
        wanted: (P,) metres that their surfaces shall be apart; negative where flesh gives.
        sides: (T, P, 3) the side on which the first shall stay of the second.
        ways: (T, J, 3) the way out of a limb that neighbouring frames suggest, by its topmost joint, metres.
        limbs: (C,) the limb that each capsule is of.
        movers: (P,) the limb of each pair that makes way.
        goal_joints: (G,) joints that have a place to be at.
        goal_points: (G, 3) the points of these joints.
        goal_places: (T, G, 3) the places in the world.
        goal_on: (T, G) one where the goal holds, else zero.
        most: steps.
        placed: (T, C, 2, 3) room for the capsules in the world.
        turned: the local rotations, which change.
        where: (T, J, 3) room for places of joints.
        turn: (T, J, 4) room for rotations of joints.
    """
    for _ in range(most):
        pose_frame(frame, parents, turned, offsets, root, where, turn)
        for goal in range(goal_joints.shape[0]):
            if goal_on[frame, goal] > 0:
                keep_goal(frame, goal, parents, offsets, root, weights, hinges, goal_joints, goal_points, goal_places,
                          turned, where, turn)  # fmt: skip
        for capsule in range(joints.shape[0]):
            for end in range(2):
                x, y, z = capsule_end(frame, capsule, end, joints, ends, where, turn)
                placed[frame, capsule, end, 0], placed[frame, capsule, end, 1] = x, y
                placed[frame, capsule, end, 2] = z
        deepest, which, best_s, best_t = 0.0, -1, 0.0, 0.0
        for pair in range(first.shape[0]):
            lacking, s, t, nx, ny, nz = overlap(
                frame, pair, first[pair], second[pair], trims, radii, placed, wanted[pair], sides
            )
            if lacking > deepest:
                deepest, which, best_s, best_t = lacking, pair, s, t
        if which < 0:
            return
        amount, nx, ny, nz = way_out(
            frame, movers[which], first, second, movers, limbs, trims, radii, placed, wanted, sides, ways
        )
        one, two = first[which], second[which]
        ax, ay, az = along_axis(frame, one, best_s, placed)
        bx, by, bz = along_axis(frame, two, best_t, placed)
        if limbs[one] != movers[which]:
            nx, ny, nz = -nx, -ny, -nz
        push(frame, joints[one], joints[two], ax, ay, az, bx, by, bz, nx, ny, nz, amount, parents, weights, hinges,
             turned, where, turn)  # fmt: skip


def way_out(
    frame: int, limb: int, first: Parents, second: Parents, movers: Parents, limbs: Parents, trims: Floats3,
    radii: Floats2, placed: Floats4, wanted: Floats1, sides: Floats3, ways: Floats3,
) -> tuple[float, float, float, float]:  # fmt: skip
    """How far and along which direction a limb leaves everything that it overlaps.

    In the crease between two parts each would push it into the other; the mean of both directions leads out.
    """
    x, y, z = ways[frame, limb, 0], ways[frame, limb, 1], ways[frame, limb, 2]
    amount = 0.0
    for sweep in range(2):
        for pair in range(first.shape[0]):
            if movers[pair] != limb:
                continue
            lacking, _, _, nx, ny, nz = overlap(
                frame, pair, first[pair], second[pair], trims, radii, placed, wanted[pair], sides
            )
            if lacking <= 0:
                continue
            if limbs[first[pair]] != limb:
                nx, ny, nz = -nx, -ny, -nz
            if sweep == 0:
                x, y, z = x + lacking * nx, y + lacking * ny, z + lacking * nz
            else:
                amount = max(amount, lacking / max(nx * x + ny * y + nz * z, STEEPEST))
        if sweep == 0:
            x, y, z = direction_or_up(x, y, z)
    return amount, x, y, z


def along_axis(frame: int, capsule: int, share: float, placed: Floats4) -> Three:
    """A place on the axis of a capsule."""
    x, y, z = placed[frame, capsule, 0, 0], placed[frame, capsule, 0, 1], placed[frame, capsule, 0, 2]
    return (
        x + share * (placed[frame, capsule, 1, 0] - x),
        y + share * (placed[frame, capsule, 1, 1] - y),
        z + share * (placed[frame, capsule, 1, 2] - z),
    )


def overlap(
    frame: int, pair: int, one: int, two: int, trims: Floats3, radii: Floats2, placed: Floats4, wanted: float,
    sides: Floats3,
) -> tuple[float, float, float, float, float, float]:  # fmt: skip
    """Metres that a pair lacks to be apart as wanted, the shares along both axes, and the normal."""
    ax, ay, az = placed[frame, one, 0, 0], placed[frame, one, 0, 1], placed[frame, one, 0, 2]
    ux, uy, uz = placed[frame, one, 1, 0] - ax, placed[frame, one, 1, 1] - ay, placed[frame, one, 1, 2] - az
    bx, by, bz = placed[frame, two, 0, 0], placed[frame, two, 0, 1], placed[frame, two, 0, 2]
    vx, vy, vz = placed[frame, two, 1, 0] - bx, placed[frame, two, 1, 1] - by, placed[frame, two, 1, 2] - bz
    squared, other_squared = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    mx, my, mz = ax + ux / 2 - bx - vx / 2, ay + uy / 2 - by - vy / 2, az + uz / 2 - bz - vz / 2
    around = (math.sqrt(squared) + math.sqrt(other_squared)) / 2 + wanted
    around += max(radii[one, 0], radii[one, 1]) + max(radii[two, 0], radii[two, 1])
    if around < 0 or mx * mx + my * my + mz * mz > around * around:
        return -1.0, 0.0, 0.0, 0.0, 0.0, 0.0
    growth, other_growth = radii[one, 1] - radii[one, 0], radii[two, 1] - radii[two, 0]
    low, high, other_low, other_high = trims[pair, 0, 0], trims[pair, 0, 1], trims[pair, 1, 0], trims[pair, 1, 1]
    s = nearest_on_lines(
        ax - bx, ay - by, az - bz, ux, uy, uz, vx, vy, vz, low, high, other_low, other_high
    )  # fmt: skip
    t = other_low
    for _ in range(ROUNDS):
        t = nearest_share(
            ax + s * ux, ay + s * uy, az + s * uz, bx, by, bz, vx, vy, vz, other_squared, other_growth,
            other_low, other_high,
        )  # fmt: skip
        s = nearest_share(
            bx + t * vx, by + t * vy, bz + t * vz, ax, ay, az, ux, uy, uz, squared, growth, low, high
        )  # fmt: skip
    nx, ny, nz = ax + s * ux - bx - t * vx, ay + s * uy - by - t * vy, az + s * uz - bz - t * vz
    far = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = direction_or_up(nx, ny, nz)
    # Axes that have crossed look apart on the wrong side: the side from which they came is what counts.
    if nx * sides[frame, pair, 0] + ny * sides[frame, pair, 1] + nz * sides[frame, pair, 2] < 0:
        nx, ny, nz, far = -nx, -ny, -nz, -far
    thick = radii[one, 0] + s * growth + radii[two, 0] + t * other_growth
    return wanted + thick - far, s, t, nx, ny, nz


def keep_goal(
    frame: int, goal: int, parents: Parents, offsets: Floats3, root: Floats2, weights: Floats1, hinges: Floats2,
    goal_joints: Parents, goal_points: Floats2, goal_places: Floats3, turned: Output3, where: Output3, turn: Output3,
) -> None:  # fmt: skip
    """Turn joints to bring a point to its place, as far as one step goes."""
    joint = goal_joints[goal]
    x, y, z = rotate(
        turn[frame, joint, 0], turn[frame, joint, 1], turn[frame, joint, 2], turn[frame, joint, 3],
        goal_points[goal, 0], goal_points[goal, 1], goal_points[goal, 2],
    )  # fmt: skip
    x, y, z = x + where[frame, joint, 0], y + where[frame, joint, 1], z + where[frame, joint, 2]
    nx, ny = goal_places[frame, goal, 0] - x, goal_places[frame, goal, 1] - y
    nz = goal_places[frame, goal, 2] - z
    far = math.sqrt(nx * nx + ny * ny + nz * nz)
    if far > 1e-6:
        push(frame, joint, -1, x, y, z, x, y, z, nx / far, ny / far, nz / far, far, parents, weights, hinges, turned,
             where, turn)  # fmt: skip
        pose_frame(frame, parents, turned, offsets, root, where, turn)


def push(
    frame: int, one: int, two: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float,
    nx: float, ny: float, nz: float, amount: float, parents: Parents, weights: Floats1, hinges: Floats2,
    turned: Output3, where: Output3, turn: Output3,
) -> None:  # fmt: skip
    """Turn joints so that point a of joint ``one`` moves by ``amount`` along n against point b of joint ``two``.

    Each joint turns in proportion to how willing it is and to what its turning brings; joints that carry both points
    bring nothing. With ``two`` negative, b is fixed in the world.
    """
    total, most_willing = 0.0, 0.0
    for side in range(2):
        joint = one if side == 0 else two
        while joint >= 0:
            if weights[joint] > 0 and not carries(joint, two if side == 0 else one, parents):
                most_willing = max(most_willing, weights[joint])
                gx, gy, gz = brings(frame, joint, side, ax, ay, az, bx, by, bz, nx, ny, nz, hinges, where, turn)
                total += weights[joint] * (gx * gx + gy * gy + gz * gz)
            joint = parents[joint]
    if total < 1e-12:
        return
    # Very short levers would have to turn far for little.
    total += SHORT_LEVER * SHORT_LEVER * most_willing
    for side in range(2):
        joint = one if side == 0 else two
        while joint >= 0:
            if weights[joint] > 0 and not carries(joint, two if side == 0 else one, parents):
                gx, gy, gz = brings(frame, joint, side, ax, ay, az, bx, by, bz, nx, ny, nz, hinges, where, turn)
                scale = weights[joint] * amount / total
                turn_joint(frame, joint, scale * gx, scale * gy, scale * gz, turned, turn)
            joint = parents[joint]


def carries(joint: int, other: int, parents: Parents) -> bool:
    """Whether ``other`` is ``joint`` or hangs from it."""
    while other > joint:
        other = parents[other]
    return other == joint


def brings(
    frame: int, joint: int, side: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float,
    nx: float, ny: float, nz: float, hinges: Floats2, where: Floats3, turn: Floats3,
) -> Three:  # fmt: skip
    """By how much a turn of ``joint`` about each of the world's axes moves the points apart, metres a radian."""
    if side == 0:
        x, y, z = ax - where[frame, joint, 0], ay - where[frame, joint, 1], az - where[frame, joint, 2]
    else:
        x, y, z = where[frame, joint, 0] - bx, where[frame, joint, 1] - by, where[frame, joint, 2] - bz
    gx, gy, gz = y * nz - z * ny, z * nx - x * nz, x * ny - y * nx
    hx, hy, hz = hinges[joint, 0], hinges[joint, 1], hinges[joint, 2]
    if hx != 0 or hy != 0 or hz != 0:
        hx, hy, hz = rotate(
            turn[frame, joint, 0], turn[frame, joint, 1], turn[frame, joint, 2], turn[frame, joint, 3], hx, hy, hz
        )
        along = gx * hx + gy * hy + gz * hz
        return along * hx, along * hy, along * hz
    return gx, gy, gz


def turn_joint(frame: int, joint: int, x: float, y: float, z: float, turned: Output3, turn: Floats3) -> None:
    """Turn a joint by a rotation vector given in the world; the world rotations stay as they were."""
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < 1e-15:
        return
    held = min(angle, LARGEST_TURN)
    sine = math.sin(held / 2) / angle
    wx, wy, wz, ww = turn[frame, joint, 0], turn[frame, joint, 1], turn[frame, joint, 2], turn[frame, joint, 3]
    # Seen from the joint itself the turn follows its own rotation.
    x, y, z = rotate(-wx, -wy, -wz, ww, x * sine, y * sine, z * sine)
    a, b, c, d = multiply_quaternions(
        turned[frame, joint, 0], turned[frame, joint, 1], turned[frame, joint, 2], turned[frame, joint, 3],
        x, y, z, math.cos(held / 2),
    )  # fmt: skip
    length = math.sqrt(a * a + b * b + c * c + d * d)
    turned[frame, joint, 0], turned[frame, joint, 1] = a / length, b / length
    turned[frame, joint, 2], turned[frame, joint, 3] = c / length, d / length
