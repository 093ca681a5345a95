"""Our own bodies before outside judges: not one error or warning, and the same joints in three.js."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Character, world_positions
from mummer.cli.demo import played
from mummer.io import load, save
from tests.io.judges import Query, three_positions, validate


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Every named body and some creatures as .glb; the adult with a motion."""
    folder = tmp_path_factory.mktemp("zoo")
    bodies = [zoo.body(name) for name in zoo.names()] + [zoo.random_creature(seed) for seed in range(8)]
    files = []
    for body in bodies:
        moved = (
            body.replace(recordings=(played(body, "wave").to_recording(30.0, name="wave"),))
            if body.name == "adult"
            else body
        )
        files.append(folder / f"{body.name}.glb")
        save(moved, files[-1])
    return files


def test_the_validator_finds_nothing(written: list[Path]) -> None:
    assert len(written) >= 24
    found = {
        file.name: (verdict.errors + verdict.warnings)[:3]
        for file, verdict in zip(written, validate(written), strict=True)
    }
    assert {name: issues for name, issues in found.items() if issues} == {}


def test_three_sees_the_same_joints(written: list[Path]) -> None:
    bodies = [load(file) for file in written]
    asked = [(file, queries_for(body)) for file, body in zip(written, bodies, strict=True)]
    for body, (_, queries), seen in zip(bodies, asked, three_positions(asked), strict=True):
        places = {node: place for place, node in enumerate(seen.nodes)}
        order = [places[node] for node in body.source.details["nodes"]]
        size = float(np.ptp(world_positions(body.skeleton, body.default_pose), axis=0).max())
        for query, positions in zip(queries, seen.positions, strict=True):
            pose = body.default_pose if query.animation is None else body.recordings[0].sample(query.times)
            mine = world_positions(body.skeleton, pose).reshape(len(query.times), -1, 3)
            assert np.abs(mine - positions[:, order]).max() < 1e-5 * size, body.name


def queries_for(body: Character) -> list[Query]:
    still = [Query(None, [0.0])]
    return [*still, Query(0, [0.0, 1.1, 2.4, 5.9])] if body.recordings else still
