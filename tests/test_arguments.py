"""No function takes more than a person keeps in mind: eight arguments, and twelve where it is compiled."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest

import mummer
from mummer.kernels.kernel import Compiled, Kernel
from mummer.kernels.linking import helpers_of
from mummer.options import parameters_of, require_options
from mummer.retargeting.onto import Onto, Taking

SOURCE = Path(mummer.__file__).parent
MOST, MOST_COMPILED = 8, 12
COMMANDS = SOURCE / "cli"
"""Each option of a command is an argument of its function."""


def defined(path: Path) -> Iterator[tuple[str, int, int]]:
    """Name, line and number of arguments of each function of a file, who it is a method of aside."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            yield node.name, node.lineno, len(names) - (names[:1] in (["self"], ["cls"]))


def compiled_functions() -> set[tuple[str, str]]:
    """File and name of what runs compiled: kernels, and whatever these call."""
    waiting: list[FunctionType] = []
    for path in SOURCE.rglob("*.py"):
        if "\n@kernel" in (text := path.read_text(encoding="utf-8")) or "\n@compiled" in text:
            module = importlib.import_module(".".join(("mummer", *path.relative_to(SOURCE).with_suffix("").parts)))
            for value in vars(module).values():
                waiting += [value.body] if isinstance(value, Kernel) else []
                waiting += [value.function] if isinstance(value, Compiled) else []
    found: set[FunctionType] = set()
    while waiting:
        if (function := waiting.pop()) not in found:
            found.add(function)
            waiting += helpers_of(function).values()
    return {(each.__code__.co_filename, each.__name__) for each in found}


def test_functions_take_few_arguments() -> None:
    compiled, long = compiled_functions(), []
    for path in sorted(SOURCE.rglob("*.py")):
        if COMMANDS in path.parents:
            continue
        for name, line, count in defined(path):
            is_compiled = (str(path), name) in compiled or SOURCE / "kernels" in path.parents
            if count > (MOST_COMPILED if is_compiled else MOST):
                long.append(f"{path.relative_to(SOURCE)}:{line} {name} takes {count}")
    assert not long, "; ".join(long)


def test_options_are_told_one_by_one() -> None:
    assert {"feet", "groups", "floor", "ground", "rate"} <= set(parameters_of(mummer.retarget))
    assert {"path", "pace", "ground", "ends", "target"} <= set(parameters_of(mummer.perform))
    assert set(Taking.__annotations__) == set(vars(Onto)["__annotations__"]) - {"clip", "character"}


def test_options_that_are_none_are_refused() -> None:
    with pytest.raises(mummer.errors.UnknownNameError, match=r"retarget\(\) has no option 'flor'; closest: 'floor'"):
        require_options({"flor": 0.2}, Taking, "retarget()")
    with pytest.raises(mummer.errors.UnknownNameError, match=r"perform\(\) has no option 'ens'; closest: 'ends'"):
        mummer.perform("zoo:adult", "walk", ens="moving")  # type: ignore[call-arg]
