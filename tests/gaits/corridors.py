"""Whether people walk and run as recorded people do: curves of the stride against corridors of recordings.

``python -m tests.gaits.corridors DATA [BODY ...]`` measures the recordings below ``DATA``, makes a corridor for each
speed, and prints for every body which part of the cycle lies inside, curve by curve.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.arrays import FloatArray
from mummer.character.kinematics import world_positions
from mummer.character.pose import Pose
from mummer.clip import Sampled
from mummer.recognition import recognized
from tests.gaits.cycle import CURVES, GRAVITY, Strides, strides

FAMILIES = ("cmu07_walk", "cmu16_walk", "cmu35_walkrun", "cmu09_run", "cmu16_run", "sb_loco_utah", "sb_loco_marine")
"""Where people walk and run as people do; not those in a style, and not those that strafe."""
MOST_TURN = 25.0
"""Degrees to either side that a recording may turn in all."""
WIDER = 0.25
"""By which part of itself the range of recordings is widened, at both ends together."""
WALKS, RUNS = (0.33, 0.43, 0.55), (0.85, 1.1)
"""Speeds at which bodies are asked to walk and run, over the root of gravity times leg length."""
FEWEST = 4
"""How many recordings, the nearest in speed, make a corridor."""


def recordings(data: Path) -> Iterator[tuple[str, str, Strides]]:
    """Name, kind (walk or run) and strides of each straight recording."""
    for family in FAMILIES:
        folder = data / "motions_families" / family
        table = json.loads((folder / "family.json").read_text())
        for trial in table["trials"]:
            label = f"{trial.get('label') or trial['trial']}".lower()
            turn = abs(trial["parameters"].get("turn_left_deg", 0.0))
            if turn > MOST_TURN or "strafe" in label or "stop" in label:
                continue
            options = {"skeleton": folder / table["skeleton"]} if trial["trial"].endswith(".skm") else {}
            body = recognized(mm.load(folder / trial["path"], **options))
            clip = Sampled(body, body.recordings[0])
            begin = clip.start + trial.get("skip_frames", 0) / trial["fps"]
            found = strides(clip, begin, clip.end)
            if found is not None:
                yield trial["trial"], "walk" if "walk" in label else "run", found


def corridor(curves: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """(MOMENTS,) lowest and highest of strides, widened."""
    rows = np.concatenate(curves)
    low, high = rows.min(axis=0), rows.max(axis=0)
    more = 0.5 * WIDER * (high - low)
    return low - more, high + more


def inside(made: Strides, among: list[Strides]) -> dict[str, float]:
    """The part of the cycle during which the mean stride lies within those of recordings near in speed, by curve."""
    near = sorted(among, key=lambda one: abs(one.speed - made.speed))[: max(FEWEST, len(among) // 2)]
    parts = {}
    for name in CURVES:
        rows = [one.curves[name] for one in near if name in one.curves]
        if rows and name in made.curves:
            low, high = corridor(rows)
            mean = made.curves[name].mean(axis=0)
            parts[name] = float(np.mean((mean >= low) & (mean <= high)))
    return parts


def performed(body: mm.Character, animation: str, speed: float) -> Strides | None:
    """A body that walks or runs straight on at a speed."""
    clip = mm.perform(body, animation, pace=speed * (GRAVITY * leg_length(body)) ** 0.5, duration=4.0, ends="moving")
    return strides(clip, clip.start, clip.end)


def leg_length(body: mm.Character) -> float:
    """Metres from hip to ankle along the leg."""
    places = world_positions(body, Pose.rest(body))
    roles = body.anatomy.roles
    hip, knee, ankle = (places[roles[f"left_{role}"]] for role in ("upper_leg", "lower_leg", "foot"))
    return float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))


def main(data: Path, names: list[str]) -> None:
    """Print what recordings span, then which part of the cycle bodies keep to it."""
    by_kind: dict[str, list[Strides]] = {"walk": [], "run": []}
    print(f"{'recording':34}kind  speed flight  " + "".join(f"{name:>14}" for name in CURVES))
    for name, kind, one in recordings(data):
        by_kind[kind].append(one)
        print(f"{name:34}{kind:5} {one.speed:5.2f} {one.flight:6.2f}  " + ranges(one))
    totals: dict[str, list[float]] = {name: [] for name in CURVES}
    for name in names:
        body = recognized(mm.load(name)) if not name.startswith("zoo:") else mm.load(name)
        for kind, speeds in (("walk", WALKS), ("run", RUNS)):
            for speed in speeds:
                made = performed(body, kind, speed)
                if made is None:
                    print(f"{name[-33:]:34}{kind:5} {speed:5.2f} does not stride")
                    continue
                print(f"{name[-33:]:34}{kind:5} {made.speed:5.2f} {made.flight:6.2f}  " + ranges(made))
                parts = inside(made, by_kind[kind])
                for curve, part in parts.items():
                    totals[curve].append(part)
                print(
                    f"{'':34}inside            "
                    + "".join(f"{100 * parts.get(curve, np.nan):13.0f}%" for curve in CURVES)
                )
    print(
        "mean inside, %: " + ", ".join(f"{name} {100 * np.mean(parts):.0f}" for name, parts in totals.items() if parts)
    )
    every = [part for parts in totals.values() for part in parts]
    print(f"curves with at least 90 % of the cycle inside: {sum(part >= 0.9 for part in every)} of {len(every)}")


def ranges(one: Strides) -> str:
    """Lowest and highest of the mean stride, curve by curve."""
    cells = []
    for name in CURVES:
        mean = one.curves[name].mean(axis=0) if name in one.curves else np.array([np.nan])
        cells.append(f"{mean.min():7.0f}{mean.max():7.0f}" if name != "bob" else f"{mean.min():7.1f}{mean.max():7.1f}")
    return "".join(cells)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or [f"zoo:{name}" for name in ("adult", "child")])
