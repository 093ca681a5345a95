"""The operators as methods, so that expressions read from left to right."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

import numpy.typing as npt

if TYPE_CHECKING:
    from mummer.character import Pose
    from mummer.clip.blend import Align, Blend
    from mummer.clip.clip import Clip
    from mummer.clip.composite import Composite
    from mummer.clip.hold import Hold
    from mummer.clip.loop import Loop
    from mummer.clip.mirror import Across, Mirror
    from mummer.clip.mix import Mix
    from mummer.clip.pivot import Pivot
    from mummer.clip.recorded import Recorded
    from mummer.clip.repeat import Repeat
    from mummer.clip.retimed import Reverse, Shift, Trim
    from mummer.clip.root_motion import InPlace
    from mummer.clip.scale import Scale
    from mummer.clip.select import Select
    from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
    from mummer.clip.time_warp import TimeWarp
    from mummer.clip.weights import Weights
    from mummer.io import BodyLike
    from mummer.report import Report

OVERLAP = 0.25
"""Seconds over which ``a + b`` flows from the one into the other, where both are long enough."""


class Fluent:
    """The methods that every clip has. Each gives a new clip; none changes anything."""

    @property
    def _clip(self) -> Clip:
        return cast("Clip", self)

    # When ---------------------------------------------------------------------------------------------------------

    def shifted(self, seconds: float) -> Shift:
        """Later by ``seconds``: ``wave.shifted(1.5)``."""
        from mummer.clip.retimed import Shift

        return Shift(self._clip, seconds)

    def trimmed(self, begin: float | None = None, finish: float | None = None) -> Trim:
        """The part between two times, which stay what they are: ``walk.trimmed(0.5, 2)``."""
        from mummer.clip.retimed import Trim

        clip = self._clip
        return Trim(clip, clip.start if begin is None else begin, clip.end if finish is None else finish)

    def reversed(self) -> Reverse:
        """Backwards: ``sit.reversed()``."""
        from mummer.clip.retimed import Reverse

        return Reverse(self._clip)

    def at_speed(self, factor: float) -> TimeWarp:
        """So many times as fast: ``walk.at_speed(1.5)``."""
        from mummer.clip.time_warp import TimeWarp, at_speed

        return TimeWarp(self._clip, at_speed(self._clip.start, self._clip.end, factor))

    def warped(self, *keys: tuple[float, float]) -> TimeWarp:
        """With moments (original, warped) moved in time: ``punch.warped((0, 0), (0.4, 0.8), (1, 1.4))``."""
        from mummer.clip.time_warp import TimeWarp

        return TimeWarp(self._clip, tuple(keys))

    def paused(self, time: float, seconds: float) -> TimeWarp:
        """Standing still at ``time`` for ``seconds``, then going on: ``wave.paused(0.5, 1)``."""
        from mummer.clip.time_warp import TimeWarp, paused

        return TimeWarp(self._clip, paused(self._clip.start, self._clip.end, time, seconds))

    def held(self, time: float, seconds: float) -> Hold:
        """The pose at ``time`` alone, for ``seconds``: ``jump.held(0.4, 2)``."""
        from mummer.clip.hold import Hold

        return Hold(self._clip, time, seconds)

    def repeated(self, count: int, **options: bool) -> Repeat:
        """So many times, unchanged: ``nod.repeated(3)``; options of `Repeat`."""
        from mummer.clip.repeat import Repeat

        return Repeat(self._clip, count, **options)

    def looped(self, count: int, **options: Any) -> Loop:
        """So many times, bent so that the end flows into the start: ``walk.looped(10)``; options of `Loop`."""
        from mummer.clip.loop import Loop

        return Loop(self._clip, count, **options)

    def baked(self, rate: float = 30.0) -> Recorded:
        """Recorded at a rate when first asked, and looked up from then on: ``busy.baked(60)``."""
        from mummer.clip.recorded import Recorded

        return Recorded(self._clip, rate)

    # What ---------------------------------------------------------------------------------------------------------

    def mirrored(self, across: Across = "side") -> Mirror:
        """Left for right: ``throw.mirrored()``; or reflected across an axis of the world: ``walk.mirrored("z")``."""
        from mummer.clip.mirror import Mirror

        return Mirror(self._clip, across)

    def on(self, *groups: str, joints: tuple[str, ...] = ()) -> Select:
        """Some body groups or joints alone: ``wave.on("right_arm")``."""
        from mummer.clip.select import Select

        return Select(self._clip, groups, joints)

    def scaled(self, factor: Weights, about: Pose | None = None) -> Scale:
        """Larger or smaller about a pose, all over or by group: ``walk.scaled({"right_arm": 1.5})``."""
        from mummer.clip.scale import Scale

        return Scale(self._clip, factor, about)

    def bent(self, *keys: SpaceWarpKey, **options: Any) -> SpaceWarp:
        """Through poses at chosen times: ``reach.bent(SpaceWarpKey.pose(0.8, touch))``; options of `SpaceWarp`."""
        from mummer.clip.space_warp import SpaceWarp

        return SpaceWarp(self._clip, keys, **options)

    def constrained(self, *goals: Any, **options: Any) -> Clip:
        """Bent to meet goals while they hold: ``walk.constrained(Place("left_hand", rail, interval=(1, 2)))``.

        Options are those of `mummer.ik.constraints.Constrained`.
        """
        from mummer.clip.elsewhere import elsewhere

        return cast("Clip", elsewhere("Constrained")(self._clip, goals, **options))

    def planted(self, **options: Any) -> Clip:
        """With feet that stay where they stand: ``walk.planted()``; options of `mummer.ik.constraints.planted`."""
        from mummer.clip.elsewhere import elsewhere

        return cast("Clip", elsewhere("planted")(self._clip, **options))

    # Where --------------------------------------------------------------------------------------------------------

    def pivoted(self, point: npt.ArrayLike, rotation: npt.ArrayLike, to: npt.ArrayLike | None = None) -> Pivot:
        """Turned about a point, which is then moved: ``walk.pivoted((0, 0, 0), turn, (3, 0, 0))``."""
        from mummer.clip.pivot import Pivot

        return Pivot(self._clip, point, rotation, point if to is None else to)  # type: ignore[arg-type]

    def standing_at(self, position: npt.ArrayLike, heading: float = 0.0, **options: Any) -> Pivot:
        """Standing and facing as asked at its start: ``walk.standing_at((3, 0, 0), 1.57)``; options of `pivot_to`."""
        from mummer.clip.pivot import pivot_to

        return pivot_to(self._clip, position, heading, **options)

    def in_place(self, **options: Any) -> InPlace:
        """Without its way over the ground: ``walk.in_place()``; options of `InPlace`."""
        from mummer.clip.root_motion import InPlace

        return InPlace(self._clip, **options)

    def onto(self, body: BodyLike, **options: Any) -> Clip:
        """On another body: ``walk.onto("zoo:dragon")``; options of `mummer.retargeting.Onto`."""
        from mummer.clip.elsewhere import elsewhere
        from mummer.io import as_character

        return cast("Clip", elsewhere("Onto")(self._clip, as_character(body, asker="onto()"), **options))

    def save(self, path: str | os.PathLike[str], **options: Any) -> Report:
        """Written with its body, in the format that the ending says: ``walk.save("walk.glb", rate=30)``.

        A picture if it ends in .png, a film if in .gif or .mp4; options of `mummer.save`.
        """
        from mummer.io import save

        return save(self._clip, path, **options)

    # With others --------------------------------------------------------------------------------------------------

    def blended_into(self, other: Clip, overlap: float = OVERLAP, *, align: Align = "ground") -> Blend:
        """Fading into the other over the last ``overlap`` seconds: ``walk.blended_into(run, 0.4)``."""
        from mummer.clip.blend import Blend

        return Blend(self._clip, other, overlap, align)

    def in_step(self, other: Clip, weight: Any = 0.5, **options: Any) -> Clip:
        """One cycle between this gait and another, feet coming down together: ``walk.in_step(run, 0.5)``.

        Options are those of `mummer.blend`.
        """
        from mummer.clip.elsewhere import elsewhere

        return cast("Clip", elsewhere("blend")(self._clip, other, weight, **options))

    def then(self, other: Clip, **options: Any) -> Clip:
        """Left, a transition, the other entered: ``walk.then(sit, exit=1.2, duration=0.4)``; options of `join`."""
        from mummer.clip.joining import join

        return join(self._clip, other, **options)

    def mixed(self, other: Clip, weights: Weights, **options: Any) -> Mix:
        """With a share of the other by group: ``walk.mixed(wave, {"right_arm": 1})``; options of `Mix`."""
        from mummer.clip.mix import Mix

        return Mix(self._clip, other, weights, **options)

    def under(self, other: Clip, *, fade: float = 0.0, groups: tuple[str, ...] = ()) -> Composite:
        """With what the other defines laid over it while that runs: ``walk.under(wave.on("right_arm"), fade=0.2)``."""
        from mummer.clip.composite import Composite

        clip = self._clip
        timeline = clip if isinstance(clip, Composite) else Composite(clip.body).with_segment(clip)
        return timeline.with_layer(other, fade=fade, groups=groups)

    def __rshift__(self, other: object) -> Composite:
        """``a >> b``: what b defines laid over a while b runs, as `under` without a fade."""
        if not isinstance(other, Fluent):
            return NotImplemented
        return self.under(other._clip)

    def __add__(self, other: object) -> Blend:
        """``a + b``: b after a, from where a ended, with a short blend."""
        if not isinstance(other, Fluent):
            return NotImplemented
        shorter = min(self._clip.duration, other._clip.duration)
        return self.blended_into(other._clip, min(OVERLAP, 0.5 * shorter))
