"""What the parameters of the zoo's compiled loops hold."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Argument

IntegerArray = npt.NDArray[np.int64]

Number = Annotated[float, Argument("float64", 0)]
Numbers = Annotated[FloatArray, Argument("float64", 1)]
Rows = Annotated[FloatArray, Argument("float64", 2)]
Grid = Annotated[FloatArray, Argument("float64", 3)]
Whole = Annotated[IntegerArray, Argument("int64", 1)]
WholeRows = Annotated[IntegerArray, Argument("int64", 2)]

NumbersOut = Annotated[FloatArray, Argument("float64", 1, written=True)]
RowsOut = Annotated[FloatArray, Argument("float64", 2, written=True)]
GridOut = Annotated[FloatArray, Argument("float64", 3, written=True)]
WholeOut = Annotated[IntegerArray, Argument("int64", 1, written=True)]
WholeRowsOut = Annotated[IntegerArray, Argument("int64", 2, written=True)]
CellsOut = Annotated[IntegerArray, Argument("int64", 3, written=True)]


class FleshRows(NamedTuple):
    """The flesh of a body, see `mummer.zoo.flesh.Field`."""

    primitives: Rows
    boxes: Rows
    first: Whole
    parts: Rows
    part_boxes: Rows


class BindingRows(NamedTuple):
    """What may carry flesh, see `mummer.zoo.binding.Bindings`."""

    first: Whole
    joints: Whole
    points: Rows
    planes: Rows
    windows: Numbers
    bases: Rows
    relations: WholeRows
