"""Perform: one call from a body and names of animations to a clip. The live engine plays, and is recorded."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import numpy as np

from mummer.arrays import FloatArray, IntArray, as_floats, as_number
from mummer.character import Character
from mummer.clip import Mark, Wish
from mummer.clip.recorded import recorded
from mummer.clip.sampled import Sampled
from mummer.engine.body import body_of
from mummer.engine.ground import Ground, Heights, ground_of
from mummer.engine.recording import Taken, take
from mummer.engine.score import EXACT, PLACE, TOWARD, point_of
from mummer.engine.state import AIM, ON_RAILS, TARGETS, TEMPO, WHEN
from mummer.engine.tables import RATE as ROWS
from mummer.engine.troupe import Troupe, known_body
from mummer.errors import InputError
from mummer.general.animated import Animated
from mummer.general.animation import Animation, animation_names, load_animation
from mummer.general.gait import style_names
from mummer.general.gait.curves import Curves
from mummer.general.gait.natural import natural_style
from mummer.general.gait.path import Ends, Way, path_of, travel
from mummer.general.gait.path import Path as Route
from mummer.general.gait.strokes import IDLE
from mummer.general.physique import Physique, physique_of
from mummer.ik.moving import Target, at_times
from mummer.io.subjects import BodyLike, as_character, kind_of
from mummer.math import quaternion
from mummer.options import require_options
from mummer.report import ReportBuilder

RATE = 120.0
"""Frames a second, at least, at which a performance is played."""
FINE = 12.0
"""Frames, at least, in a unit of time of the body: small ones are quick."""
QUICKEST = 480.0
"""Frames a second, at most."""
SETTLING, STILLNESS, LONGEST_HALT, WARMING_UP = 4.0, 1.0, 40.0, 25.0
"""In units of time: over how long changes of speed are spread where the way is known; how long a body stands before it
goes and when it has come; how long it takes at most until its feet are together; how long it has gone on already."""
SWUNG = 12.0
"""Seconds in which what swings has swung in: long tails take a while."""
CHAIN = 3
"""How many parts wait for one another: a hand goes to the mouth of a head that goes with the spine."""
MISSED = 0.02
"""Parts of the body's height by which a place is missed, and told."""
NOTHING = -2
"""Stands for no part that is to be touched, and no place."""
LONGEST, FARTHEST = 3600.0, 1e6
"""Seconds that a performance takes, and metres to what it reaches for, at most."""
FULLY = 0.99
"""The weight from which on a place is wanted for good."""


@dataclass(frozen=True, eq=False, repr=False)
class Performance(Sampled):
    """What a body did: a recording of the live engine, a pure function of time.

    Attributes:
        variants: of each animation the parts that were chosen to play it, or nothing.
        loops: whether its end flows into its start.
    """

    variants: tuple[str, ...] = ()
    loops: bool = False

    @property
    def physique(self) -> Physique:
        """The body as general animation sees it."""
        return physique_of(self.character)


class Going(TypedDict, total=False):
    """Where a body goes while it performs; see `perform`."""

    path: Way
    pace: float | None
    ground: Heights | Ground | float | None
    ends: Ends


