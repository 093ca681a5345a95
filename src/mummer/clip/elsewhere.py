"""Operators that live in packages further down the flow of data, found by name so that nothing here imports them."""

from __future__ import annotations

import importlib
from typing import Any

HOMES = {"Onto": "mummer.retarget.onto"}
"""Operators by name, and the modules that define them."""


def elsewhere(name: str) -> Any:
    """The operator called ``name``."""
    return getattr(importlib.import_module(HOMES[name]), name)
