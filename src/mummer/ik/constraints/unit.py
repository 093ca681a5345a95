"""Units: one limb and everything that goals ask of its tip; and which limbs goals speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import rest_positions
from mummer.character.limits import FREE, HINGE
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.constraints.limb import bend_limb, care_for, flexion_axes, held_joint, length_of, reach_of
from mummer.ik.constraints.track import Bridges, Edge, Gap, Track, nearness, span_of, value_track
from mummer.ik.goal import Goal
from mummer.ik.goals import HalfSpace, Orient, Place
from mummer.ik.limb_joints import LimbJoints, find_limb
from mummer.ik.rigid_body import rigid_body
from mummer.ik.soft_aim import body_front
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions

LONG_BEFORE = 1.6
"""Seconds before and after goals for a leg that it is kept from being quite straight."""
ROLLS = 3
"""How often a tip is turned back into its limits; what its line leaves of one turn is less each time."""
SOFT_FLOOR = 2e-3
"""Metres from a floor within which a point begins to be lifted."""
LOOKS = 64
"""Moments of a clip at which the usual plane of bending of its limbs is told."""
FOLDED = 1e-3
"""Part of its length that a limb is longer than when quite folded, at least."""
REACH_RATE = 30.0
"""Moments a second at which it is told whether arms reach."""


@dataclass(frozen=True, eq=False)
class PointTrack:
    """A point of a limb's tip, in the tip's frame, and what goals ask of it."""

    point: FloatArray
    track: Track


@dataclass(frozen=True, eq=False)
class Floor:
    """A plane that a point of a limb's tip stays on one side of.

    Attributes:
        point: (3,) in the tip's frame, metres.
        normal: (3,) unit, towards the side that is allowed.
        distance: metres from the world's origin.
        begin, end: seconds between which it holds.
    """

    point: FloatArray
    normal: FloatArray
    distance: float
    begin: float
    end: float

    def lift(self, place: FloatArray, turn: FloatArray, times: FloatArray) -> FloatArray:
        """(T, 3) the way out, nothing where the point is well above; it sets in without a corner."""
        above = (place + quaternions.rotate(turn, self.point)) @ self.normal - self.distance
        gently = (SOFT_FLOOR - np.minimum(above, SOFT_FLOOR)) ** 2 / (4 * SOFT_FLOOR)
        lift = np.where(above < -SOFT_FLOOR, -above, gently)
        return np.where((times >= self.begin) & (times <= self.end), lift, 0.0)[:, None] * self.normal


@dataclass(frozen=True, eq=False)
class Unit:
    """A limb that is bent by itself.

    With two points that goals place, such as heel and ball of a foot, the tip turns as little as brings them into line;
    where only one of them is held, that one is met exactly, and in between the one goes over into the other.

    Attributes:
        chain: the limb.
        points: at most two.
        turning: the rotation of the tip in the world, if goals ask for it.
        floors: planes that the tip stays above where its points are not held.
        usual_axis: (3,) about which the limb usually bends, in the frame of its base.
        first_counts: how much the first point counts beside the second where neither or both are held.
        follows: whether the body goes along with this limb, as it does with legs.
        ease: seconds before and after goals in which their effect comes and goes.
    """

    chain: LimbJoints
    points: tuple[PointTrack, ...]
    turning: Track | None
    floors: tuple[Floor, ...]
    usual_axis: FloatArray
    first_counts: Bridges | None
    follows: bool
    ease: float

    def target(
        self, state: WorldState, times: FloatArray, moved: WorldState | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Where the tip shall be (T, 3) and how it shall be turned (T, 4), in the world.

        Args:
            state: the body in the clip.
            times: (T,) seconds of its poses.
            moved: the same with the body displaced; a tip of which no point is placed, or of an arm long before and
                after its goals, goes along.
        """
        place, turn = self._held(state, times)
        if moved is not None and not self.follows:
            place, turn = self._carried(place, turn, moved, times)
        elif moved is not None and not self.points:
            place = place + moved.positions[:, self.chain.tip] - state.positions[:, self.chain.tip]
        for floor in self.floors:
            place = place + np.where(self.holds(times), 0.0, 1.0)[:, None] * floor.lift(place, turn, times)
        return place, turn

    def places(self, state: WorldState) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(T, 3) each: where base, middle and tip are."""
        base, middle, tip = np.moveaxis(state.positions[:, self.chain.joints], 1, 0)
        return base, middle, tip

    def holds(self, times: FloatArray) -> BoolArray:
        """(T,) whether goals hold the tip."""
        held = np.zeros(len(times), bool) if self.turning is None else self.turning.holds(times)
        for each in self.points:
            held |= each.track.holds(times)
        return held

    @property
    def spans(self) -> tuple[tuple[float, float], ...]:
        """Seconds between which goals hold the tip, one after another."""
        tracks = [each.track for each in self.points] + ([] if self.turning is None else [self.turning])
        return tuple(sorted(span for track in tracks for span in track.spans))

    def held_near(self, times: FloatArray) -> FloatArray:
        """(T,) how much the tip is where goals or the clip have it, rather than carried along; feet are throughout."""
        if self.follows and self.points:
            return np.ones(len(times))
        return nearness(sorted(span for each in self.points for span in each.track.spans), times, self.ease, self.ease)

    def turned_near(self, times: FloatArray) -> FloatArray:
        """(T,) the same for how the tip is turned."""
        return nearness(() if self.turning is None else self.turning.spans, times, self.ease, self.ease)

    def _carried(
        self, place: FloatArray, turn: FloatArray, moved: WorldState, times: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Place and turn of the tip, going over into those of the displaced body where goals are far."""
        along, share = moved.positions[:, self.chain.tip], self.held_near(times)
        turned = quaternions.slerp(moved.rotations[:, self.chain.tip], turn, np.maximum(share, self.turned_near(times)))
        return along + share[:, None] * (place - along), turned

    def activity(self, times: FloatArray, ease: float | None = None) -> FloatArray:
        """(T,) how much goals have to do with this limb, from 0 far from all of them to 1; see `Track.activity`."""
        tracks = [each.track for each in self.points] + ([] if self.turning is None else [self.turning])
        found = np.zeros(len(times))
        for track in tracks:
            found = np.maximum(found, track.activity(times, ease))
        for floor in self.floors:
            found[(times >= floor.begin) & (times <= floor.end)] = 1.0
        return found

    def _held(self, state: WorldState, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Place and turn of the tip as the points and the turning ask for them."""
        turn, place = state.rotations[:, self.chain.tip], state.positions[:, self.chain.tip]
        if self.turning is not None:
            turn = quaternions.multiply(quaternions.exp(self.turning.offsets(times, turn)), turn)
        wanted = []
        for each in self.points:
            own = place + quaternions.rotate(state.rotations[:, self.chain.tip], each.point)
            wanted.append(own + each.track.offsets(times, own))
        if not self.points:
            return place, turn
        if len(self.points) == 1:
            return wanted[0] - quaternions.rotate(turn, self.points[0].point), turn
        return self._of_two(turn, wanted, times)

    def _of_two(
        self, turn: FloatArray, wanted: Sequence[FloatArray], times: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        first, second = (each.point for each in self.points)
        lined = quaternions.between_vectors(quaternions.rotate(turn, second - first), wanted[1] - wanted[0])
        turn = quaternions.multiply(lined, turn)
        share = self._share(times)[:, None]
        by_first = wanted[0] - quaternions.rotate(turn, first)
        by_second = wanted[1] - quaternions.rotate(turn, second)
        return share * by_first + (1 - share) * by_second, turn

    def _share(self, times: FloatArray) -> FloatArray:
        """(T,) how much the first point counts: all of it where it alone is held, nothing where the other is."""
        holds = [each.track.holds(times) for each in self.points]
        assert self.first_counts is not None
        between, inside = self.first_counts(times)
        return np.where(inside, between[:, 0], np.where(holds[0] & ~holds[1], 1.0, 0.0))

    def bend(self, frames: Frames, moved: WorldState, target: tuple[FloatArray, FloatArray], care: FloatArray) -> None:
        """Bend this limb in ``frames`` so that its tip is at ``target``; ``moved`` is the body there, before that.

        See `target`, and `bend_limb` for ``care`` (T,).
        """
        place, turn = target
        usual = quaternions.rotate(moved.rotations[:, self.chain.base], self.usual_axis)
        joints = self.places(moved)
        own = care_for(care, joints[2], place, length_of(*joints))
        bend = bend_limb(*joints, place, usual, own, self._hinges(moved, usual))
        above = quaternions.multiply(bend.base_turn, bend.middle_turn)
        base, middle, tip = self.chain.joints
        for joint, before, world in (
            (base, None, quaternions.multiply(bend.base_turn, moved.rotations[:, base])),
            (middle, bend.base_turn, quaternions.multiply(above, moved.rotations[:, middle])),
            (tip, above, self._eased(moved, above, turn, care)),
        ):
            frames.rotations[:, joint] = _local(moved, joint, before, world)

    def _hinges(self, moved: WorldState, usual: FloatArray) -> FloatArray | None:
        """(T, 3) the axes in the world of a middle that turns about one alone, pointing as the usual axes do."""
        limits, middle = moved.body.limits, self.chain.middle
        if limits.kinds[middle] != HINGE:
            return None
        axes = quaternions.rotate(moved.rotations[:, middle], limits.axes[middle])
        return np.asarray(axes * np.where(np.vecdot(axes, usual) < 0, -1.0, 1.0)[:, None])

    def _eased(self, moved: WorldState, above: FloatArray, turn: FloatArray, care: FloatArray) -> FloatArray:
        """(T, 4) ``turn`` of the tip, turned back into its limits about what goals leave open.

        A foot of which heel and ball are placed may still roll about the line between them.
        """
        limits, tip = moved.body.limits, self.chain.tip
        if self.turning is not None or limits.kinds[tip] == FREE:
            return turn
        parent = quaternions.multiply(above, moved.rotations[:, int(moved.body.parents[tip])])
        line = self._open_line()
        for _ in range(ROLLS):
            local = quaternions.multiply(quaternions.conjugate(parent), turn)
            within = quaternions.multiply(parent, held_joint(moved.body, tip, local))
            back = quaternions.log(quaternions.multiply(quaternions.conjugate(turn), within))
            if line is not None:
                back = np.vecdot(back, line)[:, None] * line
            turn = quaternions.multiply(turn, quaternions.exp(care[:, None] * back))
        return turn

    def _open_line(self) -> FloatArray | None:
        """(3,) the unit axis in the tip's frame about which goals for its points let it turn; None for any."""
        ends = [each.point for each in self.points]
        line = ends[1] - ends[0] if len(ends) == 2 else ends[0] if ends else np.zeros(3)
        length = float(np.linalg.norm(line))
        return line / length if length > 1e-9 else None


def care_of(units: Sequence[Unit], times: FloatArray) -> FloatArray:
    """(T,) with how much care limbs are bent.

    Legs are bent alike, and with care long before and after goals: as long as the hips may be displaced for any of
    them.
    """
    found = np.zeros(len(times))
    for unit in units:
        found = np.maximum(found, unit.activity(times, LONG_BEFORE if unit.follows else None))
    return found


def _local(state: WorldState, joint: int, above: FloatArray | None, world: FloatArray) -> FloatArray:
    """(T, 4) parent_from_joint of a joint turned ``world`` whose parent has ``above`` put before its rotation."""
    parent = int(state.body.parents[joint])
    if parent < 0:
        return world
    turned = state.rotations[:, parent]
    if above is not None:
        turned = quaternions.multiply(above, turned)
    return quaternions.multiply(quaternions.conjugate(turned), world)


def shares_between(start: float, end: float, first: Track, second: Track, ease: float) -> Bridges:
    """How much the first of two points counts wherever not exactly one of them is held."""
    edges = sorted({start, end, *(edge for track in (first, second) for each in track.demands
                                  for edge in (each.begin, each.end) if start < edge < end)})  # fmt: skip
    middles = np.array([0.5 * (low + high) for low, high in pairwise(edges)])
    alone = first.holds(middles).astype(int) - second.holds(middles)
    gaps: list[Gap] = []
    began = start
    last: float | None = None
    for (low, high), side in zip(pairwise(edges), alone, strict=True):
        if side == 0:
            continue
        value = 1.0 if side > 0 else 0.0
        if low > began:
            gaps.append(Gap(began, low, _edge(value if last is None else last), _edge(value)))
        began, last = high, value
    if began < end:
        value = 0.5 if last is None else last
        gaps.append(Gap(began, end, _edge(value), _edge(value)))
    return Bridges(gaps, 0.5 * max(ease, end - start), 1)


def _edge(value: float) -> Edge:
    return Edge(np.array([value]), np.zeros(1), np.zeros(1))


def find_units(clip: Clip, goals: Sequence[Goal], ease: float) -> tuple[Unit, ...]:
    """One unit for each joint that ``goals`` speak of."""
    by_tip: dict[int, list[Goal]] = {}
    for goal in goals:
        by_tip.setdefault(joint_of(clip.body, goal.points[0]), []).append(goal)
    look = np.linspace(clip.start, clip.end, LOOKS)
    state = WorldState(clip.body, clip.sample(look))
    return tuple(_unit(clip, tip, listed, ease, state) for tip, listed in by_tip.items())


def limbs_suffice(clip: Clip, goals: Sequence[Goal]) -> bool:
    """Whether ``goals`` can be met by bending limbs one by one: hard places, turns and planes for tips of limbs.

    Arms must reach all of their targets from where the body is; legs may pull the body along.
    """
    return len(limb_goals(clip, goals)) == len(goals) and _arms_reach(clip, goals)


def limb_goals(clip: Clip, goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Those of ``goals`` that a limb meets by itself if it reaches, in their order."""
    tips: dict[int, list[Goal]] = {}
    for goal in goals:
        for point in goal.points[:1]:
            tips.setdefault(joint_of(clip.body, point), []).append(goal)
    found: list[Goal] = []
    chains: list[LimbJoints] = []
    for tip, listed in tips.items():
        chain = find_limb(rigid_body(clip.body), tip)
        fits = all(isinstance(goal, (Place, Orient, HalfSpace)) and goal.is_hard for goal in listed)
        if chain is None or not fits or not _hangs_alone(clip, chain) or not _is_plain(clip, listed):
            continue
        if _carries_head(clip, chain):
            continue
        if not _overlap(clip, [*chains, chain]):
            chains.append(chain)
            found += listed
    return tuple(goal for goal in goals if any(goal is each for each in found))


def _hangs_alone(clip: Clip, chain: LimbJoints) -> bool:
    """Whether a limb hangs from the root and no other from it, as all do from a chest; twist joints are none."""
    skeleton = clip.body.skeleton
    own = len(skeleton.descendants(chain.middle))
    others = len(skeleton.descendants(chain.base)) - own
    return 0 in skeleton.ancestors(chain.base) and others <= max(3, own // 2)


def _carries_head(clip: Clip, chain: LimbJoints) -> bool:
    """Whether what would be bent is a neck: jaws get along with all of the body, not with a head for an elbow."""
    heads = () if clip.body.anatomy is None else clip.body.anatomy.capabilities.get("head", ())
    above = clip.body.skeleton.ancestors(chain.tip)
    return any(joint in heads for joint in above[: above.index(chain.base) + 1])


def _overlap(clip: Clip, chains: Sequence[LimbJoints]) -> bool:
    """Whether a limb hangs from another."""
    return any(
        one is not other and one.base in clip.body.skeleton.ancestors(other.tip) for one in chains for other in chains
    )


def _is_plain(clip: Clip, goals: Sequence[Goal]) -> bool:
    """Whether at most two points of a tip are placed, the tip is not turned as well as two points, and none at once."""
    places = [goal for goal in goals if isinstance(goal, Place)]
    points = {as_point(goal.part).offset for goal in places}
    turned = any(isinstance(goal, Orient) for goal in goals)
    if any(goal.axes != "xyz" for goal in places) or len(points) > (1 if turned else 2):
        return False
    spans = [(as_point(goal.part).offset, span_of(clip, goal)) for goal in places]
    return not any(
        one is not other and one[0] == other[0] and one[1][0] < other[1][1] and other[1][0] < one[1][1]
        for one in spans
        for other in spans
    )


def _arms_reach(clip: Clip, goals: Sequence[Goal]) -> bool:
    """Whether limbs that the body does not follow reach all their targets."""
    look = np.linspace(clip.start, clip.end, max(LOOKS, round(REACH_RATE * clip.duration)))
    # A limb is often stretched most where a goal begins or ends.
    look = np.union1d(look, [edge for goal in goals for edge in span_of(clip, goal)])
    state = WorldState(clip.body, clip.sample(look))
    for unit in find_units(clip, goals, 0.0):
        if unit.follows or not unit.points:
            continue
        base, middle, tip = unit.places(state)
        folded = np.abs(np.linalg.norm(middle - base, axis=-1) - np.linalg.norm(tip - middle, axis=-1))
        away = np.linalg.norm(unit.target(state, look)[0] - base, axis=-1)
        if np.any((away > reach_of(base, middle, tip)) | (away < folded + FOLDED * length_of(base, middle, tip))):
            return False
    return True


def _unit(clip: Clip, tip: int, goals: Sequence[Goal], ease: float, state: WorldState) -> Unit:
    chain = find_limb(rigid_body(clip.body), tip)
    assert chain is not None
    places: dict[tuple[float, float, float], list[Place]] = {}
    for goal in goals:
        if isinstance(goal, Place):
            places.setdefault(as_point(goal.part).offset, []).append(goal)
    points = tuple(PointTrack(np.array(offset), value_track(clip, listed, ease)) for offset, listed in places.items())
    orients = [goal for goal in goals if isinstance(goal, Orient)]
    turning = value_track(clip, orients, ease) if orients else None
    shares = None
    if len(points) == 2:
        shares = shares_between(clip.start, clip.end, points[0].track, points[1].track, ease)
    floors = tuple(
        Floor(np.array(as_point(goal.part).offset), np.array(goal.normal), float(goal.distance), *span_of(clip, goal))
        for goal in goals
        if isinstance(goal, HalfSpace)
    )
    is_leg = _is_leg(clip, tip)
    return Unit(chain, points, turning, floors, _usual_axis(chain, state, is_leg), shares, is_leg, ease)


def _usual_axis(chain: LimbJoints, state: WorldState, is_leg: bool) -> FloatArray:
    """(3,) the unit axis about which a limb bends most of the time, in the frame of its base.

    A limb that is straight throughout bends as most do: knees to the front, elbows to the back.
    """
    places = np.moveaxis(state.positions[:, chain.joints], 1, 0)
    axes = flexion_axes(*places)
    if np.linalg.norm(axes, axis=-1).max() < 1e-6:
        back = -body_front(state) if is_leg else body_front(state)
        axes = np.cross(places[1] - places[0], back)
    local = quaternions.rotate(quaternions.conjugate(state.rotations[:, chain.base]), axes).mean(axis=0)
    length = float(np.linalg.norm(local))
    return local / length if length > 1e-9 else np.array([1.0, 0.0, 0.0])


def _is_leg(clip: Clip, tip: int) -> bool:
    """Whether a joint is a foot: the anatomy says so, or it is near the lowest point of the body at rest."""
    anatomy = clip.body.anatomy
    if anatomy is not None and anatomy.capabilities.get("foot"):
        feet = anatomy.capabilities["foot"]
        return any(joint in feet for joint in (tip, *clip.body.skeleton.ancestors(tip)))
    heights = rest_positions(clip.body.skeleton)[:, 1]
    return bool(heights[tip] < heights.min() + 0.25 * np.ptp(heights))
