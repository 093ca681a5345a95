"""The particle solver: microseconds a body a frame, on one core, as bodies and joints grow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Case, Contender
from mummer import zoo
from mummer.character import Character, Pose, Skeleton, clamp
from mummer.ik import Place, WorldState, make_problem
from mummer.ik.particle import EXIT
from mummer.ik.particles.layout import layout_of
from mummer.ik.particles.pins import pin_places, stand_of, targets_of, task_of
from mummer.ik.particles.records import Asked, settings_for
from mummer.ik.particles.run import run_particles, world_masks
from mummer.ik.rigid_body import rigid_body
from mummer.kernels import threads
from mummer.math import interpolate, quaternion

STEPS = 28
SMARTBODY = 1e-3
"""Seconds a character a frame that the SmartBody paper reports for its whole-body constraint solver."""
MOST_GOALS = 5
"""Of bodies that grow, so that only their joints do."""
CREATURE = 6
"""A random creature of 67 joints with six legs, two hands and a head."""


def cases() -> Iterator[Case]:
    creature = zoo.random_creature(CREATURE)
    for bodies in (1, 10, 100, 1_000, 10_000):
        yield case(creature, bodies, f"creature of {len(creature.skeleton)} joints", 0.25)
    yield case(creature, 1_000, f"creature of {len(creature.skeleton)} joints, wild targets", 1.0)
    yield case(zoo.body("adult"), 1_000, "human of 65 joints", 0.25)
    for joints in (10, 30, 60, 90, 120):
        yield case(centipede(joints), 1_000, f"many-legged body of {joints} joints", 0.25)


def case(character: Character, bodies: int, what: str, share: float) -> Case:
    """Poses ``share`` of the way from rest to random ones; their ends are the goals."""
    joints = ends(character)
    work = prepared(character, joints, bodies, share)
    one_core(lambda: work("float64"))
    contenders = [
        Contender("mummer particle, one core, float64", lambda: one_core(lambda: work("float64")), "ours"),
        Contender("mummer particle, one core, float32", lambda: one_core(lambda: work("float32")), "ours"),
        Contender("mummer particle, all threads, float64", lambda: work("float64"), "ours"),
        Contender("SmartBody, as its paper reports", None, "peer", seconds=lambda: SMARTBODY * bodies),
    ]
    size = f"{what}, {len(joints)} goals, {bodies:,} bodies"
    return Case(f"ik_particle {size}", size, bodies, contenders)


def one_core(run) -> None:
    """Run as a piece of shared-out work does, which asks for no other thread."""
    threads._mine.is_sharing = True
    try:
        run()
    finally:
        threads._mine.is_sharing = False


def prepared(character: Character, joints: list[int], bodies: int, share: float):
    """A function that solves all bodies in a given precision, everything else made ready."""
    layout, settings, inputs = prepared_inputs(character, joints, bodies, share)
    return lambda dtype: run_particles(layout, settings, inputs[dtype], steps=STEPS)


def prepared_inputs(character: Character, joints: list[int], bodies: int, share: float):
    """Layout, settings, and for each precision the targets, pins and masks."""
    body, random = rigid_body(character), np.random.default_rng(1)
    rest = Pose.rest(character.skeleton, (bodies,))
    turns = quaternion.exp(0.5 * random.normal(size=(*rest.rotations.shape[:-1], 3)))
    turns[:, 0] = [0, 0, 0, 1]
    rotations = interpolate.slerp(rest.rotations, quaternion.multiply(rest.rotations, turns), share)
    pose = rest.replace(rotations=rotations)
    if character.limits is not None:
        pose = clamp(character.limits, character.skeleton, pose)
    state, stand = WorldState(character, pose), stand_of(body)
    goals = [Place(joint, at=state.positions[:, joint]) for joint in joints]
    tasks = [task_of(goal, state, stand) for goal in goals]
    problem = make_problem(character, goals, pose, root="fixed")
    layout = layout_of(body, stand, tasks, problem.movable)
    targets = targets_of(goals, tasks, problem, np.arange(bodies), stand)
    pins = pin_places(list(layout.pins), tasks, targets)
    masks = world_masks(np.ones((len(tasks), 3)), np.broadcast_to(np.eye(3), (bodies, 3, 3)))
    settings = settings_for(height=body.height, tolerance=EXIT * problem.tolerance)
    inputs = {name: Asked(*(array.astype(name) for array in (targets, pins, masks))) for name in ("float64", "float32")}
    return layout, settings, inputs


def ends(character: Character) -> list[int]:
    anatomy = character.anatomy
    if anatomy is None:
        leaves = sorted(set(range(len(character.skeleton))) - set(character.skeleton.parents.tolist()))
        return leaves[-MOST_GOALS:]
    return sorted({joint for kind in ("foot", "grasper", "head") for joint in anatomy.capabilities.get(kind, ())})


def centipede(joints: int) -> Character:
    """A straight body with pairs of three-jointed legs, as many as ``joints`` allow, none of it limited."""
    parents, offsets = [-1], [[0.0, 1.0, 0.0]]
    spine = 0
    while len(parents) + 7 <= joints:
        parents.append(spine)
        offsets.append([0.0, 0.0, 0.3])
        spine = len(parents) - 1
        for side in (-1.0, 1.0):
            parents += [spine, len(parents), len(parents) + 1]
            offsets += [[0.1 * side, 0, 0], [0.2 * side, -0.4, 0.05], [0.1 * side, -0.4, -0.05]]
    while len(parents) < joints:
        parents.append(spine)
        offsets.append([0.0, 0.0, 0.3])
        spine = len(parents) - 1
    skeleton = Skeleton(tuple(f"joint_{k}" for k in range(joints)), parents, offsets)
    return Character(f"centipede of {joints}", skeleton)
