"""Feet: each stands, steps, is lent to an animation or hangs on the body, and its leg is bent to where it is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.contact import base_of, flatness, flatten, rests_on, stay_bent
from mummer.engine.down import is_down, turned_over
from mummer.engine.legs import COLUMN
from mummer.engine.limb import place_limb, turn_tip
from mummer.engine.limp import ASTRAY, COMES, FULLY, bend_leg, hopped, limp_tip
from mummer.engine.play import to_world
from mummer.engine.reach import carry_joint, turn_joint
from mummer.engine.scalars import (
    bend_of,
    between,
    eased,
    follow,
    held,
    mixed,
    place_of,
    ramp,
    rotation_by,
    rotation_vector,
    three_of,
    vector,
    wrapped,
    write_bend,
    write_three,
)
from mummer.engine.self_contact import free_of_contact, goals_place
from mummer.engine.settle import anchored, settle_joint, settle_place
from mummer.engine.state import (
    AIR,
    ASKED,
    AWAY,
    BEHIND,
    CONTACT,
    DRIFT,
    FOLDS,
    GRIP,
    HEEL,
    LACK,
    LAY,
    LET_GO,
    MISS,
    OFF,
    OVER,
    PUT,
    SHOWN_HEEL,
    SLOPE,
    TURNED,
    WALKING,
    WAS,
    YAW,
)
from mummer.engine.walk import flight_at, flung, home_of, leg_style
from mummer.kernels.linking import apart
from mummer.kernels.vectors import (
    NO_TURN,
    about,
    back,
    dot,
    minus,
    part_of,
    plus,
    scaled,
    shortest,
    size,
    times,
    turned,
)

if TYPE_CHECKING:
    from mummer.arrays import FloatArray
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.legs import Legs
    from mummer.engine.state import Actors, Goals, Poses
    from mummer.engine.walk import Pace
    from mummer.kernels.scalars import Four, Three

# The cosine of half the angle from which on toes are bent to be flat.
UNBENT = 1.0 - 1e-8
STRIKE, PUSH, TIPTOE, LIFT = COLUMN["strike"], COLUMN["push"], COLUMN["tiptoe"], COLUMN["lift"]
HEEL_OFF = COLUMN["heel_off"]
# The part of a stand in which toes come down.
TOES_DOWN = 0.12
# Radians that a heel rises at most for its leg to reach, how softly it begins to at least, so many seconds before it
# has to, and the part of its reach that a leg is long while it rolls off; and seconds that a push takes at least.
HIGHEST, HEEL_SOFT, BEFORE, ROLLS_AT, PUSHES = 1.1, 0.08, 0.02, 0.997, 0.1
# How soon heels rise and sink, and how soon one that left the ground rises no more, one over units of time.
RAISING, SINKING, RISES_ON = 12.0, 5.0, 4.0
# How soon a foot that takes hold of the ground again lies flat, one over units of time.
SETTLING = 2.0
# From which part of its length on a leg approaches straight ever more slowly. While its foot stands it is spared by
# lowering hips, so that it need hardly be soft itself.
STANDING, FLYING = 0.996, 0.95
# Parts of its reach that animations lift a foot up to which it stays where it stands, and from which on it goes where
# they want it over the ground; how soon, one over seconds.
STAYS, GOES, GOING = 0.015, 0.04, 200.0
# Parts of its reach that a foot that steps is off the ground at least, and the parts of its flight from which on it is,
# and up to which.
CLEARS, RISEN, SINKS = 0.02, 0.3, 0.8
# How far through its cycle one counts that was on its way as an animation took it over.
TAKEN_OVER = 0.1
# Seconds that a foot takes at the quickest to change its velocity by one length of its leg in a unit of time, if its
# gait is not quicker.
SUDDEN = 0.022
# How many times more suddenly the joints of a leg may turn than others: what it hangs on and its foot do not jump, so
# that only a leg that snaps does; and the same of one that does not stand.
EXACT, SLACK = 10.0, 2.0
# How often a foot that cannot turn as it should is put back to where it bears, from which part of a leg on, and by how
# much of the way at least.
CORRECTIONS, UNTURNED, LEAST_MADE = 5, 2e-4, 0.1
# Leg lengths by which animations lift a foot from which on it hangs on its leg as that carries it.
FLAT = 0.15
# Radians by which one is tilted from which on it rests on the edge that is lowest then; leg lengths above its lowest
# skin up to which it rests on that.
EDGED, RESTS = 0.15, 0.01
# Leg lengths that a leg misses where its foot stands from which on that does not roll; how soon one that has rolled
# aside creeps back, one over seconds.
SPENT, CREEPS = 0.002, 0.3
# Parts of its reach by which a leg feels ahead how far it folds where its foot stands, leg lengths that the root of one
# that does is lowered at least, and leg lengths that it then misses at least.
FEELS, CROUCHES, ASKEW = 0.04, 0.05, 2e-3


def stand_of(actor: int, leg: int, duty: float, actors: Actors) -> float:
    """How far through its stand a foot is, 0 to 1; of one that flies -1."""
    if actors.feet[actor, leg, AIR] >= 0.0:
        return -1.0
    return min(max(actors.phases[actor, leg] / duty, 0.0), 1.0)


def aloft(share: float) -> float:
    """How much a foot has left the ground, 0 to 1, at a share of its flight; 0 of one that stands."""
    return min(eased(4.0 * share), eased(4.0 - 4.0 * share)) if share >= 0.0 else 0.0


def sole_turn(actor: int, leg: int, actors: Actors) -> Four:
    """How a foot is turned that lies flat where it stands."""
    x, z = actors.feet[actor, leg, SLOPE], actors.feet[actor, leg, SLOPE + 1]
    turn = about((0.0, 1.0, 0.0), actors.feet[actor, leg, YAW])
    return turn if x == 0.0 and z == 0.0 else times(shortest((0.0, 1.0, 0.0), (-x, 1.0, -z)), turn)


def raised_heel(actor: int, leg: int, hip: Three, pace: Pace, legs: Legs, actors: Actors) -> float:
    """Radians by which a heel should be up: as its style has it, and as the leg of who walks needs it to reach.

    Ankle, ball and hip make a triangle: the ankle turns about the ball until it is as near to the hip as its leg is
    long. Only who is ahead of the ball rolls off over it. A heel rises ever faster, and is fastest as its foot leaves.
    """
    feet, stand, walking = actors.feet, stand_of(actor, leg, pace.duty, actors), actors.gait[actor, WALKING]
    if feet[actor, leg, LET_GO] > 0.0:
        return 0.0
    off = leg_style(legs, leg, pace.relative, HEEL_OFF)
    # A push that is over in a moment would be a jerk, which nobody sees as one.
    lasts = (1.0 - off) * pace.duty / (pace.rate * legs.rate[leg])
    push = leg_style(legs, leg, pace.relative, PUSH) * walking * pace.short * min(lasts / PUSHES, 1.0)
    own = push * max((stand - off) / (1.0 - off), 0.0) ** 2
    need, soft, aside, up, ahead = 0.0, HEEL_SOFT, 0.0, 0.0, 0.0
    ball, ankle = vector(legs.toe, leg), minus(vector(legs.ankle, leg), vector(legs.toe, leg))
    if legs.rolls[leg] > 0.0:
        bearing = (feet[actor, leg, CONTACT], feet[actor, leg, CONTACT + 1], feet[actor, leg, CONTACT + 2])
        away = minus(turned(back(sole_turn(actor, leg, actors)), minus(hip, bearing)), ball)
        aside, up, ahead = in_line(away, vector(legs.across, leg))
        ankle = in_line(ankle, vector(legs.across, leg))
    if ahead > 0.0 and up > 0.0:
        long = ROLLS_AT * legs.reach[leg]
        far, arm = math.sqrt(up * up + ahead * ahead), math.sqrt(ankle[1] * ankle[1] + ankle[2] * ankle[2])
        square = far * far + arm * arm + (aside - ankle[0]) ** 2 - long * long
        apart = math.acos(min(max(square / max(2.0 * far * arm, 1e-12), -1.0), 1.0))
        need = math.atan2(ankle[1], ankle[2]) - math.atan2(up, ahead) - apart
        # The sooner it will have to be up, the sooner it begins to rise.
        speed = math.hypot(actors.motion[actor, 0], actors.motion[actor, 1])
        soft = max(soft, BEFORE * speed * ahead / max(far * arm, 1e-12))
    return max(own, min(ramp(need, soft), HIGHEST) * walking) * (1.0 - actors.lent[actor, leg])


def in_line(place: Three, across: Three) -> Three:
    """A vector as a foot sees it that rolls over a level axis: along that, up, and ahead."""
    x, up, z = place
    return x * across[0] + z * across[2], up, z * across[0] - x * across[2]


def show_heel(actor: int, leg: int, hip: Three, pace: Pace, legs: Legs, actors: Actors, seconds: float) -> None:
    """Let a heel follow how far it should be up, with hips where they are now; in the air it goes on as it left."""
    feet, share = actors.feet, actors.feet[actor, leg, AIR]
    shown, rate = feet[actor, leg, SHOWN_HEEL], feet[actor, leg, SHOWN_HEEL + 1]
    if share >= 0.0:
        rate *= math.exp(-RISES_ON / legs.unit * seconds)
        feet[actor, leg, HEEL] += rate * seconds
        shown = feet[actor, leg, HEEL] * flight_at(legs, share, 2)
    else:
        wanted = raised_heel(actor, leg, hip, pace, legs, actors)
        soon = RAISING if wanted > shown else SINKING
        shown, rate = follow(shown, rate, wanted, soon / legs.unit, seconds)
        feet[actor, leg, HEEL] = shown
    feet[actor, leg, SHOWN_HEEL], feet[actor, leg, SHOWN_HEEL + 1] = shown, rate


def foot_goal(actor: int, leg: int, pace: Pace, legs: Legs, actors: Actors) -> tuple[Three, Four, Three, float]:
    """Where a foot joint should be, how it should be turned, where the foot bears, and by how much its heel is up."""
    stand, relative = stand_of(actor, leg, pace.duty, actors), pace.relative
    walking = actors.gait[actor, WALKING]
    strike = leg_style(legs, leg, relative, STRIKE) * walking * pace.short
    toes, heel, high = 0.0, leg_style(legs, leg, relative, TIPTOE) * walking, 0.0
    if stand >= 0.0:
        toes = strike * (1.0 - eased(stand / TOES_DOWN))
        heel += actors.feet[actor, leg, HEEL]
    else:
        share = actors.feet[actor, leg, AIR]
        toes = strike * flight_at(legs, share, 3)
        heel += actors.feet[actor, leg, HEEL] * flight_at(legs, share, 2)
        high = leg_style(legs, leg, relative, LIFT) * pace.short * legs.length * flight_at(legs, share, 1)
        # Until it is above where it will stand it is clear of the ground: who is low and slow is seen to slide.
        clear = CLEARS * legs.reach[leg] * min(eased(share / RISEN), eased((1.0 - share) / (1.0 - SINKS)))
        high += ramp(clear - high, 0.5 * clear)
    toes, heel = toes * legs.rolls[leg], heel * legs.rolls[leg]
    up, down = about(vector(legs.across, leg), heel), about(vector(legs.across, leg), -toes)
    pitched, rear, front = times(up, down), vector(legs.heel, leg), vector(legs.toe, leg)
    about_heel, about_toe = turned(down, rear), turned(up, front)
    ankle = turned(pitched, vector(legs.ankle, leg))
    raised = (ankle[0] + rear[0] - about_heel[0] + front[0] - about_toe[0],
              ankle[1] + rear[1] - about_heel[1] + front[1] - about_toe[1],
              ankle[2] + rear[2] - about_heel[2] + front[2] - about_toe[2])  # fmt: skip
    bearing = (actors.feet[actor, leg, CONTACT], actors.feet[actor, leg, CONTACT + 1] + high,
               actors.feet[actor, leg, CONTACT + 2])  # fmt: skip
    flat = sole_turn(actor, leg, actors)
    return plus(bearing, turned(flat, raised)), times(flat, pitched), bearing, heel


@apart
def place_leg(
    actor: int, leg: int, pace: Pace, body: Body, actors: Actors, goals: Goals, ground: Ground, poses: Poses,
    seconds: float,
) -> None:  # fmt: skip
    """Put a foot where it stands or steps, where an animation wants it, or let it hang."""
    legs, limb = body.legs, body.legs.limb[leg]
    up = lend(actor, leg, body, actors, goals, seconds)
    show_heel(actor, leg, base_of(actor, limb, body, actors), pace, legs, actors, seconds)
    goal, turn, bearing, heel = foot_goal(actor, leg, pace, legs, actors)
    is_loose, holds = legs.loose[leg] > 0.0, actors.lent[actor, leg] == 0.0 and actors.feet[actor, leg, AIR] < 0.0
    own = bearing if is_loose else goal
    target = lent_place(actor, leg, (own[0], own[1] + up, own[2]), body, actors, goals, ground)
    wish, pushed, stands, share = target, 0.0, 1.0 - actors.lent[actor, leg], 0.0
    if stands < 1.0:
        out = eased(FULLY * (1.0 - stands))
        target = between(wish, free_of_contact(actor, limb, wish, body, actors, goals, ground, seconds), out)
        pushed = size(minus(target, wish))
    over = turned_over(actor, goals)
    target, grips = hopped(actor, leg, target, body, actors, goals, ground, seconds)
    # One that has let go of who is upright comes down flat, and as long as it is down it stays as it is turned.
    bears = max(stands, grips * (1.0 - over))
    stays = math.exp(-COMES / legs.quick * (1.0 - grips) * seconds) if actors.feet[actor, leg, LET_GO] > 0.0 else 0.0
    if is_loose and bears > 0.0:
        # Who walks rolls over its feet.
        still = bears * (1.0 - actors.gait[actor, WALKING])
        share = flatness(actor, limb, bearing, still, body, actors, ground)
    if share > 0.0 and body.limbs.flat[limb] == 0.0:
        flatten(actor, body.limbs.tip[limb], turn, share, body, actors)
    most = max(legs.length / (legs.quick * SUDDEN), flung(actor, leg, pace, legs, actors.feet))
    last = plus(anchored(actor, 1 + leg, actors.anchors), three_of(actor, leg, PUT, actors.feet))
    target = settle_place(actor, 1 + leg, 0, target, most, actors.anchors, seconds)
    soft = STANDING + (FLYING - STANDING) * aloft(actors.feet[actor, leg, AIR])
    # What it takes to rest where it should is as it was, about.
    put = (0.0, 0.0, 0.0) if is_loose else scaled(three_of(actor, leg, PUT, actors.feet), bears)
    placed = plus(target, put)
    if holds:
        feel_fold(actor, leg, placed, soft, body, actors, goals)
    missed = bend_leg(actor, leg, placed, soft, body, actors, ground, seconds)
    # A foot turns as animations ask as far as these have lifted it, about where it is put.
    goals.turns[actor, body.limbs.tip[limb], 4] *= 1.0 - bears
    for _ in range(CORRECTIONS if is_loose else 0):
        wanted = minus(target, turned_off(actor, limb, body, actors, goals))
        if size(minus(wanted, placed)) < UNTURNED * legs.length:
            break
        placed = wanted
        missed = bend_leg(actor, leg, placed, soft, body, actors, ground, seconds)
    if share > 0.0 and body.limbs.flat[limb] > 0.0:
        for number in range(legs.toe_number[leg]):
            flatten(actor, legs.toes[legs.first_toe[leg] + number], turn, share, body, actors)
    if not is_loose:
        # One that is lifted a little stays as flat as it stood: its toes do not drag.
        keeps = max(bears, flat_share(actor, leg, up, legs, actors))
        shown, tip = turn_tip(actor, limb, turn, keeps, body, actors), body.limbs.tip[limb]
        made, before, flat = 1.0, (0.0, 0.0, 0.0), sole_turn(actor, leg, actors)
        rests, drift = on_edge(leg, times(back(flat), turn), legs), (0.0, 0.0, 0.0)
        rolls, still = holds and actors.feet[actor, leg, GRIP] > 0.0, NO_TURN
        rolls = rolls and missed < SPENT * legs.length and actors.feet[actor, leg, MISS] < SPENT
        if stays == 0.0:
            still = still_turned(actor, leg, legs, actors.feet, seconds)
        for number in range(CORRECTIONS):
            # A foot that stands and that its joint does not turn as it should rests on an edge of its sole.
            off = turned(flat, minus(on_edge(leg, times(back(flat), shown), legs), rests))
            wanted = plus(target, scaled(off, min(keeps, 1.0 - actors.feet[actor, leg, LET_GO])))
            if rolls:
                drift = rolled(actor, leg, bend_of(actor, tip, actors.turns), times(still, shown), body, actors)
                drift = plus(minus(last, wanted), drift)
                wanted = (wanted[0] + drift[0], wanted[1], wanted[2] + drift[2])
            away = minus(wanted, placed)
            if size(away) < UNTURNED * legs.length:
                break
            made = made if number == 0 else relaxed(made, before, away)
            placed, before = plus(placed, scaled(away, made)), away
            missed = bend_leg(actor, leg, placed, soft, body, actors, ground, seconds)
            shown = turn_tip(actor, limb, turn, keeps, body, actors)
        # Where it has rolled to is where it stands.
        stand_rolled(actor, leg, drift, rolls, actors, seconds)
        put = minus(placed, target)
        write_three(actor, leg, PUT, (put[0] - drift[0], put[1], put[2] - drift[2]), actors.feet)
        if stays > 0.0:
            lay, start = three_of(actor, leg, LAY, actors.feet), placed
            was, lies = rotation_by(lay[0], lay[1], lay[2]), shown
            # Toes that spread like a fan would slide.
            over_toes = grips * (legs.rolls[leg] if legs.toe_number[leg] > 0 else 1.0)
            for number in range(CORRECTIONS):
                lies = mixed(shown, bend_of(actor, tip, actors.turns), stays)
                lies = turn_tip(actor, limb, lies, 1.0, body, actors)
                drift = scaled(rolled(actor, leg, was, lies, body, actors), over_toes)
                away = minus(plus(start, drift), placed)
                if size(away) < UNTURNED * legs.length:
                    break
                made = 1.0 if number == 0 else relaxed(made, before, away)
                placed, before = plus(placed, scaled(away, made)), away
                missed = bend_leg(actor, leg, placed, soft, body, actors, ground, seconds)
            for number, part in enumerate((0, 2)):
                actors.feet[actor, leg, OVER + number] += placed[part] - start[part]
                actors.anchors[actor, 1 + leg, WAS + part] += placed[part] - start[part]
            lies = turn_tip(actor, limb, mixed(shown, bend_of(actor, tip, actors.turns), stays), 1.0, body, actors)
            write_three(actor, leg, LAY, rotation_vector(lies), actors.feet)
            stay_bent(actor, tip, stays, actors)
            write_three(actor, leg, TURNED, rotation_vector(times(lies, back(shown))), actors.feet)
            shown = lies
        else:
            write_three(actor, leg, LAY, rotation_vector(shown), actors.feet)
            shown = turn_tip(actor, limb, times(still, shown), 1.0, body, actors) if still[3] < UNBENT else shown
        # Toes stay flat while the heel rises, or the foot is held from being flat itself, as far as they bend.
        flat = times(back(shown), times(turn, about(vector(legs.across, leg), -heel)))
        for number in range(legs.toe_number[leg] if abs(flat[3]) < UNBENT else 0):
            toe = legs.toes[legs.first_toe[leg] + number]
            bend = times(part_of(flat, bears), bend_of(actor, toe, actors.bends))
            write_bend(actor, toe, held(toe, body.frame.limits, bend), actors.bends)
    # One that lies on the ground and cannot be where it should is not held there.
    firm = max(stands, grips * max(1.0 - missed / (ASTRAY * legs.length), 0.0))
    settle_leg(actor, limb, SLACK + firm * (EXACT - SLACK), body, actors, goals, seconds)
    if holds and actors.feet[actor, leg, GRIP] == 0.0:
        take_hold(actor, leg, placed, body, actors)
    actors.feet[actor, leg, GRIP] = 1.0 if holds else 0.0
    actors.feet[actor, leg, MISS] = missed / legs.length if holds or actors.feet[actor, leg, LET_GO] > 0.0 else 0.0
    lack = minus(placed, shown_foot(actor, leg, body, actors)) if holds else (0.0, 0.0, 0.0)
    write_three(actor, leg, LACK, scaled(lack, min(missed / max(size(lack), 1e-12), 1.0)), actors.feet)
    poses.misses[actor, limb] = missed + pushed


def stand_rolled(actor: int, leg: int, drift: Three, rolls: bool, actors: Actors, seconds: float) -> None:
    """Let a foot stand where it has rolled to; unseen it creeps back to where it came down: dances come round."""
    for number, part in enumerate((0, 2)):
        away = actors.feet[actor, leg, DRIFT + number] + drift[part] if rolls else 0.0
        back_again = CREEPS * seconds * away
        actors.feet[actor, leg, DRIFT + number] = away - back_again
        actors.feet[actor, leg, CONTACT + part] += drift[part] - back_again
        actors.anchors[actor, 1 + leg, WAS + part] += drift[part] - back_again


def feel_fold(actor: int, leg: int, placed: Three, soft: float, body: Body, actors: Actors, goals: Goals) -> None:
    """Note how near to its hip a foot may stand for its leg to reach it, as that would find out a little further on.

    Joints that are at their limits do not let a leg fold as far as it could elsewhere.
    """
    legs, limb = body.legs, body.legs.limb[leg]
    least, ahead = 0.0, FEELS * legs.reach[leg]
    if goals.root[actor, 1] < -CROUCHES * legs.length:
        hip = base_of(actor, limb, body, actors)
        way = minus(hip, placed)
        far = max(size(way), 1e-9)
        spot = plus(placed, scaled(way, ahead / far))
        missed = place_limb(actor, limb, spot, spot, soft, body, actors)
        least = far - ahead + missed if missed > ASKEW * legs.length else 0.0
    actors.feet[actor, leg, FOLDS] = least


def relaxed(made: float, before: Three, away: Three) -> float:
    """How much of a correction is made after another of which so much was: less if that went too far (Aitken 1926).

    As a foot is put lower its leg, and with it what its joint can do, turns too.
    """
    change = minus(away, before)
    return min(max(-made * dot(before, change) / max(dot(change, change), 1e-30), LEAST_MADE), 1.0)


def on_edge(leg: int, tilt: Four, legs: Legs) -> Three:
    """From where a foot bears to its joint, if it is tilted: what it rests on stays where it is as it lies flat."""
    rest = edge(leg, tilt, legs)
    return plus(rest, turned(tilt, minus(vector(legs.ankle, leg), rest)))


def edge(leg: int, tilt: Four, legs: Legs) -> Three:
    """From where a foot bears to what it rests on that is tilted: its ball if its heel is up, and else its heel.

    What is tilted to either side rests on the other one.
    """
    # How much its left and its front are raised.
    left, _, front = turned(back(tilt), (0.0, 1.0, 0.0))
    share = max(front, 0.0) / math.sqrt(front * front + EDGED * EDGED)
    x, up, ahead = between(vector(legs.toe, leg), vector(legs.heel, leg), share)
    return x - legs.wide[leg] * left / math.sqrt(left * left + EDGED * EDGED), up, ahead


def rolled(actor: int, leg: int, was: Four, turn: Four, body: Body, actors: Actors) -> Three:
    """Metres over the ground by which a foot goes that rolls from one turn to another: what it rests on stays."""
    legs, feet, tip = body.legs, actors.feet, body.limbs.tip[body.legs.limb[leg]]
    if legs.toe_number[leg] > 0 or body.solids.number[tip] == 0:
        # Its toes stay, which are bent beside it.
        spot = minus(edge(leg, times(back(sole_turn(actor, leg, actors)), turn), legs), vector(legs.ankle, leg))
    else:
        x, z = feet[actor, leg, SLOPE], feet[actor, leg, SLOPE + 1]
        spot = rests_on(tip, turn, x, z, RESTS * legs.length, body)
    x, _, z = minus(turned(was, spot), turned(turn, spot))
    return x, 0.0, z


def still_turned(actor: int, leg: int, legs: Legs, feet: FloatArray, seconds: float) -> Four:
    """How a foot that has taken hold of the ground is still turned from how it should: ever less."""
    away, drift, omega = (
        three_of(actor, leg, TURNED, feet),
        three_of(actor, leg, TURNED + 3, feet),
        SETTLING / legs.quick,
    )
    for part in range(3):
        value, rate = follow(away[part], drift[part], 0.0, omega, seconds)
        feet[actor, leg, TURNED + part], feet[actor, leg, TURNED + 3 + part] = value, rate
    away = three_of(actor, leg, TURNED, feet)
    return rotation_by(away[0], away[1], away[2])


def flat_share(actor: int, leg: int, up: float, legs: Legs, actors: Actors) -> float:
    """How much a foot stays as flat as it stood that animations lift by so many metres, 0 to 1; a limp one does not."""
    return (1.0 - eased(up / (FLAT * legs.length))) * (1.0 - min(FULLY * actors.feet[actor, leg, LET_GO], 1.0))


def turned_off(actor: int, limb: int, body: Body, actors: Actors, goals: Goals) -> Three:
    """How far a leg's tip is moved as its joint, which is bent with the leg, is turned as animations ask."""
    limbs, tip = body.limbs, body.limbs.tip[limb]
    weight = goals.turns[actor, tip, 4]
    if weight <= 0.0:
        return 0.0, 0.0, 0.0
    above = bend_of(actor, limbs.carrier[limb], actors.turns)
    for place in range(limbs.number[limb]):
        joint = limbs.chain[limbs.first[limb] + place]
        if joint != tip:
            above = times(above, bend_of(actor, joint, actors.bends))
    turn = times(above, bend_of(actor, tip, actors.bends))
    bend = times(back(above), mixed(turn, bend_of(actor, tip, goals.turns), weight))
    point = vector(limbs.point, limb)
    return minus(turned(times(above, held(tip, body.frame.limits, bend)), point), turned(turn, point))


