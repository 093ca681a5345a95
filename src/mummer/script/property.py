"""Properties: each one aspect of movement, said of an action or a part of one; one file each in `properties`.

A property is a frozen dataclass whose fields are its parameters in the order in which sketches give them. It says at
which stage it is applied, how one that is said later is merged with those said before, and what it does. A file with
such a class in `properties` is all that a new one takes; a user's own is read with `load_properties`.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from mummer.errors import FileError, InputError

if TYPE_CHECKING:
    from mummer.script.action import Action, Script
    from mummer.script.draft import PoseSite, Site
    from mummer.script.plan import Element

SIGNAL, SHAPE_CALCULATOR, SHAPE, TIMING, TRANSITION, QUERY, FILTER = range(1, 8)
STAGES = ("nothing", "signals", "solved shapes", "shapes", "timing", "transitions", "queries", "filters")
"""The order in which properties are applied."""
Flag = Literal["ABS", "REL", "AVG", "ADD"]


@dataclass(frozen=True)
class Property:
    """One aspect of how something moves."""

    stage: ClassVar[int] = SHAPE
    rank: ClassVar[int] = 0
    creates: ClassVar[bool] = False  # whether it speaks of degrees of freedom that a pose did not speak of before
    beneath: ClassVar[bool] = False  # whether it is said of how the body is held, whatever a pose speaks of
    acts: ClassVar[Literal["dof", "pose", "action", "script"]] = "dof"

    def merged(self, earlier: Self) -> Self:  # noqa: ARG002
        """One property in place of this and one that was heard before it; by default this."""
        return self

    def parts(self) -> tuple[str, ...]:
        """Of a composite property, the lines of a sketch that it stands for, each with ``{}`` for where it was said."""
        return ()

    def apply(self, site: Site) -> None:
        """Write into the plan, for one degree of freedom of one pose."""

    def apply_to_pose(self, site: PoseSite) -> None:
        """Write into the plan, for one pose, if it acts on whole poses or actions."""

    def filtered(self, tracks: Mapping[str, list[Element]]) -> None:
        """Of a filter, change the elements that are meant, which all other properties have written, by track."""

    def generated(self, script: Script, meant: tuple[Action, ...]) -> Script:  # noqa: ARG002
        """Of a generator, the script with what it adds."""
        return script


def is_composite(kind: type[Property]) -> bool:
    """Whether a property stands for others."""
    return kind.parts is not Property.parts


def is_generator(kind: type[Property]) -> bool:
    """Whether a property adds actions to a script."""
    return kind.generated is not Property.generated


@dataclass(frozen=True)
class Flagged(Property):
    """A property of one number that is set (ABS), scaled (REL), averaged with (AVG) or added to (ADD).

    A subclass is a dataclass with the fields ``flag`` and ``value``.
    """

    limit: ClassVar[float] = float("inf")  # no merged number is larger
    flag: Flag
    value: float

    def merged(self, earlier: Self) -> Self:
        """The number as set, scaled, averaged or added to what was said before."""
        if self.flag == "ABS":
            return self
        return dataclasses.replace(earlier, value=min(self.of(earlier.value), self.limit))

    def of(self, current: float) -> float:
        """What becomes of a number that nobody has set."""
        if self.flag == "ABS":
            return self.value
        if self.flag == "REL":
            return current * self.value
        return 0.5 * (current + self.value) if self.flag == "AVG" else current + self.value


@dataclass(frozen=True)
class Scaling(Property):
    """A property of one factor; those said after one another multiply."""

    limit: ClassVar[float] = float("inf")  # no merged factor is larger
    factor: float

    def merged(self, earlier: Self) -> Self:
        """Both factors at once."""
        return dataclasses.replace(self, factor=min(self.factor * earlier.factor, self.limit))


@cache
def built_in() -> dict[str, type[Property]]:
    """The properties that ship, by name."""
    from mummer.script import properties

    found: dict[str, type[Property]] = {}
    for module in pkgutil.iter_modules(properties.__path__):
        loaded = importlib.import_module(f"{properties.__name__}.{module.name}")
        found |= _defined_in(loaded)
    return found


def load_properties(path: str | Path) -> dict[str, type[Property]]:
    """The properties that a Python file of a user defines, by name.

    Raises:
        FileError: if there is no such file, it cannot be run, or defines none.
    """
    file = Path(path)
    spec = importlib.util.spec_from_file_location(f"mummer_properties_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise FileError(file, "is no Python file; expected one that defines properties")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise FileError(file, f"cannot be run: {type(error).__name__}: {error}") from None
    found = _defined_in(module)
    if not found:
        raise FileError(file, "defines no property; expected a dataclass derived from mummer.script.Property")
    return found


def _defined_in(module: Any) -> dict[str, type[Property]]:
    kinds = [kind for _, kind in inspect.getmembers(module, inspect.isclass)]
    return {
        kind.__name__: kind for kind in kinds
        if issubclass(kind, Property) and kind.__module__ == module.__name__ and not inspect.isabstract(kind)
    }  # fmt: skip


def merge(said: Iterable[Property]) -> Property:
    """One property of several of one kind, those with less to say first."""
    found: Property | None = None
    for each in said:
        found = each if found is None else each.merged(found)
    if found is None:
        raise InputError("there is nothing to merge")
    return found
