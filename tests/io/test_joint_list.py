"""Lists of joints in JSON: two shapes of them, and what is wrong with bad ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mummer.character.derive import rest_positions
from mummer.errors import LimitError, MalformedFileError
from mummer.io import ReadLimits, load
from mummer.io.joint_list import read

PLAIN = {
    "joints": [
        {"name": "hips", "parent": -1, "position": [0, 0, 100]},
        {"name": "head", "parent": 0, "position": [0, -10, 160]},
    ],
    "up": "Z",
    "units": "centimetre",
}
SIMULATED = {
    "Skeleton": {
        "Joints": [
            {"Name": "root", "Parent": -1, "AttachX": 0, "AttachY": 1, "AttachZ": 0, "AttachThetaZ": np.pi / 2},
            {"Name": "arm", "Parent": 0, "AttachX": 1, "AttachY": 0, "AttachZ": 0},
        ]
    }
}


def encoded(entry: object) -> bytes:
    return json.dumps(entry).encode()


def test_positions_come_in_our_axes_and_units() -> None:
    body = read(encoded(PLAIN))
    np.testing.assert_allclose(rest_positions(body.skeleton), [[0, 1, 0], [0, 1.6, 0.1]], atol=1e-12)


def test_attached_joints_turn_with_their_parents() -> None:
    body = read(encoded(SIMULATED))
    np.testing.assert_allclose(rest_positions(body.skeleton), [[0, 1, 0], [0, 2, 0]], atol=1e-12)


@pytest.mark.parametrize("entry", [PLAIN, SIMULATED])
def test_a_file_is_known_by_its_content(entry: object, tmp_path: Path) -> None:
    file = tmp_path / "body.txt"
    file.write_bytes(encoded(entry))
    assert len(load(file).skeleton) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"joints": []}, "has no joints"),
        ({"joints": [{"name": "a", "parent": 3, "position": [0, 0, 0]}]}, "joints\\[0\\].parent: is 3; expected -1"),
        ({"joints": [{"name": "a", "parent": -1, "position": [0, 0]}]}, "is no list of joints"),
        ({"units": "furlong"}, "units: is 'furlong'; expected metre"),
    ],
)
def test_bad_lists_say_what_is_wrong(change: dict[str, object], message: str) -> None:
    with pytest.raises(MalformedFileError, match=message):
        read(encoded(PLAIN | change))


def test_limits_are_kept() -> None:
    with pytest.raises(LimitError, match="at most 1"):
        read(encoded(PLAIN), limits=ReadLimits(joints=1))