def take_hold(actor: int, leg: int, placed: Three, body: Body, actors: Actors) -> None:
    """Let a foot stand where it is shown as it lands: from now on its leg has nothing to catch up with."""
    limb, limbs = body.legs.limb[leg], body.limbs
    tip, shown = limbs.tip[limb], shown_foot(actor, leg, body, actors)
    for part in range(3):
        # Below the ground it does not stay.
        away = shown[part] - placed[part]
        actors.anchors[actor, 1 + leg, OFF + part] += max(away, 0.0) if part == 1 else away
    for place in range(limbs.number[limb] + (1 if body.legs.loose[leg] > 0.0 else 0)):
        joint = limbs.chain[limbs.first[limb] + place] if place < limbs.number[limb] else tip
        for part in range(AWAY, BEHIND + 1):
            actors.settled[actor, joint, part] = 0.0


def shown_foot(actor: int, leg: int, body: Body, actors: Actors) -> Three:
    """Where what is placed of a foot is."""
    limb, limbs = body.legs.limb[leg], body.limbs
    shown = place_of(actor, limbs.tip[limb], actors)
    if body.legs.loose[leg] == 0.0:
        return shown
    return plus(shown, turned(bend_of(actor, limbs.tip[limb], actors.turns), vector(limbs.point, limb)))


