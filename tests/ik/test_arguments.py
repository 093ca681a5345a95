"""Records in, records out: how many arguments functions of these packages take at most."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mummer

PACKAGES = Path(mummer.__file__).parent
OPTIONS = {"retarget"}
"""What people call with a choice of named options."""
MOST, MOST_OF_A_KERNEL = 8, 12


def functions(package: str) -> list[tuple[str, int, bool]]:
    """Where each function is, how many arguments it takes, and whether it is a kernel."""
    found = []
    for path in sorted((PACKAGES / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name not in OPTIONS:
                given = node.args
                count = len([*given.posonlyargs, *given.args, *given.kwonlyargs])
                is_kernel = any(ast.unparse(each).startswith("kernel") for each in node.decorator_list)
                found.append((f"{path.relative_to(PACKAGES)}: {node.name}", count, is_kernel))
    return found


@pytest.mark.parametrize("package", ["ik", "retargeting"])
def test_no_function_takes_a_long_list_of_arguments(package: str) -> None:
    listed = functions(package)
    assert len(listed) > 100
    assert any(is_kernel for _, _, is_kernel in listed)
    long = [where for where, count, is_kernel in listed if count > (MOST_OF_A_KERNEL if is_kernel else MOST)]
    assert long == []
