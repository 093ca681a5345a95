# ruff: noqa: T201
"""Gaits on 1 to 12 legs, over level, sloped and stepped ground, at five speeds, and round corners with sudden stops.

Run with ``python -m tests.general.gait.study [QUICK]``; each row is one body, each number the worst of its journeys.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

import mummer as mm
from mummer.arrays import FloatArray
from mummer.general import Physique, physique_of
from mummer.general.gait import Walk, gait, legs_of, natural_speed
from mummer.general.gait.clock import time_unit
from mummer.general.whole import whole_of
from mummer.recognition import recognize
from tests.conftest import find_data
from tests.general.gait.bodies import legged, slope, stairs
from tests.general.gait.judging import Verdict, judge

SPEEDS = (0.3, 0.7, 1.0, 2.0, 3.5)
"""In natural speeds of the body."""
RIGS = (
    "khronos/Fox.glb",
    "mesh2motion/fox-cat.glb",
    "mesh2motion/rig-dragon.glb",
    "mesh2motion/rig-kaiju.glb",
    "mesh2motion/bird-eagle.glb",
    "quaternius/Horse.glb",
    "quaternius/Wolf.glb",
    "threejs/Soldier.glb",
)
"""Bodies that others made, where the data is here."""
MOST_SLIP = 0.002
"""Parts of a leg's length that a planted foot may move in a frame."""


def bodies() -> Iterator[tuple[str, Physique]]:
    """All bodies of the study, by name."""
    for count in range(1, 13):
        yield f"{count} upright legs", legged(count)
    for count in range(2, 13, 2):
        yield f"{count} sprawling legs", legged(count, sprawling=True)
    for name in mm.zoo.names():
        physique = physique_of(mm.zoo.body(name))
        if legs_of(physique):
            yield name, physique
    for seed in range(30):
        physique = physique_of(mm.zoo.random_creature(seed))
        if legs_of(physique):
            yield f"creature {seed}", physique
    folder = find_data()
    for name in RIGS if folder is not None else ():
        assert folder is not None
        body = mm.load(folder / "characters" / name)
        body = replace(body, anatomy=recognize(body))
        whole = whole_of(body)
        yield name, physique_of(body if whole is None else whole.character)


def journeys(physique: Physique) -> Iterator[tuple[str, Walk]]:
    """All journeys of one body, by name."""
    pace = natural_speed(physique)
    size = float(np.mean([leg.length for leg in legs_of(physique)]))
    for factor in SPEEDS:
        far = 2.5 * pace * factor
        for name, ground in (("level", None), ("slope", slope), ("stairs", stairs(size))):
            walk = gait(physique, path=[(0, 0), (0, far)], speed=factor * pace, ground=ground)
            assert isinstance(walk, Walk)
            yield f"{name} ×{factor:g}", walk
    # What is sudden for a body is a matter of its size.
    long = max(time_unit(legs_of(physique)) / 0.3, 1.0)
    walk = gait(physique, path=lambda times: sudden(pace)(times / long) / [1, 1, long], duration=6.0 * long)
    assert isinstance(walk, Walk)
    yield "sudden", walk


def sudden(pace: float) -> Callable[[FloatArray], FloatArray]:
    """A velocity that goes round a bend, stops dead, turns on the spot, goes sideways and then backwards."""

    def velocity(times: FloatArray) -> FloatArray:
        turn = 0.8 * times
        bend = np.stack([pace * np.sin(turn), pace * np.cos(turn), np.full(len(times), 0.8)], axis=1)
        spot = np.stack([0 * times, 0 * times, np.full(len(times), 1.5)], axis=1)
        aside = np.stack([np.full(len(times), 0.5 * pace), 0 * times, 0 * times], axis=1)
        found = np.where((times < 2.0)[:, None], bend, 0.0)
        found = np.where(((times >= 2.8) & (times < 3.8))[:, None], spot, found)
        return np.asarray(np.where((times >= 4.5)[:, None], aside, found))

    return velocity


def worst(verdicts: list[Verdict]) -> Verdict:
    """The worst of each number."""
    return Verdict(*(max(values) for values in zip(*verdicts, strict=True)))


def main(arguments: list[str]) -> None:
    """Print the table."""
    wanted = arguments or None
    print(f"{'body':22} {'slip %':>8} {'miss %':>8} {'hips g':>8} {'jump':>6} {'phase':>6}  worst journey")
    failed = total = 0
    for name, physique in bodies():
        if wanted and not any(word == name for word in wanted):
            continue
        began = time.perf_counter()
        found = [(journey, judge(walk)) for journey, walk in journeys(physique)]
        total += len(found)
        failed += sum(verdict.slip >= MOST_SLIP for _, verdict in found)
        most = worst([verdict for _, verdict in found])
        which = max(found, key=lambda pair: pair[1].slip)[0]
        print(
            f"{name:22} {100 * most.slip:8.3f} {100 * most.miss:8.3f} {most.jerk:8.2f} {most.jump:6.3f} "
            f"{most.phase:6.3f}  {which} ({time.perf_counter() - began:.1f} s)",
            flush=True,
        )
    print(f"{total - failed} of {total} journeys keep planted feet within {100 * MOST_SLIP:g} % of a leg a frame")


if __name__ == "__main__":
    main(sys.argv[1:])
