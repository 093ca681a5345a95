"""One step of the engine: what is wanted now, and what was, become a pose. From top to bottom, and nothing after it."""

from __future__ import annotations

from mummer.engine.arms import Swing, place_arms
from mummer.engine.body import NECK, TRUNK_OR_LEG, Body
from mummer.engine.contact import bend_up, comes_down, measure, raise_out, reached, rise
from mummer.engine.feet import place_leg
from mummer.engine.ground import Ground
from mummer.engine.look import look
from mummer.engine.play import gather, go_on_playing
from mummer.engine.reach import bring, carry_joint, come, lean, sweep_to, turn_joint
from mummer.engine.ride import hold, hold_as_last, lower, ride
from mummer.engine.scalars import bend_of, held, place_of, rotation_by, vector, write_bend
from mummer.engine.score import AT_ROOT, ELSEWHERE, ON_SPINE, Scores
from mummer.engine.self_contact import goals_place, grip_of
from mummer.engine.settle import settle_joint, settle_root
from mummer.engine.solids import LOOSE
from mummer.engine.state import Actors, Goals, Poses, Wishes
from mummer.engine.sway import sway
from mummer.engine.walk import drive, walk
from mummer.engine.waves import wave
from mummer.engine.wings import fold
from mummer.kernels.arguments import Number
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import NO_TURN, back, four, minus, plus, scaled, size, times, turned, unit_rotation

# How often a body leans for hands that do not reach yet.
LEANS = 3


@kernel(borrows=True, for_crowds=True)
def step(
    actor: int, body: Body, scores: Scores, actors: Actors, wishes: Wishes, goals: Goals, ground: Ground, poses: Poses,
    seconds: Number,
) -> None:  # fmt: skip
    """One item is one actor, ``seconds`` later."""
    playing = go_on_playing(actor, body, scores, actors, goals, seconds)
    if playing:
        gather(actor, AT_ROOT, body, scores, actors, goals)
    drive(actor, body.legs, actors, wishes, goals, seconds)
    pace = walk(actor, body, actors, goals, ground, seconds)
    rest(actor, playing, body, actors, goals)
    wave(actor, body, actors, seconds)
    bent, left, right = ride(actor, body, actors, goals, ground, pace, seconds)
    lower(actor, body, actors, pace, seconds)
    rise(actor, actors)
    root, turn = place_of(actor, 0, actors), bend_of(actor, 0, actors.turns)
    if playing:
        hold_as_last(actor, body, actors)
        gather(actor, ON_SPINE, body, scores, actors, goals)
    moved, held_turn = minus(place_of(actor, 0, actors), root), bend_of(actor, 0, actors.turns)
    carry_core(actor, bent, body, actors, goals)
    if playing:
        gather(actor, ELSEWHERE, body, scores, actors, goals)
    look(actor, bent[2], body, actors, wishes, goals, seconds)
    for head in range(body.necks.head.shape[0]):
        bend_up(actor, head, body, actors, goals)
    if playing:
        for _ in range(LEANS):
            if lean(actor, body, actors, goals, ground):
                carry_again(actor, body, actors)
        reach(actor, body, actors, goals, ground)
    for part in range(3):
        actors.places[actor, 0, part] -= moved[part]
    leant = times(bend_of(actor, 0, actors.turns), back(held_turn))
    write_bend(actor, 0, times(leant, turn), actors.turns)
    settle_root(actor, body, actors, seconds)
    settle_core(actor, TRUNK_OR_LEG, body, actors, goals, seconds)
    hold(actor, body, actors, goals, seconds)
    carry_again(actor, body, actors)
    if playing:
        reach_on(actor, body, actors, goals)
    settle_core(actor, NECK, body, actors, goals, seconds)
    place_arms(actor, Swing(left, right, pace.relative, playing, seconds), body, actors, goals, ground)
    for leg in range(body.legs.limb.shape[0]):
        place_leg(actor, leg, pace, body, actors, goals, ground, poses, seconds)
    carry(actor, playing, body, actors, goals, ground, poses, seconds)
    measure(actor, playing, body, actors, goals, ground, seconds)
    tell_misses(actor, body, actors, goals, poses)


def rest(actor: int, playing: bool, body: Body, actors: Actors, goals: Goals) -> None:
    """No joint is bent but by animations."""
    for joint in range(body.frame.parents.shape[0]):
        bend = bend_of(actor, joint, goals.bends) if playing else NO_TURN
        write_bend(actor, joint, held(joint, body.frame.limits, bend) if bend[3] < 1.0 else bend, actors.bends)


def carry_core(actor: int, bent: Three, body: Body, actors: Actors, goals: Goals) -> None:
    """Place and turn what carries limbs and heads, and bend the spine on the way, gathered and twisted by ``bent``.

    The first joint is placed already.
    """
    spine, number = body.frame.spine, 0
    share = 1.0 / max(spine.shape[0], 1)
    turn = unit_rotation(rotation_by(share * bent[0], share * bent[1], 0.0))
    for place in range(1, body.frame.core.shape[0]):
        joint = body.frame.core[place]
        if number < spine.shape[0] and spine[number] == joint:
            number += 1
            write_bend(actor, joint, times(turn, bend_of(actor, joint, actors.bends)), actors.bends)
            carry_joint(actor, joint, body, actors)
            turn_joint(actor, joint, body, actors, goals)
        else:
            carry_joint(actor, joint, body, actors)


