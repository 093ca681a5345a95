"""Motion models as behaviours: performed at once, or from sets of recordings that may be swapped at any moment."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.behavior import Performer, make
from mummer.behavior.modeled import Shown
from mummer.behavior.played import Played
from mummer.errors import UnknownNameError
from mummer.model import load_model, load_style

TARGET = (0.4, 1.25, 0.35)


@pytest.fixture(scope="module")
def reaches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three recorded reaches of a child, as a set."""
    folder = tmp_path_factory.mktemp("set")
    lines = ['version = 1\nname = "mine"\nmodel = "reach"']
    for number, target in enumerate([(-0.2, 0.8, 0.3), (-0.3, 1.0, 0.25), (-0.15, 1.1, 0.3)]):
        mm.act("zoo:child", "reach", hand="right", target=target).clip.save(folder / f"{number}.glb", rate=30)
        lines.append(f'[[motion]]\nfile = "{number}.glb"\nmirrored = true')
    (folder / "mine.toml").write_text("\n".join(lines))
    return folder / "mine.toml"


def played(who: Performer, behavior) -> tuple[float, float]:
    """How near a hand comes to the target at the stroke, and how far any joint goes in a frame."""
    running, last, fastest, near = who.start(behavior), who.posed.world[0].copy(), 0.0, math.inf
    while not running.is_over:
        time = who.time - running.start
        who.step(1 / 60)
        fastest = max(fastest, float(np.linalg.norm(who.posed.world[0] - last, axis=1).max()))
        last = who.posed.world[0].copy()
        if behavior.syncs["stroke_start"] <= time <= behavior.syncs["relax"]:
            near = min(near, *(math.dist(who.posed.place(hand.joint), TARGET) for hand in who.hands.hands))
    return near, fastest


def test_a_set_of_recordings_is_taken_up_blended_and_given_up_at_run_time(reaches: Path) -> None:
    who = Performer("zoo:adult", world={"gem": TARGET})
    assert isinstance(make("model", who, name="reach", values={"target": "gem"}), Played)
    who.sets["mine"] = load_style(reaches, load_model("reach"))
    who.start(make("style", who, name="mine"))
    who.step(1 / 60)
    first = make("model", who, name="reach", values={"target": "gem"})
    assert isinstance(first, Shown)
    near, fastest = played(who, first)
    assert near < 0.005
    assert fastest < 0.06
    who.start(make("style", who, name="performed", model="reach"))
    who.step(1 / 60)
    assert isinstance(make("model", who, name="reach", values={"target": "gem"}), Played)
    with pytest.raises(UnknownNameError, match="has no set 'none'"):
        make("style", who, name="none")


def test_who_jumps_lands_where_it_was_told_and_stands_there() -> None:
    who = Performer("zoo:adult", at=(1.0, 0.5), heading=0.5)
    feet = list(who.physique.anatomy.capabilities["foot"])
    _, fastest = played(who, make("model", who, name="jump", values={"to": (1.4, 0.0, 1.2)}))
    for _ in range(90):
        last = who.posed.world[0].copy()
        who.step(1 / 60)
        fastest = max(fastest, float(np.linalg.norm(who.posed.world[0] - last, axis=1).max()))
    assert np.linalg.norm(who.posed.world[0][feet].mean(0)[[0, 2]] - [1.4, 1.2]) < 0.15
    assert fastest < 0.15


def test_a_sketch_changes_how_it_is_done() -> None:
    who = Performer("zoo:adult")
    old, plain = make("sketched", who, animation="wave", sketch="old_man"), make("animation", who, lexeme="wave")
    assert old.duration > plain.duration
    with pytest.raises(UnknownNameError, match="sketch"):
        make("sketched", who, animation="wave", sketch="nobody")


def test_a_combination_is_shown_by_who_behaves() -> None:
    who = Performer("zoo:adult", world={"glass": (0.0, 1.6, 1.2)})
    made = make("model", who, name="preen", values={"mirror": "glass"})
    assert isinstance(made, Shown)
    running, fastest, last = who.start(made), 0.0, who.posed.world[0].copy()
    while not running.is_over:
        who.step(1 / 60)
        fastest = max(fastest, float(np.linalg.norm(who.posed.world[0] - last, axis=1).max()))
        last = who.posed.world[0].copy()
    assert 0.01 < fastest < 0.09  # as fast as fingertips go that come up to a head
