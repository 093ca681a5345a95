"""How long a unit is in files that do not say: the length that gives the body a plausible size."""

from __future__ import annotations

import math

from mummer.io.body import Body

UNITS = {"metres": 1.0, "centimetres": 0.01, "inches": 0.0254, "decimetres": 0.1, "millimetres": 0.001,
         "units of 1/0.45 inch": 0.0254 / 0.45}  # fmt: skip
"""Units that files are found in, in metres. The last is that of the CMU recordings as most people have them."""

_USUAL, _DECIMAL = ("centimetres", "metres"), ("metres", "centimetres", "millimetres")
_HUMAN_SIZES, _HUMAN_SIZE, _LARGEST_OTHER = (0.8, 2.6), 1.6, 10.0


def unit_name(metres_per_unit: float) -> str:
    """What a unit of this length is called."""
    near = [name for name, length in UNITS.items() if abs(length - metres_per_unit) < 1e-9]
    return near[0] if near else f"units of {metres_per_unit:g} m"


def guess_unit(body: Body) -> float:
    """How long a unit is in metres, so that the body has a plausible size.

    A human is given centimetres or metres if that makes it 0.8 to 2.6 m from foot to head, else whichever of `UNITS`
    brings it nearest to 1.6 m. Another body is given the first of metres, centimetres and millimetres that makes
    it smaller than 10 m.
    """
    if not body.size > 0:
        return UNITS["centimetres"]
    if body.is_human:
        for name in _USUAL:
            if _HUMAN_SIZES[0] <= body.size * UNITS[name] <= _HUMAN_SIZES[1]:
                return UNITS[name]
        return min(UNITS.values(), key=lambda length: abs(math.log(body.size * length / _HUMAN_SIZE)))
    fitting = (UNITS[name] for name in _DECIMAL if body.size * UNITS[name] < _LARGEST_OTHER)
    return next(fitting, UNITS[_DECIMAL[-1]])
