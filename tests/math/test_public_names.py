"""Every module offers what it says it does, and the package needs nothing but numpy."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from types import ModuleType

import pytest

import mummer.math

PACKAGES = [mummer.math, mummer.math.quaternion, mummer.math.euler, mummer.math.splines]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_names_exist_and_are_sorted(package: ModuleType) -> None:
    assert package.__all__ == sorted(set(package.__all__))
    assert all(hasattr(package, name) for name in package.__all__)


def test_every_module_is_offered() -> None:
    modules = {name for _, name, _ in pkgutil.iter_modules(mummer.math.__path__) if not name.startswith("_")}
    assert modules == set(mummer.math.__all__)
    assert all(f"`{name}`" in (mummer.math.__doc__ or "") for name in modules)


@pytest.mark.parametrize("package", PACKAGES[1:], ids=lambda package: package.__name__)
def test_every_function_of_a_package_is_offered(package: ModuleType) -> None:
    internal = {"require_knots", "require_values"}
    for _, name, _ in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{name}")
        own = {key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
        public = {key for key in own if not key.startswith("_")} - internal
        assert public <= set(package.__all__)


def test_scipy_is_not_needed() -> None:
    code = "import sys, mummer.math; print('scipy' in sys.modules, 'numba' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert answer.strip() == "False False"
