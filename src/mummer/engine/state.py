"""What changes: how N actors of one body are now, what is wanted of them, the ground below, and the poses they take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray
from mummer.engine.body import Body
from mummer.engine.ground import Ground, height_at
from mummer.engine.waves import STROKES
from mummer.kernels.arguments import Output1, Output2, Output3

# Columns of `Actors.feet`. A planted foot's share of its flight is -1; slopes are rises of the ground along x and z;
# what animations ask is how far to the left and ahead of where it is at home a foot should be; how much one has let go
# of the ground is 0 to 1; a grip is whether it stood at the last moment; a hip is where it would be if legs held none;
# heels are up by radians; how far they are shown up, and how fast that changes; where over the ground one is that has
# let go, x and z, metres by which it is lifted to get on, how fast that changes, and whether it is on its way; a goal
# is where its joint should be; a miss is how far from where it stands its leg left it, leg lengths; a burden is by how
# many metres its leg is below the ground, or would be had the root of who lies not risen; and it is turned still, since
# it took hold of the ground again, from how it should stand by a rotation vector, which changes at a rate; to be
# where it should rest its joint was put so far from its goal; what its leg left it to lack, metres; how far from its
# hip it is at least for its leg to reach it, 0 if that is not felt; how it lay last, a rotation vector; and how far it
# has rolled over the ground since it came down, along x and z.
AIR, CONTACT, YAW, LIFTED, LIFTED_YAW, LANDING, LANDING_YAW, SLOPE, ASKED = 0, 1, 4, 5, 8, 9, 12, 13, 15
LET_GO, LET_GO_RATE, GRIP, HIP, HEEL, SHOWN_HEEL = 17, 18, 19, 20, 23, 24
OVER, HOP, HOPPING, GOAL, MISS, BURDEN, TURNED, PUT, LACK = 26, 28, 30, 31, 34, 35, 36, 42, 45
FOLDS, LAY, DRIFT, FOOT = 48, 49, 52, 54
# Columns of `Actors.gait`.
CLOCK, WALKING, WALKING_RATE, SINCE, LAST_AIR, LAST_STAND, LOW, LOW_RATE, ROOM, BRAKE, BRAKE_RATE, GIVE = range(12)
GAIT = GIVE + 3
# Columns of `Actors.ride`: values and how fast they change.
HEAVE, PITCH, ROLL, RIDE = 0, 2, 4, 6
# Columns of `Actors.sways`.
TIP, SPEED, CARRIED, SWAY = 0, 3, 6, 9
# Columns of `Actors.settled`: the bend that was shown, how fast it turned, how far from what is asked it still is, how
# fast that changes, and whether it is behind at all.
SHOWN, SHOWN_RATE, AWAY, AWAY_RATE, BEHIND, SETTLED = 0, 4, 7, 10, 13, 14
# Columns of what `settle_place` keeps: where something was, how fast it went, and how far from it it is still shown.
WAS, WENT, OFF, OFF_RATE, ANCHOR = 0, 3, 6, 9, 12
# Columns of `Actors.lifts`, and further ones of `Actors.raised`.
LIFT, LIFT_RATE, NEED, LIFTS = 0, 1, 2, 3
EXTRA, LEFT, PULL, PULL_RATE, HIGH, RAISED = 3, 4, 5, 6, 7, 8
# Columns of `Actors.plays`, and how many animations one actor plays at once. An empty slot's score is -1.
SCORE, WHEN, TEMPO, FADE, FADE_RATE, ENDING, TARGETS = 0, 1, 2, 3, 4, 5, 6
SLOTS = 6
# How many targets an animation goes by at most, and the columns of each from `TARGETS` on.
AIMS = 3
TARGET, SEEN, AIM = 0, 3, 15
PLAY = TARGETS + AIMS * AIM
# Ways to go, in `Wishes.places`: as velocities and headings say, to a place, or where the stage is set from outside.
BY_STICK, TO_PLACE, ON_RAILS = 0.0, 1.0, 2.0


class Actors(NamedTuple):
    """How N actors are.

    Attributes:
        stage: (N, 3) where they stand: x, z and heading, radians from +Z to +X.
        motion: (N, 6) how fast these change, and how fast that changes.
        gait: (N, GAIT) where the cycle is, -1 while nobody steps; how much they walk, 0 to 1, and how fast that
            changes; seconds since the last foot left the ground, below 0, or the first came down; and how long the last
            flight and the last stand took; how low hips are for legs to reach, metres, how fast that changes, and how
            much lower they may be for legs to fold; how much the body waits for its feet, 0 to 1, and how fast that
            changes; and by how many metres the body gives way to legs that do not reach.
        lent: (N, L) how much animations moved each foot from where it stood at the last moment, 0 to 1.
        anchors: (N, 3 + 2 L + 3 M, ANCHOR) how the root, the feet, by how much legs move and turn the root, how far
            each leg is swung and loaded, how elbows are around the way to their hands, and by how much these are pushed
            out of the body go on without a jump, see `settle_place`; and how the first joints of arms were bent.
        phases: (N, L) parts of a cycle since each foot landed.
        feet: (N, L, FOOT) see the columns.
        ride: (N, RIDE) how the ground lifts, pitches and rolls them.
        lifts: (N, 1 + H + R, LIFTS) metres by which the root is raised out of the ground, and each head, and that skin
            is below the tip of what reaches; how fast these change, and what was needed last.
        raised: (N, J, RAISED) the same of joints that bend up what they carry, radians; radians more for what joints
            below cannot do, and metres that these left in the ground; metres that hands are brought onto skin; and how
            high each was, metres.
        looks: (N, H, 6) rotation vectors of heads, and how fast these change.
        sways: (N, S, SWAY) see the columns.
        strokes: (N, STROKES) of what beats and winds, see `mummer.engine.waves`.
        plays: (N, SLOTS, PLAY) what they play, and toward which targets in the world: where each is, where it was and
            how fast, and how far from it the body still takes it to be since it jumped.
        settled: (N, J, SETTLED) how bends go on without a jump.
        bends: (N, J, 4) of joints against their parents.
        turns: (N, J, 4) of joints in the world.
        places: (N, J, 3) of joints in the world, metres.
    """

    stage: Output2
    motion: Output2
    gait: Output2
    lent: Output2
    anchors: Output3
    phases: Output2
    feet: Output3
    ride: Output2
    lifts: Output3
    raised: Output3
    looks: Output3
    sways: Output3
    strokes: Output2
    plays: Output3
    settled: Output3
    bends: Output3
    turns: Output3
    places: Output3


class Wishes(NamedTuple):
    """What is wanted of N actors now.

    Attributes:
        velocities: (N, 2) metres a second along x and z.
        headings: (N,) radians from +Z to +X.
        places: (N, 4) x and z of a place to go to, how fast, and the way to go: `BY_STICK`, `TO_PLACE`, `ON_RAILS`.
        looks: (N, 4) a place to look at, and how much, 0 to 1.
    """

    velocities: Output2
    headings: Output1
    places: Output2
    looks: Output2


class Goals(NamedTuple):
    """What animations ask of N actors at this moment.

    Attributes:
        asked: (N,) 1 if anything was played at the last moment; all others are clear if not.
        root: (N, 7) how far the root is from where it would be, as the stage sees it, and how it is turned on.
        free: (N,) 1 if feet hang on the body, 0 if they stay where they stand.
        down: (N,) 1 if the body lies down or falls, so that it goes nowhere.
        lies: (N,) 1 if that is how it stays, or its feet are free: these let go of the ground where they hold it.
        places: (N, M + R, 4) where tips of limbs, and of what reaches, should be in the world, and how much.
        exact: (N, M + R) 1 for what is to touch something, so that the whole body bends for it.
        grips: (N, M + R) how much it is the palm, and not the wrist, that should be at a place: who takes a thing.
        touched: (N, M + R, 2) the joint of the body that each is to touch, and how much, 0 to 1.
        closed: (N, J) how much hands are closed, 0 to 1.
        turns: (N, J, 5) how joints should be turned in the world, and how much.
        bends: (N, J, 5) how joints are bent beside all else, and how much that is asked for.
        morphs: (N, K) weights of morphs.
        asked_places, asked_turns: the same of one animation, while it is asked; places with how exactly and gripped.
    """

    asked: Output1
    root: Output2
    free: Output1
    down: Output1
    lies: Output1
    places: Output3
    exact: Output2
    grips: Output2
    touched: Output3
    closed: Output2
    turns: Output3
    bends: Output3
    morphs: Output2
    asked_places: Output3
    asked_turns: Output3


class Poses(NamedTuple):
    """What N actors do.

    Attributes:
        rotations: (N, J, 4) parent_from_joint.
        roots: (N, 3) where the first joint is, metres.
        misses: (N, M + R) metres by which each limb, and what reaches, misses where it was wanted; 0 where it was not.
    """

    rotations: Output3
    roots: Output2
    misses: Output2


def new_actors(body: Body, stages: FloatArray, ground: Ground) -> Actors:
    """Actors that stand at rest at ``stages`` (N, 3): x, z and heading."""
    count, joints = len(stages), len(body.frame.parents)
    legs, heads, sways = len(body.legs.limb), len(body.necks.head), len(body.sways.joint)
    bends = np.zeros((count, joints, 4))
    bends[..., 3] = 1.0
    actors = Actors(
        np.array(stages, np.float64),
        np.zeros((count, 6)),
        np.zeros((count, GAIT)),
        np.zeros((count, legs)),
        np.full((count, 3 + 2 * legs + 3 * len(body.limbs.tip), ANCHOR), np.nan),
        np.zeros((count, legs)),
        np.zeros((count, legs, FOOT)),
        np.zeros((count, RIDE)),
        np.zeros((count, 1 + heads + len(body.reaches.tip), LIFTS)),
        np.zeros((count, joints, RAISED)),
        np.zeros((count, heads, 6)),
        np.full((count, sways, SWAY), np.nan),
        np.zeros((count, STROKES)),
        np.zeros((count, SLOTS, PLAY)),
        np.full((count, joints, SETTLED), np.nan),
        bends,
        bends.copy(),
        np.zeros((count, joints, 3)),
    )
    sine, cosine = np.sin(actors.stage[:, 2:]), np.cos(actors.stage[:, 2:])
    home = body.legs.home
    actors.gait[:, CLOCK], actors.plays[:, :, SCORE] = -1.0, -1.0
    actors.feet[..., AIR] = -1.0
    actors.feet[..., CONTACT] = actors.stage[:, :1] + cosine * home[:, 0] + sine * home[:, 2]
    actors.feet[..., CONTACT + 2] = actors.stage[:, 1:2] - sine * home[:, 0] + cosine * home[:, 2]
    actors.feet[..., YAW] = actors.stage[:, 2:]
    actors.ride[:, HEAVE] = heights_at(ground, actors.stage[:, 0], actors.stage[:, 1])
    return actors


def no_goals(body: Body, count: int, morphs: int) -> Goals:
    """Nothing is asked for."""
    joints, limbs = len(body.frame.parents), len(body.limbs.tip) + len(body.reaches.tip)
    bends = np.zeros((count, joints, 5))
    bends[..., 3] = 1.0
    root = np.zeros((count, 7))
    root[:, 6] = 1.0
    return Goals(
        np.zeros(count), root, np.zeros(count), np.zeros(count), np.zeros(count), np.zeros((count, limbs, 4)),
        np.zeros((count, limbs)), np.zeros((count, limbs)), np.zeros((count, limbs, 2)), np.zeros((count, joints)),
        np.zeros((count, joints, 5)), bends, np.zeros((count, morphs)), np.zeros((count, limbs, 6)),
        np.zeros((count, joints, 5)),
    )  # fmt: skip


def heights_at(ground: Ground, x: FloatArray, z: FloatArray) -> FloatArray:
    """(...) metres at places (...); see `height_at`."""
    return np.vectorize(lambda a, b: height_at(ground, a, b), otypes=[float])(x, z)
