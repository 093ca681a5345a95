"""Movements of the head, over whatever else it does, while eyes stay on their target: nod, shake, tilt, toss."""

from __future__ import annotations

import math
from typing import NamedTuple

from mummer.behavior.behavior import Behavior
from mummer.behavior.needs import need
from mummer.behavior.performer import Performer
from mummer.errors import InputError, UnknownNameError
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import plus, scaled, smooth_step


class Lexeme(NamedTuple):
    """A movement of the head.

    Attributes:
        axis: degrees down, to the left, and toward the left shoulder, at amount 1.
        seconds: that one repetition takes.
        swings: whether it swings to the other side as well.
        holds: whether it stays there until it relaxes.
    """

    axis: Three
    seconds: float
    swings: bool = False
    holds: bool = False


LEXEMES = {
    "nod": Lexeme((13.0, 0.0, 0.0), 0.5),
    "shake": Lexeme((0.0, 16.0, 0.0), 0.6, swings=True),
    "tilt": Lexeme((0.0, 0.0, 14.0), 0.8, holds=True),
    "tilt_left": Lexeme((0.0, 0.0, 14.0), 0.8, holds=True),
    "tilt_right": Lexeme((0.0, 0.0, -14.0), 0.8, holds=True),
    "toss": Lexeme((-15.0, 4.0, 0.0), 0.55),
    "up": Lexeme((-14.0, 0.0, 0.0), 0.8, holds=True),
    "down": Lexeme((16.0, 0.0, 0.0), 0.8, holds=True),
}
"""What heads do, by name."""
EASE = 0.2
"""Seconds in which a head starts and stops to move."""
MOST = 20
"""Repetitions at most."""


class HeadMovement(Behavior):
    """Moves the head some times, or holds it somewhere."""

    kind = "head"
    channels = frozenset({"head"})

    def __init__(self, lexeme: Lexeme, repetition: int, amount: float) -> None:
        self.lexeme, self.repetition = lexeme, repetition
        self.axis = scaled(lexeme.axis, math.radians(amount))
        stroke = lexeme.seconds * (1 if lexeme.holds else repetition)
        begins, ends = (EASE, EASE + stroke) if lexeme.holds else (0.0, stroke)
        super().__init__({
            "ready": begins, "stroke_start": begins, "stroke": 0.5 * (begins + ends), "stroke_end": ends, "relax": ends,
            "end": ends + EASE,
        })  # fmt: skip

    def wave(self, time: float) -> float:
        """How far along its axis the head is, -1 to 1."""
        end = self.share(time, "stroke_end", "end")
        if self.lexeme.holds:
            return smooth_step(self.share(time, "start", "stroke_start")) * (1.0 - smooth_step(end))
        phase = self.repetition * self.share(time, "stroke_start", "stroke_end")
        if self.lexeme.swings:
            # The last swing dies away until the end.
            edge = smooth_step(min(phase, self.repetition - phase) / 0.25)
            return math.sin(2.0 * math.pi * phase) * edge
        return 0.5 - 0.5 * math.cos(2.0 * math.pi * phase)

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """See `Behavior.step`."""
        performer.gaze.nod = plus(performer.gaze.nod, scaled(self.axis, self.wave(time)))


def make_head(performer: Performer, *, lexeme: str = "nod", repetition: int = 1, amount: float = 1.0) -> HeadMovement:
    """Move the head.

    Args:
        performer: who; all heads of several.
        lexeme: one of `LEXEMES`.
        repetition: how many times.
        amount: how far, 1 as usual.
    """
    need(performer, "head", "head")
    found = LEXEMES.get(lexeme.lower().replace("-", "_"))
    if found is None:
        raise UnknownNameError("head", "lexeme", lexeme, LEXEMES)
    if not 1 <= repetition <= MOST or not 0.0 <= amount <= 4.0:
        raise InputError(
            f"head has repetition {repetition} and amount {amount}; expected 1 to {MOST} times and an amount of 0 to 4"
        )
    return HeadMovement(found, int(repetition), float(amount))
