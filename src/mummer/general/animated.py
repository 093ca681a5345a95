"""A general animation played by one body: a driver that turns curves into what is wanted of the body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.bending import add_bends
from mummer.general.binding import Bound, Part
from mummer.general.channel import Channel
from mummer.general.context import Context
from mummer.general.context_limbs import chain_to
from mummer.general.curve import Curve
from mummer.general.feet import standing_feet
from mummer.general.intent import Intent
from mummer.general.mixing import Mixed
from mummer.general.modes import Target, position_map, rotation_map, target_of
from mummer.general.modes.target import nearest_part
from mummer.general.steadying import kept_standing
from mummer.general.track import Track
from mummer.general.variants import Variant
from mummer.general.within_reach import pointing, within_reach
from mummer.ik.moving import Target as Place
from mummer.ik.moving import at_times
from mummer.kernels import quaternions


@dataclass(frozen=True, eq=False)
class Animated:
    """An animation, bound to a body, in one variant, at some time.

    Attributes:
        bound: what is played by whom.
        variant: in which way.
        start: seconds at which it begins.
        speed: how fast it plays.
        targets: places outside the body in the world, by name; the empty name is the target that has none.
        weight: how much all of it counts, 0 to 1.
    """

    bound: Bound
    variant: Variant
    start: float = 0.0
    speed: float = 1.0
    targets: Mapping[str, Place] = field(default_factory=dict)
    weight: float = 1.0

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
        towards = [toward for part in self.parts for toward in _towards(part.channel)]
        return tuple(dict.fromkeys(toward.target for toward in towards if toward.target is not None))

    @property
    def needs_posed(self) -> bool:
        """See `Driver.needs_posed`: whether something is placed by where another part of the body is."""
        towards = [toward for part in self.parts for toward in _towards(part.channel)]
        return any(toward.target is None and not _is_carried(toward) for toward in towards)

    def drive(self, intent: Intent) -> Intent:
        """See `Driver.drive`."""
        spine = set(self.bound.physique.spine)
        root = self.bound.physique.root
        at_root = [part for part in self.parts if part.joint == root]
        on_spine = [part for part in self.parts if part.joint != root and part.joint in spine]
        others = [part for part in self.parts if part.joint != root and part.joint not in spine]
        feet = [part for part in others if part.channel.space == "stage" and part.joint in self._feet]
        given = frozenset(intent.places)
        # What the spine carries is seen from the spine as it turns, and that turns no farther than feet let it.
        intent = self._with_parts(self._with_root(intent, at_root), on_spine)
        intent = self._with_feet(self._with_parts(intent, feet), given)
        return self._with_parts(intent, [part for part in others if part not in feet])

    def when(self, times: FloatArray, late: float = 0.0) -> FloatArray:
        """(T,) seconds of the animation at ``times`` (T,) for a part that is late by so many seconds."""
        duration = self.bound.animation.duration
        since = (times - self.start) * self.speed
        if self.bound.animation.loop:
            return np.mod(since - late, duration)
        # What begins late must be done in time too.
        return np.clip((since - late) * duration / max(duration - self.latest, 0.2 * duration), 0.0, duration)

    def _with_root(self, intent: Intent, parts: list[Part]) -> Intent:
        """The root moved and turned beside what it does already."""
        physique = self.bound.physique
        rest = physique.positions[physique.root]
        for part in parts:
            channel, at = part.channel, self.when(intent.times, part.delay)
            if "place" in part.freedoms and channel.place is not None:
                weights = self._weights(channel.place_weight, at)
                there = self._specialized_place(intent, part, channel.place(at))
                if there is not None:
                    away = quaternions.rotate(intent.stage_rotations, there - rest) * weights[:, None]
                    intent = replace(intent, root_positions=intent.root_positions + away)
            if "turn" in part.freedoms and channel.turn is not None:
                weights = self._weights(channel.turn_weight, at)
                turned = self._specialized_turn(intent, part, channel.turn(at))
                if turned is not None:
                    intent = replace(intent, root_rotations=_turned(intent, turned, weights))
            intent = self._with_deforms(intent, part, at)
        return intent

    @cached_property
    def _feet(self) -> tuple[int, ...]:
        """The feet that the body stands on."""
        free = self.bound.branch.feet == "free"
        return () if free else tuple(foot for foot, _ in standing_feet(self.bound.physique))

    def _with_feet(self, intent: Intent, given: frozenset[int]) -> Intent:
        """Feet that nothing moves stay on the ground, and the body does no more than lets feet stay.

        Args:
            intent: what is wanted of root, spine and feet.
            given: joints that somebody else had places for, such as a gait, who looks after them.
        """
        if given.issuperset(self._feet):
            return intent
        moved = {part.joint for part in self.parts if "place" in part.freedoms} | set(intent.places)
        places, turns, planted = dict(intent.places), dict(intent.turns), []
        always = np.ones(len(intent))
        for foot, is_flat in standing_feet(self.bound.physique):
            if foot in moved:
                continue
            rest = np.broadcast_to(self.bound.physique.positions[foot], (len(intent), 3))
            places[foot] = Track(intent.to_world(rest), always)
            planted.append(foot)
            if is_flat and foot not in turns:
                turned = quaternions.multiply(intent.stage_rotations, self.bound.physique.rotations[foot])
                turns[foot] = Track(turned, always)
        return kept_standing(
            replace(intent, places=places, turns=turns, exact=intent.exact | frozenset(planted)),
            [foot for foot in self._feet if foot in places and foot not in given],
        )

    def _with_parts(self, intent: Intent, parts: list[Part]) -> Intent:
        """What parts other than the root want."""
        places, turns, bends = Mixed(), Mixed(), dict(intent.bends)
        seen = intent
        for part in parts:
            channel, at = part.channel, self.when(intent.times, part.delay)
            here = seen.seen_from(part.joint) if channel.space == "body" else seen
            if "place" in part.freedoms and channel.place is not None:
                there = self._specialized_place(here, part, channel.place(at))
                if there is not None:
                    weights = self._weights(channel.place_weight, at)
                    _add_place(seen, part, here.to_world(there), weights, places, turns)
            if "turn" in part.freedoms and channel.turn is not None:
                turned = self._specialized_turn(here, part, channel.turn(at) * part.share)
                if turned is not None:
                    world = quaternions.multiply(here.stage_rotations, turned)
                    turns.add(part.joint, world, self._weights(channel.turn_weight, at))
            if "bend" in part.freedoms and channel.bend is not None:
                late = self._late_bends(intent.times, part, channel.bend)
                add_bends(self.bound.physique, part, late, bends)
            intent = self._with_deforms(intent, part, at)
        exact = {part.joint for part in parts if "place" in part.freedoms and is_exact(part.channel)}
        return replace(
            intent,
            places=places.over(intent.places),
            turns=turns.over(intent.turns),
            bends=bends,
            exact=intent.exact | exact,
        )

    def _late_bends(self, times: FloatArray, part: Part, curve: Curve) -> list[FloatArray]:
        """(T, 3) of each joint from the base of a limb to its tip, the later the nearer to the tip."""
        count = max(len(chain_to(self.bound.physique, part.joint)) - 1, 1)
        found: list[FloatArray] = []
        for number in range(count):
            at = self.when(times, part.delay + part.channel.lag * number / max(count - 1, 1))
            found.append(curve(at) * self._weights(part.channel.turn_weight, at)[:, None])
        return found

    def _with_deforms(self, intent: Intent, part: Part, at: FloatArray) -> Intent:
        named = [name for name in part.channel.deforms if name in part.freedoms]
        if not named:
            return intent
        deforms = dict(intent.deforms)
        for name in named:
            amounts = part.channel.deforms[name](at)[:, 0] * self.weight
            deforms[part.joint, name] = deforms.get((part.joint, name), 0.0) + amounts
        return replace(intent, deforms=deforms)

    def _specialized_place(self, intent: Intent, part: Part, general: FloatArray) -> FloatArray | None:
        """(T, 3) in character space; None if the body lacks what it is toward."""
        mode = part.channel.position
        target = None
        if mode.toward is not None:
            target = target_of(
                intent, part.joint, mode.toward, self._outside(intent), surface=mode.boundary is not None
            )
            if target is None:
                return None
        return position_map(intent.physique, part.joint, mode, mirror=part.mirrored, target=target).specialize(general)

    def _specialized_turn(self, intent: Intent, part: Part, general: FloatArray) -> FloatArray | None:
        """(T, 4) in character space; None if the body lacks what it looks at."""
        mode = part.channel.rotation
        target = None
        if mode.toward is not None:
            target = target_of(intent, part.joint, mode.toward, self._outside(intent))
            if target is None:
                return None
        return rotation_map(intent.physique, part.joint, mode, mirror=part.mirrored, target=target).specialize(general)

    def _outside(self, intent: Intent) -> dict[str, Target]:
        return {
            name: Target(at_times(place, 3, len(intent), intent.times, f"target {name!r}"))
            for name, place in self.targets.items()
        }

    def _weights(self, curve: Curve | None, at: FloatArray) -> FloatArray:
        if curve is None:
            return np.full(len(at), self.weight)
        return np.clip(curve(at)[:, 0], 0.0, 1.0) * self.weight

    def missing(self) -> tuple[str, ...]:
        """Channels that have nothing to go by on this body, as it lacks the part that they are toward."""
        physique = self.bound.physique
        return tuple(
            f"channel {part.channel.name!r} moves toward {toward.capability!r}, which this body has not"
            for part in self.parts
            for toward in _towards(part.channel)
            if toward.target is None and nearest_part(physique, part.joint, toward) is None
        )


def _add_place(seen: Intent, part: Part, there: FloatArray, weights: FloatArray, places: Mixed, turns: Mixed) -> None:
    """Add where a part should be, ``there`` (T, 3) in the world; what can only point turns that way instead."""
    if is_exact(part.channel):
        places.add(part.joint, there, weights)
    elif part.channel.blend is None and (pointed := pointing(seen, part.joint, there)) is not None:
        turns.add(pointed[0], pointed[1], weights)
    else:
        places.add(part.joint, within_reach(seen, part.joint, there), weights)


def _towards(channel: Channel) -> list[Context]:
    """What the curves of a channel go by."""
    found = []
    if channel.place is not None and channel.position.toward is not None:
        found.append(channel.position.toward)
    if channel.turn is not None and channel.rotation.toward is not None:
        found.append(channel.rotation.toward)
    return found


def is_exact(channel: Channel) -> bool:
    """Whether a place is worth bending the whole body for: something is to be touched."""
    mode = channel.position
    touches = mode.toward is not None and not (mode.directional or mode.reach or _is_carried(mode.toward))
    return touches or mode.ground


def _is_carried(toward: Context) -> bool:
    """Whether a part goes along with the spine, so that it is known where it is before anything is bent."""
    return toward.capability in ("root", "spine") or toward.limb in ("shoulder", "base")


def _turned(intent: Intent, character_from_root: FloatArray, weights: FloatArray) -> FloatArray:
    """(T, 4) the root's rotations turned on, seen from the stage, by what takes it from rest to a rotation."""
    physique = intent.physique
    turn = quaternions.multiply(character_from_root, quaternions.conjugate(physique.rotations[physique.root]))
    if np.any(weights < 1):
        turn = quaternions.exp(quaternions.log(turn) * weights[:, None])
    stage = intent.stage_rotations
    on = quaternions.multiply(quaternions.multiply(stage, turn), quaternions.conjugate(stage))
    return quaternions.multiply(on, intent.root_rotations)
