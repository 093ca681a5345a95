"""Crowds: many bodies, and where they are stepped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.engine import troupe
from mummer.engine.contact import FAR, ROOT_LEAVES, STAYS, clearance, measure
from mummer.engine.ground import level_ground
from mummer.engine.solids import WALKS
from mummer.engine.state import LEFT, LIFT, NEED, WALKING
from mummer.errors import MissingExtraError
from mummer.kernels.cuda import cuda_module
from tests.engine.plain import Plain

ROOT = Path(__file__).parents[2]


def test_a_crowd_on_cuda_does_what_it_does_on_the_cpu_in_the_simulator() -> None:
    told = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    code = "from tests.engine.simulated_crowd import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=told, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["same"], done.stderr[-2000:]


def test_a_root_rises_for_what_needs_it_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(troupe, "CPU", Plain())
    actor = mm.Actor("zoo:spider")
    actor.go(speed=actor.troupe.easy_speed)
    for _ in range(4):
        actor.step(1 / 60)
    body, actors, ground = actor.troupe.body, actor.troupe.actors, level_ground(0.02)
    risen, far, needs = actors.lifts[0, 0, LIFT], FAR * body.frame.height, []
    for joint in body.solids.raised.tolist():
        counts = 1.0 - actors.gait[0, WALKING] if body.solids.yields[joint] >= WALKS else 1.0
        high = clearance(0, joint, body, actors, ground)[0]
        own = body.solids.firm[joint] * risen - high - body.solids.spare[joint]
        needs.append(counts * own - (1.0 - counts) * far)
    needs.append(STAYS * risen + actors.raised[0, 0, LEFT] - ROOT_LEAVES * body.frame.height)
    measure(0, False, body, actors, actor.troupe.goals, ground, 1 / 60)
    assert actors.lifts[0, 0, NEED] == pytest.approx(max(needs), abs=1e-12)


def test_a_crowd_on_a_gpu_does_what_it_does_on_the_cpu() -> None:
    try:
        cuda_module()
    except MissingExtraError as error:
        pytest.skip(f"no NVIDIA GPU here: {error}")
    crowds = [mm.Crowd(["zoo:dog"] * 3, [(0, 0), (2, 0), (4, 0)], backend=backend) for backend in (None, "cuda")]
    for crowd in crowds:
        for actor in crowd:
            actor.go(speed=0.5)
        for _ in range(60):
            crowd.step(1 / 60)
    one, other = (crowd.troupes[0].poses.rotations for crowd in crowds)
    assert np.abs(one - other).max() < 1e-3


def test_a_crowd_on_cuda_without_a_gpu_says_what_is_missing() -> None:
    try:
        cuda_module()
    except MissingExtraError:
        with pytest.raises(MissingExtraError, match="needs the extra 'cuda'"):
            mm.Crowd(["zoo:dog"], [(0, 0)], backend="cuda")
    else:
        pytest.skip("there is a GPU here")
