"""Compiled code is kept even where neither the package nor the home can be written to."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from mummer.disk_cache import private_folder
from tests.kernels.test_kernel_mechanism import run_python

SUM = """
from mummer.kernels import compiled
from mummer.kernels.arguments import Floats1

@compiled
def total(values: Floats1):
    return values[0] + values[1]
"""
HITS = """
import sys; sys.path.insert(0, {folder!r})
import numpy as np, adding
total = adding.total.at(np.dtype("float64"))
print(total(np.ones(2)), sum(total.stats.cache_hits.values()))
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that may be used, in a place for temporary files."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path / f"mummer-{os.getuid()}"


def test_code_is_kept_where_neither_the_package_nor_the_home_can_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "adding.py").write_text(SUM)
    (tmp_path / "__pycache__").write_text("in the way")
    code = HITS.format(folder=str(tmp_path))
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "TMPDIR": str(tmp_path)}
    assert run_python(code, **nowhere).strip() == "2.0 0"
    assert run_python(code, **nowhere).strip() == "2.0 1"
    assert list((tmp_path / f"mummer-{os.getuid()}").rglob("*.nbc"))


def test_the_folder_is_of_this_user_alone(temporary: Path) -> None:
    assert private_folder() == temporary
    assert temporary.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_can_write_to_or_a_link_is_not_trusted(temporary: Path) -> None:
    temporary.mkdir()
    temporary.chmod(0o777)
    assert private_folder() is None
    temporary.rmdir()
    temporary.symlink_to(temporary.parent)
    assert private_folder() is None
