"""A kernel of records and its helpers compiled as one whole.

Numba finishes each function by itself before another calls it: a helper is optimized and emitted once alone, and again
in all that call it, though nobody but kernels does. Here helpers wait until all of their kernel is linked. Nobody
outside can call them then, so that arguments that they do not need are not handed on: of a record of a hundred arrays,
those are most.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.registry import cpu_target

MARK = " (helper)"
"""Ends the qualified names of helpers."""


def compile_as_wholes() -> None:
    """From now on let helpers wait for what calls them; all other functions are compiled as they always were.

    Where somebody else has changed how numba makes code, that is left alone.
    """
    codegen = cpu_target.target_context.codegen()
    if type(codegen) is JITCPUCodegen:
        codegen.__class__ = _Codegen


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function, with that of all that it calls unless it is a helper itself."""

    def finalize(self) -> None:
        if self.name.endswith(MARK):
            self._finalized = True
            return
        if self._is_whole():
            # Callers before what they call: what nobody needs yet is not linked.
            self._linking_libraries = _needed(self, set())[::-1]
        super().finalize()

    def _is_whole(self) -> bool:
        return any(library.name.endswith(MARK) for library in self._linking_libraries)

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions if self._is_whole() else ():
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
        super()._optimize_final_module()


class _Codegen(JITCPUCodegen):  # type: ignore[misc]
    """Makes such libraries."""

    _library_class = _Library

    def set_env(self, env_name: str, env: Any) -> None:
        # Of what waits nothing is in memory yet.
        if self._engine.get_global_value_address(env_name):
            super().set_env(env_name, env)


def _needed(library: Any, seen: set[Any]) -> list[Any]:
    """The libraries that one needs, each after all that it needs itself; helpers bring none along."""
    found = []
    for other in library._linking_libraries:
        if other not in seen:
            seen.add(other)
            found += [*(_needed(other, seen) if other.name.endswith(MARK) else ()), other]
    return found
