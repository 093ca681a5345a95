"""Travel: a clip with its way through the world on the joints that carry it in the body's own clips."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.clip.carriers import Carriers, Choice, carriers_of
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.standing import Standing, fill_translations
from mummer.math import quaternion

RATE = 30.0
"""Times a second at which the way over the ground is looked at."""
CALM = 0.33
"""Seconds over which a root on the ground evens out the sway of the hips."""
STILL = 0.1
"""The part of the hips' height within which a body that sways goes nowhere."""


@dataclass(frozen=True, eq=False, repr=False)
class Travel(Operated):
    """The clip with its travel on other joints; every joint is where it was in the world.

    Joints above the carrier stand as in the body's own clips, so that these and the clip fade into one another.

    Attributes:
        travel: which joints are to carry it, see `carriers_of`.
    """

    travel: Choice = "auto"

    def __post_init__(self) -> None:
        _ = self.carriers

    @cached_property
    def carriers(self) -> Carriers:
        """The joints that carry it."""
        return carriers_of(self.body, self.travel)

    @cached_property
    def _above(self) -> tuple[int, ...]:
        return tuple(reversed(self.body.skeleton.ancestors(self.carriers.body)))

    @cached_property
    def _below(self) -> tuple[int, ...]:
        """The carrier, and what else hangs from the joints above it."""
        above, parents = set(self._above), self.body.skeleton.parents.tolist()
        return tuple(joint for joint, parent in enumerate(parents) if parent in above and joint not in above)

    @cached_property
    def _still(self) -> Pose:
        """How the joints above stand: as the first of the body's own clips begins, else as the body does."""
        own = self.body.recordings
        return own[0].sample(np.array([own[0].start]))[0] if own else self.body.default_pose

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self.clip.frames(times)
        if not self._above or not self.defined[[self.carriers.body, *self._above]].all():
            return made
        fill_translations(made, self.body)
        assert made.translations is not None
        before = self._worlds(made)
        still = self._still.full_translations(self.body.skeleton)
        for joint in self._above:
            made.translations[:, joint], made.rotations[:, joint] = still[joint], self._still.rotations[joint]
        if self.carriers.ground is not None:
            self._go(made, times)
        after = self._worlds(made)
        for joint in self._below:
            self._put(made, joint, before[joint], after[int(self.body.skeleton.parents[joint])])
        made.root = made.translations[:, 0]
        return made

    def _go(self, made: Frames, times: FloatArray) -> None:
        """Let the ground joint go along below the hips."""
        assert made.translations is not None
        joint, parent = self.carriers.ground, int(self.body.skeleton.parents[self.carriers.ground or 0])
        assert joint is not None
        worlds = self._worlds(made)
        place, turned, _ = worlds[joint]
        way, turn = self._way(times)
        stands = quaternion.rotate(turn, place - self._start) + self._start + way
        world = (stands, quaternion.multiply(turn, turned), 1.0)
        self._put(made, joint, world, worlds.get(parent, _ORIGIN))

    @cached_property
    def _standing(self) -> Standing:
        return Standing.of(self.body)

    @cached_property
    def _start(self) -> FloatArray:
        """(3,) where the hips are when the joints above stand still and the body rests."""
        pose = Pose.rest(self.body.skeleton).replace(translations=self.body.skeleton.rest_translations)
        frames = Frames.of_pose(pose, 1)
        return self._standing.places(frames)[0][0]

    @cached_property
    def _path(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Times (K,), ways (K, 3) over the ground from where the body rests, and headings (K,), without the sway."""
        times = self.clip.times(RATE)
        places, headings = self._standing.places(self.clip.frames(times))
        ways, headings = self._standing.level(places - self._start), np.unwrap(headings)
        high = float(self._start @ self._standing.up) or 1.0
        if float(np.ptp(ways, axis=0).max()) < STILL * abs(high) and float(np.ptp(headings)) < 0.5:
            return times, np.repeat(ways[:1], len(ways), axis=0), np.repeat(headings[:1], len(ways))
        rate = (len(times) - 1) / max(self.duration, 1e-9)
        return times, _calmed(ways, rate), _calmed(headings[:, None], rate)[:, 0]

    def _way(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(T, 3) the way over the ground and (T, 4) the heading."""
        at, ways, headings = self._path
        way = np.stack([np.interp(times, at, ways[:, axis]) for axis in range(3)], axis=1)
        return way, self._standing.turn(np.interp(times, at, headings))

    def _worlds(self, made: Frames) -> dict[int, World]:
        """Of each joint above the carrier, and right below those, its place (T, 3), turn (T, 4) and scale."""
        assert made.translations is not None
        found: dict[int, World] = {}
        parents = self.body.skeleton.parents
        scales = self.body.skeleton.rest_scales.mean(axis=1)
        for joint in (*self._above, *self._below):
            place, turned, stretch = found.get(int(parents[joint]), _ORIGIN)
            place = place + quaternion.rotate(turned, stretch * made.translations[:, joint])
            turned = quaternion.multiply(turned, made.rotations[:, joint])
            own = scales[joint] if made.scales is None else made.scales[:, joint].mean(axis=1, keepdims=True)
            found[joint] = place, turned, stretch * own
        return found

    def _put(self, made: Frames, joint: int, world: World, above: World) -> None:
        """Put a joint where it is to be in the world."""
        assert made.translations is not None
        from_world = quaternion.conjugate(above[1])
        made.translations[:, joint] = quaternion.rotate(from_world, world[0] - above[0]) / above[2]
        made.rotations[:, joint] = quaternion.continuous(quaternion.multiply(from_world, world[1]))


World = tuple[FloatArray, FloatArray, FloatArray | float]
"""Place (T, 3), turn (T, 4) and scale of a joint."""
_ORIGIN: World = (np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), 1.0)


def _calmed(values: FloatArray, rate: float) -> FloatArray:
    """(K, n) the values with what is faster than a step evened out; both ends stay."""
    from scipy.ndimage import gaussian_filter1d

    reach = min(len(values) - 1, int(np.ceil(4 * CALM * rate)))
    before = 2 * values[0] - values[reach:0:-1]
    after = 2 * values[-1] - values[-2 : -reach - 2 : -1]
    whole = gaussian_filter1d(np.concatenate([before, values, after]), CALM * rate, axis=0)
    return np.asarray(whole[reach : reach + len(values)])
