"""Packages with a stub offer what it lists, and load no more than is used."""

from __future__ import annotations

import importlib
import subprocess
import sys
from types import ModuleType

import pytest

PACKAGES = ("mummer.clip", "mummer.ik", "mummer.ik.volume")


@pytest.mark.parametrize("name", PACKAGES)
def test_all_names_are_there(name: str) -> None:
    package = importlib.import_module(name)
    assert dir(package) == package.__all__ == sorted(package.__all__)
    for each in package.__all__:
        assert not isinstance(getattr(package, each), ModuleType)


def test_a_module_does_not_take_the_place_of_its_function() -> None:
    code = "import mummer.ik.solve, mummer.clip.tree as _; from mummer.clip import tree; from mummer.ik import solve; "
    code += "print(callable(solve), callable(tree))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert answer.split() == ["True", "True"]


def test_names_that_are_not_there() -> None:
    from mummer import ik

    with pytest.raises(AttributeError, match=r"module 'mummer.ik' has no attribute 'slove'"):
        _ = ik.slove


def test_a_body_for_solvers_brings_no_solver_along() -> None:
    code = "import sys, mummer.ik.rigid_body; print(*(name for name in sys.modules if name.startswith('mummer.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "mummer.ik.rigid_body" in loaded
    assert not [name for name in loaded if name.startswith(("mummer.ik.numeric", "mummer.ik.ccd", "mummer.clip."))]
