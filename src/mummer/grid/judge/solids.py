"""Parts of a body as solids: how far the skin of each is from the line through its middle, all around and along."""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character import Character
from mummer.character.derive import rest_positions
from mummer.grid.judge.surface import Surface, surface_of
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Floats4, Output2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CpuPlace
from mummer.kernels.scalars import split
from mummer.math import transform

ALONG, AROUND = 6, 12
"""Cells of a map."""
FEWEST = 20
"""Points of skin below which a part has no map: it may be inside others, and nothing is found inside it."""
THINNEST = 0.015
"""Sizes of the body: what is thinner counts as this thick when it is said how far inside another a point is."""
OVERLAP = 0.2
"""Parts of which more than this share is inside one another at rest are neighbours."""
CROSSED = 0.9
"""What it counts that skin is at the line of the thicker of two parts."""
SEVERAL = 3
"""So many points must be as deep: one alone may be a fault of the map."""
BESIDE = 1.5
"""Parts are neighbours whose bones are nearer to each other, along the skeleton, than so many times their radii."""
_KEPT = "_solids_to_judge"


class Solids(NamedTuple):
    """B parts of a body that have skin enough to be inside of.

    Attributes:
        joint: (B,) which joints carry them.
        map_from_rest: (B, 3, 4) from the world at rest to the map's own space: the line is the third axis.
        low, high: (B,) metres from where to where along the line there is skin.
        radii: (B, ALONG, AROUND) metres of the skin from the line; 0 where there is none.
        begins, ends: (B, ALONG) metres along the line between which there is skin without a gap, of the ring there.
        reach: (B,) metres from the middle within which all of it is.
        worth: (J, B) what a metre counts by which the skin of a joint is inside a part; 0 if they are neighbours.
        before: (J, B) metres by which it is inside at rest already.
    """

    joint: Parents
    map_from_rest: Floats3
    low: Floats1
    high: Floats1
    radii: Floats3
    begins: Floats2
    ends: Floats2
    reach: Floats1
    worth: Floats2
    before: Floats2


def solids_of(body: Character, rest_world: FloatArray) -> Solids:
    """The solids of a body whose joints are at (J, 3, 4) at rest; made once."""
    found = body.__dict__.get(_KEPT)
    if found is None:
        surface = surface_of(body)
        found = body.__dict__[_KEPT] = _made(body, surface, surface.posed(rest_world[None])[0])
    return cast(Solids, found)


def _made(body: Character, surface: Surface, skin: FloatArray) -> Solids:
    size = max(float(np.ptp(skin, axis=0).max()), 1e-9)
    counts = np.bincount(surface.owners, minlength=len(body.skeleton))
    joints = np.flatnonzero(counts >= FEWEST)
    maps = [_map(skin[surface.owners == joint]) for joint in joints]
    radii = np.array([each[3] for each in maps]).reshape(-1, ALONG, AROUND)
    low, high = (np.array([each[place] for each in maps], np.float64) for place in (1, 2))
    thick = np.array([np.median(each[each > 0]) if np.any(each > 0) else 0.0 for each in radii])
    far = np.hypot(np.maximum(-low, high), radii.max(axis=(1, 2), initial=0.0))
    every = np.zeros(len(body.skeleton))
    every[joints] = thick
    solids = Solids(
        locked(joints, np.int64), locked(np.array([each[0] for each in maps]).reshape(-1, 3, 4)), locked(low),
        locked(high), locked(radii), *open_ends(low, high, radii), locked(far),
        locked(_worth(every[:, None], thick, THINNEST * size)),
        locked(np.zeros((len(body.skeleton), len(joints)))),
    )  # fmt: skip
    if not len(joints):
        return solids
    found = depths(solids, skin, solids.map_from_rest[None])[0]
    before, shares = np.zeros((2, len(body.skeleton), len(joints)))
    for joint in np.flatnonzero(counts):
        mine = found[:, surface.owners == joint]
        before[joint] = np.sort(mine, axis=1)[:, -min(SEVERAL, mine.shape[1])]
        shares[joint] = np.mean(mine > 0.5 * thick[:, None], axis=1)
    apart = (_gaps(body, joints) > BESIDE * (every[:, None] + thick)) & (shares < OVERLAP)
    return solids._replace(worth=locked(np.where(apart, solids.worth, 0.0)), before=locked(before))


