"""three.js' BVHLoader as a second, independent reader."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from mummer.character import Character
from tests.conftest import REPOSITORY

NODE_FOLDER = REPOSITORY / "tests" / "node"


@dataclass(frozen=True)
class SecondReading:
    """What three.js makes of a file, in its own axes and units; End Sites of no length left out, as we do.

    Attributes:
        names: of the joints, ``ENDSITE`` for End Sites.
        positions: (T, J, 3).
        offsets: (J, 3).
    """

    names: list[str]
    positions: np.ndarray
    offsets: np.ndarray


def read_with_three(path: Path, character: Character, folder: Path) -> SecondReading:
    """The positions of all joints in all frames; skips if Node or three.js is not there.

    three.js adds position channels to the OFFSET in every file. Where the character was read otherwise, the OFFSET is
    taken off again, so that this compares everything but that choice.
    """
    node = shutil.which("node")
    if node is None or not (NODE_FOLDER / "node_modules" / "three").is_dir():
        pytest.skip("three.js is not here: run npm ci in tests/node")
    assert character.source is not None
    details, out = character.source.details, folder / "positions.bin"
    done = subprocess.run(
        [node, str(NODE_FOLDER / "three_bvh_positions.mjs"), str(path), details["root_positions"],
         details["joint_positions"], str(out)],
        capture_output=True, text=True, timeout=120, cwd=NODE_FOLDER, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    answer = json.loads(done.stdout.splitlines()[-1])
    bones = answer["bones"]
    kept = [index for index, bone in enumerate(bones) if bone["name"] != "ENDSITE" or any(bone["offset"])]
    positions = np.fromfile(out).reshape(answer["frames"], len(bones), 3)
    offsets = np.array([bone["offset"] for bone in bones])
    return SecondReading([bones[index]["name"] for index in kept], positions[:, kept], offsets[kept])
