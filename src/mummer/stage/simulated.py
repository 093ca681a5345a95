"""A cut carried out by muscles: everybody in one world, and what is let go of flies, hits and rolls there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.clip import Clip
from mummer.errors import UnknownNameError
from mummer.math.rigid import Rigid
from mummer.physics import Push, Thing, Wish, simulate_all
from mummer.physics.thing import SHAPES
from mummer.report import ReportBuilder
from mummer.stage.cut import Cut
from mummer.stage.play import Play
from mummer.stage.prop_path import Flying, Held, Phase, PropPath, Shared

NOTICED = 0.12
"""Seconds after a hit at which somebody begins to answer it."""


@dataclass(frozen=True, eq=False)
class Simulated:
    """What a prop did in a simulation."""

    clip: Clip

    def at(self, times: FloatArray) -> Rigid:
        """See `Phase`."""
        poses = self.clip.sample(times)
        assert poses.root_translation is not None
        return np.array(poses.root_translation), np.array(poses.rotations[:, 0])


def simulated(cut: Cut, pushes: Mapping[str, tuple[Push, ...]] | None = None, **options: Any) -> Cut:
    """The cut as muscles carry it out.

    Args:
        cut: of a play.
        pushes: what pushes whom, by the names of actors.
        options: of `mummer.physics.Wish`, the same for everybody.

    Raises:
        UnknownNameError: if somebody is pushed who is not on stage.
    """
    given = pushes or {}
    for name in given:
        if name not in cut.clips:
            raise UnknownNameError(f"play {cut.name!r}", "actor", name, cut.clips)
    wishes = {name: Wish(clip, pushes=given.get(name, ()), **options) for name, clip in cut.clips.items()}
    loose = {name: path for name, path in cut.paths.items() if isinstance(path.last, Flying) and _shape(path)}
    made = simulate_all(wishes, things=[_thing(name, path) for name, path in loose.items()], ground=0.0)
    clips: dict[str, Clip] = {name: one.clip for name, one in made.items()}
    report = ReportBuilder()
    report.add_all(cut.report)
    for one in made.values():
        report.add_all(one.report)
    things = next(iter(made.values())).things
    paths = {
        name: replace(path, phases=((0.0, Simulated(things[name])),)) if name in loose else _carried(path, clips)
        for name, path in cut.paths.items()
    }
    return replace(cut, clips=clips, paths=paths, report=report.build())


def answered(play: Play, answers: Mapping[str, str], pushes: Mapping[str, tuple[Push, ...]] | None = None) -> Cut:
    """A play carried out by muscles in which who is hit or pushed answers with an action, such as ``flinch``.

    It is simulated, cut again with the answer soon after the first hit, and simulated again.

    Args:
        play: any.
        answers: which action each answers with, by the names of actors.
        pushes: see `simulated`.

    Raises:
        UnknownNameError: if somebody answers or is pushed who is not on stage, or there is no such action.
    """
    cut = simulated(play.cut(), pushes)
    for actor, model in answers.items():
        if actor not in cut.clips:
            raise UnknownNameError(f"play {play.name!r}", "actor", actor, cut.clips)
        when = _hit(cut.clips[actor], (pushes or {}).get(actor, ()))
        if when is None:
            continue
        own = [done for done in cut.done.values() if done.doing.actor == actor and not done.doing.over]
        going = [done.doing.name for done in own if done.begin <= when < done.key_times.end]
        said = {"over": going[-1]} if going else {}
        play = play.do(actor, model, name=f"{actor} answers", at=when + NOTICED, **said)
        cut = simulated(play.cut(), pushes)
    return cut


def _hit(clip: Clip, pushes: tuple[Push, ...]) -> float | None:
    """Seconds at which somebody is first hit by something else than the ground, or pushed."""
    hits = [mark.time for mark in clip.marks if " hits " in mark.name and not mark.name.startswith("ground ")]
    return min([*hits, *(push.time for push in pushes)], default=None)


def _carried(path: PropPath, clips: Mapping[str, Clip]) -> PropPath:
    """The path with what its holders did."""
    phases: list[tuple[float, Phase]] = [
        (begin, phase.by(clips) if isinstance(phase, (Held, Shared)) else phase) for begin, phase in path.phases
    ]
    return replace(path, phases=tuple(phases))


def _shape(path: PropPath) -> str:
    return next((name for name in path.body.skeleton.names if name in SHAPES), "")


def _thing(name: str, path: PropPath) -> Thing:
    begin, size = path.phases[-1][0], float(np.ptp(path.body.meshes[0].positions, axis=0).max())
    last = path.last
    assert isinstance(last, Flying)
    assert path.body.mass is not None

    def held(time: float) -> Rigid | None:
        if time >= begin:
            return None
        places, turns = path.at([time])
        return places[0], turns[0]

    return Thing(
        name, _shape(path), size, path.body.mass.total, velocity=last.velocity, spin=last.spin, held=held,
        released=begin,
    )  # fmt: skip
