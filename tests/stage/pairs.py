"""Every model after every other, in every style: python -m tests.stage.pairs [--bodies A,B] [--count N] [--seed S].

Each ordered pair is a play of two actions of one actor, cut as users get it. The stretch around the join is judged by
the grid: skin that jumps, or is in other parts, beyond what either action alone shows; numbers that are not finite. How
long it takes to come from one into the other is held against pieces of recordings between two rests: 0.12 to 3 s.
Without ``--count`` all pairs are tried; with it so many of them at random. `rows` gives the same for whoever spreads
seeds over many cores.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import mummer as mm
from mummer.clip import Clip
from mummer.errors import MummerError
from mummer.grid.judge import JUDGES, scene_of
from mummer.model import load_model, model_names, style_names

BODIES = ("zoo:adult", "zoo:dog", "zoo:spider")
SHORT, LONG = 0.12, 3.0
"""Seconds that pieces of recordings take from one rest to the next; see `tests.stage.transitions`."""
AROUND = 0.3
"""Seconds before and after a join that are looked at."""
JUDGED = ("pops", "penetration")
THINGS = ("ballistic", "motionless")
"""Models of things, which nobody segues into."""


def moves() -> list[tuple[str, str]]:
    """Every model in every style."""
    return [(name, style) for name in model_names() if name not in THINGS for style in style_names(name)]


def values_of(name: str, height: float) -> dict[str, object]:
    """Where things are that a model is about, for a body of a height."""
    model = load_model(name)
    place = next((name for name in ("target", "mirror") if model.has(name)), "")
    if place:
        far = 3.0 if model.deform == "throw" else 0.28
        return {place: (0.1 * height, 0.6 * height, far * height)}
    if model.has("to"):
        return {"to": (0.0, 0.0, 0.4 * height)}
    return {}


def judged(clip: Clip, begin: float, end: float) -> dict[str, float]:
    """What the judges say of a stretch, in parts of what they let pass."""
    scene = scene_of(clip.trimmed(max(begin, clip.start), min(end, clip.end)))
    found = {}
    for judge in JUDGES:
        if judge.name in JUDGED:
            score = judge.score(scene)
            found[judge.name] = 0.0 if score.value is None else score.value / score.threshold
    return found


def faults_of(body: str, first: tuple[str, str], second: tuple[str, str]) -> list[str]:
    """What is wrong with a pair."""
    character = mm.load(body)
    height = 1.0 if character.anatomy is None else character.anatomy.height
    play = mm.Play("pair").actor("a", character)
    for which, (name, style) in (("one", first), ("two", second)):
        play = play.do("a", name, name=which, style=style, **values_of(name, height))
    cut = play.cut()
    clip, two = cut.clips["a"], cut.done["two"]
    faults = []
    if not SHORT <= two.seconds <= LONG:
        faults.append(f"takes {two.seconds:.2f} s")
    here = judged(clip, two.begin - AROUND, two.begin + two.seconds + AROUND)
    if max(here.values()) <= 1:
        return faults
    alone = [judged(done.action.clip, done.action.clip.start, done.action.clip.end) for done in cut.done.values()]
    for name, value in here.items():
        usual = max(each[name] for each in alone)
        if value > max(1.0, 1.1 * usual):
            faults.append(f"{name} {value:.1f} of the limit, {usual:.1f} by themselves")
    return faults


@dataclass(frozen=True)
class Row:
    """One pair: which, and what is wrong with it."""

    pair: str
    faults: list[str]


def rows(seed: int, count: int = 0, bodies: Sequence[str] = BODIES) -> Iterator[Row]:
    """So many ordered pairs in the order of a seed, or all; what is drawn depends on nothing but these three."""
    pairs = list(itertools.product(bodies, moves(), moves()))
    for place in np.random.default_rng(seed).permutation(len(pairs))[: count or None]:
        body, first, second = pairs[place]
        try:
            faults = faults_of(body, first, second)
        except MummerError as error:
            faults = [f"refused: {error}"]
        except Exception as error:  # What breaks is what is looked for.
            faults = [f"broken: {type(error).__name__}: {error}"]
        yield Row(f"{body} {' '.join(first)} -> {' '.join(second)}", faults)


def say(line: str) -> None:
    """A line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def tell(done: Sequence[Row], all_of_them: int) -> None:
    """What was found, in a line."""
    kinds = Counter(fault.split()[0] for each in done for fault in each.faults)
    bad = sum(bool(each.faults) for each in done)
    say(f"{len(done)} of {all_of_them} pairs, {bad} with faults: {dict(kinds)}")


def main() -> None:
    """Try pairs and tell."""
    reader = argparse.ArgumentParser(prog="python -m tests.stage.pairs", description=__doc__)
    reader.add_argument("--bodies", default=",".join(BODIES))
    reader.add_argument("--count", type=int, default=0)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--seconds", type=float, default=float("inf"))
    told = reader.parse_args()
    bodies = told.bodies.split(",")
    done: list[Row] = []
    begun = time.monotonic()
    for each in rows(told.seed, told.count, bodies):
        done.append(each)
        for fault in each.faults:
            say(f"{each.pair}: {fault}")
        if time.monotonic() - begun > told.seconds:
            break
    tell(done, len(moves()) ** 2 * len(bodies))


if __name__ == "__main__":
    main()
