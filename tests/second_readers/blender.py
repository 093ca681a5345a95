"""Asks Blender, as a module in an environment of its own, where the joints of a file are."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = REPOSITORY / ".venv-blender" / "bin" / "python"
SCRIPT = Path(__file__).with_name("blender_positions.py")


def ask_blender(jobs: Sequence[dict[str, Any]], *, seconds: float = 600) -> list[dict[str, Any]]:
    """One answer for each job, see ``blender_positions.py``; skips the test if Blender is not there."""
    if not PYTHON.exists():
        pytest.skip("Blender is not here: run `make second-reader` to compare with it")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "answers"
        # Blender may crash while it winds down; the answers are on disk by then.
        done = subprocess.run(
            [PYTHON, SCRIPT, out], input=json.dumps(list(jobs)), capture_output=True, text=True, timeout=seconds
        )
        lines = out.read_text().splitlines() if out.exists() else []
    if len(lines) != len(jobs):
        raise AssertionError(f"Blender answered {len(lines)} of {len(jobs)} jobs: {done.stderr[-800:]}")
    return [json.loads(line) for line in lines]
