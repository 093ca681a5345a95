"""A general animation as one body plays it: bound, in one variant, toward certain places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.general.animation import Animation
from mummer.general.binding import Bound, Part, bind
from mummer.general.channel import Channel
from mummer.general.context import Context
from mummer.general.context_limbs import chain_to
from mummer.general.curve import Curve
from mummer.general.default_target import default_target
from mummer.general.modes.target import nearest_part
from mummer.general.physique import Physique
from mummer.general.variants import Variant, choose
from mummer.math import quaternion
from mummer.report import ReportBuilder

MOST_TARGETS = 3
"""Places outside the body that one animation goes by at most."""


@dataclass(frozen=True, eq=False)
class Animated:
    """An animation, bound to a body, in one variant.

    Attributes:
        bound: what is played by whom.
        variant: in which way.
        targets: places outside the body by name, (3,) metres where the body stands at rest; the empty name is the
            target that has none.
    """

    bound: Bound
    variant: Variant
    targets: Mapping[str, FloatArray]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Who plays what."""
        return self.bound.parts(self.variant)

    @cached_property
    def latest(self) -> float:
        """Seconds by which the last part is late."""
        return max((part.delay + part.channel.lag for part in self.parts), default=0.0)

    @cached_property
    def outside(self) -> tuple[str, ...]:
        """The names of targets outside the body that it goes by."""
        return _outside(self.parts)

    @property
    def events(self) -> list[tuple[float, str]]:
        """Seconds and names of what happens."""
        return [event for channel in {part.channel for part in self.parts} for event in channel.events]

    def when(self, times: FloatArray, late: float = 0.0) -> FloatArray:
        """(T,) seconds at which curves are read at ``times`` (T,) of the animation for a part that is so late."""
        duration = self.bound.animation.duration
        if self.bound.animation.loop:
            return np.mod(times - late, duration)
        # What begins late must be done in time too.
        return np.clip((times - late) * duration / max(duration - self.latest, 0.2 * duration), 0.0, duration)

    def bends(self, times: FloatArray, part: Part, curve: Curve) -> list[FloatArray]:
        """(T, 3) of each joint from the base of a limb to its tip, the later the nearer to the tip."""
        count = max(len(chain_to(self.bound.physique, part.joint)) - 1, 1)
        found: list[FloatArray] = []
        for number in range(count):
            at = self.when(times, part.delay + part.channel.lag * number / max(count - 1, 1))
            found.append(curve(at) * weights_at(part.channel.turn_weight, at)[:, None])
        return found

    def missing(self) -> tuple[str, ...]:
        """Channels that have nothing to go by on this body, as it lacks the part that they are toward."""
        physique = self.bound.physique
        return tuple(
            f"channel {part.channel.name!r} moves toward {toward.capability!r}, which this body has not"
            for part in self.parts
            for toward in _towards(part.channel)
            if toward.target is None and nearest_part(physique, part.joint, toward) is None
        )


def animate(
    animation: Animation,
    physique: Physique,
    targets: Mapping[str, FloatArray],
    variant: str | None,
    report: ReportBuilder,
) -> Animated:
    """An animation as a body plays it: in the variant that is asked for or nearest to its target.

    Args:
        animation: what is played.
        physique: by whom.
        targets: see `Animated.targets`; places that the body can reach are added where some are missing.
        variant: by the joints that play, or None.
        report: is told what was guessed or left out.

    Raises:
        InputError: if the animation is not for this body.
    """
    bound = bind(animation, physique)
    if variant is not None:
        chosen = bound.variant(variant)
    elif "" in targets:
        seen = quaternion.rotate(quaternion.conjugate(physique.axes), targets[""] - physique.origin)
        chosen = choose(bound.variants, physique, nearest_to=seen)
    else:
        chosen = choose(bound.variants, physique)
    names = _outside(bound.parts(chosen))
    if len(names) > MOST_TARGETS:
        raise InputError(f"{animation.name!r} goes by {len(names)} targets; expected {MOST_TARGETS} at most")
    known = dict(targets)
    for name in names:
        if name not in known:
            known[name] = default_target(physique, chosen, animation.target)
            where = ", ".join(f"{number:.2f}" for number in known[name])
            report.add("guessed", f"{animation.name!r} needs the target{' ' + name if name else ''}, put at ({where})")
    made = Animated(bound, chosen, known)
    for missing in made.missing():
        report.add("ignored", missing)
    return made


def weights_at(curve: Curve | None, at: FloatArray) -> FloatArray:
    """(T,) how much a channel counts at ``at`` (T,), 0 to 1."""
    return np.ones(len(at)) if curve is None else np.clip(curve(at)[:, 0], 0.0, 1.0)


def is_exact(channel: Channel) -> bool:
    """Whether a place is worth bending the whole body for: something is to be touched."""
    mode = channel.position
    touches = mode.toward is not None and not (mode.directional or mode.reach or _is_carried(mode.toward))
    return touches or mode.ground


def _outside(parts: tuple[Part, ...]) -> tuple[str, ...]:
    towards = [toward for part in parts for toward in _towards(part.channel)]
    return tuple(dict.fromkeys(toward.target for toward in towards if toward.target is not None))


def _towards(channel: Channel) -> list[Context]:
    """What the curves of a channel go by."""
    found = []
    if channel.place is not None and channel.position.toward is not None:
        found.append(channel.position.toward)
    if channel.turn is not None and channel.rotation.toward is not None:
        found.append(channel.rotation.toward)
    return found


def _is_carried(toward: Context) -> bool:
    """Whether a part goes along with the spine, so that it is known where it is before anything is bent."""
    return toward.capability in ("root", "spine") or toward.limb in ("shoulder", "base")
