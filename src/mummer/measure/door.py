"""Measures take whatever says a motion: a clip, a path, or a character with recordings."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from mummer.clip.motions import as_clip

Function = TypeVar("Function", bound=Callable[..., Any])
MOTIONS = ("clip", "source")


def of_motions(function: Function) -> Function:
    """A measure of clips that also takes what `mummer.clip.as_clip` does in their places."""

    @wraps(function)
    def door(*given: Any, **options: Any) -> Any:
        def motion(each: Any) -> Any:
            return None if each is None else as_clip(each, asker=f"{function.__name__}()")

        named = {name: motion(each) if name in MOTIONS else each for name, each in options.items()}
        return function(*(motion(each) for each in given), **named)

    return cast(Function, door)
