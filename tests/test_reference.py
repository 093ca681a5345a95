"""The reference pages are what the code says today, and the examples in docstrings work."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import mummer

ROOT = Path(__file__).resolve().parents[1]


def modules() -> list[str]:
    """Every module of the package but the entry points, which would run."""
    names = [name for _, name, _ in pkgutil.walk_packages(mummer.__path__, "mummer.")]
    return [name for name in names if not name.endswith("__main__") and ".child" not in name]


def test_reference_is_current() -> None:
    answer = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "reference"), "--check"], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize("name", modules())
def test_docstring_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0
