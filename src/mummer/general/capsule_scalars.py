"""Capsules of a body in the world, one frame at a time: where they are, and where two of them come nearest."""

from __future__ import annotations

from mummer.ik.analytic.segments import rotation_of
from mummer.ik.analytic.vectors import dot, minus, plus, scaled, size, turned
from mummer.ik.volume.capsule_loops import bounded, nearest_on_lines, nearest_share
from mummer.kernels.arguments import Floats2, Floats3, Floats4, Output3, Output4, Parents
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Three

ROUNDS = 2


def place_of(frame: int, joint: int, where: Floats3) -> Three:
    """Where a joint is."""
    return where[frame, joint, 0], where[frame, joint, 1], where[frame, joint, 2]


def end_of(frame: int, capsule: int, end: int, placed: Floats4) -> Three:
    """Where an end of a capsule is."""
    return placed[frame, capsule, end, 0], placed[frame, capsule, end, 1], placed[frame, capsule, end, 2]


def put_capsules(
    frame: int, joints: Parents, ends: Floats3, radii: Floats2, gathers: Parents, where: Floats3, turn: Floats3,
    placed: Output4, around: Output3, balls: Output3,
) -> None:  # fmt: skip
    """The ends of all capsules in the world, and the balls around each of them and around each group of them."""
    for group in range(balls.shape[1]):
        balls[frame, group, 3] = -1.0
    for capsule in range(joints.shape[0]):
        middle, half = put_one(frame, capsule, joints[capsule], ends, where, turn, placed, around)
        around[frame, capsule, 3] = half + max(radii[capsule, 0], radii[capsule, 1])
        grow(frame, gathers[capsule], middle, around[frame, capsule, 3], balls)


def put_one(
    frame: int, capsule: int, joint: int, ends: Floats3, where: Floats3, turn: Floats3, placed: Output4,
    around: Output3,
) -> tuple[Three, float]:  # fmt: skip
    """The ends of a capsule in the world; its middle and half its length."""
    rotation, at = rotation_of(frame, joint, turn), place_of(frame, joint, where)
    one = plus(at, turned(rotation, (ends[capsule, 0, 0], ends[capsule, 0, 1], ends[capsule, 0, 2])))
    two = plus(at, turned(rotation, (ends[capsule, 1, 0], ends[capsule, 1, 1], ends[capsule, 1, 2])))
    middle, half = scaled(plus(one, two), 0.5), 0.5 * size(minus(two, one))
    for part in range(3):
        placed[frame, capsule, 0, part], placed[frame, capsule, 1, part] = one[part], two[part]
        around[frame, capsule, part] = middle[part]
    return middle, half


def put_moved(
    frame: int, joints: Parents, ends: Floats3, where: Floats3, turn: Floats3, room: Floats3, placed: Output4,
    around: Output3,
) -> None:  # fmt: skip
    """The same for the capsules of joints that moved, as ``room`` (T, J, 4) says, without the groups."""
    for capsule in range(joints.shape[0]):
        if room[frame, joints[capsule], 3] > 0.0:
            put_one(frame, capsule, joints[capsule], ends, where, turn, placed, around)


def grow(frame: int, group: int, middle: Three, radius: float, balls: Output3) -> None:
    """Let the ball around a group hold one more ball."""
    have = balls[frame, group, 3]
    center = (balls[frame, group, 0], balls[frame, group, 1], balls[frame, group, 2])
    away = minus(middle, center)
    far = size(away) if have >= 0.0 else 0.0
    if have >= 0.0 and far + radius <= have:
        return
    if have < 0.0 or far + have <= radius:
        center, have = middle, radius
    else:
        center = plus(center, scaled(away, 0.5 * (far + radius - have) / far))
        have = 0.5 * (far + radius + have)
    for part in range(3):
        balls[frame, group, part] = center[part]
    balls[frame, group, 3] = have


def near(frame: int, one: int, two: int, balls: Floats3, give: float) -> bool:
    """Whether two balls overlap by more than ``give`` metres."""
    x, y = balls[frame, one, 0] - balls[frame, two, 0], balls[frame, one, 1] - balls[frame, two, 1]
    z, reach = balls[frame, one, 2] - balls[frame, two, 2], balls[frame, one, 3] + balls[frame, two, 3] - give
    return reach > 0.0 and x * x + y * y + z * z < reach * reach


@apart
def nearest(
    frame: int, pair: int, one: int, two: int, give: float, trims: Floats3, radii: Floats2, placed: Floats4
) -> tuple[Three, Three, float]:
    """The places of the axes of a pair where they come nearest, and both radii there.

    The radii are zero if the pair cannot overlap by more than ``give`` metres.
    """
    a, b = end_of(frame, one, 0, placed), end_of(frame, two, 0, placed)
    u, v = minus(end_of(frame, one, 1, placed), a), minus(end_of(frame, two, 1, placed), b)
    squared, other_squared = dot(u, u), dot(v, v)
    growth, other_growth = radii[one, 1] - radii[one, 0], radii[two, 1] - radii[two, 0]
    low, high, other_low, other_high = trims[pair, 0, 0], trims[pair, 0, 1], trims[pair, 1, 0], trims[pair, 1, 1]
    away = minus(a, b)
    s = nearest_on_lines(
        away[0], away[1], away[2], u[0], u[1], u[2], v[0], v[1], v[2], low, high, other_low, other_high
    )
    p = plus(a, scaled(u, s))
    t = bounded(dot(minus(p, b), v) / other_squared, other_low, other_high) if other_squared > 0.0 else other_low
    away, reach = minus(p, plus(b, scaled(v, t))), max(radii[one, 0], radii[one, 1]) - give
    reach += max(radii[two, 0], radii[two, 1])
    if reach <= 0.0 or dot(away, away) >= reach * reach:
        return a, b, 0.0
    for _ in range(ROUNDS):
        p = plus(a, scaled(u, s))
        t = nearest_share(
            p[0], p[1], p[2], b[0], b[1], b[2], v[0], v[1], v[2], other_squared, other_growth, other_low, other_high
        )
        q = plus(b, scaled(v, t))
        s = nearest_share(q[0], q[1], q[2], a[0], a[1], a[2], u[0], u[1], u[2], squared, growth, low, high)
    thick = radii[one, 0] + s * growth + radii[two, 0] + t * other_growth
    return plus(a, scaled(u, s)), plus(b, scaled(v, t)), thick


def ground_height(frame: int, ground: Floats2) -> float:
    """How high the ground is, along its direction up."""
    return (
        ground[frame, 0] * ground[frame, 3] + ground[frame, 1] * ground[frame, 4] + ground[frame, 2] * ground[frame, 5]
    )
