"""Wishes: what the maker of a motion asked of parts of the body, told beside the motion for whoever judges it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError


@dataclass(frozen=True, eq=False)
class Wish:
    """Where a part was wished to be, or how turned, as the text of the motion says and before any solver had a say.

    Attributes:
        joint: the part.
        times: (T,) seconds of the clip, increasing.
        weights: (T,) how much it was wished, 0 to 1; what is below 1 asks for something on the way.
        places: (T, 3) in the world, metres; None if it is about the turn alone.
        turns: (T, 4) world_from_joint; None if it is about the place alone.
        point: what of the part is meant, metres in the joint's frame.
        touches: what its skin is to meet while it is fully wished: the joint of another part, or the ``place`` itself;
            None if nothing.
        missed: metres by which the report of the motion says that the place is missed at worst; 0 if it says nothing.
    """

    joint: int
    times: FloatArray
    weights: FloatArray
    places: FloatArray | None = None
    turns: FloatArray | None = None
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    touches: int | Literal["place"] | None = None
    missed: float = 0.0

    def __post_init__(self) -> None:
        count = len(self.times)
        for name, shape in (("times", (count,)), ("weights", (count,)), ("places", (count, 3)), ("turns", (count, 4))):
            values = getattr(self, name)
            if values is not None:
                array = locked(values)
                if array.shape != shape:
                    raise InputError(f"{name} of a wish have shape {array.shape}; expected {shape}")
                object.__setattr__(self, name, array)
