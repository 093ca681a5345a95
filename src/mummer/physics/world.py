"""The world that is simulated: figures and things on a ground, as MuJoCo has it.

The simulator reckons in lengths and masses of its largest figure, so that mice and giants are simulated alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.errors import MissingExtraError
from mummer.math import quaternion
from mummer.physics.figure import Figure
from mummer.physics.intent import Intent
from mummer.physics.thing import Thing

GRAVITY = 9.81
STEP, HUMAN = 0.002, 1.7
"""Seconds of a step for a body of so many metres; the smaller a body the quicker everything happens."""
SHORTEST, LONGEST = 0.0004, 0.004
GROUND = 1
SOFT_CONTACT = 0.02
"""Seconds in which a contact gives way, for a body of human size."""
GRIP = 1.0
"""Coefficient of friction."""


def simulator() -> Any:
    """MuJoCo.

    Raises:
        MissingExtraError: if it is not installed.
    """
    try:
        import mujoco
    except ImportError:
        raise MissingExtraError("physics", "simulation") from None
    return mujoco


@dataclass(eq=False)
class World:
    """What is simulated.

    Attributes:
        model, data: MuJoCo's.
        length, mass: metres and kilograms that count as one.
        step: seconds.
        parts: for each figure the numbers of its bodies (n,).
        things: for each thing the number of its body.
        corners: for each figure the numbers (F, 4) of the balls under its feet.
        bits: the two masks of contacts of things.
        owner: (B,) for each body the figure or, from the number of figures on, the thing that it is of; -1 the ground.
    """

    model: Any
    data: Any
    length: float
    mass: float
    step: float
    parts: list[IntArray]
    things: list[int]
    corners: list[IntArray]
    owner: IntArray
    bits: tuple[int, int]

    def positions(self, figure: int) -> tuple[int, int]:
        """Where the numbers of a figure begin in ``qpos`` and ``qvel``."""
        return self._addresses(int(self.parts[figure][0]))

    def thing_positions(self, thing: int) -> tuple[int, int]:
        """Where the numbers of a thing begin in ``qpos`` and ``qvel``."""
        return self._addresses(self.things[thing])

    def let_touch(self, thing: int, touches: bool) -> None:
        """Whether a thing can touch others: one that is held does not."""
        geom = int(self.model.body_geomadr[self.things[thing]])
        free, everyone = self.bits
        self.model.geom_contype[geom], self.model.geom_conaffinity[geom] = (free, everyone) if touches else (0, 0)

    def _addresses(self, body: int) -> tuple[int, int]:
        joint = int(self.model.body_jntadr[body])
        return int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])


def build(
    figures: Sequence[Figure], intents: Sequence[Intent], things: Sequence[Thing], ground: float
) -> tuple[World, list[Intent]]:
    """The world, and the intents in its lengths.

    Args:
        figures: who is in it.
        intents: what each is to do.
        things: what else is in it.
        ground: its height, metres.
    """
    length = max(figure.size for figure in figures)
    mass = max(figure.total for figure in figures)
    scaled = [intent.scaled(1.0 / length) for intent in intents]
    apart: list[set[tuple[int, int]]] = [set() for _ in figures]
    world = _compiled(figures, scaled, things, ground, (length, mass), apart)
    deep = _in_contact(world, scaled, apart)
    if any(apart):
        world = _compiled(figures, scaled, things, ground, (length, mass), apart)
    # What the plan has in the ground is made thinner: it shall not be thrown out of it.
    for geom, depth in deep.items():
        size = world.model.geom_size[geom]
        size[0] = max(size[0] - depth, 0.1 * size[0])
    return world, scaled


def _compiled(
    figures: Sequence[Figure], intents: Sequence[Intent], things: Sequence[Thing], ground: float,
    scale: tuple[float, float], apart: Sequence[set[tuple[int, int]]],
) -> World:  # fmt: skip
    mujoco = simulator()
    length, mass = scale
    spec, up = mujoco.MjSpec(), figures[0].up
    slow = math.sqrt(length / HUMAN)
    step = min(max(STEP * slow, SHORTEST), LONGEST)
    spec.option.timestep, spec.option.gravity = step, -GRAVITY / length * up
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 5.0
    spec.compiler.balanceinertia = True
    # Who simulates looks for numbers that are not finite, and tells.
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_AUTORESET
    mujoco.set_mju_user_warning(_unheard)
    contact = {"solref": [max(SOFT_CONTACT * slow, 2.0 * step), 1.0], "friction": [GRIP, 0.005, 0.0005]}
    everyone = (1 << (len(figures) + 2)) - 1
    floor = spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0.0, 0.0, 1.0], pos=ground / length * up, contype=GROUND, conaffinity=0,
        **contact,
    )  # fmt: skip
    floor.quat = wxyz(quaternion.between_vectors(np.array([0.0, 0.0, 1.0]), up))
    for number, (figure, intent) in enumerate(zip(figures, intents, strict=True)):
        bits = (2 << number, everyone)
        _add_figure(spec, figure, intent, number, scale, contact, bits)
        for one, other in sorted(apart[number]):
            spec.add_exclude(bodyname1=f"{number}.{one}", bodyname2=f"{number}.{other}")
    for number, thing in enumerate(things):
        _add_thing(spec, thing, number, scale, (2 << len(figures), everyone), slow)
    model = spec.compile()
    data = mujoco.MjData(model)
    # The simulator numbers bodies as a figure numbers its parts: depth first.
    parts = [np.array([model.body(f"{n}.{row}").id for row in range(len(f))]) for n, f in enumerate(figures)]
    corners: list[IntArray] = [
        np.array([[model.geom(f"{n}.sole{s}.{c}").id for c in range(4)] for s in range(len(f.soles))], np.int64)
        for n, f in enumerate(figures)
    ]
    owner = np.full(model.nbody, -1)
    for number, rows in enumerate(parts):
        owner[rows] = number
    bodies = [int(model.body(f"thing{number}").id) for number in range(len(things))]
    for number, body in enumerate(bodies):
        owner[body] = len(figures) + number
    return World(model, data, length, mass, step, parts, bodies, corners, owner, (2 << len(figures), everyone))


def _unheard(message: str) -> None:
    """MuJoCo would write its warnings into a file where one happens to be."""


def _add_figure(
    spec: Any, figure: Figure, intent: Intent, number: int, scale: tuple[float, float], contact: dict[str, Any],
    bits: tuple[int, int],
) -> None:  # fmt: skip
    mujoco = simulator()
    length, mass = scale
    own, everyone = bits
    made: list[Any] = []
    for row in range(len(figure)):
        above = spec.worldbody if row == 0 else made[int(figure.parents[row])]
        body = above.add_body(name=f"{number}.{row}", pos=intent.places[0] if row == 0 else intent.offsets[row])
        if row == 0:
            body.add_freejoint()
        else:
            body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL, armature=1e-6)
        inertia = figure.inertias[row] / (mass * length**2)
        body.mass, body.ipos, body.explicitinertial = figure.masses[row] / mass, figure.centers[row] / length, True
        body.fullinertia = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        made.append(body)
    feet = {sole.row for sole in figure.soles}
    for row, (start, end), radius in zip(figure.shape_rows, figure.shape_ends, figure.shape_radii, strict=True):
        # Feet stand on the balls under them.
        meets = everyone & ~GROUND if int(row) in feet else everyone
        size, options = max(radius / length, 1e-4), {"contype": own, "conaffinity": meets, **contact}
        if np.linalg.norm(end - start) > 0.02 * radius:
            ends = np.concatenate([start, end]) / length
            made[row].add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=ends, size=[size, 0.0, 0.0], **options)
        else:
            made[row].add_geom(
                type=mujoco.mjtGeom.mjGEOM_SPHERE, pos=0.5 * (start + end) / length, size=[size, 0.0, 0.0], **options
            )
    for at, sole in enumerate(figure.soles):
        for corner, point in enumerate(sole.points):
            made[sole.row].add_geom(
                name=f"{number}.sole{at}.{corner}", type=mujoco.mjtGeom.mjGEOM_SPHERE, pos=point / length,
                size=[sole.radius / length, 0.0, 0.0], contype=0, conaffinity=GROUND, priority=1, **contact,
            )  # fmt: skip


def _add_thing(
    spec: Any, thing: Thing, number: int, scale: tuple[float, float], bits: tuple[int, int], slow: float
) -> None:
    mujoco = simulator()
    length, mass = scale
    body = spec.worldbody.add_body(name=f"thing{number}", pos=(thing.hold(0.0) or (thing.place,))[0] / length)
    body.add_freejoint()
    shape = mujoco.mjtGeom.mjGEOM_SPHERE if thing.shape == "ball" else mujoco.mjtGeom.mjGEOM_BOX
    half = 0.5 * thing.size / length
    body.add_geom(
        type=shape, size=[half, 0.0, 0.0] if thing.shape == "ball" else [half, half, half], mass=thing.mass / mass,
        contype=bits[0], conaffinity=bits[1], condim=6, friction=[0.7, 0.01, 0.002], priority=1,
        solref=[SOFT_CONTACT * slow, 0.35],
    )  # fmt: skip


def _in_contact(world: World, intents: Sequence[Intent], apart: Sequence[set[tuple[int, int]]]) -> dict[int, float]:
    """Note the parts of figures that meet in their own plans, and find how deep shapes are in the ground there."""
    mujoco, model, data = simulator(), world.model, world.data
    deep: dict[int, float] = {}
    row_of = {int(body): row for bodies in world.parts for row, body in enumerate(bodies)}
    for number, intent in enumerate(intents):
        for frame in np.unique(np.linspace(0, len(intent) - 1, 60).astype(int)):
            place(world, number, intent, int(frame))
            mujoco.mj_kinematics(model, data)
            mujoco.mj_collision(model, data)
            found = data.contact
            for one, other, gap in zip(found.geom[:, 0], found.geom[:, 1], found.dist, strict=True):
                first, second = int(model.geom_bodyid[one]), int(model.geom_bodyid[other])
                if first == 0 or second == 0:
                    geom = int(other if first == 0 else one)
                    deep[geom] = max(deep.get(geom, 0.0), -float(gap))
                elif world.owner[first] == world.owner[second] == number:
                    rows = sorted((row_of[first], row_of[second]))
                    apart[number].add((rows[0], rows[1]))
    return {geom: depth for geom, depth in deep.items() if depth > 0.0}


def place(world: World, figure: int, intent: Intent, frame: int) -> None:
    """Put a figure as it is in a frame of an intent."""
    at, _ = world.positions(figure)
    world.data.qpos[at : at + 3] = intent.places[frame]
    world.data.qpos[at + 3 : at + 3 + 4 * len(intent.offsets)] = wxyz(intent.turns[frame]).ravel()


def wxyz(turns: FloatArray) -> FloatArray:
    """Rotations (..., 4) as MuJoCo has them."""
    return np.asarray(np.roll(turns, 1, axis=-1))


def xyzw(turns: FloatArray) -> FloatArray:
    """Rotations (..., 4) of MuJoCo as mummer has them."""
    return np.asarray(np.roll(turns, -1, axis=-1))
