"""The survey: what the feet of both bodies do over the whole motion, before any of them is put in its place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character.marks import Mark
from mummer.clip.analysis.contacts import contacts
from mummer.clip.analysis.feet import feet_of, known_feet
from mummer.clip.analysis.tracks import WIDEST
from mummer.clip.clip import Clip
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.measure.floor import rest_heights, sole_parts
from mummer.measure.skate import in_contact
from mummer.retargeting import columns
from mummer.retargeting.build import Build
from mummer.retargeting.columns import Room
from mummer.retargeting.hocks import is_hock
from mummer.retargeting.laying import leveling, stillness
from mummer.retargeting.leg_table import LegPair
from mummer.retargeting.transfer import Transfer

BLOCK = 512
"""Moments that are looked at at one go, so that long motions need little memory."""
SWING = 0.6
"""Seconds over which turns of the hips are averaged to tell where a body is heading."""


@dataclass(frozen=True, eq=False)
class FootSurvey:
    """One leg at N moments.

    Attributes:
        pair: the leg in both bodies.
        numbers: its row of the table of legs.
        ball, heel: (N, 3) points of the source's foot, metres in the world.
        turn: (N, 4) world_from_foot of the target, its sole laid flat.
        ankle, hip: (N, 3) of the target as it would be with its feet left alone, on no floor in particular.
        lowest: (N,) how far the lowest part of the target's foot is below its ankle, less its height at rest; metres.
        planted: (N,) whether the foot stands.
        still: (N,) 1 where it stands and its sole does not turn, down to 0.
        laid, toes_laid: (N, 3) rotation vectors that laid sole and toes flat.
    """

    pair: LegPair
    numbers: FloatArray
    ball: FloatArray
    heel: FloatArray
    turn: FloatArray
    ankle: FloatArray
    hip: FloatArray
    lowest: FloatArray
    planted: BoolArray
    still: FloatArray
    laid: FloatArray
    toes_laid: FloatArray


@dataclass(frozen=True, eq=False)
class Survey:
    """The source's motion as the target would do it with its feet left alone, at even steps of time.

    Attributes:
        transfer: between the bodies.
        times: (N,) seconds.
        places: (N, 3) where the middle of the target's girdle is, on no floor in particular.
        headings: (N, 4) how the body is turned about the vertical.
        feet: one for each leg.
        lowest: (N,) how high the lowest part of any foot of the target is above where it stands at rest, with its
            feet left alone and on no floor in particular; only where no leg has a counterpart. Of a body without feet
            any part is meant.
    """

    transfer: Transfer
    times: FloatArray
    places: FloatArray
    headings: FloatArray
    feet: tuple[FootSurvey, ...]
    lowest: FloatArray

    @property
    def step(self) -> float:
        """Seconds from one moment to the next."""
        return float(self.times[1] - self.times[0]) if len(self.times) > 1 else 1.0

    @property
    def up(self) -> FloatArray:
        """(3,) unit, the target's."""
        return self.transfer.target.anatomy.up


def survey_of(clip: Clip, transfer: Transfer, times: FloatArray) -> Survey:
    """What both bodies do at ``times`` (N,), evenly spaced."""
    rows = [_block(transfer, clip, times[begin : begin + BLOCK]) for begin in range(0, len(times), BLOCK)]
    joined = [np.concatenate(parts) for parts in zip(*rows, strict=True)]
    planted = planted_feet(clip, transfer, times)
    feet = [
        _foot(transfer, place, joined[3 + 7 * place : 10 + 7 * place], planted[:, place], times)
        for place in range(len(transfer.legs))
    ]
    headings = _headings(joined[1], times, transfer.target.anatomy.up)
    return Survey(transfer, times, joined[0], headings, tuple(feet), joined[2])


def _foot(
    transfer: Transfer, place: int, arrays: list[FloatArray], planted: BoolArray, times: FloatArray
) -> FootSurvey:  # fmt: skip
    """One leg, its sole and its toes laid flat where they lie still; what stands on its toes alone has no sole."""
    pair, target, up = transfer.legs[place], transfer.target, transfer.target.anatomy.up
    ball, heel, turn, toes, ankle, hip, below = arrays
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    laid: FloatArray = np.zeros((len(times), 3))
    toes_laid: FloatArray = laid
    still: FloatArray = planted.astype(np.float64)
    if not (pair.by_foot or is_hock(target, pair.target) or is_hock(transfer.source, pair.source)):
        ups = _normals(target, pair.target.foot, turn)
        still = stillness(ups, planted, step)
        laid = toes_laid = leveling(ups, still, up, step)
        if pair.target.toes >= 0:
            ups = _normals(target, pair.target.toes, toes)
            toes_laid = leveling(ups, stillness(ups, planted, step), up, step)
    turned = quaternion.exp(laid)
    joints, thick = _sole_joints(transfer, pair)
    lowest = (quaternion.rotate(turned[:, None], below.reshape(len(times), len(joints), 3)) @ up - thick).min(axis=1)
    turn = quaternion.multiply(turned, turn)
    numbers = transfer.leg_numbers[place]
    return FootSurvey(pair, numbers, ball, heel, turn, ankle, hip, lowest, planted, still, laid, toes_laid)


