"""How long a unit is: by its name, or in files that do not say, the length that gives the body a plausible size."""

from __future__ import annotations

import math

from mummer.errors import InputError, closest_names
from mummer.io.body import Body
from mummer.io.text import parse_number
from mummer.report import ReportBuilder

UNITS = {"metres": 1.0, "centimetres": 0.01, "inches": 0.0254, "decimetres": 0.1, "millimetres": 0.001,
         "units of 1/0.45 inch": 0.0254 / 0.45}  # fmt: skip
"""Units that files are found in, in metres. The last is that of the CMU recordings as most people have them."""
SHORT = {"m": "metres", "cm": "centimetres", "mm": "millimetres", "dm": "decimetres", "inch": "inches",
         "cmu": "units of 1/0.45 inch"}  # fmt: skip
"""What units are called where one is chosen."""
_LENGTHS = {short: UNITS[name] for short, name in SHORT.items()} | {
    "in": 0.0254,
    "foot": 0.3048,
    "feet": 0.3048,
    "ft": 0.3048,
}
_LENGTHS |= {spelled: length for name, length in UNITS.items() for word in (name, name.replace("metre", "meter"))
             for spelled in (word, word.removesuffix("s"))}  # fmt: skip

_USUAL, _DECIMAL = ("centimetres", "metres"), ("metres", "centimetres", "millimetres")
_HUMAN_SIZES, _HUMAN_SIZE, _LARGEST_OTHER = (0.8, 2.6), 1.6, 10.0


def unit_name(metres_per_unit: float) -> str:
    """What a unit of this length is called."""
    near = [name for name, length in UNITS.items() if abs(length - metres_per_unit) < 1e-9]
    return near[0] if near else f"units of {metres_per_unit:g} m"


def named_length(word: str) -> float | None:
    """Metres in a unit of this name, in any usual spelling, or None if there is none."""
    return _LENGTHS.get(word.strip().lower())


def unit_length(unit: str | float) -> float:
    """Metres in a unit that somebody chose: a name as ``cm`` or ``inches``, or metres as a number.

    Raises:
        InputError: saying which names there are.
    """
    length = named_length(unit) or parse_number(unit) if isinstance(unit, str) else float(unit)
    if length is not None and 1e-9 < length < 1e9:
        return length
    near = closest_names(str(unit), _LENGTHS, most=1)
    meant = f"; did you mean {near[0]}?" if near else ";"
    raise InputError(f"{unit!r} is no unit of length{meant} choose {', '.join(SHORT)}, or metres as a number")


def guess_unit(body: Body, report: ReportBuilder | None = None) -> float:
    """How long a unit is in metres, so that the body has a plausible size; ``report`` is told.

    A human is given centimetres or metres if that makes it 0.8 to 2.6 m from foot to head, else whichever of `UNITS`
    brings it nearest to 1.6 m. Another body is given the first of metres, centimetres and millimetres that makes
    it smaller than 10 m.
    """
    unit = _plausible_unit(body)
    if report is not None:
        what = "from foot to head" if body.is_human else "in size"
        made = f"which makes the body {body.size * unit:.3g} m {what}"
        report.add("guessed", f"lengths are in {unit_name(unit)}, {made}; --unit or unit= says otherwise")
    return unit


def _plausible_unit(body: Body) -> float:
    if not body.size > 0:
        return UNITS["centimetres"]
    if body.is_human:
        for name in _USUAL:
            if _HUMAN_SIZES[0] <= body.size * UNITS[name] <= _HUMAN_SIZES[1]:
                return UNITS[name]
        return min(UNITS.values(), key=lambda length: abs(math.log(body.size * length / _HUMAN_SIZE)))
    fitting = (UNITS[name] for name in _DECIMAL if body.size * UNITS[name] < _LARGEST_OTHER)
    return next(fitting, UNITS[_DECIMAL[-1]])
