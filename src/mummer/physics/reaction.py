"""Reactions: what a body does about what happens to it, without being told. Each turns joints aside for a while."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mummer.math import quaternion
from mummer.physics.figure import Figure
from mummer.physics.world import xyzw

if TYPE_CHECKING:
    from mummer.physics.player import Player


class Reaction(Protocol):
    """Something that watches a player and turns its joints aside, or tenses them, for a while."""

    def feel(self, now: float) -> None:
        """Something hits the body."""

    def act(self, player: Player, now: float) -> None:
        """Add to ``player.aside`` (n, 3) radians, and multiply ``player.tensed`` (n,)."""


class Brace:
    """Joints are tensed for a while after something hit the body."""

    SECONDS, TIMES = 0.6, 2.0

    def __init__(self) -> None:
        self.hit = -math.inf

    def feel(self, now: float) -> None:
        """See `Reaction`."""
        self.hit = now

    def act(self, player: Player, now: float) -> None:
        """See `Reaction`."""
        passed = (now - self.hit) / self.SECONDS
        # A moment passes before anybody tenses.
        if 0.15 < passed < 1.0 and player.state == "up":
            player.tensed *= 1.0 + (self.TIMES - 1.0) * math.sin(math.pi * passed)


class Reach:
    """Arms and wings go out to the side, and forward, while the trunk tips over."""

    FROM, MOST, QUICK = 0.12, 0.9, 8.0

    def __init__(self, rows: tuple[int, ...]) -> None:
        self.rows, self.amount, self.seen = rows, 0.0, 0.0

    def feel(self, now: float) -> None:
        """See `Reaction`."""

    def act(self, player: Player, now: float) -> None:
        """See `Reaction`."""
        off = player.tilt() if player.state == "up" and player.balance != "none" else np.zeros(3)
        far = float(np.linalg.norm(off))
        goal = min(max((far - self.FROM) * 2.0, 0.0), self.MOST)
        self.amount += (goal - self.amount) * min(self.QUICK * max(now - self.seen, 0.0), 1.0)
        self.seen = now
        if self.amount < 1e-3 or far < 1e-6:
            return
        # The whole arm turns as the trunk should: what goes one way takes the rest of the body the other way.
        for row in self.rows:
            turn = xyzw(player.data.xquat[player.bodies[row]])
            own = quaternion.rotate(quaternion.conjugate(turn), -off / far * self.amount)
            player.aside[row] += own


def reactions_of(figure: Figure) -> tuple[Reaction, ...]:
    """What a figure does by itself."""
    anatomy = figure.character.anatomy
    assert anatomy is not None
    rows = []
    for limb in anatomy.limbs:
        if limb.kind in ("arm", "wing"):
            own = [int(figure.holder[joint]) for joint in limb.joints]
            rows.append(own[1] if len(own) > 2 else own[0])
    return (Brace(), Reach(tuple(sorted(set(rows)))))
