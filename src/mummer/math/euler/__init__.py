"""Euler angles in every order, for the files and people that use them.

An order is one to three of the letters XYZ, no two neighbors the same. Upper case turns about the axes of the
moving body (intrinsic), lower case about the fixed axes of its parent (extrinsic): ``"ZXY"`` with angles (a,
b, c) is the rotation ``Z(a) * X(b) * Y(c)``, and ``"zxy"`` is ``Y(c) * X(b) * Z(a)``.
"""

from mummer.math.euler.angles import (
    ORDERS,
    from_euler,
    from_euler_degrees,
    parse_order,
    to_euler,
    to_euler_degrees,
)
from mummer.math.euler.curves import continuous_euler

__all__ = [
    "ORDERS",
    "continuous_euler",
    "from_euler",
    "from_euler_degrees",
    "parse_order",
    "to_euler",
    "to_euler_degrees",
]
