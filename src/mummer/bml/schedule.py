"""When everything in a block happens: moments as unknowns, what was asked as constraints on their differences.

1. A graph of "at least so much later": its longest paths are the earliest times, and a cycle that gains time is a
   contradiction, whose behaviours are dropped until none is left.
2. Among all times that are allowed, those that change the lengths of phases least, each relative to its length and its
   stiffness, and that begin as early as they may: a small least-squares problem with inequalities.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from mummer.arrays import FloatArray
from mummer.bml.block import Constraint, SyncRef
from mummer.bml.feedback import Warned

TOLERANCE = 1e-6
"""Seconds by which times may contradict each other."""
EARLY = 1e-3
"""How much a start that is a second late counts, where a phase of twice its length counts 1."""
SHORTEST = 0.05
"""Seconds that a phase counts as having at least, when its change is compared with its length."""
MOST_AT_ONCE = 250
"""Moments that are solved for together; longer chains take their earliest times."""
ORIGIN = 0


@dataclass(frozen=True)
class Phase:
    """What lies between two sync points of a behaviour, seconds.

    Attributes:
        length: by itself.
        shortest: allowed.
        longest: allowed.
        stiffness: how much a change counts beside that of others.
    """

    length: float
    shortest: float = 0.0
    longest: float = math.inf
    stiffness: float = 1.0


@dataclass(frozen=True)
class Timed:
    """A behaviour to be timed.

    Attributes:
        id: its name.
        points: its sync points, first to last.
        phases: what lies between them, one less.
        times: what was asked of them.
        required: whether the block is nothing without it.
    """

    id: str
    points: tuple[str, ...]
    phases: tuple[Phase, ...]
    times: Mapping[str, SyncRef] = field(default_factory=dict)
    required: bool = False


@dataclass(frozen=True)
class Schedule:
    """When everything happens.

    Attributes:
        times: by behaviour, seconds after the start of the block by sync point.
        warnings: one for each behaviour that had to go.
        failed: whether something that was required had to go, and so the block.
    """

    times: Mapping[str, Mapping[str, float]]
    warnings: tuple[Warned, ...] = ()
    failed: bool = False

    @property
    def end(self) -> float:
        """Seconds after which all is over."""
        return max((max(each.values()) for each in self.times.values()), default=0.0)


@dataclass(frozen=True)
class _Edge:
    """``head`` is at least ``gap`` after ``tail``, because of what ``owners`` are or ask."""

    tail: int
    head: int
    gap: float
    owners: tuple[str, ...]
    constraint: Constraint | None = None


Known = Mapping[tuple[str, str, str], float]
"""Moments of other blocks, by block, behaviour and sync point, in seconds after the start of this one."""


def schedule(
    behaviors: Sequence[Timed], constraints: Sequence[Constraint] = (), known: Known | None = None
) -> Schedule:
    """Times for all sync points of a block.

    Args:
        behaviors: what is to be timed.
        constraints: beside what each behaviour asks.
        known: moments of other blocks that may be referred to.
    """
    left = {each.id: each for each in behaviors}
    gone: set[str] = set()
    warnings: list[Warned] = []

    def drop(name: str, why: str) -> bool:
        """Whether the block must go too."""
        dropped = left.pop(name)
        gone.add(name)
        warnings.append(Warned("IMPOSSIBLE_TO_SCHEDULE", f"{why}; {name!r} is dropped", name))
        if dropped.required:
            warnings.append(Warned("IMPOSSIBLE_TO_SCHEDULE", f"{name!r} is required, so the block is dropped"))
        return dropped.required

    while True:
        problem = _Problem(tuple(left.values()), constraints, known or {})
        if problem.unresolved:
            name, why, required = problem.unresolved
            if name in left:
                if drop(name, why):
                    return Schedule({}, tuple(warnings), failed=True)
                continue
            assert problem.bad is not None
            if required or not any(ref.behavior in gone for ref in problem.bad.moments):
                warnings.append(Warned("IMPOSSIBLE_TO_SCHEDULE", why, name))
            if required:
                return Schedule({}, tuple(warnings), failed=True)
            constraints = tuple(each for each in constraints if each is not problem.bad)
            continue
        earliest, cycle = problem.earliest()
        if earliest is not None:
            return Schedule(problem.times(earliest), tuple(warnings))
        if any(edge.constraint is not None and edge.constraint.required for edge in cycle):
            text = "what a required constraint asks cannot be, so the block is dropped"
            return Schedule({}, (*warnings, Warned("IMPOSSIBLE_TO_SCHEDULE", text)), failed=True)
        culprit = _culprit(cycle, left)
        if culprit is None:
            bad = [edge.constraint for edge in cycle]
            warnings.append(Warned("IMPOSSIBLE_TO_SCHEDULE", "a constraint contradicts itself; it is dropped"))
            constraints = tuple(each for each in constraints if not any(each is other for other in bad))
        elif drop(culprit, "what was asked of its times cannot be"):
            return Schedule({}, tuple(warnings), failed=True)


def _culprit(cycle: Iterable[_Edge], left: Mapping[str, Timed]) -> str | None:
    """The behaviour that a contradiction is mostly about: rather one that is not required, rather a later one."""
    blame = Counter(name for edge in cycle for name in edge.owners if name in left)
    places = {name: place for place, name in enumerate(left)}
    return max(blame, key=lambda name: (not left[name].required, blame[name], places[name]), default=None)


class _Problem:
    """The moments of some behaviours as numbers, and what is known of their differences."""

    def __init__(self, behaviors: tuple[Timed, ...], constraints: Sequence[Constraint], known: Known) -> None:
        self.behaviors, self.known = behaviors, known
        self.unresolved: tuple[str, str, bool] | None = None
        self.bad: Constraint | None = None
        self.names = {each.id: each for each in behaviors}
        asked: dict[str, set[str]] = {each.id: set(each.times) for each in behaviors}
        for each in behaviors:
            for point, ref in each.times.items():
                if point not in each.points or not self._resolves(ref):
                    why = f"{point}={ref}: {self._why(ref)}" if point in each.points else f"it has no {point!r}"
                    self.unresolved = (each.id, why, each.required)
                    return
                asked.setdefault(ref.behavior, set()).add(ref.point)
        for constraint in constraints:
            for ref in constraint.moments:
                if not self._resolves(ref):
                    self.bad = constraint
                    text = f"a constraint is dropped, {ref}: {self._why(ref)}"
                    self.unresolved = (constraint.id, text, constraint.required)
                    return
                asked.setdefault(ref.behavior, set()).add(ref.point)
        self.nodes: dict[tuple[str, str], int] = {}
        self.chains = [self._chain(each, asked[each.id]) for each in behaviors]
        self.edges = self._edges(constraints)

    def _resolves(self, ref: SyncRef) -> bool:
        if not ref.behavior:
            return True
        if ref.block:
            return (ref.block, ref.behavior, ref.point) in self.known
        return ref.behavior in self.names and ref.point in self.names[ref.behavior].points

    def _why(self, ref: SyncRef) -> str:
        if ref.block:
            return f"no such moment of a block {ref.block!r} is known"
        if ref.behavior not in self.names:
            return f"there is no behaviour {ref.behavior!r}"
        return f"{ref.behavior!r} has no sync point {ref.point!r}"

    def _chain(self, behavior: Timed, asked: set[str]) -> list[tuple[int, int, Phase]]:
        """The moments of a behaviour that somebody speaks of, as nodes, with the phases between them joined."""
        last = len(behavior.points) - 1
        kept = [place for place, point in enumerate(behavior.points) if point in asked or place in (0, last)]
        for place in kept:
            self.nodes[behavior.id, behavior.points[place]] = len(self.nodes) + 1
        nodes = [self.nodes[behavior.id, behavior.points[place]] for place in kept]
        spans = [joined(behavior.phases[a:b]) for a, b in pairwise(kept)]
        return list(zip(nodes, nodes[1:], spans, strict=False))

    def _node(self, ref: SyncRef) -> tuple[int, float]:
        """The node that a moment hangs on, and how long after it the moment is."""
        if not ref.behavior:
            return ORIGIN, ref.offset
        if ref.block:
            return ORIGIN, self.known[ref.block, ref.behavior, ref.point] + ref.offset
        return self.nodes[ref.behavior, ref.point], ref.offset

    def _edges(self, constraints: Sequence[Constraint]) -> list[_Edge]:
        edges: list[_Edge] = []
        for behavior, chain in zip(self.behaviors, self.chains, strict=True):
            edges.append(_Edge(ORIGIN, self.nodes[behavior.id, behavior.points[0]], 0.0, ()))
            for tail, head, phase in chain:
                edges.append(_Edge(tail, head, phase.shortest, (behavior.id,)))
                if math.isfinite(phase.longest):
                    edges.append(_Edge(head, tail, -phase.longest, (behavior.id,)))
            for point, ref in behavior.times.items():
                node, offset = self._node(ref)
                edges += _same(node, self.nodes[behavior.id, point], offset, (behavior.id,))
        for constraint in constraints:
            first, rest = constraint.moments[0], constraint.moments[1:]
            base, at = self._node(first)
            for ref in rest:
                node, offset = self._node(ref)
                owners = tuple(each.behavior for each in (first, ref) if each.behavior and not each.block)
                gap = at - offset
                if constraint.mode == "synchronize":
                    edges += _same(base, node, gap, owners, constraint)
                elif constraint.mode == "after":
                    edges.append(_Edge(base, node, gap, owners, constraint))
                else:
                    edges.append(_Edge(node, base, -gap, owners, constraint))
        return edges

    def earliest(self) -> tuple[FloatArray | None, list[_Edge]]:
        """(N,) the earliest time of each node, or None and the edges of a cycle that contradicts itself."""
        count = len(self.nodes) + 1
        leaving: list[list[int]] = [[] for _ in range(count)]
        for number, edge in enumerate(self.edges):
            leaving[edge.tail].append(number)
        times = [-math.inf] * count
        times[ORIGIN] = 0.0
        came: list[int] = [-1] * count
        rounds = [0] * count
        waiting, queued = deque([ORIGIN]), [False] * count
        while waiting:
            node = waiting.popleft()
            queued[node] = False
            for number in leaving[node]:
                edge = self.edges[number]
                if times[node] + edge.gap <= times[edge.head] + TOLERANCE / count:
                    continue
                times[edge.head], came[edge.head] = times[node] + edge.gap, number
                if edge.head == ORIGIN or rounds[edge.head] > count:
                    return None, self._cycle(came, edge.head)
                if not queued[edge.head]:
                    waiting.append(edge.head)
                    queued[edge.head] = True
                    rounds[edge.head] += 1
        return np.array(times), []

    def _cycle(self, came: list[int], node: int) -> list[_Edge]:
        for _ in came:
            node = self.edges[came[node]].tail if came[node] >= 0 else node
        cycle, here = [], node
        while came[here] >= 0:
            cycle.append(self.edges[came[here]])
            here = cycle[-1].tail
            if here == node:
                break
        return cycle

    def times(self, earliest: FloatArray) -> dict[str, dict[str, float]]:
        """Times of all points of all behaviours."""
        solved = earliest.copy()
        for group in self._groups():
            if 1 < len(group) <= MOST_AT_ONCE:
                _settle(solved, group, self.edges, self.chains)
        found: dict[str, dict[str, float]] = {}
        for behavior in self.behaviors:
            found[behavior.id] = spread(behavior, {
                point: max(0.0, float(solved[self.nodes[behavior.id, point]]))
                for point in behavior.points if (behavior.id, point) in self.nodes
            })  # fmt: skip
        return found

    def _groups(self) -> list[list[int]]:
        """Nodes that depend on one another, beside the origin."""
        above = list(range(len(self.nodes) + 1))

        def root(node: int) -> int:
            while above[node] != node:
                above[node] = above[above[node]]
                node = above[node]
            return node

        for edge in self.edges:
            if ORIGIN not in (edge.tail, edge.head):
                above[root(edge.tail)] = root(edge.head)
        groups: dict[int, list[int]] = {}
        for node in self.nodes.values():
            groups.setdefault(root(node), []).append(node)
        return list(groups.values())


def _same(
    base: int, node: int, gap: float, owners: tuple[str, ...], constraint: Constraint | None = None
) -> tuple[_Edge, _Edge]:
    return _Edge(base, node, gap, owners, constraint), _Edge(node, base, -gap, owners, constraint)


def joined(phases: Sequence[Phase]) -> Phase:
    """Phases after one another as one, which gives way as springs in a row do."""
    if len(phases) == 1:
        return phases[0]
    soft = sum(max(each.length, SHORTEST) ** 2 / each.stiffness for each in phases)
    length = sum(each.length for each in phases)
    return Phase(
        length, sum(each.shortest for each in phases), sum(each.longest for each in phases),
        max(length, SHORTEST) ** 2 / soft,
    )  # fmt: skip


def spread(behavior: Timed, fixed: Mapping[str, float]) -> dict[str, float]:
    """Times of all points of a behaviour of which some are fixed, the first and the last among them."""
    points, times = behavior.points, dict(fixed)
    places = [place for place, point in enumerate(points) if point in fixed]
    for a, b in pairwise(places):
        lengths = shared(behavior.phases[a:b], fixed[points[b]] - fixed[points[a]])
        at = fixed[points[a]]
        for place in range(a + 1, b):
            at += lengths[place - a - 1]
            times[points[place]] = at
    rising, last = {}, 0.0
    for point in points:
        rising[point] = last = max(last, round(times[point], 6))
    return rising


def shared(phases: Sequence[Phase], total: float) -> list[float]:
    """Lengths of phases that make up a total, each changed by how soft it is, and none beyond its limits."""
    lengths = [each.length for each in phases]
    free = set(range(len(phases)))
    while free:
        rest = total - sum(lengths)
        soft = {place: max(phases[place].length, SHORTEST) ** 2 / phases[place].stiffness for place in free}
        whole = sum(soft.values())
        wanted = {place: lengths[place] + rest * soft[place] / whole for place in free}
        out = {place for place in free if not phases[place].shortest <= wanted[place] <= phases[place].longest}
        for place in out or free:
            lengths[place] = min(max(wanted[place], phases[place].shortest), phases[place].longest)
        if not out:
            break
        free -= out
    return lengths


def _settle(
    times: FloatArray, group: Sequence[int], edges: Sequence[_Edge], chains: Sequence[list[tuple[int, int, Phase]]]
) -> None:
    """Move the moments of a group, which are allowed as they are, to where phases change least."""
    column = {node: place for place, node in enumerate(group)}
    rows, goals, bounds, least = [], [], [], []
    for chain in chains:
        if not chain or chain[0][0] not in column:
            continue
        start = np.zeros(len(group))
        start[column[chain[0][0]]] = EARLY
        rows.append(start)
        goals.append(0.0)
        for tail, head, phase in chain:
            weight = math.sqrt(phase.stiffness) / max(phase.length, SHORTEST)
            row = np.zeros(len(group))
            row[column[head]], row[column[tail]] = weight, -weight
            rows.append(row)
            goals.append(weight * phase.length)
    for edge in edges:
        if edge.tail in column or edge.head in column:
            row = np.zeros(len(group))
            if edge.head in column:
                row[column[edge.head]] += 1.0
            if edge.tail in column:
                row[column[edge.tail]] -= 1.0
            bounds.append(row)
            least.append(edge.gap)
    found = least_squares_above(np.array(rows), np.array(goals), np.array(bounds), np.array(least))
    if found is not None:
        times[list(group)] = found


def least_squares_above(
    rows: FloatArray, goals: FloatArray, bounds: FloatArray, least: FloatArray
) -> FloatArray | None:
    """The x of least ``|rows x - goals|`` with ``bounds x >= least`` (Lawson and Hanson's LSI), or None."""
    from scipy.optimize import nnls

    basis, triangle = np.linalg.qr(rows)
    aim = np.linalg.solve(triangle, basis.T @ goals)
    if np.all(bounds @ aim >= least - TOLERANCE):
        return aim
    shaped = np.linalg.solve(triangle.T, bounds.T)  # (n, m)
    right = least - bounds @ aim
    matrix = np.vstack([shaped, right[None]])
    goal = np.zeros(len(matrix))
    goal[-1] = 1.0
    try:
        duals, _ = nnls(matrix, goal)
    except RuntimeError:
        return None
    rest = matrix @ duals - goal
    if abs(rest[-1]) < 1e-12:
        return None
    found = aim + np.linalg.solve(triangle, -rest[:-1] / rest[-1])
    return found if np.all(bounds @ found >= least - 10 * TOLERANCE) else None
