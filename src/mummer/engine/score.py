"""Scores: a general animation as one body plays it, sampled once into rows that kernels read.

What does not depend on what happens is worked out here: which joints, in which way, where in character space. What does
(a place toward a target, a look) is left as numbers for the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.engine.body import Body
from mummer.engine.down import LIES, SITS, STOOPS, TIPS
from mummer.engine.fitting import Held, Wished, fit_to_body, fit_to_joints, within_stoop
from mummer.engine.tables import RATE, integers, numbers
from mummer.general.animated import Animated, is_exact, weights_at
from mummer.general.bending import add_bends
from mummer.general.binding import Part
from mummer.general.context import Context
from mummer.general.context_limbs import swing_length
from mummer.general.deforms import deformer_of
from mummer.general.modes import position_map, rotation_map
from mummer.general.modes.reach import reach_map
from mummer.general.modes.site import site_of
from mummer.general.modes.target import nearest_part, rest_target
from mummer.general.part_frames import part_frames
from mummer.general.physique import Physique
from mummer.kernels.arguments import Floats1, Floats2, Parents
from mummer.math import quaternion
from mummer.math.interpolate import slerp

PLACE, TOWARD, TURN, LOOK, BEND, MORPH, CLOSE = range(7)
"""What a part asks for: a place, a place on the way to a target, a turn, a look at a target, a bend, a morph, and a
hand to be known as closed, whose fingers are bent for it."""
AT_ROOT, ON_SPINE, ELSEWHERE = 0, 1, 2
STAGE, NONE = -1, -1
# Columns of `Scores.numbers`.
REST, SCALES, AROUND, FAR, COMFORTABLE, FURTHEST, AIMED, EXACT, GRIP, NUMBERS = 0, 3, 6, 7, 8, 9, 10, 14, 15, 16


class Scores(NamedTuple):
    """A scores of one body, and their P parts.

    Attributes:
        first, number: (A,) where the parts of each are.
        samples: (A,) rows of each part.
        duration: (A,) seconds.
        loops: (A,) 1 if the end flows into the start.
        holds: (A,) 1 if it ends elsewhere than it began, so that the end is kept: who lies down stays down.
        free: (A,) 1 if feet hang on the body, 0 if they stay on the ground.
        halts: (A,) 1 if the body sits or lies down at some time: who walks stops first.
        kind: (P,) what is asked for.
        level: (P,) when it is asked: before the root is placed, once it is, or once the spine is.
        joint: (P,) of whom; of a morph, which.
        limb: (P,) the limb, or after those what reaches, whose tip the joint is, or -1.
        seen: (P,) the joint that carries the space in which it is meant, or -1 for that of the stage.
        aim: (P,) the joint of the body that it is toward, or -1, -2, ... for the targets outside; -1 for nothing.
        row: (P,) where its rows begin.
        numbers: (P, NUMBERS) see the columns.
        rows: (R, 5) three or four numbers, and how much they count.
    """

    first: Parents
    number: Parents
    samples: Parents
    duration: Floats1
    loops: Floats1
    holds: Floats1
    free: Floats1
    halts: Floats1
    kind: Parents
    level: Parents
    joint: Parents
    limb: Parents
    seen: Parents
    aim: Parents
    row: Parents
    numbers: Floats2
    rows: Floats2


class Asked(NamedTuple):
    """One part of a score while it is made: see `Scores`."""

    kind: int
    joint: int
    limb: int
    seen: int
    aim: int
    numbers: FloatArray
    rows: FloatArray


def scores_of(body: Body, drivers: Sequence[Animated]) -> Scores:
    """The scores of some animations, each bound to this body in one variant."""
    parts = [_fitted(body, list(_parts(body, driver)), loops=driver.bound.animation.loop) for driver in drivers]
    flat = [part for some in parts for part in some]
    animations = [driver.bound.animation for driver in drivers]
    counts = [len(some) for some in parts]
    rows = [part.rows for part in flat]
    return Scores(
        integers(np.cumsum([0, *counts])[:-1]),
        integers(counts),
        integers([_samples(driver) for driver in drivers]),
        numbers([one.duration for one in animations]),
        numbers([float(one.loop) for one in animations]),
        numbers([float(_holds(body, some)) for some in parts]),
        numbers([float(driver.bound.branch.feet == "free") for driver in drivers]),
        numbers([float(_holds(body, some) or _lowers(body, some)) for some in parts]),
        integers([part.kind for part in flat]),
        integers([_level(body, part) for part in flat]),
        integers([part.joint for part in flat]),
        integers([part.limb for part in flat]),
        integers([part.seen for part in flat]),
        integers([part.aim for part in flat]),
        integers(np.cumsum([0, *(len(some) for some in rows)])[:-1]),
        locked(np.array([part.numbers for part in flat]).reshape(-1, NUMBERS)),
        locked(np.concatenate(rows) if rows else np.zeros((0, 5))),
    )


MOVED, TURNED = 0.03, 0.2
"""How far, in heights, and by how many radians a root has moved that does not end where it began."""


def _holds(body: Body, parts: Sequence[Asked]) -> bool:
    """See `Scores.holds`."""
    for part in parts:
        if part.joint == body.frame.root and part.kind in (PLACE, TURN):
            last = part.rows[-1]
            if part.kind == PLACE:
                away = np.linalg.norm(last[:3] - body.frame.places[part.joint]) * last[4]
                if away > MOVED * body.frame.height:
                    return True
            elif 2 * np.arccos(np.clip(abs(last[3]), 0.0, 1.0)) * last[4] > TURNED:
                return True
    return False


def _lowers(body: Body, parts: Sequence[Asked]) -> bool:
    """Whether the root is lowered or turned over at some time, by half of what is too much to go anywhere."""
    for part in parts:
        if part.joint == body.frame.root and part.kind == PLACE:
            low = (body.frame.places[part.joint, 1] - part.rows[:, 1]) * part.rows[:, 4]
            if np.max(low) > 0.5 * (STOOPS + SITS) * body.legs.length:
                return True
        elif part.joint == body.frame.root and part.kind == TURN:
            over = 2.0 * (part.rows[:, 0] ** 2 + part.rows[:, 2] ** 2) * part.rows[:, 4]
            if np.max(over) > 0.5 * (TIPS + LIES):
                return True
    return False


def _level(body: Body, part: Asked) -> int:
    """See `Scores.level`."""
    if part.kind in (BEND, MORPH, CLOSE) or part.joint == body.frame.root:
        return AT_ROOT
    return ON_SPINE if part.joint in body.frame.spine else ELSEWHERE


def _samples(driver: Animated) -> int:
    return max(2, round(driver.bound.animation.duration * RATE) + 1)


def _parts(body: Body, driver: Animated) -> Iterator[Asked]:
    """What is asked for, in the order in which parts are taken."""
    times = np.linspace(0.0, driver.bound.animation.duration, _samples(driver))
    limbs = {int(tip): number for number, tip in enumerate([*body.limbs.tip, *body.reaches.tip])}
    for part in driver.parts:
        at = driver.when(times, part.delay)
        limb = limbs.get(part.joint, NONE)
        hangs = 0 <= limb < len(body.limbs.hangs) and body.limbs.hangs[limb] > 0.0
        asked: list[Asked] = []
        if "place" in part.freedoms and part.channel.place is not None and _leads(body, driver, part, limb):
            asked += _place(driver, part, limb, _held(body, limb), at)
        if "turn" in part.freedoms and part.channel.turn is not None:
            asked += _turn(driver, part, limb, at)
        if "bend" in part.freedoms and part.channel.bend is not None:
            asked += _bends(driver, part, times)
        yield from _leaving_rest(driver, asked) if hangs or part.joint in body.wings.joint else asked
        for name, curve in part.channel.deforms.items():
            if name in part.freedoms:
                yield from _deform(driver.bound.physique, part.joint, name, curve(at)[:, 0])


def _fitted(body: Body, parts: Sequence[Asked], *, loops: bool) -> list[Asked]:
    """The same, with the places of hands that go along with the body fitted to it, and clear of each other.

    What is to touch is brought onto skin while it plays, and where targets are is not known before that.
    """
    limbs, turns = body.limbs, {part.joint: part.rows for part in parts if part.kind == TURN}
    free = [
        part
        for part in parts
        if 0 <= part.limb < len(limbs.tip) and limbs.leg[part.limb] < 0 and not part.numbers[EXACT]
        and (part.kind == PLACE or (part.kind == TOWARD and part.aim >= 0 and part.numbers[AROUND]))
    ]  # fmt: skip
    held = _held_meanwhile(body, parts)
    closed = {part.joint: part.rows[:, 0] for part in parts if part.kind == CLOSE}
    wished = {part.limb: _wished(body, part, turns, closed) for part in free}
    moves = [
        fit_to_body(
            body, part.limb, wished | {part.limb: _wished(body, part, turns, closed)}, held._replace(seen=part.seen),
            loops=loops,
        )
        for part in free
    ]  # fmt: skip
    for part in parts:
        if 0 <= part.limb < len(limbs.tip) and limbs.leg[part.limb] < 0 and part.seen == STAGE and part.kind == PLACE:
            part.rows[:, :3] = within_stoop(body, part.limb, part.rows[:, :3], held, _moved(body, parts))
    feet = [
        part
        for part in parts
        if part.kind == PLACE and 0 <= part.limb < len(limbs.tip) and limbs.leg[part.limb] >= 0
        and part.seen != STAGE and not part.numbers[EXACT]
    ]  # fmt: skip
    moves += [fit_to_joints(body, part.limb, _wished(body, part, turns, closed)) for part in feet]
    for part, move in zip([*free, *feet], moves, strict=True):
        away = quaternion.rotate(_carried(body, part, turns), move)
        part.rows[:, :3] += away if part.kind == PLACE else away / part.numbers[SCALES : SCALES + 3]
    return list(parts)


def _moved(body: Body, parts: Sequence[Asked]) -> FloatArray:
    """(T, 7) how far the root is from rest, and how it is turned."""
    still = np.tile([0.0, 0.0, 0.0, *quaternion.IDENTITY], (len(parts[0].rows), 1))
    for part in parts:
        if part.joint == body.frame.root and part.kind == PLACE:
            still[:, :3] = part.rows[:, 4:] * (part.rows[:, :3] - body.frame.places[part.joint])
        elif part.joint == body.frame.root and part.kind == TURN:
            still[:, 3:] = slerp(still[:, 3:], part.rows[:, :4], part.rows[:, 4])
    return still


def _held_meanwhile(body: Body, parts: Sequence[Asked]) -> Held:
    """How spines, heads and jaws are held on the root."""
    mine = [part for part in parts if part.joint != body.frame.root]
    return Held(
        {part.joint: (part.seen, part.rows) for part in mine if part.kind == TURN},
        {part.joint: part.rows for part in mine if part.kind == BEND},
        STAGE,
    )


def _wished(
    body: Body, part: Asked, turns: Mapping[int, FloatArray], closed: Mapping[int, FloatArray]
) -> Wished:  # fmt: skip
    """Where a limb is wished as the body at rest sees it."""
    places = part.rows[:, :3]
    if part.kind == TOWARD:
        back = quaternion.conjugate(_carried(body, part, turns))
        away = quaternion.rotate(back, part.numbers[SCALES : SCALES + 3] * places)
        places = body.frame.places[part.aim] + away
    still = np.tile([0.0, 0.0, 0.0, 1.0, 0.0], (len(places), 1))
    around = part.aim if part.kind == TOWARD else NONE
    return Wished(places, turns.get(part.joint, still), closed.get(part.joint, still[:, 0]), around)


def _carried(body: Body, part: Asked, turns: Mapping[int, FloatArray]) -> FloatArray:
    """(T, 4) how the body is turned, as far as it is turned as a whole, in the space in which a part is meant."""
    still = np.tile(quaternion.IDENTITY, (len(part.rows), 1))
    if part.seen != STAGE or body.frame.root not in turns:
        return still
    rows = turns[body.frame.root]
    return slerp(still, rows[:, :4], rows[:, 4])


def point_of(body: Body, limb: int) -> FloatArray:
    """(3,) from the tip of a limb, or of what reaches, to what of it is placed, at rest; see `Scores.limb`."""
    points = np.concatenate([body.limbs.point, body.reaches.point, np.zeros((1, 3))])
    return np.asarray(points[limb])


def _held(body: Body, limb: int) -> FloatArray:
    """(2, 3) from the tip of a limb to what of it is placed, and on to the palm with which it takes things."""
    takes = 0 <= limb < len(body.limbs.tip) and body.limbs.leg[limb] < 0
    palm = body.solids.middle[body.limbs.tip[limb]] if takes else np.zeros(3)
    return np.array([point_of(body, limb), palm])


def _leads(body: Body, driver: Animated, part: Part, limb: int) -> bool:
    """Whether a hand goes where its channel says: of several that share an arm one does, and the others go along."""
    limbs = body.limbs
    if not 0 <= limb < len(limbs.tip) or not limbs.shared[limb]:
        return True
    wanted = {other.joint for other in driver.parts if other.channel is part.channel}
    mates = [tip for tip in limbs.tip[limbs.mate == limbs.mate[limb]].tolist() if tip in wanted]
    return part.joint == mates[0]


LEAVES, LEAVES_TURNING = 0.25, 0.4
"""How far from rest, in lengths of its arm and in radians, a hand, or a wing, must be wanted to leave its stance."""
BEATS = 0.5
"""Seconds between two beats of a wing, at most, for it not to be folded between them."""
LEAVING = 0.4
"""Seconds that it takes to leave a stance, or to come back to it."""


def _leaving_rest(driver: Animated, asked: list[Asked]) -> Iterator[Asked]:
    """What is asked of a hand that hangs, or of a folded wing; to be as it was when it was bound is to ask nothing."""
    physique, away = driver.bound.physique, np.zeros(_samples(driver))
    bent = sum((np.linalg.norm(part.rows[:, :3], axis=1) for part in asked if part.kind == BEND), start=away)
    # A wing that beats is as asked for at each turn of it.
    windows, around = np.lib.stride_tricks.sliding_window_view, round(BEATS * RATE)
    beaten = windows(windows(np.pad(bent, 2 * around), 2 * around + 1).max(axis=1), 2 * around + 1).min(axis=1)
    away = np.maximum(away, beaten / LEAVES_TURNING)
    for part in asked:
        if part.kind == PLACE:
            far = np.linalg.norm(part.rows[:, :3] - physique.positions[part.joint], axis=1)
            away = np.maximum(away, far / (LEAVES * swing_length(physique, part.joint)))
        elif part.kind == TOWARD and not part.numbers[AROUND]:
            away = np.maximum(away, np.linalg.norm(part.rows[:, :3], axis=1) / LEAVES)
        elif part.kind == TURN:
            turned = 2 * np.arccos(np.clip(np.abs(part.rows[:, 3]), 0.0, 1.0)) * part.rows[:, 4]
            away = np.maximum(away, turned / LEAVES_TURNING)
        elif part.kind != BEND:
            away = np.maximum(away, part.rows[:, 4])
    near = np.clip(away, 0.0, 1.0)
    share = _slowly(near * near * (3.0 - 2.0 * near), loops=driver.bound.animation.loop)
    for part in asked:
        part.rows[:, 4] *= share
        yield part


def _slowly(share: FloatArray, *, loops: bool) -> FloatArray:
    """(T,) as much, or less, so that it comes and goes in no less than `LEAVING` seconds."""
    half = max(1, min(round(0.5 * LEAVING * RATE), (len(share) - 1) // 4))
    for least in (True, False):
        padded = np.pad(share[:-1], half, "wrap") if loops else np.pad(share, half, "edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1)
        share = np.asarray(windows.min(axis=1) if least else windows.mean(axis=1), np.float64)
        share = np.append(share, share[0]) if loops else share
    return share


def _seen(physique: Physique, part: Part) -> int:
    """What carries the space in which a part is meant: the spine where its limb begins; the root for the spine."""
    base = int(physique.limb_bases[part.joint])
    if part.joint == physique.root or part.channel.space == "stage":
        return STAGE
    return physique.root if base == part.joint or base not in physique.spine else base


def _place(driver: Animated, part: Part, limb: int, held: FloatArray, at: FloatArray) -> Iterator[Asked]:
    """A place: as such where it is known, or as what it takes to find it.

    Args:
        driver: the animation.
        part: who plays what.
        limb: see `Scores.limb`.
        held: (2, 3) see `_held`.
        at: (T,) seconds.
    """
    physique, channel, point = driver.bound.physique, part.channel, held[0]
    mode, curve = channel.position, channel.place
    assert curve is not None
    general, weights = curve(at), weights_at(channel.place_weight, at)
    seen = _seen(physique, part)
    given = np.zeros(NUMBERS)
    given[EXACT] = float(is_exact(channel))
    if mode.boundary is not None and mode.toward is not None and mode.toward.target is None:
        # What is on the skin of a part is carried by that part.
        other = nearest_part(physique, part.joint, mode.toward)
        seen = seen if other is None else other
    if mode.toward is None or (mode.toward.target is None and _goes_along(physique, part, seen)):
        target = None if mode.toward is None else rest_target(
            physique, part.joint, mode.toward, surface=mode.boundary is not None
        )  # fmt: skip
        if mode.toward is not None and target is None:
            return
        there = position_map(physique, part.joint, mode, mirror=part.mirrored, target=target).specialize(general)
        aim = None if mode.toward is None else nearest_part(physique, part.joint, mode.toward)
        yield Asked(PLACE, part.joint, limb, seen, NONE if aim is None else aim, given, _rows(there + point, weights))
        return
    aim = _aim(driver, part, mode.toward)
    if aim is None:
        return
    length = swing_length(physique, part.joint)
    uniform = {"none": 1.0, "size": physique.height, "limb": length}[mode.scale]
    if mode.reach:
        # How far along and how much aside of the way to the target is known already.
        way = reach_map(site_of(physique, part.joint, None))
        angle = np.hypot(general[:, 0], general[:, 1])
        aside = np.sinc(angle / np.pi)[:, None] * general[:, :2]
        general = way.stretch.length(general[:, 2])[:, None] * np.column_stack([aside, np.cos(angle)])
        given[REST : REST + 3], uniform = way.base, 1.0
    else:
        given[GRIP] = float(given[EXACT] and mode.toward.target is not None and np.any(held[1]))
        given[REST : REST + 3] = physique.positions[part.joint] + point + given[GRIP] * held[1]
    given[SCALES : SCALES + 3] = physique.size if mode.scale == "size" and mode.relative == "absolute" else uniform
    given[AROUND], given[FAR] = float(mode.relative == "absolute"), float(mode.directional or mode.reach)
    flipped = general * [-1.0, 1.0, 1.0] if part.mirrored else general
    yield Asked(TOWARD, part.joint, limb, seen, aim, given, _rows(flipped, weights))


def _aim(driver: Animated, part: Part, toward: Context) -> int | None:
    """See `Scores.aim`; None if the body has no such part."""
    if toward.target is not None:
        return -1 - driver.outside.index(toward.target)
    return nearest_part(driver.bound.physique, part.joint, toward)


def _goes_along(physique: Physique, part: Part, seen: int) -> bool:
    """Whether what a part is toward is carried by the same joint, so that it is where it is at rest."""
    toward = part.channel.position.toward
    other = None if toward is None else nearest_part(physique, part.joint, toward)
    if other is None:
        return True
    base = int(physique.limb_bases[other])
    return seen != STAGE and (seen in (other, base) or (toward is not None and toward.limb in ("shoulder", "base")))


def _turn(driver: Animated, part: Part, limb: int, at: FloatArray) -> Iterator[Asked]:
    """A turn in character space, or a look that is turned on."""
    physique, channel = driver.bound.physique, part.channel
    mode, curve = channel.rotation, channel.turn
    assert curve is not None
    general, weights = curve(at) * part.share, weights_at(channel.turn_weight, at)
    back = quaternion.conjugate(physique.rotations[part.joint])
    seen = _seen(physique, part)
    if mode.toward is None:
        turned = rotation_map(physique, part.joint, mode, mirror=part.mirrored).specialize(general)
        yield Asked(
            TURN, part.joint, limb, seen, NONE, np.zeros(NUMBERS), _rows(quaternion.multiply(turned, back), weights)
        )
        return
    aim = _aim(driver, part, mode.toward)
    if aim is None:
        return
    given = np.zeros(NUMBERS)
    given[COMFORTABLE], given[FURTHEST] = mode.comfortable, mode.furthest
    given[REST : REST + 3] = physique.positions[part.joint]
    given[AIMED : AIMED + 4] = part_frames(physique)[part.joint]
    turn = quaternion.exp(general * [1.0, -1.0, -1.0] if part.mirrored else general)
    yield Asked(LOOK, part.joint, limb, seen, aim, given, _rows(turn, weights))


def _bends(driver: Animated, part: Part, times: FloatArray) -> Iterator[Asked]:
    """The bends of the joints of a limb, later the nearer they are to its tip."""
    assert part.channel.bend is not None
    found: dict[int, FloatArray] = {}
    add_bends(driver.bound.physique, part, driver.bends(times, part, part.channel.bend), found)
    for joint, vectors in found.items():
        always = np.ones(len(times))
        yield Asked(BEND, joint, NONE, STAGE, NONE, np.zeros(NUMBERS), _rows(vectors, always))


def _deform(physique: Physique, joint: int, name: str, amounts: FloatArray) -> Iterator[Asked]:
    """Fingers and jaws that bend, and morphs."""
    found = deformer_of(physique, joint, name)
    always = np.ones(len(amounts))
    if found.curls is not None:
        for finger, axis, opened, closed in zip(*found.curls, strict=True):
            angles = np.where(amounts > 0, amounts * opened, -amounts * closed)
            about = quaternion.rotate(physique.rotations[finger], axis)
            yield Asked(BEND, int(finger), NONE, STAGE, NONE, np.zeros(NUMBERS), _rows(angles[:, None] * about, always))
        closed = _rows(np.clip(-amounts, 0.0, 1.0)[:, None], always)
        yield Asked(CLOSE, joint, NONE, STAGE, NONE, np.zeros(NUMBERS), closed)
    for morphs, weights in ((found.morphs, amounts), (found.closing, -amounts)):
        for morph in morphs:
            rows = _rows(np.clip(weights, 0.0, 1.0)[:, None], always)
            yield Asked(MORPH, morph, NONE, STAGE, NONE, np.zeros(NUMBERS), rows)


def _rows(values: FloatArray, weights: FloatArray) -> FloatArray:
    """(T, 5) values of up to four numbers, and weights."""
    rows = np.zeros((len(values), 5))
    rows[:, : values.shape[1]], rows[:, 4] = values, weights
    return rows
