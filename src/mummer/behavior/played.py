"""Gestures, jumps, postures and idles that are general animations: played on any body that they are for."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from mummer.behavior.behavior import Behavior
from mummer.behavior.performer import Performer
from mummer.engine import Play
from mummer.engine.state import TEMPO
from mummer.errors import InputError, UnknownNameError
from mummer.general import animation_names, load_animation
from mummer.general.animation import Animation
from mummer.report import ReportBuilder

AT_ONCE = 1.0 / 60.0
"""Seconds of the first step."""
FASTEST = 10.0
"""How many times faster than it was made an animation may play."""
STROKE = (0.25, 0.5, 0.75)
"""Parts of an animation at which its stroke starts, is reached and ends, as these are made."""


LIBRARY = Path(__file__).parent / "library"
POINTING = ("deictic", "you")
"""Lexemes that point at something."""


class Played(Behavior):
    """Plays a general animation beside what the body does otherwise; a posture stays until it is stopped."""

    kind = "animation"

    def __init__(
        self,
        animation: Animation,
        *,
        target: Any = None,
        variant: str | None = None,
        stays: bool = False,
        times: int = 1,
    ) -> None:
        length = animation.duration * (max(1, times) if animation.loop else 1)
        first, middle, last = (part * length for part in STROKE)
        super().__init__({"ready": middle, "end": math.inf} if stays else {
            "ready": first, "stroke_start": first, "stroke": middle, "stroke_end": last, "relax": last, "end": length,
        }, frozenset({"posture"} if stays else {"body"}))  # fmt: skip
        self.animation, self.target, self.variant, self.stays = animation, target, variant, stays
        self._play: Play | None = None

    def begin(self, performer: Performer) -> None:
        """Let it play, as fast as its first phase is timed."""
        place = None if self.target is None else performer.where(self.target)
        self._play = performer.actor.play(
            self.animation, target=place, variant=self.variant, speed=self._tempo(0.0, AT_ONCE), layer=not self.stays
        )

    def step(self, performer: Performer, time: float, seconds: float) -> None:
        """Follow what it is toward, as fast as this phase is timed; a posture stays as it is at its middle."""
        if self._play is None or self._play.is_over:
            return
        if self.target is not None:
            self._play.target = performer.where(self.target)
        actor = performer.actor
        actor.troupe.actors.plays[actor.index, self._play.slot, TEMPO] = self._tempo(time, seconds)

    def _tempo(self, time: float, seconds: float) -> float:
        """How fast it plays in the next seconds, 1 as it was made."""
        last = self.authored["ready"] if self.stays else self.authored["end"]
        before, after = (min(self.own_time(moment), last) for moment in (time, time + seconds))
        return min(max((after - before) / max(seconds, 1e-6), 0.0), FASTEST)

    def finish(self, performer: Performer) -> None:  # noqa: ARG002
        """Let it fade."""
        if self._play is not None:
            self._play.stop()


def gesture_names() -> tuple[str, ...]:
    """The gestures that go with speech; those of the library of general animations are to be had beside them."""
    return tuple(sorted(path.stem for path in LIBRARY.glob("*.toml")))


def make_gesture(performer: Performer, *, lexeme: str, target: Any = None, hand: str = "") -> Played:
    """Make a gesture, by its lexeme.

    Args:
        performer: who.
        lexeme: ``beat``, ``me``, ``iconic``, ``metaphoric``; ``deictic``, which points; or a general animation.
        target: what it is toward; see `Performer.where`.
        hand: ``left`` or ``right``, where a body has such hands; the one that suits best if not given.
    """
    own = gesture_names()
    name = str(LIBRARY / f"{lexeme}.toml") if lexeme in own else "point" if lexeme in POINTING else lexeme
    if name == lexeme and name not in animation_names():
        # Lexemes come from strangers: they name what there is, and no files.
        raise UnknownNameError("the library", "gesture", lexeme, sorted({*own, *POINTING, *animation_names()}))
    try:
        return make_animation(performer, lexeme=name, target=target, variant=f"{hand}_hand" if hand else None)
    except InputError:
        # A body whose hands have other names; or nobody knows the lexeme, which is said now.
        return make_animation(performer, lexeme=name, target=target)


def make_animation(performer: Performer, *, lexeme: str, target: Any = None, variant: str | None = None) -> Played:
    """Play a general animation, a gesture as ``wave`` or ``beckon``, a ``jump``, a posture as ``sit``.

    Args:
        performer: who.
        lexeme: a name of the library, or a file.
        target: what it is toward; see `Performer.where`.
        variant: which way to play, by the joints that do: ``left_hand``.
    """
    animation = load_animation(lexeme)
    known = {} if target is None else {"": performer.where(target)}
    performer.actor.troupe.bound(animation, performer.actor.index, known, variant, ReportBuilder())
    return Played(animation, target=target, variant=variant)
