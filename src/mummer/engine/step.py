"""One step of the engine: what is wanted now, and what was, become a pose. From top to bottom, and nothing after it."""

from __future__ import annotations

import math

from mummer.engine.body import Body
from mummer.engine.ground import Ground
from mummer.engine.legs import COLUMN
from mummer.engine.limb import SOFT, place_limb, turn_tip
from mummer.engine.look import look
from mummer.engine.play import gather, go_on_playing, to_world
from mummer.engine.reach import bring, carry_joint, goals_place, lean
from mummer.engine.ride import foot_goal, lower, ride
from mummer.engine.scalars import bend_of, between, eased, held, mixed, place_of, vector, write_bend
from mummer.engine.score import AT_ROOT, ELSEWHERE, ON_SPINE, Scores
from mummer.engine.settle import settle_bend
from mummer.engine.state import WALKING, Actors, Goals, Poses, Wishes
from mummer.engine.sway import sway
from mummer.engine.walk import drive, style_at, walk
from mummer.engine.waves import wave
from mummer.kernels.arguments import Number
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import about, back, minus, plus, size, times, turned

ARMS, FOLD = COLUMN["arms"], COLUMN["fold"]
# How far hands hang beside their shoulders, in lengths of the arm; how much less arms swing back than ahead.
ASIDE, BEHIND = 0.16, 0.45
# Legs are spared by lowering hips, so that they need hardly be soft themselves.
STANDING = 0.996
# How far from where it stands, in leg lengths, a foot is that no longer keeps flat.
FLAT = 0.2
# How often a body leans for hands that do not reach yet.
LEANS = 3


@kernel(borrows=True)
def step(
    actor: int, body: Body, scores: Scores, actors: Actors, wishes: Wishes, goals: Goals, ground: Ground, poses: Poses,
    seconds: Number,
) -> None:  # fmt: skip
    """One item is one actor, ``seconds`` later."""
    drive(actor, body.legs, actors, wishes, seconds)
    relative, rate, duty = walk(actor, body.legs, actors, ground, seconds)
    playing = go_on_playing(actor, body, scores, actors, goals, seconds)
    if playing:
        gather(actor, AT_ROOT, body, scores, actors, goals)
    rest(actor, body, actors, goals)
    wave(actor, body, actors, seconds)
    twist, left, right = ride(actor, body, actors, goals, ground, relative, rate, duty, seconds)
    lower(actor, body, actors, goals, relative, duty, seconds)
    if playing:
        gather(actor, ON_SPINE, body, scores, actors, goals)
    carry_core(actor, twist, body, actors, goals)
    if playing:
        gather(actor, ELSEWHERE, body, scores, actors, goals)
    look(actor, body, actors, wishes, goals, seconds)
    for _ in range(LEANS if playing else 0):
        if lean(actor, body, actors, goals):
            carry_again(actor, body, actors)
    reach(actor, body, actors, goals, poses)
    for limb in range(body.limbs.tip.shape[0]):
        poses.misses[actor, limb] = 0.0
        if body.limbs.leg[limb] < 0:
            place_arm(actor, limb, left, right, relative, body, actors, goals, poses)
    for leg in range(body.legs.limb.shape[0]):
        place_leg(actor, leg, relative, duty, body, actors, goals, poses)
    carry(actor, body, actors, goals, ground, seconds)
    write(actor, body, actors, poses)


def rest(actor: int, body: Body, actors: Actors, goals: Goals) -> None:
    """No joint is bent but by animations."""
    for joint in range(body.frame.parents.shape[0]):
        bend = bend_of(actor, joint, goals.bends)
        write_bend(actor, joint, held(joint, body.frame.limits, bend) if bend[3] < 1.0 else bend, actors.bends)


def carry_core(actor: int, twist: float, body: Body, actors: Actors, goals: Goals) -> None:
    """Place and turn what carries limbs and heads, and turn the spine on the way; the first joint is placed already."""
    spine, number = body.frame.spine, 0
    for place in range(1, body.frame.core.shape[0]):
        joint = body.frame.core[place]
        if number < spine.shape[0] and spine[number] == joint:
            number += 1
            turn = about((0.0, 1.0, 0.0), twist / spine.shape[0])
            write_bend(actor, joint, times(turn, bend_of(actor, joint, actors.bends)), actors.bends)
            carry_joint(actor, joint, body, actors)
            turn_joint(actor, joint, body, actors, goals)
        else:
            carry_joint(actor, joint, body, actors)


def carry_again(actor: int, body: Body, actors: Actors) -> None:
    """Carry the core as it is bent now."""
    for place in range(1, body.frame.core.shape[0]):
        carry_joint(actor, body.frame.core[place], body, actors)


def reach(actor: int, body: Body, actors: Actors, goals: Goals, poses: Poses) -> None:
    """Bring what reaches to where it should be."""
    carry_again(actor, body, actors)
    limbs = body.limbs.tip.shape[0]
    for number in range(body.reaches.tip.shape[0]):
        weight, missed = goals.places[actor, limbs + number, 3], 0.0
        if weight > 0.0:
            missed = bring(actor, number, goals_place(actor, limbs + number, goals), weight, body, actors)
        poses.misses[actor, limbs + number] = missed


def turn_joint(actor: int, joint: int, body: Body, actors: Actors, goals: Goals) -> None:
    """Turn a joint that is carried already as animations ask, as far as its limits let it."""
    weight = goals.turns[actor, joint, 4]
    if weight > 0.0:
        above = bend_of(actor, body.frame.parents[joint], actors.turns)
        turn = mixed(bend_of(actor, joint, actors.turns), bend_of(actor, joint, goals.turns), weight)
        bend = held(joint, body.frame.limits, times(back(above), turn))
        write_bend(actor, joint, bend, actors.bends)
        write_bend(actor, joint, times(above, bend), actors.turns)


