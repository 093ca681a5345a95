"""Every malformed file ends quickly, in bounded memory, with a result or one line of error."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

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


def run_alone(path: Path, outputs: Path) -> tuple[int, float, int, str, str]:
    """Exit code, processor seconds, peak kilobytes and both outputs of ``mummer inspect`` in its own process."""
    out, err = outputs / "out", outputs / "err"
    command = [sys.executable, "-m", "mummer", "inspect", "--json", str(path)]
    actions = [
        (os.POSIX_SPAWN_OPEN, 1, str(out), os.O_WRONLY | os.O_CREAT, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, str(err), os.O_WRONLY | os.O_CREAT, 0o600),
    ]
    child = os.posix_spawn(sys.executable, command, dict(os.environ), file_actions=actions)
    watchdog = threading.Timer(60, lambda: os.kill(child, 9))
    watchdog.start()
    _, status, usage = os.wait4(child, 0)
    watchdog.cancel()
    seconds = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss, out.read_text(), err.read_text()


@pytest.mark.parametrize("path", malformed_files())
def test_ends_well(path: Path, tmp_path: Path) -> None:
    code, seconds, kilobytes, out, err = run_alone(path, tmp_path)
    assert code in (0, 2), err
    assert "Traceback" not in err
    assert seconds < SECONDS
    assert kilobytes < KILOBYTES
    assert len(out.splitlines()) == 1
    assert len(err.splitlines()) == (1 if code == 2 else 0), err
