"""Bodies that wind along the ground: every joint follows the track of the head, so that nothing slips sideways."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.gait.backbone import Backbone, backbone_of, lies_on_belly, turns_along
from mummer.general.gait.clock import GRAVITY
from mummer.general.gait.curves import Curves, smoothed
from mummer.general.gait.ground import Ground
from mummer.general.gait.path import Path, travel
from mummer.general.gait.ride import heading_rotations
from mummer.general.gait.style import Style
from mummer.general.gait.underway import Underway
from mummer.general.intent import Intent, Track
from mummer.general.physique import Physique
from mummer.kernels import quaternions

WAVES, WIDTH, SHARPEST = 1.6, 0.055, 0.45
"""Waves along a body, how wide they are in lengths of it, and radians that a joint bends at most for them."""
FINE = 400
"""Points of the track for each length of the body."""
SETTLING = 5.0


@dataclass(frozen=True, eq=False)
class Crawl(Underway):
    """A gait on the belly: a `Driver`. Made by `gait`.

    Attributes:
        physique: the body.
        backbone: what winds.
        style: how.
        way: x, z and heading at even steps.
        track: (M, 3) the line on the ground that all joints follow: x, height and z at even steps of its length.
        fine: metres of one such step.
        gone: how far along it the root is, metres, at even steps of time.
        ground: what it lies on.
    """

    physique: Physique
    backbone: Backbone
    style: Style
    way: Curves
    track: Curves
    gone: Curves
    ground: Ground

    def drive(self, intent: Intent) -> Intent:
        """The body on its way; see `Driver.drive`."""
        times = np.asarray(intent.times, np.float64)
        line = self.backbone
        along = self.gone(times) + _offsets(line)
        found = self.track(along)
        rest = self.track(self.gone.values[0] + _offsets(line))
        level = self.ground.at(found[..., :2])
        places = np.stack([found[..., 0], level + line.places[:, 1], found[..., 1]], axis=-1)
        yaws = found[..., 2] - rest[..., 2] + self.way.values[0, 2]
        turned = turns_along(self.physique, line, places, yaws)
        return self._wanted(intent, places, turned, yaws)

    def _wanted(self, intent: Intent, places: FloatArray, turned: FloatArray, yaws: FloatArray) -> Intent:
        physique, line = self.physique, self.backbone
        ones, turns = np.ones(len(places)), dict(intent.turns)
        for index, joint in enumerate(line.joints.tolist()):
            if index != line.root:
                turns[joint] = Track(quaternions.multiply(turned[:, index], physique.rotations[joint]), ones)
        root = places[:, line.root]
        heading = heading_rotations(yaws[:, line.root])
        below = root - quaternions.rotate(heading, physique.positions[physique.root])
        staged = intent.on_stage(below, heading)
        rotation = quaternions.multiply(turned[:, line.root], physique.rotations[physique.root])
        return replace(staged, turns=turns, root_positions=root, root_rotations=rotation)


def crawl_along(physique: Physique, path: Path, style: Style, ground: Ground) -> Crawl:
    """The way of a body that winds along the ground."""
    line = backbone_of(physique)
    unit = float(np.sqrt(0.3 * line.length / GRAVITY))
    settling = SETTLING * unit
    margin = 1.5 * settling
    step = float(np.clip(0.03 * unit, 1 / 480, 1 / 60))
    way = travel(path, start=path.times[0] - margin, end=path.times[-1] + margin, step=step, settling=settling)
    centers, track = _track(line, way)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(track, axis=0), axis=1))])
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way.values[:, :2], axis=0), axis=1))])
    gone = np.interp(walked, centers, lengths)
    fine = line.length / FINE
    even = np.arange(0.0, lengths[-1], fine)
    level = np.stack([np.interp(even, lengths, column) for column in track.T], axis=1)
    level = smoothed(level, 0.12 * FINE)
    ahead = np.gradient(level, axis=0)
    yaws = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 1]))
    rows = Curves(0.0, fine, np.column_stack([level, yaws]))
    return Crawl(physique, line, style, way, rows, Curves(way.start, step, gone[:, None]), ground)


def _offsets(line: Backbone) -> FloatArray:
    """(K,) metres along the track from the root to each joint; level ones, for heights are kept."""
    level = np.linalg.norm(np.diff(line.places[:, [0, 2]], axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(level)])
    return np.asarray(along - along[line.root])


def _track(line: Backbone, way: Curves) -> tuple[FloatArray, FloatArray]:
    """(M,) how far the root has walked at each point, and (M, 2) the points: the body as it lies, then the way.

    Where the way ends the track goes on straight, for the head is ahead of the root.
    """
    x, z, heading = way.values[0]
    sine, cosine = np.sin(heading), np.cos(heading)
    rest = line.places - line.places[line.root]
    lying = np.stack([x + rest[:, 0] * cosine + rest[:, 2] * sine, z - rest[:, 0] * sine + rest[:, 2] * cosine], axis=1)
    tail_end = lying[0] - (lying[1] - lying[0]) * 10
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way.values[:, :2], axis=0), axis=1))])
    moves = np.concatenate([[True], np.diff(walked) > 1e-9])
    ahead = float(rest[-1, 2])
    centers = np.arange(ahead, walked[-1] + 2 * line.length, line.length / 100)
    points = np.stack([_beyond(centers, walked[moves], column[moves]) for column in way.values[:, :2].T], axis=1)
    points = smoothed(points, 20)
    points += _waves(line, centers - ahead, points, float(rest[-1, 0]))
    before = np.concatenate([[rest[0, 2] - 10 * abs(rest[1, 2] - rest[0, 2])], rest[:, 2]])
    return (
        np.maximum.accumulate(np.concatenate([before, centers[1:]])),
        np.concatenate([tail_end[None], lying, points[1:]]),
    )


def _beyond(at: FloatArray, walked: FloatArray, values: FloatArray) -> FloatArray:
    """(M,) values along the way, continued straight beyond its end."""
    if len(walked) < 2:
        return np.full(len(at), values[0])
    slope = (values[-1] - values[-2]) / (walked[-1] - walked[-2])
    return np.interp(at, walked, values) + np.maximum(at - walked[-1], 0.0) * slope


def _waves(line: Backbone, gone: FloatArray, points: FloatArray, aside: float) -> FloatArray:
    """(M, 2) what the track winds from side to side, growing from how the head lies at rest."""
    frequency = 2 * np.pi * WAVES / line.length
    width = min(WIDTH * line.length, SHARPEST / (frequency**2 * float(np.median(line.bones))))
    grown = 1 - np.exp(-np.maximum(gone, 0.0) / (0.5 * line.length))
    offset = width * grown * np.sin(frequency * gone) + aside * np.exp(-gone / (0.3 * line.length))
    ahead = np.gradient(points, axis=0)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-12)
    return np.asarray(offset[:, None] * np.stack([ahead[:, 1], -ahead[:, 0]], axis=1))


__all__ = ["Crawl", "crawl_along", "lies_on_belly"]