def settle_core(actor: int, which: int, body: Body, actors: Actors, goals: Goals, seconds: float) -> None:
    """Let nothing that carries limbs jump, before these are placed, or then none of necks (`Frame.early`).

    What is not of the spine is turned on the way.
    """
    spine, number = body.frame.spine, 0
    for place in range(1, body.frame.core.shape[0]):
        joint = body.frame.core[place]
        of_spine = number < spine.shape[0] and spine[number] == joint
        number += 1 if of_spine else 0
        if body.frame.early[joint] == which:
            carry_joint(actor, joint, body, actors)
            if not of_spine:
                turn_joint(actor, joint, body, actors, goals)
            settle_joint(actor, joint, 1.0, body, actors, seconds)


def carry_again(actor: int, body: Body, actors: Actors) -> None:
    """Carry the core as it is bent now."""
    for place in range(1, body.frame.core.shape[0]):
        carry_joint(actor, body.frame.core[place], body, actors)


def reach(actor: int, body: Body, actors: Actors, goals: Goals, ground: Ground) -> None:
    """Bring what reaches to where it should be, let the root come along for what is missed, and note where it came."""
    carry_again(actor, body, actors)
    limbs, count = body.limbs.tip.shape[0], body.reaches.tip.shape[0]
    missed, weights = (0.0, 0.0, 0.0), 0.0
    for number in range(count):
        weight = goals.places[actor, limbs + number, 3]
        if weight > 0.0:
            miss = bring(actor, number, goals_place(actor, limbs + number, goals), weight, body, actors, ground)
            # What it carries itself would run away from a root that comes for it.
            share = goals.exact[actor, limbs + number] * max(1.0 - goals.touched[actor, limbs + number, 1], 0.0)
            share *= min(weight, 1.0)
            missed, weights = plus(missed, scaled(miss, share)), weights + share
    if weights > 0.0:
        come(actor, scaled(missed, 1.0 / max(weights, 1.0)), body, actors)
        carry_again(actor, body, actors)
    for number in range(count):
        spot = reached(actor, number, body, actors)
        for part in range(3):
            goals.asked_places[actor, limbs + number, part] = spot[part]


def reach_on(actor: int, body: Body, actors: Actors, goals: Goals) -> None:
    """Let necks make up for what became of trunk and root since `reach`."""
    limbs = body.limbs.tip.shape[0]
    for number in range(body.reaches.tip.shape[0]):
        if goals.places[actor, limbs + number, 3] > 0.0:
            asked = goals.asked_places
            spot = asked[actor, limbs + number, 0], asked[actor, limbs + number, 1], asked[actor, limbs + number, 2]
            sweep_to(actor, number, spot, 1.0, NECK, body, actors)


def tell_misses(actor: int, body: Body, actors: Actors, goals: Goals, poses: Poses) -> None:
    """How far hands, and what reaches, are shown from where they are wanted; feet are told by their legs."""
    limbs = body.limbs.tip.shape[0]
    for number in range(limbs + body.reaches.tip.shape[0]):
        if number < limbs:
            if body.limbs.leg[number] >= 0:
                continue
            tip, point = body.limbs.tip[number], grip_of(actor, number, body, goals)
        else:
            tip, point = body.reaches.tip[number - limbs], vector(body.reaches.point, number - limbs)
        shown = plus(place_of(actor, tip, actors), turned(bend_of(actor, tip, actors.turns), point))
        miss = size(minus(goals_place(actor, number, goals), shown))
        poses.misses[actor, number] = min(goals.places[actor, number, 3], 1.0) * miss


def carry(
    actor: int, playing: bool, body: Body, actors: Actors, goals: Goals, ground: Ground, poses: Poses, seconds: float
) -> None:
    """Place, turn and show all joints, parents first, as they are bent and asked to turn, and let sway what sways."""
    number, count = 0, body.sways.joint.shape[0]
    folds, wings = 0, body.wings.joint.shape[0]
    show(actor, 0, bend_of(actor, 0, actors.turns), body, poses)
    for part in range(3):
        poses.roots[actor, part] = actors.places[actor, 0, part]
    for joint in range(1, body.frame.parents.shape[0]):
        if folds < wings and body.wings.joint[folds] == joint:
            fold(actor, folds, playing, body, actors, goals)
            folds += 1
        carry_joint(actor, joint, body, actors)
        if body.frame.early[joint] == 0:
            turn_joint(actor, joint, body, actors, goals)
        trails = number < count and body.sways.joint[number] == joint
        if trails:
            sway(actor, number, body, actors, seconds)
            number += 1
        weight = bends_up(actor, joint, body, actors)
        if weight > 0.0 and comes_down(actor, joint, body, actors, ground):
            raise_out(actor, joint, weight, body, actors, goals, ground, seconds, trails)
        if body.frame.early[joint] == 0:
            settle_joint(actor, joint, 1.0, body, actors, seconds)
        show(actor, joint, bend_of(actor, joint, actors.bends), body, poses)


def bends_up(actor: int, joint: int, body: Body, actors: Actors) -> float:
    """How much a joint is bent for what it carries to be out of the ground, 0 to 1: those of legs as they are lent."""
    hangs = body.solids.hangs[joint]
    if hangs >= 0:
        return actors.lent[actor, hangs]
    return 1.0 if hangs == LOOSE else 0.0


def show(actor: int, joint: int, bend: Four, body: Body, poses: Poses) -> None:
    """A bend as the rotation of a file."""
    before, after = four(body.frame.before, joint, 0), four(body.frame.after, joint, 0)
    write_bend(actor, joint, times(times(before, bend), after), poses.rotations)
