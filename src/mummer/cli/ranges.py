"""Numbers of options: what makes no sense is refused at once, in one line."""

from __future__ import annotations

import math

from mummer.errors import InputError

MOST_SECONDS, MOST_RATE, MOST_JOBS, MOST_PIXELS = 3600.0, 1000.0, 1024, 100_000_000


def require_between(option: str, value: float | None, low: float, high: float, *, unit: str = "") -> None:
    """Raise unless ``value`` is above ``low`` and at most ``high``, or was not given.

    Raises:
        InputError: with the option and what it may be.
    """
    if value is not None and not (math.isfinite(value) and low < value <= high):
        words = f" {unit}" if unit else ""
        raise InputError(f"{option} {value:g} makes no sense; expected more than {low:g} and at most {high:g}{words}")


def picture_size(text: str) -> dict[str, tuple[int, int]]:
    """The option ``size`` of pictures that ``--size`` says; nothing if it was not given.

    Raises:
        InputError: if it is not two numbers.
    """
    if not text:
        return {}
    columns, cross, rows = text.lower().partition("x")
    if not (cross and columns.isdecimal() and rows.isdecimal()):
        raise InputError(f"--size {text!r}; expected columns and rows such as 640x480")
    return {"size": (int(columns), int(rows))}
