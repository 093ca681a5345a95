"""The cascade: what is said of a node and those above it is sorted by who says it and how high, and merged to one."""

from __future__ import annotations

from collections.abc import Sequence

from mummer.script.action import ORIGINS, Origin, Said
from mummer.script.property import Property, merge


def ranked(said: Sequence[Said], origins: Sequence[Origin] = ORIGINS) -> list[Said]:
    """In the order in which they are heard: by who says it, then from the whole action down to the detail."""
    return sorted(said, key=lambda each: (origins.index(each.origin), each.level))


class Cascade:
    """Merges what is said; the same things said of many nodes are merged once."""

    def __init__(self, origins: Sequence[Origin] = ORIGINS) -> None:
        self.origins = origins
        self._merged: dict[tuple[int, ...], dict[type[Property], Property]] = {}
        self._kept: list[Said] = []

    def resolved(self, said: Sequence[Said]) -> dict[type[Property], Property]:
        """One property of each kind of all that is said of one node and pushed down to it."""
        key = tuple(map(id, said))
        if key not in self._merged:
            self._kept += said
            kinds: dict[type[Property], list[Property]] = {}
            for each in ranked(said, self.origins):
                kinds.setdefault(type(each.value), []).append(each.value)
            self._merged[key] = {kind: merge(values) for kind, values in kinds.items()}
        return self._merged[key]
