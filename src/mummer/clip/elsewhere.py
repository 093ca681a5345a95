"""Operators that live in packages further down the flow of data, found by name so that nothing here imports them."""

from __future__ import annotations

import importlib
from typing import Any

HOMES = {
    "Balancing": "mummer.ik.balance",
    "Constrained": "mummer.ik.constraints",
    "Onto": "mummer.retargeting.onto",
    "Uncrossed": "mummer.ik.volume.uncrossed",
    "blend": "mummer.ik.constraints",
    "planted": "mummer.ik.constraints",
}
"""Operators, and functions that make them, by name, and the modules that bring them."""


def elsewhere(name: str) -> Any:
    """The operator or function called ``name``."""
    return getattr(importlib.import_module(HOMES[name]), name)
