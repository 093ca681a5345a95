# ruff: noqa: T201
"""A study by hand: actors of many bodies that are told something at random moments.

    python -m tests.engine.study [--bodies 200] [--seconds 60] [--first 5000] [--zoo]

Prints a line a body (the largest jump by the judge of pops, and how far feet that stand slide at most and at the 99th
percentile, parts of a leg a frame) and how many are within the bars: no jump, 0.2 % of a leg, no number that is not
finite.
"""

from __future__ import annotations

import argparse

import numpy as np

import mummer as mm
from mummer.grid.judge import pops, scene_of
from tests.engine.commands import body_named, watch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=5000)
    parser.add_argument("--zoo", action="store_true", help="the built-in bodies in place of random creatures")
    options = parser.parse_args()
    names = mm.zoo.names() if options.zoo else [str(options.first + number) for number in range(options.bodies)]
    rows = []
    for name in names:
        actor = mm.Actor(body_named(name), at=(0, 0), heading=0.0)
        seen = watch(actor, options.seconds, np.random.default_rng([17, *name.encode()]))
        jump = pops.JUDGE.score(scene_of(seen.clip))
        slips = seen.slips()
        worst = float(slips.max(initial=0.0))
        usual = float(np.percentile(slips[slips > 0], 99)) if (slips > 0).any() else 0.0
        rows.append((jump.passed, worst < 0.002, bool(np.isfinite(seen.joints).all()), usual < 0.002))
        print(
            f"{name:12s} jump {jump.value:6.2f} % {jump.where:32s} slip {100 * worst:6.2f} % 99th {100 * usual:5.2f} %"
        )
    jumps, slips_within, finite, usually = np.array(rows).sum(axis=0)
    print(f"{len(rows)} bodies: {jumps} without a jump, {slips_within} whose feet always stay within 0.2 %, ", end="")
    print(f"{usually} in 99 of 100 frames, {finite} with finite numbers only")


if __name__ == "__main__":
    main()
