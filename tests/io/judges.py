"""Outside judges of glTF files: the Khronos validator, and three.js as a second reader, both run by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

NODE_FOLDER = Path(__file__).resolve().parents[1] / "node"


def _run(script: str, request: Any, package: str) -> list[dict[str, Any]]:
    """The JSON lines that a script answers; skips if Node or its packages are not there."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the outside judges of glTF files cannot run")
    if not (NODE_FOLDER / "node_modules" / package).is_dir():
        pytest.skip(f"the npm package {package} is not installed: run `make setup`")
    done = subprocess.run(
        [node, str(NODE_FOLDER / script)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        timeout=300,
        cwd=NODE_FOLDER,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


@dataclass(frozen=True)
class Verdict:
    """What the validator says about a file: ``CODE at pointer: message`` for each issue."""

    errors: list[str]
    warnings: list[str]

    @property
    def error_codes(self) -> set[str]:
        return {error.split(" ")[0] for error in self.errors}


def validate(files: Sequence[Path]) -> list[Verdict]:
    """The Khronos validator's verdict on each file."""
    lines = _run("validate.mjs", [str(file) for file in files], "gltf-validator")

    def told(issues: list[dict[str, str]]) -> list[str]:
        return [f"{issue['code']} at {issue['pointer']}: {issue['message']}" for issue in issues]

    return [Verdict(told(line["errors"]), told(line["warnings"])) for line in lines]


@dataclass(frozen=True)
class Query:
    """What to ask about a file: an animation by number (None: none plays), and times in seconds."""

    animation: int | None
    times: Sequence[float]


@dataclass(frozen=True)
class SecondReading:
    """Where three.js sees the nodes: their numbers, and for each query (T, N, 3) positions."""

    nodes: list[int]
    positions: list[np.ndarray]


def three_positions(requests: Sequence[tuple[Path, Sequence[Query]]]) -> list[SecondReading]:
    """World positions of every node at the times asked for, as three.js computes them."""
    asked = [
        {
            "file": str(file),
            "queries": [{"animation": each.animation, "times": [float(t) for t in each.times]} for each in queries],
        }
        for file, queries in requests
    ]
    lines = _run("three_positions.mjs", asked, "three")
    return [
        SecondReading(
            line["nodes"],
            [np.array(query).reshape(len(query), len(line["nodes"]), 3) for query in line["positions"]],
        )
        for line in lines
    ]


def three_clips(files: Sequence[Path]) -> list[list[dict[str, Any]]]:
    """The clips of each .glb file as three.js gives them: ``name``, ``duration``, names of ``tracks``, ``userData``."""
    return [line["clips"] for line in _run("three_clips.mjs", [str(file) for file in files], "three")]


@dataclass(frozen=True)
class Fade:
    """A cross-fade from one clip of a .glb file to another, and the node that is looked at meanwhile."""

    file: Path
    first: str
    second: str
    node: str
    seconds: float = 0.5
    steps: int = 15


@dataclass(frozen=True)
class Faded:
    """(K,) the weight of the second clip, and (K, 3) where the node is in the fade and in each clip alone."""

    weights: np.ndarray
    fading: np.ndarray
    first: np.ndarray
    second: np.ndarray


def three_fades(fades: Sequence[Fade]) -> list[Faded]:
    """What three.js shows while it fades from clip to clip."""
    asked = [
        {"file": str(fade.file), "from": fade.first, "to": fade.second, "node": fade.node, "fade": fade.seconds,
         "steps": fade.steps}
        for fade in fades
    ]  # fmt: skip
    return [Faded(*(np.array(line[key]) for key in ("weights", "fading", "first", "second")))
            for line in _run("three_fade.mjs", asked, "three")]  # fmt: skip


def three_vrma(avatar: Path, motion: Path, times: Sequence[float], bones: Sequence[str]) -> dict[str, Any]:
    """What three-vrm makes of VRM animation on an avatar.

    Returns:
        ``positions`` (T, n, 3) of the bones in the world, ``expressions`` (name to T weights), and if it ``looks``.
    """
    asked = {"avatar": str(avatar), "motion": str(motion), "times": list(times), "bones": list(bones)}
    (line,) = _run("three_vrma.mjs", [asked], "@pixiv/three-vrm-animation")
    return {**line, "positions": np.array(line["positions"], float)}
