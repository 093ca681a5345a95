"""Hocks: legs that stand on their toes, as a dog's, whose ankle is one more knee and no part of a sole."""

from __future__ import annotations

import numpy as np

from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.measure.floor import LOW, NEAR, floor_of, rest_heights, sole_parts
from mummer.measure.watched import watch
from mummer.retargeting.build import Build
from mummer.retargeting.leg import Leg

STEEP = 0.8
"""A foot steeper than this at rest (the sine of its slope) may be a segment of the leg, as a dog's, and not a sole."""
HOCK = 0.25
"""How high above the ground the ankle of such a leg is at least, in leg lengths."""


def is_hock(body: Build, leg: Leg) -> bool:
    """Whether what is below the ankle is one more segment of the leg, as a dog's, at rest."""
    along, up = body.places[leg.ball] - body.places[leg.foot], body.anatomy.up
    slope = float(abs(along @ up) / max(float(np.linalg.norm(along)), 1e-12))
    return slope > STEEP and _is_high(body, leg)


def _is_high(body: Build, leg: Leg) -> bool:
    """Whether the ankle is far above the ball that stands, at rest."""
    high = float(body.places[leg.foot] @ body.anatomy.up) - body.anatomy.ground
    return leg.ball != leg.foot and high > HOCK * leg.length


def floor_below(clip: Clip, body: Build) -> float:
    """The height of the floor that a motion happens on, metres: as `floor_of` has it, but hocks may come down.

    An animal that crouches brings its ankles lower than they are at rest; that says nothing of the ground.
    """
    found = floor_of(clip, body=body.character)
    hocks = {leg.foot for leg in body.legs if _is_high(body, leg)}
    feet = known_feet(body.character)
    joints = [joint for foot in feet for joint in sole_parts(body.character, foot) if joint not in hocks]
    if not hocks or not joints:
        return found
    high = watch(clip, rate=30.0).places[:, joints] @ body.anatomy.up - rest_heights(body.character, joints)
    level = float(np.quantile(high.min(axis=1), LOW))
    is_near = min(abs(level), abs(level - body.anatomy.ground)) <= NEAR * body.size
    return level if is_near else found
