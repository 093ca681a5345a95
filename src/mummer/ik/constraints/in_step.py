"""Blend: a walk and a run as one, in step, with feet that stay where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from mummer.character import Recording
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.gait import GaitBlend, GaitCycle, gait_cycle, register
from mummer.clip.gait.cycle import Spells
from mummer.clip.motions import MotionLike, as_clip
from mummer.clip.rates import rate_of
from mummer.clip.recorded import bake
from mummer.clip.retimed import Trim
from mummer.clip.root_motion import Restored
from mummer.clip.sampled import Sampled
from mummer.clip.weighted import WeightCurve, plain_curve
from mummer.clip.weights import require_same_body
from mummer.errors import InputError
from mummer.ik.constraints.plant import footholds, planted
from mummer.report import ReportBuilder

Weight: TypeAlias = "float | Sequence[tuple[float, float]]"
"""How much of the second: a number from 0 to 1, or pairs (seconds, number) joined by a curve between them."""
DEFAULT_RATE = 60.0


def blend(
    first: MotionLike,
    second: MotionLike,
    weight: Weight = 0.5,
    *,
    plant: bool = True,
    travel: bool | None = None,
    rate: float | None = None,
) -> Sampled:
    """Two gaits as one, in step: halfway between a walk and a run is a jog.

    One cycle of each is found, time is bent so that the same feet come down together, and poses, timing, travel and
    contacts are blended. The result is one cycle whose end flows into its start (``.looped(10)``), or for a weight that
    changes as many as fit. What does not weigh is left out: at 0 the result is the first, at 1 the second.

    Args:
        first: a walk, a run or another cycle: a clip, a path, or a character with recordings.
        second: another of the same body.
        weight: how much of the second, 0 to 1: a number, or pairs (seconds, number), the last of which is the end.
        plant: whether feet stay where they stand.
        travel: whether the result gets along over the ground; if None, unless both were recorded in place.
        rate: frames a second; that of the recordings, or 60.

    Raises:
        InputError: if a motion does not repeat itself, the bodies differ, or a weight is not from 0 to 1.

    Example:
        >>> import mummer as mm
        >>> jog = mm.blend(mm.perform("zoo:adult", "walk"), mm.perform("zoo:adult", "run"), 0.5)  # doctest: +SKIP
    """
    clips = [as_clip(each, asker="blend()") for each in (first, second)]
    _require_one_body(*clips)
    share, frames = _share(weight), _rate(clips) if rate is None else rate
    cycles = [gait_cycle(clip if isinstance(clip, Sampled) else bake(clip, frames)) for clip in clips]
    together, on_belts = (
        GaitBlend(cycles[0], cycles[1], register(*cycles), share),
        all(each.in_place for each in cycles),
    )
    made = _blended(together, frames, plant=plant)
    if travel is False or (travel is None and on_belts):
        made = Restored(made, together.back_in_place()) if on_belts else made.in_place(mode="linear")
    report = ReportBuilder()
    for clip in clips:
        report.add_all(clip.report)
    return replace(bake(made, frames, name=" ".join(clip.name for clip in clips)), report=report.build())


def _require_one_body(first: Clip, second: Clip) -> None:
    try:
        require_same_body(first.body, second.body, "a blend of gaits")
    except InputError as error:
        raise InputError(f"{error}; retarget one of them first: retarget(second, first.body)") from None


def _share(weight: Weight) -> WeightCurve:
    try:
        share = plain_curve(weight)
        fits = float(np.max(share if isinstance(share, float) else [each for _, each in share])) <= 1
    except (InputError, TypeError, ValueError):
        fits = False
    if not fits:
        raise InputError(f"blend() got weight {weight!r}; expected a number from 0 to 1, or pairs (seconds, number)")
    return share[0][1] if not isinstance(share, float) and len(share) == 1 else share


def _rate(clips: Sequence[Clip]) -> float:
    return max((rate for clip in clips if (rate := rate_of(clip)) is not None), default=DEFAULT_RATE)


def _blended(blend: GaitBlend, rate: float, *, plant: bool) -> Clip:
    """The blend as a clip: one cycle, or for a weight that changes as long as that says."""
    constant = isinstance(blend.weight, float)
    begin, end = blend.interval
    count = max(4, round((end - begin) * rate))
    # What a foot does before a cycle begins and after it ends belongs to how it stands at the seam.
    margin = count if constant else 0
    times = begin + (end - begin) / count * np.arange(-margin, count + margin + 1)
    marks = blend.marks(_stands(blend.first), _stands(blend.second))
    poses = Recording.from_poses("blend", times, blend.frames(times).to_pose(), frame_rate=rate)
    made: Clip = Sampled(blend.first.clip.body, poses, annotations=marks)
    if plant and marks and blend.weight not in (0.0, 1.0):
        made = planted(made)
    return Trim(made, begin, end)


def _stands(cycle: GaitCycle) -> dict[str, Spells]:
    """When heels and toes stand, by name."""
    return cycle.phases(footholds(cycle.around)) if known_feet(cycle.clip.body) else {}
