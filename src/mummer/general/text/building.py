"""From the fields of a file to an animation that can play; whatever is wrong is told with its line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np
from msgspec import UNSET, UnsetType

from mummer.errors import InputError, MalformedFileError, UnknownNameError
from mummer.general.animation import Animation, Branch
from mummer.general.channel import Channel, Space
from mummer.general.context import Context
from mummer.general.curve import Curve, Ease, make_curve
from mummer.general.deforms import DEFORMS
from mummer.general.modes import PositionMode, RotationMode
from mummer.general.predicates import require_predicate
from mummer.general.text.schema import (
    AnimationText,
    BranchText,
    ChannelText,
    EaseText,
    PositionText,
    RotationText,
    SelectText,
)
from mummer.toml_text import place_of

Made = TypeVar("Made")
Rows = Sequence[Sequence[float]] | UnsetType


def build_animation(fields: AnimationText, text: str, path: Path | str | None) -> Animation:
    """The animation that the fields of a file describe.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    build = _Builder(fields, text, path)
    branches = tuple(build.branch(branch, f"branch[{number}]") for number, branch in enumerate(fields.branch))
    return Animation(
        fields.name, fields.description, fields.duration, fields.loop, tuple(fields.tags), branches, fields.target, text
    )


class _Builder:
    """Makes the parts of one animation, and knows where in its file each comes from."""

    def __init__(self, fields: AnimationText, text: str, path: Path | str | None) -> None:
        self.fields, self.text, self.path = fields, text, path

    @contextmanager
    def at(self, field: str) -> Iterator[None]:
        """Whatever is wrong inside is wrong with ``field``."""
        try:
            yield
        except InputError as error:
            raise MalformedFileError(self.path, str(error), place=place_of(self.text, field)) from None

    def branch(self, fields: BranchText, field: str) -> Branch:
        with self.at(f"{field}.needs"):
            for name in fields.needs:
                require_predicate(name)
        channels = [
            self.channel(channel, f"{field}.channel[{number}]", channel.name or f"channel {number}")
            for number, channel in enumerate(fields.channel)
        ]
        self.require_names(channels, field)
        name = fields.name or " ".join(f"{'' if value else 'no '}{need}" for need, value in fields.needs.items())
        ordered = sorted(channels, key=lambda channel: -channel.priority)
        return Branch(name or "any", fields.needs, fields.feet or self.fields.feet, tuple(ordered))

    def require_names(self, channels: list[Channel], field: str) -> None:
        names = [channel.name for channel in channels]
        for number, channel in enumerate(channels):
            with self.at(f"{field}.channel[{number}]"):
                if names.index(channel.name) != number:
                    raise InputError(f"two channels are called {channel.name!r}; expected a name each")
                for other in filter(None, (channel.same, channel.opposite)):
                    if other not in names or other == channel.name:
                        raise UnknownNameError("this branch", "other channel", other, names)

    def channel(self, fields: ChannelText, field: str, name: str) -> Channel:
        with self.at(f"{field}.select"):
            context = _context(fields.select)
        with self.at(f"{field}.position"):
            position = _position(fields.position)
        with self.at(f"{field}.rotation"):
            rotation = _rotation(fields.rotation)
        ease = EaseText(*[fields.ease] * 5) if isinstance(fields.ease, str) else fields.ease
        whole = self.curve(fields.weight, 1, ease.weight, f"{field}.weight")
        made = Channel(
            name, context, fields.vary, fields.group, fields.side.same, fields.side.opposite, fields.mirror,
            fields.blend, fields.priority, fields.space or _space(context, position), fields.stagger,
            fields.alternate, fields.lag, fields.spread if fields.spread is not None else context.capability == "spine",
            position, rotation,
            self.curve(fields.place, 3, ease.place, f"{field}.place"),
            self.curve(fields.turn, 3, ease.turn, f"{field}.turn", degrees=True),
            self.curve(fields.bend, 3, ease.bend, f"{field}.bend", degrees=True),
            self.curve(fields.place_weight, 1, ease.weight, f"{field}.place_weight") or whole,
            self.curve(fields.turn_weight, 1, ease.weight, f"{field}.turn_weight") or whole,
            self.deforms(fields, ease, field),
            tuple(fields.events),
        )  # fmt: skip
        with self.at(field):
            if not made.freedoms and not made.events:
                raise InputError(f"channel {name!r} has no curve; expected place, turn, bend, open or deform")
        self.require_events(made, field)
        return made

    def deforms(self, fields: ChannelText, ease: EaseText, field: str) -> dict[str, Curve]:
        """The deforms of a channel by name."""
        rows = dict(fields.deform)
        if fields.open is not UNSET:
            rows["open"] = fields.open
        found = {}
        for name, some in rows.items():
            place = f"{field}.{'open' if name == 'open' else 'deform'}"
            with self.at(place):
                if name not in DEFORMS:
                    raise UnknownNameError("mummer", "deform", name, DEFORMS)
            made = self.curve(some, 1, ease.deform, place)
            assert made is not None
            found[name] = made
        return found

    def curve(self, rows: Rows, width: int, ease: Ease, field: str, *, degrees: bool = False) -> Curve | None:
        """A curve, or None where there are no rows."""
        if rows is UNSET:
            return None
        assert not isinstance(rows, UnsetType)
        with self.at(field):
            if degrees:
                rows = [[row[0], *np.radians(row[1:])] if row else row for row in rows]
            made = make_curve(rows, width, ease=ease, loops=self.fields.loop)
            last = self.fields.duration
            if made.times[0] < 0 or made.times[-1] > last * (1 + 1e-9):
                at = made.times[0] if made.times[0] < 0 else made.times[-1]
                raise InputError(f"a key is at {at:g} s; expected 0 to {last:g}, the duration")
        return made

    def require_events(self, channel: Channel, field: str) -> None:
        with self.at(f"{field}.events"):
            for time, name in channel.events:
                if not (0 <= time <= self.fields.duration and name):
                    raise InputError(f"event {name!r} is at {time:g} s; expected 0 to {self.fields.duration:g}")


def _context(fields: SelectText) -> Context:
    where = (fields.where,) if isinstance(fields.where, str) else tuple(fields.where)
    return Context(fields.capability, where, fields.extent, fields.limb, fields.relative_to)  # type: ignore[arg-type]


def _optional(make: Callable[[SelectText], Made], fields: SelectText | None) -> Made | None:
    return None if fields is None else make(fields)


def _position(fields: PositionText) -> PositionMode:
    return PositionMode(
        relative=fields.relative,
        scale=fields.scale,
        ground=fields.ground,
        sagittal=fields.sagittal,
        toward=_optional(_context, fields.toward),
        directional=fields.directional,
        reach=fields.reach,
        boundary=None if fields.boundary is None else tuple(fields.boundary),  # type: ignore[arg-type]
    )


def _rotation(fields: RotationText) -> RotationMode:
    return RotationMode(
        relative=fields.relative,
        toward=_optional(_context, fields.toward),
        comfortable=math.radians(fields.comfortable),
        furthest=math.radians(fields.furthest),
    )


def _space(context: Context, position: PositionMode) -> Space:
    """Feet, and what is meant by the ground, are seen from the stage; everything else from what carries it."""
    is_grounded = position.ground or position.relative == "absolute"
    return "stage" if is_grounded or context.capability == "foot" else "body"
