"""A plugin of pytest: the engine in plain Python, for when compiling it takes longer than what is tested.

python -m pytest -p tests.engine.plain tests/engine/test_gaits.py
"""

from __future__ import annotations

from typing import Any

from mummer.engine import troupe


class Plain:
    """Runs kernels as the functions that they are."""

    @staticmethod
    def run(kernel: Any, count: int, *arguments: Any, grain: int = 1) -> None:
        """Call a kernel for each of ``count`` items."""
        for item in range(count):
            kernel.body(item, *arguments)

    def apart(self) -> Plain:
        """Nothing is kept."""
        return self


def pytest_configure() -> None:
    troupe.CPU = Plain()
