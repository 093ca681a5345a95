"""Compiling for CPU threads, with the result kept on disk."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FunctionType
from typing import Any

from mummer.kernels.arguments import Argument
from mummer.kernels.code_folder import provide_folder
from mummer.kernels.linking import fingerprint, is_apart, linked
from mummer.kernels.notice import noticed

# "contract" alone lets a multiplication and an addition fuse. Nothing here assumes that NaN or infinity cannot come,
# and sums keep their order, so results do not depend on how many threads ran.
OPTIONS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "fastmath": {"contract"}}

# Numba counts references to arrays wherever one is taken out of a record, atomically, which costs more than the
# arithmetic of a kernel that takes records of many. What borrows its arrays counts none, and can make none.
BORROWING: dict[str, Any] = {**OPTIONS, "_nrt": False}

_HELPERS: dict[FunctionType, Any] = {}
_BORROWING_HELPERS: dict[FunctionType, Any] = {}
_LOCK = threading.RLock()


def compile_function(function: FunctionType, arguments: dict[str, Argument], dtype: str) -> Callable[..., Any]:
    """``function`` compiled for exactly one precision; any other array type raises TypeError when called."""
    with _LOCK:
        copy = FunctionType(function.__code__, dict(function.__globals__), function.__name__, function.__defaults__)
        copy.__module__, copy.__qualname__ = function.__module__, _kept_name(function)
        provide_folder(copy)

        def link() -> None:
            copy.__globals__.update(linked(function, _jit_helper, _HELPERS).__globals__)

        return _compile(copy, _signature(list(arguments.values()), dtype), link)


def compile_loop(
    body: FunctionType, arguments: dict[str, Argument], dtype: str, *, borrows: bool = False
) -> Callable[..., Any]:
    """``loop(start, stop, *arguments)`` that calls ``body(item, *arguments)`` for each item in between."""
    jit, helpers = (_jit_borrowing, _BORROWING_HELPERS) if borrows else (_jit_helper, _HELPERS)
    with _LOCK:
        loop = _loop(body, list(arguments))
        loop.__qualname__ = _kept_name(body)
        provide_folder(loop)

        def link() -> None:
            loop.__globals__["_one"] = jit(linked(body, jit, helpers))

        number = Argument("int64", 0)
        signature = _signature([number, number, *arguments.values()], dtype)
        return _compile(loop, signature, link, BORROWING if borrows else OPTIONS)


def _kept_name(function: FunctionType) -> str:
    """Under which name compiled code is kept: that which checks its bounds (``NUMBA_BOUNDSCHECK=1``) apart."""
    from numba import config

    checked = "-checked" if getattr(config, "BOUNDSCHECK", None) else ""
    return f"{function.__name__}-{fingerprint(function, __file__)}{checked}"


def _loop(body: FunctionType, names: list[str]) -> FunctionType:
    """The loop, but for the compiled body that it calls, ``_one``.

    Its source carries the file and line of the body, which is where numba keeps what it compiled.
    """
    listed = ", ".join(names)
    text = f"def loop(start, stop, {listed}):\n for item in range(start, stop):\n  _one(item, {listed})\n"
    above = "\n" * (body.__code__.co_firstlineno - 1)
    scope: dict[str, Any] = {"__name__": body.__module__}
    exec(compile(above + text, body.__code__.co_filename, "exec"), scope)
    loop: FunctionType = scope["loop"]
    return loop


def _jit_borrowing(function: FunctionType) -> Any:
    from mummer.kernels.whole_code import MARK

    # Of records of many arrays a helper is handed what it needs. Loops over plain arrays are the quicker the more of
    # them was finished before.
    function.__qualname__ += MARK
    return _jit_helper(function, BORROWING)


def _jit_helper(function: FunctionType, options: dict[str, Any] = OPTIONS) -> Any:
    import numba

    # Left to itself LLVM keeps the larger helpers as calls, which halves the speed of forward kinematics. Nobody calls
    # a helper from outside, so it needs none of the wrappers that take a third of the time to compile.
    bare = {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.jit(forceinline=not is_apart(function), **bare)(function)


def _compile(
    function: FunctionType, signature: tuple[Any, ...], link: Callable[[], None], options: dict[str, Any] = OPTIONS
) -> Callable[..., Any]:
    """``function`` compiled, or as it was kept; ``link`` gives it its helpers, which takes a while, if it must be."""
    import numba

    from mummer.kernels.kept_code import KeptCode

    dispatcher = numba.jit(**options)(function)
    with ExitStack() as scope, _one_process_at_a_time(function.__code__.co_filename):

        def on_miss(kept: bool = True) -> None:
            from mummer.kernels.whole_code import compile_as_wholes

            scope.enter_context(noticed(kept=kept))
            compile_as_wholes()
            link()

        try:
            dispatcher._cache = KeptCode(function, on_miss)
        except RuntimeError:  # no folder that numba could write to: compile for this process alone
            on_miss(kept=False)
        dispatcher.compile(signature)
    dispatcher.disable_compile()
    compiled: Callable[..., Any] = dispatcher
    return compiled


def _signature(arguments: list[Argument], dtype: str) -> tuple[Any, ...]:
    """Numba's types. What is only read is declared read-only, which writable arrays match as well."""
    from numba import from_dtype, types
    from numpy import dtype as numpy_dtype

    def one(argument: Argument) -> Any:
        if argument.record is not None:
            named: Any = types.BaseTuple
            return named.from_types([one(field) for field in argument.fields], argument.record)
        scalar = from_dtype(numpy_dtype(dtype if argument.dtype == "float" else argument.dtype))
        if argument.ndim == 0:
            return scalar
        return types.Array(scalar, argument.ndim, "C", readonly=not argument.written)

    return tuple(one(argument) for argument in arguments)


@contextmanager
def _one_process_at_a_time(path: str) -> Iterator[None]:
    """Two processes that add to one cache index at once could mix up its entries, so they take turns.

    The source file itself is what they lock: it exists, and locking it writes nothing.
    """
    try:
        import fcntl

        descriptor = os.open(path, os.O_RDONLY)
    except (ImportError, OSError):  # no such locks on this system, or a source inside an archive
        yield
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
