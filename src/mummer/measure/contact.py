"""Contacts kept: whether feet are on the ground when they were in the motion that a motion was made from."""

from __future__ import annotations

import numpy as np

from mummer.clip.analysis.contacts import contacts
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.measure.door import of_motions
from mummer.measure.measure import Measure
from mummer.measure.skate import in_contact
from mummer.measure.watched import RATE


@of_motions
def contact_precision(clip: Clip, source: Clip, *, rate: float = RATE) -> Measure:
    """Of the time that feet are on the ground, the share in which those of the source are too; 1 is all of it."""
    both, mine, _ = _shared(clip, source, rate)
    return Measure("contact_precision", both / mine if mine else float("nan"), "", 0.9, 0.75, more_is_better=True)


@of_motions
def contact_recall(clip: Clip, source: Clip, *, rate: float = RATE) -> Measure:
    """Of the time that the source's feet are on the ground, the share in which those of the clip are too."""
    both, _, theirs = _shared(clip, source, rate)
    return Measure("contact_recall", both / theirs if theirs else float("nan"), "", 0.9, 0.75, more_is_better=True)


def _shared(clip: Clip, source: Clip, rate: float) -> tuple[int, int, int]:
    """Moments in which feet of the same name are down in both, in the clip, and in the source."""
    names = {foot.name for foot in known_feet(clip.body)} & {foot.name for foot in known_feet(source.body)}
    if not names:
        return 0, 0, 0
    mine, theirs, times = contacts(clip), contacts(source), source.times(rate)
    counts = np.zeros(3, int)
    for name in names:
        here, there = in_contact(mine, name, times - source.start + clip.start), in_contact(theirs, name, times)
        counts += [int(np.sum(here & there)), int(here.sum()), int(there.sum())]
    return int(counts[0]), int(counts[1]), int(counts[2])
