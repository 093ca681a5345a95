"""Figures: a character as a simulated body. Which joints are simulated, what they weigh, and what shape they have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose, world_matrices
from mummer.character.whole import Whole, whole_of
from mummer.clip.analysis.feet import Foot, known_feet
from mummer.clip.standing import up_of
from mummer.ik.limits import joint_table
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume.volume import Volume, volume_of
from mummer.ik.world_state import WorldState
from mummer.math import quaternion, transform

SMALL = ("finger", "toe")
"""Limbs whose joints are not simulated: they follow the part that carries them as they are planned."""
SOFT = ("tail", "ear", "antenna", "fin")
"""Limbs that swing by themselves."""
LIGHTEST = 1e-5
"""Share of the whole body that a simulated part weighs at least, so that nothing is thrown about by rounding."""
THINNEST = 0.01
"""Lengths of the body that a part is taken to be thick at least where its inertia is reckoned."""
MOST_SHAPES = 90
BEYOND_BALL = 0.5
"""Share of the way from the ball of a foot to the tips of its toes that its sole reaches: toes bend."""


@dataclass(frozen=True, eq=False)
class Sole:
    """What a foot stands on: balls at the corners of its sole.

    Attributes:
        name: of the foot.
        row: of the part that carries it.
        points: (4, 3) the middles of the balls in the frame of that part, metres.
        radius: of the balls, metres.
        leg: metres from the hip.
        rows: of the leg, from the root's child to the foot.
    """

    name: str
    row: int
    points: FloatArray
    radius: float
    leg: float
    rows: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Figure:
    """The parts of a body that are simulated, each with all below it; the first moves freely, others turn in balls.

    Lengths are metres, in the frames of the joints of the parts.

    Attributes:
        character: the body, put together (see `Whole`).
        whole: how to take it apart again, or None.
        joints: (n,) the joint of each part.
        parents: (n,) the part that each hangs from, -1 for the first.
        holder: (J,) the part that carries each joint.
        masses: (n,) kilograms, with what each part carries; centers (n, 3), inertias (n, 3, 3) about them.
        shape_rows: (C,) whose capsules; shape_ends (C, 2, 3) and shape_radii (C,).
        soles: what it stands on.
        soft: (n,) whether a part swings by itself.
        table: (n, WIDTH) limits, see `joint_table`.
        up: (3,) unit.
        size: metres, the yardstick of the body.
    """

    character: Character
    whole: Whole | None
    joints: IntArray
    parents: IntArray
    holder: IntArray
    masses: FloatArray
    centers: FloatArray
    inertias: FloatArray
    shape_rows: IntArray
    shape_ends: FloatArray
    shape_radii: FloatArray
    soles: tuple[Sole, ...]
    soft: tuple[bool, ...]
    table: FloatArray
    up: FloatArray
    size: float

    def __len__(self) -> int:
        return len(self.joints)

    @property
    def total(self) -> float:
        """Kilograms."""
        return float(self.masses.sum())

    @cached_property
    def world_at_rest(self) -> FloatArray:
        """(J, 4) how the joints of `character` are turned in the world at rest."""
        return np.asarray(WorldState(self.character, Pose.rest(self.character.skeleton)).rotations[0])

    def facing(self, turn: FloatArray) -> FloatArray:
        """(3,) unit and level: where it faces when its first part is turned so in the world; its top if it lies."""
        assert self.character.anatomy is not None
        moved = quaternion.multiply(turn, quaternion.conjugate(self.world_at_rest[self.joints[0]]))
        front = quaternion.rotate(moved, self.character.anatomy.front)
        level = front - (front @ self.up) * self.up
        if np.linalg.norm(level) < 0.3:
            top = quaternion.rotate(moved, self.up) * -np.sign(float(front @ self.up))
            level = top - (top @ self.up) * self.up
        return np.asarray(level / max(float(np.linalg.norm(level)), 1e-9))

    def world(self, pose: Pose) -> tuple[FloatArray, FloatArray]:
        """(T, J, 3) metres and (T, J, 4) of the joints of `character`, for poses (T,) of the body as it came."""
        together = pose if self.whole is None else gathered(self.whole, pose)
        state = WorldState(self.character, together)
        return state.positions, state.rotations


def gathered(whole: Whole, pose: Pose) -> Pose:
    """The poses of a body put together that look as ``pose`` of the body as it came: the way back of `taken_apart`."""
    world = world_matrices(whole.given.skeleton, pose)[..., whole.order, :, :]
    parents = whole.character.skeleton.parents
    above = transform.inverse(world[..., np.maximum(parents, 0), :, :])
    local = np.where((parents >= 0)[:, None, None], transform.multiply(above, world), world)
    translations, rotations, *_ = transform.decompose(local)
    return Pose(rotations, None, translations, morphs=pose.morphs)


def figure_of(character: Character, pose: Pose) -> Figure:
    """The figure of a body whose anatomy is known.

    Args:
        character: the body as it came.
        pose: one pose; what is not simulated is carried as it is then.
    """
    whole = whole_of(character)
    body = character if whole is None else whole.character
    joints, parents, holder = _parts(body)
    state = WorldState(body, pose if whole is None else gathered(whole, pose))
    places, turns = state.positions[0], state.rotations[0]
    frame = (places, turns, joints, holder)
    size = rigid_body(body).height
    masses, centers, inertias = _masses(body, frame, size)
    rows, ends, radii = _shapes(volume_of(body), frame)
    return Figure(
        body, whole, joints, parents, holder, masses, centers, inertias, rows, ends, radii,
        _soles(body, joints, parents, holder), _soft(body, joints), joint_table(rigid_body(body))[joints],
        up_of(body), size,
    )  # fmt: skip


Placing = tuple[FloatArray, FloatArray, IntArray, IntArray]


def _parts(body: Character) -> tuple[IntArray, IntArray, IntArray]:
    """(n,) the joints that are simulated, (n,) which part each hangs from, (J,) the part that carries each joint."""
    anatomy, skeleton = body.anatomy, body.skeleton
    assert anatomy is not None
    chosen = {*anatomy.capabilities.get("spine", ()), *anatomy.capabilities.get("root", ())}
    chosen |= {joint for limb in anatomy.limbs if limb.kind not in SMALL for joint in limb.joints}
    chosen -= {toe for foot in known_feet(body) for toe in foot.toes}
    chosen = chosen or {skeleton.roots[0]}
    root = _common(body, sorted(chosen))
    inside = set(skeleton.descendants(root))
    chosen = {joint for joint in chosen if joint in inside} | {root}
    chosen |= {above for joint in chosen for above in skeleton.ancestors(joint) if above in inside}
    joints = np.array(_depth_first(body, root, chosen), np.int64)
    row = {int(joint): number for number, joint in enumerate(joints)}
    holder = np.zeros(len(skeleton), np.int64)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        holder[joint] = row.get(joint, holder[parent] if parent >= 0 and joint in inside else 0)
    parents = np.array([-1, *(holder[skeleton.parents[joint]] for joint in joints[1:])], np.int64)
    return joints, parents, holder


def _depth_first(body: Character, root: int, chosen: set[int]) -> list[int]:
    """The chosen joints in the order in which the simulator numbers them: each with all below it."""
    found, pending = [], [root]
    while pending:
        joint = pending.pop()
        found.append(joint)
        pending += [child for child in reversed(body.skeleton.children[joint]) if child in chosen]
    return found


def _common(body: Character, joints: list[int]) -> int:
    """The lowest joint that stands above all of those that hang from the tree with most of them."""
    skeleton = body.skeleton
    trees: dict[int, list[int]] = {}
    for joint in joints:
        trees.setdefault((joint, *skeleton.ancestors(joint))[-1], []).append(joint)
    largest = max(trees.values(), key=len)
    paths = [(*reversed(skeleton.ancestors(joint)), joint) for joint in largest]
    common = paths[0]
    for path in paths[1:]:
        shared = [one for one, other in zip(common, path, strict=False) if one == other]
        common = tuple(shared)
    return int(common[-1])


def _soft(body: Character, joints: IntArray) -> tuple[bool, ...]:
    assert body.anatomy is not None
    loose = {joint for limb in body.anatomy.limbs if limb.kind in SOFT for joint in limb.joints}
    return tuple(int(joint) in loose for joint in joints)


def _masses(body: Character, frame: Placing, size: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(n,) kilograms, (n, 3) centres and (n, 3, 3) inertias of parts, with all that they carry."""
    places, turns, joints, holder = frame
    mass, count = rigid_body(body).mass, len(joints)
    centers = places + quaternion.rotate(turns, mass.centers)
    matrices = quaternion.to_matrix(turns)
    seconds = matrices @ mass.second_moments @ np.swapaxes(matrices, 1, 2)
    weights = np.asarray(np.bincount(holder, mass.masses, count), np.float64)
    middle = np.stack([np.bincount(holder, mass.masses * centers[:, axis], count) for axis in range(3)], axis=1)
    middle = np.where(weights[:, None] > 0, middle / np.maximum(weights, 1e-300)[:, None], places[joints])
    away = centers - middle[holder]
    spread = seconds + mass.masses[:, None, None] * away[:, :, None] * away[:, None, :]
    summed = np.zeros((count, 3, 3))
    np.add.at(summed, holder, spread)
    least = LIGHTEST * mass.total
    weights = np.asarray(np.maximum(weights, least), np.float64)
    summed += (weights * (THINNEST * size) ** 2)[:, None, None] * np.eye(3)
    own = matrices[joints]
    local = np.swapaxes(own, 1, 2) @ summed @ own
    inertias = np.trace(local, axis1=1, axis2=2)[:, None, None] * np.eye(3) - local
    back = quaternion.conjugate(turns[joints])
    return weights, quaternion.rotate(back, middle - places[joints]), inertias


