"""Real files before outside judges: three.js sees the same joints, the validator finds nothing new in what we write."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from mummer.character import Character, Recording, world_positions
from mummer.io.gltf import read, write
from tests.io.judges import Query, three_positions, validate

GLTF = (".glb", ".gltf", ".vrm", ".vrma")
MOST_TIMES = 10


@pytest.fixture(scope="module")
def real(data_dir: Path) -> list[Path]:
    folders = (data_dir / "characters", data_dir / "motions")
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix.lower() in GLTF)


def load(path: Path) -> Character:
    return read(path.read_bytes(), path)


def questions(character: Character, most: int) -> list[Query]:
    """Every recording at its key times, or at ``most`` of them spread evenly."""
    asked = [Query(None, [0.0])]
    for number, recording in enumerate(character.recordings):
        times = recording.key_times
        chosen = times[np.unique(np.linspace(0, len(times) - 1, min(most, len(times))).astype(int))]
        asked.append(Query(number, chosen.tolist()))
    return asked


def compare_with_three(files: list[Path], most: int = MOST_TIMES) -> list[str]:
    """What three.js sees elsewhere than we do, by more than 1e-4 of the body's height."""
    characters = [load(file) for file in files]
    asked = [(file, questions(character, most)) for file, character in zip(files, characters, strict=True)]
    wrong = []
    for (file, queries), character, seen in zip(asked, characters, three_positions(asked), strict=True):
        assert character.source is not None
        places = {node: place for place, node in enumerate(seen.nodes)}
        theirs = [places[node] for node in character.source.details["nodes"]]
        height = float(np.ptp(world_positions(character.skeleton, character.default_pose), axis=0).max()) or 1.0
        for query, positions in zip(queries, seen.positions, strict=True):
            still = query.animation is None
            pose = character.default_pose if still else character.recordings[query.animation].sample(query.times)
            mine = world_positions(character.skeleton, pose).reshape(len(query.times), -1, 3)
            off = float(np.abs(mine - positions[:, theirs]).max()) / height
            if not off < 1e-4:
                wrong.append(f"{file.name}, animation {query.animation}: {off:.2g}")
    return wrong


def test_three_sees_every_joint_of_every_real_file_where_we_do(real: list[Path]) -> None:
    assert len(real) >= 35
    assert compare_with_three(real) == []


@pytest.mark.slow
def test_three_sees_the_same_at_every_key(real: list[Path]) -> None:
    assert compare_with_three(real, most=100_000) == []


def test_new_documents_of_real_files(real: list[Path], tmp_path: Path) -> None:
    files = []
    for place, path in enumerate(real):
        files.append(tmp_path / f"{place}_{path.stem}.glb")
        write(load(path), files[-1], fresh=True)
    wrong = {
        file.name: verdict.errors[:3] for file, verdict in zip(files, validate(files), strict=True) if verdict.errors
    }
    assert wrong == {}
    assert compare_with_three(files[::3]) == []


def later_copy(recording: Recording) -> Recording:
    """The same motion one second later: new keys that have to be written."""
    curves = tuple(dataclasses.replace(curve, times=curve.times + 1.0) for curve in recording.curves)
    return dataclasses.replace(recording, name=f"later {recording.name}", curves=curves)


def test_patched_documents_have_no_errors_that_their_source_did_not_have(real: list[Path], tmp_path: Path) -> None:
    files = []
    for place, path in enumerate(real):
        character = load(path)
        later = tuple(later_copy(recording) for recording in character.recordings[:1])
        files.append(tmp_path / f"{place}_{path.stem}.glb")
        write(character.replace(recordings=(*character.recordings, *later)), files[-1])
    before, after = validate(real), validate(files)
    wrong = {
        path.name: sorted(new.error_codes - old.error_codes)
        for path, old, new in zip(real, before, after, strict=True)
        if len(new.errors) > len(old.errors)
    }
    assert wrong == {}
