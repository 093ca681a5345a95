"""General animations: movement for any body, in branches for different kinds of bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from mummer.errors import InputError, UnknownNameError
from mummer.general.channel import Channel
from mummer.general.text import parse_animation, read_animation_text

SUFFIX = ".toml"
TargetPlace = Literal["reach", "far", "ground", "above"]
Feet = Literal["planted", "free"]


@dataclass(frozen=True, eq=False)
class Branch:
    """The channels for some kinds of bodies.

    Attributes:
        name: what tells it from others.
        needs: what a body must have (True, or how many at least) or must not have (False); see `fits`.
        feet: whether feet that no channel moves stay on the ground (``planted``) or hang on the body (``free``).
        channels: highest priority first.
    """

    name: str
    needs: Mapping[str, bool | int]
    feet: Feet
    channels: tuple[Channel, ...]

    def channel(self, name: str) -> Channel:
        """The channel called ``name``."""
        for channel in self.channels:
            if channel.name == name:
                return channel
        raise UnknownNameError(f"branch {self.name!r}", "channel", name, [channel.name for channel in self.channels])


@dataclass(frozen=True, eq=False)
class Animation:
    """Movement for any body.

    Attributes:
        name: what it is called.
        description: one sentence.
        duration: seconds.
        loop: whether its end flows into its start.
        tags: words to find it by.
        branches: the first that fits a body is the one that it plays.
        target: where its target is if nobody says: within ``reach``, ``far`` off at the height of the eyes, on the
            ``ground`` before the body, or ``above`` it.
        source: the text it was read from.
    """

    name: str
    description: str
    duration: float
    loop: bool
    tags: tuple[str, ...]
    branches: tuple[Branch, ...]
    target: TargetPlace = "reach"
    source: str = field(default="", repr=False)

    def __repr__(self) -> str:
        return f"Animation({self.name!r}, {self.duration:g} s, {len(self.branches)} branches: {self.description})"


@lru_cache(maxsize=1)
def animation_names() -> tuple[str, ...]:
    """The animations of the library, in alphabetical order."""
    library = files("mummer.general") / "library"
    return tuple(sorted(entry.name.removesuffix(SUFFIX) for entry in library.iterdir() if entry.name.endswith(SUFFIX)))


@lru_cache(maxsize=256)
def animation(name: str) -> Animation:
    """An animation of the library.

    Raises:
        UnknownNameError: with the closest names there are.
    """
    if name not in animation_names():
        from mummer.general.gait import style_names

        raise UnknownNameError("the library", "animation", name, (*animation_names(), *style_names()))
    text = (files("mummer.general") / "library" / f"{name}{SUFFIX}").read_text(encoding="utf-8")
    return animation_from_text(text, f"{name}{SUFFIX}")


def animation_from_text(text: str, path: Path | str | None = None) -> Animation:
    """The animation that ``text`` (TOML) holds.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    from mummer.general.text.building import build_animation

    return build_animation(parse_animation(text, path), text, path)


def load_animation(source: str | Path | Animation) -> Animation:
    """An animation: one of the library by name, a file, or one that is there already.

    Raises:
        MalformedFileError: naming file, line and field, if a file does not hold one.
        InputError: if there is no such file.
        UnknownNameError: if there is no such animation.
    """
    if isinstance(source, Animation):
        return source
    if isinstance(source, str) and not source.endswith(SUFFIX):
        if "\n" in source:
            return animation_from_text(source)
        return animation(source)
    if not Path(source).suffix:
        raise InputError(f"{source}: not an animation; expected a {SUFFIX} file or a name of the library")
    return animation_from_text(read_animation_text(source), source)
