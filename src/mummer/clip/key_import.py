"""Keys taken from a recording, so that it can be edited."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character, Curve, Recording
from mummer.character.recording import CurvePath
from mummer.clip.keys import Key, Segment, Track
from mummer.errors import InputError
from mummer.math import quaternion

_SEGMENTS: dict[str, Segment] = {"step": "step", "linear": "linear", "cubic": "hermite"}


def tracks_of(character: Character, recording: Recording) -> tuple[Track, ...]:
    """One track for each target of each curve, and one key for each value that no curve drives but the base sets.

    Raises:
        InputError: if the recording is for another body.
    """
    if recording.base.joint_count != len(character.skeleton):
        raise InputError(f"recording {recording.name!r} is not for {character.name!r}")
    found = [track for curve in recording.curves for track in _tracks(character, curve)]
    # Where two curves drive the same thing, a player shows the later one.
    return tuple({(track.target, track.path): track for track in [*_base(character, recording), *found]}.values())


def _tracks(character: Character, curve: Curve) -> list[Track]:
    names = character.morph_names if curve.path == "morph" else character.skeleton.names
    between = _SEGMENTS[curve.interpolation]
    made = []
    for place, target in enumerate(curve.targets.tolist()):
        values, times = curve.values[:, place], curve.times.tolist()
        if curve.interpolation != "cubic":
            keys = [Key(time, tuple(value), between) for time, value in zip(times, values.tolist(), strict=True)]
        else:
            arriving, leaving = _slopes(curve, curve.in_tangents, place), _slopes(curve, curve.out_tangents, place)
            rows = zip(times, values.tolist(), arriving.tolist(), leaving.tolist(), strict=True)
            keys = [Key(time, tuple(value), between, "broken", tuple(before), tuple(after))
                    for time, value, before, after in rows]  # fmt: skip
        made.append(Track(names[target], curve.path, tuple(keys)))
    return made


def _slopes(curve: Curve, tangents: FloatArray | None, place: int) -> FloatArray:
    """(K, D) changes per second; those of four numbers become angular velocities in the parent's frame."""
    assert tangents is not None
    slopes = tangents[:, place]
    if curve.path != "rotation":
        return slopes
    values = curve.values[:, place]
    # Normalising takes out the part of the change along the quaternion, and scales the rest.
    inverse = quaternion.conjugate(values) / np.sum(values * values, axis=-1, keepdims=True)
    return 2.0 * quaternion.multiply(slopes, inverse)[:, :3]


def _base(character: Character, recording: Recording) -> list[Track]:
    """One key for everything that the base pose holds away from rest."""
    skeleton, base, time = character.skeleton, recording.base, recording.start

    def still(names: tuple[str, ...], path: CurvePath, values: FloatArray, is_away: BoolArray) -> list[Track]:
        places = np.flatnonzero(is_away).tolist()
        return [Track(names[place], path, (Key(time, tuple(values[place].tolist())),)) for place in places]

    places, scales = base.full_translations(skeleton), base.full_scales(skeleton)
    turned = ~quaternion.equal_rotations(base.rotations, skeleton.rest_rotations, 1e-12)
    found = still(skeleton.names, "rotation", base.rotations, turned)
    found += still(skeleton.names, "translation", places, np.any(places != skeleton.rest_translations, axis=1))
    found += still(skeleton.names, "scale", scales, np.any(scales != skeleton.rest_scales, axis=1))
    if base.morphs is not None:
        found += still(character.morph_names, "morph", base.morphs[:, None], base.morphs != 0)
    return found
