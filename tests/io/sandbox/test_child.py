"""The child process: what it may take, what becomes of it, and that nothing stays behind."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mummer.errors import FileError, LimitError, MalformedFileError
from mummer.io import child
from mummer.io.child import read_in_child
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from tests.io.fbx.ascii_fbx import two_joints

NO_MEMORY_LIMIT = "resource.RLIMIT_AS = resource.RLIMIT_CORE; m.main"
IN_SANDBOX = child._START.rpartition("from sandbox.main")[0]


@pytest.fixture(autouse=True)
def nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Temporary folders go where they can be counted; afterwards there are none, and no further child either."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    before = children()
    yield folder
    assert list(folder.iterdir()) == []
    assert children() <= before


def children() -> set[str]:
    """The processes that this one has started and that are not done with, dead ones that nobody waited for included."""
    return {each for tasks in Path("/proc/self/task").glob("*/children") for each in tasks.read_text().split()}


def test_a_child_that_stays_is_seen() -> None:
    before = children()
    started = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert children() - before == {str(started.pid)}
    finally:
        started.communicate()
    assert children() == before


def run(
    limits: ReadLimits = DEFAULT_LIMITS, task: str = "fbx", data: bytes = b"", base: int = 2**31
) -> dict[str, object]:
    return read_in_child(task, data, Path("some.fbx"), limits, suffix=".fbx", base_bytes=base)


def test_a_result_comes_back() -> None:
    pytest.importorskip("ufbx")
    content = run(data=two_joints()[0].data())
    assert content["ascii"] is True


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        ("import os; os.kill(os.getpid(), 11)", MalformedFileError, r"brings its reader down \(signal 11\)"),
        ("import os; os._exit(0)", MalformedFileError, r"brings its reader down \(exit code 0\)"),
        ("raise SystemExit(3)", MalformedFileError, r"brings its reader down \(exit code 3\)"),
        ("import os; os.kill(os.getpid(), 24)", LimitError, "takes longer to read than the limit of 60 seconds"),
    ],
)
def test_a_child_that_dies_is_one_line(
    monkeypatch: pytest.MonkeyPatch, code: str, kind: type[FileError], message: str
) -> None:
    monkeypatch.setattr(child, "_START", code)
    with pytest.raises(kind, match=message) as caught:
        run()
    assert "\n" not in str(caught.value)


def test_a_child_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_START", "import time; time.sleep(60)")
    before = time.monotonic()
    with pytest.raises(LimitError, match=r"takes longer to read than the limit of 0\.3 seconds"):
        run(dataclasses.replace(DEFAULT_LIMITS, seconds=0.3))
    assert time.monotonic() - before < 20


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    greedy = "import sandbox.main as m; m._answer = lambda job: {'content': [bytes(2**30)] and {}}; m.main(sys.argv[2])"
    monkeypatch.setattr(child, "_START", IN_SANDBOX + greedy)
    with pytest.raises(LimitError, match="more memory than the limit"):
        run(dataclasses.replace(DEFAULT_LIMITS, child_bytes=256 * 2**20))
    with pytest.raises(LimitError, match="more memory than the limit"):
        run(base=256 * 2**20)
    assert run() == {}


def test_a_result_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    large = "import sandbox.main as m; m._answer = lambda job: {'content': 'x' * 2**26}; m.main(sys.argv[2])"
    monkeypatch.setattr(child, "_START", IN_SANDBOX + "import resource\n" + large.replace("m.main", NO_MEMORY_LIMIT))
    with pytest.raises(LimitError, match="unfolds to more than the limit"):
        run(dataclasses.replace(DEFAULT_LIMITS, child_bytes=2**20))


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        ("ValueError('bad\\nthing')", "cannot be read: bad thing"),
        ("KeyError()", "cannot be read: KeyError"),
        ("RecursionError()", "nested too deeply"),
    ],
)
def test_errors_inside_are_one_line(monkeypatch: pytest.MonkeyPatch, raised: str, message: str) -> None:
    raising = f"""
import types
module = types.ModuleType("sandbox.trouble")
def read(job): raise {raised}
module.read = read
sys.modules["sandbox.trouble"] = module
import sandbox.main as m
m.main(sys.argv[2])
"""
    monkeypatch.setattr(child, "_START", IN_SANDBOX + raising)
    with pytest.raises(MalformedFileError, match=message) as caught:
        run(task="trouble")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("damage", [b"", b"\xff" * 8, b"\x02" + bytes(7) + b"{]", b"\x08" + bytes(7) + b'{"a": 1'])
def test_a_damaged_result_is_an_error(damage: bytes) -> None:
    with pytest.raises(MalformedFileError, match="broken result"):
        child._unpack(damage, None)


def test_the_child_imports_neither_numpy_nor_mummer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ufbx")
    listing = (
        "import sandbox.fbx, sandbox.main as m\n"
        "m._answer = lambda job: {'content': {'modules': sorted(sys.modules)}}\n"
        "m.main(sys.argv[2])"
    )
    monkeypatch.setattr(child, "_START", IN_SANDBOX + listing)
    modules = run()["modules"]
    assert isinstance(modules, list)
    assert "sandbox.fbx" in modules
    assert not {"numpy", "mummer", "numba"} & set(modules)
