"""One step: whatever happens on the way, what is shown is how joints are, and what is over asks for nothing."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.engine.state import BEHIND, no_goals
from mummer.math import quaternion

STEP = 1.0 / 30.0


@pytest.fixture
def actor() -> mm.Actor:
    return mm.Actor("zoo:dragon", at=(0, 0), heading=0.0, ground=0.0)


def test_joints_are_turned_as_they_are_bent_and_shown_so(actor: mm.Actor) -> None:
    frame, actors, poses = actor.troupe.body.frame, actor.troupe.actors, actor.troupe.poses
    behind = 0.0
    for moment in range(60):
        if moment % 20 == 0:
            # Who is turned about is to jump.
            actors.stage[0, 2] += 1.0
            actor.play("wave" if moment else "sit")
        actor.step(STEP)
        bends, turns, parents = actors.bends[0], actors.turns[0], frame.parents[1:]
        np.testing.assert_allclose(turns[1:], quaternion.multiply(turns[parents], bends[1:]), atol=1e-12)
        arms = quaternion.rotate(turns[parents], frame.bones[1:])
        np.testing.assert_allclose(actors.places[0, 1:], actors.places[0, parents] + arms, atol=1e-12)
        shown = np.concatenate([turns[:1], bends[1:]])
        files = quaternion.multiply(quaternion.multiply(frame.before, shown), frame.after)
        np.testing.assert_allclose(poses.rotations[0], files, atol=1e-12)
        behind += float(actors.settled[0, frame.early == 0, BEHIND].sum())
    assert behind > 0.0


def test_what_is_over_asks_for_nothing(actor: mm.Actor) -> None:
    goals = actor.troupe.goals
    play = actor.play("wave")
    for _ in range(30):
        actor.step(STEP)
    assert goals.asked[0] == 1.0
    assert goals.turns[0, :, 4].any() or goals.places[0, :, 3].any()
    play.stop()
    while not play.is_over:
        actor.step(STEP)
    actor.step(STEP)
    nothing = no_goals(actor.troupe.body, 1, goals.morphs.shape[1])
    for name in ("asked", "root", "free", "down", "lies", "exact", "grips", "closed", "bends", "morphs"):
        np.testing.assert_array_equal(getattr(goals, name), getattr(nothing, name), err_msg=name)
    for weights in (goals.places[..., 3], goals.touched[..., 1], goals.turns[..., 4], goals.asked_turns[..., 4]):
        assert not weights.any()
