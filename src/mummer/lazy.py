"""Packages that load what they offer when it is first used; a stub beside each lists its names, for checkers too."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


class LazyPackage(ModuleType):
    """A package whose public names are found where its stub ``__init__.pyi`` imports them from."""

    _homes: dict[str, str]

    def __getattr__(self, name: str) -> Any:
        if name not in self._homes:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(self._homes[name]), name)
        super().__setattr__(name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # A module called as one of its functions is, as `solve`, does not take the function's place when it is loaded.
        if not (isinstance(value, ModuleType) and name in self._homes):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted(self._homes)


def lazily(name: str) -> list[str]:
    """Make a package lazy; its public names, sorted."""
    package = sys.modules[name]
    assert package.__file__ is not None
    stub = ast.parse(Path(package.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    homes = {
        alias.name: node.module or "" for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    package.__dict__["_homes"] = homes
    package.__class__ = LazyPackage
    return sorted(homes)
