"""Bridges are what goals ask for at their edges, with its speed and acceleration, and nothing far from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.ik.constraints.track import Bridges, Edge, Gap
from mummer.math.steps import smoother_step

numbers = st.floats(-2.0, 2.0)
vectors = st.tuples(numbers, numbers, numbers).map(np.array)
edges = st.builds(Edge, vectors, vectors, vectors, st.floats(0.05, 0.5))


def derivatives(bridges: Bridges, at: float, direction: float, step: float = 1e-4) -> tuple[np.ndarray, ...]:
    """Value, slope and bend at ``at``, seen from one side."""
    times = at + direction * step * np.arange(4)
    a, b, c, d = bridges(times)[0]
    slope = direction * (-11 * a + 18 * b - 9 * c + 2 * d) / (6 * step)
    return a, slope, (2 * a - 5 * b + 4 * c - d) / step**2


@given(before=edges, after=edges, length=st.floats(0.2, 3.0))
def test_offsets_begin_and_end_as_asked(before: Edge, after: Edge, length: float) -> None:
    bridges = Bridges([Gap(1.0, 1.0 + length, before, after)], 0.4, 3)
    # In a gap this short the two settlings overlap; each is still exact at its own edge.
    for edge, at, direction in ((before, 1.0, 1.0), (after, 1.0 + length, -1.0)):
        value, slope, bend = derivatives(bridges, at, direction)
        assert value == pytest.approx(edge.value, abs=1e-9)
        assert slope == pytest.approx(edge.slope, abs=1e-3)
        assert bend == pytest.approx(edge.bend, abs=0.2)


@given(edge=edges)
def test_a_long_gap_is_let_go_of(edge: Edge) -> None:
    bridges = Bridges([Gap(0.0, 5.0, edge, edge)], 0.4, 3)
    offsets, inside = bridges(np.array([0.6, 2.5, 4.4]))
    assert inside.all()
    assert np.abs(offsets).max() < 1e-12


@given(edge=edges)
def test_too_little_time_at_the_end_holds_the_offset(edge: Edge) -> None:
    bridges = Bridges([Gap(0.0, 0.3, edge, None)], 0.4, 3)
    settled = bridges(np.array([0.3]))[0][0]
    assert settled == pytest.approx(edge.value, abs=1e-9)


def test_nothing_outside_of_gaps() -> None:
    edge = Edge(np.ones(3), np.ones(3), np.ones(3))
    bridges = Bridges([Gap(1.0, 2.0, edge, edge), Gap(3.0, 4.0, edge, edge)], 0.4, 3)
    offsets, inside = bridges(np.array([0.5, 1.5, 2.5, 3.5, 4.5]))
    assert inside.tolist() == [False, True, False, True, False]
    assert not offsets[~inside].any()
    assert not Bridges([], 0.4, 3)(np.array([1.0]))[1].any()


def test_no_easing_is_no_bridge() -> None:
    edge = Edge(np.ones(3), np.ones(3), np.ones(3))
    offsets, _ = Bridges([Gap(0.0, 1.0, edge, edge)], 0.0, 3)(np.array([0.001, 0.5, 0.999]))
    assert np.abs(offsets).max() < 1e-6


def test_smoother_step_is_symmetric() -> None:
    u = np.linspace(-0.5, 1.5, 41)
    assert smoother_step(u) + smoother_step(1 - u) == pytest.approx(np.ones(41))
    assert np.all(np.diff(smoother_step(u)) >= 0)
