"""Records that live on a GPU and are used here like any other: fields come when asked for, and go back in time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mummer.kernels.arguments import Argument
from mummer.kernels.place import CudaPlace


class Mirror:
    """A record of arrays on a GPU. A field that is read here is fetched, and sent back before a kernel runs next.

    What was fetched is no more than a copy once that has run: ask for the field again.

    Attributes:
        there: the record of device arrays; any library that knows CUDA arrays may read and write them.
    """

    def __init__(self, place: CudaPlace, record: Any, argument: Argument, dtype: str, *, sends: bool = True) -> None:
        """Move a record there; ``sends`` is False for one that kernels write all of, which never goes back."""
        self.there = place.moved(record, argument, dtype)
        self._sends = sends
        self._here: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.there._fields:
            raise AttributeError(f"{type(self.there).__name__} has no field '{name}'")
        if name not in self._here:
            self._here[name] = getattr(self.there, name).copy_to_host()
        return self._here[name]

    def __iter__(self) -> Iterator[Any]:
        return (getattr(self, name) for name in self.there._fields)

    def sent(self) -> Any:
        """The record of device arrays, up to date."""
        for name, array in self._here.items() if self._sends else ():
            if array.size:
                getattr(self.there, name).copy_to_device(array)
        self._here.clear()
        return self.there