def _shapes(volume: Volume, frame: Placing) -> tuple[IntArray, FloatArray, FloatArray]:
    """Whose capsules, their ends in the frames of their parts, and radii; the largest of them where there are many."""
    places, turns, joints, holder = frame
    kept = np.sort(np.argsort(-volume.cubic_metres, kind="stable")[:MOST_SHAPES])
    carried = volume.joints[kept]
    ends = places[carried][:, None] + quaternion.rotate(turns[carried][:, None], volume.ends[kept])
    rows = holder[carried]
    back = quaternion.conjugate(turns[joints[rows]])[:, None]
    return rows, quaternion.rotate(back, ends - places[joints[rows]][:, None]), volume.radii[kept].mean(axis=1)


def _soles(body: Character, joints: IntArray, parents: IntArray, holder: IntArray) -> tuple[Sole, ...]:
    rest = WorldState(body, Pose.rest(body.skeleton))
    return tuple(_sole(body, rest, foot, joints, parents, holder) for foot in known_feet(body))


def _sole(body: Character, rest: WorldState, foot: Foot, joints: IntArray, parents: IntArray, holder: IntArray) -> Sole:
    assert body.anatomy is not None
    places, turns, volume = rest.positions[0], rest.rotations[0], volume_of(body)
    own = np.flatnonzero(np.isin(volume.joints, foot.parts))
    size = rigid_body(body).height
    if len(own):
        carried = volume.joints[own]
        ends = places[carried][:, None] + quaternion.rotate(turns[carried][:, None], volume.ends[own])
        middles, radii = ends.reshape(-1, 3), volume.radii[own].reshape(-1)
    else:
        middles, radii = places[list(foot.parts)], np.full(len(foot.parts), 0.02 * size)
    up, ahead = body.anatomy.up, body.anatomy.front
    ball = places[[toe for toe in foot.toes if body.skeleton.parents[toe] == foot.heel] or [foot.heel]].mean(axis=0)
    along = ball - places[foot.heel] - ((ball - places[foot.heel]) @ up) * up
    if np.linalg.norm(along) > 0.01 * size:
        ahead = along / np.linalg.norm(along)
    side = np.cross(up, ahead)
    low = float((middles @ up - radii).min())
    # Only what is near the ground at rest stands on it.
    near = middles @ up - radii <= low + max(0.25 * foot.leg, 0.02 * size)
    middles, radii = middles[near], radii[near]
    spans = [((middles @ axis - radii).min(), (middles @ axis + radii).max()) for axis in (ahead, side)]
    (back, front), (right, left) = spans
    if foot.toes:
        front = max(min(front, float(ball @ ahead) + BEYOND_BALL * (front - float(ball @ ahead))), back)
    radius = max(0.15 * min(front - back, left - right), 1e-3 * size)
    corners = [
        a * ahead + s * side + (low + radius) * up
        for a in (back + radius, front - radius)
        for s in (right + radius, left - radius)
    ]
    row = int(holder[foot.heel])
    joint = int(joints[row])
    points = quaternion.rotate(quaternion.conjugate(turns[joint]), np.array(corners) - places[joint])
    leg, above = [row], int(parents[row])
    while above > 0:
        leg.append(above)
        above = int(parents[above])
    spine = {int(holder[j]) for j in body.anatomy.capabilities.get("spine", ())}
    return Sole(foot.name, row, points, radius, foot.leg, tuple(each for each in reversed(leg) if each not in spine))
