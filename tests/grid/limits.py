"""What each judge measures on motions that were captured or made by hand, on the bodies they were made for.

``python -m tests.grid.limits [FOLDER]`` prints the percentiles that the thresholds of the judges are taken from.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mummer.clip import Sampled
from mummer.clip.clip import Clip
from mummer.errors import MummerError
from mummer.grid import JUDGES, Score
from mummer.grid.judge import scene_of
from mummer.io import load
from mummer.recognition import recognized

FILES, RECORDINGS, LONGEST = 4, 4, 6.0
"""At most so many files of one origin, recordings of one file, and seconds of one recording."""
SKIPPED = 0.1
"""Seconds at the start that are left out: many captured motions begin with a single frame of another pose."""
PERCENTILES = (50, 75, 90, 95, 99)
FOLDERS = ("characters", "motions", "motions_families")
KINDS = (".glb", ".gltf", ".bvh", ".fbx")


def motions(folder: Path) -> Iterator[tuple[str, Clip]]:
    """Recordings of a folder, a few of each origin, in an order that a seed decides."""
    files = [path for kind in FOLDERS for path in sorted((folder / kind).rglob("*"))]
    files = [path for path in files if path.suffix.lower() in KINDS]
    random.Random(3).shuffle(files)
    taken: Counter[str] = Counter()
    for path in files:
        origin = path.relative_to(folder).parts[1]
        if taken[origin] >= FILES:
            continue
        try:
            body = recognized(load(path))
        except MummerError:
            continue
        chosen = [recording for recording in body.recordings if recording.duration >= 0.4]
        random.Random(1).shuffle(chosen)
        taken[origin] += bool(chosen)
        for recording in chosen[:RECORDINGS]:
            clip = Sampled(body, recording)
            start = clip.start + min(SKIPPED, 0.1 * clip.duration)
            yield f"{path.stem}/{recording.name}", clip.trimmed(start, min(clip.end, start + LONGEST))


def measured(folder: Path) -> dict[str, list[tuple[float, str]]]:
    """What every judge that had something to say measured, by its name: values, and of what."""
    found: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for name, clip in motions(folder):
        try:
            scene = scene_of(clip, finds_ground=True)
            scores: list[Score] = [judge.score(scene) for judge in JUDGES]
        except MummerError:
            continue
        for score in scores:
            if score.value is not None:
                skin = "skin" if clip.body.meshes else "bare"
                found[score.measure].append((score.value, f"{name} ({skin}): {score.where}"))
    return {measure: sorted(values) for measure, values in found.items()}


def main(folder: Path) -> None:
    found = measured(folder)
    for judge in JUDGES:
        values = np.array([value for value, _ in found.get(judge.name, ())])
        if not len(values):
            continue
        skinned = np.array(["(skin)" in where for _, where in found[judge.name]])
        for which, chosen in (("all", values), ("with skin", values[skinned])):
            at = ", ".join(f"{percent} %: {np.percentile(chosen, percent):.3g}" for percent in PERCENTILES)
            share = 100.0 * np.mean(chosen <= judge.threshold)
            print(f"{judge.name}, {which}, {len(chosen)} motions: {at}; {share:.0f} % within {judge.threshold:g}")
        for value, where in found[judge.name][-8:]:
            print(f"    {value:.3g} {where}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data"))
