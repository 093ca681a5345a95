"""Bodies that inch along: the rear is drawn up while the front holds, then the front goes while the rear holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.gait.backbone import Backbone, belly_of, turns_along
from mummer.general.gait.clock import GRAVITY
from mummer.general.gait.curves import Curves
from mummer.general.gait.ground import Ground
from mummer.general.gait.path import Path, travel
from mummer.general.gait.ride import heading_rotations
from mummer.general.gait.style import Style
from mummer.general.gait.underway import Underway
from mummer.general.intent import Intent, Track
from mummer.general.physique import Physique
from mummer.kernels import quaternions

STRIDE = 0.22
"""How much nearer the rear comes to the front at most, in lengths of the body."""
MOST_INCHES = 1.5
"""How often a second a body that nobody hurries draws up its rear at most."""
ARCS = np.linspace(0.0, 2.6, 53)
"""Radians that a body is arched over its whole length, of those that are looked up."""


@dataclass(frozen=True, eq=False)
class Inch(Underway):
    """A gait of two pseudo-feet, the ends of a backbone: a `Driver`. Made by `gait`.

    Attributes:
        physique: the body.
        backbone: what arches.
        style: how.
        way: x, z and heading at even steps.
        ends: how far the rear and the front have come along the way, metres, at even steps.
        ground: what it lies on.
    """

    physique: Physique
    backbone: Backbone
    style: Style
    way: Curves
    ends: Curves
    ground: Ground

    def drive(self, intent: Intent) -> Intent:
        """The body on its way; see `Driver.drive`."""
        times = np.asarray(intent.times, np.float64)
        rear, front = self.ends(times).T
        heading = self._headings(rear, front)
        places = self._line(rear, front, heading)
        yaws = np.repeat(heading[:, None], len(self.backbone.joints), axis=1)
        turned = turns_along(self.physique, self.backbone, places, yaws)
        return self._wanted(intent, places, turned, heading)

    def _headings(self, rear: FloatArray, front: FloatArray) -> FloatArray:
        away = self._points(front) - self._points(rear)
        return np.unwrap(np.arctan2(away[:, 0], away[:, 1])) if len(away) else np.zeros(0)

    def _points(self, walked: FloatArray) -> FloatArray:
        """(T, 2) points of the way, continued straight before it begins and after it ends."""
        ways = self.way.values[:, :2]
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(ways, axis=0), axis=1))])
        heads = self.way.values[[0, -1], 2]
        before, after = np.stack([np.sin(heads), np.cos(heads)], axis=1)
        found = np.stack([np.interp(walked, lengths, column) for column in ways.T], axis=1)
        found += np.minimum(walked, 0.0)[:, None] * before + np.maximum(walked - lengths[-1], 0.0)[:, None] * after
        return np.asarray(found)

    def _line(self, rear: FloatArray, front: FloatArray, heading: FloatArray) -> FloatArray:
        """(T, K, 3) the joints, arched between the ends; bones keep their lengths."""
        line = self.backbone
        arcs = np.interp(-(front - rear), -_chords(line), ARCS)
        bent = _arched(line, arcs)
        ahead = np.stack([np.sin(heading), np.zeros(len(heading)), np.cos(heading)], axis=1)
        back = self._points(rear)
        level = self.ground.at(np.stack([back, self._points(front)]))
        slope = (level[1] - level[0]) / np.maximum(front - rear, 1e-9)
        along, up = bent[..., 0], bent[..., 1]
        left = np.stack([ahead[:, 2], np.zeros(len(heading)), -ahead[:, 0]], axis=1)
        places = along[..., None] * ahead[:, None] + line.places[:, 0][:, None] * left[:, None]
        places[..., 1] += up + level[0][:, None] + slope[:, None] * along
        places[..., 0] += back[:, :1]
        places[..., 2] += back[:, 1:]
        return np.asarray(places)

    def _wanted(self, intent: Intent, places: FloatArray, turned: FloatArray, heading: FloatArray) -> Intent:
        physique, line = self.physique, self.backbone
        ones, turns = np.ones(len(places)), dict(intent.turns)
        for index, joint in enumerate(line.joints.tolist()):
            if index != line.root:
                turns[joint] = Track(quaternions.multiply(turned[:, index], physique.rotations[joint]), ones)
        root = places[:, line.root]
        about = heading_rotations(heading)
        below = root - quaternions.rotate(about, physique.positions[physique.root])
        staged = intent.on_stage(below * [1.0, 0.0, 1.0], about)
        rotation = quaternions.multiply(turned[:, line.root], physique.rotations[physique.root])
        return replace(staged, turns=turns, root_positions=root, root_rotations=rotation)


def inch_along(physique: Physique, path: Path, style: Style, ground: Ground) -> Inch:
    """The way of a body that inches."""
    line = belly_of(physique)
    unit = float(np.sqrt(0.4 * line.length / GRAVITY))
    settling = 4.0 * unit
    margin = 1.5 * settling
    step = float(np.clip(0.03 * unit, 1 / 480, 1 / 60))
    way = travel(path, start=path.times[0] - margin, end=path.times[-1] + margin, step=step, settling=settling)
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way.values[:, :2], axis=0), axis=1))])
    cycles = max(round(float(walked[-1]) / _stride(line)), 1)
    phase = walked / max(float(walked[-1]), 1e-9) * cycles
    whole = np.floor(phase)
    part = phase - whole
    each = float(walked[-1]) / cycles
    rear = each * (whole + _ease(part * 2)) + line.places[0, 2]
    front = each * (whole + _ease(part * 2 - 1)) + line.places[-1, 2]
    return Inch(physique, line, style, way, Curves(way.start, step, np.stack([rear, front], axis=1)), ground)


def inching_speed(physique: Physique) -> float:
    """Metres a second at which a body inches along if nobody hurries it."""
    return MOST_INCHES * _stride(belly_of(physique))


def _stride(line: Backbone) -> float:
    """Metres that a body gets along each time that it draws up its rear."""
    return STRIDE * float(line.places[-1, 2] - line.places[0, 2])


def _ease(share: FloatArray) -> FloatArray:
    share = np.clip(share, 0.0, 1.0)
    return np.asarray(share * share * (3 - 2 * share))


def _chords(line: Backbone) -> FloatArray:
    """Metres from end to end, level, for each of `ARCS`."""
    bent = _arched(line, ARCS)
    return np.asarray(bent[:, -1, 0] - bent[:, 0, 0])


def _arched(line: Backbone, arcs: FloatArray) -> FloatArray:
    """(T, K, 2) ahead and up of the joints, arched by ``arcs`` (T,) radians; both ends at their heights of rest."""
    bones = np.diff(line.places[:, [2, 1]], axis=0)
    middle = np.cumsum(line.bones) - 0.5 * line.bones
    tilt = arcs[:, None] * (0.5 - middle / line.length)
    cosine, sine = np.cos(tilt), np.sin(tilt)
    turned = np.stack([bones[:, 0] * cosine - bones[:, 1] * sine, bones[:, 0] * sine + bones[:, 1] * cosine], axis=-1)
    places = np.concatenate([np.zeros((len(arcs), 1, 2)), np.cumsum(turned, axis=1)], axis=1)
    # Level the chord: both ends stay as high as they are.
    rise = line.places[-1, 1] - line.places[0, 1]
    short = (places[:, -1, 1] - rise) / np.maximum(places[:, -1, 0], 1e-9)
    places[..., 1] += line.places[0, 1] - short[:, None] * places[..., 0]
    return np.asarray(places)
