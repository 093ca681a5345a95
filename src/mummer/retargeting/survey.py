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
from mummer.retargeting.columns import Room
from mummer.retargeting.hocks import is_hock
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
        turn: (N, 4) world_from_foot of the target.
        ankle, hip: (N, 3) of the target as it would be with its feet left alone, on no floor in particular.
        lowest: (N,) how far the lowest part of the target's foot is below its ankle, less its height at rest; metres.
        stretched: (N,) how far the source's leg is stretched, as a share of its length.
        planted: (N,) whether the foot stands.
    """

    pair: LegPair
    numbers: FloatArray
    ball: FloatArray
    heel: FloatArray
    turn: FloatArray
    ankle: FloatArray
    hip: FloatArray
    lowest: FloatArray
    stretched: FloatArray
    planted: BoolArray


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
            feet left alone and on no floor in particular; only where no leg has a counterpart.
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
    feet = []
    for place, pair in enumerate(transfer.legs):
        ball, heel, turn, ankle, hip, lowest, stretched = joined[3 + 7 * place : 10 + 7 * place]
        numbers = transfer.leg_numbers[place]
        feet.append(FootSurvey(pair, numbers, ball, heel, turn, ankle, hip, lowest, stretched, planted[:, place]))
    headings = _headings(joined[1], times, transfer.target.anatomy.up)
    return Survey(transfer, times, joined[0], headings, tuple(feet), joined[2])


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
    if transfer.legs or not joints:
        return np.zeros(len(moved))
    high = (posed.places[:, joints] + moved[:, None]) @ target.anatomy.up
    return np.asarray((high - rest_heights(target.character, joints)).min(axis=1))


def _leg(transfer: Transfer, posed: Room, pair: LegPair, numbers: FloatArray, moved: FloatArray) -> list[FloatArray]:
    source, target = pair.source, pair.target
    turn, ankle = posed.source_turns[:, source.foot], posed.source_places[:, source.foot]
    points = [ankle + quaternion.rotate(turn, numbers[c : c + 3]) for c in (columns.BALL_S, columns.HEEL_S)]
    shin = quaternion.rotate(posed.turns[:, target.lower], numbers[columns.ANKLE : columns.ANKLE + 3])
    reach = np.linalg.norm(ankle - posed.source_places[:, source.upper], axis=1) / source.length
    return [
        *points, posed.turns[:, target.foot], posed.places[:, target.lower] + shin + moved,
        posed.places[:, target.upper] + moved, _lowest(transfer, posed, pair), reach,
    ]  # fmt: skip


def _lowest(transfer: Transfer, posed: Room, pair: LegPair) -> FloatArray:
    target, leg, foot = transfer.target, pair.target, pair.target.foot
    # What is below toes that bend is kept out of the ground by bending them.
    bent = set(target.skeleton.descendants(leg.toes)) - {leg.toes} if leg.toes >= 0 else set()
    joints = [joint for joint in target.skeleton.descendants(foot) if joint not in bent]
    thick = rest_heights(target.character, joints)
    # What is above the ankle is no part of the sole.
    low = thick <= thick[joints.index(foot)] * (1 + 1e-9)
    if np.count_nonzero(low) > 1 and is_hock(target, leg) and is_hock(transfer.source, pair.source):
        low[joints.index(foot)] = False
    below = (posed.places[:, joints] - posed.places[:, [foot]]) @ target.anatomy.up
    return np.asarray(np.min((below - thick)[:, low], axis=1))


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