def open_ends(low: FloatArray, high: FloatArray, radii: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(B, ALONG) twice, metres along the line: where the skin around each ring begins and ends, or is open."""
    places, known = np.arange(ALONG), radii[:, :, 0] > 0
    before = np.maximum.accumulate(np.where(known, -1, places), axis=1)
    after = np.minimum.accumulate(np.where(known, ALONG, places)[:, ::-1], axis=1)[:, ::-1]
    step = (high - low)[:, None] / ALONG
    return locked(low[:, None] + (before + 1) * step), locked(low[:, None] + after * step)


def _worth(mine: FloatArray, others: FloatArray, least: float) -> FloatArray:
    """What a metre counts: 1 is as deep as the thinner part is thick, or nearly to the line of the thicker one.

    A forearm is gone when it is as deep in a chest as it is thick; shins that cross are at each other's lines.
    """
    thin, thick = (np.maximum(both(mine, others), least) for both in (np.minimum, np.maximum))
    return np.asarray(np.maximum(0.5 / thin, CROSSED / thick))


def _map(points: FloatArray) -> tuple[FloatArray, float, float, FloatArray]:
    """The map of one part: from where, from and to where along, and (ALONG, AROUND) radii.

    Of the three axes of the part the line is along the one around which there is skin on most sides: arms are long, but
    a slice of a chest is wide, and open at its ends.
    """
    middle = points.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov((points - middle).T))
    made = [_around(points - middle, np.roll(axes, 2 - place, axis=1)) for place in (2, 1, 0)]
    turn, low, high, radii = max(made, key=lambda each: np.count_nonzero(each[3]))
    return np.concatenate([turn, -(turn @ middle)[:, None]], axis=1), low, high, radii


def _around(points: FloatArray, axes: FloatArray) -> tuple[FloatArray, float, float, FloatArray]:
    """A map about the last of three axes, the columns of a matrix, through the middle."""
    turn = np.stack([axes[:, 0], np.cross(axes[:, 2], axes[:, 0]), axes[:, 2]])
    seen = points @ turn.T
    low, high = float(seen[:, 2].min()), float(seen[:, 2].max())
    along = np.clip(((seen[:, 2] - low) / max(high - low, 1e-12) * ALONG).astype(int), 0, ALONG - 1)
    angle = np.arctan2(seen[:, 1], seen[:, 0])
    around = np.clip(((angle / (2 * np.pi) + 0.5) * AROUND).astype(int), 0, AROUND - 1)
    far, cell = np.hypot(seen[:, 0], seen[:, 1]), along * AROUND + around
    radii, known = np.zeros((ALONG, AROUND)), np.zeros((ALONG, AROUND), bool)
    for place in np.unique(cell):
        radii.flat[place], known.flat[place] = np.median(far[cell == place]), True
    return turn, low, high, np.stack([_closed(ring, there) for ring, there in zip(radii, known, strict=True)])


def _closed(ring: FloatArray, known: BoolArray) -> FloatArray:
    """A ring with its gaps filled from both sides; nothing where a third of it in one piece is not known."""
    places = np.flatnonzero(known)
    if not len(places) or np.diff(places, append=places[0] + AROUND).max() > AROUND // 3:
        return np.zeros(AROUND)
    return np.interp(np.arange(AROUND), places, ring[places], period=AROUND)


def _gaps(body: Character, joints: IntArray) -> FloatArray:
    """(J, B) metres along the bones from the bone of a joint to that of a part: 0 for those that meet in a joint."""
    places, parents = rest_positions(body.skeleton), body.skeleton.parents
    count = len(places)
    way = np.zeros((count, count))
    for joint in range(1, count):
        above = int(parents[joint])
        length = float(np.linalg.norm(places[joint] - places[above])) if above >= 0 else np.inf
        way[joint, :joint] = way[:joint, joint] = way[max(above, 0), :joint] + length
    ends = [[joint, *body.skeleton.children[joint]] for joint in range(count)]
    nearest = np.array([way[end].min(axis=0) for end in ends])
    return np.stack([nearest[:, ends[joint]].min(axis=1) for joint in joints], axis=1).reshape(count, -1)


def seen_along(x: float, y: float, z: float, frame: int, part: int, axis: int, matrices: Floats4) -> float:
    """One of the three numbers of a point of the world in the map of a part."""
    return (
        matrices[frame, part, axis, 0] * x
        + matrices[frame, part, axis, 1] * y
        + matrices[frame, part, axis, 2] * z
        + matrices[frame, part, axis, 3]
    )


def depth_of(x: float, y: float, z: float, frame: int, part: int, matrices: Floats4, solids: Solids) -> float:
    """How deep a point of the world is under the skin of a part, metres; 0 outside."""
    along = seen_along(x, y, z, frame, part, 2, matrices)
    low, high = solids.low[part], solids.high[part]
    if along <= low or along >= high:
        return 0.0
    across, aside = seen_along(x, y, z, frame, part, 0, matrices), seen_along(x, y, z, frame, part, 1, matrices)
    far = math.sqrt(across * across + aside * aside)
    if far >= solids.reach[part]:
        return 0.0
    step = (high - low) / ALONG
    ring = min(int((along - low) / step), ALONG - 1)
    angle = (math.atan2(aside, across) / (2.0 * math.pi) + 0.5) * AROUND - 0.5
    here, turns = radius_at(angle, part, ring, solids)
    if here <= 0.0:
        return 0.0
    # Between the middles of two rings skin runs straight from one to the other, and on beyond the last.
    share = (along - low) / step - ring - 0.5
    beside = ring + (1 if share > 0.0 else -1)
    ends = not 0 <= beside < ALONG
    there, turns_there = radius_at(angle, part, 2 * ring - beside if ends else beside, solids)
    slope = 0.0
    if there > 0.0:
        slope, share = (there - here) / step, -abs(share) if ends else abs(share)
        here, turns = max(here + share * (there - here), 0.0), turns + share * (turns_there - turns)
    if here <= far:
        return 0.0
    # Skin that is not along the line is nearer than it is seen across.
    across_skin = math.sqrt(1.0 + slope * slope + turns * turns / (here * here))
    to_end = min(along - solids.begins[part, ring], solids.ends[part, ring] - along)
    return max(0.0, min((here - far) / across_skin, to_end))


def radius_at(angle: float, part: int, ring: int, solids: Solids) -> tuple[float, float]:
    """The radius of a ring of a part at an angle, in cells, and by how much it grows a radian there."""
    first = math.floor(angle)
    here, there = solids.radii[part, ring, first % AROUND], solids.radii[part, ring, (first + 1) % AROUND]
    return here + (angle - first) * (there - here), (there - here) * AROUND / (2.0 * math.pi)


@kernel(on_cuda=False, borrows=True)
def depths_at(item: int, skin: Floats2, matrices: Floats4, solids: Solids, depths: Output3) -> None:
    """One item is one part at one moment: how deep every point would be inside it."""
    frame, part = split(item, matrices.shape[1])
    for point in range(skin.shape[0]):
        depths[frame, part, point] = depth_of(
            skin[point, 0], skin[point, 1], skin[point, 2], frame, part, matrices, solids
        )


@kernel(on_cuda=False, borrows=True)
def deepest_at(
    item: int, skin: Floats3, owners: Parents, matrices: Floats4, solids: Solids, deepest: Output2, who: Output2
) -> None:
    """One item is one part at one moment: how much deeper than at rest the third deepest point is inside it."""
    frame, part = split(item, matrices.shape[1])
    first = second = third = 0.0
    who[frame, part] = -1.0
    for point in range(skin.shape[1]):
        worth = solids.worth[owners[point], part]
        if worth <= 0.0:
            continue
        deep = depth_of(
            skin[frame, point, 0], skin[frame, point, 1], skin[frame, point, 2], frame, part, matrices, solids
        ) - solids.before[owners[point], part]  # fmt: skip
        deep *= worth
        if deep > third:
            third = deep
        if third > second:
            second, third = third, second
        if second > first:
            first, second = second, first
            who[frame, part] = point
    deepest[frame, part] = third


def depths(solids: Solids, skin: FloatArray, matrices: FloatArray) -> FloatArray:
    """(T, B, V) how deep every point of (V, 3) is inside every part, metres."""
    found = np.zeros((len(matrices), len(solids.joint), len(skin)))
    CpuPlace().run(depths_at, len(matrices) * len(solids.joint), locked(skin), locked(matrices), solids, found)
    return found


def deepest(solids: Solids, skin: FloatArray, owners: IntArray, matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(T, B) how deep the skin (T, V, 3) of others is inside every part, as a share, and whose point is deepest."""
    found, who = np.zeros(matrices.shape[:2]), np.zeros(matrices.shape[:2])
    arguments = (locked(skin), locked(owners, np.int64), locked(matrices), solids, found, who)
    CpuPlace().run(deepest_at, found.size, *arguments)
    return found, who


def map_from_world(solids: Solids, rest_world: FloatArray, world: FloatArray) -> FloatArray:
    """(T, B, 3, 4) from where parts are in a motion, (T, J, 3, 4), to their maps."""
    back = transform.inverse(world[:, solids.joint])
    return transform.multiply(transform.multiply(solids.map_from_rest, rest_world[solids.joint]), back)
