# ruff: noqa: T201
"""A study by hand: actors of many bodies that are told something at random moments.

    python -m tests.engine.study [--bodies 200] [--seconds 60] [--first 5000] [--zoo] [--calm]

Prints a line a body: the largest jump by the judge of pops and by the change of velocity that recordings show, how far
feet that stand slide at most and in all but one of a hundred moments, parts of a leg in 1/60 s, and what was said last
before the worst of each. Then how many bodies are within the bars.
"""

from __future__ import annotations

import argparse

import numpy as np

import mummer as mm
from mummer.grid.judge import pops, scene_of
from tests.engine.commands import RATE, Seen, body_named, watch
from tests.engine.judging import BAR, MOST_CHANGE, changes, slips


def before(seen: Seen, frame: int) -> str:
    """What was said last before a frame."""
    last = [f"{what} {(frame - when) / RATE:.1f} s" for when, what in seen.said if when <= frame][-3:]
    return f"{frame / RATE:5.1f} s after " + ", ".join(last)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=5000)
    parser.add_argument("--zoo", action="store_true", help="the built-in bodies in place of random creatures")
    parser.add_argument("--calm", action="store_true", help="nothing is said but to walk ahead")
    options = parser.parse_args()
    names = mm.zoo.names() if options.zoo else [str(options.first + number) for number in range(options.bodies)]
    rows = []
    for name in names:
        actor = mm.Actor(body_named(name), at=(0, 0), heading=0.0)
        if options.calm:
            actor.go(speed=actor.troupe.easy_speed)
        seen = watch(actor, options.seconds, None if options.calm else np.random.default_rng([17, *name.encode()]))
        finite = bool(np.isfinite(seen.poses.rotations).all() and np.isfinite(seen.poses.root_translation).all())
        jump, change = pops.JUDGE.score(scene_of(seen.clip)), changes(seen.character, seen.poses, RATE)
        slip = slips(seen.character, seen.poses, seen.grounds, RATE)
        standing = np.append(slip[~np.isnan(slip)], 0.0)
        worst, usual = float(standing.max()), float(np.percentile(standing, 99))
        most = np.unravel_index(int(np.argmax(change)), change.shape)
        no_jump = jump.passed and change.max() < MOST_CHANGE
        rows.append((no_jump, jump.passed, worst < BAR, usual < BAR, finite))
        print(f"{name:10s} {'' if no_jump else 'JUMP':4s} {'' if worst < BAR else 'SLIP':4s} "
              f"pop {jump.value:5.2f} % change {change.max():5.2f} {seen.character.skeleton.names[most[1]]:16s} "
              f"slip {100 * worst:5.2f} % 99th {100 * usual:5.2f} %", flush=True)  # fmt: skip
        if not no_jump:
            print(f"           jump {jump.where}; {before(seen, int(most[0]) + 1)}")
        if worst >= BAR:
            frame, foot = np.unravel_index(int(np.nanargmax(slip)), slip.shape)
            print(f"           slip of foot {foot}, {int((slip > BAR).sum())} moments; {before(seen, int(frame))}")
    jumps, pop, always, usually, finite = np.array(rows).sum(axis=0)
    print(f"{len(rows)} bodies: {jumps} without a jump ({pop} by the judge of pops alone), {always} whose feet "
          f"always stand within 0.2 %, {usually} in 99 of 100 moments, {finite} with finite numbers only")  # fmt: skip


if __name__ == "__main__":
    main()
