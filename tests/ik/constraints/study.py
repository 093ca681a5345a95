"""The constraint engine on every suitable recording.

``python -m tests.ik.constraints.study [--method ...]`` plants feet; with ``--mixed`` hands, heads and balance are
asked for as well; ``--held-out`` takes recordings that nothing was tuned on.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Sequence

from mummer.clip import Clip, SpaceWarp, SpaceWarpKey
from mummer.ik import Goal
from mummer.ik.constraints import Constrained, keep_contacts
from mummer.ik.constraints.track import span_of
from tests.conftest import find_data
from tests.ik.constraints.disturbed import HELD_OUT, WALKS, disturbances
from tests.ik.constraints.measures import judge
from tests.ik.constraints.mixed import KINDS, mixed_goals


def through_goals(clip: Clip, goals: Sequence[Goal]) -> SpaceWarp:
    """The classic way: the clip bent through the poses that meet goals at the moments where these begin and end."""
    moments = sorted({moment for goal in goals for moment in span_of(clip, goal)})
    poses = Constrained(clip, tuple(goals), ease=0.0).sample(moments)
    keys = [SpaceWarpKey.pose(float(moment), poses[place]) for place, moment in enumerate(moments)]
    return SpaceWarp(clip, tuple(keys), rate=120.0)


METHODS = {
    "offsets": lambda clip, goals: Constrained(clip, goals),
    "whole": lambda clip, goals: Constrained(clip, goals, solver="whole_body"),
    "warp keys": lambda clip, goals: Constrained(through_goals(clip, goals), goals, ease=0.0),
    "per frame": lambda clip, goals: Constrained(clip, goals, ease=0.0),
}


def study(methods: list[str], names: Sequence[str], *, mixed: bool) -> list[dict]:
    folder = find_data()
    if folder is None:
        sys.exit("real files are not here: set MUMMER_DATA to the folder that holds characters/ and motions/")
    rows = []
    for each in disturbances(folder, names):
        for kind in KINDS if mixed else ("feet",):
            goals = mixed_goals(each.clip, kind) if mixed else keep_contacts(each.clip)
            for method in methods:
                label = f"{each.kind}, {kind}" if mixed else each.kind
                rows.append(one(each.recording, label, method, each.clip, goals, each.bent, each.rate))
                print_row(rows[-1])
    return rows


def one(
    recording: str, kind: str, method: str, clip: Clip, goals: tuple[Goal, ...], bent: list[int], rate: float
) -> dict:
    made = METHODS[method](clip, goals)
    times = clip.times(rate)
    made.sample(times)
    began = time.perf_counter()
    made.sample(times)
    taken = time.perf_counter() - began
    began = time.perf_counter()
    clip.sample(times)
    taken -= time.perf_counter() - began
    verdict = dataclasses.asdict(judge(clip, made, goals, bent, rate=rate))
    return {"recording": recording, "kind": kind, "method": method, **verdict, "microseconds": 1e6 * taken / len(times)}


def print_row(row: dict) -> None:
    sys.stdout.write(
        f"{row['recording']:16} {row['kind']:21} {row['method']:9} miss {1e3 * row['missed']:7.3f} mm  "
        f"acc {row['acceleration']:5.2f} ang {row['angular']:5.2f} any {row['anywhere']:5.2f}  "
        f"energy {row['energy']:5.3f} legs {row['limb_energy']:5.3f}  hips {1e3 * row['lowered']:5.1f} mm  "
        f"{row['microseconds']:5.1f} us/frame\n"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", choices=sorted(METHODS), action="append")
    parser.add_argument("--mixed", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    recordings = HELD_OUT if options.held_out else WALKS
    found = study(options.method or list(METHODS), tuple(recordings), mixed=options.mixed)
    if options.json:
        sys.stdout.write(json.dumps(found) + "\n")
