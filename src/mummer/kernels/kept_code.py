"""Compiled code that numba keeps on disk, read back without getting its compiler ready."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys


class KeptCode(FunctionCache):  # type: ignore[misc]
    """Numba's own cache of one function; what is read from it needs the runtime, and nothing that compiles.

    Numba would first import all that its compiler knows, 200 modules, which takes longer than reading forty kernels.
    """

    def __init__(self, function: FunctionType, on_miss: Callable[[], object]) -> None:
        super().__init__(function)
        self._on_miss = on_miss

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for a signature; None, and ``on_miss`` is called, if it has to be compiled."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
        if found is None:
            self._on_miss()
        return found