def carried_tip(actor: int, limb: int, body: Body, actors: Actors) -> Three:
    """Where the tip of a limb is that is carried as it is at rest."""
    tip = plus(vector(body.frame.places, body.limbs.tip[limb]), vector(body.limbs.point, limb))
    return to_world(actor, body.limbs.carrier[limb], tip, body, actors)


def place_leg(
    actor: int, leg: int, relative: float, duty: float, body: Body, actors: Actors, goals: Goals, poses: Poses
) -> None:
    """Put a foot where it stands or steps, where an animation wants it, or let it hang."""
    limb = body.legs.limb[leg]
    goal, turn, bearing, heel = foot_goal(actor, leg, body.legs, actors, relative, duty)
    is_loose, free, weight = body.legs.loose[leg] > 0.0, goals.free[actor], goals.places[actor, limb, 3]
    target = bearing if is_loose else goal
    if free > 0.0:
        target = between(target, carried_tip(actor, limb, body, actors), free)
    if weight > 0.0:
        target = between(target, goals_place(actor, limb, goals), weight)
    poses.misses[actor, limb] = place_limb(actor, limb, target, STANDING, body, actors)
    actors.strain[actor, leg] += poses.misses[actor, limb] * (1.0 - free) * (1.0 - weight)
    if not is_loose:
        # A foot that is moved a little keeps flat; one that is raised goes with its leg.
        lifted = eased(size(minus(target, goal)) / (FLAT * body.legs.length))
        stands = (1.0 - free) * (1.0 - min(weight, 1.0) * lifted)
        turn_tip(actor, limb, turn, stands, body, actors)
        for number in range(body.legs.toe_number[leg]):
            toe = body.legs.toes[body.legs.first_toe[leg] + number]
            bend = times(about((1.0, 0.0, 0.0), -heel * stands), bend_of(actor, toe, actors.bends))
            write_bend(actor, toe, held(toe, body.frame.limits, bend), actors.bends)


def place_arm(
    actor: int, limb: int, left: float, right: float, relative: float, body: Body, actors: Actors, goals: Goals,
    poses: Poses,
) -> None:  # fmt: skip
    """Put a hand where an animation wants it; else let it hang and swing against the leg of its side."""
    limbs, weight = body.limbs, goals.places[actor, limb, 3]
    if limbs.hangs[limb] > 0.0:
        target = hanging(actor, limb, left, right, relative, body, actors)
    elif weight > 0.0:
        target = carried_tip(actor, limb, body, actors)
    else:
        return
    if weight > 0.0:
        target = between(target, goals_place(actor, limb, goals), weight)
    missed = place_limb(actor, limb, target, SOFT, body, actors)
    poses.misses[actor, limb] = missed * weight


def hanging(actor: int, limb: int, left: float, right: float, relative: float, body: Body, actors: Actors) -> Three:
    """Where the hand of an arm is that hangs and swings."""
    limbs, walking = body.limbs, actors.gait[actor, WALKING]
    side = limbs.side[limb] if limbs.side[limb] != 0.0 else 1.0
    swung = -(left if side > 0.0 else right) * style_at(body.legs, relative, ARMS)
    if swung < 0.0:
        swung *= BEHIND
    length = limbs.length[limb] * (1.0 - max(style_at(body.legs, relative, FOLD) * walking, 0.03))
    carrier, base = limbs.carrier[limb], limbs.chain[limbs.first[limb]]
    turn = bend_of(actor, carrier, actors.turns)
    shoulder = plus(place_of(actor, carrier, actors), turned(turn, vector(body.frame.bones, base)))
    hang = (side * ASIDE * length, -math.cos(swung) * length, math.sin(swung) * length)
    return plus(shoulder, turned(turn, hang))


def carry(actor: int, body: Body, actors: Actors, goals: Goals, ground: Ground, seconds: float) -> None:
    """Place and turn all joints, parents first, as they are bent and asked to turn, and let sway what sways."""
    number, count = 0, body.sways.joint.shape[0]
    spine, done = body.frame.spine, 0
    for joint in range(1, body.frame.parents.shape[0]):
        carry_joint(actor, joint, body, actors)
        if done < spine.shape[0] and spine[done] == joint:
            done += 1
        else:
            turn_joint(actor, joint, body, actors, goals)
        settle_bend(actor, joint, body, actors, seconds)
        above = bend_of(actor, body.frame.parents[joint], actors.turns)
        write_bend(actor, joint, times(above, bend_of(actor, joint, actors.bends)), actors.turns)
        if number < count and body.sways.joint[number] == joint:
            sway(actor, number, body, actors, ground, seconds)
            number += 1


def write(actor: int, body: Body, actors: Actors, poses: Poses) -> None:
    """Bends as rotations of files."""
    frame = body.frame
    for joint in range(frame.parents.shape[0]):
        bend = bend_of(actor, joint, actors.bends) if joint > 0 else bend_of(actor, 0, actors.turns)
        before = frame.before[joint, 0], frame.before[joint, 1], frame.before[joint, 2], frame.before[joint, 3]
        after = frame.after[joint, 0], frame.after[joint, 1], frame.after[joint, 2], frame.after[joint, 3]
        write_bend(actor, joint, times(times(before, bend), after), poses.rotations)
    for part in range(3):
        poses.roots[actor, part] = actors.places[actor, 0, part]
