"""How the core seeks, as plain Python: what is met at once, begun anew, settled with home in mind, or gives way."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import ik
from mummer.character import Pose
from mummer.ik.numeric import descent
from mummer.ik.numeric import records as col
from mummer.ik.numeric.descent import ATTEMPT_STEPS, OFTEN, come_near, prepare, seek, spare_the_impossible
from mummer.ik.numeric.posing import copy_stance
from mummer.ik.numeric.records import How
from tests.ik.numeric.core import Core, core_of
from tests.ik.numeric.making import arm, random_poses

BODY = arm()
TIP = len(BODY.skeleton) - 1
REST = Pose.rest(BODY.skeleton, (1,))
SHOULDER = ik.WorldState(BODY, REST).positions[0, 1]
ELBOW = 2


def bent(seed: int, joint: int = TIP) -> np.ndarray:
    """Where a joint is in a pose that the arm can take."""
    pose = random_poses(BODY, np.random.default_rng(seed), 1).replace(root_translation=REST.root_translation)
    rotations = pose.rotations.copy()
    rotations[:, 0] = REST.rotations[:, 0]
    return ik.WorldState(BODY, pose.replace(rotations=rotations)).positions[0, joint]


def ready(*goals: ik.Goal, root: str = "fixed", **changes: float) -> Core:
    """The core as the kernel has it before it seeks."""
    made = core_of(ik.make_problem(BODY, goals, REST, root=root))
    usual = {"attempts": 3, "steps": 60, "stride": 0.5 * made.goals.how.height, "restitution": 1e-3}
    how = How(**{**made.goals.how._asdict(), **usual, **changes})
    made = Core(made.body, made.goals._replace(how=how), made.work, made.plan)
    copy_stance(made.work.stance, made.work.home)
    prepare(made.goals, made.body, made.work, np.full(len(BODY.skeleton), 0.01))
    spare_the_impossible(made.goals, made.body, made.work.stance, made.work.world)
    come_near(made.goals, made.body, made.work)
    return made


def tip_of(made: Core) -> np.ndarray:
    made.look()
    return made.world[TIP, col.PLACE_AT : col.PLACE_AT + 3].copy()


@pytest.mark.parametrize("seed", range(4))
def test_what_is_within_reach_is_met_and_nothing_gives_way(seed: int) -> None:
    target = bent(seed)
    made = ready(ik.Place(TIP, at=target))
    steps = seek(made.goals, made.body, made.work)
    assert 0 < steps <= 60
    assert np.linalg.norm(tip_of(made) - target) <= 1.01 * made.goals.how.near
    assert made.goals.labels[0, col.HARD] == 1


def test_the_way_there_is_no_longer_than_it_must_be() -> None:
    start = tip_of(ready(ik.Place(TIP, at=SHOULDER)))
    turned = []
    for far in (0.0, 0.05, 0.2):
        made = ready(ik.Place(TIP, at=start - far * np.array([0.8, 0.0, 0.6])))
        seek(made.goals, made.body, made.work)
        turned.append(
            np.abs(made.stance[:, col.ANGLE : col.ANGLE + 3] - made.work.home[:, col.ANGLE : col.ANGLE + 3]).sum()
        )
    assert turned[0] < 1e-6
    assert turned[0] < turned[1] < turned[2]


def test_what_is_out_of_reach_gives_way_and_is_pointed_at() -> None:
    target = SHOULDER + np.array([1.5, -2.0, 0.0])
    made = ready(ik.Place(TIP, at=target))
    assert made.goals.labels[0, col.HARD] != 1
    seek(made.goals, made.body, made.work)
    assert made.goals.labels[0, col.HARD] == 3
    before = np.linalg.norm(ik.WorldState(BODY, REST).positions[0, TIP] - target)
    assert np.linalg.norm(tip_of(made) - target) < before


def test_a_root_that_travels_comes_along() -> None:
    target = SHOULDER + np.array([5.0, 0.0, 0.0])
    made = ready(ik.Place(TIP, at=target), root="free")
    assert np.linalg.norm(tip_of(made) - target) < 4.0
    seek(made.goals, made.body, made.work)
    np.testing.assert_allclose(tip_of(made), target, atol=2.0 * made.goals.how.near)


def test_what_keeps_to_one_side_is_left_alone_there_and_brought_back_from_the_other() -> None:
    height = tip_of(ready(ik.Place(TIP, at=SHOULDER)))[1]
    for floor, moves in ((height - 0.1, False), (height + 0.1, True)):
        made = ready(ik.HalfSpace(TIP, distance=floor))
        seek(made.goals, made.body, made.work)
        lifted = tip_of(made)[1] - height
        assert (abs(lifted) > 0.05) == moves
        assert tip_of(made)[1] >= floor - made.goals.how.near


def told(made: Core, monkeypatch: pytest.MonkeyPatch, misses: list[list[float]]) -> list[tuple[float, int]]:
    """Seek where each descent ends with what the next row says all entries lack; how each was asked to descend."""
    asked: list[tuple[float, int]] = []

    def descend(goals, body, work, home, settle, most):
        asked.append((settle, most))
        row = misses[min(len(asked), len(misses)) - 1]
        work.rows[col.MISS] = np.repeat(np.array(row) / np.sqrt(3.0), 3)
        work.rows[col.AHEAD] = work.rows[col.MISS]
        return 1

    monkeypatch.setattr(descent, "descend", descend)
    monkeypatch.setattr(descent, "look", lambda *_: None)
    seek(made.goals, made.body, made.work)
    return asked


def two(**changes: float) -> Core:
    return ready(ik.Place(TIP, at=bent(1)), ik.Place(ELBOW, at=bent(1, ELBOW)), **changes)


def test_who_is_there_at_once_does_not_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made = two()
    assert told(made, monkeypatch, [[0.0, 0.0]]) == [(made.goals.how.settle, made.goals.how.steps)]


def test_a_beginning_that_meets_all_is_settled_with_home_in_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    made = two()
    asked = told(made, monkeypatch, [[0.9, 0.9], [0.9, 0.9], [0.0, 0.0], [0.0, 0.0]])
    usual, anew = (made.goals.how.settle, made.goals.how.steps), (1.0, ATTEMPT_STEPS)
    assert asked == [usual, anew, anew, usual]
    assert np.all(made.goals.labels[:, col.HARD] == 1)


@pytest.mark.parametrize("attempts", [0, 1, 3])
def test_no_more_beginnings_are_made_than_may_be_and_then_the_guiltiest_gives_way(
    attempts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = two(attempts=attempts)
    # Each time a little less is missed, so that none is like the one before.
    row = [[0.5 * 0.9**n, 0.9 * 0.9**n] for n in range(attempts + 1 + bool(attempts))]
    asked = told(made, monkeypatch, [*row, [0.0, 0.0]])
    begun = sum(most == ATTEMPT_STEPS for _, most in asked)
    assert begun == (attempts + 1 if attempts else 0)
    assert made.goals.labels[:, col.HARD].tolist() == [1, 2]
    assert asked[-1] == (made.goals.how.settle, made.goals.how.steps)


def test_misses_that_come_again_and_again_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    made = two(attempts=50)
    asked = told(made, monkeypatch, [*[[0.5, 0.9]] * 20, [0.0, 0.0]])
    begun = sum(most == ATTEMPT_STEPS for _, most in asked)
    assert OFTEN <= begun < 2 * OFTEN
    assert 2 in made.goals.labels[:, col.HARD]


def test_what_is_all_but_met_is_pulled_harder_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = two()
    before = made.goals.values[:, col.STRENGTH].copy()
    little = 3.0 * made.goals.how.near
    asked = told(made, monkeypatch, [[little, little], [0.0, 0.0]])
    assert len(asked) == 2
    assert np.all(made.goals.values[:, col.STRENGTH] > 2.0 * before)
