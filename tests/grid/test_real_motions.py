"""What the judges say of motions that were captured or made by hand, on the bodies they were made for."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mummer.clip import Sampled
from mummer.clip.clip import Clip
from mummer.errors import MummerError
from mummer.grid import JUDGES, load_body
from mummer.grid.judge import scene_of

FILES, RECORDINGS, LONGEST = 3, 2, 8.0
"""At most so many files of one origin, recordings of one file, and seconds of one recording."""
JUDGED = ("sink", "penetration", "pops", "twist", "buckling")
"""Slip is left out: many recordings walk on the spot."""


def motions(folder: Path) -> Iterator[tuple[str, Clip]]:
    files = [path for kind in ("characters", "motions") for path in sorted((folder / kind).rglob("*"))]
    files = [path for path in files if path.suffix.lower() in (".glb", ".gltf", ".bvh")]
    random.Random(3).shuffle(files)
    taken: Counter[str] = Counter()
    for path in files:
        origin = path.relative_to(folder).parts[1]
        if taken[origin] >= FILES:
            continue
        try:
            body = load_body(str(path))
        except MummerError:
            continue
        chosen = [recording for recording in body.recordings if recording.duration >= 0.4]
        random.Random(1).shuffle(chosen)
        taken[origin] += bool(chosen)
        for recording in chosen[:RECORDINGS]:
            clip = Sampled(body, recording)
            yield f"{path.stem}/{recording.name}", clip.trimmed(clip.start, min(clip.end, clip.start + LONGEST))


@pytest.mark.slow
def test_most_motions_that_people_made_pass(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for name, clip in motions(data_dir):
        try:
            scene = scene_of(clip)
            scores = [judge.score(scene) for judge in JUDGES if judge.name in JUDGED]
        except MummerError:
            continue
        for score in scores:
            if score.value is not None:
                found[score.measure].append((score.value, f"{name}: {score.where}"))
    with capsys.disabled():
        for judge in JUDGES:
            if values := sorted(found[judge.name]):
                numbers = np.array([value for value, _ in values])
                share = np.mean(numbers <= judge.threshold)
                beyond = [f"{value:.2f} {where}" for value, where in values if value > judge.threshold]
                print(f"{judge.name}: {len(numbers)} motions, median {np.median(numbers):.2f}, "  # noqa: T201
                      f"{100 * share:.0f} % within {judge.threshold:g}; beyond: {beyond}")  # fmt: skip
                assert share > 0.7
    assert len(found["pops"]) > 20
