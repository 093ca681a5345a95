"""Fixtures that all tests share: the real files, when they are there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Compiling a kernel on its first use would break any deadline; fixed seeds make a failure come back.
settings.register_profile("mummer", deadline=None, derandomize=True, max_examples=60, print_blob=True)
settings.load_profile("mummer")

REPOSITORY = Path(__file__).resolve().parents[1]


def find_data() -> Path | None:
    """The folder of real rigs and motions: $MUMMER_DATA, else ../shared/data beside the repository."""
    named = os.environ.get("MUMMER_DATA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def data_dir() -> Path:
    folder = find_data()
    if folder is None:
        pytest.skip("real files are not here: set MUMMER_DATA to the folder that holds characters/ and motions/")
    return folder


@pytest.fixture
def shared_character(data_dir: Path) -> Callable[[str], Path]:
    """Where a shared character is, by its file; the test is skipped if it is not there."""

    def find(file: str) -> Path:
        path = data_dir / "characters" / file
        if not path.exists():
            pytest.skip(f"{file} is not there")
        return path

    return find