def perform(
    body: BodyLike,
    *animations: str | Path | Animation,
    target: Target | Mapping[str, Target] | None = None,
    variant: str | None = None,
    speed: float = 1.0,
    duration: float | None = None,
    sway: bool = True,
    **going: Unpack[Going],
) -> Performance:
    """A body plays animations, all at once; later ones over earlier ones.

    Args:
        body: a path, ``zoo:NAME``, a character or a clip of one; recognised if nobody knows its anatomy yet.
        animations: names of the library, files, or animations; and names of gaits, such as ``walk``, several of which
            make one gait.
        target: where the thing is that animations reach for, (3,) metres in the world or moving; a place that the body
            can reach if None. Where animations name several things, the places by these names.
        variant: which way to play, by the joints that do: ``left_hand``; the one nearest to the target if None.
        speed: how fast animations play, 1 as they were made, and gaits go, 1 as suits the body.
        duration: seconds; as long as the longest, or one round of those that loop, if None.
        sway: whether tails, ears and the like that nothing moves swing along.
        going: ``path``, ``pace``, ``ground`` and ``ends``, each by its name.
        path: where to go: rows of x and z, of seconds, x and z, or of these and a heading; a velocity, which is a
            function of times (T,) that gives (T, 2) metres a second along x and z; straight ahead for a gait if None.
        pace: metres a second along the path; what suits the body, times ``speed``, if None.
        ground: the height of the ground as a function of x and z; level if None.
        ends: whether who goes somewhere stands before and after, or is on the way already and goes on (``moving``).

    Returns:
        A clip, whose ``report`` says what was guessed, left out or missed.

    Raises:
        InputError: if an animation is not for this body.

    Example:
        >>> import mummer as mm
        >>> clip = mm.perform("zoo:adult", "wave")
        >>> clip.body.name
        'adult'
    """
    require_options(going, Going, "perform()")
    path, pace, ends = going.get("path"), going.get("pace"), going.get("ends", "stand")
    if not animations and path is None:
        raise InputError("nothing to perform; expected the name of an animation, such as 'wave'")
    if not 0 < as_number(speed, "the speed") < np.inf:
        raise InputError(f"a speed of {speed:g} makes no sense; expected a positive number")
    if duration is not None and not 0 < as_number(duration, "the duration") < np.inf:
        raise InputError(f"a duration of {duration:g} s makes no sense; expected a positive number")
    character = known_body(_body_of(body, animations))
    physique = physique_of(character)
    styles = [one for one in animations if isinstance(one, str) and one in style_names()]
    loaded = [load_animation(one) for one in animations if one not in styles]
    route = None
    if styles or path is not None:
        easy = speed * body_of(character).legs.easy if pace is None else pace
        route = path_of(physique, path, speed=easy, duration=duration, ends=ends)
    known = dict(target) if isinstance(target, Mapping) else {} if target is None else {"": target}
    _require_bounded(known, max(duration or 0.0, 0.0 if route is None else float(np.ptp(route.times))))
    stage = _Stage(character, physique, styles or [natural_style(physique)], route, going.get("ground"), sway=sway)
    drivers = [stage.play(one, known, variant, speed) for one in loaded]
    rounds = [one.duration / speed for one in loaded if one.loop]
    once = [one.duration / speed for one in loaded if not one.loop]
    lasting = max(once or rounds, default=0.0) if duration is None else duration
    loops = not once and (route is None or ends == "moving")
    if loops and route is None:
        stage.beat_in_time(lasting)
    start, taken = stage.record(lasting, fixed=duration is not None, before=_already(rounds) if loops else 0.0)
    title = " ".join([*(styles or (["go"] if route else [])), *(one.name for one in loaded)])
    count = len(taken.frames.rotations)
    times = start + stage.seconds * np.arange(count)
    marks = tuple(mark for driver in drivers for mark in _marks(driver, times[-1], speed))
    wishes = stage.wishes(taken, times)
    recording = recorded(
        times, taken.frames.to_pose(), np.arange(len(character.skeleton)), rate=1.0 / stage.seconds, name=title,
        marks=marks,
    )  # fmt: skip
    return Performance(
        character, recording, report=stage.report.build(), variants=tuple(driver.variant.name for driver in drivers),
        loops=loops, wishes=wishes,
    )  # fmt: skip


