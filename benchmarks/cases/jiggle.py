"""Jiggles and movement modes: loose parts of a dog and a dragon over ten seconds; maps of a hand over 600 moments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from benchmarks.timing import Case, Contender
from mummer import zoo
from mummer.character import Pose, Recording
from mummer.clip import Sampled
from mummer.general import Context, physique_of, select
from mummer.general.jiggle import Jiggled
from mummer.general.jiggle.chains import Chains
from mummer.general.jiggle.simulate import Swinging, step_numbers, swung
from mummer.general.modes import PositionMode, Target, position_map, rest_target
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

SECONDS, RATE = 10.0, 60.0


def cases() -> Iterator[Case]:
    for name in ("dog", "dragon"):
        yield jiggling(name)
    yield maps()


def shaken(name: str) -> Sampled:
    """The body at rest, its root turned to and fro and moved up and down."""
    body = zoo.body(name)
    times = np.arange(round(SECONDS * RATE) + 1) / RATE
    rest = Pose.rest(body.skeleton)
    rotations = np.repeat(rest.rotations[None], len(times), axis=0)
    swing = np.outer(0.5 * np.sin(2 * np.pi * times), [0.0, 1.0, 0.0])
    rotations[:, 0] = quaternion.multiply(quaternion.exp(swing), rotations[:, 0])
    root = np.repeat(np.asarray(rest.root_translation)[None], len(times), axis=0)
    root[:, 1] += 0.05 * np.sin(4 * np.pi * times)
    return Sampled(body, Recording.from_poses("shaken", times, Pose(rotations, root), frame_rate=RATE))


def jiggling(name: str) -> Case:
    clip = shaken(name)
    jiggled = Jiggled(clip)
    assert np.linalg.norm(jiggled.turns, axis=-1).max() > 0.1, "something swings"
    chains, state = jiggled.chains, WorldState(clip.body, clip.sample(jiggled.knots))
    swinging, step = Swinging(1.0, 0.3, (0.0, 1.0, 0.0), 0.0), float(jiggled.knots[1] - jiggled.knots[0])
    assert state.positions.size
    times = clip.times(RATE)
    frames = len(times) - 1
    tips = state.positions[:, chains.joints] + quaternion.rotate(state.rotations[:, chains.joints], chains.levers)
    contenders = [
        Contender(
            "the swing alone, joints placed", lambda: swung(chains, state, step, swinging, is_loop=False), "ours"
        ),
        Contender("a new Jiggled(clip), all frames", lambda: Jiggled(clip).frames(times), "ours"),
        Contender("frames of a Jiggled(clip) again", lambda: jiggled.frames(times), "ours"),
        Contender("numpy: the tips' springs alone, step by step", lambda: numpy_springs(chains, tips, step)),
    ]
    work = f"{len(chains)} of {len(clip.body.skeleton)} joints swing × {frames} frames ({len(jiggled.knots)} steps)"
    return Case(f"jiggle {name}", work, frames * len(chains), contenders)


def numpy_springs(chains: Chains, tips: np.ndarray, step: float) -> np.ndarray:
    """The same springs without turning any joint: what a loop over steps in Python costs at least."""
    a, b, c, d = step_numbers(chains.rates, step, 1.0).T[:4, :, None]
    lag, rate, speeds = np.zeros_like(tips[0]), np.zeros_like(tips[0]), np.diff(tips, axis=0) / step
    for before, now in pairwise(speeds):
        rate = rate - (now - before)
        lag, rate = a * lag + b * rate, c * lag + d * rate
    return lag


def maps() -> Case:
    physique = physique_of(zoo.body("adult"))
    hand = select(physique, "grasper")[0]
    count = 600
    general = np.random.default_rng(1).uniform(-1, 1, (count, 3))
    fruit = Target(np.random.default_rng(2).normal(size=(count, 3)))
    head = rest_target(physique, hand, Context("head"), surface=True)
    modes = {
        "rest, limb length": (PositionMode(scale="limb"), None),
        "toward a moving target": (PositionMode(toward=Context("target")), fruit),
        "reach": (PositionMode(reach=True), None),
        "boundary of the head": (PositionMode(toward=Context("head"), boundary=(0.0, -0.8, 1.0)), head),
    }
    contenders = [
        Contender(name, lambda mode=mode, target=target: specialized(physique, hand, mode, target, general), "ours")
        for name, (mode, target) in modes.items()
    ]
    return Case("movement modes", f"map made and asked for {count} moments of one joint", count, contenders)


def specialized(physique, hand: int, mode: PositionMode, target: Target | None, general: np.ndarray) -> np.ndarray:
    return position_map(physique, hand, mode, target=target).specialize(general)
