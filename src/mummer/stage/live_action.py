"""Live actions: what is in somebody's queue. One layer, or of a combination several, each from its own moment on."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from mummer.engine.actor import Play as EnginePlay
from mummer.errors import InputError
from mummer.general.animation import Animation, load_animation
from mummer.general.gait import style_names as gait_names
from mummer.model.combined import given_to, style_of
from mummer.model.model import Model
from mummer.model.performed import animation_of, filled
from mummer.model.style import BaseMotion, Style
from mummer.model.timing import QUICKEST
from mummer.model.values import Values, settle

NO_RETURN = ("takeoff", "release")
"""Key times after which an action is finished first."""
UNDER_WAY = ("start", "go")
"""Key times of a way that are those of its beginning; all others come when who goes there has arrived."""
HEARD = ("target", "look", "hand", "tempo", "duration")
"""Parameters that have a say while time runs; how often something is done is another."""
WAYS = ("to", "path", "pace", "tempo")
"""Those of ways."""
BRIEF = 1e-6


@dataclass(eq=False)
class LiveLayer:
    """One model that an action does.

    Attributes:
        name: what the action calls it.
        model, style: what, and how.
        values: of its parameters, as they are used now.
        together, key: its moment ``key`` is that moment of another layer; empty for what begins with the action.
        at: seconds after the action begins at which it does; infinite while nobody knows.
        play: what the engine plays, once it has begun; None for a way.
        way: places still to go to.
        rounds: how often the engine is still to go back to the last time, or to leave out what is too much (below 0).
        is_begun, is_over: whether it has.
    """

    name: str
    model: Model
    style: Style
    values: Values
    together: str = ""
    key: str = "start"
    at: float = 0.0
    play: EnginePlay | None = None
    way: deque[tuple[float, ...]] = field(default_factory=deque)
    rounds: int = 0
    is_begun: bool = False
    is_over: bool = False

    @property
    def goes(self) -> bool:
        """Whether it takes somebody somewhere."""
        return self.style.motions[0].perform in gait_names()

    @cached_property
    def animation(self) -> Animation:
        """What is played; not of a way."""
        return _animation(self.style.motions[0].perform, self.style.folder)

    @cached_property
    def key_times(self) -> dict[str, float]:
        """Seconds of the animation by name; none of a way."""
        if self.goes:
            return {}
        motion = self.style.motions[0]
        end = self.animation.duration if motion.finish is None else motion.finish
        return dict(filled(self.model.key_times, dict(motion.key_times), motion.begin or 0.0, end))

    @property
    def speed(self) -> float:
        """How fast it is played, but for what a duration is said of."""
        return self.style.motions[0].speed * float(self.values.get("tempo", 1.0))  # type: ignore[arg-type]

    @property
    def times(self) -> tuple[int, int]:
        """How often it is done, and how often the animation does it."""
        name = self.model.repeat
        if not name:
            return 1, 1
        own = self.style.defaults.get(name, self.model.parameter(name).default)
        return max(round(float(self.values[name])), 1), round(float(own))  # type: ignore[arg-type]

    @property
    def round(self) -> float:
        """Seconds of the animation from one time to the next."""
        return (self.key_times["release"] - self.key_times["achieve"]) / max(self.times[1] - 1, 1)

    @property
    def held(self) -> tuple[float, float]:
        """Seconds of the animation from its achieve to its release, with all times that it is done; and real ones."""
        times, own = self.times
        span = self.key_times["release"] - self.key_times["achieve"] + (times - own) * self.round
        if not self.values.has("duration"):
            return span, span / self.speed
        return span, max(float(self.values["duration"]), span / (QUICKEST * self.speed))  # type: ignore[arg-type]

    def after(self, key: str) -> float:
        """Seconds from its beginning to one of its key times; at once for a way."""
        if self.goes:
            return 0.0
        first, at = next(iter(self.key_times.values())), self.key_times[key]
        if not {"achieve", "release"} <= self.key_times.keys() or at <= self.key_times["achieve"]:
            return (at - first) / self.speed
        achieve, release = self.key_times["achieve"], self.key_times["release"]
        share = min((at - achieve) / max(release - achieve, BRIEF), 1.0)
        return (achieve - first + max(at - release, 0.0)) / self.speed + share * self.held[1]

    def keep_time(self) -> None:
        """Let the engine play as fast as is asked for now, and again what is to be done again."""
        if self.play is None or self.play.is_over or not {"achieve", "release"} <= self.key_times.keys():
            return
        achieve, release = self.key_times["achieve"], self.key_times["release"]
        if self.rounds > 0 and self.play.time >= release:
            self.play.time -= self.round
            self.rounds -= 1
        elif self.rounds < 0 and self.play.time >= release + self.rounds * self.round:
            self.play.time -= self.rounds * self.round
            self.rounds = 0
        span, seconds = self.held
        held = achieve <= self.play.time < release
        self.play.tempo = span / max(seconds, BRIEF) if held and span > 0 else self.speed

    def has_passed(self, key: str) -> bool:
        """Whether one of its key times has."""
        if self.goes:
            return self.is_over or (self.is_begun and key in UNDER_WAY)
        if self.play is None:
            return False
        still = self.rounds != 0 and key not in ("start", "achieve")
        return self.play.is_over or (self.play.time >= self.key_times[key] and not still)


@dataclass(eq=False)
class LiveAction:
    """An action in somebody's queue.

    Attributes:
        name: what it is called.
        model, style: which action, and how.
        values: of its parameters, as they are used now.
        layers: what is done for it.
        begun: seconds at which it began; None while it waits.
        over: whether it has ended, or was given up.
    """

    name: str
    model: Model
    style: Style
    values: Values
    layers: list[LiveLayer]
    begun: float | None = None
    over: bool = False
    _given: dict[str, Any] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _next: LiveAction | None = None

    @property
    def goes(self) -> bool:
        """Whether it takes somebody somewhere."""
        return any(layer.goes for layer in self.layers)

    @property
    def is_past_return(self) -> bool:
        """Whether it can only be finished."""
        return any(key in self._told for key in NO_RETURN)

    def set_out(self) -> None:
        """Know when each layer begins, the first of them at once."""
        for layer in self.layers:
            layer.at = self._beginning(layer)
        early = min(layer.at for layer in self.layers)
        for layer in self.layers:
            layer.at -= early

    def due(self, time: float) -> list[LiveLayer]:
        """The layers that are to begin by a moment, but have not."""
        assert self.begun is not None
        for layer in self.layers:
            if math.isinf(layer.at):
                layer.at = self._beginning(layer)
        return [layer for layer in self.layers if not layer.is_begun and time >= self.begun + layer.at - BRIEF]

    def _beginning(self, layer: LiveLayer) -> float:
        if not layer.together:
            return 0.0
        name, _, moment = layer.together.partition(".")
        lead = next(each for each in self.layers if each.name == name)
        if lead.goes and moment not in UNDER_WAY:
            return 0.0 if lead.is_over else math.inf
        return lead.at + lead.after(moment) - layer.after(layer.key)


def layers_of(model: Model, style: Style, values: Values, height: float) -> list[LiveLayer]:
    """What a body of a height does for a model, in a style, with values.

    Raises:
        InputError: if a style is made of recordings, or a value was given that has no say while time runs.
    """
    if not model.layers:
        found = [LiveLayer(model.name, model, style, values)]
    else:
        found = [
            LiveLayer(layer.name, layer.model, how, settle(layer.model, how, given_to(layer, values), height),
                      layer.together, layer.key)
            for layer in model.layers for how in [style_of(layer, style)]
        ]  # fmt: skip
    for each in found:
        if not each.style.is_performed:
            raise InputError(
                f"style {each.style.name!r} of {each.model.name} is of recordings; live, a performed one is expected"
            )
        _require_heard(each)
    return found


def _require_heard(layer: LiveLayer) -> None:
    heard = [
        each.name for each in layer.model.parameters
        if each.name in (WAYS if layer.goes else (*HEARD, layer.model.repeat))
    ]  # fmt: skip
    for name in layer.values:
        if layer.values.is_given(name) and name not in heard:
            raise InputError(f"{name} of {layer.model.name} is for plays; live, expected some of {', '.join(heard)}")


@lru_cache(maxsize=256)
def _animation(perform: str, folder: Path) -> Animation:
    """An animation, the same one each time: the engine keeps what it has bound to a body."""
    return load_animation(animation_of(BaseMotion(perform, perform=perform), folder))


def places_of(values: Mapping[str, Any]) -> deque[tuple[float, ...]]:
    """Where somebody is to go, one after the other."""
    if values.get("path"):
        return deque(tuple(place) for place in values["path"])
    return deque([tuple(values["to"])] if values.get("to") else [])