class _Stage:
    """An actor who is recorded: where the future is known, the way is planned from it."""

    def __init__(
        self, character: Character, physique: Physique, styles: Sequence[str], route: Route | None,
        ground: Heights | Ground | float | None, *, sway: bool,
    ) -> None:  # fmt: skip
        front = physique.anatomy.front
        self.physique, self.report, self.route = physique, ReportBuilder(), route
        self.way: Curves | None = None
        stage = np.array([[*physique.origin[[0, 2]], math.atan2(front[0], front[2])]])
        below = ground_of(ground, float(physique.origin[1]), stage if route is None else route.places)
        self.troupe = Troupe(character, stage, style=tuple(styles), ground=below, sway=sway)
        self.unit = float(self.troupe.body.legs.unit)
        self.seconds = 1.0 / min(max(RATE, math.ceil(FINE / self.unit)), QUICKEST)
        if route is not None:
            margin = (2.0 * SETTLING + WARMING_UP + LONGEST_HALT) * self.unit
            self.way = travel(
                route, start=route.times[0] - margin, end=route.times[-1] + margin, step=self.seconds,
                settling=SETTLING * self.unit,
            )  # fmt: skip
            self.troupe.stand_at(0, self.way(np.array([0.0]))[0])
            self.troupe.wishes.places[0, 3] = ON_RAILS
        if self.troupe.whole is not None:
            hung = ", ".join(character.skeleton.names[joint] for joint in self.troupe.whole.loose)
            self.report.add("repaired", f"these hang from elsewhere and are carried by their limbs: {hung}")
        self.moving: list[tuple[int, int, str, Target]] = []
        self.played: list[tuple[int, float]] = []

    def play(self, animation: Animation, targets: Mapping[str, Target], variant: str | None, speed: float) -> Animated:
        """Let an animation begin."""
        now = {name: at_times(place, 3, 1, np.zeros(1), _named(name))[0] for name, place in targets.items()}
        driver, places = self.troupe.bound(animation, 0, now, variant, self.report)
        score = self.troupe.score(driver)
        self.played.append((score, speed))
        slot = self.troupe.play(0, score, places, speed, faded=1.0)
        for number, name in enumerate(driver.outside):
            if callable(targets.get(name)):
                self.moving.append((slot, TARGETS + number * AIM, name, targets[name]))
        return driver

    def beat_in_time(self, lasting: float) -> None:
        """Let fins and wings beat a whole number of times in so many seconds: what repeats ends as it began."""
        waves, share = self.troupe.body.waves, (0.5 + 0.5 * IDLE) * lasting / (2.0 * math.pi)
        beat, wing = (max(round(each * share), 1) / share for each in (float(waves.beat), float(waves.wing)))
        self.troupe.body = self.troupe.body._replace(waves=waves._replace(beat=beat, wing=wing))

    def record(self, lasting: float, *, fixed: bool, before: float) -> tuple[float, Taken]:
        """Record until animations have been played and the way has been gone; seconds of the first frame, and frames.

        Args:
            lasting: seconds that animations last.
            fixed: whether that is all that is wanted, however far the way leads.
            before: seconds for which everything has been going on already.
        """
        start, end = 0.0, lasting
        if self.way is not None and self.route is not None:
            if self.route.ends == "moving":
                start, before = float(self.route.times[0]), max(before, WARMING_UP * self.unit)
                end = lasting if fixed else max(float(self.route.times[-1]), lasting)
            else:
                first, last = _going(self.way)
                start = min(0.0, first - STILLNESS * self.unit)
                end = lasting if fixed else max(last + STILLNESS * self.unit, lasting)
        count = max(1, round((end - start) / self.seconds))
        if not fixed or self.way is None:
            self.seconds = (end - start) / count
        early = round(before / self.seconds)
        plays = self.troupe.actors.plays[0]
        plays[:, WHEN] = (start - early * self.seconds) * plays[:, TEMPO]
        self._place(start - early * self.seconds)
        for frame in range(early):
            self._direct(start + (frame + 1 - early) * self.seconds)
            self.troupe.step(self.seconds)
        stands = self.route is not None and self.route.ends == "stand" and not fixed
        return start, take(
            self.troupe, 0, count, self.seconds, lambda frame: self._direct(start + frame * self.seconds),
            more=round(LONGEST_HALT * self.unit / self.seconds) if stands else 0,
            still=round(STILLNESS * self.unit / self.seconds) if stands else 0,
        )  # fmt: skip

    def _place(self, time: float) -> None:
        """Put the actor where its way begins, in the pose in which animations begin."""
        if self.way is not None:
            self.troupe.stand_at(0, self.way(np.array([time]))[0])
        for _ in range(CHAIN):
            self.troupe.step(0.0)

    def _direct(self, time: float) -> None:
        """Say what is wanted at a moment that is known."""
        if self.way is not None:
            step = self.way.step
            before, here, after = self.way(np.array([time - step, time, time + step]))
            self.troupe.actors.stage[0] = here
            self.troupe.actors.motion[0, :3] = (after - before) / (2.0 * step)
            self.troupe.actors.motion[0, 3:] = (after - 2.0 * here + before) / step**2
        for slot, column, name, place in self.moving:
            there = at_times(place, 3, 1, np.array([time]), _named(name))[0]
            self.troupe.actors.plays[0, slot, column : column + 3] = there

    def wishes(self, taken: Taken, times: FloatArray) -> tuple[Wish, ...]:
        """What was wanted of hands, feet and heads; what is missed is reported."""
        body, names, found = self.troupe.body, self.troupe.part_names, []
        back = np.arange(len(self.physique)) if self.troupe.whole is None else self.troupe.whole.order
        tips = [*body.limbs.tip.tolist(), *body.reaches.tip.tolist()]
        for number in np.flatnonzero(taken.places[:, :, 3].max(axis=0) > 0.0).tolist():
            weights, exact = taken.places[:, number, 3], taken.exact[:, number] > 0.0
            away = np.where(weights > FULLY, taken.misses[:, number], 0.0)
            worst = int(np.argmax(away))
            missed = float(away[worst])
            if missed > MISSED * self.physique.height:
                verb = "does not touch what it should" if exact[worst] else "goes as far as it can"
                self.report.add("missed", f"{names[number]} {verb}, {missed:.2f} m short at {times[worst]:.2f} s")
            back_turn = quaternion.conjugate(body.frame.after[tips[number]])
            touched, grips = self._touched(number, times), taken.grips[:, number].round().astype(int)
            for aim, grip in np.unique(np.column_stack([touched, grips]), axis=0).tolist():
                # A hand that goes to one thing after another is wished at each of them in its time.
                touches: int | Literal["place"] | None = "place" if aim < 0 else int(back[aim])
                point = point_of(body, number) + grip * body.solids.middle[tips[number]]
                x, y, z = quaternion.rotate(back_turn, point).tolist()
                now = (touched == aim) & (grips == grip)
                found.append(Wish(
                    int(back[tips[number]]), times, np.where(now, np.minimum(weights, 1.0), 0.0),
                    taken.places[:, number, :3], point=(x, y, z), touches=None if aim == NOTHING else touches,
                    missed=missed,
                ))  # fmt: skip
        return tuple(found)

    def _touched(self, number: int, times: FloatArray) -> IntArray:
        """(T,) the joint of the body that a limb, or what reaches, is to touch, below 0 if it is a place or nothing.

        Of several animations, and several things of one, it is what is wanted most at a moment; while nothing is wanted
        it is what was before, or the first.
        """
        scores = self.troupe.scores
        most, found = np.zeros(len(times)), np.full(len(times), NOTHING)
        for which, speed in self.played:
            when = times * speed
            when = when % scores.duration[which] if scores.loops[which] else np.minimum(when, scores.duration[which])
            for part in range(scores.first[which], scores.first[which] + scores.number[which]):
                if scores.limb[part] == number and scores.kind[part] in (PLACE, TOWARD):
                    rows = scores.rows[scores.row[part] : scores.row[part] + scores.samples[which], 4]
                    weights = np.interp(when * ROWS, np.arange(len(rows)), rows)
                    aim = max(int(scores.aim[part]), -1) if scores.numbers[part, EXACT] else NOTHING
                    found, most = np.where(weights > most, aim, found), np.maximum(weights, most)
        known = np.flatnonzero(most > 0.0)
        if not len(known):
            return found
        return np.asarray(found[known[np.maximum(np.searchsorted(known, np.arange(len(found)), "right") - 1, 0)]])


