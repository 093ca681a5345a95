"""Bodies and their helpers are plain Python functions; this finds the helpers and compiles them for one target."""

from __future__ import annotations

import dis
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

Jit = Callable[[FunctionType], Any]
Function = TypeVar("Function", bound=Callable[..., Any])


def apart(function: Function) -> Function:
    """Mark a long helper of kernels: compiled once and called, where short ones are copied into their callers."""
    function.__dict__["is_apart"] = True
    return function


def is_apart(function: Callable[..., Any]) -> bool:
    """Whether a helper is marked by `apart`."""
    return bool(function.__dict__.get("is_apart", False))


def helpers_of(function: FunctionType) -> dict[str, FunctionType]:
    """The plain functions that ``function`` calls by a global name; attributes of that name are none."""
    names = {one.argval for one in dis.get_instructions(function) if one.opname == "LOAD_GLOBAL"}
    found = ((name, function.__globals__.get(name)) for name in sorted(names))
    return {name: value for name, value in found if isinstance(value, FunctionType)}


def linked(function: FunctionType, jit: Jit, compiled: dict[FunctionType, Any]) -> FunctionType:
    """A copy of ``function`` in which every helper, at any depth, is replaced by ``jit(helper)``.

    One source serves every target this way: the copy made for CPU threads and the copy made for CUDA see their own
    helpers, and the originals stay ordinary Python.

    Args:
        function: the function to copy.
        jit: compiles one helper for the target.
        compiled: the helpers of this target that exist already; new ones are added.
    """
    names = dict(function.__globals__)
    for name, helper in helpers_of(function).items():
        if helper not in compiled:
            compiled[helper] = jit(linked(helper, jit, compiled))
        names[name] = compiled[helper]
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    copy.__dict__.update(function.__dict__)
    return copy


def fingerprint(function: FunctionType, *more: str) -> str:
    """A short hash of every source file that ``function`` and its helpers come from, and of the files ``more``.

    Compiled code is kept on disk under this name, so that editing a helper never leaves old code in use.
    """
    digest = hashlib.sha256()
    for path in sorted({*_sources(function, set()), *more}):
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()[:12]


def _sources(function: FunctionType, seen: set[FunctionType]) -> Iterator[str]:
    if function not in seen:
        seen.add(function)
        yield function.__code__.co_filename
        # All its names, attributes too: quicker to find, and a file too many does no harm.
        for name in function.__code__.co_names:
            helper = function.__globals__.get(name)
            if isinstance(helper, FunctionType):
                yield from _sources(helper, seen)
