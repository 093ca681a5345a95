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


MADE = {
    "nothing.c3d": b"",
    "zeros.c3d": b"\x02\x50" + bytes(5000),
    "ones.c3d": b"\x02\x50" + b"\xff" * 200_000,
    "text.c3d": b"HELLO " * 1000,
    "alone.amc": b":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n",
    "lines.amc": b":FULLY-SPECIFIED\n:DEGREES\n" + b"1\n" * 500_000,
    "wide.amc": b":FULLY-SPECIFIED\n1\nroot " + b"1 " * 1_000_000,
    "loop.asf": b":version 1\n:bonedata\nbegin\nname a\nend\nbegin\nname b\nend\n:hierarchy\nroot a\na b\nb a\n",
    "deep.asf": b":version 1\n:bonedata\n" + b"begin\nname a\nend\n" * 100_000,
    "alone.skm": b"SkMotion\nchannels 1\nb Quat\nframes 1\nkt 0 fr 0 0 0\n",
}
"""Motions without what they need, and files that promise much."""


@pytest.mark.parametrize("name", MADE)
def test_made_files_are_one_line(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(MADE[name])
    if name.endswith(".c3d"):
        pytest.importorskip("ezc3d")
    out, err = tmp_path / "out", tmp_path / "err"
    usage = run_alone([sys.executable, "-m", "mummer", "inspect", "--json", str(tmp_path / name)], out, err)
    complaint = err.read_text()
    assert usage.code == 2, complaint
    assert "Traceback" not in complaint
    assert "internal error" not in complaint
    assert len(complaint.splitlines()) == 1, complaint
    assert usage.seconds < 4 * SECONDS
    assert usage.kilobytes < KILOBYTES


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
