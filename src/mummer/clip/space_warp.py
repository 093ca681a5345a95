"""SpaceWarp: a motion bent smoothly so that it passes through what is asked of it at chosen moments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.turning import displace
from mummer.clip.warp_curves import Curves, find_curves
from mummer.clip.warp_key import SpaceWarpKey
from mummer.clip.warp_tangents import RULES, Rule
from mummer.clip.weights import joints_of
from mummer.errors import InputError, UnknownNameError

__all__ = ["SpaceWarp", "SpaceWarpKey"]


@dataclass(frozen=True, eq=False, repr=False)
class SpaceWarp(Operated):
    """The clip with a smooth displacement put before it that reaches its keys exactly.

    Each joint's displacement is a cubic curve of rotation vectors through the keys that speak of it, and the root's a
    cubic curve of metres; before the first and after the last key the displacement holds. The detail of the motion
    stays. Keys nearer than three frames are joined by a line.

    Attributes:
        keys: at increasing times; see `SpaceWarpKey`.
        tangents: how the curve passes the keys beside one that displaces: ``smooth`` without a corner, which lets it
            swing the other way first (anticipation) and after (overshoot); ``broken``, with a corner instead;
            ``scaled``, in the old direction at ``scale`` of the old speed; ``flat``, standing still at every key, so
            that the displacement is nowhere more than at its keys.
        scale: for ``scaled``.
        groups: the body groups that are warped; all if empty.
        rate: frames a second, for what three frames are.
    """

    keys: tuple[SpaceWarpKey, ...]
    tangents: Rule = "smooth"
    scale: float = 0.0
    groups: tuple[str, ...] = ()
    rate: float = 30.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", tuple(self.keys))
        object.__setattr__(self, "groups", (self.groups,) if isinstance(self.groups, str) else tuple(self.groups))
        times = np.array([key.time for key in self.keys])
        if not len(times) or np.any(np.diff(times) <= 0):
            raise InputError("a space warp needs keys at increasing times, one or more")
        if self.tangents not in RULES:
            raise UnknownNameError("SpaceWarp", "rule for tangents", self.tangents, RULES)
        if not self.rate > 0:
            raise InputError(f"a rate of {self.rate:g} frames a second makes no sense; expected a positive number")
        if not 0 <= self.scale < np.inf:
            raise InputError(f"tangents cannot be scaled by {self.scale:g}; expected zero or more")
        _ = self._warped
        for key in self.keys:
            self.body.skeleton.indices([*key.targets, *key.turns])
            if key.whole is not None and key.whole.joint_count != len(self.body.skeleton):
                raise InputError(
                    f"the key at {key.time:g} s is a pose of {key.whole.joint_count} joints; "
                    f"{self.body.name!r} has {len(self.body.skeleton)}"
                )

    @cached_property
    def _warped(self) -> BoolArray:
        """(J,) the joints that may be displaced."""
        return joints_of(self.body, self.groups) if self.groups else locked(np.ones(len(self.body.skeleton)), bool)

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) what the operand defines, and what is displaced."""
        moved = np.zeros(len(self.body.skeleton), bool)
        moved[self._curves.targets] = True
        moved[0] |= self._curves.moves_root
        return locked(self.clip.defined | moved, bool)

    @cached_property
    def _curves(self) -> Curves:
        return find_curves(self.clip, self.keys, self._warped, rule=self.tangents, scale=self.scale, rate=self.rate)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made, curves = self.clip.frames(times), self._curves
        segments, shares = self._shares(times)
        if len(curves.targets):
            displace(made.rotations, segments, shares, curves.rotations, curves.targets, inside=False)
        if curves.moves_root:
            made.root += np.einsum("tp,tpd->td", shares, curves.root[segments])
        return made

    def _shares(self, times: FloatArray) -> tuple[IntArray, FloatArray]:
        """(T,) the segment of each time, and (T, 4) the shares of both values and both slopes at its ends."""
        knots = self._curves.knots
        if len(knots) == 1:
            return np.zeros(len(times), np.int64), np.tile([1.0, 0.0, 0.0, 0.0], (len(times), 1))
        at = np.clip(times, knots[0], knots[-1])
        segments = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
        span = knots[segments + 1] - knots[segments]
        u = (at - knots[segments]) / span
        rise = u * u * (3 - 2 * u)
        shares = np.stack([1 - rise, rise, span * u * (1 - u) ** 2, -span * u * u * (1 - u)], axis=1)
        return segments, shares