def _require_bounded(targets: Mapping[str, Target], seconds: float) -> None:
    """Raise for what no memory could hold and no number measure."""
    if seconds > LONGEST:
        raise InputError(
            f"this takes {seconds:,.0f} s; expected at most {LONGEST:,.0f}: a shorter way or a higher pace"
        )
    for name, place in targets.items():
        if not callable(place) and (np.abs(as_floats(place, _named(name))) > FARTHEST).any():
            raise InputError(f"{_named(name)} is more than {FARTHEST:,.0f} m away, which makes no sense")


def _named(target: str) -> str:
    return f"target {target!r}" if target else "the target"


def _already(rounds: Sequence[float]) -> float:
    """Seconds for which animations that take so long a round have been going on, in whole rounds of the longest."""
    longest = max(rounds, default=0.0)
    return longest * math.ceil(SWUNG / longest) if longest else 0.0


def _going(way: Curves) -> tuple[float, float]:
    """Seconds from when to when a way leads on."""
    moves = np.flatnonzero(np.any(np.abs(np.diff(way.values, axis=0)) > 1e-6, axis=1))
    if not len(moves):
        return 0.0, 0.0
    return float(way.times[moves[0]]), float(way.times[moves[-1] + 1])


def _body_of(body: BodyLike, animations: Sequence[str | Path | Animation]) -> Character:
    """The body.

    Raises:
        InputError: also if body and animation were given the other way round.
    """
    for one in animations:
        if not isinstance(one, (str, os.PathLike, Animation)):
            raise InputError(f"perform() expected the body first, then names of animations; got {kind_of(one)}")
    swapped = isinstance(body, Animation) or (isinstance(body, str) and body in (*animation_names(), *style_names()))
    if swapped and not Path(str(body)).exists():
        said = body.name if isinstance(body, Animation) else body
        raise InputError(f"perform() takes the body first and then animations; {said!r} is an animation")
    return as_character(body, asker="perform()")


def _marks(driver: Animated, ends: float, speed: float) -> list[Mark]:
    """The events of an animation, of each round if it loops."""
    animation = driver.bound.animation
    rounds = int(np.ceil(ends * speed / animation.duration)) if animation.loop else 1
    found = [
        Mark((time + number * animation.duration) / speed, name)
        for time, name in driver.events
        for number in range(rounds)
    ]
    return [mark for mark in found if mark.time <= ends]
