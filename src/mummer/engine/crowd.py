"""Crowds: actors of any bodies, stepped together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mummer.character import Character
from mummer.engine.actor import Actor
from mummer.engine.ground import Ground, Heights
from mummer.engine.troupe import Troupe
from mummer.io.subjects import BodyLike
from mummer.kernels.place import Backend


class Crowd:
    """Many actors; those of one body are stepped in one compiled call.

    Attributes:
        troupes: the actors by body.
        actors: all of them, in the order in which they were named.

    Example:
        >>> import mummer as mm
        >>> crowd = mm.Crowd(["zoo:dog", "zoo:adult", "zoo:dog"], [(0, 0), (2, 0), (4, 0)])
        >>> for actor in crowd:
        ...     actor.go(speed=0.5)
        >>> crowd.step(1 / 60)
        >>> len(crowd.troupes), len(crowd)
        (2, 3)
    """

    def __init__(
        self,
        characters: Sequence[BodyLike],
        places: Sequence[Sequence[float]],
        headings: Sequence[float] | None = None,
        *,
        ground: Ground | Heights | float | None = None,
        backend: Backend | None = None,
    ) -> None:
        """Actors at places, (x, z) each, that all face ahead where no ``headings`` are given.

        Args:
            characters: who they are.
            places: x and z of each, metres.
            headings: radians from +Z to +X.
            ground: below them.
            backend: ``"cuda"`` for a GPU on which they live and are stepped; see `mummer.kernels.mirror`.
        """
        facing = [0.0] * len(characters) if headings is None else list(headings)
        groups: dict[object, list[int]] = {}
        for number, character in enumerate(characters):
            groups.setdefault(character if isinstance(character, Character) else str(character), []).append(number)
        found: dict[int, Actor] = {}
        self.troupes = []
        for members in groups.values():
            spots, turned = [places[number] for number in members], [facing[number] for number in members]
            troupe = Troupe.of(characters[members[0]], spots, turned, ground=ground, backend=backend)
            self.troupes.append(troupe)
            found |= {number: Actor.of_troupe(troupe, index) for index, number in enumerate(members)}
        self.actors = tuple(found[number] for number in range(len(characters)))

    def __len__(self) -> int:
        return len(self.actors)

    def __iter__(self) -> Iterator[Actor]:
        return iter(self.actors)

    def __getitem__(self, number: int) -> Actor:
        return self.actors[number]

    def step(self, seconds: float) -> None:
        """Everybody, so many seconds later; on a GPU that goes on after this returns."""
        for troupe in self.troupes:
            troupe.step(seconds)

    def wait(self) -> None:
        """Until steps that go on on a GPU are done; what is read of a crowd waits by itself."""
        for troupe in self.troupes:
            if troupe.gpu is not None:
                troupe.gpu.wait()
