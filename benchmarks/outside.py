"""Peers that are not ours to install: PyMotion in an environment of its own, three.js in Node."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import numpy as np

from benchmarks.workloads import REPOSITORY

NODE_MODULES = REPOSITORY / "tests" / "node" / "node_modules"


def pymotion_skeleton() -> ModuleType | None:
    """PyMotion's numpy skeleton module, from here or from ``.venv-peers`` (it is pure Python), or None."""
    for folder in (REPOSITORY / ".venv-peers").glob("lib/python*/site-packages"):
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
    try:
        return importlib.import_module("pymotion.ops.skeleton_np")
    except ImportError:
        return None


class NodePeer:
    """A Node process that repeats its work whenever it is told to, so that it takes turns with the others.

    Arrays travel as raw files in a temporary folder; the script answers each line it reads with seconds a run.
    """

    def __init__(self, script: str, arrays: dict[str, np.ndarray], settings: dict[str, object]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mummer-bench-"))
        for name, array in arrays.items():
            (self.folder / f"{name}.bin").write_bytes(np.ascontiguousarray(array).tobytes())
        (self.folder / "settings.json").write_text(json.dumps(settings))
        three = NODE_MODULES / "three" / "build" / "three.module.js"
        command = ["node", str(Path(__file__).parent / script), str(self.folder), three.as_uri()]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.seconds("check")

    def seconds(self, what: str) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)


def node_is_here() -> bool:
    return shutil.which("node") is not None and (NODE_MODULES / "three").is_dir()
