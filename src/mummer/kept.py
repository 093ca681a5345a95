"""What is made of a body once and kept with it, so that both are forgotten together."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

Owner = TypeVar("Owner")
Options = ParamSpec("Options")
Made = TypeVar("Made")

KEPT = "_kept"
"""Where an owner keeps what is made of it: beside its fields, as cached properties do."""


def kept(make: Callable[Concatenate[Owner, Options], Made]) -> Callable[Concatenate[Owner, Options], Made]:
    """Make a function remember its answers with its first argument, a character or a physique.

    A cache of its own would keep the last few hundred bodies alive, surfaces and all. Further arguments are given by
    position and can be compared.
    """
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def remembered(owner: Owner, /, *options: Options.args, **named: Options.kwargs) -> Made:
        table: dict[tuple[object, ...], Made] = vars(owner).setdefault(KEPT, {})
        key = (name, *options, *sorted(named.items()))
        if key not in table:
            table[key] = make(owner, *options, **named)
        return table[key]

    return remembered
