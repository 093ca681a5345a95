"""A run that comes right after a walk is run into: nobody halts in between, and nothing jumps."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.clip.standing import Standing
from mummer.engine.troupe import known_body
from mummer.ik import WorldState
from mummer.stage import Tweak
from mummer.stage.director import Director


def play_of(spec: str) -> tuple[mm.Play, float]:
    """Somebody who walks, runs and walks on, and how tall it is."""
    body = known_body(mm.load(spec))
    assert body.anatomy is not None
    tall = body.anatomy.height
    play = mm.Play("onward").actor("a", body).do("a", "walk", name="walk", to=(0, 0, 2 * tall))
    play = play.do("a", "run", name="run", to=(0.4 * tall, 0, 6 * tall))
    return play.do("a", "walk", name="again", to=(0.4 * tall, 0, 8 * tall)), tall


def speeds(cut: mm.stage.Cut) -> tuple[np.ndarray, np.ndarray]:
    """Frames a sixtieth apart, and how fast the body goes over the ground between them, metres a second."""
    clip = cut.clips["a"]
    times = clip.times(60.0)
    places = Standing.of(clip.body).places(clip.frames(times))[0][:, [0, 2]]
    return times, np.linalg.norm(np.diff(places, axis=0), axis=1) * 60


@pytest.mark.parametrize("spec", ["zoo:adult", "zoo:dog", "zoo:snake"])
def test_who_runs_after_walking_does_not_halt(spec: str) -> None:
    play, tall = play_of(spec)
    cut = play.cut()
    times, found = speeds(cut)
    walk, run, again = (cut.done[name] for name in ("walk", "run", "again"))
    usual = float(np.median(found[(times[1:] > walk.key_times["go"]) & (times[1:] < run.begin)]))
    between = (times[1:] > run.begin - 0.5) & (times[1:] < again.begin + 0.5)
    assert found[between].min() > 0.6 * usual
    middle = np.abs(times[1:] - 0.5 * (run.begin + again.begin)) < 0.1 * (again.begin - run.begin)
    assert np.median(found[middle]) > 1.4 * usual
    end = Standing.of(cut.clips["a"].body).places(cut.clips["a"].frames(times[-1:]))[0][0]
    assert np.linalg.norm(end[[0, 2]] - (0.4 * tall, 8 * tall)) < 0.1 * tall
    places = WorldState(cut.clips["a"].body, cut.clips["a"].sample(times)).positions
    jumps = np.abs(np.diff(places, 2, axis=0)).max(axis=(1, 2))
    joins = np.abs(times[1:-1, None] - [run.begin, again.begin]).min(axis=1) < 0.15
    assert jumps[joins].max() <= jumps[~joins].max()


def test_an_edit_of_the_run_is_felt_in_the_walk_and_its_own_words_part_them() -> None:
    play, tall = play_of("zoo:snake")
    director = Director()
    one, other = director.cut(play), director.cut(play.changed("run", values={"pace": 0.7}))
    assert other.done["walk"].key_times["halt"] == pytest.approx(one.done["walk"].key_times["halt"])
    assert other.done["again"].begin > one.done["again"].begin + 0.3
    nod = Tweak(at=1.5, part="head", turn=(10, 0, 0))
    for apart in (
        play.tweaked("run", nod),
        play.changed("run", at=20.0),
        play.changed("run", values={"to": (0, 0, 0)}),
    ):
        times, found = speeds(director.cut(apart))
        halt = director.cut(apart).done["run"].begin
        assert found[np.abs(times[1:] - halt) < 0.6].min() < 0.1 * tall
