"""Real BVH files: people stand upright and man-sized, malformed ones end as they should."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character import world_positions
from mummer.errors import MalformedFileError
from mummer.io import bvh, load
from mummer.io.body import Body
from tests.io.real_files import real_files

UP = {"mh_tpose.bvh": "+Z", "mh_walk1.bvh": "+Z", "zombie_walk.bvh": "+Z", "wave_hello.bvh": "+Z"}
ADDED_ROOT = {"SitIdle.bvh", "mh_walk1.bvh"}
METRES = {
    "SitIdle.bvh": 1.0, "mh_walk1.bvh": 0.1, "AV_8Walk_Meredith.bvh": 0.0254, "pirouette.bvh": 0.01,
    "rokoko_jesse_dance.bvh": 0.01, "Geno_stance.bvh": 0.01, "cmu_02_01_walk.bvh": 0.0254 / 0.45,
}  # fmt: skip


@pytest.mark.parametrize("path", real_files("characters", "motions", extensions=(".bvh",)))
def test_people_are_upright_and_of_human_size(path: Path) -> None:
    character = load(path)
    source = character.source
    assert source is not None
    first = world_positions(character.skeleton, character.recordings[0].sample([0.0]))
    body = Body(character.skeleton.names, character.skeleton.parents, first)
    assert 0.9 < body.size < 2.3
    assert np.mean(first[0, body.heads, 1]) - np.mean(first[0, body.feet, 1]) > 0.5 * body.size
    assert source.up == UP.get(path.name, "+Y")
    assert source.metres_per_unit == METRES.get(path.name, source.metres_per_unit)
    assert source.details["root_positions"] == ("add" if path.name in ADDED_ROOT else "replace")


@pytest.mark.parametrize("path", real_files("motions", extensions=(".bvh",)))
def test_feet_stay_near_the_ground(path: Path) -> None:
    character = load(path)
    lowest = world_positions(character.skeleton, character.recordings[0].frames())[..., 1].min(axis=1)
    # MakeHuman's T-pose hangs around its hips; all others stand on height zero.
    expected = -0.87 if path.name == "mh_tpose.bvh" else 0.0
    assert abs(float(np.median(lowest)) - expected) < 0.3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("malformed-channel-count", r"line 6: CHANNELS of joint 'Hips' on line 5 says 6 but names 3"),
        ("malformed-missing-hierarchy", r"line 1: starts with 'ROOT'; expected HIERARCHY"),
        ("malformed-non-finite", r"line 15: 'nan' is not a finite number"),
        ("malformed-unclosed-joint", r"line 10: joint 'Hips', opened on line 2, is never closed by '}'"),
    ],
)
def test_malformed(name: str, message: str, data_dir: Path) -> None:
    with pytest.raises(MalformedFileError, match=message):
        load(data_dir / "malformed" / "usd-vrm-bvh" / f"{name}.bvh")


@pytest.mark.parametrize(
    ("name", "joints", "frames", "finding"),
    [
        ("malformed-frame-count", 2, 2, "says 4 frames but holds 2"),
        ("malformed-no-motion", 2, 0, "there is no MOTION"),
        ("valid-empty-motion", 2, 0, "guessed: +Y is up"),
        ("valid-duplicate-joint-names", 5, 1, "that of another, and were renamed"),
    ],
)
def test_odd_but_readable(name: str, joints: int, frames: int, finding: str, data_dir: Path) -> None:
    character = load(data_dir / "malformed" / "usd-vrm-bvh" / f"{name}.bvh")
    assert len(character.skeleton) == joints
    assert sum(len(recording.key_times) for recording in character.recordings) == frames
    assert finding in str(character.report)


def test_a_wrong_guess_can_be_overruled(data_dir: Path) -> None:
    path = data_dir / "motions" / "performs" / "SitIdle.bvh"
    added, replaced = (bvh.read(path.read_bytes(), path, positions=meaning) for meaning in ("add", "replace"))
    step = added.recordings[0].frames().root_translation - replaced.recordings[0].frames().root_translation
    assert np.allclose(step, added.skeleton.rest_translations[0], rtol=0, atol=1e-9)
