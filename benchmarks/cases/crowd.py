"""Crowds for 1, 100 and 2,000 creatures: performances made and shown, and actors that are stepped live."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.timing import Case, Contender
from mummer.character import Character
from mummer.clip import Clip
from mummer.engine import Crowd, perform
from mummer.engine.troupe import Troupe
from mummer.errors import MissingExtraError
from mummer.ik import WorldState
from mummer.kernels import Backend
from mummer.kernels.cuda import cuda_module
from mummer.zoo import random_creature

SEEDS = (1, 2, 4, 5, 9, 11, 13, 14, 16, 17, 22, 24, 27, 45, 47, 57)
"""Random creatures of 21 to 80 joints, all that a crowd is made of."""
RATE = 60.0
LENGTH = 6.0
"""Seconds of a performance."""
AIM = 1 / 1000 / RATE
"""Seconds of one core that a frame of a creature may take if two cores are to show 2,000 at 60 frames a second."""


def cases() -> Iterator[Case]:
    bodies = [random_creature(seed) for seed in SEEDS]
    for count in (1, 100, 2000):
        yield live(bodies, count)
    for count in (10_000, 100_000, 1_000_000) if has_gpu() else ():
        yield live(bodies, count, backend="cuda")
    for names in (("idle_breathe",), ("walk", "look_around")):
        played = [made(body, names) for body in bodies]
        for count in (1, 100, 2000):
            yield first_time(bodies, names, count)
            yield again(played, names, count)


def live(bodies: list[Character], count: int, backend: Backend | None = None) -> Case:
    """So many creatures that walk and look at targets that move: stepped a second, everything included."""
    rng = np.random.default_rng(2)
    stages = rng.uniform(-30, 30, (count, 2)), rng.uniform(-np.pi, np.pi, count)
    chosen = [bodies[number % len(bodies)] for number in range(count)]
    crowd = Crowd(chosen, stages[0].tolist(), stages[1].tolist(), backend=backend)
    for actor in crowd:
        actor.go(speed=actor.troupe.easy_speed)
        actor.look_at(rng.normal(size=3) * 5)
    move = on_gpu() if backend == "cuda" else on_cpu

    def play() -> None:
        for _ in range(round(RATE)):
            for troupe in crowd.troupes:
                move(troupe)
            crowd.step(1 / RATE)
        crowd.wait()

    where = " on a GPU" if backend == "cuda" else ""
    return case(f"crowd, live{where}: walk and look at what moves", count, round(RATE), play)


def on_cpu(troupe: Troupe) -> None:
    """Move what a troupe looks at."""
    troupe.wishes.looks[:, :3] += 0.01


def on_gpu() -> Callable[[Troupe], None]:
    """The same where the targets live."""
    cuda = cuda_module()

    @cuda.jit
    def add(looks, count):
        for item in range(cuda.grid(1), 3 * count, cuda.gridsize(1)):
            looks[item % count, item // count] += np.float32(0.01)

    return lambda troupe: add[256, 256, troupe.gpu.stream](troupe.wishes.there.looks, len(troupe))


def has_gpu() -> bool:
    """Whether kernels can run on one here."""
    try:
        return cuda_module() is not None
    except MissingExtraError:
        return False


def made(body: Character, names: tuple[str, ...]) -> Clip:
    """A performance that nothing is known of yet but the body."""
    return perform(body, *names, duration=LENGTH)


def first_time(bodies: list[Character], names: tuple[str, ...], count: int) -> Case:
    """So many creatures that each begin a performance of their own: everything is worked out."""
    moments = np.arange(LENGTH * RATE + 1) / RATE

    def play() -> None:
        for number in range(count):
            show(made(bodies[number % len(bodies)], names), moments)

    return case(f"crowd, first time: {'+'.join(names)}", count, len(moments), play)


def again(played: list[Clip], names: tuple[str, ...], count: int) -> Case:
    """So many creatures that share some performances, a second of each, each at its own moment."""
    starts = np.random.default_rng(1).uniform(0, LENGTH - 1.0, count)
    moments = np.arange(RATE) / RATE

    def play() -> None:
        for number, start in enumerate(starts):
            show(played[number % len(played)], start + moments)

    for clip in played:
        show(clip, moments)
    return case(f"crowd, shown again: {'+'.join(names)}", count, len(moments), play)


def case(name: str, count: int, frames: int, play: Callable[[], None]) -> Case:
    """Beside the aim."""
    contenders = [
        Contender("mummer, from curves to places of joints", play, "ours"),
        Contender("2,000 at 60 frames a second on two cores", None, "limit", seconds=lambda: AIM * count * frames),
    ]
    return Case(name, f"{count} creatures × {frames} frames", count * frames, contenders)


def show(clip: Clip, times: np.ndarray) -> np.ndarray:
    """Where all joints are."""
    return WorldState(clip.body, clip.frames(times).to_pose()).positions