def _normals(target: Build, joint: int, turns: FloatArray) -> FloatArray:
    """(N, 3) where what points up of a joint at rest points."""
    up = quaternion.rotate(quaternion.conjugate(target.turns[joint]), target.anatomy.up)
    return quaternion.rotate(turns, up)


def planted_feet(clip: Clip, transfer: Transfer, times: FloatArray) -> BoolArray:
    """(N, L) when the feet of the source stand, by its marks if it has such, else found from the motion."""
    planted = np.zeros((len(times), len(transfer.legs)), bool)
    try:
        names = {foot.heel: foot.name for foot in feet_of(transfer.source.character)}
    except InputError:
        return planted
    marks: tuple[Mark, ...] = tuple(mark for mark in clip.marks if mark.name.endswith(" contact"))
    marks = marks or contacts(clip, feet={name: clip.body.skeleton.names[joint] for joint, name in names.items()})
    for place, pair in enumerate(transfer.legs):
        planted[:, place] = in_contact(marks, names.get(pair.source.foot, ""), times)
    return planted


def _block(transfer: Transfer, clip: Clip, times: FloatArray) -> list[FloatArray]:
    """The girdle's place, the heading, the lowest foot, then the seven arrays of each leg, for some moments."""
    posed = transfer.pose_both(clip.frames(times))
    there = transfer.scale * posed.source_places[:, transfer.source.girdle].mean(axis=1)
    moved = there - posed.places[:, transfer.target.girdle].mean(axis=1)
    found = [there, _heading(transfer, posed), _lowest_of_all(transfer, posed, moved)]
    for place, pair in enumerate(transfer.legs):
        found += _leg(transfer, posed, pair, transfer.leg_numbers[place], moved)
    return found


def _lowest_of_all(transfer: Transfer, posed: Room, moved: FloatArray) -> FloatArray:
    target = transfer.target
    joints = [joint for foot in known_feet(target.character) for joint in sole_parts(target.character, foot)]
    if transfer.legs:
        return np.zeros(len(moved))
    thick = rest_heights(target.character, joints)
    if not joints:
        # Who has no feet lies on its belly: most of it is as high as it is thick.
        joints = list(target.skeleton.descendants(target.hips))
        thick = rest_heights(target.character, joints)
        thick = np.minimum(thick, np.median(thick))
    high = (posed.places[:, joints] + moved[:, None]) @ target.anatomy.up
    return np.asarray((high - thick).min(axis=1))


def _leg(transfer: Transfer, posed: Room, pair: LegPair, numbers: FloatArray, moved: FloatArray) -> list[FloatArray]:
    source, target = pair.source, pair.target
    turn, ankle = posed.source_turns[:, source.foot], posed.source_places[:, source.foot]
    points = [ankle + quaternion.rotate(turn, numbers[c : c + 3]) for c in (columns.BALL_S, columns.HEEL_S)]
    shin = quaternion.rotate(posed.turns[:, target.lower], numbers[columns.ANKLE : columns.ANKLE + 3])
    below = posed.places[:, _sole_joints(transfer, pair)[0]] - posed.places[:, [target.foot]]
    return [
        *points, posed.turns[:, target.foot], posed.turns[:, target.ball],
        posed.places[:, target.lower] + shin + moved, posed.places[:, target.upper] + moved,
        below.reshape(len(below), -1),
    ]  # fmt: skip


def _sole_joints(transfer: Transfer, pair: LegPair) -> tuple[list[int], FloatArray]:
    """The joints of the target's foot that can be said to stand, and (n,) how high they are at rest."""
    target, leg, foot = transfer.target, pair.target, pair.target.foot
    # What is below toes that bend is kept out of the ground by bending them.
    bent = set(target.skeleton.descendants(leg.toes)) - {leg.toes} if leg.toes >= 0 else set()
    joints = [joint for joint in target.skeleton.descendants(foot) if joint not in bent]
    thick = rest_heights(target.character, joints)
    # What is above the ankle is no part of the sole.
    low = thick <= thick[joints.index(foot)] * (1 + 1e-9)
    if np.count_nonzero(low) > 1 and is_hock(target, leg) and is_hock(transfer.source, pair.source):
        low[joints.index(foot)] = False
    return [joint for joint, stands in zip(joints, low, strict=True) if stands], thick[low]


def _heading(transfer: Transfer, posed: Room) -> FloatArray:
    """(n,) how far the hips are turned about the vertical from rest, radians."""
    hips, up = transfer.source.hips, transfer.target.anatomy.up
    rest = quaternion.multiply(transfer.target_from_source, transfer.source.turns[hips])
    turned = quaternion.multiply(posed.source_turns[:, hips], quaternion.conjugate(rest))
    return np.asarray(2.0 * np.arctan2(turned[:, :3] @ up, turned[:, 3]))


def _headings(angles: FloatArray, times: FloatArray, up: FloatArray) -> FloatArray:
    """(N, 4) turns about ``up``, without the swing of the hips from step to step."""
    from scipy.ndimage import gaussian_filter1d

    angles = np.unwrap(angles)
    if len(times) > 1:
        width = min(SWING / float(times[1] - times[0]), WIDEST * len(times))
        angles = gaussian_filter1d(angles, width, mode="nearest")
    return quaternion.exp(angles[:, None] * up)
