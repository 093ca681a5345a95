"""Every malformed file ends quickly, in bounded memory, with a result or one line of error."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.alone import run_alone
from tests.conftest import find_data

SECONDS, KILOBYTES = 5.0, 1024 * 1024


def malformed_files() -> list[pytest.ParameterSet]:
    root = find_data()
    if root is None:
        return [pytest.param(None, marks=pytest.mark.skip(reason="real files are not here: set MUMMER_DATA"))]
    return [
        pytest.param(path, id=str(path.relative_to(root / "malformed")))
        for path in sorted((root / "malformed").rglob("*"))
        if path.is_file()
    ]


@pytest.mark.parametrize("path", malformed_files())
def test_ends_well(path: Path, tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    usage = run_alone([sys.executable, "-m", "mummer", "inspect", "--json", str(path)], out, err)
    told, complaint = out.read_text(), err.read_text()
    assert usage.code in (0, 2), complaint
    assert "Traceback" not in complaint
    assert usage.seconds < SECONDS
    assert usage.kilobytes < KILOBYTES
    assert len(told.splitlines()) == 1
    assert len(complaint.splitlines()) == (1 if usage.code == 2 else 0), complaint
