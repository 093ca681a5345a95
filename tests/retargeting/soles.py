# ruff: noqa: T201
"""A study by hand: how flat soles lie on the ground while the source's feet stand: skin, not joints.

    python -m tests.retargeting.soles [--every 7] [--seconds 4] [--source WORD] [--target WORD] [--rows]

The motions and bodies of `tests.retargeting.study`, those with skin. A foot of the source stands flat where its ankle
and its toes are both slow and as low as they come in the motion. The sole is the skin of the target's foot, toes aside,
that lies on the ground at rest; a plane is laid through it. Told are the slope of that plane in degrees, and how far
its middle is off the ground in millimetres (of a body of 1.7 m), each in the worst tenth of the moments.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import numpy as np

from tests.retargeting import study

SLOW = 0.04
"""Body heights a second that a foot which stands may move."""
LOW = 0.006
"""Body heights that ankle and toes may be above where they are when they are lowest."""
SOLE = 0.012
"""Body heights above the ground up to which skin of a foot at rest is its sole."""
HEIGHT = 1.7
"""Metres that bodies are taken to be high, so that millimetres compare."""
BARS = {"slope": 1.0, "off": 5.0}


def joints_of(body, side: str) -> tuple[int, int] | None:
    """Ankle and toes."""
    roles = body.anatomy.roles
    toes = roles.get(f"{side}_toes")
    return None if toes is None or f"{side}_foot" not in roles else (roles[f"{side}_foot"], toes)


def height_of(body) -> float:
    """From the ground to the highest joint at rest."""
    from mummer.character.derive import rest_positions

    return float(np.ptp(rest_positions(body.skeleton)[:, 1]))


def stands(source, times: np.ndarray, side: str) -> np.ndarray:
    """(T,) whether a foot of the source stands flat."""
    from mummer.measure.watched import places_at

    found = joints_of(source.body, side)
    if found is None:
        return np.zeros(len(times), bool)
    places = places_at(source, times)[:, list(found)] / height_of(source.body)
    speed = np.linalg.norm(np.gradient(places, times, axis=0), axis=2)
    low = places[..., 1] - np.quantile(places[..., 1], 0.02, axis=0)
    still = ((speed < SLOW) & (low < LOW)).all(axis=1)
    # Not for a moment only: a fifth of a second.
    width = max(1, round(0.2 / float(times[1] - times[0])))
    whole = np.convolve(still, np.ones(width), "valid") >= width - 0.5
    return np.convolve(whole, np.ones(width), "full") > 0.5


def sole_of(body, side: str):
    """The skin of a sole: the mesh, and which of its vertices; None where there is none."""
    from mummer.character import Pose
    from mummer.character.deform import deform

    found = joints_of(body, side)
    if found is None or not body.meshes:
        return None
    foot, toes = found
    own = set(body.skeleton.descendants(foot)) - set(body.skeleton.descendants(toes))
    best = None
    for number, mesh in enumerate(body.meshes):
        if mesh.skin is None:
            continue
        weight = np.where(np.isin(mesh.skin.joints[mesh.skin.indices], list(own)), mesh.skin.weights, 0.0).sum(axis=1)
        places = deform(body, Pose.rest(body.skeleton), with_normals=False)[number].positions
        low = places[:, 1] < body.anatomy.ground + SOLE * height_of(body)
        chosen = np.flatnonzero((weight > 0.9) & low)
        if len(chosen) >= 6 and (best is None or len(chosen) > len(best[1])):
            best = number, chosen
    return best


def planes(points: np.ndarray, floor: float) -> tuple[np.ndarray, np.ndarray]:
    """(T,) degrees, metres: the slope of the plane through (T, n, 3) points, how far their middle is off the floor."""
    middle = points.mean(axis=1, keepdims=True)
    normals = np.linalg.svd(points - middle, full_matrices=False)[2][:, 2]
    slope = np.degrees(np.arccos(np.clip(np.abs(normals[:, 1]), 0.0, 1.0)))
    return slope, middle[:, 0, 1] - floor


def measure_pair(source, made) -> dict[str, float] | None:
    """The worst tenth of slopes and heights, less those at rest, where the source's feet stand; None if none does."""
    from mummer.character import Pose
    from mummer.character.deform import deform

    times = source.times(30.0)
    body, slopes, offs = made.body, [], []
    for side in ("left", "right"):
        still, sole = stands(source, times, side), sole_of(body, side)
        if sole is None or not still.any():
            continue
        rest = deform(body, Pose.rest(body.skeleton), with_normals=False)[sole[0]].positions[sole[1]][None]
        flat, high = planes(rest, body.anatomy.ground)
        poses = made.sample(times[still][:: max(1, int(still.sum() // 40))])
        shown = deform(body, poses, with_normals=False)[sole[0]].positions[:, sole[1]]
        slope, off = planes(shown, body.anatomy.ground)
        slopes += list(np.maximum(slope - flat, 0.0))
        offs += list(1000 * np.abs(off - high) * HEIGHT / height_of(body))
    if not slopes:
        return None
    return {"slope": float(np.quantile(slopes, 0.9)), "off": float(np.quantile(offs, 0.9)), "frames": len(slopes)}


def rows(options: argparse.Namespace) -> Iterator[dict]:
    """One object a pair."""
    from mummer.clip import Sampled
    from mummer.clip.recorded import bake
    from mummer.errors import MummerError
    from mummer.retargeting import Onto

    for task in study.tasks(options):
        try:
            body, target = study.load(task.file), study.load(task.target)
            if not target.meshes:
                continue
            source = Sampled(body, body.recording(task.clip))
            source = bake(source.trimmed(source.start, min(source.end, source.start + task.seconds)), 30.0)
            found = measure_pair(source, bake(Onto(source, target), 30.0))
        except MummerError as error:
            print(f"left out {task.name} > {task.target}: {error}", file=sys.stderr)
            continue
        if found is not None:
            yield {"pair": f"{task.name} > {task.target}", **found}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for flag in ("--quick", "--rows"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--every", type=int, default=7)
    parser.add_argument("--source", default="")
    parser.add_argument("--target", default="")
    options = parser.parse_args()
    found = list(rows(options))
    if options.rows:
        for row in sorted(found, key=lambda row: row["slope"]):
            print(f"{row['slope']:6.2f}° {row['off']:7.1f} mm {row['frames']:5d} {row['pair']}")
    for key, bar in BARS.items():
        values = np.array([row[key] for row in found])
        middle, high, worst = np.quantile(values, [0.5, 0.9, 1.0])
        passed = f"{np.sum(values <= bar)} of {len(values)} within {bar:g}"
        print(f"{key}: {passed}; median {middle:.2f}, 90 % under {high:.2f}, worst {worst:.2f}")


if __name__ == "__main__":
    main()
