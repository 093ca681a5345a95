"""A motion as the judges see it: the poses as they are played, and where the skin is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character, Mass, Pose, center_of_mass, world_matrices
from mummer.character.balance import estimate_mass
from mummer.clip.clip import Clip
from mummer.clip.wish import Wish
from mummer.errors import InputError
from mummer.grid.judge.surface import Surface, surface_of
from mummer.math import quaternion, transform

RATE = 120.0
"""Samples a second that every judge looks at, whatever rate a motion was made at."""
MOST_POINTS, MOST_PLACES = 3000, 2_500_000
"""Points of the skin that are looked at, and points times samples."""
FOOT_POINTS = 120
"""Points of each foot beside those."""
CLOSES = 0.01
"""How near its end, in sizes of the body, a motion must be to its start to be taken for one that repeats."""


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot as its skin.

    Attributes:
        joint: which.
        rows: (n,) the points of the skin that it carries.
        sole: (m,) those of them that are on the ground as the foot rolls: all that are low at rest.
        leg: metres from where the leg leaves the trunk.
        near: metres above the ground up to which a point of the sole is on it.
    """

    joint: int
    rows: IntArray
    sole: IntArray
    leg: float
    near: float


@dataclass(frozen=True, eq=False)
class Scene:
    """One clip, sampled evenly in time.

    Attributes:
        clip: the motion.
        times: (T,) seconds, 1/120 s apart or as near to that as the length allows.
        finds_ground: whether the ground is looked for where the motion is, if that is far from where the body rests:
            many files of captured motion hold a body at rest whose hips are at the origin.
        loops: whether its maker says that its end flows into its start.
    """

    clip: Clip
    times: FloatArray
    finds_ground: bool = False
    loops: bool = False

    @property
    def body(self) -> Character:
        """The body that moves."""
        return self.clip.body

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """What the maker of the motion asked for, as far as it tells."""
        return self.clip.wishes

    @property
    def step(self) -> float:
        """Seconds between samples."""
        return float(self.times[1] - self.times[0]) if len(self.times) > 1 else 1.0 / RATE

    def frames(self, seconds: float) -> int:
        """How many samples so many seconds are, at least one."""
        return max(1, round(seconds / self.step))

    @cached_property
    def pose(self) -> Pose:
        """A batch of T poses.

        Raises:
            InputError: if a number in them is not finite: that is a fault, not a motion.
        """
        pose = self.clip.sample(self.times)
        parts = (pose.rotations, pose.root_translation, pose.translations, pose.scales, pose.morphs)
        if not all(np.all(np.isfinite(part)) for part in parts if part is not None):
            raise InputError(f"the motion of {self.body.name!r} holds numbers that are not finite")
        return pose

    @cached_property
    def world(self) -> FloatArray:
        """(T, J, 3, 4) world_from_joint."""
        return world_matrices(self.body.skeleton, self.pose)

    @property
    def places(self) -> FloatArray:
        """(T, J, 3) joints in the world, metres."""
        return self.world[..., 3]

    @cached_property
    def rest_pose(self) -> Pose:
        """How the body stands when nothing moves it.

        A file may hold it in the midst of a run or a jump: if it is not as high as it is bound, it is taken as bound.
        """
        held, bound = self.body.default_pose, Pose.rest(self.body.skeleton)
        lows = []
        for pose in (held, bound):
            heights = surface_of(self.body).posed(world_matrices(self.body.skeleton, pose)[None])[0] @ self.up
            lows.append((float(heights.min()), float(np.ptp(heights))))
        return held if abs(lows[0][0] - lows[1][0]) < FAR * max(lows[1][1], 1e-9) else bound

    @cached_property
    def rest_world(self) -> FloatArray:
        """(J, 3, 4) world_from_joint of the body at rest."""
        return world_matrices(self.body.skeleton, self.rest_pose)

    @cached_property
    def surface(self) -> Surface:
        """The points of the skin that are looked at."""
        every = surface_of(self.body)
        most = min(MOST_POINTS, max(200, MOST_PLACES // len(self.times)))
        places = every.posed(self.rest_world[None])[0]
        rows = [every.thinned(places, places @ self.up, most)]
        for foot in self._foot_joints:
            mine = np.flatnonzero(np.isin(every.owners, self.body.skeleton.descendants(foot)))
            if len(mine):
                rows.append(mine[every.thinned(places[mine], places[mine] @ self.up, FOOT_POINTS)])
        return every.chosen(np.unique(np.concatenate(rows)))

    @cached_property
    def skin(self) -> FloatArray:
        """(T, V, 3) where they are, metres."""
        return self.surface.posed(self.world)

    @cached_property
    def rest_skin(self) -> FloatArray:
        """(V, 3) where they are at rest."""
        return self.surface.posed(self.rest_world[None])[0]

    @cached_property
    def size(self) -> float:
        """Metres that one size of the body means: the longest side of its skin at rest."""
        return max(float(np.ptp(self.rest_skin, axis=0).max()), 1e-9)

    @property
    def up(self) -> FloatArray:
        """(3,) unit."""
        return np.array([0.0, 1.0, 0.0]) if self.body.anatomy is None else self.body.anatomy.up

    @cached_property
    def ground(self) -> float:
        """The height of the ground: where the skin of the feet is lowest at rest, or what the anatomy says."""
        heights = self.rest_skin @ self.up
        at_rest = float(heights.min()) if self.body.anatomy is None else self.body.anatomy.ground
        if self.feet:
            at_rest = float(min(heights[foot.rows].min() for foot in self.feet))
        found = float(np.percentile((self.skin @ self.up).min(axis=1), LOW))
        return found if self.finds_ground and abs(found - at_rest) > FAR * self.size else at_rest

    @cached_property
    def is_high_at_rest(self) -> bool:
        """Whether the body rests above the ground, as fish and ghosts do."""
        anatomy = self.body.anatomy
        heights = self.rest_skin @ self.up
        return anatomy is not None and bool(heights.min() - anatomy.ground > FLOATS * self.size)

    @cached_property
    def heights(self) -> FloatArray:
        """(T, V) metres of the skin above the ground."""
        return np.asarray(self.skin @ self.up - self.ground)

    @cached_property
    def rest_heights(self) -> FloatArray:
        """(V,) metres of the skin at rest above the lowest of the feet, or above the ground where there are none."""
        heights = self.rest_skin @ self.up
        lows = [float(heights[foot.rows].min()) for foot in self.feet]
        return np.asarray(heights - (min(lows) if lows else self.ground))

    @cached_property
    def feet(self) -> tuple[Foot, ...]:
        """The feet of the body; none where it has none or nobody knows them."""
        found = (self._foot(joint) for joint in self._foot_joints)
        return tuple(foot for foot in found if foot is not None)

    @property
    def _foot_joints(self) -> tuple[int, ...]:
        return () if self.body.anatomy is None else self.body.anatomy.capabilities.get("foot", ())

    def _foot(self, joint: int) -> Foot | None:
        rows = self.rows_of(joint)
        if not len(rows):
            return None
        places, parents = self.rest_world[:, :, 3], self.body.skeleton.parents
        chain, spine = [joint], set(self.trunk)
        while int(parents[chain[-1]]) >= 0 and chain[-1] not in spine:
            chain.append(int(parents[chain[-1]]))
        leg = max(float(np.linalg.norm(np.diff(places[chain], axis=0), axis=1).sum()), SHORTEST * self.size)
        heights = self.rest_skin[rows] @ self.up
        return Foot(joint, rows, rows[heights <= heights.min() + SOLE * leg], leg, NEAR * leg)

    @property
    def trunk(self) -> tuple[int, ...]:
        """The joints of the root and the spine."""
        able = {} if self.body.anatomy is None else self.body.anatomy.capabilities
        return tuple(sorted({*able.get("root", (0,)), *able.get("spine", ())}))

    def rows_of(self, joint: int) -> IntArray:
        """(n,) the points of the skin that a joint and what hangs from it carry."""
        return np.flatnonzero(np.isin(self.surface.owners, self.body.skeleton.descendants(joint)))

    @cached_property
    def center(self) -> FloatArray:
        """(T, 3) the centre of mass, metres."""
        return center_of_mass(mass_of(self.body), self.body.skeleton, self.pose)

    @cached_property
    def closes(self) -> bool:
        """Whether it may be played over and over: its maker says so, or it ends as it began."""
        away = np.linalg.norm(self.places[-1] - self.places[0], axis=-1).max()
        return self.loops or bool(away < CLOSES * self.size)

    def part(self, joint: int) -> str:
        """What to call a joint: its role where it has one, else its name."""
        roles = {} if self.body.anatomy is None else self.body.anatomy.roles
        return next((role for role, owner in roles.items() if owner == joint), self.body.skeleton.names[joint])

    def at(self, joint: int, frame: int) -> str:
        """A part and a moment, for people: ``left_hand at 0.53 s``."""
        return f"{self.part(joint)} at {self.times[frame] - self.times[0]:.2f} s"

    def point(self, joint: int, offset: tuple[float, float, float]) -> FloatArray:
        """(T, 3) where a point is that is so many metres from a joint along the joint's axes, whatever their scale."""
        turns = transform.decompose(self.world[:, joint])[1]
        return self.places[:, joint] + quaternion.rotate(turns, np.asarray(offset))


LOW, FAR = 10.0, 0.1
"""The percentile of the lowest skin that is taken for the ground where the ground is looked for, and how far from where
the body rests that must be, in sizes of the body."""
FLOATS = 0.02
"""Sizes of the body above the ground at rest from which on it is no ground that carries it."""
NEAR = 0.0075
"""How near the ground, in leg lengths, a point of a sole is on it."""
SOLE = 0.03
"""How high above its lowest point, in leg lengths, a sole reaches at rest."""
SHORTEST = 0.05
"""Sizes of the body that a leg is long at least."""
_MASS = "_mass_to_judge"


def mass_of(body: Character) -> Mass:
    """The mass that a body says it has, else an estimate, made once."""
    if body.mass is not None and body.mass.total > 0:
        return body.mass
    if _MASS not in body.__dict__:
        body.__dict__[_MASS] = estimate_mass(body)[0]
    found: Mass = body.__dict__[_MASS]
    return found


def inner(held: BoolArray, edge: int) -> BoolArray:
    """(T,) the moments farther than ``edge`` samples from where ``held`` begins and ends; the clip's ends are none."""
    padded = np.concatenate([np.ones(edge, bool), held, np.ones(edge, bool)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * edge + 1)
    return np.asarray(windows.all(axis=1) & held)


def scene_of(clip: Clip, *, finds_ground: bool = False, loops: bool = False) -> Scene:
    """``clip`` sampled for the judges; see `Scene`."""
    return Scene(clip, clip.times(RATE), finds_ground, loops)
