"""What a motion on another body falls short of, said in words: limbs that nothing moves, parts in the ground."""

from __future__ import annotations

import numpy as np

from mummer.clip.clip import Clip
from mummer.measure.watched import watch
from mummer.report import Report, ReportBuilder
from mummer.retargeting.build import Build
from mummer.retargeting.transfer import Transfer

MOVING = ("leg", "arm", "wing", "tail", "neck")
"""Kinds of limbs that one would miss."""
DEEP = 0.05
"""How far below the floor a joint may be before it is told, as a share of the body's height."""
RATE = 15.0
"""Times a second at which a motion is looked at."""


def unmoved(transfer: Transfer) -> Report:
    """The limbs of the target that the source has nothing for."""
    report, target = ReportBuilder(), transfer.target
    idle = [limb.name for limb in target.anatomy.limbs if limb.kind in MOVING and not _moves(transfer, limb.joints)]
    if idle:
        name, other = target.character.name, transfer.source.character.name
        report.add("ignored", f"nothing in {other!r} moves {', '.join(idle)} of {name!r}")
    return report.build()


def _moves(transfer: Transfer, joints: tuple[int, ...]) -> bool:
    return any(joint in transfer.pairs for joint in joints)


def in_ground(clip: Clip, target: Build, floor: float) -> Report:
    """The part of the body, feet aside, that is deepest below the floor, if it is deep."""
    report, up, names = ReportBuilder(), target.anatomy.up, clip.body.skeleton.names
    feet = {joint for leg in target.legs for joint in target.skeleton.descendants(leg.foot)}
    rest = target.places @ up - target.anatomy.ground
    # Roots lie on the ground, and controls below it.
    joints = [joint for joint in range(len(names)) if joint not in feet and rest[joint] > DEEP * target.anatomy.height]
    if not joints or not clip.duration:
        return report.build()
    depth = floor - (watch(clip, rate=RATE).places[:, joints] @ up).min(axis=0)
    worst = int(np.argmax(depth))
    share = depth[worst] / max(target.anatomy.height, 1e-9)
    if share > DEEP:
        deep = f"{depth[worst]:.2g} m ({share:.0%} of the body's height)"
        report.add("missed", f"{names[joints[worst]]!r} of {clip.body.name!r} is up to {deep} below the floor")
    return report.build()
