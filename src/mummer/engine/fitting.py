"""Places of hands fitted to this body: wished where one of them can be, once an animation.

A text does not know how thick a trunk, a head or a hand is, nor how far a shoulder turns: one that waves, claps, or
throws up its arms wishes hands inside large heads, round bellies and each other, or where arms would go through them.
Here arms are placed as they will be when it plays, heads and jaws as they will be held, and hands are moved until all
of the arm, claws and elbow included, is clear of what carries it and within its limits; as smoothly as that was wished.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.engine.body import Body
from mummer.engine.clearance import SOFT, apart_from, placed
from mummer.engine.contact import base_of, skin_point
from mummer.engine.ground import Ground, level_ground
from mummer.engine.limb import SOFT as STRETCH
from mummer.engine.limb import place_limb, softened, tip_below
from mummer.engine.scalars import bend_of, vector
from mummer.engine.self_contact import ball_of, bent_turn, carried_capsule, goals_place, swivel, turn_below
from mummer.engine.solids import directions
from mummer.engine.state import Actors, Goals, new_actors, no_goals
from mummer.engine.tables import RATE
from mummer.ik.volume.capsule import at_share, nearest_share, thickness
from mummer.kernels.arguments import Count, Floats1, Output2
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU
from mummer.kernels.vectors import dot, minus, plus, scaled, size, soft_limit, times, turned
from mummer.math import quaternion
from mummer.math.interpolate import slerp

if TYPE_CHECKING:
    from mummer.kernels.scalars import Four, Three

EVERY = 3
"""Of so many moments one is looked at."""
PASSES, ROUNDS = 3, 4
"""How often all moments are, and how often a hand is moved out of what is in its way in each."""
WAYS, NEARER = 128, (0.4, 0.7, 0.95)
"""In how many directions, and at which parts of its length from its shoulder, it is looked whether a hand can be."""
HINDERED, HASTE, FREE = 4.0, 1.0, 0.01
"""What it counts, beside a radian squared by which a hand is elsewhere, that it lacks a length of its arm to be there,
and a radian squared from moment to moment; and lengths that count as none."""
EASY, FARTHEST = 0.97, 0.99
"""The part of its length from which on, and up to which, an arm is stretched for what is out of its reach."""
AHEAD = 0.6
"""How far from below its shoulder, in its reach, a hand is that cannot come to the ground unless this comes down."""
UNHURRIED, SPREADS, SPREAD = 0.6, 60, 6
"""The part of the most that joints turn suddenly to which wishes keep; how often what is quicker is spread over the
moments beside it, and over how many around it.
"""
SHARED = 0.5
"""Of two hands that are in each other each makes way by this part."""
LEVER = 3.0
"""How many times farther than an elbow that is in the way a hand is moved at most."""
NOWHERE = 1e6
"""Metres away is what no hand makes way for, and the ground."""


class Wished(NamedTuple):
    """Where the tip of a limb is wished at T moments, in character space, all else but what `Held` says at rest.

    Attributes:
        places: (T, 3) metres, of what of it is placed.
        turns: (T, 5) how it should be turned from rest, and how much.
        closed: (T,) how much its fingers are closed, 0 to 1.
        around: the joint around which these places are, so that they go along with it, or -1.
    """

    places: FloatArray
    turns: FloatArray
    closed: FloatArray
    around: int = -1


class Held(NamedTuple):
    """How spines, heads, jaws and the like are held meanwhile, by joint.

    Attributes:
        turns: the joint that each sees, or -1, and (T, 5) how it is turned from rest as that sees it, and how much.
        bends: (T, 5) rotation vectors by which they are bent, and how much.
        seen: the joint that sees what is wished of the limb, and that is taken to be as at rest; or -1.
    """

    turns: Mapping[int, tuple[int, FloatArray]]
    bends: Mapping[int, FloatArray]
    seen: int


AT_REST = Held({}, {}, -1)


def fit_to_body(
    body: Body, limb: int, wished: Mapping[int, Wished], held: Held = AT_REST, *, loops: bool = False
) -> FloatArray:
    """(T, 3) by how much the places wished of one of some limbs are moved for it to come there, clear of all else.

    Of what ``loops`` the last moment is the first.
    """
    mine = wished[limb]
    count = len(mine.places)
    rows = np.unique(np.append(np.arange(0, count - 1, EVERY), [] if loops else count - 1)).astype(np.int64)
    actors, counts, wish = _posed(body, limb, wished, held, rows)
    goals, tip = no_goals(body, len(rows), 0), int(body.limbs.tip[limb])
    goals.turns[:, tip], goals.closed[:, tip] = mine.turns[rows], mine.closed[rows]
    carrier, first = int(body.limbs.carrier[limb]), int(body.limbs.chain[body.limbs.first[limb]])
    turned_bone = quaternion.rotate(actors.turns[:, carrier], body.frame.bones[first])
    base = actors.places[:, carrier] + turned_bone
    more, run = np.zeros((len(rows), 3)), (body, actors, goals, level_ground(-NOWHERE))
    goals.places[:, limb, :3] = wish
    # Hands make way for one another, and go no other way for that.
    CPU.run(probe, len(rows), limb, *run, locked(np.floor(counts)), more)
    places = wish
    if more.max() > FREE:
        # Of what goes round and round it is once that neither begins nor ends.
        again = np.tile(np.arange(len(rows)), 3 if loops else 1)
        way = _way_around(body, limb, (wish - base)[again], more[again, 0]) + base[again]
        places = way[len(rows) : 2 * len(rows)] if loops else way
    for _ in range(PASSES):
        goals.places[:, limb, :3] = places
        CPU.run(fit, len(rows), limb, *run, locked(counts), more)
        if not more.any():
            break
        places = _smoothed(wish, places + more - wish, base, loops=loops)
    period = count - 1 if loops else None
    moved, start = (
        np.stack([np.interp(np.arange(count), rows, column, period=period) for column in columns.T], axis=1)
        for columns in (places - wish, base - wish + mine.places[rows])
    )
    return _within_reach(body, limb, mine.places + moved - start, loops=loops) + start - mine.places


def fit_to_joints(body: Body, leg: int, wished: Wished) -> FloatArray:
    """(T, 3) by how much places wished of a foot are moved for its leg to come there; what it hangs on is at rest."""
    rows = np.arange(len(wished.places))
    actors, _, wish = _posed(body, leg, {leg: wished}, AT_REST, rows)
    goals, lacks = no_goals(body, len(rows), 0), np.zeros((len(rows), 3))
    goals.places[:, leg, :3] = wish
    CPU.run(hold_back, len(rows), leg, body, actors, goals, lacks)
    # What is lifted is not put into the ground for that.
    lowest = np.minimum(wish[:, 1], body.frame.places[body.limbs.tip[leg], 1] + body.limbs.point[leg, 1])
    lacks[:, 1] = np.maximum(lacks[:, 1], lowest - wish[:, 1])
    return lacks


def within_stoop(body: Body, limb: int, places: FloatArray, held: Held, moved: FloatArray) -> FloatArray:
    """(T, 3) places on the stage, no farther from below a shoulder than its hand comes down there as the body stoops.

    ``moved`` (T, 7) is how far the root is from rest meanwhile, and how it is turned.
    """
    rows, frame = np.arange(len(places)), body.frame
    actors, _, _ = _posed(body, limb, {}, held, rows)
    carrier, first = int(body.limbs.carrier[limb]), int(body.limbs.chain[body.limbs.first[limb]])
    root = frame.places[frame.root]
    base = actors.places[:, carrier] + quaternion.rotate(actors.turns[:, carrier], frame.bones[first]) - root
    base = root + moved[:, :3] + quaternion.rotate(moved[:, 3:], base)
    ways, along = places - base, np.hypot(*(base - frame.places[first])[:, [0, 2]].T)
    reach = EASY * float(body.limbs.folds[limb, 0, 0])
    # A shoulder that is too high for its hand to come down comes down itself.
    most = np.sqrt(np.maximum(reach**2 - ways[:, 1] ** 2, (AHEAD * reach) ** 2))
    aside = np.hypot(ways[:, 0], ways[:, 2])
    # What is wished goes along with a shoulder that goes elsewhere, and no farther.
    less = np.where(ways[:, 1] < 0.0, np.clip(aside - most, 0.0, along) / np.maximum(aside, 1e-9), 0.0)
    return np.asarray(places - ways * less[:, None] * [1.0, 0.0, 1.0])


def _within_reach(body: Body, limb: int, ways: FloatArray, *, loops: bool) -> FloatArray:
    """(T, 3) ways from a shoulder no longer than its arm, and no more sudden than that swings and folds.

    What is quicker is spread over time, just where it is and only as far as it takes.
    """
    limbs, sudden = body.limbs, body.frame.sudden
    chain = limbs.chain[limbs.first[limb] : limbs.first[limb] + limbs.number[limb]]
    folds = limbs.folds[limb, ::-1, : 1 + len(chain)]
    far = np.linalg.norm(ways, axis=1)
    units = ways / np.maximum(far, 1e-9)[:, None]
    far = np.array([soft_limit(each, EASY * folds[-1, 0], FARTHEST * folds[-1, 0]) for each in far])
    for _ in range(SPREADS):
        bent = np.column_stack([np.interp(far, folds[:, 0], angles) for angles in folds.T[2:]] or [np.zeros(len(far))])
        turns = np.column_stack([units, far[:, None] / folds[-1, 0], bent])
        haste = np.abs(np.diff(_going_on(turns, loops=loops), 2, axis=0)) * RATE**2
        swings, bends = np.linalg.norm(haste[:, :3], axis=1), haste[:, 4:]
        over = (swings + 0.5 * bends.max(axis=1)) / sudden[chain[0]]
        over = np.maximum(over, (bends / sudden[chain[1:]]).max(axis=1)) if len(chain) > 1 else over
        if over.max() <= UNHURRIED:
            break
        wide = _around((over > UNHURRIED)[:, None], SPREAD, loops=loops)[:, 0]
        share = np.lib.stride_tricks.sliding_window_view(wide, 2 * SPREAD + 1).mean(axis=1)
        share = np.minimum(2.0 * share, 1.0)[:, None]
        padded = _going_on(np.column_stack([units, far]), loops=loops)
        mixed = 0.5 * padded[1:-1] + 0.25 * (padded[:-2] + padded[2:])
        far = far + share[:, 0] * (mixed[:, 3] - far)
        units = units + share * (mixed[:, :3] - units)
        units = units / np.maximum(np.linalg.norm(units, axis=1), 1e-9)[:, None]
    return np.asarray(units * far[:, None])


def _going_on(rows: FloatArray, *, loops: bool) -> FloatArray:
    """(R + 2, n) rows, and one before and after them: what does not loop goes on as it went, for it does not stop."""
    return _around(rows, 1, loops=True) if loops else np.pad(rows, [(1, 1), (0, 0)], "reflect", reflect_type="odd")


def _around(rows: FloatArray, more: int, *, loops: bool) -> FloatArray:
    """(R + 2 more, n) rows, and as many before and after them: the same again, or what loops on its other side."""
    if not loops:
        return np.pad(rows, [(more, more), (0, 0)], "edge")
    return np.concatenate([rows[-1 - more : -1], rows, rows[1 : 1 + more]])


def _smoothed(wish: FloatArray, moves: FloatArray, base: FloatArray, *, loops: bool) -> FloatArray:
    """(R, 3) where a hand is, wished somewhere and moved without haste, and without haste nearer to its shoulder."""
    near = np.linalg.norm(wish - base, axis=1)
    farther = np.linalg.norm(wish + moves - base, axis=1) - near
    padded = np.pad(np.column_stack([moves, farther]), [(2, 2), (0, 0)], "wrap" if loops else "edge")
    weights = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0
    mixed = sum(weight * padded[place : place + len(moves)] for place, weight in enumerate(weights))
    ways = wish + mixed[:, :3] - base
    return np.asarray(base + ways * ((near + mixed[:, 3]) / np.maximum(np.linalg.norm(ways, axis=1), 1e-9))[:, None])


def _way_around(body: Body, limb: int, wish: FloatArray, lacks: FloatArray) -> FloatArray:
    """(R, 3) from a shoulder: the way of a hand, as near to the wished one as it can go without haste."""
    length, far = float(body.limbs.length[limb]), np.linalg.norm(wish, axis=1)
    # Alike for both hands of a pair.
    ways = directions(WAYS) * [1.0 if body.limbs.side[limb] >= 0.0 else -1.0, 1.0, 1.0]
    hindered = np.array([_hindered(body, limb, share * length * ways) for share in NEARER])
    at = np.clip(np.interp(far / length, NEARER, np.arange(len(NEARER))), 0, len(NEARER) - 1)
    low = np.minimum(at.astype(int), len(NEARER) - 2)
    share = (at - low)[:, None]
    hindered = hindered[low] + share * (hindered[low + 1] - hindered[low])
    wished = wish / np.maximum(far, 1e-9)[:, None]
    # The last of all directions is the wished one itself.
    apart = np.arccos(np.clip(wished @ ways.T, -1.0, 1.0))
    costs = HINDERED * np.column_stack([hindered, lacks]) + np.column_stack([apart, np.zeros(len(far))]) ** 2
    among = np.arccos(np.clip(ways @ ways.T, -1.0, 1.0))
    total, came = costs[0], np.zeros((len(far), WAYS + 1), np.int64)
    for row in range(1, len(far)):
        here = np.block([[among, apart[row][:, None]], [apart[row - 1][None], np.zeros((1, 1))]])
        here[-1, -1] = np.arccos(np.clip(wished[row - 1] @ wished[row], -1.0, 1.0))
        most = total[:, None] + HASTE * here**2
        came[row] = np.argmin(most, axis=0)
        total = np.min(most, axis=0) + costs[row]
    which = int(np.argmin(total))
    found = np.zeros_like(wish)
    for row in range(len(far) - 1, -1, -1):
        found[row] = wish[row] if which == WAYS else far[row] * ways[which]
        which = int(came[row, which])
    return found


def _hindered(body: Body, limb: int, ways: FloatArray) -> FloatArray:
    """(W,) how many lengths of its arm a hand lacks to be at places (W, 3) from its shoulder, all else at rest."""
    rows = np.zeros(len(ways), np.int64)
    actors, counts, _ = _posed(body, limb, {}, AT_REST, rows)
    goals, lacks = no_goals(body, len(rows), 0), np.zeros((len(rows), 1))
    goals.places[:, limb, :3] = ways + body.frame.places[body.limbs.chain[body.limbs.first[limb]]]
    CPU.run(probe, len(rows), limb, body, actors, goals, level_ground(-NOWHERE), locked(counts), lacks)
    return lacks[:, 0]


def _posed(
    body: Body, limb: int, wished: Mapping[int, Wished], held: Held, rows: IntArray
) -> tuple[Actors, FloatArray, FloatArray]:
    """Actors who hold heads and hands so, one a moment; how much a limb makes way for joints; where it is wished."""
    frame, limbs, counts = body.frame, body.limbs, _still(body)
    actors = new_actors(body, np.zeros((len(rows), 3)), level_ground())
    actors.places[:], actors.turns[..., 3] = frame.places, 1.0
    for joint, above in enumerate(frame.parents.tolist() if held.turns or held.bends else ()):
        if above < 0:
            continue
        turn = actors.turns[:, above]
        actors.places[:, joint] = actors.places[:, above] + quaternion.rotate(turn, frame.bones[joint])
        if joint in held.bends:
            bends = held.bends[joint][rows]
            turn = quaternion.multiply(turn, quaternion.exp(bends[:, :3] * bends[:, 4:]))
        if joint in held.turns:
            seen, asked = held.turns[joint][0], held.turns[joint][1][rows]
            wanted = asked[:, :4] if seen < 0 else quaternion.multiply(actors.turns[:, seen], asked[:, :4])
            turn = slerp(turn, wanted, asked[:, 4])
        actors.turns[:, joint] = turn
    if held.seen >= 0:
        back = quaternion.conjugate(actors.turns[:, held.seen])[:, None]
        away = actors.places - actors.places[:, held.seen, None]
        actors.places[:] = frame.places[held.seen] + quaternion.rotate(back, away)
        actors.turns[:] = quaternion.multiply(back, actors.turns)
    places = {number: each.places[rows] for number, each in wished.items()}
    for number, each in wished.items():
        if each.around >= 0:
            places[number] = places[number] + actors.places[:, each.around] - frame.places[each.around]
    ignored = counts == 0.0
    ignored[limbs.carrier[limb]] = False
    actors.places[:, ignored] += NOWHERE
    for number, each in wished.items():
        tip, base = int(limbs.tip[number]), frame.places[limbs.chain[limbs.first[number]]]
        at = frame.places[tip] + limbs.point[number]
        swung = quaternion.between_vectors(at - base, places[number] - base)
        swung = slerp(swung, each.turns[rows, :4], each.turns[rows, 4])
        if number != limb:
            actors.places[:, tip] = places[number] - quaternion.rotate(swung, limbs.point[number])
            actors.turns[:, tip], counts[tip] = swung, SHARED
    return actors, counts, places.get(limb, np.zeros((len(rows), 3)))


def _still(body: Body) -> FloatArray:
    """(J,) 1 for joints of the trunk, of necks and heads, and of what hangs on these and neither swings nor sways."""
    moving = {*body.limbs.chain.tolist(), *body.limbs.tip.tolist(), *body.wings.joint.tolist()}
    moving |= {*body.sways.joint.tolist(), *body.waves.joint.tolist()} - {*body.frame.core.tolist()}
    counts = np.ones(len(body.frame.parents))
    for joint, parent in enumerate(body.frame.parents.tolist()):
        if joint in moving or (parent >= 0 and counts[parent] == 0.0):
            counts[joint] = 0.0
    return counts


@kernel(on_cuda=False, borrows=True)
def probe(
    row: int, limb: Count, body: Body, actors: Actors, goals: Goals, ground: Ground, counts: Floats1, lacks: Output2
) -> None:
    """One item is one moment: how far the tip of a limb would have to go elsewhere, in lengths of the limb."""
    place = goals_place(row, limb, goals)
    away = size(whole_away(row, limb, place, counts, body, actors, goals, ground))
    lacks[row, 0] = (away + size(held_back(row, limb, place, body, actors))) / body.limbs.length[limb]


@kernel(on_cuda=False, borrows=True)
def fit(
    row: int, limb: Count, body: Body, actors: Actors, goals: Goals, ground: Ground, counts: Floats1, moves: Output2
) -> None:
    """One item is one moment: by how much the tip of a limb is moved for the limb to be clear, and to come there."""
    start, base = goals_place(row, limb, goals), base_of(row, limb, body, actors)
    near = size(minus(start, base))
    place, far = start, max(near, body.limbs.folds[limb, 0, 0])
    for _ in range(ROUNDS):
        away = whole_away(row, limb, place, counts, body, actors, goals, ground)
        if dot(away, away) == 0.0:
            break
        # Past its own shoulder it would turn about at once, and beyond its reach it would not come.
        way = minus(plus(place, away), base)
        place = plus(base, scaled(way, min(max(size(way), near), far) / max(size(way), 1e-9)))
    place = plus(place, held_back(row, limb, place, body, actors))
    for part in range(3):
        moves[row, part] = place[part] - start[part]


@kernel(on_cuda=False, borrows=True)
def hold_back(row: int, limb: Count, body: Body, actors: Actors, goals: Goals, moves: Output2) -> None:
    """One item is one moment: by how much the tip of a limb is moved for it to come there as limits let it."""
    moved = held_back(row, limb, goals_place(row, limb, goals), body, actors)
    for part in range(3):
        moves[row, part] = moved[part]


def whole_away(
    row: int, limb: int, place: Three, counts: Floats1, body: Body, actors: Actors, goals: Goals, ground: Ground
) -> Three:  # fmt: skip
    """How far the tip of a limb is moved from a place for the limb to be clear that is placed there."""
    place_limb(row, limb, place, place, STRETCH, body, actors)
    swivel(row, limb, 1.0, body, actors, ground)
    above, closed = carried_above(row, limb, body, actors), goals.closed[row, body.limbs.tip[limb]]
    turn = turn_below(row, limb, above, body, actors, goals)
    wrist = minus(place, turned(turn, vector(body.limbs.point, limb)))
    turn = bent_turn(row, limb, wrist, above, turn, closed, body, actors)
    return plus(
        arm_away(row, limb, place, body, actors), hand_away(row, limb, wrist, turn, closed, counts, body, actors)
    )


def held_back(row: int, limb: int, place: Three, body: Body, actors: Actors) -> Three:
    """From a place to where a limb comes that limits hold; what is too far away stays so."""
    limbs, base = body.limbs, base_of(row, limb, body, actors)
    way = minus(place, base)
    there = scaled(way, softened(size(way), limbs.folds[limb, 0, 0], STRETCH) / max(size(way), 1e-9))
    place_limb(row, limb, place, place, STRETCH, body, actors)
    first = bend_of(row, limbs.chain[limbs.first[limb]], actors.bends)
    turn = times(bend_of(row, limbs.carrier[limb], actors.turns), first)
    return minus(turned(turn, tip_below(row, limb, 0, body, actors)), there)


def carried_above(row: int, limb: int, body: Body, actors: Actors) -> Four:
    """How a limb that is placed turns what its tip hangs on."""
    limbs = body.limbs
    turn = bend_of(row, limbs.carrier[limb], actors.turns)
    for number in range(limbs.number[limb]):
        turn = times(turn, bend_of(row, limbs.chain[limbs.first[limb] + number], actors.bends))
    return turn


def arm_away(row: int, limb: int, tip: Three, body: Body, actors: Actors) -> Three:
    """How far the tip of a limb moves for what of the rest of it is deepest in the body to come out, about its base."""
    solids, limbs = body.solids, body.limbs
    first, side, last = limbs.first[limb], solids.first_side[limb], solids.first_side[limb] + solids.side_number[limb]
    base = base_of(row, limb, body, actors)
    place, turn = base, bend_of(row, limbs.carrier[limb], actors.turns)
    reach, deepest, found = size(minus(tip, base)), 0.0, (0.0, 0.0, 0.0)
    for number in range(limbs.number[limb]):
        joint = limbs.chain[first + number]
        if number > 0:
            place = plus(place, turned(turn, vector(body.frame.bones, joint)))
        turn = times(turn, bend_of(row, joint, actors.bends))
        while side < last and solids.joint[solids.side_own[side]] == joint:
            own, other, give = solids.side_own[side], solids.side_other[side], solids.side_gives[side]
            gap = minus(plus(place, turned(turn, vector(solids.ball, own))), ball_of(row, other, body, actors))
            around = solids.ball[own, 3] + solids.ball[other, 3] - give
            if dot(gap, gap) < around * around:
                mine = placed(own, place, turn, solids.side_trims[side, 0], solids.side_trims[side, 1], solids)
                theirs = carried_capsule(row, other, body, actors)
                push, spot = apart_from(mine, theirs, base, give, SOFT * limbs.length[limb])
                if size(push) > deepest:
                    deepest = size(push)
                    found = scaled(push, min(reach / max(size(minus(spot, base)), 1e-9), LEVER))
            side += 1
    return found


def hand_away(
    row: int, limb: int, place: Three, turn: Four, closed: float, counts: Floats1, body: Body, actors: Actors
) -> Three:  # fmt: skip
    """How far the tip of a limb is moved out of all that counts, and then for the deepest of its claws to be."""
    solids, tip, start = body.solids, body.limbs.tip[limb], place
    base, soft = base_of(row, limb, body, actors), SOFT * body.limbs.length[limb]
    deepest, out = 0.0, (0.0, 0.0, 0.0)
    for pair in range(solids.first_pair[limb], solids.first_pair[limb] + solids.pair_number[limb]):
        own, other, give = solids.own[pair], solids.other[pair], solids.gives[pair]
        count = counts[solids.joint[other]]
        gap = minus(place, ball_of(row, other, body, actors))
        around = solids.bound[tip] + solids.ball[own, 3] + solids.ball[other, 3]
        if count > 0.0 and dot(gap, gap) < around * around:
            theirs = carried_capsule(row, other, body, actors)
            push, _ = apart_from(placed(own, place, turn, 0.0, 1.0, solids), theirs, base, give, soft)
            place = plus(place, scaled(push, count))
            for number in range(solids.number[tip] if count == 1.0 else 0):
                spot = plus(place, turned(turn, skin_point(solids.first[tip] + number, closed, body)))
                share = nearest_share(spot, theirs)
                away = minus(spot, at_share(theirs, share))
                deep = thickness(theirs, share) - give - size(away)
                if deep > deepest:
                    deepest, out = deep, scaled(away, deep / max(size(away), 1e-9))
    return plus(minus(place, start), out)
