"""Laws of the scheduler: what was asked holds, phases keep their limits, and only contradictions are dropped."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer.bml import Constraint, SyncRef, Timed, schedule
from mummer.bml.schedule import Phase, least_squares_above, shared

POINTS = ("start", "ready", "stroke", "end")
NEAR = 2e-5


def behavior(name: str, lengths: tuple[float, ...] = (0.4, 0.3, 0.5), **times: str) -> Timed:
    phases = tuple(Phase(length, 0.2 * length) for length in lengths)
    return Timed(name, POINTS, phases, {point: SyncRef.read(ref) for point, ref in times.items()})


def test_what_nobody_speaks_of_begins_at_once_and_keeps_its_length() -> None:
    times = schedule([behavior("a")]).times["a"]
    assert list(times.values()) == pytest.approx([0.0, 0.4, 0.7, 1.2], abs=NEAR)


def test_a_group_moves_later_when_one_of_it_cannot_begin_before_the_block() -> None:
    made = schedule([behavior("a"), behavior("b", stroke="a:start")]).times
    assert made["b"]["start"] == pytest.approx(0.0, abs=NEAR)
    assert made["a"]["start"] == pytest.approx(0.7, abs=1e-3)


def test_stretch_is_shared_by_how_soft_phases_are() -> None:
    phases = (Phase(1.0, 0.1), Phase(1.0, stiffness=0.25), Phase(0.5, 0.4, 0.6))
    stretched = shared(phases, 5.0)
    assert sum(stretched) == pytest.approx(5.0)
    assert stretched[2] == 0.6
    assert stretched[1] - 1.0 == pytest.approx(4 * (stretched[0] - 1.0))
    assert shared(phases, 0.6) == pytest.approx([0.2, 0.0, 0.4], abs=0.15)


def test_contradictions_drop_the_one_that_they_are_about() -> None:
    made = schedule([behavior("a", start="1"), behavior("b", start="a:end", end="a:start")])
    assert set(made.times) == {"a"}
    assert [(each.type, each.behavior) for each in made.warnings] == [("IMPOSSIBLE_TO_SCHEDULE", "b")]
    assert not made.failed


def test_who_refers_to_what_was_dropped_is_dropped_too() -> None:
    made = schedule([behavior("a", start="2", end="1"), behavior("b", start="a:end"), behavior("c", start="b:end")])
    assert not made.times
    assert [each.behavior for each in made.warnings] == ["a", "b", "c"]


def test_what_is_required_takes_the_block_with_it() -> None:
    wrong = Timed("a", POINTS, behavior("a").phases, {"end": SyncRef(offset=-1.0)}, required=True)
    assert schedule([wrong, behavior("b")]).failed
    after = Constraint("after", (SyncRef("a", "end"), SyncRef("a", "start")), required=True)
    made = schedule([behavior("a")], [after])
    assert made.failed
    assert "required constraint" in made.warnings[-1].text


def test_moments_of_other_blocks_are_known_or_not() -> None:
    known = {("other", "x", "end"): 2.5}
    assert schedule([behavior("a", start="other:x:end+1")], known=known).times["a"]["start"] == pytest.approx(3.5)
    assert "'nobody'" in schedule([behavior("a", start="nobody:x:end")], known=known).warnings[0].text


refs = st.builds(
    SyncRef,
    st.sampled_from("abcdef"),
    st.sampled_from(POINTS),
    st.floats(-2, 2, allow_nan=False).map(lambda x: round(x, 2)),
)
moments = st.one_of(refs, st.floats(0, 20).map(lambda x: SyncRef(offset=round(x, 2))))
constraints = st.builds(
    Constraint,
    st.sampled_from(("synchronize", "before", "after")),
    st.lists(moments, min_size=2, max_size=3).map(tuple),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.dictionaries(st.sampled_from(POINTS), moments, max_size=2), min_size=6, max_size=6),
    st.lists(constraints, max_size=3),
)
def test_all_that_is_left_holds(asked: list[dict[str, SyncRef]], more: list[Constraint]) -> None:
    behaviors = [Timed(name, POINTS, behavior(name).phases, times) for name, times in zip("abcdef", asked, strict=True)]
    made = schedule(behaviors, more)

    def at(ref: SyncRef) -> float:
        return ref.offset + (made.times[ref.behavior][ref.point] if ref.behavior else 0.0)

    dropped = {warning.behavior for warning in made.warnings if warning.behavior}
    assert dropped | set(made.times) == set("abcdef")
    for each in behaviors:
        if each.id not in made.times:
            continue
        times = made.times[each.id]
        assert all(math.isfinite(value) and value >= 0 for value in times.values())
        for phase, first, second in zip(each.phases, POINTS, POINTS[1:], strict=False):
            assert times[second] - times[first] >= phase.shortest - NEAR
        for point, ref in each.times.items():
            assert abs(times[point] - at(ref)) < NEAR
    for constraint in more:
        if any(ref.behavior in dropped for ref in constraint.moments) or "contradicts itself" in str(made.warnings):
            continue
        first = at(constraint.moments[0])
        for ref in constraint.moments[1:]:
            gap = at(ref) - first
            assert {"synchronize": abs(gap) < NEAR, "after": gap > -NEAR, "before": gap < NEAR}[constraint.mode]


def test_no_contradiction_no_drop() -> None:
    generator = np.random.default_rng(5)
    for _ in range(40):
        true = {name: np.cumsum(generator.uniform(0.2, 2.0, 4)) for name in "abcdef"}
        behaviors = []
        for name in "abcdef":
            other, point = generator.choice(list("abcdef")), int(generator.integers(4))
            mine = int(generator.integers(4))
            gap = float(true[name][mine] - true[other][point])
            behaviors.append(behavior(name, (0.5, 0.5, 0.5), **{POINTS[mine]: f"{other}:{POINTS[point]}{gap:+.9f}"}))
        made = schedule(behaviors)
        assert not made.warnings
        assert len(made.times) == 6


def test_the_least_squares_meet_their_bounds_and_nothing_better_does() -> None:
    generator = np.random.default_rng(3)
    for _ in range(20):
        rows, goals = generator.normal(size=(8, 4)), generator.normal(size=8)
        inside = generator.normal(size=4)
        bounds = generator.normal(size=(5, 4))
        least = bounds @ inside - generator.uniform(0, 0.3, 5)
        found = least_squares_above(rows, goals, bounds, least)
        assert found is not None
        assert np.all(bounds @ found >= least - 1e-5)
        cost = np.linalg.norm(rows @ found - goals)
        for _ in range(200):
            other = found + generator.normal(size=4) * generator.uniform(0, 0.5)
            if np.all(bounds @ other >= least):
                assert np.linalg.norm(rows @ other - goals) >= cost - 1e-6


@pytest.mark.parametrize("linked", ["{}:end", "{}:start+0.1"])
def test_long_chains_take_little_time(linked: str) -> None:
    behaviors = [behavior("b0")]
    behaviors += [behavior(f"b{n}", start=linked.format(f"b{n - 1}")) for n in range(1, 1000)]
    began = time.perf_counter()
    made = schedule(behaviors[::-1])
    assert len(made.times) == 1000
    assert time.perf_counter() - began < 10.0
