"""The curves of a transition: a displacement that fades out, and a bridge from pose to pose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character
from mummer.clip.frames import Frames
from mummer.clip.key_curves import KeyCurves, hermite_turns
from mummer.clip.key_loops import CUBIC
from mummer.clip.keys import THIRD
from mummer.clip.moment import Moment
from mummer.clip.standing import fill_translations
from mummer.clip.turning import displace
from mummer.clip.weights import morph_joint
from mummer.math import quaternion


def hermite_shares(part: FloatArray, span: float) -> FloatArray:
    """(T, 4) how much value at the start, value at the end, slope at the start and slope at the end count.

    Args:
        part: (T,) how far along, 0 to 1.
        span: seconds from start to end.
    """
    rest, rise = 1.0 - part, part * part * (3.0 - 2.0 * part)
    return np.stack([1.0 - rise, rise, span * part * rest * rest, -span * part * part * rest], axis=1)


@dataclass(frozen=True, eq=False)
class Channels:
    """Cubics of everything that is not a rotation.

    Attributes:
        corners: for each array of frames (4, ...): value at start and end, rate at start and end.
        joints: (J,) whose.
        morphs: whether morphs are among them.
    """

    corners: dict[str, FloatArray]
    joints: BoolArray
    morphs: bool

    def places(self, frames: Frames, body: Character) -> list[tuple[FloatArray, FloatArray]]:
        """The arrays of ``frames`` to be written, cut to the joints meant, each with its corners."""
        found = []
        if "translations" in self.corners:
            fill_translations(frames, body)
        elif self.joints[0]:
            found.append((frames.root, self.corners["root"]))
        others = ("translations", "scales", "morphs") if self.morphs else ("translations", "scales")
        return found + [(getattr(frames, name), self.corners[name]) for name in others if name in self.corners]

    def mask(self, values: FloatArray) -> BoolArray | slice:
        """Which columns of an array of frames are meant."""
        return self.joints if values.ndim == 3 else slice(None)


def _channels(
    first: Moment, second: Moment, joints: BoolArray, body: Character, *, away: tuple[Moment, Moment] | None = None
) -> Channels:
    """Cubics from the first moment to the second; with ``away``, of how far they are from these two."""
    rest = {
        "root": body.skeleton.rest_translations[None, 0],
        "translations": body.skeleton.rest_translations[None],
        "scales": body.skeleton.rest_scales[None],
        "morphs": np.zeros((1, len(body.morph_names))),
    }
    moments = (first, second, *(away or ()))
    corners = {}
    for name, still in rest.items():
        if all(getattr(each.pose, name) is None for each in moments):
            continue
        ends = [each.values(name, _still(each, name, still)) for each in moments]
        (begin, leaving), (end, arriving) = ends[:2]
        found = np.stack([begin[0], end[0], leaving[0], arriving[0]])
        if away is not None:
            found -= np.stack([ends[2][0][0], ends[3][0][0], ends[2][1][0], ends[3][1][0]])
        corners[name] = found
    return Channels(corners, joints, bool(joints[morph_joint(body)]))


def _still(moment: Moment, name: str, rest: FloatArray) -> FloatArray:
    """Where everything is that ``moment`` says nothing of: at rest, but for the root."""
    if name != "translations":
        return rest
    filled = rest.copy()
    filled[:, 0] = moment.pose.root
    return filled


@dataclass(frozen=True, eq=False)
class Departure:
    """A displacement that leads from one motion to another and has faded out when that one goes on alone.

    Attributes:
        targets: (n,) the joints displaced.
        vectors: (1, 4, n, 3) rotation vectors in the parent's frame: value and slope at both ends.
        channels: the same for everything that is not a rotation.
        body: whose.
        span: seconds.
    """

    targets: IntArray
    vectors: FloatArray
    channels: Channels
    body: Character
    span: float

    @classmethod
    def between(
        cls, leaving: Moment, led_from: Moment, led_to: Moment, arriving: Moment, joints: BoolArray,
        body: Character, span: float,
    ) -> Departure:  # fmt: skip
        """The displacement of a motion that starts ``led_from`` and ends ``led_to``, to meet the other two moments."""
        targets = np.flatnonzero(joints)
        start = quaternion.multiply(leaving.pose.rotations[0], quaternion.conjugate(led_from.pose.rotations[0]))[
            targets
        ]
        vector = quaternion.log(start)
        spin = leaving.spins[targets] - quaternion.rotate(start, led_from.spins[targets])
        slowing = (arriving.spins - led_to.spins)[targets]
        vectors = np.stack([vector, np.zeros_like(vector), _vector_rate(vector, spin), slowing])[None]
        away = (led_from, led_to)
        return cls(targets, vectors, _channels(leaving, arriving, joints, body, away=away), body, span)

    def apply(self, made: Frames, part: FloatArray) -> None:
        """Displace frames, ``part`` (T,) of the way along, in place."""
        shares = hermite_shares(part, self.span)
        displace(made.rotations, np.zeros(len(part), np.int64), shares, self.vectors, self.targets, inside=False)
        for values, corners in self.channels.places(made, self.body):
            mask = self.channels.mask(values)
            values[:, mask] += np.tensordot(shares, corners[:, mask], axes=1)


@dataclass(frozen=True, eq=False)
class Bridge:
    """One cubic for each joint from one moment to another.

    Attributes:
        curves: of the rotations, in parts of the way from 0 to 1.
        channels: of everything that is not a rotation.
        body: whose.
        span: seconds.
    """

    curves: KeyCurves
    channels: Channels
    body: Character
    span: float

    @classmethod
    def between(cls, leaving: Moment, arriving: Moment, joints: BoolArray, body: Character, span: float) -> Bridge:
        """The bridge for ``joints`` (J,)."""
        targets = np.flatnonzero(joints)
        start, end = leaving.pose.rotations[0, targets], arriving.pose.rotations[0, targets]
        turns = hermite_turns(span, start, end, leaving.spins[targets], arriving.spins[targets])
        count = len(targets)
        curves = KeyCurves(
            targets,
            2 * np.arange(count + 1),
            np.tile([0.0, 1.0], count),
            np.full(2 * count, CUBIC),
            np.full((2 * count, 2), THIRD),
            np.stack([start, end], axis=1).reshape(-1, 4),
            np.repeat(turns, 2, axis=0),
        )
        return cls(curves, _channels(leaving, arriving, joints, body), body, span)

    def apply(self, made: Frames, part: FloatArray) -> None:
        """Write the bridge into frames, ``part`` (T,) of the way along, in place."""
        self.curves.fill(made.rotations, part)
        shares = hermite_shares(part, self.span)
        for values, corners in self.channels.places(made, self.body):
            mask = self.channels.mask(values)
            values[:, mask] = np.tensordot(shares, corners[:, mask], axes=1)


def _vector_rate(vectors: FloatArray, spins: FloatArray) -> FloatArray:
    """(n, 3) the rates of rotation vectors whose exponential turns with ``spins``, in the frame turned in."""
    square = np.sum(vectors * vectors, axis=-1, keepdims=True)
    angle = np.sqrt(square)
    is_small = angle < 1e-3
    safe = np.where(is_small, 1.0, angle)
    factor = np.where(is_small, 1 / 12 + square / 720, 1 / safe**2 - 0.5 / (safe * np.tan(0.5 * safe)))
    once = np.cross(vectors, spins)
    return np.asarray(spins - 0.5 * once + factor * np.cross(vectors, once))