def settle_leg(actor: int, limb: int, quick: float, body: Body, actors: Actors, goals: Goals, seconds: float) -> None:
    """Let no joint of a leg jump, and turn its foot as animations ask."""
    first, count, tip = body.limbs.first[limb], body.limbs.number[limb], body.limbs.tip[limb]
    # A foot that folds with its leg is in its chain already: what is settled twice jumps.
    for place in range(count if body.limbs.chain[first + count - 1] == tip else count + 1):
        joint = body.limbs.chain[first + place] if place < count else tip
        carry_joint(actor, joint, body, actors)
        turn_joint(actor, joint, body, actors, goals)
        settle_joint(actor, joint, quick, body, actors, seconds)


def lend(actor: int, leg: int, body: Body, actors: Actors, goals: Goals, seconds: float) -> float:
    """Metres by which animations lift a foot from the ground; its foothold goes along with it as far as it is lifted.

    One that is not lifted stays. Where animations want it is where it is at home.
    """
    legs, limb, feet = body.legs, body.legs.limb[leg], actors.feet
    weight, moved, aside = goals.places[actor, limb, 3], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if weight > 0.0:
        tip = plus(vector(body.frame.places, body.limbs.tip[limb]), vector(body.limbs.point, limb))
        moved = scaled(minus(goals_place(actor, limb, goals), to_world(actor, -1, tip, body, actors)), weight)
        aside = turned(about((0.0, 1.0, 0.0), -actors.stage[actor, 2]), moved)
    feet[actor, leg, ASKED], feet[actor, leg, ASKED + 1] = aside[0], aside[2]
    up = max(moved[1], 0.0)
    lent = max(eased((up / legs.reach[leg] - STAYS) / (GOES - STAYS)), feet[actor, leg, LET_GO])
    was, actors.lent[actor, leg] = actors.lent[actor, leg], lent
    if lent > 0.0:
        # One that steps is taken over from where it is, as if it stood there for a while: no heel is up for that.
        if feet[actor, leg, AIR] >= 0.0:
            actors.phases[actor, leg] = TAKEN_OVER
        feet[actor, leg, AIR] = -1.0
        come = 1.0 - math.exp(-GOING * lent * seconds)
        x, z, heading = home_of(actor, leg, 1.0, 0.0, legs, actors)
        feet[actor, leg, YAW] += come * wrapped(heading - feet[actor, leg, YAW])
        # One that had not left the ground goes there from where it is, as if that had jumped.
        held_back = 1.0 - was if feet[actor, leg, LET_GO] == 0.0 else 0.0
        for part, wanted in ((0, x), (2, z)):
            moved = come * (wanted - feet[actor, leg, CONTACT + part])
            feet[actor, leg, CONTACT + part] += moved
            actors.anchors[actor, 1 + leg, WAS + part] += held_back * moved
            actors.anchors[actor, 1 + leg, OFF + part] -= held_back * moved
    return up


def lent_place(
    actor: int, leg: int, own: Three, body: Body, actors: Actors, goals: Goals, ground: Ground
) -> Three:  # fmt: skip
    """Where a foot is that would be at ``own``: asked somewhere, or limp, as far as it has let go of the ground."""
    limb, hangs = body.legs.limb[leg], actors.feet[actor, leg, LET_GO]
    weight = max(hangs, goals.free[actor] * actors.lent[actor, leg]) * min(goals.places[actor, limb, 3], 1.0)
    if hangs <= 0.0 and weight <= 0.0:
        return own
    limp = limp_tip(actor, limb, is_down(actor, body.legs, goals), body, actors, ground)
    actors.lent[actor, leg] = max(actors.lent[actor, leg], hangs, weight)
    asked = between(limp, goals_place(actor, limb, goals), min(goals.places[actor, limb, 3], 1.0))
    return between(own, asked, max(hangs, weight))
