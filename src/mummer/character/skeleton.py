"""The skeleton: which joints a body has, how they hang together, and how they stand at rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray, locked, require_finite
from mummer.character._checks import require_exact_shape
from mummer.errors import InputError, UnknownNameError

SCALE_NOISE = 1e-6
"""A scale this near to one is rounding: the joint counts as not scaled."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A tree (or several) of named joints with their rest transforms.

    Joints are sorted parent before child, names are unique, and everything is read-only.

    Attributes:
        names: J joint names, unique.
        parents: (J,) index of each joint's parent, -1 for a root; always smaller than the joint's own index.
        rest_translations: (J, 3) metres, parent_from_joint at rest.
        rest_rotations: (J, 4) unit quaternions xyzw, parent_from_joint at rest.
        rest_scales: (J, 3) factors, parent_from_joint at rest; ones if not given.
        name: what to call this skeleton in messages.

    Example:
        >>> arm = Skeleton(("upper", "lower"), [-1, 0], [[0, 0, 0], [0.3, 0, 0]])
        >>> arm.index("lower"), arm.children[0]
        (1, (1,))
    """

    names: tuple[str, ...]
    parents: IntArray
    rest_translations: FloatArray
    rest_rotations: FloatArray = None  # type: ignore[assignment]
    rest_scales: FloatArray = None  # type: ignore[assignment]
    name: str = "skeleton"

    def __post_init__(self) -> None:
        count = len(self.names)
        set_field = object.__setattr__
        set_field(self, "names", tuple(str(name) for name in self.names))
        set_field(self, "parents", locked(self.parents, np.int64))
        set_field(self, "rest_translations", locked(self.rest_translations))
        if self.rest_rotations is None:
            set_field(self, "rest_rotations", np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)))
        if self.rest_scales is None:
            set_field(self, "rest_scales", np.ones((count, 3)))
        set_field(self, "rest_rotations", locked(self.rest_rotations))
        set_field(self, "rest_scales", locked(self.rest_scales))
        self._validate()

    def _validate(self) -> None:
        count = len(self.names)
        if count == 0:
            raise InputError(f"skeleton {self.name!r} has no joints; expected at least one")
        require_exact_shape(self.parents, (count,), f"parents of skeleton {self.name!r}")
        for what, width in (("rest_translations", 3), ("rest_rotations", 4), ("rest_scales", 3)):
            array = getattr(self, what)
            require_exact_shape(array, (count, width), f"{what} of skeleton {self.name!r}")
            require_finite(array, f"{what} of skeleton {self.name!r}")
        wrong = np.flatnonzero((self.parents >= np.arange(count)) | (self.parents < -1))
        if wrong.size:
            joint = int(wrong[0])
            raise InputError(
                f"joint {self.names[joint]!r} (index {joint}) of skeleton {self.name!r} has parent "
                f"{self.parents[joint]}; expected -1 or a smaller index (use Skeleton.sorted)"
            )
        lengths = np.linalg.norm(self.rest_rotations, axis=1)
        if np.any(np.abs(lengths - 1) > 1e-6):
            joint = int(np.argmax(np.abs(lengths - 1)))
            raise InputError(f"rest rotation of joint {self.names[joint]!r} has length {lengths[joint]:g}; expected 1")
        if len(set(self.names)) != count:
            seen: set[str] = set()
            twice = next(name for name in self.names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise InputError(f"skeleton {self.name!r} has two joints called {twice!r}; see unique_names")

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Skeleton({self.name!r}, {len(self)} joints, roots {[self.names[r] for r in self.roots]})"

    @classmethod
    def sorted(
        cls,
        names: Sequence[str],
        parents: Sequence[int] | IntArray,
        rest_translations: npt.ArrayLike,
        rest_rotations: npt.ArrayLike | None = None,
        rest_scales: npt.ArrayLike | None = None,
        *,
        name: str = "skeleton",
    ) -> tuple[Skeleton, IntArray]:
        """A skeleton from joints in any order, and the order that was applied.

        Returns:
            The skeleton, and (J,) ``order`` so that new joint i is given joint ``order[i]``.

        Raises:
            InputError: if the parents form a loop.
        """
        if len(names) != len(parents):
            raise InputError(f"skeleton {name!r} is given {len(names)} names but {len(parents)} parents")
        order = parent_first_order(parents)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        old = np.asarray(parents, np.int64)[order]

        def pick(values: npt.ArrayLike | None) -> Any:
            return None if values is None else np.asarray(values, np.float64)[order]

        skeleton = cls(
            tuple(names[i] for i in order),
            np.where(old < 0, -1, place[np.maximum(old, 0)]),
            pick(rest_translations),
            pick(rest_rotations),
            pick(rest_scales),
            name=name,
        )
        return skeleton, order

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The joints that have no parent."""
        return tuple(int(joint) for joint in np.flatnonzero(self.parents < 0))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each joint, the joints that hang from it."""
        lists: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                lists[parent].append(joint)
        return tuple(tuple(entries) for entries in lists)

    @cached_property
    def depths(self) -> IntArray:
        """(J,) how many joints stand above each joint; 0 for roots."""
        depths = np.zeros(len(self), np.int32)
        for joint, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                depths[joint] = depths[parent] + 1
        return locked(depths, np.int32)

    @cached_property
    def is_rigid(self) -> bool:
        """Whether no joint is scaled at rest, beyond the rounding that files bring along."""
        return bool(np.all(np.abs(self.rest_scales - 1.0) <= SCALE_NOISE))

    @cached_property
    def _index_by_name(self) -> dict[str, int]:
        return {name: joint for joint, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """The index of the joint called ``name``.

        Raises:
            UnknownNameError: with the closest names there are.
        """
        try:
            return self._index_by_name[name]
        except KeyError:
            raise UnknownNameError(f"skeleton {self.name!r}", "joint", name, self.names) from None

    def __contains__(self, name: object) -> bool:
        return name in self._index_by_name

    def indices(self, names: Iterable[str]) -> IntArray:
        """The indices of several joints, in the order given."""
        return np.array([self.index(name) for name in names], np.int32)

    def ancestors(self, joint: int) -> tuple[int, ...]:
        """The joints above ``joint``, nearest first."""
        found = []
        parent = int(self.parents[joint])
        while parent >= 0:
            found.append(parent)
            parent = int(self.parents[parent])
        return tuple(found)

    def descendants(self, joint: int) -> tuple[int, ...]:
        """``joint`` and everything below it, in index order."""
        inside = np.zeros(len(self), bool)
        inside[joint] = True
        for below in range(joint + 1, len(self)):
            parent = self.parents[below]
            inside[below] = parent >= 0 and inside[parent]
        return tuple(int(j) for j in np.flatnonzero(inside))

    def chain(self, ancestor: int, descendant: int) -> tuple[int, ...]:
        """The joints from ``ancestor`` down to ``descendant``, both included.

        Raises:
            InputError: if one does not stand above the other.
        """
        path = (descendant, *self.ancestors(descendant))
        if ancestor not in path:
            raise InputError(f"{self.names[ancestor]!r} does not stand above {self.names[descendant]!r}")
        return tuple(reversed(path[: path.index(ancestor) + 1]))

    def same_as(self, other: Skeleton, *, tolerance: float = 1e-9) -> bool:
        """Whether ``other`` has the same names and parents, and the same rest transforms within ``tolerance``."""
        if self.names != other.names or not np.array_equal(self.parents, other.parents):
            return False
        turned = np.abs(np.sum(self.rest_rotations * other.rest_rotations, axis=1))
        return bool(
            np.allclose(self.rest_translations, other.rest_translations, rtol=0, atol=tolerance)
            and np.allclose(self.rest_scales, other.rest_scales, rtol=0, atol=tolerance)
            and np.all(1 - turned <= tolerance)
        )


def parent_first_order(parents: Sequence[int] | IntArray) -> IntArray:
    """(J,) an order of the joints in which every parent stands before its children.

    Joints already in such an order keep it; otherwise depth-first, children in their given order.

    Raises:
        InputError: if a parent index is out of range or the parents form a loop.
    """
    given = np.asarray(parents, np.int64)
    count = len(given)
    if np.any(given >= count):
        raise InputError(f"a parent index is {int(given.max())}, but there are only {count} joints")
    if np.all(given < np.arange(count)):
        return np.arange(count)
    children: list[list[int]] = [[] for _ in range(count)]
    for joint, parent in enumerate(given.tolist()):
        if parent >= 0:
            children[parent].append(joint)
    order: list[int] = []
    pending = [joint for joint in range(count - 1, -1, -1) if given[joint] < 0]
    while pending:
        joint = pending.pop()
        order.append(joint)
        pending.extend(reversed(children[joint]))
    if len(order) != count:
        # What was not reached hangs from a loop, or is in it: going up often enough ends inside.
        inside = min(set(range(count)) - set(order))
        for _ in range(count):
            inside = int(given[inside])
        loop = [inside]
        while int(given[loop[-1]]) != inside:
            loop.append(int(given[loop[-1]]))
        raise InputError(f"joint {min(loop)} hangs from itself: the parents form a loop")
    return np.array(order, np.int64)


def unique_names(names: Iterable[str | None], *, blank: str = "joint") -> tuple[str, ...]:
    """Names made unique by numbering repeats, and filled in where they are empty.

    Example:
        >>> unique_names(["arm", "arm", "", None])
        ('arm', 'arm#2', 'joint2', 'joint3')
    """
    given = [name if name else f"{blank}{place}" for place, name in enumerate(names)]
    taken = set(given)
    seen: set[str] = set()
    last: dict[str, int] = {}
    result = []
    for name in given:
        unique = name
        if name in seen:
            number = last.get(name, 1) + 1
            while f"{name}#{number}" in taken:
                number += 1
            last[name] = number
            unique = f"{name}#{number}"
            taken.add(unique)
        seen.add(unique)
        result.append(unique)
    return tuple(result)


def skeleton_of(given: object) -> Skeleton:
    """A skeleton, or that of a character.

    Raises:
        InputError: if it is neither.
    """
    found = given if isinstance(given, Skeleton) else getattr(given, "skeleton", None)
    if isinstance(found, Skeleton):
        return found
    raise InputError(f"expected a skeleton or a character; got {type(given).__name__}")
