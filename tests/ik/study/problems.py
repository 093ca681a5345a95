"""Random problems: goals that a body can meet, goals out of its reach, and goals that contradict each other."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.ik import BodyPoint, Goal, Orient, Place, Together, WorldState
from mummer.ik.problem import RootFreedom
from mummer.ik.rigid_body import RigidBody, rigid_body
from mummer.math import quaternion
from tests.ik.study.poses import moved_root, random_poses, within_limits

KINDS = ("reachable", "unreachable", "conflicting")
SHARES = (0.6, 0.2, 0.2)
ROOTS: tuple[RootFreedom, ...] = ("free", "turns", "fixed")
STEP = 1e-3
"""How far goals are moved for the second solve: in heights of the body, or radians."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Problems of one body that ask for the same parts, each with its own targets and start.

    Attributes:
        body: its name in the study.
        seed: of this batch.
        character: the body.
        kind: one of `KINDS`.
        goals: with targets for each problem.
        moved: the same goals, each moved by `STEP`.
        start: (B,) where solving begins.
        root: how free the root is.
        answer: (B,) poses that meet all goals; only of reachable ones.
    """

    body: str
    seed: int
    character: Character
    kind: str
    goals: tuple[Goal, ...]
    moved: tuple[Goal, ...]
    start: Pose
    root: RootFreedom
    answer: Pose | None = None


def make_batch(name: str, character: Character, seed: int, count: int) -> Batch:
    """The problems that a body's name and a seed stand for; the same today and tomorrow."""
    random = np.random.default_rng([zlib.crc32(name.encode()), seed])
    body = rigid_body(character)
    kind = str(random.choice(KINDS, p=SHARES))
    root = ROOTS[random.choice(3, p=(0.5, 0.2, 0.3))]
    start = _starts(body, random, count)
    reached = _reached(body, random, start, root)
    targets = _targets(body, random, reached)
    if kind == "unreachable":
        targets = _pulled_out(body, random, targets, start, root)
    steps = [each.stepped(random, STEP * body.height) for each in targets]
    if kind == "conflicting":
        return _conflicting(random, name, seed, character, targets, steps, start, root)
    answer = reached if kind == "reachable" else None
    return Batch(name, seed, character, kind, _goals(targets), _goals(steps), start, root, answer)


@dataclass(frozen=True, eq=False)
class _Target:
    """A part, its places (B, 3), and its rotations (B, 4) if it is asked to be turned."""

    part: BodyPoint
    at: FloatArray
    to: FloatArray | None

    def stepped(self, random: np.random.Generator, step: float) -> _Target:
        """The same a small step away, in metres, and turned by `STEP`."""
        at = self.at + step * _directions(random, len(self.at))
        if self.to is None:
            return _Target(self.part, at, None)
        turn = quaternion.exp(STEP * _directions(random, len(self.to)))
        return _Target(self.part, at, quaternion.multiply(turn, self.to))


def _starts(body: RigidBody, random: np.random.Generator, count: int) -> Pose:
    if random.random() < 0.5:
        return within_limits(body, body.character.default_pose.broadcast_to((count,)))
    return random_poses(body, random, count, random.uniform(0.05, 0.6, size=count))


def _reached(body: RigidBody, random: np.random.Generator, start: Pose, root: RootFreedom) -> Pose:
    """Poses that the body can take, with its root as at the start where that may not move."""
    count = len(start)
    reached = random_poses(body, random, count, random.uniform(0.1, 1.2, size=count))
    rotations = reached.rotations.copy()
    rotations[:, 0] = start.rotations[:, 0]
    reached = reached.replace(rotations=rotations, root_translation=start.root_translation)
    return reached if root == "fixed" else moved_root(body, random, reached, travels=root == "free")


def _targets(body: RigidBody, random: np.random.Generator, reached: Pose) -> list[_Target]:
    """Where some parts are in poses that the body can take."""
    state = WorldState(body.character, reached)
    candidates = tips(body.character)
    chosen = random.choice(candidates, size=min(len(candidates), random.integers(1, 7)), replace=False).tolist()
    found = []
    for joint in chosen:
        offset = random.normal(size=3) * 0.03 * body.height if random.random() < 0.3 else np.zeros(3)
        point = BodyPoint(joint, tuple(offset.tolist()))
        found.append(_Target(point, state.point(point), state.turn(point) if random.random() < 0.3 else None))
    return found


def tips(character: Character) -> list[int]:
    """Joints that goals are put on: tips of limbs, hands, feet and heads; of a bare rig, its leaves."""
    skeleton, anatomy = character.skeleton, character.anatomy
    parents = set(skeleton.parents.tolist())
    leaves = [joint for joint in range(len(skeleton)) if joint not in parents]
    if anatomy is None:
        return leaves or [len(skeleton) - 1]
    found = {limb.tip for limb in anatomy.limbs if limb.kind not in ("ear", "eye")}
    for ability in ("foot", "grasper", "head"):
        found.update(anatomy.capabilities.get(ability, ()))
    return sorted(found) or leaves


def _pulled_out(
    body: RigidBody, random: np.random.Generator, targets: list[_Target], start: Pose, root: RootFreedom
) -> list[_Target]:
    """Targets moved outwards, up to three times as far; from the root, or from their middle where the root is free."""
    count = len(start)
    factor = random.uniform(1.2, 3.0, size=(count, 1))
    assert start.root_translation is not None
    middle = start.root_translation if root != "free" else np.mean([each.at for each in targets], axis=0)
    far = np.where(random.random((count, 1)) < 0.1, 10.0 * body.height, 0.0)
    pulled = []
    for each in targets:
        away = each.at - middle
        length = np.linalg.norm(away, axis=1, keepdims=True)
        # Where a target has no side to go to, chance picks one.
        way = np.where(length > 1e-6 * body.height, away / np.maximum(length, 1e-12), _directions(random, count))
        out = factor * np.maximum(length, 0.2 * body.height) + far
        pulled.append(_Target(each.part, middle + way * out, each.to))
    return pulled


def _conflicting(
    random: np.random.Generator,
    name: str,
    seed: int,
    character: Character,
    targets: list[_Target],
    steps: list[_Target],
    start: Pose,
    root: RootFreedom,
) -> Batch:
    """One part wanted at two places, or two parts together that are also wanted apart."""
    height = rigid_body(character).height
    goals, moved = list(_goals(targets)), list(_goals(steps))
    if len(targets) > 1 and random.random() < 0.5:
        pair = Together(targets[0].part, targets[1].part)
        goals.append(pair)
        moved.append(pair)
    else:
        away = random.uniform(0.1, 1.0, size=(len(start), 1)) * height * _directions(random, len(start))
        goals.append(Place(targets[0].part, targets[0].at + away))
        moved.append(Place(targets[0].part, steps[0].at + away))
    return Batch(name, seed, character, "conflicting", tuple(goals), tuple(moved), start, root)


def _goals(targets: list[_Target]) -> tuple[Goal, ...]:
    places: list[Goal] = [Place(each.part, each.at) for each in targets]
    return (*places, *(Orient(each.part, each.to) for each in targets if each.to is not None))


def _directions(random: np.random.Generator, count: int) -> FloatArray:
    found = random.normal(size=(count, 3))
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))
