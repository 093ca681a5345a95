"""One reading of one file: the parsed document, its limits, what was found, and what was decoded already."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.errors import LimitError
from mummer.io.gltf.container import Chunks
from mummer.io.gltf.fields import Element, Json
from mummer.io.gltf.mended import Mended
from mummer.io.limits import ReadLimits
from mummer.report import ReportBuilder

Bytes = bytes | memoryview


@dataclass
class Reading:
    """The state that the steps of reading share.

    Attributes:
        json: the whole document as plain dictionaries and lists; never changed.
        chunks: the container it came in.
        path: the file, or None.
        limits: how much it may ask for.
        report: where findings go.
        buffers, views, arrays, floats, times: what was decoded already, by number: buffers, buffer views with their
            stride, accessors as stored, accessors as floats, and key times.
        mended: what was repaired.
    """

    json: Json
    chunks: Chunks
    path: Path | None
    limits: ReadLimits
    report: ReportBuilder
    _lists: dict[str, list[Any]] = field(default_factory=dict)
    _spent: int = 0
    buffers: dict[int, Bytes] = field(default_factory=dict)
    views: dict[int, tuple[Bytes, int]] = field(default_factory=dict)
    arrays: dict[int, npt.NDArray[Any]] = field(default_factory=dict)
    floats: dict[int, npt.NDArray[Any]] = field(default_factory=dict)
    times: dict[int, npt.NDArray[Any]] = field(default_factory=dict)
    mended: Mended = field(default_factory=Mended)

    @property
    def root(self) -> Element:
        """The document itself."""
        return Element(self.json, "", self.path)

    def entries(self, kind: str) -> list[Any]:
        """The raw list of all ``kind`` (``nodes``, ``meshes`` ...); empty if the document has none."""
        try:
            return self._lists[kind]
        except KeyError:
            return self._lists.setdefault(kind, self.root.items(kind))

    def count(self, kind: str) -> int:
        """How many ``kind`` there are."""
        return len(self.entries(kind))

    def element(self, kind: str, index: int) -> Element:
        """One of the ``kind`` of the document; the index must have been checked."""
        return Element(self.entries(kind)[index], f"/{kind}/{index}", self.path)

    def elements(self, kind: str) -> list[Element]:
        """All of the ``kind`` of the document."""
        return [self.element(kind, index) for index in range(self.count(kind))]

    def spend(self, values: int, place: str) -> None:
        """Count numbers about to be decoded, so that a small file cannot ask for much memory.

        Raises:
            LimitError: if all arrays together pass the limit.
        """
        self._spent += values
        if self._spent > self.limits.values:
            raise LimitError(self.path, f"asks for more than {self.limits.values:,} numbers in all", place=place)


def aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, copied if its numbers lie at odd addresses, which compiled loops cannot take."""
    return array if array.flags.aligned and array.flags.c_contiguous else np.array(array, order="C")
