"""Curves through knots, evaluated at many times at once.

Each is a function of the times of the knots (K,), what they hold (K, ...), and the times asked about (...),
in that order, and holds its end values outside the knots.
"""

from mummer.math.splines.automatic import catmull_rom, harmonic_slopes, monotone_cubic, natural_cubic
from mummer.math.splines.hermite import bezier, hermite
from mummer.math.splines.knots import Segments, locate
from mummer.math.splines.rotation import spherical_cubic, squad

__all__ = [
    "Segments",
    "bezier",
    "catmull_rom",
    "harmonic_slopes",
    "hermite",
    "locate",
    "monotone_cubic",
    "natural_cubic",
    "spherical_cubic",
    "squad",
]
