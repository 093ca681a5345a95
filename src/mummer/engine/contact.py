"""Contact with the ground: bodies lie on it, and what they place stays out of it.

What must give way smoothly has a state: how far the root is raised, and necks are bent up. Targets are raised before
limbs are placed, by amounts that grow smoothly with how deep they would be.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.clearance import SOFT
from mummer.engine.down import is_down
from mummer.engine.ground import height_at
from mummer.engine.scalars import (
    bend_of,
    eased,
    follow,
    held,
    mixed,
    place_of,
    ramp,
    rotation_by,
    vector,
    write_bend,
)
from mummer.engine.solids import BROUGHT, LOOSE, WALKS
from mummer.engine.state import BURDEN, EXTRA, HIGH, LEFT, LET_GO, LIFT, LIFT_RATE, NEED, OFF, WALKING, WAS
from mummer.kernels.linking import apart
from mummer.kernels.vectors import about, back, cross, dot, minus, plus, scaled, size, times, turned

if TYPE_CHECKING:
    from mummer.arrays import FloatArray
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.state import Actors, Goals
    from mummer.kernels.scalars import Four, Three

# How soon the root rises out of the ground and necks bend up, and what is small, one over seconds.
RISING, RAISING = 20.0, 40.0
# What follows so is late by that many seconds: what sinks steadily is met in time if it is seen that much ahead.
AHEAD = 2.0 / RISING
# Heights above the ground from which on nothing is known of what is there.
FAR = 0.25
# Seconds ahead that it is seen where what trails comes down to.
SEES = 2.0 / RAISING
# Radians that a neck is bent up at most, and how upright it may be before it is bent up less.
NECK_UP, UPRIGHT = 1.2, 0.3
# Radians that any other joint is bent up at most, and up to which it is bent as far as it takes.
MOST_UP, STRAIGHT_UP = 1.7, 1.5
# Radians from the ground from which on it is looked at, radians a second at most at which it is seen to come, and the
# least lever by which it does, parts of how far its skin reaches.
LOOKS, FASTEST, SHORTEST = 0.5, 8.0, 0.3
# How soon a joint takes over what those below it cannot do, and gives it up, one over seconds; radians at most.
TAKES_OVER, GIVES_UP, MOST_EXTRA = 20.0, 0.5, 0.8
# How deep, in heights, limbs and tails must be that cannot get out by themselves for the root to rise for them, and how
# much of what it has risen it stays raised.
ROOT_LEAVES, STAYS = 0.01, 0.8
# How much of what it has risen it stays raised for legs that have let go, which get out of the way little by little.
LIMP = 0.9
# How much higher, in heights, a root is meant to be than legs let it.
HELD_DOWN = 0.05
# Leg lengths by which legs that have let go keep a trunk off the ground at most, which lies on them.
THICK = 0.3
# How much rather away from the root, and to a side of its own, than straight up it is bent; how near to the other way
# from there it may point before it is bent less.
OUTWARDS, ALIGNED = 0.3, 0.15
# How much shorter than it can be a leg is, parts of its length, that bends its foot flat.
SLACK = 0.25
# Radians that hands and feet bend up on the ground before they are raised.
YIELDS = 0.8
# How softly what reaches comes to the ground, in heights; and how deep what hangs may be, however small it is.
SOFT_REACH, SUNK = 0.005, 0.002


def slope_at(ground: Ground, x: float, z: float) -> tuple[float, float, float]:
    """The height of the ground, and how much it rises a metre along x and z."""
    step, low = 0.5 * ground.step, height_at(ground, x, z)
    if ground.heights.shape[0] <= 2 and ground.heights.shape[1] <= 2:
        return low, ground.plane[1], ground.plane[2]
    along_x = (height_at(ground, x + step, z) - height_at(ground, x - step, z)) / (2.0 * step)
    along_z = (height_at(ground, x, z + step) - height_at(ground, x, z - step)) / (2.0 * step)
    return low, along_x, along_z


def skin_point(number: int, closed: float, body: Body) -> Three:
    """From a joint to one of the points of its skin, its fingers closed by so much: late at first, they go around."""
    point = vector(body.solids.points, number)
    return plus(point, scaled(vector(body.solids.curls, number), closed * closed)) if closed > 0.0 else point


def lowest(
    joint: int, turn: Four, slope_x: float, slope_z: float, body: Body, closed: float = 0.0
) -> tuple[float, int]:  # fmt: skip
    """How far above a joint the lowest of the skin is that goes along with it, metres above a slope, and which point.

    Args:
        joint: which.
        turn: of the joint in the world.
        slope_x: how much the ground rises a metre along x.
        slope_z: the same along z.
        body: of the actor.
        closed: how much its fingers are closed, 0 to 1.
    """
    solids = body.solids
    up = turned(back(turn), (-slope_x, 1.0, -slope_z))
    found, which = 1e9, -1
    for number in range(solids.number[joint]):
        point = solids.first[joint] + number
        high = dot(up, skin_point(point, closed, body))
        if high < found:
            found, which = high, point
    return found, which


def rests_on(joint: int, turn: Four, slope_x: float, slope_z: float, soft: float, body: Body) -> Three:
    """From a joint to the middle of the skin that goes along with it and is lowest, but for ``soft`` metres."""
    low, _ = lowest(joint, turn, slope_x, slope_z, body)
    up, middle, weights = turned(back(turn), (-slope_x, 1.0, -slope_z)), (0.0, 0.0, 0.0), 1e-12
    for number in range(body.solids.number[joint]):
        point = vector(body.solids.points, body.solids.first[joint] + number)
        weight = max(1.0 - (dot(up, point) - low) / soft, 0.0) ** 2
        middle, weights = plus(middle, scaled(point, weight)), weights + weight
    return scaled(middle, 1.0 / weights)


def clearance(
    actor: int, joint: int, body: Body, actors: Actors, ground: Ground, most: float = 1e9, closed: float = 0.0
) -> tuple[float, int]:  # fmt: skip
    """Metres from the ground up to the lowest of what goes along with a joint, as seen from rest, and which point.

    Never more than ``most``, nor than ``FAR`` heights: of what is farther nothing else is known.
    """
    far, solids = min(most, FAR * body.frame.height), body.solids
    if solids.number[joint] == 0:
        return far, -1
    place = place_of(actor, joint, actors)
    level, slope_x, slope_z = slope_at(ground, place[0], place[2])
    steep = math.sqrt(1.0 + slope_x * slope_x + slope_z * slope_z)
    if place[1] - level - steep * solids.bound[joint] > far:
        return far, -1
    low, point = lowest(joint, bend_of(actor, joint, actors.turns), slope_x, slope_z, body, closed)
    return min(place[1] - level + low + solids.sunk[joint], far), point


def lift_state(
    actor: int, row: int, need: float, omega: float, ahead: float, lifts: FloatArray, seconds: float
) -> None:
    """Draw a lift to what is needed ``ahead`` seconds from now, if that goes on to change as it does."""
    if seconds <= 0.0:
        lifts[actor, row, LIFT], lifts[actor, row, LIFT_RATE], lifts[actor, row, NEED] = max(need, 0.0), 0.0, need
        return
    rate = (need - lifts[actor, row, NEED]) / seconds
    lifts[actor, row, NEED] = need
    wanted = max(need + ahead * rate, 0.0)
    value, speed = follow(lifts[actor, row, LIFT], lifts[actor, row, LIFT_RATE], wanted, omega, seconds)
    lifts[actor, row, LIFT], lifts[actor, row, LIFT_RATE] = value, speed


def rise(actor: int, actors: Actors) -> None:
    """Raise the root, which is placed, as far as it has risen out of the ground."""
    actors.places[actor, 0, 1] += actors.lifts[actor, 0, LIFT]


def up_axis(actor: int, head: int, body: Body, actors: Actors) -> Three:
    """About which a neck bends up, as it was last: one over metres that its head is from where it begins."""
    joint = body.necks.head[head]
    middle = turned(bend_of(actor, joint, actors.turns), vector(body.solids.middle, joint))
    start = place_of(actor, body.necks.joints[body.necks.first[head]], actors)
    way = minus(plus(place_of(actor, joint, actors), middle), start)
    axis = cross(way, (0.0, 1.0, 0.0))
    # One that hangs straight down is bent up to no side.
    return scaled(axis, 1.0 / max(dot(axis, axis) + (UPRIGHT * way[1]) ** 2, 1e-12))


def limited(lift: float, axis: float) -> float:
    """How far a head is raised that should be by so many metres, by a neck that bends so much a metre."""
    return NECK_UP * math.tanh(lift * axis / NECK_UP) / axis if axis > 0.0 else 0.0


def left_alone(actor: int, body: Body, goals: Goals) -> float:
    """How much heads and trunks are not brought anywhere, which keeps them out of the ground by itself, 0 to 1."""
    most, limbs = 0.0, body.limbs.tip.shape[0]
    for number in range(body.reaches.tip.shape[0]):
        most = max(most, goals.places[actor, limbs + number, 3])
    return max(1.0 - most, 0.0)


@apart
def bend_up(actor: int, head: int, body: Body, actors: Actors, goals: Goals) -> None:
    """Bend a neck up by what keeps its head out of the ground."""
    necks, parents, lift = body.necks, body.frame.parents, actors.lifts[actor, 1 + head, LIFT]
    if lift <= 1e-6 * body.frame.height:
        return
    axis = up_axis(actor, head, body, actors)
    first, count = necks.first[head], necks.number[head]
    share = limited(lift, size(axis)) * left_alone(actor, body, goals) / count
    for place in range(count):
        joint = necks.joints[first + place]
        local = scaled(turned(back(bend_of(actor, max(parents[joint], 0), actors.turns)), axis), share)
        bend = times(rotation_by(local[0], local[1], local[2]), bend_of(actor, joint, actors.bends))
        write_bend(actor, joint, held(joint, body.frame.limits, bend), actors.bends)


def measure(
    actor: int, playing: bool, body: Body, actors: Actors, goals: Goals, ground: Ground, seconds: float
) -> None:  # fmt: skip
    """See how deep everything is in the ground, and let the root rise and necks bend up for it."""
    solids, necks, lifts = body.solids, body.necks, actors.lifts
    far = FAR * body.frame.height
    need, alone = -far, left_alone(actor, body, goals)
    # What legs hold down does not rise by wishing.
    settled = actors.anchors[actor, 0, WAS + 1] + actors.anchors[actor, 0, OFF + 1]
    rises = actors.places[actor, 0, 1] - settled + lifts[actor, 0, LIFT]
    risen = min(lifts[actor, 0, LIFT], max(rises, 0.0) + HELD_DOWN * body.frame.height)
    # Who lies is carried by heads and legs too, and by legs that have let go no higher than these are thick; feet are
    # put on the ground, and arms bend up.
    down = goals.lies[actor] * is_down(actor, body.legs, goals)
    for leg in range(body.legs.limb.shape[0]):
        actors.feet[actor, leg, BURDEN] = 0.0
    bare = need
    for place in range(solids.raised.shape[0]):
        joint, counts, lies, most = solids.raised[place], 1.0, 0.0, far
        leg = solids.yields[joint] - WALKS
        if leg >= 0:
            counts, gone = 1.0 - actors.gait[actor, WALKING], actors.feet[actor, leg, LET_GO]
            lies = max(down, gone) if solids.hangs[joint] < 0 else 0.0
            most = bare + THICK * body.legs.length + (1.0 - gone) * far
        elif solids.yields[joint] == BROUGHT:
            counts, lies = alone, down
        if counts > 0.0:
            # What is farther from the ground than this needs no more than others do.
            firm = solids.firm[joint] + lies * ((LIMP if leg >= 0 else 1.0) - solids.firm[joint])
            own = firm * risen - (1.0 - lies) * solids.spare[joint]
            enough = own - (need + (1.0 - counts) * far) / counts
            enough = max(enough, lies * risen) if leg >= 0 else enough
            high, _ = clearance(actor, joint, body, actors, ground, enough, goals.closed[actor, joint])
            need = max(need, min(counts * (own - high) - (1.0 - counts) * far, most))
            if leg >= 0 and solids.hangs[joint] < 0:
                actors.feet[actor, leg, BURDEN] = max(actors.feet[actor, leg, BURDEN], lies * risen - high)
        bare = need if leg < 0 else bare
    left = actors.raised[actor, 0, LEFT] - ROOT_LEAVES * body.frame.height
    need, actors.raised[actor, 0, LEFT] = max(need, STAYS * risen + left), 0.0
    lift_state(actor, 0, need, RISING, AHEAD + seconds, lifts, seconds)
    for head in range(necks.head.shape[0]):
        high = far
        for place in range(necks.number[head]):
            high, _ = clearance(actor, necks.joints[necks.first[head] + place], body, actors, ground, high)
        raised = limited(lifts[actor, 1 + head, LIFT], size(up_axis(actor, head, body, actors)))
        lift_state(
            actor, 1 + head, alone * (raised - high) - (1.0 - alone) * far, RISING, AHEAD + seconds, lifts, seconds
        )
    for number in range(body.reaches.tip.shape[0] if playing or seconds <= 0.0 else 0):
        reach_below(actor, number, body, actors, ground, seconds)


def head_of(number: int, body: Body) -> int:
    """The last joint of what reaches: a head, or what else carries what is brought."""
    return body.reaches.chain[body.reaches.first[number] + body.reaches.number[number] - 1]


def held_out(actor: int, number: int, body: Body, actors: Actors) -> Three:
    """From the last joint of what reaches to what is brought, as that joint sees it."""
    tip, point = body.reaches.tip[number], vector(body.reaches.point, number)
    if tip == head_of(number, body):
        return point
    return plus(vector(body.frame.bones, tip), turned(bend_of(actor, tip, actors.bends), point))


def reached(actor: int, number: int, body: Body, actors: Actors) -> Three:
    """Where what is brought is, as the last joint of what reaches carries it."""
    above = head_of(number, body)
    out = turned(bend_of(actor, above, actors.turns), held_out(actor, number, body, actors))
    return plus(place_of(actor, above, actors), out)


def reach_below(actor: int, number: int, body: Body, actors: Actors, ground: Ground, seconds: float) -> None:
    """Take note of how far the skin that goes along with what reaches is below its tip."""
    tip, row, lifts = body.reaches.tip[number], 1 + body.necks.head.shape[0] + number, actors.lifts
    spot, below = reached(actor, number, body, actors), 0.0
    _, slope_x, slope_z = slope_at(ground, spot[0], spot[2])
    for joint in (tip, head_of(number, body)):
        # A jaw, and the head that it hangs from.
        owner = body.solids.owner[joint]
        if body.solids.number[owner] > 0:
            place = place_of(actor, owner, actors)
            low, _ = lowest(owner, bend_of(actor, owner, actors.turns), slope_x, slope_z, body)
            high = place[1] + low - slope_x * (place[0] - spot[0]) - slope_z * (place[2] - spot[2])
            below = max(below, spot[1] - high)
    value, rate = follow(lifts[actor, row, LIFT], lifts[actor, row, LIFT_RATE], below, RISING, seconds)
    if seconds <= 0.0:
        value = below
    lifts[actor, row, LIFT], lifts[actor, row, LIFT_RATE] = value, rate


def reach_floor(actor: int, number: int, wish: Three, body: Body, actors: Actors, ground: Ground) -> Three:
    """Where what reaches goes that is wished somewhere: no skin that goes along with it below the ground."""
    owner = body.solids.owner[head_of(number, body)]
    below = actors.lifts[actor, 1 + body.necks.head.shape[0] + number, LIFT] - body.solids.sunk[owner]
    soft = SOFT_REACH * body.frame.height
    floor = height_at(ground, wish[0], wish[2]) + below - soft
    return wish[0], floor + ramp(wish[1] - floor, soft), wish[2]


def way_up(
    joint: int, turn: Four, out: Three, slope_x: float, slope_z: float, body: Body
) -> tuple[Three, Three, float]:
    """The axis of its own about which a joint bends up what it carries, the way up, and how much it can, 0 to 1.

    Args:
        joint: which.
        turn: of the joint in the world.
        out: the way to the side to which it rather bends, metres; what is below the body bends to its own side.
        slope_x: how much the ground rises a metre along x.
        slope_z: the same along z.
        body: of the actor.
    """
    middle = vector(body.solids.middle, joint)
    up = turned(back(turn), (-slope_x, 1.0, -slope_z))
    far = OUTWARDS / math.sqrt(out[0] * out[0] + out[2] * out[2] + 1e-2 * body.frame.height**2)
    goal = plus(up, turned(back(turn), (far * out[0], 0.0, far * out[2])))
    goal = plus(goal, scaled(vector(body.solids.aside, joint), OUTWARDS))
    axis = cross(middle, goal)
    across = size(axis)
    # What points the other way is raised to no side.
    able = eased(across / max(ALIGNED * size(middle) * size(goal), 1e-12))
    return scaled(axis, 1.0 / max(across, 1e-12)), up, able


def angle_up(joint: int, start: float, axis: Three, up: Three, closed: float, body: Body) -> float:
    """Radians about an axis by which a joint is bent so that nothing that it carries is below ground, but for softness.

    Below 0 it is by how many, about, it could be bent down. What is below a joint that is below the ground itself is
    raised to where the joint is, and no higher.

    Args:
        joint: which.
        start: metres that the joint is above ground.
        axis: unit, as the joint sees it.
        up: the way up, as the joint sees it.
        closed: how much its fingers are closed, 0 to 1.
        body: of the actor.
    """
    solids, level, most = body.solids, cross(up, axis), -LOOKS
    soft, least = SOFT * solids.bound[joint] + SUNK * body.frame.height, SHORTEST * solids.bound[joint]
    for number in range(solids.number[joint]):
        point = skin_point(solids.first[joint] + number, closed, body)
        high, ahead = start + dot(up, point), max(dot(level, point), 0.0)
        if high >= 0.0:
            most = max(most, -high / max(ahead, least))
        else:
            # On its way around the axis it is as high as the joint and the cosine of how far it is from the top.
            beside = dot(up, axis) * dot(axis, point)
            below = high - start - beside
            around = math.sqrt(below * below + ahead * ahead)
            goal = min(ramp(high + soft, soft) - soft - start - beside, 0.0)
            if around > 0.0:
                angle = math.atan2(ahead, below) - math.acos(max(goal / around, -1.0))
                most = max(most, angle if below < goal else 0.0)
    return most


def comes_down(actor: int, joint: int, body: Body, actors: Actors, ground: Ground) -> bool:
    """Whether skin that goes along with a joint may be near the ground, or the joint is bent up for it."""
    lifts, place = actors.raised, place_of(actor, joint, actors)
    level, slope_x, slope_z = slope_at(ground, place[0], place[2])
    steep = math.sqrt(1.0 + slope_x * slope_x + slope_z * slope_z)
    far = place[1] - level + body.solids.sunk[joint] - steep * body.solids.bound[joint]
    if far <= 0.0 or lifts[actor, joint, LIFT] + lifts[actor, joint, EXTRA] + lifts[actor, joint, LEFT] >= 1e-6:
        return True
    # As far from need as it may be as it comes near: what touches at its very tip is not met as if it fell there.
    spare = max(-far / (SHORTEST * body.solids.bound[joint] + SUNK * body.frame.height), -LOOKS)
    lifts[actor, joint, LIFT], lifts[actor, joint, LIFT_RATE], lifts[actor, joint, NEED] = 0.0, 0.0, spare
    lifts[actor, joint, HIGH] = place[1]
    return False


@apart
def raise_out(
    actor: int, joint: int, weight: float, body: Body, actors: Actors, goals: Goals, ground: Ground, seconds: float,
    trails: bool = False,
) -> None:  # fmt: skip
    """Bend a joint that is placed and turned so that the skin that goes along with it is not below the ground.

    What trails has nobody who looks where it goes: it is met where its joint comes down to, since what hangs has to
    come up the faster the lower it is.
    """
    lifts, place, closed = actors.raised, place_of(actor, joint, actors), goals.closed[actor, joint]
    level, slope_x, slope_z = slope_at(ground, place[0], place[2])
    start = place[1] - level + body.solids.sunk[joint]
    soon = start - (
        max(lifts[actor, joint, HIGH] - place[1], 0.0) / seconds * SEES if trails and seconds > 0.0 else 0.0
    )
    lifts[actor, joint, HIGH] = place[1]
    extra, left = lifts[actor, joint, EXTRA], lifts[actor, joint, LEFT]
    turn = bend_of(actor, joint, actors.turns)
    out = minus(place, place_of(actor, body.frame.root, actors))
    axis, up, able = way_up(joint, turn, out, slope_x, slope_z, body)
    # What joints below it could not do is done by this one, little by little, and given up as slowly.
    extra = (extra + seconds * TAKES_OVER * left / body.solids.bound[joint]) * math.exp(-seconds * GIVES_UP)
    up = turned(about(axis, -extra), up)
    need = angle_up(joint, soon, axis, up, closed, body)
    if need > 0.0:
        # What was behind the joint has come below it.
        need += max(angle_up(joint, soon, axis, turned(about(axis, -need), up), closed, body), 0.0)
        need = able * (MOST_UP - ramp(MOST_UP - need, MOST_UP - STRAIGHT_UP))
    # What comes to the ground is met as it comes there, and nothing is known of what was not looked at before.
    lifts[actor, joint, NEED] = max(lifts[actor, joint, NEED], need - FASTEST * seconds)
    lift_state(actor, joint, need, RAISING, 2.0 / RAISING + seconds, lifts, seconds)
    angle = weight * (lifts[actor, joint, LIFT] + extra)
    above = body.frame.parents[joint]
    if angle > 1e-6:
        carried = bend_of(actor, above, actors.turns)
        bend = held(joint, body.frame.limits, times(back(carried), times(turn, about(axis, angle))))
        turn = times(carried, bend)
        write_bend(actor, joint, bend, actors.bends)
        write_bend(actor, joint, turn, actors.turns)
        low, _ = lowest(joint, turn, slope_x, slope_z, body, closed)
        left = max(left, -soon - low - SUNK * body.frame.height)
    lifts[actor, joint, EXTRA], lifts[actor, joint, LEFT] = min(extra, MOST_EXTRA), 0.0
    # What carries no skin of its own takes nothing over.
    while above > 0 and body.solids.number[above] == 0:
        above = body.frame.parents[above]
    # What carries a limb is not bent for it: there the root rises.
    takes_over = above if body.solids.hangs[above] == LOOSE else 0
    lifts[actor, takes_over, LEFT] = max(lifts[actor, takes_over, LEFT], left)


def stay_bent(actor: int, joint: int, share: float, actors: Actors) -> None:
    """Note that a joint is turned as it was shown, with a share of what it was bent up: it does not bend down again."""
    actors.raised[actor, joint, LIFT] *= 1.0 - share
    actors.raised[actor, joint, EXTRA] *= 1.0 - share


def base_of(actor: int, limb: int, body: Body, actors: Actors) -> Three:
    """Where a limb begins, as what carries it is placed and turned."""
    carrier, base = body.limbs.carrier[limb], body.limbs.chain[body.limbs.first[limb]]
    return plus(
        place_of(actor, carrier, actors),
        turned(bend_of(actor, carrier, actors.turns), vector(body.frame.bones, base)),
    )


def flatness(actor: int, limb: int, bearing: Three, weight: float, body: Body, actors: Actors, ground: Ground) -> float:
    """How flat a foot that its leg turns, and that bears on the ground, is to be bent for it not to sink in, 0 to 1.

    Args:
        actor: which.
        limb: the leg.
        bearing: where it bears, in the world.
        weight: how much it stands, 0 to 1.
        body: of the actor.
        actors: how they were last: that is how the leg is taken to turn the foot.
        ground: below.
    """
    tip = body.limbs.tip[limb]
    above = bend_of(actor, tip if body.limbs.flat[limb] > 0.0 else body.frame.parents[tip], actors.turns)
    start = minus(bearing, turned(above, vector(body.limbs.point, limb)))
    level, slope_x, slope_z = slope_at(ground, start[0], start[2])
    low, _ = lowest(tip, above, slope_x, slope_z, body)
    deep, spare = level - start[1] - low - body.solids.sunk[tip], body.solids.spare[tip]
    # A leg that is nearly straight has none to spare for its foot.
    slack = 1.0 - size(minus(bearing, base_of(actor, limb, body, actors))) / body.limbs.folds[limb, 0, 0]
    return weight * eased(slack / SLACK) * ramp(deep - spare, 0.5 * spare) / max(deep, spare)


def flatten(actor: int, joint: int, flat: Four, share: float, body: Body, actors: Actors) -> None:
    """Bend a foot, or toes, to some part from how they would go along, as they did last, to how they are where flat."""
    above = bend_of(actor, body.frame.parents[joint], actors.turns)
    turn = mixed(times(above, bend_of(actor, joint, actors.bends)), flat, share)
    write_bend(actor, joint, held(joint, body.frame.limits, times(back(above), turn)), actors.bends)


def height_above(
    actor: int, joint: int, point: Three, target: Three, body: Body, actors: Actors, ground: Ground
) -> float:  # fmt: skip
    """Metres above the ground of the lowest skin that goes along with a joint, turned as it was last.

    Args:
        actor: which.
        joint: which.
        point: from the joint to what goes to the target, at rest.
        target: metres, in the world.
        body: of the actor.
        actors: how they were last.
        ground: below.
    """
    turn = bend_of(actor, joint, actors.turns)
    start = minus(target, turned(turn, point))
    level, slope_x, slope_z = slope_at(ground, start[0], start[2])
    low = lowest(joint, turn, slope_x, slope_z, body)[0] if body.solids.number[joint] > 0 else 0.0
    return start[1] + low + body.solids.sunk[joint] - level


def above_ground(actor: int, joint: int, point: Three, target: Three, turn: Four, soft: float, yields: float,
                 closed: float, body: Body, ground: Ground, actors: Actors) -> Three:  # fmt: skip
    """A target of a joint, or of a point that it carries, raised so that the skin that goes along is not below ground.

    Args:
        actor: which.
        joint: which.
        point: from the joint to what goes to the target, at rest.
        target: metres, in the world.
        turn: how the joint is taken to be turned in the world.
        soft: metres over which it comes to the ground.
        yields: radians by which the joint itself is bent up, as far as its limits let it, before it is raised.
        closed: how much its fingers are closed, 0 to 1.
        body: of the actor.
        ground: below.
        actors: how they are, and what the joint hangs on was last.
    """
    if body.solids.number[joint] == 0:
        return target
    start = minus(target, turned(turn, point))
    level, slope_x, slope_z = slope_at(ground, start[0], start[2])
    low, _ = lowest(joint, turn, slope_x, slope_z, body, closed)
    high = start[1] + low + body.solids.sunk[joint] - level
    if high > 0.0:
        return target
    if yields > 0.0:
        out = minus(start, place_of(actor, body.frame.root, actors))
        axis, _, able = way_up(joint, turn, out, slope_x, slope_z, body)
        above = bend_of(actor, body.frame.parents[joint], actors.turns)
        bend = held(joint, body.frame.limits, times(back(above), times(turn, about(axis, yields * able))))
        other, _ = lowest(joint, times(above, bend), slope_x, slope_z, body, closed)
        high += max(other - low, 0.0)
    return target[0], target[1] + ramp(high + soft, soft) - high - soft, target[2]
