"""The study judged: its problems are what they say, and no flaw of a solver passes unseen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose, violations
from mummer.ik import Problem, Solution
from mummer.ik.problem import make_problem
from mummer.ik.rigid_body import rigid_body
from mummer.ik.solution import goal_errors, make_solution
from mummer.math import quaternion
from tests.ik.study.bodies import body_named, body_names
from tests.ik.study.judge import judge
from tests.ik.study.problems import KINDS, Batch, make_batch
from tests.ik.study.replay import single
from tests.ik.study.run import run_study, shares_of
from tests.ik.study.tally import Tally

COUNT = 8


@dataclass(frozen=True, eq=False)
class Knowing:
    """A solver that has been told the answer, and may spoil it."""

    answer: Pose

    def solve(self, problem: Problem) -> Solution:
        return make_solution(problem, self.answer, "knowing")


@lru_cache
def batches(kind: str, root: str | None = None, name: str = "adult") -> list[Batch]:
    """Batches of a kind, among the first seeds of a body."""
    found = [make_batch(name, mm.zoo.body(name), seed, COUNT) for seed in range(40)]
    return [batch for batch in found if batch.kind == kind and root in (None, batch.root)]


def judged(batch: Batch, **changes: np.ndarray) -> Tally:
    assert batch.answer is not None
    tally = Tally()
    with np.errstate(invalid="ignore"):
        tally.add(batch, judge(batch, Knowing(batch.answer.replace(**changes))))
    return tally


@pytest.mark.parametrize("name", ["adult", "spider", "snake", "creature:3"])
def test_reachable_goals_can_be_reached_within_the_limits(name: str) -> None:
    character = body_named(name)
    assert character is not None
    body = rigid_body(character)
    for seed in range(12):
        batch = make_batch(name, character, seed, COUNT)
        assert violations(body.limits, body.skeleton, batch.start).max() < 1e-6
        if batch.answer is None:
            assert batch.kind != "reachable"
            continue
        assert violations(body.limits, body.skeleton, batch.answer).max() < 1e-6
        problem = make_problem(character, batch.goals, batch.start, root=batch.root)
        assert goal_errors(problem, batch.answer).max() < 1e-9


def test_the_same_seed_gives_the_same_problems() -> None:
    first, second = (make_batch("dog", mm.zoo.body("dog"), 7, COUNT) for _ in range(2))
    np.testing.assert_array_equal(first.start.rotations, second.start.rotations)
    np.testing.assert_array_equal(first.goals[0].at, second.goals[0].at)  # type: ignore[attr-defined]
    other = make_batch("dog", mm.zoo.body("dog"), 8, COUNT)
    assert not np.array_equal(first.start.rotations, other.start.rotations) or first.kind != other.kind


def test_all_kinds_and_roots_come_up() -> None:
    found = [make_batch("dog", mm.zoo.body("dog"), seed, 1) for seed in range(60)]
    assert {batch.kind for batch in found} == set(KINDS)
    assert {batch.root for batch in found} == {"free", "turns", "fixed"}
    assert max(len(batch.goals) for batch in found) > 6
    assert len(body_names("zoo")) == 18
    assert len(body_names("creatures")) == 400


def test_goals_are_moved_by_a_thousandth() -> None:
    batch = batches("reachable")[0]
    height = rigid_body(batch.character).height
    step = batch.moved[0].at - batch.goals[0].at  # type: ignore[attr-defined]
    np.testing.assert_allclose(np.linalg.norm(step, axis=1), 1e-3 * height, rtol=1e-6)


def test_a_perfect_answer_passes() -> None:
    tally = judged(batches("reachable")[0])
    assert tally.counts["reachable"] == COUNT
    assert sum(number for name, number in tally.counts.items() if name not in KINDS) == 0
    summary = tally.summary()
    assert summary["met_share"] == 1.0
    assert summary["met_shares"]["zoo"] == 1.0
    assert len(summary["met_shares"]) == 4


def test_every_flaw_is_seen() -> None:
    batch = batches("reachable", "fixed")[0]
    assert batch.answer is not None
    rotations, root = batch.answer.rotations, batch.answer.root_translation
    assert root is not None
    broken = rotations.copy()
    broken[3, 2] = np.nan
    assert judged(batch, rotations=broken).counts["not finite"] == 1
    assert judged(batch, rotations=1.01 * rotations).counts["not finite"] == COUNT
    knee = batch.character.skeleton.index("left_lower_leg")
    bent = rotations.copy()
    bent[:, knee] = quaternion.multiply(bent[:, knee], quaternion.exp([0, 0.5, 0]))
    assert judged(batch, rotations=bent).counts["past a limit"] == COUNT
    assert judged(batch, root_translation=root + 0.1).counts["root moved"] == COUNT
    assert judged(batch, root_translation=root + 0.1).counts["reachable but missed"] == COUNT
    longer = batch.answer.full_translations(batch.character.skeleton).copy()
    longer[:, 5] *= 1.001
    assert judged(batch, translations=longer).counts["length changed"] == COUNT


def test_a_jump_is_measured() -> None:
    batch = batches("reachable", "free")[0]

    @dataclass
    class Jumping:
        calls: int = 0

        def solve(self, problem: Problem) -> Solution:
            self.calls += 1
            assert batch.answer is not None
            assert batch.answer.root_translation is not None
            moved = batch.answer.root_translation + np.array([0.1 * self.calls, 0, 0])
            return make_solution(problem, batch.answer.replace(root_translation=moved), "jumping")

    jump = judge(batch, Jumping()).jump
    np.testing.assert_allclose(jump, 0.1 / (1e-3 * rigid_body(batch.character).height), rtol=1e-9)


def test_the_worst_cases_can_be_looked_at_again() -> None:
    batch = batches("reachable")[0]
    tally = judged(batch, root_translation=batch.start.root_translation + 0.2)  # type: ignore[operator]
    case = tally.worst["reachable but missed"][0]
    assert (case.body, case.seed) == ("adult", batch.seed)
    assert f"--replay adult {batch.seed} --index {case.index}" in str(case)
    alone = single(batch, case.index)
    assert len(alone.start) == 1
    assert np.shape(alone.goals[0].at) == (3,)  # type: ignore[attr-defined]


def test_tallies_of_several_processes_add_up() -> None:
    one, two = (judged(batch) for batch in batches("reachable")[:2])
    one.refuse("adult", 3, 5, ValueError("no"))
    whole = Tally()
    whole.merge(one)
    whole.merge(two)
    summary = whole.summary()
    assert summary["problems"] == 2 * COUNT
    assert summary["refused"]["ValueError: no"]["problems"] == 5
    assert len(np.concatenate(whole.jumps["reachable"])) == 2 * COUNT


@pytest.mark.parametrize("problems", [1, 500, 20_000, 500_000])
def test_problems_are_spread_over_all_bodies(problems: int) -> None:
    names = body_names("creatures")
    shares = shares_of(names, problems)
    assert sum(shares.values()) == -(-problems // 50)
    assert max(shares.values()) - min(shares.values()) <= 1
    if problems == 500:
        assert [int(name.partition(":")[2]) // 40 for name in shares] == list(range(10))


def test_an_error_of_a_solver_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a solver that breaks")

    monkeypatch.setattr("tests.ik.study.run.judge", fail)
    tallies = list(run_study("mass_weighted", 50, which="snake"))
    assert tallies[0].refused["RuntimeError: a solver that breaks"][0] == 50


def test_a_problem_that_cannot_be_made_is_a_finding_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no such problem")

    monkeypatch.setattr("tests.ik.study.run.make_batch", fail)
    tallies = list(run_study("mass_weighted", 500, which="snake", first_seed=70))
    assert [tally.refused["RuntimeError: no such problem"] for tally in tallies] == [
        (400, "--replay snake 70"),
        (100, "--replay snake 78"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "share"), [("mass_weighted", 0.999), ("particle", 0.99)])
def test_twenty_thousand_problems(solver: str, share: float) -> None:
    whole = Tally()
    for tally in run_study(solver, 20_000, jobs=2):
        whole.merge(tally)
    summary = whole.summary()
    counts = summary["counts"]
    assert not summary["refused"]
    assert [counts[name] for name in ("not finite", "past a limit", "length changed", "root moved")] == [0] * 4
    assert summary["met_share"] >= share
