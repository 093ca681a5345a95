"""Live: the same models, fed while time runs. Each actor has a short queue of what it does now and next.

Time goes on in chunks of a few frames that are never taken back; between two of them anything may be said. A goal that
changes a little is blended in by the engine; one that is somewhere else altogether ends the action, which begins anew;
past the point of no return (a jump that has left the ground, a throw that was let go) an action is finished first.
What is over is forgotten.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mummer.character import Pose
from mummer.engine.actor import Actor
from mummer.engine.body import body_of
from mummer.engine.crowd import Crowd
from mummer.errors import InputError, UnknownNameError
from mummer.general.physique import physique_of
from mummer.io.subjects import BodyLike
from mummer.model.model import Model
from mummer.model.performed import variant_of
from mummer.model.style import Style, load_style
from mummer.model.values import settle
from mummer.stage.actions import model_of
from mummer.stage.live_action import LiveAction, LiveLayer, layers_of, places_of

RATE = 60.0
CHUNK = 2
"""Frames that are made at one go: a thirtieth of a second, below which nobody notices that a reaction is late."""
SIMILAR = 0.3
"""Body heights by which a target may change to be blended in; who is told of one further off begins anew."""
LEFT = ("follow_through", "release")
"""Key times, the first of which that there is, at which an action is left for the next."""
ROUND = 0.3
"""Body heights from a place on its way at which somebody goes on to the next."""
THERE = 0.05
"""Body heights from its place within which who goes there has arrived."""
STILL = 0.05
"""Body heights a second below which somebody has stopped."""


@dataclass(frozen=True)
class Told:
    """Something that happened: ``key`` of an action, at ``time`` seconds; at its achieve, by how much it misses."""

    time: float
    actor: str
    action: str
    key: str
    miss: float | None = None


class LiveActor:
    """Somebody on a live stage; see `LiveStage`."""

    def __init__(self, name: str, actor: Actor) -> None:
        self.name, self.actor = name, actor
        self.queue: deque[LiveAction] = deque()
        self.height = physique_of(actor.character).height
        self._count = 0

    @property
    def now(self) -> LiveAction | None:
        """What is being done."""
        return self.queue[0] if self.queue and self.queue[0].begun is not None else None

    @property
    def pose(self) -> Pose:
        """How the body is now."""
        return self.actor.pose

    def do(self, model: str, *, name: str = "", style: str | Path = "", **values: Any) -> LiveAction:
        """Put an action at the end of the queue.

        Args:
            model: a model, a general animation or a gait.
            name: what to call it; a number if empty.
            style: how; one that is performed.
            values: of its parameters.

        Raises:
            UnknownNameError: if there is no such model, style or parameter.
            InputError: if a value cannot be read, or the style is made of recordings.
        """
        known, own = model_of(model, Path())
        chosen = own or load_style(style or None, known)
        self._count += 1
        action = self._action(name or str(self._count), known, chosen, values)
        self.queue.append(action)
        return action

    def change(self, action: LiveAction | str, **values: Any) -> LiveAction:
        """Other values for an action that waits or is being done; what is done then, which may be a new action.

        Raises:
            UnknownNameError: if it is not in the queue any more.
        """
        found = self._find(action)
        new = self._action(found.name, found.model, found.style, {**found._given, **values})
        if found.begun is None:
            found.values, found.layers, found._given = new.values, new.layers, new._given
            return found
        if found.is_past_return or self._is_far(found, new):
            self.queue.insert(1, new)
            found._next = new
            if not found.is_past_return:
                self._end(found)
            return new
        found.values, found._given = new.values, new._given
        for layer, again in zip(found.layers, new.layers, strict=True):
            layer.values, layer.way = again.values, places_of(again.values)
            self._aim(layer)
        return found

    def stop(self) -> None:
        """Forget the queue; what can be given up is."""
        while len(self.queue) > 1:
            self.queue.pop()
        if self.now is not None and not self.now.is_past_return:
            self._end(self.now)

    # What a stage calls -----------------------------------------------------------------------------------------------

    def advance(self, time: float) -> list[Told]:
        """Begin what is due, and tell what has happened by ``time``."""
        told: list[Told] = []
        while self.queue:
            action = self.queue[0]
            if action.begun is None:
                self._begin(action, time)
            told += self._passed(action, time)
            if not action.over:
                break
            self.queue.popleft()
        return told

    def _begin(self, action: LiveAction, time: float) -> None:
        action.begun = time
        action.set_out()
        looked = [each.values["target"] for each in action.layers if each.values.get("look")]
        self.actor.look_at(looked[0] if looked else None)  # type: ignore[arg-type]

    def _set_out(self, layer: LiveLayer, *, alone: bool) -> None:
        """Begin a layer; what is played already goes on where it is not alone."""
        layer.is_begun = True
        if layer.goes:
            layer.way = places_of(layer.values)
            self._aim(layer)
            return
        hand = layer.values.get("hand")
        variant = None if hand in (None, "any") else variant_of(self.actor.character, layer.animation, str(hand))
        target: Any = layer.values["target"] if layer.values.has("target") else None
        begin, (times, own) = next(iter(layer.key_times.values())), layer.times
        layer.play = self.actor.play(
            layer.animation, target=target, variant=variant, speed=layer.speed, layer=not alone
        )
        layer.play.time, layer.rounds = begin, times - own

    def _aim(self, layer: LiveLayer) -> None:
        """Tell the engine the goals of a layer."""
        if layer.play is not None and layer.values.has("target"):
            layer.play.target = layer.values["target"]  # type: ignore[assignment]
        if layer.goes and layer.way:
            factor = layer.style.motions[0].speed
            easy = None if factor == 1.0 else factor * body_of(self.actor.character).legs.easy
            pace: Any = layer.values["pace"] if layer.values.has("pace") else easy
            self.actor.go_to(layer.way[0], pace=pace)

    def _passed(self, action: LiveAction, time: float) -> list[Told]:
        """Key times of an action that have passed; whether it is over."""
        for layer in action.due(time):
            self._set_out(layer, alone=not any(other.is_begun for other in action.layers))
        for layer in action.layers:
            layer.keep_time()
            layer.is_over |= layer.is_begun and self._is_over(layer)
        action.over |= all(layer.is_over for layer in action.layers)
        lead = action.layers[0]
        fresh = [key for key in action.model.key_times if key not in action._told and lead.has_passed(key)]
        action._told.update(fresh)
        miss = max((value for part, value in self.actor.misses.items() if "foot" not in part), default=0.0)
        return [Told(time, self.name, action.name, key, miss if key == "achieve" else None) for key in fresh]

    def _is_over(self, layer: LiveLayer) -> bool:
        if not layer.goes:
            # The next is come into from here: the engine blends.
            leave = next((key for key in LEFT if key in layer.key_times), "end") if len(self.queue) > 1 else "end"
            return layer.has_passed(leave)
        if not layer.way:
            return True
        away = float(np.linalg.norm(np.asarray(layer.way[0], np.float64)[[0, -1]] - self.actor.place))
        if len(layer.way) > 1:
            if away < ROUND * self.height:
                layer.way.popleft()
                self._aim(layer)
            return False
        return away < THERE * self.height and float(np.linalg.norm(self.actor.velocity)) < STILL * self.height

    def _end(self, action: LiveAction) -> None:
        action.over = True
        for layer in action.layers:
            if layer.play is not None:
                layer.play.stop()
        if action.goes:
            self.actor.go((0.0, 0.0))

    def _is_far(self, action: LiveAction, new: LiveAction) -> bool:
        """Whether something that is not a way is to be done somewhere else altogether."""
        pairs = [(one, other) for one, other in zip(action.layers, new.layers, strict=True) if not one.goes]
        apart = [
            float(np.linalg.norm(np.subtract(one.values["target"], other.values["target"])))  # type: ignore[arg-type]
            for one, other in pairs if one.values.has("target") and other.values.has("target")
        ]  # fmt: skip
        return max(apart, default=0.0) > SIMILAR * self.height

    def _action(self, name: str, model: Model, style: Style, given: Mapping[str, Any]) -> LiveAction:
        values = settle(model, style, given, self.height, ignore=False)
        layers = layers_of(model, style, values, self.height)
        return LiveAction(name, model, style, values, layers, _given=dict(given))

    def _find(self, action: LiveAction | str) -> LiveAction:
        for each in self.queue:
            if (each is action or each.name == action) and not each.over:
                return each
        name = action if isinstance(action, str) else action.name
        raise UnknownNameError(f"the queue of {self.name!r}", "action", name, [each.name for each in self.queue])


class LiveStage:
    """Actors that are told what to do while they do it, in the words of models.

    Attributes:
        time: seconds that have passed.
        actors: by name.

    Example:
        >>> stage = LiveStage({"ann": "zoo:adult", "rex": "zoo:dog"}, {"rex": (1.5, 0.0)})
        >>> reach = stage["ann"].do("reach", target=(0.3, 1.2, 0.4))
        >>> for _ in range(10):
        ...     told = stage.step()
        >>> reach = stage["ann"].change(reach, target=(0.35, 1.3, 0.4))
        >>> round(stage.time, 3)
        0.333
    """

    def __init__(
        self,
        bodies: Mapping[str, BodyLike],
        places: Mapping[str, Sequence[float]] | None = None,
        headings: Mapping[str, float] | None = None,
        *,
        chunk: int = CHUNK,
        rate: float = RATE,
    ) -> None:
        """Actors that stand at rest.

        Args:
            bodies: who, by name.
            places: x and z in metres; at the origin where none is given.
            headings: degrees to the left of +Z.
            chunk: frames of a step.
            rate: frames a second.
        """
        if not bodies:
            raise InputError("nobody is on the live stage; expected at least one body")
        if not 1 <= chunk <= 60 or not 1 <= rate <= 1000:
            raise InputError(f"chunks of {chunk} frames at {rate:g} a second; expected 1 to 60 at 1 to 1000")
        spots = [(places or {}).get(name, (0.0, 0.0)) for name in bodies]
        facing = [math.radians((headings or {}).get(name, 0.0)) for name in bodies]
        self.crowd = Crowd(list(bodies.values()), spots, facing)
        self.actors = {name: LiveActor(name, actor) for name, actor in zip(bodies, self.crowd, strict=True)}
        self.chunk, self.rate, self.time = chunk, rate, 0.0

    def __getitem__(self, name: str) -> LiveActor:
        if name not in self.actors:
            raise UnknownNameError("the live stage", "actor", name, self.actors)
        return self.actors[name]

    def step(self) -> list[Told]:
        """The next chunk: begin what is due, make its frames, and tell what happened."""
        told = [each for actor in self.actors.values() for each in actor.advance(self.time)]
        for _ in range(self.chunk):
            self.crowd.step(1.0 / self.rate)
        self.time += self.chunk / self.rate
        return told
