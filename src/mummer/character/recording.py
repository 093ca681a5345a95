"""A recording: motion as a file holds it, in curves of keys. The clip language plays it; files store it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray, locked, require_finite
from mummer.character.marks import Mark
from mummer.character.pose import Pose
from mummer.errors import InputError, UnknownNameError
from mummer.math import interpolate, quaternion

CurvePath = Literal["rotation", "translation", "scale", "morph"]
Interpolation = Literal["step", "linear", "cubic"]
INTERPOLATIONS = ("step", "linear", "cubic")
STILL = 1e-9
"""Metres, or parts of a scale, by which a joint that does not move may differ from itself."""
WIDTHS: dict[str, int] = {"rotation": 4, "translation": 3, "scale": 3, "morph": 1}


@dataclass(frozen=True, eq=False)
class Curve:
    """Keys of one property of one or more joints that share their key times.

    Attributes:
        path: which property: ``rotation``, ``translation`` or ``scale`` (of parent_from_joint), or ``morph``.
        targets: (n,) joint indices, or morph indices for ``morph``.
        times: (K,) seconds, strictly increasing.
        values: (K, n, D) with D = 4, 3, 3 or 1. Rotations are unit quaternions xyzw.
        interpolation: ``step`` holds the last key; ``linear`` is slerp for rotations; ``cubic`` is Hermite.
        in_tangents, out_tangents: (K, n, D) per second, only for ``cubic``.
    """

    path: CurvePath
    targets: IntArray
    times: FloatArray
    values: FloatArray
    interpolation: Interpolation = "linear"
    in_tangents: FloatArray | None = None
    out_tangents: FloatArray | None = None

    def __post_init__(self) -> None:
        if self.path not in WIDTHS:
            raise UnknownNameError("a curve", "path", self.path, WIDTHS)
        set_field = object.__setattr__
        set_field(self, "targets", locked(self.targets, np.int32))
        set_field(self, "times", locked(self.times))
        set_field(self, "values", locked(self.values))
        shape = (len(self.times), len(self.targets), WIDTHS[self.path])
        if self.values.shape != shape or not len(self.times):
            raise InputError(
                f"{self.path} curve has values of shape {self.values.shape}; expected {shape}, one key or more"
            )
        require_finite(self.times, f"times of a {self.path} curve")
        require_finite(self.values, f"values of a {self.path} curve")
        if np.any(np.diff(self.times) <= 0):
            raise InputError(f"times of a {self.path} curve do not increase")
        if self.path == "rotation":
            set_field(self, "values", self._unit_values())
        if self.interpolation == "cubic":
            for name in ("in_tangents", "out_tangents"):
                tangents = getattr(self, name)
                if tangents is None or np.shape(tangents) != shape:
                    raise InputError(f"a cubic {self.path} curve needs {name} of shape {shape}")
                set_field(self, name, locked(tangents))
                require_finite(getattr(self, name), f"{name} of a {self.path} curve")
        elif self.interpolation not in INTERPOLATIONS:
            raise UnknownNameError("a curve", "interpolation", self.interpolation, INTERPOLATIONS)

    def __repr__(self) -> str:
        return f"Curve({self.path!r}, {len(self.targets)} targets, {len(self.times)} keys, {self.interpolation})"

    def _unit_values(self) -> FloatArray:
        """The rotations, brought to unit length where files store them roughly; cubic keys wait until sampled."""
        lengths = np.linalg.norm(self.values, axis=-1, keepdims=True)
        if np.any(lengths < 1e-6):
            raise InputError("values of a rotation curve hold a quaternion of length zero; expected unit length")
        if self.interpolation == "cubic" or np.all(np.abs(lengths - 1) <= 1e-12):
            return self.values
        return locked(self.values / lengths)

    def sample(self, times: FloatArray) -> FloatArray:
        """(T, n, D) the values at ``times`` (T,), held before the first and after the last key."""
        if len(self.times) == 1:
            return np.broadcast_to(self.values, (len(times), *self.values.shape[1:]))
        after = np.clip(np.searchsorted(self.times, times, side="right"), 1, len(self.times) - 1)
        before = after - 1
        span = self.times[after] - self.times[before]
        part = np.clip((times - self.times[before]) / span, 0.0, 1.0)[:, None, None]
        start, end = self.values[before], self.values[after]
        if self.interpolation == "step":
            return np.where(part >= 1.0, end, start)
        if self.interpolation == "cubic":
            return self._cubic(before, after, span[:, None, None], part)
        if self.path == "rotation":
            turned = interpolate.slerp(start, end, part[..., 0])
            return np.where(part <= 0.0, start, np.where(part >= 1.0, end, turned))
        return (1.0 - part) * start + part * end

    def _cubic(self, before: IntArray, after: IntArray, span: FloatArray, part: FloatArray) -> FloatArray:
        assert self.in_tangents is not None
        assert self.out_tangents is not None
        square, cube = part * part, part * part * part
        values = (
            (2 * cube - 3 * square + 1) * self.values[before]
            + (cube - 2 * square + part) * span * self.out_tangents[before]
            + (3 * square - 2 * cube) * self.values[after]
            + (cube - square) * span * self.in_tangents[after]
        )
        return quaternion.normalize(values) if self.path == "rotation" else values


@dataclass(frozen=True, eq=False)
class Recording:
    """Motion of one skeleton as a file holds it.

    Attributes:
        name: what the file calls it.
        curves: the keys; a property that no curve drives keeps its value of ``base``.
        base: one pose, the values of everything that no curve drives.
        frame_rate: frames a second if the file states one.
        marks: named moments, in the times of the curves.
    """

    name: str
    curves: tuple[Curve, ...]
    base: Pose
    frame_rate: float | None = None
    marks: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "curves", tuple(self.curves))
        if self.base.shape:
            raise InputError(f"base of recording {self.name!r} is a batch; expected one pose")
        morphs = 0 if self.base.morphs is None else len(self.base.morphs)
        for curve in self.curves:
            limit = morphs if curve.path == "morph" else self.base.joint_count
            if curve.path == "morph" and len(curve.targets) and not morphs:
                raise InputError(f"recording {self.name!r} drives morphs, but its base pose has none")
            if len(curve.targets) and not 0 <= curve.targets.min() <= curve.targets.max() < limit:
                raise InputError(
                    f"a {curve.path} curve of recording {self.name!r} has a target outside 0 to {limit - 1}"
                )
        self._require_base_values()

    def __repr__(self) -> str:
        keys = f"{len(self.key_times)} key times, {self.base.joint_count} joints"
        return f"Recording({self.name!r}, {self.duration:.3g} s, {keys})"

    def _require_base_values(self) -> None:
        """A pose says nothing of one joint alone: what curves drive for some joints, the base must give for all."""
        driven: dict[str, set[int]] = {}
        for curve in self.curves:
            driven.setdefault(curve.path, set()).update(curve.targets.tolist())
        joints = self.base.joint_count
        if self.base.translations is None and not (
            driven.get("translation", set()) <= {0} or len(driven["translation"]) == joints
        ):
            raise InputError(f"recording {self.name!r} moves joints that its base pose gives no translations for")
        if self.base.scales is None and len(driven.get("scale", ())) not in (0, joints):
            raise InputError(f"recording {self.name!r} scales joints that its base pose gives no scales for")

    @classmethod
    def from_poses(
        cls,
        name: str,
        times: npt.ArrayLike,
        poses: Pose,
        *,
        frame_rate: float | None = None,
        interpolation: Interpolation = "linear",
    ) -> Recording:
        """A recording with keys at every one of ``times`` (T,) for what moves, from a batch of T poses."""
        stamps = locked(times)
        joints = np.arange(poses.joint_count)
        curves = [Curve("rotation", joints, stamps, poses.rotations, interpolation)]
        curves += moving_curves(poses, joints, stamps, interpolation)
        if poses.morphs is not None and poses.morphs.shape[-1]:
            targets = np.arange(poses.morphs.shape[-1])
            curves.append(Curve("morph", targets, stamps, poses.morphs[..., None], interpolation))
        return cls(name, tuple(curves), poses[0], frame_rate)

    @property
    def start(self) -> float:
        """Time of the first key in seconds."""
        return min((float(curve.times[0]) for curve in self.curves), default=0.0)

    @property
    def end(self) -> float:
        """Time of the last key in seconds."""
        return max((float(curve.times[-1]) for curve in self.curves), default=0.0)

    @property
    def duration(self) -> float:
        """Seconds from the first key to the last."""
        return self.end - self.start

    @property
    def key_times(self) -> FloatArray:
        """(K,) every time at which some curve has a key, increasing."""
        if not self.curves:
            return np.zeros(1)
        distinct = {id(curve.times): curve.times for curve in self.curves}
        return np.unique(np.concatenate(list(distinct.values())))

    def sample(self, times: npt.ArrayLike) -> Pose:
        """A batch of poses at ``times`` (T,) in seconds."""
        at = np.atleast_1d(np.asarray(times, np.float64))
        tracks = self._base_tracks(len(at))
        for curve in self.curves:
            values = curve.sample(at)
            if curve.path == "morph":
                tracks["morph"][:, curve.targets] = values[..., 0]
            elif curve.path == "translation" and "translation" not in tracks:
                tracks["root"] = values[:, -1] if len(curve.targets) else tracks["root"]
            else:
                tracks[curve.path][:, curve.targets] = values
        return Pose(
            tracks["rotation"], tracks["root"], tracks.get("translation"), tracks.get("scale"), tracks.get("morph")
        )

    def _base_tracks(self, count: int) -> dict[str, FloatArray]:
        """The base pose repeated ``count`` times, with room for everything that curves drive."""
        base = self.base
        parts = {
            "rotation": base.rotations,
            "root": base.root_translation,
            "translation": base.translations,
            "scale": base.scales,
            "morph": base.morphs,
        }
        for curve in self.curves:
            targets = set(curve.targets.tolist())
            if parts[curve.path] is None and targets and (curve.path == "scale" or targets != {0}):
                # The curves drive every joint, or the recording would not exist.
                parts[curve.path] = np.zeros((base.joint_count, 3))
        return {path: np.repeat(values[None], count, axis=0) for path, values in parts.items() if values is not None}

    def frames(self) -> Pose:
        """A batch of poses at every key time."""
        return self.sample(self.key_times)


def moving_curves(
    poses: Pose, joints: IntArray, times: FloatArray, interpolation: Interpolation = "linear"
) -> list[Curve]:
    """Curves for the translations and scales of those of ``joints`` that change; the first pose tells all others."""
    if poses.translations is None:
        assert poses.root_translation is not None
        root = joints[joints == 0]
        first = [Curve("translation", root, times, poses.root_translation[:, None][:, : len(root)], interpolation)]
    else:
        first = [_moving("translation", poses.translations, joints, times, interpolation)]
    if poses.scales is not None:
        first.append(_moving("scale", poses.scales, joints, times, interpolation))
    return [curve for curve in first if len(curve.targets)]


def _moving(
    path: CurvePath, values: FloatArray, joints: IntArray, times: FloatArray, interpolation: Interpolation
) -> Curve:
    changing = joints[np.ptp(values[:, joints], axis=0).max(axis=1) > STILL]
    return Curve(path, changing, times, values[:, changing], interpolation)
