"""Every measure at once."""

from __future__ import annotations

from mummer.clip.analysis.contacts import contacts
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.measure.contact import contact_precision, contact_recall
from mummer.measure.door import of_motions
from mummer.measure.ground import Floor, ground_float, ground_penetration
from mummer.measure.likeness import bone_direction_error, dropped_energy, end_effector_error, side_swaps
from mummer.measure.limits import limit_violations
from mummer.measure.measure import Measure
from mummer.measure.skate import foot_skate, mann_skate
from mummer.measure.smoothness import jerk, jerk_ratio
from mummer.measure.volume import self_penetration
from mummer.measure.watched import RATE, remembering


@of_motions
def measures(
    clip: Clip, source: Clip | None = None, *, floor: Floor = None, rate: float = RATE, volume: bool = False
) -> dict[str, Measure]:
    """How good a motion is, by every measure that applies.

    Args:
        clip: the motion; a path or a character with recordings will do, as in every measure.
        source: what it was made from; without it, only what can be said of the clip alone.
        floor: height of the ground in metres, or a function of x and z; found from the motion if left out.
        rate: samples a second.
        volume: whether to look for body parts inside one another too, which takes longer than all the rest.

    Returns:
        The measures by name.
    """
    with remembering():
        found = _alone(clip, source, floor, rate)
        if source is not None:
            found += _against(clip, source, rate)
    if volume:
        found.append(self_penetration(clip))
    return {measure.name: measure for measure in found}


def _alone(clip: Clip, source: Clip | None, floor: Floor, rate: float) -> list[Measure]:
    marks = contacts(source) if source is not None and known_feet(source.body) else None
    found = [
        foot_skate(clip, marks=marks, rate=rate),
        mann_skate(clip, floor=floor if isinstance(floor, float) else None, rate=rate),
        ground_penetration(clip, floor=floor, rate=rate),
        ground_float(clip, floor=floor, marks=marks, rate=rate),
        limit_violations(clip, rate=rate),
    ]
    if len(clip.times(rate)) >= 4:
        found.append(jerk(clip, rate=rate))
    return found


def _against(clip: Clip, source: Clip, rate: float) -> list[Measure]:
    found = [
        bone_direction_error(clip, source, rate=rate),
        end_effector_error(clip, source, rate=rate),
        side_swaps(clip, source, rate=rate),
        dropped_energy(clip, source, rate=rate),
        contact_precision(clip, source, rate=rate),
        contact_recall(clip, source, rate=rate),
    ]
    if min(len(clip.times(rate)), len(source.times(rate))) >= 4:
        found.append(jerk_ratio(clip, source, rate=rate))
    return found
