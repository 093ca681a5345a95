"""Getting up: from how a body lies back to what it was about, where it lies now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.frames import Frames
from mummer.clip.standing import move_body
from mummer.ik import Orient, Place, WorldState, solve
from mummer.ik.world_state import first_of
from mummer.math import quaternion
from mummer.physics.intent import RATE, Intent, rates, second_rate, smooth
from mummer.physics.world import xyzw

if TYPE_CHECKING:
    from mummer.physics.player import Player

PHASES = (0.9, 0.8, 1.0, 0.3)
"""Seconds to gather the limbs, to come over the feet, to stand up from there, and to stand."""
CROUCHED = 0.55
"""Height of a crouch, as a share of that of standing."""


def rise(player: Player) -> None:
    """Have a player that lies get up: it carries out a way to its feet from now on."""
    intent, (frame, _) = player.intent, player.frame
    player.paused, player.kept_balance = player.clock, player.balance
    here, turns = _now(player)
    heading = _turn_about(player, turns, intent, frame)
    goal = quaternion.rotate(heading, intent.places[frame])
    up = player.figure.up
    away = player.data.subtree_com[player.root] - quaternion.rotate(heading, player.forces.middles[frame])
    if len(player.figure.soles):
        # It comes over its feet as much as it draws them in.
        feet = player.data.geom_xpos[player.world.corners[player.number]].mean(axis=(0, 1))
        away = 0.5 * away + 0.5 * (feet - quaternion.rotate(heading, player.forces.feet[frame].mean(axis=(0, 1))))
    level = away - (away @ up) * up
    stood = intent.turns[frame].copy()
    stood[0] = quaternion.multiply(heading, stood[0])
    player.carry_out(_way(player, (here, turns), stood, intent.stands.shape[1], goal + level))
    player.turned, player.moved = quaternion.IDENTITY.copy(), np.zeros(3)
    player.after = (heading, level)
    player.state, player.since, player.balance = "rising", 0.0, "guided"


def risen(player: Player) -> None:
    """Have a player that got up go on with what it was about."""
    player.carry_out(player.kept_intent)
    player.clock, player.state, player.balance = player.paused, "up", player.kept_balance
    player.turned, player.moved = player.after
    player.since = 0.0


def _now(player: Player) -> tuple[FloatArray, FloatArray]:
    """(3,) and (n, 4): where the first part is, and how parts are turned against their parents."""
    q = player.data.qpos[player.at : player.at + 3 + 4 * len(player.figure)]
    return q[:3].copy(), xyzw(q[3:].reshape(-1, 4))


def _turn_about(player: Player, turns: FloatArray, intent: Intent, frame: int) -> FloatArray:
    """(4,) the turn about the vertical that takes the plan to where the body faces as it lies."""
    figure, up = player.figure, player.figure.up
    planned, now = figure.facing(intent.turns[frame, 0]), figure.facing(turns[0])
    angle = np.arctan2(float(np.cross(planned, now) @ up), float(planned @ now))
    return np.asarray(quaternion.exp(angle * up))


def _way(player: Player, lies: tuple[FloatArray, FloatArray], stood: FloatArray, feet: int, goal: FloatArray) -> Intent:
    """From lying over a crouch to standing so at ``goal``."""
    up, (here, turns) = player.figure.up, lies
    crouch, low = crouched(player, stood, goal)
    half = crouch.copy()
    half[0] = _between(turns[:1], stood[:1], np.array([0.45]))[0, 0]
    sat = low - 0.55 * (float(low @ up) - player.height) * up
    keys = [(turns, here), (half, sat), (crouch, low), (stood, goal), (stood, goal)]
    moments = np.cumsum([0.0, *PHASES])
    times = np.arange(int(moments[-1] * RATE) + 1) / RATE
    count = len(times)
    made, places = np.empty((count, len(stood), 4)), np.empty((count, 3))
    for number in range(len(PHASES)):
        rows = np.flatnonzero((times >= moments[number] - 1e-9) & (times <= moments[number + 1] + 1e-9))
        share = (times[rows] - moments[number]) / PHASES[number]
        share = share * share * (3.0 - 2.0 * share)
        (one, first), (other, second) = keys[number], keys[number + 1]
        made[rows] = _between(one, other, share)
        places[rows] = first + share[:, None] * (second - first)
    way = quaternion.continuous(made)
    spins, rises = rates(way)
    stands = np.zeros((count, feet))
    stands[times > moments[2]] = 1.0
    return Intent(
        way, spins, rises, places, np.gradient(smooth(places), axis=0) * RATE, second_rate(places), stands,
        player.kept_intent.offsets,
    )  # fmt: skip


def _between(one: FloatArray, other: FloatArray, share: FloatArray) -> FloatArray:
    """(T, n, 4) from rotations (n, 4) to others, the shares (T,) of the way."""
    way = quaternion.log(quaternion.multiply(quaternion.conjugate(one), other))
    return np.asarray(quaternion.multiply(one[None], quaternion.exp(share[:, None, None] * way[None])))


def crouched(player: Player, stood: FloatArray, goal: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Turns (n, 4) and place (3,) of a body that stands so, but crouches: feet where they are, legs bent."""
    figure, up = player.figure, player.figure.up
    drop = (1.0 - CROUCHED) * (float(goal @ up) - player.height)
    pose, turns = player.pose_at(player.paused), stood.copy()
    state = WorldState(figure.character, pose)
    heels = [int(figure.joints[sole.row]) for sole in figure.soles]
    goals = [Place(heel, tuple(state.positions[0, heel])) for heel in heels]
    turned = [Orient(heel, tuple(state.rotations[0, heel]), weight=0.5) for heel in heels]
    down = -drop * player.world.length * up
    frames = Frames.of_pose(pose, 1)
    move_body(frames, figure.character, down)
    lowered = first_of(frames.to_pose())
    if goals:
        legs = [int(figure.joints[row]) for sole in figure.soles for row in sole.rows]
        found = solve(figure.character, [*goals, *turned], lowered, root="fixed", parts=legs).pose
        world = WorldState(figure.character, found).rotations[0, figure.joints]
        local = quaternion.multiply(quaternion.conjugate(world[np.maximum(figure.parents, 0)]), world)
        turns[1:] = local[1:]
    return turns, goal - drop * up
