"""BVH files from disk to quaternions, beside PyMotion and three.js's BVHLoader."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.clips import data_folder
from benchmarks.outside import NodePeer, node_is_here, pymotion_skeleton
from benchmarks.timing import Case, Contender
from mummer.io import load

FILES = ("motions/animated-drawings/rokoko_jesse_dance.bvh", "motions/pymo/AV_8Walk_Meredith.bvh")


def cases() -> Iterator[Case]:
    for path in (data_folder() / file for file in FILES):
        if path.exists():
            yield one_file(path)


def one_file(path: Path) -> Case:
    character = load(path)
    frames = len(character.recordings[0].key_times)
    three, close = three_row(path, frames)
    contenders = [Contender("mummer load", lambda: load(path), "ours"), *pymotion_rows(path, frames), three]
    work = f"{len(character.skeleton)} joints, {frames:,} frames, {path.stat().st_size // 1024} kB"
    return Case(f"bvh_load {path.name}", work, frames, contenders, close)


def pymotion_rows(path: Path, frames: int) -> list[Contender]:
    names = ("PyMotion load (Euler angles)", "PyMotion load + get_data (quaternions)")
    if pymotion_skeleton() is None:
        return [Contender(name, None) for name in names]
    reader = importlib.import_module("pymotion.io.bvh").BVH

    def angles() -> object:
        made = reader()
        made.load(str(path))
        return made

    assert len(angles().get_data()[0]) == frames  # type: ignore[attr-defined]
    return [Contender(names[0], angles), Contender(names[1], lambda: angles().get_data())]  # type: ignore[attr-defined]


def three_row(path: Path, frames: int) -> tuple[Contender, Callable[[], None]]:
    name = "three.js BVHLoader (quaternions)"
    if not node_is_here():
        return Contender(name, None), lambda: None
    peer = NodePeer("three_bvh.mjs", {}, {"file": str(path), "frames": frames})
    return Contender(name, None, seconds=lambda: peer.seconds("load")), peer.close
