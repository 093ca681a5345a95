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
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mummer.character import Pose
from mummer.engine.actor import Actor
from mummer.engine.actor import Play as EnginePlay
from mummer.engine.body import body_of
from mummer.engine.crowd import Crowd
from mummer.errors import InputError, UnknownNameError
from mummer.general.animation import Animation, load_animation
from mummer.general.gait import style_names as gait_names
from mummer.general.physique import physique_of
from mummer.io.subjects import BodyLike
from mummer.model.model import Model
from mummer.model.performed import animation_of, filled, variant_of
from mummer.model.style import BaseMotion, Style, load_style
from mummer.model.values import Values, settle
from mummer.stage.actions import model_of

RATE = 60.0
CHUNK = 2
"""Frames that are made at one go: a thirtieth of a second, below which nobody notices that a reaction is late."""
SIMILAR = 0.3
"""Body heights by which a target may change to be blended in; who is told of one further off begins anew."""
NO_RETURN = ("takeoff", "release")
"""Key times after which an action is finished first."""
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


@dataclass(eq=False)
class LiveAction:
    """An action in somebody's queue.

    Attributes:
        name: what it is called.
        model, style: which action, and how.
        values: of its parameters, as they are used now.
        begun: seconds at which it began; None while it waits.
    """

    name: str
    model: Model
    style: Style
    values: Values
    begun: float | None = None
    over: bool = False
    _given: dict[str, Any] = field(default_factory=dict)
    _play: EnginePlay | None = None
    _key_times: dict[str, float] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _next: LiveAction | None = None

    @property
    def goes(self) -> bool:
        """Whether it takes somebody somewhere."""
        return self.style.motions[0].perform in gait_names()

    @property
    def is_past_return(self) -> bool:
        """Whether it can only be finished."""
        return any(key in self._told for key in NO_RETURN)


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
        if not chosen.is_performed:
            what = "other models" if known.layers else "recordings"
            raise InputError(f"style {chosen.name!r} of {model} is made of {what}; live, a performed one is expected")
        self._count += 1
        action = LiveAction(
            name or str(self._count), known, chosen, self._settled(known, chosen, values), _given=values
        )
        self.queue.append(action)
        return action

    def change(self, action: LiveAction | str, **values: Any) -> LiveAction:
        """Other values for an action that waits or is being done; what is done then, which may be a new action.

        Raises:
            UnknownNameError: if it is not in the queue any more.
        """
        found = self._find(action)
        given = {**found._given, **values}
        new = self._settled(found.model, found.style, given)
        if found.begun is None:
            found.values, found._given = new, given
            return found
        if found.is_past_return or (found._play is not None and self._is_far(found, new)):
            again = LiveAction(found.name, found.model, found.style, new, _given=given)
            self.queue.insert(1, again)
            found._next = again
            if not found.is_past_return:
                self._end(found)
            return again
        found.values, found._given = new, given
        self._aim(found)
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
        motion = action.style.motions[0]
        tempo = float(action.values["tempo"]) if action.values.has("tempo") else 1.0  # type: ignore[arg-type]
        self.actor.look_at(action.values["target"] if action.values.get("look") else None)  # type: ignore[arg-type]
        if action.goes:
            self._aim(action)
            return
        animation = _animation(motion.perform, action.style.folder)
        hand = action.values.get("hand")
        variant = None if hand in (None, "any") else variant_of(self.actor.character, animation, str(hand))
        target = action.values["target"] if action.values.has("target") else None
        speed = motion.speed * tempo
        action._play = self.actor.play(animation, target=target, variant=variant, speed=speed)  # type: ignore[arg-type]
        end = animation.duration if motion.finish is None else motion.finish
        action._key_times = dict(filled(action.model.key_times, dict(motion.key_times), motion.begin or 0.0, end))

    def _aim(self, action: LiveAction) -> None:
        """Tell the engine the goals of an action."""
        if action._play is not None and action.values.has("target"):
            action._play.target = action.values["target"]  # type: ignore[assignment]
        if action.goes and action.values.has("to"):
            factor = action.style.motions[0].speed
            easy = None if factor == 1.0 else factor * body_of(self.actor.character).legs.easy
            pace = action.values["pace"] if action.values.has("pace") else easy
            self.actor.go_to(action.values["to"], pace=pace)  # type: ignore[arg-type]

    def _passed(self, action: LiveAction, time: float) -> list[Told]:
        """Key times of an action that have passed; whether it is over."""
        if action.goes:
            away = (
                np.asarray(action.values["to"], np.float64)[[0, 2]] - self.actor.place if action.values.has("to") else 0
            )
            slow = float(np.linalg.norm(self.actor.velocity)) < STILL * self.height
            done = slow and float(np.linalg.norm(away)) < THERE * self.height
            keys = ["start", *(["end"] if done else [])]
            action.over |= done
        else:
            assert action._play is not None
            times = action._key_times
            keys = [key for key, at in times.items() if action._play.is_over or action._play.time >= at]
            # The next is come into from here: the engine blends.
            leave = next((key for key in ("follow_through", "release") if key in times), "end")
            action.over |= action._play.is_over or action._play.time >= times[leave if len(self.queue) > 1 else "end"]
        fresh = [key for key in keys if key not in action._told]
        if not fresh:
            return []
        action._told.update(fresh)
        miss = max((value for part, value in self.actor.misses.items() if "foot" not in part), default=0.0)
        return [Told(time, self.name, action.name, key, miss if key == "achieve" else None) for key in fresh]

    def _end(self, action: LiveAction) -> None:
        action.over = True
        if action._play is not None:
            action._play.stop()
        if action.goes:
            self.actor.go((0.0, 0.0))

    def _is_far(self, action: LiveAction, new: Values) -> bool:
        if not (action.values.has("target") and new.has("target")):
            return False
        apart = np.subtract(np.asarray(action.values["target"], float), np.asarray(new["target"], float))
        return float(np.linalg.norm(apart)) > SIMILAR * self.height

    def _settled(self, model: Model, style: Style, values: Mapping[str, Any]) -> Values:
        return settle(model, style, values, self.height, ignore=False)

    def _find(self, action: LiveAction | str) -> LiveAction:
        for each in self.queue:
            if (each is action or each.name == action) and not each.over:
                return each
        name = action if isinstance(action, str) else action.name
        raise UnknownNameError(f"the queue of {self.name!r}", "action", name, [each.name for each in self.queue])


@lru_cache(maxsize=256)
def _animation(perform: str, folder: Path) -> Animation:
    """An animation, the same one each time: the engine keeps what it has bound to a body."""
    return load_animation(animation_of(BaseMotion(perform, perform=perform), folder))


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
