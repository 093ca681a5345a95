"""What is said when compiling takes a while."""

from __future__ import annotations

import ctypes
import time

import pytest

from mummer.kernels import notice
from tests.kernels.test_kernel_mechanism import run_python


@pytest.fixture
def heard(monkeypatch):
    heard: list[bool] = []
    monkeypatch.setattr(notice, "PATIENCE", 0.02)
    notice.on_slow_compiling(heard.append)
    yield heard
    notice.on_slow_compiling(None)


@pytest.mark.parametrize("kept", [True, False])
def test_what_takes_a_while_is_said_once_and_whether_it_is_kept(heard, kept):
    for _ in range(2):
        with notice.noticed(kept=kept):
            time.sleep(0.1)
    assert heard == [kept]


def test_what_is_quick_needs_no_word(heard):
    with notice.noticed(kept=True):
        pass
    time.sleep(0.05)
    assert heard == []


@ctypes.PYFUNCTYPE(None)
def interrupted_from_c() -> None:
    raise KeyboardInterrupt


def compiled(*, interrupted: bool, failed: bool) -> None:
    with notice.noticed(kept=True):
        if interrupted:
            interrupted_from_c()
        if failed:
            raise RuntimeError("no compiled object yet")


@pytest.mark.parametrize("failed", [True, False])
def test_an_interruption_that_the_compiler_swallows_is_one_all_the_same(failed, capfd):
    with pytest.raises(KeyboardInterrupt):
        compiled(interrupted=True, failed=failed)
    assert "Exception ignored" not in capfd.readouterr().err
    with pytest.raises(RuntimeError, match="no compiled object yet"):
        compiled(interrupted=False, failed=True)


def test_who_asks_for_nothing_is_told_by_the_logger_and_can_silence_it():
    code = (
        "from mummer.kernels import notice\nimport logging, sys, time\nsys.stderr = sys.stdout\nnotice.PATIENCE = 0.0\n"
    )
    wait = "with notice.noticed(kept=True):\n    time.sleep(0.3)\n"
    assert "mummer: compiling for this machine" in run_python(code + wait)
    assert run_python(f"{code}logging.getLogger('mummer').setLevel('ERROR')\n{wait}") == ""


TOLD = """
import time, numpy as np
from mummer.kernels import cpu, notice
from mummer.kernels.morph import morph
notice.PATIENCE = 0.0
notice.on_slow_compiling(lambda kept: print("compiling, kept" if kept else "compiling"))
signature = cpu._signature
def slowly(*rest):
    time.sleep(0.1)
    return signature(*rest)
cpu._signature = slowly  # what takes a while without being compiling
morph(np.zeros((1, 3)), np.ones((1, 1, 3)), [1.0])
"""
NOWHERE = "from numba.core import caching\ncaching.CompileResultCacheImpl._locator_classes = []\n"


def test_compiling_is_said_when_something_compiles_and_kept_when_it_is_kept(tmp_path):
    assert run_python(TOLD, NUMBA_CACHE_DIR=str(tmp_path)).strip() == "compiling, kept"
    assert run_python(TOLD, NUMBA_CACHE_DIR=str(tmp_path)).strip() == ""
    assert run_python(NOWHERE + TOLD).strip() == "compiling"


def test_what_was_compiled_before_is_read_without_the_compiler(tmp_path):
    code = "import sys; from mummer.kernels.quaternions import multiply_rows; import numpy as np\n"
    code += "multiply_rows.at(np.dtype('float64'))\nprint('numba.np.arraymath' in sys.modules)"
    assert run_python(code, NUMBA_CACHE_DIR=str(tmp_path)).strip() == "True"
    assert run_python(code, NUMBA_CACHE_DIR=str(tmp_path)).strip() == "False"
