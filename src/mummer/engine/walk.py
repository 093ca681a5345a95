"""Walking: the stage moves as it is told, a clock lets legs take turns, and feet fly to where they will stand.

Nothing here knows the future: a foot that is in the air is aimed at where the body will be when it lands if it goes on
as it goes now, and one that stands stays.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.ground import height_at
from mummer.engine.legs import COLUMN, FASTEST
from mummer.engine.scalars import eased, follow, wrapped
from mummer.engine.state import (
    AIR,
    CLOCK,
    CONTACT,
    LANDING,
    LANDING_YAW,
    LIFTED,
    LIFTED_YAW,
    ON_RAILS,
    TO_PLACE,
    WALKING,
    WALKING_RATE,
    YAW,
)

if TYPE_CHECKING:
    from mummer.arrays import FloatArray
    from mummer.engine.ground import Ground
    from mummer.engine.legs import Legs
    from mummer.engine.state import Actors, Wishes

DUTY, STRIDE, SPREAD, WEAK_DUTY = COLUMN["duty"], COLUMN["stride"], COLUMN["spread"], COLUMN["weak_duty"]
# How soon a body does what it is told, in its own units of time.
READINESS = 1.3
# How fast what is near is approached, in one over its units of time.
BRAKING = 0.3
# Animals of all sizes take strides of 2.3 leg lengths times the relative speed to the power of 0.6 (Alexander 1976).
STRIDE_LENGTH, STRIDE_POWER = 2.3, 0.6
# Relative speed below which legs do not go round more slowly.
SLOWEST = 0.12
# A foot is in the air at most, and at least, so many units of time, and at least so many seconds.
LONGEST_FLIGHT, SHORTEST_FLIGHT, QUICKEST = 1.7, 0.95, 0.14
# Relative speed above which a body counts as moving, and parts of a leg from home beyond which a foot steps back there.
MOVES, STRAYED = 0.01, 0.03
# Radians that a body turns at most over a foot that stands.
TURN_A_STAND = 0.5
# A foot that stands farther from where its leg reaches than this part of the leg is lifted out of turn.
STRAINED = 0.03
# How strongly legs are drawn to their turn, and how much slower or faster they may go for that.
COUPLING, LEAST_PACE, MOST_PACE = 2.0, 0.5, 1.6
# Parts of a flight between which a landing place is fixed.
AIMED, FIXED = 0.55, 0.95


def drive(actor: int, legs: Legs, actors: Actors, wishes: Wishes, seconds: float) -> None:
    """Move the stage of an actor on: velocity and heading go to what is wanted, smoothly."""
    if wishes.places[actor, 3] == ON_RAILS:
        return
    omega = READINESS / legs.unit
    if wishes.places[actor, 3] == TO_PLACE:
        head_for(actor, legs, actors, wishes)
    for axis in range(2):
        speed, change = follow(
            actors.motion[actor, axis], actors.motion[actor, 3 + axis], wishes.velocities[actor, axis], omega, seconds
        )
        actors.stage[actor, axis] += 0.5 * (actors.motion[actor, axis] + speed) * seconds
        actors.motion[actor, axis], actors.motion[actor, 3 + axis] = speed, change
    # A body that is told to turn about turns at a rate of its own, which is reached and left smoothly.
    most = legs.turning
    short = wrapped(wishes.headings[actor] - actors.stage[actor, 2])
    wanted = most * math.tanh(0.5 * omega * short / most)
    turning, change = follow(actors.motion[actor, 2], actors.motion[actor, 5], wanted, 2.0 * omega, seconds)
    actors.stage[actor, 2] += 0.5 * (actors.motion[actor, 2] + turning) * seconds
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


def offset_at(legs: Legs, relative: float, leg: int) -> float:
    """By how much of a cycle a leg lands later than the clock, at a relative speed."""
    last = legs.offsets.shape[0] - 1
    at = min(max(relative / FASTEST, 0.0), 1.0) * last
    row = min(int(at), last - 1)
    return legs.offsets[row, leg] + (at - row) * (legs.offsets[row + 1, leg] - legs.offsets[row, leg])


def pace_of(actor: int, legs: Legs, actors: Actors) -> tuple[float, float, float]:
    """Relative speed, cycles a second, and the part of a cycle that feet are down."""
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
    rate = max(fastest / stride, slowest, hurry * duty, abs(actors.motion[actor, 2]) * duty / TURN_A_STAND)
    duty = max(duty, 1.0 - LONGEST_FLIGHT * legs.unit * rate)
    least = min(max(QUICKEST, SHORTEST_FLIGHT * legs.unit) * rate, 0.5)
    return relative, rate, min(max(min(duty, 1.0 - least), 0.15), 0.92)


def home_of(
    actor: int, leg: int, spread: float, ahead: float, legs: Legs, actors: Actors
) -> tuple[float, float, float]:
    """World x and z of where a foot is at home in so many seconds, and the heading then, if all goes on as now."""
    heading = actors.stage[actor, 2] + actors.motion[actor, 2] * ahead
    sine, cosine = math.sin(heading), math.cos(heading)
    x, z = spread * legs.home[leg, 0], legs.home[leg, 2]
    return (
        actors.stage[actor, 0] + actors.motion[actor, 0] * ahead + cosine * x + sine * z,
        actors.stage[actor, 1] + actors.motion[actor, 1] * ahead + cosine * z - sine * x,
        heading,
    )


def walk(actor: int, legs: Legs, actors: Actors, ground: Ground, seconds: float) -> tuple[float, float, float]:
    """Let legs take their turns for a moment; relative speed, cycles a second and duty."""
    relative, rate, duty = pace_of(actor, legs, actors)
    spread = style_at(legs, relative, SPREAD)
    count = legs.limb.shape[0]
    moving = relative > MOVES
    busy = moving
    for leg in range(count):
        if actors.feet[actor, leg, AIR] >= 0.0 or strayed(actor, leg, legs, actors) > STRAYED * legs.length:
            busy = True
    walking, change = follow(
        actors.gait[actor, WALKING], actors.gait[actor, WALKING_RATE], 1.0 if moving else 0.0, 2.5 * rate, seconds
    )
    if actors.gait[actor, CLOCK] < 0.0 and busy:
        begin(actor, legs, actors, relative, duty)
    actors.gait[actor, WALKING], actors.gait[actor, WALKING_RATE] = walking, change
    if not busy:
        actors.gait[actor, CLOCK] = -1.0
    else:
        clock = actors.gait[actor, CLOCK] + rate * seconds
        # A whole number of cycles that is one for legs of every rate.
        actors.gait[actor, CLOCK] = clock - 6.0 if clock >= 6.0 else clock
    for leg in range(count):
        own = rate * legs.rate[leg]
        weak = duty + style_at(legs, relative, WEAK_DUTY) if leg == 0 and count > 1 else duty
        weak = min(max(weak, 0.15), 0.92)
        go_round(actor, leg, legs, actors, ground, relative, own, weak, spread, moving, busy, seconds)
    return relative, rate, duty


def strayed(actor: int, leg: int, legs: Legs, actors: Actors) -> float:
    """Metres from a foot to where it is at home."""
    x, z, _ = home_of(actor, leg, 1.0, 0.0, legs, actors)
    return math.sqrt((actors.feet[actor, leg, CONTACT] - x) ** 2 + (actors.feet[actor, leg, CONTACT + 2] - z) ** 2)


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


def go_round(
    actor: int, leg: int, legs: Legs, actors: Actors, ground: Ground, relative: float, rate: float, duty: float,
    spread: float, moving: bool, busy: bool, seconds: float,
) -> None:  # fmt: skip
    """Move one leg on in its cycle: it stands, is lifted when it is its turn, flies, and lands."""
    feet = actors.feet
    if busy:
        wanted = actors.gait[actor, CLOCK] * legs.rate[leg] - offset_at(legs, relative, leg)
        late = wanted - actors.phases[actor, leg]
        late -= math.floor(late + 0.5)
        pace = rate * min(max(1.0 + COUPLING * late, LEAST_PACE), MOST_PACE)
        if feet[actor, leg, AIR] < 0.0:
            actors.phases[actor, leg] += pace * seconds
            stray = strayed(actor, leg, legs, actors)
            turn = actors.phases[actor, leg] >= duty
            if actors.strain[actor, leg] > STRAINED * legs.length and others_stand(actor, leg, feet):
                turn = True
            if turn and (moving or stray > 0.5 * STRAYED * legs.length):
                lift(actor, leg, feet)
            elif turn:
                actors.phases[actor, leg] = 0.3 * duty
        else:
            feet[actor, leg, AIR] += pace / (1.0 - duty) * seconds
            if feet[actor, leg, AIR] >= 1.0:
                land(actor, leg, feet)
                actors.phases[actor, leg] = 0.0
            else:
                actors.phases[actor, leg] = duty + feet[actor, leg, AIR] * (1.0 - duty)
    if feet[actor, leg, AIR] >= 0.0:
        aim(actor, leg, legs, actors, rate, duty, spread, moving)
        fly(actor, leg, legs, feet)
    feet[actor, leg, CONTACT + 1] = height_at(ground, feet[actor, leg, CONTACT], feet[actor, leg, CONTACT + 2])


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


def aim(
    actor: int, leg: int, legs: Legs, actors: Actors, rate: float, duty: float, spread: float, moving: bool
) -> None:
    """Aim a foot at where it will stand: half of its stand before it is at home."""
    feet, share = actors.feet, actors.feet[actor, leg, AIR]
    until = (1.0 - share) * (1.0 - duty) / rate
    ahead = until + (0.5 * duty / rate if moving else 0.0)
    x, z, heading = home_of(actor, leg, spread if moving else 1.0, ahead, legs, actors)
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
    """Put a foot where it is on its way, over the ground."""
    come = flight_at(legs, feet[actor, leg, AIR], 0)
    for part in (0, 2):
        start = feet[actor, leg, LIFTED + part]
        feet[actor, leg, CONTACT + part] = start + come * (feet[actor, leg, LANDING + part] - start)
    turned = wrapped(feet[actor, leg, LANDING_YAW] - feet[actor, leg, LIFTED_YAW])
    feet[actor, leg, YAW] = feet[actor, leg, LIFTED_YAW] + come * turned
