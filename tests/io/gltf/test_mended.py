"""What was repaired is written: an outside judge finds nothing wrong in it, and it reads as it was read before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character
from mummer.io.gltf import read, write
from tests.io.gltf.helpers import WEIGHTS, Maker, arm, primitive
from tests.io.gltf.test_patching import parts
from tests.io.judges import validate

NAN, INF = float("nan"), float("inf")


def weights(values: object) -> Maker:
    maker = arm()
    primitive(maker)["attributes"]["WEIGHTS_0"] = maker.accessor(values)
    return maker


def attribute(name: str, values: object, dtype: str = "float32", **fields: object) -> Maker:
    maker = arm()
    primitive(maker)["attributes"][name] = maker.accessor(values, dtype, **fields)
    return maker


def positions(row: list[float]) -> Maker:
    maker = arm()
    places = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 2, 0], row])
    primitive(maker)["attributes"]["POSITION"] = maker.accessor(places, min=[0, 0, 0], max=[1, 2, 0])
    return maker


def unpaired_times() -> Maker:
    maker = arm()
    maker.json["animations"][0]["samplers"][0]["input"] = maker.accessor([0, 1, 0.5], min=[0], max=[1])
    return maker


def long_turns() -> Maker:
    maker = arm()
    turns = maker.accessor([[0, 0, 0, 2], [0, 0, 3, 0], [0, 0, 0, 1]])
    maker.json["animations"][0]["samplers"][0]["output"] = turns
    return maker


def node(number: int, **fields: object) -> Maker:
    maker = arm()
    maker.json["nodes"][number].update(fields)
    return maker


def skeleton() -> Maker:
    maker = arm()
    maker.json["skins"][0]["skeleton"] = 1
    return maker


def bounds() -> Maker:
    maker = arm()
    maker.json["accessors"][primitive(maker)["attributes"]["POSITION"]].update(min=[5, 5, 5], max=[6, 6, 6])
    return maker


BROKEN: dict[str, Callable[[], Maker]] = {
    "weights that are no numbers": lambda: weights([[NAN, 1, 0, 0], [INF, NAN, NAN, NAN], *WEIGHTS[2:]]),
    "negative weights": lambda: weights([[-1, 1, 0, 0], *WEIGHTS[1:]]),
    "weights that do not sum to one": lambda: weights([[3, 0.1, 0, 0], *WEIGHTS[1:]]),
    "no weights": lambda: weights([[0, 0, 0, 0], *WEIGHTS[1:]]),
    "a joint twice": lambda: attribute("JOINTS_0", [[1, 1, 0, 0]] * 6, "uint8"),
    "a joint that is not there, without weight": lambda: attribute("JOINTS_0", [[0, 1, 9, 7]] * 6, "uint8"),
    "normals": lambda: attribute("NORMAL", [[0, 0, 1]] * 3 + [[NAN, 0, 0], [0, 0, 0], [0, 3, 0]]),
    "tangents": lambda: attribute("TANGENT", [[1, 0, 0, 1]] * 5 + [[NAN, 0, 0, 1]]),
    "positions": lambda: positions([NAN, 0, 0]),
    "texture coordinates": lambda: attribute("TEXCOORD_0", [[0, 0]] * 5 + [[NAN, 1]]),
    "colors": lambda: attribute("COLOR_0", [[1, 1, 1, 1]] * 5 + [[INF, 1, 1, 1]]),
    "key times": unpaired_times,
    "turns": long_turns,
    "a node's turn": lambda: node(1, rotation=[0, 0, 3, 4]),
    "a skeleton that is not above": skeleton,
    "bounds": bounds,
}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[set[str], set[str], Path]]:
    """What the validator says of each file as it was and as it was written, and the latter."""
    folder = tmp_path_factory.mktemp("mended")
    before, after = [], []
    for place, make in enumerate(BROKEN.values()):
        before.append(folder / f"{place}.glb")
        before[-1].write_bytes(make().glb())
        after.append(folder / f"{place}.mended.glb")
        write(mm.load(before[-1]), after[-1])
    verdicts = zip(validate(before), validate(after), strict=True)
    codes = [(first.error_codes, second.error_codes) for first, second in verdicts]
    return {name: (*pair, path) for name, pair, path in zip(BROKEN, codes, after, strict=True)}


@pytest.mark.parametrize("name", BROKEN)
def test_what_was_repaired_is_written(judged: dict[str, tuple[set[str], set[str], Path]], name: str) -> None:
    before, after, path = judged[name]
    first, second = BROKEN[name]().read(), mm.load(path)
    assert before
    assert after == set()
    assert [finding for finding in first.report if finding.kind == "repaired"]
    assert [finding for finding in second.report if finding.kind == "repaired"] == []
    assert_alike(first, second)


def assert_alike(first: Character, second: Character) -> None:
    """Both show the same: what was read is what was written."""
    for mine, theirs in zip(first.meshes, second.meshes, strict=True):
        np.testing.assert_allclose(mine.positions, theirs.positions)
        np.testing.assert_array_equal(mine.triangles, theirs.triangles)
        np.testing.assert_allclose(carried(mine), carried(theirs), atol=1e-6)
        np.testing.assert_allclose(mine.normals, theirs.normals, atol=1e-6)
    for mine, theirs in zip(first.recordings, second.recordings, strict=True):
        for time in (0.0, 0.3, 0.9):
            one, two = (each.sample(np.array([time])) for each in (mine, theirs))
            np.testing.assert_allclose(np.abs(np.sum(one.rotations * two.rotations, axis=-1)), 1, atol=1e-6)


def carried(mesh: mm.Mesh) -> np.ndarray:
    """(V, J) by how much each joint carries each vertex."""
    whole = np.zeros((len(mesh.positions), int(mesh.skin.joints.max()) + 1))
    rows = np.arange(len(whole))[:, None]
    np.add.at(whole, (rows, mesh.skin.joints[mesh.skin.indices]), mesh.skin.weights)
    return whole


def test_a_file_that_needed_no_repair_keeps_every_byte(tmp_path: Path) -> None:
    source, target = tmp_path / "source.glb", tmp_path / "target.glb"
    source.write_bytes(arm().glb())
    write(read(source.read_bytes()), target)
    assert parts(target) == parts(source)


@pytest.mark.parametrize("file", ["quaternius/Bee.glb", "threejs/RobotExpressive.glb", "catprisbrey/mannyquin.glb"])
def test_real_files_are_written_without_what_was_wrong(
    shared_character: Callable[[str], Path], tmp_path: Path, file: str
) -> None:
    source, target = shared_character(file), tmp_path / "mended.glb"
    write(mm.load(source), target)
    before, after = validate([source, target])
    assert before.errors
    assert after.errors == []
    assert target.stat().st_size < 1.05 * source.stat().st_size
