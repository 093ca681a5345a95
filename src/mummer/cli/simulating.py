"""``--physics``: options with which a motion is carried out by muscles before it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from pathlib import Path

    from mummer.clip import Clip
    from mummer.physics import Push, Simulated
    from mummer.report import Report
    from mummer.script import Rehearsal
    from mummer.stage import Play
    from mummer.stage.cut import Cut


PHYSICS = typer.Option(False, "--physics", help="Carry the motion out with muscles, where things weigh, hit and fall.")
PUSH = typer.Option(
    [], "--push", help="What pushes the body, as in 1.2s:chest:left:40 (newton seconds); implies --physics.",
    metavar="TIME:PART:WAY:IMPULSE",
)  # fmt: skip
THROW = typer.Option(
    [], "--throw", help="What hits it when, as in 1.2s:ball:chest:front:8 (metres a second); implies --physics.",
    metavar="TIME:SHAPE:PART:SIDE:SPEED",
)  # fmt: skip
TENSION = typer.Option(
    [], "--tension", help="How stiff the body or a part is held, 0.1 or left_arm:0.1; slack parts overshoot and swing.",
    metavar="[PART:]0..1",
)  # fmt: skip
BALANCE = typer.Option("auto", "--balance", help="How it keeps up.", metavar="auto|ankle|wide|guided|none")


@dataclass(frozen=True)
class Physics:
    """What ``--physics`` and its companions ask for."""

    asked: bool = False
    pushes: tuple[str, ...] = ()
    throws: tuple[str, ...] = ()
    tension: tuple[str, ...] = ()
    balance: str = "auto"

    @property
    def wanted(self) -> bool:
        """Whether anything is to be simulated."""
        return self.asked or bool(self.pushes or self.throws or self.tension) or self.balance != "auto"

    def check(self) -> None:
        """Raise for whatever could not be done, before a body is built."""
        if self.wanted:
            self.options()

    def options(self) -> dict[str, Any]:
        """Arguments of `simulate`."""
        from mummer.errors import UnknownNameError
        from mummer.physics import parse_push, parse_throw
        from mummer.physics.balance import BALANCES
        from mummer.physics.world import simulator

        simulator()
        if self.balance not in BALANCES:
            raise UnknownNameError("--balance", "way", self.balance, BALANCES)
        tension = dict(_tension(text) for text in self.tension)
        return {
            "pushes": [parse_push(text) for text in self.pushes],
            "throws": [parse_throw(text) for text in self.throws],
            "tension": (tension.get("") if set(tension) == {""} else tension) if tension else None,
            "actuator": "antagonistic" if tension else None,
            "balance": self.balance,
        }


def _tension(text: str) -> tuple[str, float]:
    from mummer.errors import InputError
    from mummer.physics.push import number

    part, _, value = text.rpartition(":")
    found = number(value, f"--tension {text!r}")
    if not 0 <= found <= 100:
        raise InputError(f"--tension {text!r}: {value} makes no sense; expected 0 for slack to 1 for stiff")
    return part.strip(), found


def simulated(clip: Clip | Rehearsal, physics: Physics) -> tuple[Clip, Simulated]:
    """The clip as muscles carry it out, with all that flew about where something did; it begins at 0."""
    from mummer.physics import simulate

    made = simulate(clip, **physics.options())
    return made.scene, made


def simulated_cut(play: Play, pushes: tuple[str, ...], answers: tuple[str, ...]) -> Cut:
    """A play as muscles carry it out; pushes and answers begin with the name of whose they are."""
    from mummer.errors import InputError
    from mummer.physics import parse_push
    from mummer.stage.simulated import answered

    for text in answers:
        if not all(text.partition(":")):
            raise InputError(f"--answer {text!r}: expected an actor and an action, as in ann:flinch")

    given: dict[str, tuple[Push, ...]] = {}
    for text in pushes:
        actor, _, rest = text.partition(":")
        given[actor] = (*given.get(actor, ()), parse_push(rest))
    return answered(play, {who: what for who, _, what in (text.partition(":") for text in answers)}, given)


def simulate_file(path: Path, names: tuple[str, ...], physics: Physics) -> Report:
    """Carry out the motions of a file with muscles, and write it again; those of these names, or all."""
    from mummer.clip.sampled import Sampled
    from mummer.io import load, save
    from mummer.recognition import recognized
    from mummer.report import ReportBuilder

    character, report = recognized(load(path)), ReportBuilder()
    options, made = physics.options(), []
    for recording in character.recordings:
        if names and recording.name not in names:
            made.append(recording)
            continue
        one = _simulate(Sampled(character, recording), options)
        made.append(one.clip.to_recording(recording.frame_rate, name=recording.name))
        report.add_all(one.report)
    save(character.with_recordings(*made, only=True), path)
    return report.build()


def _simulate(clip: Clip, options: dict[str, Any]) -> Simulated:
    from mummer.physics import simulate

    return simulate(clip, **options)
