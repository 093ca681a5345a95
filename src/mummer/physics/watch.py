"""Watching: who touches whom, when, and how hard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.physics.figure import Figure
from mummer.physics.result import Event
from mummer.physics.thing import Thing
from mummer.physics.world import World, simulator

AGAIN = 0.15
"""Seconds for which two have not touched before they hit each other again."""
FELT = 2e-3
"""Impulse, in weights of the largest figure times seconds, from which on a touch is a hit."""


@dataclass(eq=False)
class _Touch:
    begin: float
    last: float
    impulse: float


class Watch:
    """Looks at contacts, step by step; feet on the ground are none."""

    def __init__(self, world: World, figures: Sequence[Figure], names: Sequence[str], things: Sequence[Thing]) -> None:
        self.world = world
        self.touches: dict[tuple[int, int], list[_Touch]] = {}
        self.names = {0: "ground"}
        self.several = len(figures) > 1
        for number, (figure, name) in enumerate(zip(figures, names, strict=True)):
            skeleton = figure.character.skeleton
            roles = {} if figure.character.anatomy is None else figure.character.anatomy.roles
            said = {joint: role for role, joint in roles.items()}
            for row, body in enumerate(world.parts[number].tolist()):
                part = said.get(int(figure.joints[row]), skeleton.names[figure.joints[row]])
                self.names[body] = f"{name}.{part}" if self.several else part
        for number, thing in enumerate(things):
            self.names[world.things[number]] = thing.name
        self.feet = {int(geom) for corners in world.corners for geom in np.ravel(corners)}
        self.force = np.zeros(6)

    def look(self, now: float, step: float) -> None:
        """Note the contacts of the last step."""
        data, model = self.world.data, self.world.model
        if not data.ncon:
            return
        geoms = data.contact.geom
        for number, (one, other) in enumerate(geoms.tolist()):
            if one in self.feet or other in self.feet:
                continue
            first, second = int(model.geom_bodyid[one]), int(model.geom_bodyid[other])
            if self.world.owner[first] == self.world.owner[second]:
                continue
            simulator().mj_contactForce(model, data, number, self.force)
            pair = (first, second)
            known = self.touches.setdefault(pair, [])
            if not known or now - known[-1].last > AGAIN:
                known.append(_Touch(now, now, 0.0))
            known[-1].last = now
            known[-1].impulse += float(abs(self.force[0])) * step

    def events(self, figure: int, begin: float) -> tuple[Event, ...]:
        """What hit a figure, earliest first."""
        world = self.world
        unit = world.mass * world.length
        found = []
        for (first, second), touches in self.touches.items():
            mine = [body for body in (first, second) if world.owner[body] == figure]
            if not mine:
                continue
            other = second if mine[0] == first else first
            for touch in touches:
                if touch.impulse > FELT * 9.81 / world.length:
                    impulse = touch.impulse * unit
                    found.append(Event(begin + touch.begin, self.names[mine[0]], self.names[other], impulse))
        return tuple(sorted(found, key=lambda event: (event.time, event.what, event.by)))
