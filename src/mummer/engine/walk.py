"""Walking: the stage moves as it is told, a clock lets legs take turns, and feet fly to where they will stand.

Nothing here knows the future: a foot that is in the air is aimed at where the body will be when it lands if it goes on
as it goes now, and one that stands stays.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from mummer.engine.ground import height_at
from mummer.engine.legs import COLUMN, FASTEST, GRAVITY
from mummer.engine.scalars import eased, follow, place_of, vector, wrapped
from mummer.engine.state import (
    AIR,
    ASKED,
    BRAKE,
    BRAKE_RATE,
    CLOCK,
    CONTACT,
    DRIFT,
    HIP,
    LANDING,
    LANDING_YAW,
    LIFTED,
    LIFTED_YAW,
    LOW,
    MISS,
    OFF,
    OFF_RATE,
    ON_RAILS,
    SLOPE,
    TO_PLACE,
    WALKING,
    WALKING_RATE,
    WAS,
    YAW,
)
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import minus, size

if TYPE_CHECKING:
    from mummer.arrays import FloatArray
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.legs import Legs
    from mummer.engine.state import Actors, Goals, Wishes

DUTY, STRIDE, SPREAD, BEHIND = COLUMN["duty"], COLUMN["stride"], COLUMN["spread"], COLUMN["behind"]
# How soon a body does what it is told, in its own units of time.
READINESS = 1.3
# How fast what is near is approached, in one over its units of time.
BRAKING = 0.3
# Animals of all sizes take strides of 2.3 leg lengths times the relative speed to the power of 0.6 (Alexander 1976).
STRIDE_LENGTH, STRIDE_POWER = 2.3, 0.6
# Relative speed below which legs do not go round more slowly; and how short steps count at least, see `Pace`.
SLOWEST, LEAST_SHORT = 0.12, 0.3
# A foot is in the air at most, and at least, so many units of time, and at least so many seconds.
LONGEST_FLIGHT, SHORTEST_FLIGHT, QUICKEST = 1.7, 0.95, 0.14
# Relative speed above which a body counts as moving, and parts of a leg from home beyond which a foot steps back there.
MOVES, STRAYED = 0.01, 0.03
# Radians that a body turns at most over a foot that stands.
TURN_A_STAND = 0.5
# How far hips may be lowered for a foot that stands, in leg lengths; one that is too far even then steps out of turn.
LOWERED = 0.12
# How much of the way from its ball to its ankle a foot that rolls adds to its leg.
OVER_BALL = 0.9
# How far from home a foot that stands may be, beside how far it goes with ease.
ASTRAY = 1.6
# Units of time by which it is known whether a foot will be too far, and the parts of how far it may be between which
# the body waits for it ever more; how soon it waits, one over units of time.
FORESIGHT, WAITS, STOPS, WAITING = 0.35, 0.92, 1.15, 5.0
# Seconds that a foot that hurries takes at the quickest to go faster by one length of its leg in a unit of time; the
# acceleration of an even flight beside distance over time squared, and of the steepest; and seconds that a flight takes
# at least.
SWIFTEST, EVEN, STEEPEST, LEAST_FLIGHT = 0.05, 5.8, 20.0, 0.12
# Leg lengths that a leg misses where its foot stands from which on that steps, and between which parts of its stand it
# does: one that rolls off leaves in its turn.
MISSED, STANDS, LEAVES = 0.004, 0.2, 0.7
# How strongly legs are drawn to their turn, and how much slower or faster they may go for that.
COUPLING, LEAST_PACE, MOST_PACE = 2.0, 0.5, 1.6
# Leg lengths around a foot in which the slope of the ground is felt.
SOLE = 0.1
# Parts of a flight between which a landing place is fixed; at the last of them a foot is above it, and only comes down.
AIMED, FIXED = 0.55, 0.9


class Pace(NamedTuple):
    """How legs go at this moment.

    Attributes:
        relative: speed in roots of (gravity times the length of legs).
        rate: cycles a second.
        duty: the part of a cycle that feet are down.
        moving: whether the body goes anywhere.
        busy: whether any foot has reason to step.
        able: whether the body is up, so that feet step in turn.
        short: how long its steps are beside what legs of such a length take, 0 to 1: who hurries steps as much lower.
    """

    relative: float
    rate: float
    duty: float
    moving: bool
    busy: bool
    able: bool
    short: float = 1.0


def drive(actor: int, legs: Legs, actors: Actors, wishes: Wishes, goals: Goals, seconds: float) -> None:
    """Move the stage of an actor on: velocity and heading go to what is wanted, smoothly, and wait for feet."""
    if wishes.places[actor, 3] == ON_RAILS:
        return
    omega = READINESS / legs.unit
    if wishes.places[actor, 3] == TO_PLACE:
        head_for(actor, legs, actors, wishes)
    able, goes = 1.0 - goals.down[actor], (1.0 - actors.gait[actor, BRAKE]) * seconds
    for axis in range(2):
        speed, change = follow(
            actors.motion[actor, axis], actors.motion[actor, 3 + axis], able * wishes.velocities[actor, axis], omega,
            seconds,
        )  # fmt: skip
        actors.stage[actor, axis] += 0.5 * (actors.motion[actor, axis] + speed) * goes
        actors.motion[actor, axis], actors.motion[actor, 3 + axis] = speed, change
    # A body that is told to turn about turns at a rate of its own, which is reached and left smoothly.
    most = legs.turning
    short = wrapped(wishes.headings[actor] - actors.stage[actor, 2])
    wanted = able * most * math.tanh(0.5 * omega * short / most)
    turning, change = follow(actors.motion[actor, 2], actors.motion[actor, 5], wanted, 2.0 * omega, seconds)
    actors.stage[actor, 2] += 0.5 * (actors.motion[actor, 2] + turning) * goes
    actors.motion[actor, 2], actors.motion[actor, 5] = turning, change


def head_for(actor: int, legs: Legs, actors: Actors, wishes: Wishes) -> None:
    """Wish to go to a place: there while it is far, ever more slowly as it is near."""
    x = wishes.places[actor, 0] - actors.stage[actor, 0]
    z = wishes.places[actor, 1] - actors.stage[actor, 1]
    far = math.sqrt(x * x + z * z)
    pace = wishes.places[actor, 2]
    speed = min(pace, BRAKING / legs.unit * far)
    if far < 1e-9:
        far = 1e-9
    wishes.velocities[actor, 0], wishes.velocities[actor, 1] = speed * x / far, speed * z / far
    if far > 0.25 * legs.length:
        wishes.headings[actor] = math.atan2(x, z)


def speed_at(actor: int, x: float, z: float, actors: Actors) -> tuple[float, float]:
    """Metres a second along world x and z of a point of character space that goes along with the stage."""
    sine, cosine = math.sin(actors.stage[actor, 2]), math.cos(actors.stage[actor, 2])
    turning = actors.motion[actor, 2]
    across, along = cosine * x + sine * z, cosine * z - sine * x
    return actors.motion[actor, 0] + turning * along, actors.motion[actor, 1] - turning * across


def style_at(legs: Legs, relative: float, column: int) -> float:
    """A parameter of the style at a relative speed."""
    last = legs.style.shape[0] - 1
    at = min(max(relative / FASTEST, 0.0), 1.0) * last
    row = min(int(at), last - 1)
    return legs.style[row, column] + (at - row) * (legs.style[row + 1, column] - legs.style[row, column])


def leg_style(legs: Legs, leg: int, relative: float, column: int) -> float:
    """A parameter of the style of one leg at a relative speed."""
    last = legs.own.shape[1] - 1
    at = min(max(relative / FASTEST, 0.0), 1.0) * last
    row = min(int(at), last - 1)
    return legs.own[leg, row, column] + (at - row) * (legs.own[leg, row + 1, column] - legs.own[leg, row, column])


def offset_at(legs: Legs, relative: float, leg: int) -> float:
    """By how much of a cycle a leg lands later than the clock, at a relative speed."""
    last = legs.offsets.shape[0] - 1
    at = min(max(relative / FASTEST, 0.0), 1.0) * last
    row = min(int(at), last - 1)
    return legs.offsets[row, leg] + (at - row) * (legs.offsets[row + 1, leg] - legs.offsets[row, leg])


def pace_of(actor: int, legs: Legs, actors: Actors) -> tuple[float, float, float, float]:
    """Relative speed, cycles a second, the part of a cycle that feet are down, and `Pace.short`."""
    fastest, hurry = 0.0, 0.0
    for leg in range(legs.limb.shape[0]):
        x, z = speed_at(actor, legs.home[leg, 0], legs.home[leg, 2], actors)
        speed = math.sqrt(x * x + z * z)
        fastest = max(fastest, speed)
        hurry = max(hurry, 0.5 * speed / legs.room[leg] / legs.rate[leg])
    relative = fastest * legs.unit / legs.length
    duty = style_at(legs, relative, DUTY)
    share = max(style_at(legs, relative, STRIDE), 0.3)
    stride = share * STRIDE_LENGTH * legs.length * max(relative, SLOWEST) ** STRIDE_POWER
    slowest = SLOWEST ** (1.0 - STRIDE_POWER) / (STRIDE_LENGTH * share * legs.unit)
    easily = max(fastest / stride, slowest)
    rate = max(easily, hurry * duty, abs(actors.motion[actor, 2]) * duty / TURN_A_STAND)
    duty = max(duty, 1.0 - LONGEST_FLIGHT * legs.unit * rate)
    least = min(max(QUICKEST, SHORTEST_FLIGHT * legs.unit) * rate, 0.5)
    return relative, rate, min(max(min(duty, 1.0 - least), 0.15), 0.92), max(easily / rate, LEAST_SHORT)


def home_of(
    actor: int, leg: int, spread: float, ahead: float, legs: Legs, actors: Actors
) -> tuple[float, float, float]:
    """World x and z of where a foot is at home in so many seconds, and the heading then, if all goes on as now.

    Of who stands, it is at home where animations want it.
    """
    heading = actors.stage[actor, 2] + actors.motion[actor, 2] * ahead
    sine, cosine = math.sin(heading), math.cos(heading)
    stands = 1.0 - actors.gait[actor, WALKING]
    spread = spread if spread > 1.0 else 1.0 + legs.narrows[leg] * (spread - 1.0)
    x = spread * legs.home[leg, 0] + stands * actors.feet[actor, leg, ASKED]
    z = legs.home[leg, 2] + stands * actors.feet[actor, leg, ASKED + 1]
    return (
        actors.stage[actor, 0] + actors.motion[actor, 0] * ahead + cosine * x + sine * z,
        actors.stage[actor, 1] + actors.motion[actor, 1] * ahead + cosine * z - sine * x,
        heading,
    )


def walk(actor: int, body: Body, actors: Actors, goals: Goals, ground: Ground, seconds: float) -> Pace:
    """Let legs take their turns for a moment."""
    legs, gait = body.legs, actors.gait
    relative, rate, duty, short = pace_of(actor, legs, actors)
    count, moving, waits = legs.limb.shape[0], relative > MOVES, 0.0
    busy = moving
    for leg in range(count):
        if actors.feet[actor, leg, AIR] >= 0.0 or strayed(actor, leg, legs, actors) > STRAYED * legs.length:
            busy = True
    pace = Pace(relative, rate, duty, moving, busy, goals.down[actor] < 0.5, short)
    gait[actor, WALKING], gait[actor, WALKING_RATE] = follow(
        gait[actor, WALKING], gait[actor, WALKING_RATE], 1.0 if moving else 0.0, 2.5 * rate, seconds
    )
    if gait[actor, CLOCK] < 0.0 and busy:
        begin(actor, legs, actors, relative, duty)
    if not busy:
        gait[actor, CLOCK] = -1.0
    else:
        clock = gait[actor, CLOCK] + rate * seconds
        # A whole number of cycles that is one for legs of every rate.
        gait[actor, CLOCK] = clock - 6.0 if clock >= 6.0 else clock
    for leg in range(count):
        waits = max(waits, go_round(actor, leg, pace, body, actors, seconds))
        touch(actor, leg, legs, actors.feet, ground)
    gait[actor, BRAKE], gait[actor, BRAKE_RATE] = follow(
        gait[actor, BRAKE], gait[actor, BRAKE_RATE], eased((waits - WAITS) / (STOPS - WAITS)), WAITING / legs.unit,
        seconds,
    )  # fmt: skip
    return pace


def strayed(actor: int, leg: int, legs: Legs, actors: Actors) -> float:
    """Metres from where a foot came down to where it is at home."""
    x, z, _ = home_of(actor, leg, 1.0, 0.0, legs, actors)
    x += actors.feet[actor, leg, DRIFT] - actors.feet[actor, leg, CONTACT]
    z += actors.feet[actor, leg, DRIFT + 1] - actors.feet[actor, leg, CONTACT + 2]
    return math.sqrt(x * x + z * z)


def begin(actor: int, legs: Legs, actors: Actors, relative: float, duty: float) -> None:
    """Start the clock so that the foot that is farthest behind goes first."""
    first, most = 0, -1e30
    for leg in range(legs.limb.shape[0]):
        x, z, _ = home_of(actor, leg, 1.0, legs.unit, legs, actors)
        away = (x - actors.feet[actor, leg, CONTACT]) ** 2 + (z - actors.feet[actor, leg, CONTACT + 2]) ** 2
        if away > most * 1.01 + 1e-12:
            first, most = leg, away
    clock = (duty + offset_at(legs, relative, first)) / legs.rate[first]
    actors.gait[actor, CLOCK] = clock - math.floor(clock)
    for leg in range(legs.limb.shape[0]):
        phase = actors.gait[actor, CLOCK] * legs.rate[leg] - offset_at(legs, relative, leg)
        phase -= math.floor(phase)
        # Whose turn it would be to fly already waits for its next turn, unless that has only just begun.
        actors.phases[actor, leg] = phase if phase <= duty + 0.02 else 0.5 * duty


def go_round(actor: int, leg: int, pace: Pace, body: Body, actors: Actors, seconds: float) -> float:
    """Move one leg on in its cycle: it stands, is lifted when it is its turn, flies, and lands.

    How far the foot of one that stands will be soon, beside how far it may be.
    """
    legs, feet, phases = body.legs, actors.feet, actors.phases
    rate, duty = pace.rate * legs.rate[leg], duty_of(leg, pace, legs)
    wanted = actors.gait[actor, CLOCK] * legs.rate[leg] - offset_at(legs, pace.relative, leg)
    late = wanted - phases[actor, leg]
    late -= math.floor(late + 0.5)
    own = rate * min(max(1.0 + COUPLING * late, LEAST_PACE), MOST_PACE)
    if feet[actor, leg, AIR] >= 0.0:
        most = GRAVITY * legs.unit / SWIFTEST
        swiftest = math.sqrt(most / (EVEN * max(flown(actor, leg, feet), 1e-9)))
        # One that flies as its gait has it is as swift as that is: who gallops would else land late, far behind.
        feet[actor, leg, AIR] += min(own, max((1.0 - duty) * swiftest, rate), (1.0 - duty) / LEAST_FLIGHT) * (
            seconds / (1.0 - duty)
        )
        phases[actor, leg] = duty + feet[actor, leg, AIR] * (1.0 - duty)
        aim(actor, leg, rate, duty, pace, body, actors)
        fly(actor, leg, legs, feet)
        if feet[actor, leg, AIR] >= 1.0:
            land(actor, leg, feet)
            phases[actor, leg] = 0.0
        return 0.0
    if actors.lent[actor, leg] > 0.0:
        return 0.0
    stay(actor, leg, actors)
    if not pace.busy:
        return 0.0
    phases[actor, leg] += own * seconds
    soon = min(FORESIGHT * legs.unit, max(duty - phases[actor, leg], 0.0) / own)
    far = stretched(actor, leg, soon, body, actors)
    # One that its leg does not hold where it stands would slide: it steps before that is seen.
    slides = feet[actor, leg, MISS] > MISSED and STANDS * duty < phases[actor, leg] < LEAVES * duty
    turn = pace.able and (far > 1.0 or slides) and others_stand(actor, leg, feet)
    if phases[actor, leg] >= duty and not turn:
        turn = pace.able and (pace.moving or strayed(actor, leg, legs, actors) > 0.5 * STRAYED * legs.length)
        if not turn:
            phases[actor, leg] = 0.3 * duty
    if turn:
        lift(actor, leg, feet)
        aim(actor, leg, rate, duty, pace, body, actors)
    return far


def flown(actor: int, leg: int, feet: FloatArray) -> float:
    """Metres over the ground from where a foot was lifted to where it lands."""
    x = feet[actor, leg, LANDING] - feet[actor, leg, LIFTED]
    z = feet[actor, leg, LANDING + 2] - feet[actor, leg, LIFTED + 2]
    return math.sqrt(x * x + z * z)


def flung(actor: int, leg: int, pace: Pace, legs: Legs, feet: FloatArray) -> float:
    """Metres a second squared that a foot takes at most that flies as its gait has it; 0 of one that stands."""
    if feet[actor, leg, AIR] < 0.0:
        return 0.0
    rate = pace.rate * legs.rate[leg] / (1.0 - duty_of(leg, pace, legs))
    return STEEPEST * flown(actor, leg, feet) * rate * rate


def touch(actor: int, leg: int, legs: Legs, feet: FloatArray, ground: Ground) -> None:
    """Note how high the ground is below a foot, and how it slopes."""
    x, z, around = feet[actor, leg, CONTACT], feet[actor, leg, CONTACT + 2], SOLE * legs.length
    feet[actor, leg, CONTACT + 1] = height_at(ground, x, z)
    across = height_at(ground, x + around, z) - height_at(ground, x - around, z)
    along = height_at(ground, x, z + around) - height_at(ground, x, z - around)
    feet[actor, leg, SLOPE], feet[actor, leg, SLOPE + 1] = 0.5 * across / around, 0.5 * along / around


def duty_of(leg: int, pace: Pace, legs: Legs) -> float:
    """The part of a cycle that one foot is down: a body may limp."""
    own = leg_style(legs, leg, pace.relative, DUTY) - style_at(legs, pace.relative, DUTY)
    return min(max(pace.duty + own, 0.15), 0.92)


def stretched(actor: int, leg: int, ahead: float, body: Body, actors: Actors) -> float:
    """How far a foot that stands will be from below its hip and from home, beside how far it may be.

    Its leg reaches so far with hips lowered; and one that is crossed below the body does not bend there.
    """
    legs, limb = body.legs, body.legs.limb[leg]
    hip = (actors.feet[actor, leg, HIP], actors.feet[actor, leg, HIP + 1], actors.feet[actor, leg, HIP + 2])
    speed_x, speed_z = speed_at(actor, legs.home[leg, 0], legs.home[leg, 2], actors)
    foot, reach = place_of(actor, body.limbs.tip[limb], actors), legs.reach[leg]
    bearing = (actors.feet[actor, leg, CONTACT], actors.feet[actor, leg, CONTACT + 1],
               actors.feet[actor, leg, CONTACT + 2])  # fmt: skip
    if legs.loose[leg] > 0.0:
        foot = bearing
    hip = (hip[0] + speed_x * ahead, hip[1] + actors.gait[actor, LOW] - LOWERED * legs.length, hip[2] + speed_z * ahead)
    far = away_of(hip, foot, reach, legs.length)
    if legs.rolls[leg] > 0.0:
        # A foot that rolls off over its ball makes its leg longer; one that has just landed lies flat.
        longer = reach + legs.rolls[leg] * OVER_BALL * size(minus(vector(legs.ankle, leg), vector(legs.toe, leg)))
        far = min(far, away_of(hip, bearing, longer, legs.length))
    home_x, home_z, _ = home_of(actor, leg, 1.0, ahead, legs, actors)
    astray = math.hypot(actors.feet[actor, leg, CONTACT] - home_x, actors.feet[actor, leg, CONTACT + 2] - home_z)
    return max(far, astray / (ASTRAY * legs.room[leg]))


def away_of(hip: Three, foot: Three, reach: float, length: float) -> float:
    """How far a place on the ground is from below a hip, beside how far a leg that is so long reaches there."""
    up = max(hip[1] - foot[1], 0.0)
    most = math.sqrt(max(reach * reach - up * up, (LOWERED * length) ** 2))
    return math.hypot(hip[0] - foot[0], hip[2] - foot[2]) / most


def others_stand(actor: int, leg: int, feet: FloatArray) -> bool:
    """Whether at least half of the other feet, and one, are on the ground."""
    down, count = 0, feet.shape[1]
    for other in range(count):
        if other != leg and feet[actor, other, AIR] < 0.0:
            down += 1
    return down > 0 and 2 * down >= count - 1


def lift(actor: int, leg: int, feet: FloatArray) -> None:
    """A foot leaves the ground where it stands."""
    feet[actor, leg, AIR] = 0.0
    for part in range(3):
        feet[actor, leg, LIFTED + part] = feet[actor, leg, CONTACT + part]
        feet[actor, leg, LANDING + part] = feet[actor, leg, CONTACT + part]
    feet[actor, leg, LIFTED_YAW] = feet[actor, leg, YAW]
    feet[actor, leg, LANDING_YAW] = feet[actor, leg, YAW]


def land(actor: int, leg: int, feet: FloatArray) -> None:
    """A foot comes down where it was aimed at."""
    feet[actor, leg, AIR] = -1.0
    feet[actor, leg, CONTACT], feet[actor, leg, CONTACT + 2] = feet[actor, leg, LANDING], feet[actor, leg, LANDING + 2]
    feet[actor, leg, YAW] = feet[actor, leg, LANDING_YAW]


def stay(actor: int, leg: int, actors: Actors) -> None:
    """A foot that lands before it has caught up stands where it is: it does not slide on to where it should be."""
    anchors = actors.anchors
    if math.isnan(anchors[actor, 1 + leg, OFF]):
        return
    for part in (0, 2):
        off = anchors[actor, 1 + leg, OFF + part]
        actors.feet[actor, leg, CONTACT + part] += off
        anchors[actor, 1 + leg, WAS + part] += off
        anchors[actor, 1 + leg, OFF + part], anchors[actor, 1 + leg, OFF_RATE + part] = 0.0, 0.0


def aim(actor: int, leg: int, rate: float, duty: float, pace: Pace, body: Body, actors: Actors) -> None:
    """Aim a foot at where it will stand: half of its stand before it is at home, and where its leg reaches."""
    legs, feet, share = body.legs, actors.feet, actors.feet[actor, leg, AIR]
    until = (1.0 - share) * (1.0 - duty) / rate
    ahead = until + (0.5 * duty / rate if pace.moving else 0.0)
    spread = leg_style(legs, leg, pace.relative, SPREAD) if pace.moving else 1.0
    x, z, heading = home_of(actor, leg, spread, ahead, legs, actors)
    # A foot that rolls off over its toes goes on bearing when the body is far ahead of it.
    late = leg_style(legs, leg, pace.relative, BEHIND) * legs.rolls[leg] * legs.unit / max(pace.relative, SLOWEST)
    x, z = x - late * actors.motion[actor, 0], z - late * actors.motion[actor, 1]
    open_part = 1.0 - eased((share - AIMED) / (FIXED - AIMED))
    feet[actor, leg, LANDING] += open_part * (x - feet[actor, leg, LANDING])
    feet[actor, leg, LANDING + 2] += open_part * (z - feet[actor, leg, LANDING + 2])
    feet[actor, leg, LANDING_YAW] += open_part * wrapped(heading - feet[actor, leg, LANDING_YAW])


def flight_at(legs: Legs, share: float, column: int) -> float:
    """The way of a foot at a share of its flight: ahead, up, heel or toe."""
    last = legs.flight.shape[0] - 1
    at = min(max(share, 0.0), 1.0) * last
    row = min(int(at), last - 1)
    return legs.flight[row, column] + (at - row) * (legs.flight[row + 1, column] - legs.flight[row, column])


def fly(actor: int, leg: int, legs: Legs, feet: FloatArray) -> None:
    """Put a foot where it is on its way, over the ground: one that is as low as it stands does not go on."""
    share = feet[actor, leg, AIR]
    come = flight_at(legs, share + (1.0 - FIXED) * eased((share - AIMED) / (FIXED - AIMED)), 0)
    for part in (0, 2):
        start = feet[actor, leg, LIFTED + part]
        feet[actor, leg, CONTACT + part] = start + come * (feet[actor, leg, LANDING + part] - start)
    turned = wrapped(feet[actor, leg, LANDING_YAW] - feet[actor, leg, LIFTED_YAW])
    feet[actor, leg, YAW] = feet[actor, leg, LIFTED_YAW] + come * turned
