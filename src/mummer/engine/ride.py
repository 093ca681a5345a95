"""How a body rides on its legs: with the ground, up and down, from side to side, into where it goes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.contact import base_of
from mummer.engine.down import turned_over
from mummer.engine.feet import aloft, foot_goal, raised_heel, stand_of
from mummer.engine.ground import height_at
from mummer.engine.legs import COLUMN, GRAVITY
from mummer.engine.scalars import (
    bend_of,
    follow,
    place_of,
    ramp,
    rotation_by,
    three_of,
    vector,
    write_bend,
    write_three,
)
from mummer.engine.settle import HEAVIEST, anchored, settle_place
from mummer.engine.state import (
    AIR,
    BURDEN,
    CONTACT,
    FOLDS,
    GIVE,
    GOAL,
    HEAVE,
    HEEL,
    HIP,
    HOPPING,
    LACK,
    LANDING,
    LAST_AIR,
    LAST_STAND,
    LET_GO,
    LET_GO_RATE,
    LOW,
    LOW_RATE,
    MISS,
    OVER,
    PITCH,
    ROLL,
    ROOM,
    SINCE,
    WALKING,
    WAS,
)
from mummer.engine.walk import FIXED, QUICKEST, SHORTEST_FLIGHT, leg_style, speed_at, style_at
from mummer.kernels.linking import apart
from mummer.kernels.scalars import PI
from mummer.kernels.vectors import about, cross, dot, minus, plus, scaled, size, times, turned, unit_rotation

if TYPE_CHECKING:
    from mummer.arrays import FloatArray
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.legs import Legs
    from mummer.engine.state import Actors, Goals
    from mummer.engine.walk import Pace
    from mummer.kernels.scalars import Three

BOB, SWAY, ROLLS, YAWS, TWIST, LEAN, CROUCH = (
    COLUMN["bob"], COLUMN["sway"], COLUMN["roll"], COLUMN["yaw"], COLUMN["twist"], COLUMN["lean"], COLUMN["crouch"]
)  # fmt: skip
BOUNCE, WEAK_DIP, GATHER, NOD = COLUMN["bounce"], COLUMN["weak_dip"], COLUMN["gather"], COLUMN["nod"]
# Legs that stand nearer together than this, in leg lengths, do not pitch or roll the body with the ground.
PITCH_BASE, ROLL_BASE = 0.15, 0.45
# How much of the lean that balance asks for in changes of speed a body takes.
INTO_SPEED = 0.45
# Gravities that bobbing takes at most.
SOFTEST = 0.35
# How much of the ground's ups and downs a body takes up, in one over its units of time.
READINESS = 1.6
# Between two flights of a run the body dips: for no longer than so many units of time, and no deeper than so many leg
# lengths.
LONGEST_STAND, DEEPEST = 2.5, 0.1
# How far hips are lowered at most for legs to reach, in leg lengths.
LOWEST = 0.3
# How much longer a leg is at least than folded as far as it goes.
FOLDED = 1.05
# How soon hips are lowered, and rise again, one over seconds.
SINKING = 20.0
# How far from straight a leg begins to be spared, in parts of its reach.
SOFT = 0.03
# How often each leg that stands pulls the body back to where it reaches and folds; how softly, in parts of its reach;
# and how far from their middle hips are taken to be at least, in leg lengths: the less, the rather the body turns.
PULLS, HELD_SOFT, LEVER = 6, 0.006, 0.5
# How soon the body gives way to what legs lack that do not reach for their joints, and comes back, one over seconds.
GIVING, KEEPING = 12.0, 0.8
# How much a body is turned over, one less the cosine, from which on no foot holds it, nor one whose leg is so many
# parts of its reach from folded, or beyond it; how soon one lets go, one over units of time.
TIPPED, SQUATS, BEYOND, LETTING_GO = 0.35, 0.2, 0.05, 3.0
# Units of time ahead for which it is seen that a leg comes to be folded, and the part of its way there from rest that
# it has yet to go at most, if its body lies down anyway.
FORESEEN, SOONEST_FOLDED, HALFWAY = 0.6, 0.3, 0.5
# Leg lengths by which the root of who sits is lowered at least: who squats stands. The part of its reach up to which a
# leg is bent, and leg lengths that it misses then where its foot stands from which on that lets go of who sits.
SEATED, BENT, SLID = 0.5, 0.9, 0.01
# How much that is at least; and how much a body walks at most for which one waits that is on its way.
LEAST, STANDS = 0.02, 0.2
# Leg lengths from which on who rises is lifted off the ground, and by which a leg is below it that no longer stands.
LIFTED, KNEELS = 0.25, 0.03
# How many times faster than in its shortest flight, or in half of its stand, a leg is swung ahead at most.
SWIFTEST_SWING = 1.2
# The part of a cycle from landing on after which hips are level over a leg, in recorded walks and runs alike.
LEVEL = 0.12
# The part of a cycle before front legs land at which heads are lowest, as in recorded gallops.
NODS_EARLY = 0.25


def swing_of(actor: int, leg: int, pace: Pace, legs: Legs, actors: Actors, seconds: float) -> Three:
    """How far ahead a leg is swung, 1 as it lands to -1 as it leaves, how much it is loaded, 0 to 1, and lists hips.

    One that steps out of turn, or waits for its next, goes on as it went.
    """
    stand, share = stand_of(actor, leg, pace.duty, actors), actors.feet[actor, leg, AIR]
    # One whose foot comes down from above swings back already.
    down = (1.0 - FIXED) * (1.0 - pace.duty) / pace.duty
    back = stand if stand >= 0.0 else down / (1.0 - FIXED) * (share - 1.0)
    ahead = math.cos(PI * (back + down) / (1.0 + down)) if back > -down else -math.cos(PI * share / FIXED)
    load = math.sin(PI * stand) ** 2 if stand >= 0.0 else 0.0
    lists = 0.5 * math.sin(2.0 * PI * (actors.phases[actor, leg] - LEVEL))
    # A leg is loaded and freed again in one stand, which may be shorter than a flight ever is.
    least = min(max(QUICKEST, SHORTEST_FLIGHT * legs.unit), 0.5 * pace.duty / (pace.rate * legs.rate[leg]))
    row, most = 3 + legs.limb.shape[0] + leg, (SWIFTEST_SWING * PI / least) ** 2
    return settle_place(actor, row, 0, (ahead, load, lists), most, actors.anchors, seconds)


@apart
def ride(
    actor: int, body: Body, actors: Actors, goals: Goals, ground: Ground, pace: Pace, seconds: float
) -> tuple[Three, float, float]:
    """Put the root where it rides, and turn it.

    How far the spine is gathered, the chest twisted and heads nod, radians, and how far ahead left and right legs are.
    """
    legs, relative, rate, duty = body.legs, pace.relative, pace.rate, pace.duty
    walking, length = actors.gait[actor, WALKING], legs.length
    count = legs.limb.shape[0]
    bob = min(style_at(legs, relative, BOB) * length, SOFTEST * GRAVITY / (4.0 * PI * rate) ** 2) * 5.0 * walking
    level, level_ahead, level_left, up, up_ahead, up_left = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    middle_left, middle_ahead, wide_left, wide_ahead = 0.0, 0.0, 0.0, 0.0
    for leg in range(count):
        middle_left += legs.home[leg, 0] / count
        middle_ahead += legs.home[leg, 2] / count
    aside, listed, left, right, lefts, rights = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    gathered, nods = 0.0, 0.0
    for leg in range(count):
        away_left, away_ahead = legs.home[leg, 0] - middle_left, legs.home[leg, 2] - middle_ahead
        wide_left += away_left * away_left
        wide_ahead += away_ahead * away_ahead
        below = level_below(actor, leg, actors, ground)
        level, level_ahead, level_left = level + below, level_ahead + below * away_ahead, level_left + below * away_left
        ahead, load, lists = swing_of(actor, leg, pace, legs, actors, seconds)
        bounce = bob * (load - 0.5 * duty) - leg_style(legs, leg, relative, WEAK_DIP) * length * walking * load
        up, up_ahead, up_left = up + bounce, up_ahead + bounce * away_ahead, up_left + bounce * away_left
        aside, listed = aside + load * legs.side[leg], listed + lists * legs.side[leg]
        # A spine is stretched as hind legs land and gathered as front legs do; heads go down before these land.
        phase = 2.0 * PI * actors.phases[actor, leg]
        gathered += math.cos(phase) * away_ahead
        nods += math.cos(phase + 2.0 * PI * NODS_EARLY) * max(away_ahead, 0.0)
        if legs.side[leg] > 0.0:
            left, lefts = left + ahead, lefts + 1.0
        elif legs.side[leg] < 0.0:
            right, rights = right + ahead, rights + 1.0
    left, right = left / max(lefts, 1.0) * walking, right / max(rights, 1.0) * walking
    sided = walking * 2.0 / max(lefts + rights, 1.0)
    aside, listed = aside * sided, listed * sided
    stepping = 0.0
    if lefts > 0.0 and rights > 0.0:
        stepping = 0.5 * (left - right)
        left, right = stepping, -stepping
    base_ahead = wide_ahead + count * (PITCH_BASE * length) ** 2 + 1e-12
    base_left = wide_left + count * (ROLL_BASE * length) ** 2 + 1e-12
    # As wide as legs stand along the body, in parts of how wide four-legged ones do: those of one rank have no effect.
    apart = math.sqrt(count * wide_ahead) + 1e-12
    ranked = wide_ahead / (wide_ahead + count * (PITCH_BASE * length) ** 2 + 1e-12)
    gathered *= walking * ranked / apart * style_at(legs, relative, GATHER)
    nods *= walking * ranked / apart * 2.0 * style_at(legs, relative, NOD)
    root = (body.frame.places[body.frame.root, 0], body.frame.places[body.frame.root, 1],
            body.frame.places[body.frame.root, 2])  # fmt: skip
    slope_ahead, slope_left = level_ahead / base_ahead, level_left / base_left
    mean = level / max(count, 1)
    if count == 0:
        mean = height_at(ground, actors.stage[actor, 0], actors.stage[actor, 1])
    heave = mean + slope_ahead * (root[2] - middle_ahead) + slope_left * (root[0] - middle_left)
    omega = READINESS / legs.unit
    settle(actor, HEAVE, heave, omega, actors, seconds)
    firm_left = 1.0 / (1.0 + wide_left / max(count, 1) / (0.35 * length) ** 2)
    firm_ahead = 1.0 / (1.0 + wide_ahead / max(count, 1) / (0.25 * length) ** 2)
    lean = leaning(actor, style_at(legs, relative, LEAN), legs, actors)
    upright = 1.0 if body.waves.wind == 0.0 else 0.0
    settle(actor, PITCH, upright * firm_ahead * lean[0] - math.atan(slope_ahead), omega, actors, seconds)
    settle(actor, ROLL, upright * firm_left * lean[2] + math.atan(slope_left), omega, actors, seconds)
    pitch = actors.ride[actor, PITCH] - math.atan(up_ahead / base_ahead)
    roll = (actors.ride[actor, ROLL] + math.atan(up_left / base_left)
            + firm_left * listed * style_at(legs, relative, ROLLS))  # fmt: skip
    yaw = -0.5 * stepping * style_at(legs, relative, YAWS) * firm_left
    heading = about((0.0, 1.0, 0.0), actors.stage[actor, 2])
    asked = (goals.root[actor, 3], goals.root[actor, 4], goals.root[actor, 5], goals.root[actor, 6])
    turn = unit_rotation(times(heading, times(asked, rotation_by(pitch, yaw, roll))))
    high = root[1] + actors.ride[actor, HEAVE] + up / max(count, 1) * (1.0 if count > 0 else 0.0)
    high -= style_at(legs, relative, CROUCH) * length * walking
    # The middle of a back that rocks stays as high as it is: the rump rises as the chest sinks.
    high += 0.5 * gathered * (middle_ahead - root[2])
    high += jump(actor, legs, actors, rate, duty, seconds) * style_at(legs, relative, BOUNCE)
    shift = turned(heading, (
        root[0] + aside * style_at(legs, relative, SWAY) * length * min(1.0, 2.0 * firm_left) + goals.root[actor, 0],
        goals.root[actor, 1], root[2] + goals.root[actor, 2]))  # fmt: skip
    place = (actors.stage[actor, 0] + shift[0], high + shift[1], actors.stage[actor, 1] + shift[2])
    first = turned(turn, (-root[0], -root[1], -root[2]))
    zero = (body.frame.places[0, 0], body.frame.places[0, 1], body.frame.places[0, 2])
    place = plus(plus(place, first), turned(turn, zero))
    for part in range(3):
        actors.places[actor, 0, part] = place[part]
    for part in range(4):
        actors.turns[actor, 0, part] = turn[part]
    return (gathered, 0.5 * stepping * style_at(legs, relative, TWIST), nods), left, right


def settle(actor: int, column: int, wanted: float, omega: float, actors: Actors, seconds: float) -> None:
    """Let a value of the ride follow what is wanted."""
    value, speed = follow(actors.ride[actor, column], actors.ride[actor, column + 1], wanted, omega, seconds)
    actors.ride[actor, column], actors.ride[actor, column + 1] = value, speed


def level_below(actor: int, leg: int, actors: Actors, ground: Ground) -> float:
    """How high the ground is that a foot stands on, or will."""
    if actors.feet[actor, leg, AIR] < 0.0:
        return actors.feet[actor, leg, CONTACT + 1]
    return height_at(ground, actors.feet[actor, leg, LANDING], actors.feet[actor, leg, LANDING + 2])


def leaning(actor: int, lean: float, legs: Legs, actors: Actors) -> Three:
    """A rotation vector in the heading: into the speed, and into changes of it."""
    sine, cosine = math.sin(actors.stage[actor, 2]), math.cos(actors.stage[actor, 2])
    x, z = actors.motion[actor, 0], actors.motion[actor, 1]
    speed = max(math.sqrt(x * x + z * z), 0.3 * legs.length / legs.unit)
    x = lean * x / speed + INTO_SPEED * math.atan(actors.motion[actor, 3] / GRAVITY)
    z = lean * z / speed + INTO_SPEED * math.atan(actors.motion[actor, 4] / GRAVITY)
    # To lean ahead is to turn about the left; to lean to the left is to turn against ahead.
    return x * sine + z * cosine, 0.0, -(x * cosine - z * sine)


def jump(actor: int, legs: Legs, actors: Actors, rate: float, duty: float, seconds: float) -> float:
    """Metres above where legs carry the body: a throw while no foot is down, and as springs would have it between."""
    air, until = True, 1e9
    for leg in range(legs.limb.shape[0]):
        share = actors.feet[actor, leg, AIR]
        if share < 0.0:
            air = False
        until = min(until, (1.0 - share) * (1.0 - duty) / (rate * legs.rate[leg]))
    since = actors.gait[actor, SINCE]
    if air and legs.limb.shape[0] > 0:
        if since >= 0.0:
            actors.gait[actor, LAST_STAND] = since
            since = 0.0
        since -= seconds
        actors.gait[actor, SINCE] = since
        return 0.5 * GRAVITY * -since * until
    if since < 0.0:
        actors.gait[actor, LAST_AIR] = -since
        since = 0.0
    since += seconds
    actors.gait[actor, SINCE] = since
    stand, flight = max(actors.gait[actor, LAST_STAND], 1e-3), actors.gait[actor, LAST_AIR]
    if since > stand or flight <= 0.0 or stand > LONGEST_STAND * legs.unit:
        return 0.0
    deep = min(GRAVITY * flight * stand / (2.0 * PI), DEEPEST * legs.length)
    return -deep * math.sin(PI * since / stand)


def lower(actor: int, body: Body, actors: Actors, pace: Pace, seconds: float) -> None:
    """Lower the root as far as legs need it to reach what they stand on, and can fold for."""
    legs, most, root = body.legs, 0.0, place_of(actor, 0, actors)
    room, last = LOWEST * legs.length, body.limbs.folds.shape[1] - 1
    turn = bend_of(actor, 0, actors.turns)
    for leg in range(legs.limb.shape[0]):
        hip = plus(root, turned(turn, minus(vector(legs.hip, leg), vector(body.frame.places, 0))))
        if actors.feet[actor, leg, AIR] < 0.0:
            actors.feet[actor, leg, HEEL] = raised_heel(actor, leg, hip, pace, legs, actors)
        goal, _, _, _ = foot_goal(actor, leg, pace, legs, actors)
        write_three(actor, leg, GOAL, goal, actors.feet)
        x, up, z = minus(hip, goal)
        stands = standing(actor, leg, actors)
        folded = FOLDED * body.limbs.folds[legs.limb[leg], last, 0]
        least = math.sqrt(max(folded * folded - x * x - z * z, 0.0))
        room = min(room, (up - least) * stands + room * (1.0 - stands))
        # Hips take a moment to sink: they begin to before a leg is stretched.
        stand = stand_of(actor, leg, pace.duty, actors)
        soon = min(2.0 / SINKING, max(1.0 - stand, 0.0) * pace.duty / pace.rate) if stand >= 0.0 else 0.0
        speed_x, speed_z = speed_at(actor, legs.home[leg, 0], legs.home[leg, 2], actors)
        if x * speed_x + z * speed_z > 0.0:
            # A foot that rolls off over its ball makes its leg longer by then.
            soon *= 1.0 - legs.rolls[leg]
        x, z = x + soon * speed_x, z + soon * speed_z
        reach = legs.reach[leg]
        lacking = up - math.sqrt(max(reach * reach - x * x - z * z, 0.0))
        spared = ramp(lacking, SOFT * reach)
        most = max(most, min(spared, LOWEST * legs.length) * stands)
    low, rate = actors.gait[actor, LOW], actors.gait[actor, LOW_RATE]
    wanted = max(min(most, room), 0.0)
    low, rate = follow(low, rate, wanted, SINKING, seconds) if seconds > 0.0 else (wanted, 0.0)
    actors.gait[actor, LOW], actors.gait[actor, LOW_RATE] = low, rate
    actors.gait[actor, ROOM] = max(room - low, 0.0)
    actors.places[actor, 0, 1] -= low


def hold_as_last(actor: int, body: Body, actors: Actors) -> None:
    """Move and turn the root as legs held it at the last moment: what is placed by it then is where it will be."""
    count, feet = body.legs.limb.shape[0], actors.feet
    if math.isnan(actors.anchors[actor, 1 + count, WAS]):
        return
    middle, weights = (0.0, 0.0, 0.0), 0.0
    for leg in range(count):
        weight, hip = bearing(actor, leg, actors), (
            feet[actor, leg, HIP], feet[actor, leg, HIP + 1], feet[actor, leg, HIP + 2])  # fmt: skip
        middle, weights = plus(middle, scaled(hip, weight)), weights + weight
    if weights > 0.0:
        shift, turn = anchored(actor, 1 + count, actors.anchors), anchored(actor, 2 + count, actors.anchors)
        move_root(actor, scaled(middle, 1.0 / weights), shift, turn, actors)


def move_root(actor: int, middle: Three, shift: Three, turn: Three, actors: Actors) -> None:
    """Move the first joint, and turn it about a place."""
    root, by = place_of(actor, 0, actors), unit_rotation(rotation_by(turn[0], turn[1], turn[2]))
    place = plus(plus(middle, shift), turned(by, minus(root, middle)))
    for part in range(3):
        actors.places[actor, 0, part] = place[part]
    write_bend(actor, 0, times(by, bend_of(actor, 0, actors.turns)), actors.turns)


@apart
def hold(actor: int, body: Body, actors: Actors, goals: Goals, seconds: float) -> None:
    """Move and turn the root, as little as that takes, to where all legs that stand reach their feet, and fold.

    The core must be carried; only its first joint is placed anew. Feet of who falls or lies let go first where that
    would hold it.
    """
    legs, count = body.legs, body.legs.limb.shape[0]
    middle, weights, wide = (0.0, 0.0, 0.0), 0.0, 0.0
    for leg in range(count):
        let_go(actor, leg, body, actors, goals, seconds)
        weight = bearing(actor, leg, actors)
        middle, weights = plus(middle, scaled(three_of(actor, leg, HIP, actors.feet), weight)), weights + weight
    middle = scaled(middle, 1.0 / weights) if weights > 0.0 else place_of(actor, 0, actors)
    for leg in range(count):
        arm = minus(three_of(actor, leg, HIP, actors.feet), middle)
        wide += bearing(actor, leg, actors) / max(weights, 1e-9) * dot(arm, arm)
    wide += (LEVER * legs.length) ** 2
    shift, turn = give_way(actor, weights, legs, actors, goals, seconds), (0.0, 0.0, 0.0)
    for _ in range(PULLS):
        held_by, start = 0, turn
        by = unit_rotation(rotation_by(turn[0], turn[1], turn[2]))
        for leg in range(count):
            weight = standing(actor, leg, actors)
            if weight <= 0.0:
                continue
            arm = turned(by, minus(three_of(actor, leg, HIP, actors.feet), middle))
            moved = plus(plus(middle, shift), plus(arm, cross(minus(turn, start), arm)))
            way = minus(moved, three_of(actor, leg, GOAL, actors.feet))
            far, reach = max(size(way), 1e-9), legs.reach[leg]
            folded = FOLDED * body.limbs.folds[legs.limb[leg], body.limbs.folds.shape[1] - 1, 0]
            folded = max(folded, actors.feet[actor, leg, FOLDS])
            soft = HELD_SOFT * reach
            # One that lets go holds within ever wider bounds.
            grip = max(1.0 - actors.feet[actor, leg, LET_GO], LEAST)
            pull = weight * (ramp(far - reach / grip, soft) - ramp(grip * folded - far, soft))
            if pull == 0.0:
                continue
            held_by += 1
            out = scaled(way, 1.0 / far)
            lever = cross(arm, out)
            share = pull / (1.0 + dot(lever, lever) / wide)
            shift = minus(shift, scaled(out, share))
            turn = minus(turn, scaled(lever, share / wide))
        if held_by == 0:
            break
    most, row = legs.length / (legs.quick * HEAVIEST), 1 + count
    shift = settle_place(actor, row, 0, shift, most, actors.anchors, seconds)
    turn = settle_place(actor, row + 1, 0, turn, body.frame.sudden[0], actors.anchors, seconds)
    move_root(actor, middle, shift, turn, actors)


def give_way(actor: int, weights: float, legs: Legs, actors: Actors, goals: Goals, seconds: float) -> Three:
    """By how much a body gives way to legs whose joints do not let them reach where they stand, little by little.

    Who falls or lies does not: its feet let go.
    """
    lack, gives = (0.0, 0.0, 0.0), GIVING * (1.0 - goals.lies[actor])
    for leg in range(legs.limb.shape[0]):
        share = standing(actor, leg, actors) / max(weights, 1e-9)
        lack = plus(lack, scaled(three_of(actor, leg, LACK, actors.feet), share))
    gait = actors.gait
    for part in range(3):
        gait[actor, GIVE + part] += seconds * (gives * lack[part] - KEEPING * gait[actor, GIVE + part])
    return gait[actor, GIVE], gait[actor, GIVE + 1], gait[actor, GIVE + 2]


def let_go(actor: int, leg: int, body: Body, actors: Actors, goals: Goals, seconds: float) -> None:
    """Note where a hip is, and let go of the ground with a foot that cannot hold a body which falls or lies."""
    legs, feet, x, z = body.legs, actors.feet, goals.root[actor, 3], goals.root[actor, 5]
    tipped, sits = 2.0 * (x * x + z * z) > TIPPED, -goals.root[actor, 1] > SEATED * legs.length
    hip, goal = base_of(actor, legs.limb[leg], body, actors), three_of(actor, leg, GOAL, feet)
    far, was = size(minus(hip, goal)), size(minus(three_of(actor, leg, HIP, feet), goal))
    write_three(actor, leg, HIP, hip, feet)
    folded = body.limbs.folds[legs.limb[leg], body.limbs.folds.shape[1] - 1, 0]
    # Who rises a little first, to yawn or to look up, is held by its feet; who is lifted off is not.
    rises = 0.0 <= goals.root[actor, 1] < LIFTED * legs.length
    reaches = rises or far < (1.0 + BEYOND) * legs.reach[leg]
    lies = goals.lies[actor] > 0.5
    # It takes a moment to let go, and a leg that rests folded is none that folds.
    room = size(minus(vector(legs.hip, leg), plus(vector(legs.home, leg), vector(legs.ankle, leg)))) - folded
    closing = max(was - far, 0.0) / seconds * legs.quick if seconds > 0.0 else 0.0
    margin = min(FORESEEN * closing, SOONEST_FOLDED * room)
    if lies:
        margin = max(margin, min(SQUATS * legs.reach[leg], HALFWAY * room))
    # Who crouches to dance or to pound the ground is held.
    folds = (lies or sits or turned_over(actor, goals) > 0.5) and far < folded + margin
    # A leg that is so bent that it does not hold its foot where it stands would let it slide.
    slides = far < BENT * legs.reach[leg] and feet[actor, leg, MISS] > SLID
    # Who comes down on its shins stands no more, but where animations have its feet.
    free = 1.0 - min(goals.places[actor, legs.limb[leg], 3], 1.0)
    kneels = feet[actor, leg, BURDEN] * free > KNEELS * legs.length
    goes_on = feet[actor, leg, LET_GO] > 0.5 or feet[actor, leg, LET_GO_RATE] > 0.0
    lets_go = tipped or folds or (lies and not reaches) or ((lies or sits) and (goes_on or slides or kneels))
    share, rate = follow(
        feet[actor, leg, LET_GO], feet[actor, leg, LET_GO_RATE], 1.0 if lets_go else 0.0, LETTING_GO / legs.quick,
        seconds,
    )  # fmt: skip
    if share <= LEAST and not lets_go:
        # One that is on its way comes there before it takes hold of the ground again, unless the body walks on.
        waits = feet[actor, leg, HOPPING] > 0.0 and actors.gait[actor, WALKING] < STANDS
        share, rate = LEAST if waits else 0.0, 0.0
        if share == 0.0 and feet[actor, leg, LET_GO] > 0.0:
            stand_there(actor, leg, legs, feet)
    feet[actor, leg, LET_GO], feet[actor, leg, LET_GO_RATE] = share, rate


def stand_there(actor: int, leg: int, legs: Legs, feet: FloatArray) -> None:
    """Let a foot that takes hold of the ground again stand where it lies."""
    own = CONTACT if legs.loose[leg] > 0.0 else GOAL
    for number, part in enumerate((0, 2)):
        away = feet[actor, leg, OVER + number] - feet[actor, leg, own + part]
        feet[actor, leg, CONTACT + part] += away
        feet[actor, leg, GOAL + part] += away


def bearing(actor: int, leg: int, actors: Actors) -> float:
    """How much of a body is where a leg begins, 0 to 1: one that stands, or that has let go of who sits or lies."""
    return min(standing(actor, leg, actors) + actors.feet[actor, leg, LET_GO], 1.0)


def standing(actor: int, leg: int, actors: Actors) -> float:
    """How much a leg carries the body, 0 to 1: its foot is on the ground, and no animation has it."""
    return (1.0 - aloft(actors.feet[actor, leg, AIR])) * (1.0 - actors.lent[actor, leg])
