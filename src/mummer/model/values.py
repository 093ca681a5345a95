"""Values of an action's parameters: what was given, what was made of it, and where the rest came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from mummer.errors import InputError
from mummer.ik.body_point import BodyPoint
from mummer.model.model import Model
from mummer.model.parameter import Value
from mummer.model.style import Style

Source = Literal["given", "style", "motions", "start", "model"]
"""Who said a value: the caller, the style, the base motions by their weights, the start pose, or the model's file."""


@dataclass(frozen=True)
class Setting:
    """One value.

    Attributes:
        value: as it is used.
        source: who said it; ``given`` is explicitly set, others are free to follow.
        asked: what was asked for, where that is not legal; None otherwise.
        active: whether it has a say; False for one that another excludes.
    """

    value: Value
    source: Source = "given"
    asked: Value | None = None
    active: bool = True


@dataclass(frozen=True)
class Values(Mapping[str, Value]):
    """The values of an action by parameter; those that are known."""

    settings: Mapping[str, Setting]

    def __getitem__(self, name: str) -> Value:
        return self.settings[name].value

    def __iter__(self) -> Iterator[str]:
        return iter(self.settings)

    def __len__(self) -> int:
        return len(self.settings)

    def __contains__(self, name: object) -> bool:
        return name in self.settings and self.settings[str(name)].active

    def has(self, name: str) -> bool:
        """Whether it is known and has a say."""
        return name in self

    def is_given(self, name: str) -> bool:
        """Whether the caller set it."""
        return name in self and self.settings[name].source == "given"

    def with_default(self, name: str, value: Value, source: Source) -> Values:
        """With a value for what nobody set."""
        if name in self.settings:
            return self
        return Values({**self.settings, name: Setting(value, source)})

    def clipped(self, name: str, value: Value) -> Values:
        """With another value than was asked for."""
        setting = self.settings[name]
        asked = setting.value if setting.asked is None else setting.asked
        return Values({**self.settings, name: replace(setting, value=value, asked=asked)})

    @property
    def clips(self) -> dict[str, tuple[Value, Value]]:
        """What was asked for and what is used instead, by parameter."""
        return {name: (each.asked, each.value) for name, each in self.settings.items() if each.asked is not None}

    def facts(self) -> dict[str, Any]:
        """As plain data."""
        return {
            name: {"value": plain(each.value), "from": each.source, "active": each.active}
            | ({} if each.asked is None else {"asked": plain(each.asked)})
            for name, each in self.settings.items()
        }


def plain(value: Value) -> Any:
    """A value as numbers, words and lists."""
    if isinstance(value, BodyPoint):
        return {"part": value.part, "offset": list(value.offset)}
    if isinstance(value, tuple):
        return [list(each) if isinstance(each, tuple) else each for each in value]
    return value


def settle(model: Model, style: Style, given: Mapping[str, Any], height: float, *, ignore: bool = False) -> Values:
    """The values that caller, style and model say, each read and brought into its bounds.

    Args:
        model: whose parameters.
        style: that has defaults of its own.
        given: what the caller says, by name.
        height: of the body, metres.
        ignore: whether bounds are left out of account.

    Raises:
        UnknownNameError: for a parameter that the model does not have.
        InputError: for a value that cannot be read, or two that exclude each other.
    """
    found: dict[str, Setting] = {}
    for name, value in given.items():
        parameter = model.parameter(name)
        asked = parameter.read(value)
        used = asked if ignore or parameter.beyond == "ignore" else parameter.bounded(asked, height)
        found[name] = Setting(used, "given", None if used == asked else asked)
    for name in list(found):
        both = [other for other in model.parameter(name).excludes if other in found]
        if both:
            raise InputError(f"{name} and {both[0]} exclude each other; give one of them")
    excluded = {other for name in found for other in model.parameter(name).excludes}
    for parameter in model.parameters:
        if parameter.name in found:
            continue
        if parameter.name in style.defaults:
            found[parameter.name] = Setting(style.defaults[parameter.name], "style")
        elif parameter.default is not None:
            size = parameter.unit_of(height)
            default = parameter.default * size if isinstance(parameter.default, float) else parameter.default
            found[parameter.name] = Setting(default, "model")
    return Values({name: replace(each, active=name not in excluded) for name, each in found.items()})
