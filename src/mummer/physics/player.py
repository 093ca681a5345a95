"""Players: one figure that carries out its intent in a world. It feels where it is, balances, and pulls its muscles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character import Pose
from mummer.clip.clip import Clip
from mummer.math import quaternion
from mummer.physics.balance import MANY_FEET, Balance, bounded, shared_out
from mummer.physics.dynamics import Dynamics, dynamics_of, turned_inertias
from mummer.physics.figure import Figure, gathered
from mummer.physics.intent import RATE, Intent
from mummer.physics.muscle import HELD, Actuator, Muscles, pull, pull_feet
from mummer.physics.reaction import Reaction
from mummer.physics.tension import Tension
from mummer.physics.world import GRAVITY, GRIP, World, place, simulator, xyzw

EASY = 1.6
"""How many times as quick as a pendulum of its height a body comes back to its place."""
GUIDED = 6.0
"""The same for a body that is guided, beside a pendulum as long as the body."""
UPRIGHT = 8.0
"""Radians a second at which the trunk comes back to how it should be turned."""
NEAR = 0.012
"""Lengths of the body below which a corner of a foot is on the ground."""
STICKS = 1.0
"""Weights of the body that sticky ground holds one foot with at most."""
PUSHES = 1.5
"""Weights of the body that are counted on at one corner of a foot at most."""
STIFF_GROUND = 150.0
"""Weights of the body by which sticky ground holds a foot that is one length of the body away."""
GUIDE = (1.0, 0.25)
"""Weights of the body, and those times its length, that a guide gives at most."""
ASTRAY = 0.06
"""Lengths of the body that a foot may be off its place for sticky ground to take hold of it."""
SLIPPERY = 0.1
"""Friction of feet that are drawn in."""
STANCE = 1.5
"""How stiff legs that stand are at least: what would hold a body that falls over, times this."""
TIPPED, SUNK = 0.8, 0.6
"""Radians that a trunk is off, and share of its planned height to which a body sinks, when it has fallen."""
LOST = 0.25
"""Seconds for which a body that stands may have no foot on the ground."""
CALM = 0.6
"""Share of critical damping of what swings by itself: chains of loose joints would never come to rest."""
CORE = 0.15
"""Tension of the spine of who keeps up, at least: through a slack one a trunk cannot be righted."""
LIMP = 0.02
"""Tension of a body that falls."""


@dataclass(eq=False)
class Help:
    """What a body was helped with: weights of it and seconds.

    Attributes:
        given: newtons of the guide, in weights of the body, summed over seconds; most: the largest.
        seconds: how long it was simulated.
        slipped: how often a foot broke loose.
    """

    given: float = 0.0
    most: float = 0.0
    seconds: float = 0.0
    slipped: int = 0


@dataclass(frozen=True)
class Manner:
    """How a player carries out what it intends.

    Attributes:
        tension: how stiff joints are held.
        actuator: which muscles; see `mummer.physics.simulate`.
        balance: how it keeps from falling, ``auto`` resolved.
        reactions: what it does when it is hit or tips over.
    """

    tension: Tension
    actuator: Actuator
    balance: Balance
    reactions: tuple[Reaction, ...] = ()


class Player:
    """One figure in a world; see the module.

    Attributes:
        state: ``up``, ``down`` (it has fallen) or ``rising``.
        clock: seconds into what it carries out.
        least: tension that joints are held with at least.
    """

    def __init__(
        self, world: World, number: int, figure: Figure, intent: Intent, manner: Manner, *, clip: Clip, ground: float
    ) -> None:
        self.world, self.number, self.figure, self.clip = world, number, figure, clip
        self.model, self.data, self.mujoco = world.model, world.data, simulator()
        self.at, self.dof = world.positions(number)
        self.bodies = world.parts[number]
        self.root = int(self.bodies[0])
        self.rows = slice(self.dof + 6, self.dof + 3 + 3 * len(figure))
        self.tension, self.reactions, self.height = manner.tension, manner.reactions, ground / world.length
        self.weight = float(self.model.body_subtreemass[self.root]) * GRAVITY / world.length
        self.size = figure.size / world.length
        self.legs = sorted({row for sole in figure.soles for row in sole.rows})
        self.driven = np.array([manner.actuator == "pd" and not soft for soft in figure.soft], np.float64)
        self.core = sorted(_spine_rows(figure)) if figure.soles and manner.balance != "none" else []
        self.driven[self.legs + self.core] = 1.0
        self.balance: Balance = manner.balance
        self.least = 0.0
        place(world, number, intent, 0)
        self.inertias, self.spread = turned_inertias(world, number)
        self.muscles = Muscles.of(self.inertias)
        self.muscles.calm[list(figure.soft)] = CALM
        self.held = locked(self.inertias * HELD**2)
        self.state, self.clock, self.since, self.help = "up", 0.0, 0.0, Help()
        self.turned, self.moved = quaternion.IDENTITY.copy(), np.zeros(3)
        self.aside, self.tensed = np.zeros((len(figure), 3)), np.ones(len(figure))
        self.anchors = np.zeros((len(figure.soles), 4, 3))
        self.holds = np.zeros(len(figure.soles), bool)
        self.soles_on = np.array([self.bodies[sole.row] for sole in figure.soles], np.int64)
        self.ground_gains = np.array([self._ground_gains(sole.row) for sole in figure.soles]).reshape(-1, 2)
        self.torques, self.beyond = np.zeros((len(figure), 3)), np.zeros(len(figure))
        self.damped = np.zeros(len(figure))
        self.extra = np.zeros(self.model.nv)
        self.paused, self.kept_intent, self.lost = 0.0, intent, 0.0
        self.kept_balance, self.after = manner.balance, (self.turned, self.moved)
        self.carry_out(intent)
        self._start()

    def carry_out(self, intent: Intent, dynamics: Dynamics | None = None) -> None:
        """Take up an intent, from its beginning."""
        kept = (self.data.qpos.copy(), self.data.qvel.copy())
        self.intent = intent
        self.forces = dynamics_of(self.world, self.number, intent) if dynamics is None else dynamics
        self.data.qpos[:], self.data.qvel[:] = kept
        loads = np.where(self.driven[None, :, None] > 0, self.forces.moved, self.forces.carried)
        self.loads, self.clock = locked(loads), 0.0
        self.plan = (locked(intent.turns), locked(intent.spins), self.loads)

    def _start(self) -> None:
        place(self.world, self.number, self.intent, 0)
        self.data.qvel[self.dof : self.dof + 3] = self.intent.velocities[0]
        self.data.qvel[self.dof + 3 : self.rows.stop] = self.intent.spins[0].ravel()

    @property
    def frame(self) -> tuple[int, float]:
        """The frame of the intent that it is at, and the share of the way to the next."""
        at = min(max(self.clock * RATE, 0.0), len(self.intent) - 1.000001)
        return int(at), at - int(at)

    # Every step -----------------------------------------------------------------------------------------------------

    def drive(self) -> None:
        """Pull the muscles; positions and velocities of the simulator are up to date."""
        frame, share = self.frame
        gains = np.column_stack([self.muscles.stiffness, self.muscles.damping, self.muscles.leads, self.muscles.bears])
        q = self.data.qpos[self.at : self.at + 3 + 4 * len(self.figure)]
        pull.at(gains.dtype)(
            frame, share, *self.plan, locked(gains, copy=False), locked(self.aside), self.figure.table, self.held,
            locked(q), self.torques, self.beyond,
        )  # fmt: skip
        # Like that of muscles, the stiffness of limits acts at the end of a step.
        stiff = self.beyond * self.world.step + 0.02 * self.beyond
        self.model.dof_damping[self.rows] = np.repeat((self.damped + stiff)[1:], 3)
        applied = self.data.qfrc_applied
        applied[self.rows] += self.torques[1:].ravel()
        applied += self.extra
        self._stick(applied)

    def _stick(self, applied: FloatArray) -> None:
        """Springs that hold the feet on sticky ground."""
        held = np.flatnonzero(self.holds)
        if not len(held):
            return
        data, given = self.data, np.empty((len(held), 9))
        bodies = self.soles_on[held]
        points = data.geom_xpos[self.world.corners[self.number][held]]
        pull_feet.at(given.dtype)(
            points, self.anchors[held], data.cvel[bodies], data.subtree_com[self.root], self.figure.up,
            self.ground_gains[held], STICKS * self.weight, given,
        )  # fmt: skip
        for row, body in zip(given, bodies.tolist(), strict=True):
            self.mujoco.mj_applyFT(self.model, data, row[:3], row[3:6], row[6:], body, applied)

    def _ground_gains(self, row: int) -> tuple[float, float]:
        """How stiff sticky ground is under a foot, and how it damps: never more than a step can follow."""
        mass = float(self.model.body_mass[self.bodies[row]]) + 0.1 * self.weight / len(self.figure.soles) / 10.0
        stiff = min(STIFF_GROUND * self.weight / self.size, mass * (0.5 / self.world.step) ** 2)
        return stiff, 0.6 * float(np.sqrt(stiff * mass))

    # Now and then -----------------------------------------------------------------------------------------------------

    def control(self, seconds: float, now: float) -> None:
        """Balance, react, and set the tension of the muscles for the next ``seconds``."""
        self.help.seconds += seconds
        self.since += seconds
        frame, _ = self.frame
        self.wanted = self._wanted()
        self._react(now)
        tension = np.where(self.state == "down", LIMP, self.tension.at(now)) * self.tensed
        tension = np.maximum(tension, self.least)
        if self.state != "down":
            tension[self.core] = np.maximum(tension[self.core], CORE)
        self.muscles.tense(tension, self.driven, self.forces.needed[frame] * (self.state != "down"))
        self.muscles.bears[:] = 0.0 if self.state == "down" else 1.0
        self.extra[:] = 0.0
        if self.state != "down":
            self._firm_legs()
            self._keep_feet(frame)
            self._balance(seconds)
            if self._has_fallen():
                self.state, self.since, self.holds[:] = "down", 0.0, False
        if self.state == "down":
            self.muscles.leads[:] = 0.0
            self.extra[:] = 0.0
        self.damped = self.muscles.damping + self.muscles.stiffness * self.world.step

    def _react(self, now: float) -> None:
        """Let what reacts turn joints aside and tense them."""
        self.aside[:], self.tensed[:] = 0.0, 1.0
        for reaction in self.reactions:
            reaction.act(self, now)

    def _firm_legs(self) -> None:
        """Legs that stand carry the whole body, which is more than what hangs from them."""
        if not self.legs or self.balance == "none":
            return
        high = max(float((self.data.subtree_com[self.root] @ self.figure.up) - self.height), 0.1 * self.size)
        feet = max(len(self.figure.soles), 1)
        least = STANCE * self.weight * high / feet * (2.0 if self.balance == "ankle" else 1.0)
        load = self.weight / GRAVITY * self.world.length / feet * high**2
        gains = self.muscles
        gains.stiffness[self.legs] = np.maximum(gains.stiffness[self.legs], least)
        gains.damping[self.legs] = np.maximum(gains.damping[self.legs], 1.4 * np.sqrt(least * load))

    def _keep_feet(self, frame: int) -> None:
        """Sticky ground takes hold of feet that are planned to stand and are on it, and lets go of others."""
        if not self.figure.soles:
            return
        # Feet that are drawn in while a body gets up are not heavy yet.
        slips = (self.intent.stands[frame] <= 0) & (self.state == "rising")
        self.model.geom_friction[self.world.corners[self.number], 0] = np.where(slips, SLIPPERY, GRIP)[:, None]
        if self.balance not in ("wide", "guided"):
            return
        if self.balance == "guided":
            # Who is guided is guided by its feet as well: they are held where the plan has them.
            self.holds[:] = self.intent.stands[frame] > 0
            self.anchors[:] = quaternion.rotate(self.turned, self.forces.feet[frame]) + self.moved
            return
        for number, corners in enumerate(self.world.corners[self.number]):
            low = self._gaps(number).min()
            stands = self.intent.stands[frame, number] > 0 and low < 2.0 * NEAR * self.size
            stands = stands and (self.holds[number] or self._astray(number, frame) < ASTRAY * self.size)
            if stands and not self.holds[number]:
                points = self.data.geom_xpos[corners]
                down = self._gaps(number)[:, None] * self.figure.up
                self.anchors[number] = points - np.maximum(down, 0.0)
            self.holds[number] = stands

    def _astray(self, foot: int, frame: int) -> float:
        """How far a foot is from where the plan has it, over the ground."""
        planned = quaternion.rotate(self.turned, self.forces.feet[frame, foot].mean(axis=0)) + self.moved
        away = self.data.geom_xpos[self.world.corners[self.number][foot]].mean(axis=0) - planned
        return float(np.linalg.norm(away - (away @ self.figure.up) * self.figure.up))

    def _gaps(self, foot: int) -> FloatArray:
        """(4,) how high the corners of a foot are above the ground."""
        corners = self.world.corners[self.number][foot]
        return np.asarray(
            self.data.geom_xpos[corners] @ self.figure.up - self.model.geom_size[corners, 0] - self.height
        )

    def _wanted(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
        """What the plan has in the world: centre of mass and its velocity, wrench, turn and spin of the trunk."""
        frame, share = self.frame
        forces, intent = self.forces, self.intent

        def between(values: FloatArray) -> FloatArray:
            return np.asarray((1.0 - share) * values[frame] + share * values[frame + 1])

        still = 1.0 if self.clock < self.intent.seconds else 0.0
        middle = quaternion.rotate(self.turned, between(forces.middles)) + self.moved
        speed = still * quaternion.rotate(self.turned, between(forces.velocities))
        wrench = between(forces.wrench)
        wrench = np.concatenate(
            [quaternion.rotate(self.turned, wrench[:3]), quaternion.rotate(self.turned, wrench[3:])]
        )
        turn = quaternion.multiply(self.turned, quaternion.normalize(between(intent.turns[:, 0])))
        return middle, speed, wrench, turn, still * between(intent.spins[:, 0])

    def tilt(self) -> FloatArray:
        """(3,) the turn of the trunk that is missing, radians in the world."""
        turn = xyzw(self.data.xquat[self.root])
        return np.asarray(quaternion.log(quaternion.multiply(self.wanted[3], quaternion.conjugate(turn))))

    def _balance(self, seconds: float) -> None:
        if self.balance == "none":
            return
        self.mujoco.mj_subtreeVel(self.model, self.data)
        middle, speed = self.data.subtree_com[self.root], self.data.subtree_linvel[self.root]
        goal, goal_speed, wrench, turn, spin = self.wanted
        mass, up = float(self.model.body_subtreemass[self.root]), self.figure.up
        high = max(float(middle @ up) - self.height, 0.1 * self.size)
        quick = EASY * float(np.sqrt(GRAVITY / self.world.length / high))
        if self.balance == "guided":
            quick = GUIDED * float(np.sqrt(GRAVITY / self.world.length / self.size))
        back = mass * (quick**2 * (goal - middle) + 2.0 * quick * (goal_speed - speed))
        here = xyzw(self.data.xquat[self.root])
        own_spin = self.data.qvel[self.dof + 3 : self.dof + 6]
        off = quaternion.log(quaternion.multiply(turn, quaternion.conjugate(here)))
        righted = self.spread * (UPRIGHT**2 * off + 2.0 * UPRIGHT * quaternion.rotate(here, spin - own_spin))
        wanted = wrench.copy()
        if self.balance != "ankle":
            lift = float(np.clip(back @ up, -0.5 * self.weight, 0.3 * self.weight))
            level = bounded(back - (back @ up) * up, 0.8 * self.weight)
            wanted[:3] += level + lift * up if self.balance != "guided" else bounded(back, GUIDE[0] * self.weight)
            wanted[3:] += bounded(righted, 0.3 * self.weight * self.size)
        forces, points, feet, missing = self._ground_forces(wanted, middle)
        self.lost = 0.0 if feet else self.lost + seconds
        for force, point, foot in zip(forces, points, feet, strict=True):
            body = int(self.bodies[self.figure.soles[foot].row])
            self.mujoco.mj_applyFT(self.model, self.data, -force, np.zeros(3), point, body, self.extra)
        self.extra[self.dof : self.dof + 6] = 0.0
        if self.balance == "ankle":
            self._turn_ankles(back, high, sorted(set(feet)))
        if self.balance == "guided":
            self._guide(missing, middle, seconds)

    def _ground_forces(
        self, wanted: FloatArray, middle: FloatArray
    ) -> tuple[FloatArray, FloatArray, list[int], FloatArray]:
        """Forces (P, 3) of the ground, where (P, 3), at which feet, and what is missing of the wrench."""
        points: list[FloatArray] = []
        feet: list[int] = []
        gives: list[tuple[float, float]] = []
        for number, corners in enumerate(self.world.corners[self.number]):
            gaps = self._gaps(number)
            if gaps.min() > NEAR * self.size or not self.intent.stands[self.frame[0], number] > 0:
                continue
            pushes = np.where(gaps < NEAR * self.size, PUSHES * self.weight, 0.0)
            chosen = self.data.geom_xpos[corners] - self.model.geom_size[corners[0], 0] * self.figure.up
            pulls = STICKS * self.weight / 4.0 if self.holds[number] else 0.0
            if len(self.figure.soles) > MANY_FEET:
                chosen, pushes, pulls = chosen.mean(axis=0, keepdims=True), pushes[:1] * 0.0 + pushes.max(), 4.0 * pulls
            points += list(chosen)
            gives += [(push, pulls) for push in pushes.tolist()]
            feet += [number] * len(chosen)
        where = np.array(points).reshape(-1, 3)
        forces, missing = shared_out(wanted, where, middle, self.figure.up, np.array(gives).reshape(-1, 2))
        return forces, where, feet, missing

    def _turn_ankles(self, back: FloatArray, high: float, feet: list[int]) -> None:
        """Feedback of the centre of mass on the ankles alone, as far as feet are long."""
        up = self.figure.up
        level = back - (back @ up) * up
        for foot in feet:
            sole = self.figure.soles[foot]
            points = self.data.geom_xpos[self.world.corners[self.number][foot]]
            reach = 0.4 * float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())
            torque = bounded(high * np.cross(up, level) / len(feet), reach * self.weight / len(feet))
            turn = xyzw(self.data.xquat[self.bodies[sole.row]])
            own = quaternion.rotate(quaternion.conjugate(turn), -torque)
            first = self.dof + 3 + 3 * sole.row
            self.extra[first : first + 3] += own

    def _guide(self, missing: FloatArray, middle: FloatArray, seconds: float) -> None:
        """Give what the ground does not."""
        force = bounded(missing[:3], 2.0 * GUIDE[0] * self.weight)
        torque = bounded(missing[3:], GUIDE[1] * self.weight * self.size)
        given = np.zeros(self.model.nv)
        self.mujoco.mj_applyFT(self.model, self.data, force, torque, middle, self.root, given)
        self.extra[self.dof : self.dof + 6] += given[self.dof : self.dof + 6]
        size = float(np.linalg.norm(force)) / self.weight
        self.help.given += size * seconds
        self.help.most = max(self.help.most, size)

    def _has_fallen(self) -> bool:
        if self.balance == "none" or self.state == "rising" or not self.figure.soles:
            return False
        up = self.figure.up
        off = quaternion.rotate(xyzw(self.data.xquat[self.root]), quaternion.rotate(
            quaternion.conjugate(self.wanted[3]), up))  # fmt: skip
        high = float(self.data.subtree_com[self.root] @ up) - self.height
        planned = float(self.wanted[0] @ up) - self.height
        if self.balance in ("wide", "ankle") and self.lost > LOST:
            return True
        return bool(float(off @ up) < np.cos(TIPPED) or (planned > 0.15 * self.size and high < SUNK * planned))

    def facing(self) -> FloatArray:
        """(3,) unit, level: where it faces now."""
        return self.figure.facing(xyzw(self.data.xquat[self.root]))

    def hit(self, now: float) -> None:
        """Be told that something hits it."""
        for reaction in self.reactions:
            reaction.feel(now)

    @property
    def kept_clock(self) -> float:
        """Seconds of what it was asked for that it has carried out."""
        return self.clock if self.state != "rising" else self.paused

    def pose_at(self, clock: float) -> Pose:
        """What was planned for so many seconds after the beginning, for the body put together."""
        pose = self.clip.at(self.clip.start + clock)
        return pose if self.figure.whole is None else gathered(self.figure.whole, pose)

    def snapshot(self) -> tuple[FloatArray, FloatArray]:
        """(3,) metres and (n, 4): where the first part is, and how all parts are turned in the world."""
        return (
            self.data.xpos[self.root] * self.world.length,
            xyzw(self.data.xquat[self.bodies]),
        )


def _spine_rows(figure: Figure) -> set[int]:
    """The parts of the spine, but for the first part, which nothing turns."""
    assert figure.character.anatomy is not None
    return {int(figure.holder[joint]) for joint in figure.character.anatomy.capabilities.get("spine", ())} - {0}
