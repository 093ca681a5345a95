"""Simulation: bodies carry out what they intend in a world where things weigh, hit and fall."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict, TypeVar, Unpack

import numpy as np

from mummer.arrays import FloatArray, as_number
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.recorded import bake
from mummer.clip.sampled import Sampled
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from mummer.options import require_options
from mummer.physics.balance import BALANCES, Balance
from mummer.physics.figure import Figure, figure_of
from mummer.physics.intent import Intent, intent_of
from mummer.physics.muscle import ACTUATORS, Actuator
from mummer.physics.player import Manner, Player
from mummer.physics.push import Push, parse_push
from mummer.physics.result import Simulated, clip_of, motion_of, thing_clip
from mummer.physics.rising import rise, risen
from mummer.physics.tension import TensionLike, planned_tension, rows_of, tension_of
from mummer.physics.thing import Thing
from mummer.physics.throw import Throw, parse_throw
from mummer.physics.watch import Watch
from mummer.physics.world import World, build, simulator, wxyz, xyzw
from mummer.recognition import recognized
from mummer.report import Report, ReportBuilder
from mummer.script import Plan, Rehearsal

RATE = 60.0
"""Frames a second of what comes out."""
MOST_SECONDS, MOST_METRES = 600.0, 1e6
AFTER = 2.0
"""Seconds that are simulated after the last thing that happens to a body, so that one sees what comes of it."""
CONTROL = 0.008
"""Seconds between two looks of a figure at itself."""
LIES, LONGEST_LIE, STILL = 0.6, 2.5, 0.15
"""Seconds that a body lies at least and at most before it gets up, and how many of its lengths a second are still."""
TRIES = 3
"""How often a body gets up before it stays where it lies."""
FIRMER = (0.0, 0.1, 0.3)
"""Least tension of all joints: what is tried, one after another, until a simulation does not break off."""
TOLD = 0.02
"""Mean force of a guide, in weights of the body, from which on it is told."""


Hit = TypeVar("Hit", Push, Throw)


@dataclass(frozen=True, eq=False)
class Wish:
    """What is to be simulated of one body; see `simulate` for what the fields say."""

    clip: Clip
    tension: TensionLike | None = None
    actuator: Actuator | None = None
    balance: Balance = "auto"
    pushes: Sequence[Push] = ()
    throws: Sequence[Throw] = ()
    get_up: bool = True
    react: bool = True
    plan: Plan | None = None


class Carrying(TypedDict, total=False):
    """How muscles carry a motion out; see `simulate`."""

    tension: TensionLike | None
    actuator: Actuator | None
    balance: Balance
    get_up: bool
    react: bool


def simulate(
    clip: Clip | Rehearsal,
    *,
    pushes: str | Push | Sequence[str | Push] = (),
    throws: str | Throw | Sequence[str | Throw] = (),
    things: Sequence[Thing] = (),
    ground: float | None = None,
    rate: float = RATE,
    **muscles: Unpack[Carrying],
) -> Simulated:
    """A motion carried out by muscles, in a world where things weigh, hit and fall.

    It always gives a motion, and tells what of the intent it could not keep. The same arguments give the same motion.

    Args:
        clip: the intent: any clip of any body; or a rehearsal, whose plan says how tense joints are as well.
        pushes: what hits it: pushes, or their text, as in ``1.2s:chest:left:40``.
        throws: things that hit it at some moment, or their text, as in ``1.2s:ball:chest:front:8``.
        things: things that fly about by themselves.
        ground: metres; where the body stands at rest if None.
        rate: frames a second of what comes out.
        muscles: ``tension``, ``actuator``, ``balance``, ``get_up`` and ``react``, each by its name.
        tension: how stiff joints are held, 0 slack to 1 stiff; a number, a curve of (seconds, number), or either for
            each limb, group, role or joint by name. What swings by itself, such as a tail, is slack if nothing is said.
        actuator: ``pd`` drives joints at the planned speed with the planned torques, and a spring for what is amiss;
            ``antagonistic`` is two muscles that only know where to go, so that slack joints lag, overshoot and swing;
            if None, ``pd``, but ``antagonistic`` where a plan says how tense joints are.
        balance: ``ankle`` balances by the ankles alone, with nothing but real contacts, in a small range; ``wide`` by
            legs and trunk on sticky ground; ``guided`` holds the body to its way by a force of its own, as walks and
            jumps need; ``none`` lets it fall; ``auto`` is ``wide`` for feet that stay, else ``guided``.
        get_up: whether a body that has fallen gets up and goes on.
        react: whether it braces itself when it is hit, and stretches its arms when it tips over.

    Raises:
        InputError: if a number makes no sense, or a part is not known.
        MissingExtraError: if the extra ``physics`` is not installed.

    Example:
        >>> import mummer as mm
        >>> hit = mm.simulate(mm.perform("zoo:adult", "nod"), pushes="0.3s:chest:back:20")
        >>> hit.clip.duration > 1
        True
    """
    require_options(muscles, Carrying, "simulate()")
    hits, thrown = _all(pushes, Push, parse_push), _all(throws, Throw, parse_throw)
    intent, plan = (clip.clip, clip.plan) if isinstance(clip, Rehearsal) else (clip, None)
    wish = Wish(intent, pushes=hits, throws=thrown, plan=plan, **muscles)
    name = intent.body.name if isinstance(intent, Clip) else ""
    return simulate_all({name: wish}, things=things, ground=ground, rate=rate)[name]


def _all(given: str | Hit | Sequence[str | Hit], kind: type[Hit], parse: Callable[[str], Hit]) -> tuple[Hit, ...]:
    """One or several, as they are or as text."""
    several = [given] if isinstance(given, (str, kind)) else list(given)  # type: ignore[arg-type]
    for each in several:
        if not isinstance(each, (str, kind)):
            raise InputError(f"{each!r} is no {kind.__name__.lower()}; expected one or its text")
    return tuple(parse(each) if isinstance(each, str) else each for each in several)


@dataclass(eq=False)
class Taken:
    """What is kept of a figure while it is simulated."""

    clocks: list[float] = field(default_factory=list)
    places: list[FloatArray] = field(default_factory=list)
    turns: list[FloatArray] = field(default_factory=list)


def simulate_all(
    wishes: Mapping[str, Wish], *, things: Sequence[Thing] = (), ground: float | None = None, rate: float = RATE
) -> dict[str, Simulated]:
    """Several bodies in one world, each by its name; see `simulate`."""
    simulator()
    if not wishes:
        raise InputError("nobody is to be simulated; expected at least one clip")
    if not 1.0 <= as_number(rate, "the rate") <= 1000.0:
        raise InputError(f"a rate of {rate:g} frames a second makes no sense; expected 1 to 1000")
    for wish in wishes.values():
        _check(wish)
    clips = {name: _known(wish.clip) for name, wish in wishes.items()}
    figures = [figure_of(clip.body, clip.at(clip.start)) for clip in clips.values()]
    intents = [intent_of(figure, clip) for figure, clip in zip(figures, clips.values(), strict=True)]
    level = _level(figures[0]) if ground is None else as_number(ground, "the height of the ground")
    if not abs(level) < MOST_METRES:
        raise InputError(f"the ground is at {level:g} m; expected less than {MOST_METRES:g} m up or down")
    begin = min(clip.start for clip in clips.values())
    flying = [*things, *_thrown(wishes, clips, figures, level)]
    last = [wish.clip.end - begin for wish in wishes.values()]
    last += [push.time + AFTER for wish in wishes.values() for push in wish.pushes]
    last += [thing.released + AFTER for thing in flying]
    for least in FIRMER:
        world, scaled = build(figures, intents, flying, level)
        players = [
            _player(world, number, figures[number], scaled[number], wish, clips[name], level)
            for number, (name, wish) in enumerate(wishes.items())
        ]
        for player in players:
            player.least = least
        run = Run(world, players, list(wishes.items()), flying, begin, list(clips.values()))
        run.go(min(max(last), MOST_SECONDS), rate)
        if not run.broke:
            break
    return run.results(rate)


def _check(wish: Wish) -> None:
    if not isinstance(wish.clip, Clip):
        raise InputError(f"simulate() expected a clip; got {type(wish.clip).__name__}")
    if wish.actuator is not None and wish.actuator not in ACTUATORS:
        raise UnknownNameError("simulate()", "actuator", str(wish.actuator), ACTUATORS)
    if wish.balance not in BALANCES:
        raise UnknownNameError("simulate()", "balance", str(wish.balance), BALANCES)
    if wish.clip.duration > MOST_SECONDS:
        raise InputError(f"a clip of {wish.clip.duration:g} s is too long; expected at most {MOST_SECONDS:g} s")


def _known(clip: Clip) -> Clip:
    """The clip, of a body whose anatomy is known."""
    if clip.body.anatomy is not None:
        return clip
    baked = bake(clip, RATE)
    return Sampled(recognized(clip.body), baked.recording, report=clip.report)


def _level(figure: Figure) -> float:
    """The height of the ground that the body stands on at rest."""
    anatomy = figure.character.anatomy
    assert anatomy is not None
    return float(anatomy.ground)


def _thrown(
    wishes: Mapping[str, Wish], clips: Mapping[str, Clip], figures: Sequence[Figure], level: float
) -> list[Thing]:
    made: list[Thing] = []
    for figure, (name, wish) in zip(figures, wishes.items(), strict=True):
        for throw in wish.throws:
            made.append(throw.thing(figure, clips[name], f"{throw.shape} {len(made) + 1}", level))
    return made


def _player(world: World, number: int, figure: Figure, intent: Intent, wish: Wish, clip: Clip, level: float) -> Player:
    from mummer.physics.reaction import reactions_of

    tension = tension_of(figure, clip.body, wish.tension)
    if wish.plan is not None and wish.plan.dofs.character is clip.body:
        tension = replace(tension, planned=planned_tension(figure, wish.plan))
    manner = Manner(
        tension, wish.actuator or ("pd" if tension.planned is None else "antagonistic"),
        _chosen(wish.balance, figure, intent, world), reactions_of(figure) if wish.react else (),
    )  # fmt: skip
    return Player(world, number, figure, intent, manner, clip=clip, ground=level)


def _chosen(balance: Balance, figure: Figure, intent: Intent, world: World) -> Balance:
    """``auto`` resolved: feet that all stay where they are balance by themselves."""
    if balance != "auto":
        return balance
    if not figure.soles or not (intent.stands > 0).all():
        return "guided"
    level = intent.places - np.outer(intent.places @ figure.up, figure.up)
    roams = float(np.linalg.norm(np.ptp(level, axis=0))) * world.length
    return "wide" if roams < 0.25 * figure.soles[0].leg else "guided"


class Run:
    """A simulation while it runs."""

    def __init__(
        self, world: World, players: list[Player], wishes: list[tuple[str, Wish]], things: list[Thing], begin: float,
        clips: list[Clip],
    ) -> None:  # fmt: skip
        self.world, self.players, self.wishes, self.things, self.begin = world, players, wishes, things, begin
        self.clips = clips
        self.taken = [Taken() for _ in players]
        self.paths: list[tuple[list[FloatArray], list[FloatArray]]] = [([], []) for _ in things]
        self.watch = Watch(world, [player.figure for player in players], [name for name, _ in wishes], things)
        self.falls: list[list[float]] = [[] for _ in players]
        self.lost = [0.0 for _ in players]
        self.pushes = [self._aimed(number) for number in range(len(players))]
        self.free = [False for _ in things]
        self.broke = False

    def _aimed(self, number: int) -> list[tuple[Push, int]]:
        """The pushes on a figure, with the body of the simulator that each hits."""
        player, wish = self.players[number], self.wishes[number][1]
        return [
            (push, int(player.bodies[rows_of(player.figure, self.clips[number].body, push.part)[0]]))
            for push in wish.pushes
        ]

    def go(self, seconds: float, rate: float) -> None:
        """Simulate so many seconds, and as many more as bodies that fell need to finish."""
        mujoco, model, data = simulator(), self.world.model, self.world.data
        step, every = self.world.step, max(1, round(CONTROL / self.world.step))
        for number in range(len(self.things)):
            self.world.let_touch(number, False)
        self._hold(0.0)
        number, frame, until = 0, 0, seconds
        while True:
            now = number * step
            mujoco.mj_step1(model, data)
            while frame / rate <= now + 1e-9 and frame / rate <= until + 1e-9:
                self._keep()
                frame += 1
            until = min(seconds + max(self.lost), MOST_SECONDS)
            if now > until:
                break
            data.qfrc_applied[:] = 0.0
            if number % every == 0:
                for which in range(len(self.players)):
                    self._control(which, every * step, now)
            self._push(now)
            for player in self.players:
                player.drive()
            mujoco.mj_step2(model, data)
            self._hold(now + step)
            self.watch.look(now, step)
            for player in self.players:
                player.clock += step if player.state != "down" else 0.0
            number += 1
            # MuJoCo puts a world back to its beginning whose numbers have grown beyond all measure, and warns.
            bad = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)
            if any(data.warning[int(which)].number for which in bad) or not np.isfinite(data.qvel).all():
                self.broke = True
                break

    def _control(self, number: int, seconds: float, now: float) -> None:
        player, wish = self.players[number], self.wishes[number][1]
        before = player.state
        player.control(seconds, now)
        if player.state == "down":
            if before != "down":
                self.falls[number].append(now)
            self.lost[number] += seconds if wish.get_up and len(self.falls[number]) <= TRIES else 0.0
            if wish.get_up and self._lies(player) and len(self.falls[number]) <= TRIES:
                rise(player)
        elif player.state == "rising":
            self.lost[number] += seconds
            if player.clock >= player.intent.seconds:
                risen(player)

    def _lies(self, player: Player) -> bool:
        self.players[0].mujoco.mj_subtreeVel(self.world.model, self.world.data)
        speed = float(np.linalg.norm(self.world.data.subtree_linvel[player.root])) / player.size
        return player.since > LONGEST_LIE or (player.since > LIES and speed < STILL)

    def _push(self, now: float) -> None:
        model, data = self.world.model, self.world.data
        for player, aimed in zip(self.players, self.pushes, strict=True):
            for push, body in aimed:
                if push.time <= now < push.time + push.seconds:
                    force = push.toward(player.facing(), player.figure.up) * push.impulse / push.seconds
                    force = force / (self.world.mass * self.world.length)
                    player.mujoco.mj_applyFT(model, data, force, np.zeros(3), data.xipos[body], body, data.qfrc_applied)
                    player.hit(now)

    def _hold(self, now: float) -> None:
        """Keep things where they are held; let go of those that are free from now on."""
        data, length = self.world.data, self.world.length
        for number, thing in enumerate(self.things):
            at, dof = self.world.thing_positions(number)
            held = thing.hold(now)
            if held is not None:
                data.qpos[at : at + 3], data.qpos[at + 3 : at + 7] = held[0] / length, wxyz(held[1])
                data.qvel[dof : dof + 6] = 0.0
            elif not self.free[number]:
                speed, spin = thing.speed(now, self.world.step)
                data.qvel[dof : dof + 3] = speed / length
                turn = xyzw(data.qpos[at + 3 : at + 7])
                data.qvel[dof + 3 : dof + 6] = quaternion.rotate(quaternion.conjugate(turn), spin)
            if self.free[number] != (held is None):
                self.free[number] = held is None
                self.world.let_touch(number, self.free[number])

    def _keep(self) -> None:
        for player, taken in zip(self.players, self.taken, strict=True):
            where, turns = player.snapshot()
            taken.clocks.append(player.kept_clock)
            taken.places.append(where)
            taken.turns.append(turns)
        for number, (places, turned) in enumerate(self.paths):
            body = self.world.things[number]
            places.append(self.world.data.xpos[body] * self.world.length)
            turned.append(xyzw(self.world.data.xquat[body]))

    # What came of it ------------------------------------------------------------------------------------------------

    def results(self, rate: float) -> dict[str, Simulated]:
        """For each body by name."""
        count = len(self.taken[0].clocks)
        times = self.begin + np.arange(count) / rate
        flown = {
            thing.name: thing_clip(thing, times, np.array(places), np.array(turns), rate)
            for thing, (places, turns) in zip(self.things, self.paths, strict=True)
        }
        return {name: self._result(number, times, rate, flown) for number, (name, _) in enumerate(self.wishes)}

    def _result(self, number: int, times: FloatArray, rate: float, things: dict[str, Sampled]) -> Simulated:
        player, taken, clip = self.players[number], self.taken[number], self.clips[number]
        clocks = clip.start + np.minimum(taken.clocks, clip.duration)
        places, turns = np.array(taken.places), np.array(taken.turns)
        frames = motion_of(player.figure, clip, clocks, places, quaternion.continuous(turns))
        events = tuple(event for event in self.watch.events(number, self.begin) if event.time <= times[-1])
        marks = [*_kept_marks(clip, times, clocks), *(Mark(event.time, str(event)) for event in events)]
        marks += [Mark(self.begin + time, "falls") for time in self.falls[number] if self.begin + time <= times[-1]]
        made = clip_of(clip, times, frames, rate, tuple(marks))
        facts = self._facts(number, times, clocks, turns)
        return Simulated(made, events, things, self._report(number, facts), facts)

    def _facts(self, number: int, times: FloatArray, clocks: FloatArray, turns: FloatArray) -> dict[str, float]:
        player, clip = self.players[number], self.clips[number]
        _, rotations = player.figure.world(clip.sample(clocks))
        off = np.degrees(quaternion.angle_between(_locals(player.figure, turns), _locals(
            player.figure, rotations[:, player.figure.joints])))[:, 1:]  # fmt: skip
        mean = player.help.given / max(player.help.seconds, 1e-9)
        return {
            "seconds": float(times[-1] - times[0]),
            "parts": float(len(player.figure)),
            "mean_off_degrees": float(off.mean()) if off.size else 0.0,
            "end_off_degrees": float(off[-1].max()) if off.size else 0.0,
            "falls": float(len(self.falls[number])),
            "guide_mean_weights": mean,
            "guide_most_weights": player.help.most,
        }

    def _report(self, number: int, facts: dict[str, float]) -> Report:
        report, name = ReportBuilder(), self.wishes[number][0]
        report.add_all(self.clips[number].report)
        if self.players[number].least > 0.0:
            report.add("repaired", f"{name!r} is held with a tension of at least {self.players[number].least:g}, "
                       "because so slack a body could not be simulated")  # fmt: skip
        if self.broke:
            report.add("missed", f"the simulation of {name!r} broke off after {facts['seconds']:.2f} s")
        for time in self.falls[number]:
            report.add("missed", f"{name!r} falls at {time:.2f} s")
        if facts["falls"] and self.players[number].state == "down":
            report.add("missed", f"{name!r} does not get up again")
        if facts["guide_mean_weights"] > TOLD:
            report.add("guessed", f"{name!r} is held to its way by {facts['guide_mean_weights']:.2f} of its weight")
        if facts["end_off_degrees"] > 10.0:
            report.add("missed", f"the last pose of {name!r} is {facts['end_off_degrees']:.0f}° off what is planned")
        return report.build()


def _locals(figure: Figure, turns: FloatArray) -> FloatArray:
    """(T, n, 4) turns of parts against their parents, from those in the world."""
    above = np.maximum(figure.parents, 0)
    local = quaternion.multiply(quaternion.conjugate(turns[:, above]), turns)
    local[:, 0] = turns[:, 0]
    return local


def _kept_marks(clip: Clip, times: FloatArray, clocks: FloatArray) -> list[Mark]:
    """The marks of the intent, where it was carried out."""
    kept = []
    for mark in clip.marks:
        begin, end = (float(np.interp(time, clocks, times)) for time in (mark.time, mark.until))
        kept.append(mark.moved(begin, max(begin, end)))
    return kept
