"""Troupes: actors of one body, stepped together in one compiled call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.character.whole import whole_of
from mummer.engine.body import Body, body_of
from mummer.engine.footing import gathered, on_toes
from mummer.engine.ground import Ground, Heights, ground_of
from mummer.engine.score import scores_of
from mummer.engine.state import (
    AIM,
    AIMS,
    FADE,
    SCORE,
    SEEN,
    TARGET,
    TARGETS,
    TEMPO,
    WHEN,
    Poses,
    Wishes,
    new_actors,
    no_goals,
)
from mummer.engine.step import step
from mummer.engine.swaying import NOTHING_SWAYS
from mummer.general.animated import Animated, animate
from mummer.general.animation import Animation, load_animation
from mummer.general.gait.style import StyleLike
from mummer.general.physique import physique_of
from mummer.ik.presumed_limits import limited
from mummer.io.subjects import BodyLike, as_character
from mummer.kernels.mirror import Mirror
from mummer.kernels.place import CPU, Backend, CudaPlace, choose_place
from mummer.math import quaternion
from mummer.report import ReportBuilder

STANDING = 3
"""Steps of no time after which bodies stand still: what touches looks at how it was last."""
GRAIN = 16
"""Actors that a thread takes at a time."""
PRECISION = "float32"
"""Of what is on a GPU."""


class Troupe:
    """N actors of one body.

    Attributes:
        character: who they are.
        whole: the body put together where parts of it hang elsewhere, else None.
        body: what motion knows of it.
        actors: how they are now.
        wishes: what is wanted of them; write to its arrays.
        goals: what animations ask of them.
        ground: below them; may be set at any time.
        poses: what they do.
        gpu: where they are stepped, so that ``actors``, ``wishes``, ``goals`` and ``poses`` mirror what is there; None
            on the CPU.
    """

    def __init__(
        self,
        character: Character,
        stages: FloatArray,
        *,
        style: StyleLike = "walk",
        ground: Ground,
        sway: bool = True,
        backend: Backend | None = None,
    ) -> None:
        self.character, self.whole = character, whole_of(character)
        self.moved = limited(gathered(on_toes(character if self.whole is None else self.whole.character)))
        self.body: Body = body_of(self.moved, style)
        if not sway:
            self.body = self.body._replace(sways=NOTHING_SWAYS)
        self.ground = ground
        self.actors = new_actors(self.body, stages, self.ground)
        self._count = count = len(stages)
        joints = len(character.skeleton)
        self.wishes = Wishes(
            np.zeros((count, 2)), np.array(stages[:, 2], np.float64), np.zeros((count, 4)), np.zeros((count, 4))
        )
        self.goals = no_goals(self.body, count, len(character.morph_names))
        self.poses = Poses(np.zeros((count, joints, 4)), np.zeros((count, 3)), np.zeros(self.goals.exact.shape))
        self.drivers: list[Animated] = []
        self.scores = scores_of(self.body, self.drivers)
        chosen = choose_place(backend)
        self._cpu, self.gpu = CPU.apart(), chosen.apart() if isinstance(chosen, CudaPlace) else None
        if self.gpu is not None:
            self._move_to(self.gpu)
        for _ in range(STANDING):
            self.step(0.0)

    @classmethod
    def of(
        cls,
        character: BodyLike,
        places: Sequence[Sequence[float] | None],
        headings: Sequence[float | None],
        *,
        style: StyleLike = "walk",
        ground: Ground | Heights | float | None = None,
        backend: Backend | None = None,
    ) -> Troupe:
        """Actors of a character at places (x and z); where it stands and as it faces by itself where None is given."""
        known = known_body(as_character(character, asker="an actor"))
        physique = physique_of(known)
        front = physique.anatomy.front
        own = float(np.arctan2(front[0], front[2]))
        stages = np.array(
            [
                [*(physique.origin[[0, 2]] if place is None else place), own if heading is None else heading]
                for place, heading in zip(places, headings, strict=True)
            ],
            np.float64,
        )
        found = ground_of(ground, float(physique.origin[1]), stages)
        return cls(known, stages, style=style, ground=found, backend=backend)

    def __len__(self) -> int:
        return self._count

    def stand_at(self, actor: int, stage: FloatArray) -> None:
        """Let an actor stand at rest somewhere else, (3,) x, z and heading; what it plays goes on."""
        fresh = new_actors(self.body, stage[None], self.ground)
        for now, new in zip(self.actors, fresh, strict=True):
            if now is not self.actors.plays:
                now[actor] = new[0]
        self.wishes.headings[actor] = stage[2]

    @property
    def easy_speed(self) -> float:
        """Metres a second at which the body goes with ease."""
        return float(self.body.legs.easy)

    def bound(
        self,
        animation: str | Path | Animation,
        actor: int,
        targets: Mapping[str, Sequence[float]],
        variant: str | None,
        report: ReportBuilder,
    ) -> tuple[Animated, FloatArray]:
        """An animation as this body plays it, and (K, 3) the places in the world that it is toward.

        The variant that is nearest to the target is taken where none is named, as the actor stands now.
        """
        physique = physique_of(self.moved)
        heading = quaternion.from_axis_angle(np.array([0.0, 1.0, 0.0]), float(self.actors.stage[actor, 2]))
        stage = np.array([self.actors.stage[actor, 0], physique.origin[1], self.actors.stage[actor, 1]])
        # Binding sees the body where it stands at rest.
        rest_from_world = quaternion.multiply(physique.axes, quaternion.conjugate(heading))
        known = {
            name: physique.origin + quaternion.rotate(rest_from_world, np.asarray(place, np.float64) - stage)
            for name, place in targets.items()
        }
        driver = animate(load_animation(animation), physique, known, variant, report)
        there = [driver.targets[name] - physique.origin for name in driver.outside]
        world = quaternion.rotate(quaternion.conjugate(rest_from_world), np.array(there).reshape(-1, 3))
        return driver, stage + world

    def score(self, driver: Animated) -> int:
        """The number of an animation in one variant, which is added if nobody has played it yet."""
        for number, known in enumerate(self.drivers):
            if known.bound is driver.bound and known.variant is driver.variant:
                return number
        self.drivers.append(driver)
        self.scores = scores_of(self.body, self.drivers)
        return len(self.drivers) - 1

    def play(self, actor: int, score: int, targets: FloatArray, tempo: float = 1.0, *, faded: float = 0.0) -> int:
        """Let an actor play a score from its start; the slot it is played in.

        Args:
            actor: who.
            score: what.
            targets: (K, 3) what it is toward, in the world.
            tempo: how fast, 1 as it was made.
            faded: how much it counts at once, 0 to 1.
        """
        plays = self.actors.plays[actor]
        free = np.flatnonzero(plays[:, SCORE] < 0)
        slot = int(free[0]) if len(free) else int(np.argmin(plays[:, FADE]))
        plays[slot] = 0.0
        plays[slot, [SCORE, TEMPO, FADE]] = score, tempo, faded
        aims = plays[slot, TARGETS:].reshape(AIMS, AIM)
        aims[: len(targets), TARGET : TARGET + 3] = aims[: len(targets), SEEN : SEEN + 3] = targets
        return slot

    def step(self, seconds: float) -> None:
        """Everybody, so many seconds later; on a GPU that goes on after this returns."""
        records = (self.body, self.scores, self.actors, self.wishes, self.goals, self.ground, self.poses)
        if self.gpu is None:
            self._cpu.run(step, len(self), *records, float(seconds), grain=GRAIN)
            return
        given = zip(step.arguments.values(), records, strict=False)
        there = [
            record.sent() if isinstance(record, Mirror) else self.gpu.kept(record, argument, PRECISION)
            for argument, record in given
        ]
        self.gpu.run(step, len(self), *there, seconds)

    def _move_to(self, gpu: CudaPlace) -> None:
        """Let what changes live on a GPU from now on; see `Mirror`."""

        def mirrored(name: str, *, sends: bool = True) -> Any:
            return Mirror(gpu, getattr(self, name), step.arguments[name], PRECISION, sends=sends)

        self.actors, self.wishes = mirrored("actors"), mirrored("wishes")
        self.goals, self.poses = mirrored("goals", sends=False), mirrored("poses", sends=False)

    def pose(self, actor: int) -> Pose:
        """How an actor is now; a copy."""
        rotations, root = self.poses.rotations[actor].copy(), self.poses.roots[actor].copy()
        morphs = self.goals.morphs[actor].copy() if self.goals.morphs.shape[1] else None
        pose = Pose(rotations, root, morphs=morphs)
        return pose if self.whole is None else self.whole.taken_apart(pose)

    def events(self, actor: int, before: FloatArray) -> tuple[str, ...]:
        """Names of what happened since plays of an actor were as ``before`` (SLOTS, PLAY)."""
        found = []
        for row, old in zip(self.actors.plays[actor], before, strict=True):
            score = int(old[SCORE])
            if score < 0 or (row[SCORE] not in (score, -1)):
                continue
            duration = self.scores.duration[score]
            gone = row[WHEN] - old[WHEN] + (duration if row[WHEN] < old[WHEN] else 0.0)
            events = self.drivers[score].events
            found += [name for time, name in events if 0.0 <= (time - old[WHEN]) % duration < gone]
        return tuple(found)

    @property
    def part_names(self) -> list[str]:
        """Of the tip of each limb, and of what reaches: its role or name."""
        names, roles = self.moved.skeleton.names, {j: r for r, j in physique_of(self.moved).anatomy.roles.items()}
        tips = [*self.body.limbs.tip.tolist(), *self.body.reaches.tip.tolist()]
        return [roles.get(tip, names[tip]) for tip in tips]

    def misses(self, actor: int) -> dict[str, float]:
        """Metres by which parts of an actor miss where they should be, by role or name."""
        wanted = np.flatnonzero((self.goals.places[actor, :, 3] > 0) | (self.poses.misses[actor] > 0))
        names = self.part_names
        return {names[n]: float(self.poses.misses[actor, n]) for n in wanted.tolist()}


def known_body(character: Character) -> Character:
    """A character whose parts are known; recognition is loaded only where they are not."""
    if character.anatomy is not None and character.anatomy.roles:
        return character
    from mummer.recognition import recognized

    return recognized(character)
