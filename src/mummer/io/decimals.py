"""Decimal numbers from text at the speed of memory, bit for bit as Python reads them; what is odd is left to others."""

from __future__ import annotations

import sys
from typing import Annotated

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.kernels import compiled
from mummer.kernels.arguments import Argument, Floats1, Output1

Octets = Annotated[npt.NDArray[np.uint8], Argument("uint8", 1)]

_MODERATE, _LARGE = 2**17, 2**24
_POWERS = 10.0 ** np.arange(23)
_EXACT = 2**53
_LARGEST_EXPONENT = 10_000
_BLANK, _TAB, _RETURN, _PLUS, _MINUS, _POINT, _ZERO, _NINE, _E, _SMALL_E = (ord(sign) for sign in " \t\r+-.09Ee")


def is_worth_compiling(size: int) -> bool:
    """Whether ``size`` bytes are read faster by compiled code: they are many, or not few and numba is at work already.

    Loading numba takes half a second, which is longer than a usual file takes without it.
    """
    return size >= (_MODERATE if "numba" in sys.modules else _LARGE)


def read_decimals(data: bytes, most: int) -> FloatArray | None:
    """(n,) the numbers in ``data``, split by white space.

    Args:
        data: ASCII text.
        most: how many numbers there may be.

    Returns:
        None if a word is no number, has more digits than float64 holds exactly, or there are too many of them: then a
        slower reader must say what it means.
    """
    room = np.empty(min(len(data) // 2 + 1, most))
    count = _read_decimals.at(room.dtype)(np.frombuffer(data, np.uint8), _POWERS, room)
    return room[:count].copy() if count >= 0 else None


def _is_blank(octet: int) -> bool:
    return octet == _BLANK or _TAB <= octet <= _RETURN


@compiled
def _read_decimals(octets: Octets, powers: Floats1, values: Output1) -> int:
    """How many numbers were read into ``values``, or -1.

    An integer below 2**53 times or over a power of ten up to 10**22 is rounded once, and so correctly.
    """
    count, place, end = 0, 0, len(octets)
    while place < end:
        if _is_blank(octets[place]):
            place += 1
            continue
        is_negative = octets[place] == _MINUS
        if is_negative or octets[place] == _PLUS:
            place += 1
        integer, digits, shift = 0, 0, 0
        is_after_point = False
        while place < end and (_ZERO <= octets[place] <= _NINE or (octets[place] == _POINT and not is_after_point)):
            if octets[place] == _POINT:
                is_after_point = True
            else:
                integer = integer * 10 + (octets[place] - _ZERO)
                digits += 1
                shift -= 1 if is_after_point else 0
            if integer >= _EXACT:
                return -1
            place += 1
        if place < end and digits and (octets[place] == _E or octets[place] == _SMALL_E):
            place += 1
            falls = place < end and octets[place] == _MINUS
            if place < end and (falls or octets[place] == _PLUS):
                place += 1
            exponent, start = 0, place
            while place < end and _ZERO <= octets[place] <= _NINE and exponent < _LARGEST_EXPONENT:
                exponent = exponent * 10 + (octets[place] - _ZERO)
                place += 1
            if place == start:
                return -1
            shift += -exponent if falls else exponent
        if not digits or (place < end and not _is_blank(octets[place])) or abs(shift) > 22 or count == len(values):
            return -1
        value = integer * powers[shift] if shift > 0 else integer / powers[-shift]
        values[count] = -value if is_negative else value
        count += 1
    return count
