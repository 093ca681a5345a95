"""What the judges say of motions that were captured or made by hand, on the bodies they were made for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.clip import Sampled
from mummer.grid import JUDGES
from mummer.grid.judge import scene_of
from mummer.io import load
from mummer.recognition import recognized
from tests.grid.limits import measured

AT_LEAST = {"sink": 0.85, "penetration": 0.8, "pops": 0.75, "limits": 0.95, "twist": 0.75, "buckling": 0.9}
"""The share of recordings that passes; slip and hover are left out, since many walk on the spot and some in the air."""


@pytest.mark.slow
def test_most_motions_that_people_made_pass(data_dir: Path) -> None:
    found = measured(data_dir)
    for judge in JUDGES:
        if judge.name in AT_LEAST:
            values = np.array([value for value, _ in found[judge.name]])
            assert np.mean(values <= judge.threshold) > AT_LEAST[judge.name], judge.name
    assert len(found["pops"]) > 100


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("characters/khronos/Fox.glb", "Survey"),
        ("characters/quaternius/Horse.glb", "Idle"),
        ("characters/quaternius-farm-animals/Pug.gltf", "Idle"),
        ("characters/threejs/Xbot.glb", "idle"),
    ],
)
def test_recordings_of_people_who_stand_pass(data_dir: Path, file: str, name: str) -> None:
    body = recognized(load(data_dir / file))
    recording = next(each for each in body.recordings if each.name.lower().endswith(name.lower()))
    scene = scene_of(Sampled(body, recording), finds_ground=True)
    scores = [judge.score(scene) for judge in JUDGES]
    assert [(score.measure, score.value, score.where) for score in scores if not score.passed] == []
