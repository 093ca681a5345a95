"""What the package offers, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mummer

BUSY = ("numba", "scipy", "PIL", "ufbx", "pxr", "imageio_ffmpeg")
HEAVY = (*BUSY, "typer", "rich", "msgspec")


def test_public_names_exist_and_are_sorted() -> None:
    for name in mummer.__all__:
        assert getattr(mummer, name) is not None
    assert sorted(mummer.__all__) == sorted(set(mummer.__all__))
    assert set(dir(mummer)) == set(mummer.__all__)


def test_homes_and_all_agree() -> None:
    assert set(mummer._HOME_OF) | set(mummer._PACKAGES) | {"__version__"} == set(mummer.__all__)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match=r"module 'mummer' has no attribute 'lod'; did you mean 'load'\?"):
        _ = mummer.lod


def test_import_loads_nothing_heavy() -> None:
    code = "import sys, mummer; print(' '.join(sorted({m.partition('.')[0] for m in sys.modules})))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "mummer" in loaded
    assert not set(HEAVY) & set(loaded)


def test_no_package_loads_what_only_its_work_needs() -> None:
    code = f"""
import importlib, pkgutil, sys
import mummer
packages = [found.name for found in pkgutil.walk_packages(mummer.__path__, "mummer.") if found.ispkg]
for package in packages:
    before = set(sys.modules)
    importlib.import_module(package)
    print(package, *sorted(set({BUSY!r}) & (set(sys.modules) - before)))
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = dict(line.partition(" ")[::2] for line in answer.splitlines())
    assert {"mummer.general.gait", "mummer.grid", "mummer.ik", "mummer.retargeting"} <= set(loaded)
    assert {package: heavy for package, heavy in loaded.items() if heavy} == {}
