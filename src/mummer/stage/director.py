"""The director: a play in, its final cut out. What did not change since is not made again."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, world_positions, world_transforms
from mummer.clip import Clip, Composite, Glue
from mummer.engine.perform import perform
from mummer.engine.troupe import known_body
from mummer.errors import InputError, UnknownNameError
from mummer.general.physique import physique_of
from mummer.ik import Constrained, Goal
from mummer.ik.body_point import joint_of
from mummer.io.subjects import as_character
from mummer.math import quaternion
from mummer.model.act import act
from mummer.model.action import MET, Action, misses_of, name_of
from mummer.model.performed import origin_of, stands
from mummer.model.style import Style
from mummer.report import Report, ReportBuilder
from mummer.stage.actions import corrected, kept_pose, model_of, moment, placed_after
from mummer.stage.contact import Side, contact_goals, side_of_actor, side_of_prop
from mummer.stage.cue import Cue, delayed, goes, needs_of, touched
from mummer.stage.cut import Cut, Done
from mummer.stage.line import RATE, Laid, Line
from mummer.stage.play import Doing, Part, Play
from mummer.stage.prop import Prop, body_of
from mummer.stage.prop_path import Held, PropPath, thrown
from mummer.stage.segue import segue
from mummer.stage.starts import closest_approach, seconds_before
from mummer.stage.timing import transition_seconds

MOST = 4096
"""Actions and transitions that are kept at most."""
PASSES = 3
"""How often an action is made for a target that moves, so that it is met where it is then."""
SAME = 1e-3
"""Metres within which a target is where it was thought to be."""
SHORT = 0.3
"""Body heights that somebody who goes to a thing stops short of it."""
LATE = 0.05
"""Seconds by which an action may be later than it is asked for without a word."""
SPARE = 0.02
"""Body heights that somebody jumps higher than a reach needs."""
GRASP = 0.1
"""Body heights between what holds and the surface of a thing, up to which it is taken."""


class Director:
    """Makes cuts of plays, and keeps what it has made."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def cut(self, play: Play) -> Cut:
        """See `Play.cut`."""
        return Cutting(self, play).cut()

    def keep(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What is kept under a key, made if it is not there."""
        if key not in self._kept:
            self._kept[key] = make()
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


DIRECTOR = Director()
"""The one that plays are cut by unless somebody has another."""


class Cutting:
    """One cut in the making."""

    def __init__(self, director: Director, play: Play) -> None:
        self.director, self.play, self.report = director, play, ReportBuilder()
        self.lines = {part.name: self._line(part) for part in play.actors}
        self.props = {prop.name: prop for prop in play.props}
        self.paths = {prop.name: self._lying(prop) for prop in play.props}
        self.done: dict[str, Done] = {}

    def cut(self) -> Cut:
        """All actions, the one that can begin first always first; then who touches whom, and how they wait."""
        while any(line.waiting for line in self.lines.values()):
            able = [(line, doing) for line in self.lines.values() for doing in self._next(line)]
            if not able:
                stuck = [line.waiting[0].name for line in self.lines.values() if line.waiting]
                raise InputError(f"actions wait for one another: {', '.join(stuck)}")
            line, doing = min(able, key=lambda each: self._earliest(*each))
            (self._layer if doing.over else self._do)(line, doing)
            line.waiting.remove(doing)
            for move in self.play.moves:
                if self._action_in(move.after) == doing.name:
                    self.paths[move.prop] = self._path(move.prop).moved(
                        self._event(move.after, "end"), move.to, move.seconds
                    )
        self._touch()
        end = max([0.0, *(line.timeline.end for line in self.lines.values()), *(p.end for p in self.paths.values())])
        for line in self.lines.values():
            line.rest_until(max(end, 1.0))
        done = {doing.name: self.done[doing.name] for doing in self.play.doings}
        clips = {name: line.seen for name, line in self.lines.items()}
        return Cut(self.play.name, clips, {name: self._path(name) for name in self.paths}, done, self.report.build())

    def _next(self, line: Line) -> list[Doing]:
        """What somebody can do next: the next on the lowest level, and what lies over what is done already."""
        lowest = next((doing for doing in line.waiting if not doing.over), None)
        over = [doing for doing in line.waiting if doing.over and doing.over in self.done]
        return [doing for doing in (*over, *([lowest] if lowest else [])) if self._is_due(doing)]

    # Who and what ---------------------------------------------------------------------------------------------------

    def _line(self, part: Part) -> Line:
        given = part.body
        if isinstance(given, str) and (self.play.folder / given).is_file():
            given = self.play.folder / given
        body = self.director.keep(
            ("body", given if isinstance(given, Character) else str(given)),
            lambda: known_body(as_character(given, asker=f"actor {part.name!r}")),
        )
        place = np.array([part.at[0], origin_of(body)[1], part.at[1]])
        waiting = [doing for doing in self.play.doings if doing.actor == part.name]
        breath = self.director.keep(("breath", body), lambda: _breath(body))
        keep, heading = self.director.keep, math.radians(part.heading)
        return Line(part, body, place, heading, Composite(body), keep, breath, waiting)

    def _lying(self, prop: Prop) -> PropPath:
        body = self.director.keep(("prop", replace(prop, at=(0.0, 0.0, 0.0))), lambda: body_of(prop, self.play.folder))
        return PropPath.lying(body, prop.at, quaternion.exp(np.array([0.0, math.radians(prop.heading), 0.0])))

    # When -----------------------------------------------------------------------------------------------------------

    def _is_due(self, doing: Doing) -> bool:
        return all(self._action_in(name) in self.done for name in (doing.after, doing.together) if name)

    def _earliest(self, line: Line, doing: Doing) -> float:
        times = [self._event(name, end) for name, end in ((doing.after, "end"), (doing.together, "start")) if name]
        return max([self.done[doing.over].begin if doing.over else line.ready, doing.at or 0.0, *times])

    def _action_in(self, event: str) -> str:
        name = event.partition(".")[0]
        if name not in [doing.name for doing in self.play.doings]:
            names = [doing.name for doing in self.play.doings]
            raise UnknownNameError(f"play {self.play.name!r}", "action", name, names)
        return name

    def _event(self, event: str, usual: str) -> float:
        name, _, key = event.partition(".")
        done = self.done[name]
        return done.events[key] if key in done.events else done.key_times[key or usual]

    def _wanted(self, doing: Doing, action: Action) -> tuple[float | None, bool]:
        """What has to be added to the action's times at least; and whether it shall be just that."""
        start = action.key_times.start
        found = []
        if doing.after:
            found.append(self._event(doing.after, "end") - start)
        exact = doing.at is not None or bool(doing.together)
        own = action.key_times[doing.key]
        if doing.at is not None:
            found.append(doing.at - own)
        if doing.together:
            found.append(self._event(doing.together, "start") - own)
        return (max(found) if found else None), exact

    # What -----------------------------------------------------------------------------------------------------------

    def _do(self, line: Line, doing: Doing) -> None:
        """An action of the lowest level; again where what it is about has moved until it is achieved."""
        guess = self._earliest(line, doing)
        for _ in range(PASSES):
            values = self._suited(line, doing, self._values(line, doing, guess))
            laid, glue = self._joined(line, doing, *self._made(line, doing, values))
            then = achieved(laid.done)
            again = self._suited(line, doing, self._values(line, doing, then))
            if all(_near(values[name], again[name]) for name in values):
                break
            guess = then
        if laid.done.late > LATE:
            self.report.add(
                "unusual", f"{doing.name} comes {laid.done.late:.2f} s late: {line.part.name} is not ready before"
            )
        line.lay(laid, glue)
        self.done[doing.name] = laid.done
        misses = self.director.keep(("misses", laid.key), lambda: misses_of(laid.done.action.invariants, laid.clip))
        self._tell(doing, laid.done.action.report_of(misses))
        self._handle(line, laid.done)
        line.position, line.heading = self.director.keep(
            ("after", laid.key), lambda: placed_after(laid.done.action, line.body)
        )

    def _layer(self, line: Line, doing: Doing) -> None:
        """An action over another: at its time, or when that comes nearest to what it is about."""
        stack, base = line.stack(), self.done[doing.over]
        for each in line.layers:
            assert each.cue is not None
            stack = stack.layered(each.cue, at=each.done.begin, seconds=each.done.seconds)
        below = stack.rough
        assert below is not None
        low, high = base.begin, min(line.until(doing.over), below.end)
        when = self._moment_over(line, doing, below.trimmed(low, high))
        values = self._values(line, doing, when)
        for name, value in zip(("position", "orientation"), stands(below, when, line.body), strict=True):
            values[name] = doing.values.get(name, value)
        action, key = self._made(line, doing, values)
        cue = replace(Cue.of(action, needs_of(action, doing.groups)), name=doing.name)
        if goes(base.action.rough):
            cue = touched(cue)
        begin, seconds = self._entered(doing, cue, below, action, when)
        after = stack.layered(cue, at=begin, seconds=seconds)
        begun = begin + seconds - cue.enters
        self.done[doing.name] = done = Done(doing, action, begun, begin, seconds)
        if len(after.placed) == len(stack.placed):
            self._tell(doing, after.told)
            return
        line.layers.append(Laid(done, action.rough, ("over", key), cue=cue))
        times = line.seen.trimmed(begin + seconds, max(begin + seconds, after.placed[-1].until))
        goals = [delayed(goal, begun) for goal in action.invariants]
        kept = [name_of(goal, line.body) for goal in after.placed[-1].goals]
        misses = [miss if name_of(goal, line.body) in kept else 0.0
                  for goal, miss in zip(goals, misses_of(goals, times), strict=True)]  # fmt: skip
        self._tell(doing, action.report_of(misses))
        self._handle(line, done)

    def _moment_over(self, line: Line, doing: Doing, below: Clip) -> float:
        """Seconds at which what lies over ``below`` is to be achieved, or begin where it is about nothing."""
        if doing.at is not None or doing.together:
            return float(doing.at if doing.at is not None else self._event(doing.together, "start"))
        if doing.after:
            return max(below.start, self._event(doing.after, "end"))
        target = self._place(line, "target", doing.values.get("target", ""), below.start)
        return below.start if isinstance(target, str) else closest_approach(below, target)

    def _entered(self, doing: Doing, cue: Cue, below: Clip, action: Action, when: float) -> tuple[float, float]:
        """Seconds at which the way into what lies over others begins, and how long it takes."""
        fixed = doing.transition.get("seconds")
        free = doing.at is None and not doing.together and not doing.after and action.values.has("target")
        if doing.key != "start" or free:
            own = cue.enters if free else action.key_times[doing.key]
            entered = when - own + cue.enters
            seconds = seconds_before(below, cue.clip, entered, cue.enters) if fixed is None else float(fixed)
            begin = max(entered - seconds, below.start)
            return begin, max(entered - begin, 1e-3)
        begin = float(np.clip(when, below.start, below.end - 1e-3))
        return begin, transition_seconds(below, cue.clip, begin, cue.enters) if fixed is None else float(fixed)

    def _suited(self, line: Line, doing: Doing, values: dict[str, Any]) -> dict[str, Any]:
        """Values that the play leaves free, set so that what lies over the action can reach what it is about."""
        model, _ = model_of(doing.model, self.play.folder)
        for over in self.play.doings:
            if over.over != doing.name or "target" not in over.values or model.deform != "jump":
                continue
            target = self._place(line, "target", over.values["target"], self._earliest(line, doing))
            reach, _ = self._made(line, over, {**values_of(line), **over.values, "target": target})
            short = np.asarray(target, np.float64) - np.asarray(reach.values["target"], np.float64)
            here = np.asarray(values["position"], np.float64)
            if "to" not in doing.values:  # It is half-way when it is highest.
                values["to"] = tuple((here + 2.0 * short * np.array([1.0, 0.0, 1.0])).tolist())
            if "apex" not in doing.values and short[1] > 0:
                values["apex"] = needed = float(short[1]) + SPARE * physique_of(line.body).height
                # Who takes off does so from lower or higher than it stands: the difference is made up for.
                values["apex"] = max(0.0, 2 * needed - _rise(self._baked(*self._made(line, doing, values))))
        return values

    def _tell(self, doing: Doing, report: Report) -> None:
        self.report.add_all(replace(report, findings=tuple(
            replace(each, message=f"{doing.name}: {each.message}") for each in report
        )))  # fmt: skip

    def _made(self, line: Line, doing: Doing, values: Mapping[str, Any]) -> tuple[Action, Hashable]:
        model, style = model_of(doing.model, self.play.folder)
        chosen: str | Path | Style | None = doing.style or style
        if isinstance(chosen, str) and (self.play.folder / chosen).is_file():
            chosen = self.play.folder / chosen
        plain = ("action", line.body, model.name, doing.style,
                 tuple(sorted((name, _frozen(value)) for name, value in values.items())))  # fmt: skip
        key: Hashable = (*plain, doing.tweaks, doing.pauses)
        try:
            action = self.director.keep(plain, lambda: act(line.body, model, style=chosen, **values))
            action = self.director.keep(key, lambda: corrected(action, doing))
        except InputError as error:
            raise InputError(f"action {doing.name!r}: {error}") from None
        last = line.last
        if not doing.hold or last is None:
            return action, key
        leave = min(line.ready - last.done.shift, last.clip.end)
        held = ("held", key, last.key, tuple(sorted(doing.groups.items())))
        return self.director.keep(held, lambda: kept_pose(action, last.clip.at(leave), doing.groups)), held

    def _values(self, line: Line, doing: Doing, time: float) -> dict[str, Any]:
        """The values with names of props and parts replaced by where these are at ``time``."""
        return values_of(line) | {name: self._place(line, name, value, time) for name, value in doing.values.items()}

    def _place(self, line: Line, name: str, value: Any, time: float) -> Any:
        if not isinstance(value, str) or name in ("style", "hand"):
            return value
        if value in self.props:
            place = self._path(value).at([time])[0][0]
            room = self.props[value].radius
        elif value.partition(".")[0] in self.lines:
            who, _, part = value.partition(".")
            other = self.lines[who]
            where = other.seen
            pose = where.at(float(np.clip(time, where.start, where.end)))
            joint = joint_of(other.body, part or "hips")
            place, room = world_positions(other.body.skeleton, pose)[joint], 0.0
        else:
            return value
        if name == "to":
            return self._beside(line, place, room)
        return tuple((place + room * self._towards(line, place)).tolist())

    def _towards(self, line: Line, place: FloatArray) -> FloatArray:
        """(3,) unit, from a place to the upper body of an actor."""
        chest = line.position + np.array([0.0, 0.7 * physique_of(line.body).height, 0.0])
        return (chest - place) / max(float(np.linalg.norm(chest - place)), 1e-9)

    def _beside(self, line: Line, place: FloatArray, room: float) -> tuple[float, ...]:
        """Where to stop in front of a thing."""
        way = (place - line.position) * np.array([1.0, 0.0, 1.0])
        length = float(np.linalg.norm(way))
        stop = max(length - room - SHORT * physique_of(line.body).height, 0.0)
        return tuple((line.position + way * (stop / max(length, 1e-9))).tolist())

    # Joining ---------------------------------------------------------------------------------------------------------

    def _joined(self, line: Line, doing: Doing, action: Action, key: Hashable) -> tuple[Laid, Glue | None]:
        """Where on the timeline an action is, its motion there, and how it is come into."""
        clip = self._baked(action, key)
        wanted, exact = self._wanted(doing, action)
        if line.last is None:
            shift = max(-clip.start, wanted if wanted is not None else -math.inf)
            return Laid(Done(doing, action, shift, clip.start + shift), clip, key), None
        leave, entry = line.ready, min(max(moment(action, "entry"), clip.start), clip.end)
        laid, last = Laid(Done(doing, action, 0.0, 0.0), clip, key), line.last.done
        way = self._way(line, laid, leave - last.shift, entry)
        shift = leave + way.clip.duration - entry
        if wanted is not None and wanted > shift:
            leave = wanted + entry - way.clip.duration
            way, shift = self._way(line, laid, leave - last.shift, entry, way.clip.duration), wanted
        length = way.clip.duration
        begin = shift + entry - length
        late = shift - wanted if exact and wanted is not None else 0.0
        goals = tuple(delayed(goal, begin - way.clip.start) for goal in way.goals)
        done = Done(doing, action, shift, begin, length, late)
        return Laid(done, clip, key, goals), Glue(begin, begin + length, way.clip.shifted(begin - way.clip.start))

    def _baked(self, action: Action, key: Hashable) -> Clip:
        return self.director.keep(("baked", key), lambda: action.clip.baked(RATE).sampled)

    def _way(self, line: Line, laid: Laid, leave: float, entry: float, seconds: float | None = None) -> Way:
        """The transition, in the time of the action that is left; kept for both actions, wherever they are in time."""
        manner = dict(laid.done.doing.transition)
        seconds = manner.pop("seconds", None) if seconds is None else seconds
        last = line.last
        assert last is not None
        kept = ("way", last.key, laid.key, round(leave, 4), round(entry, 4), seconds and round(seconds, 4),
                tuple(sorted(manner.items())))  # fmt: skip

        def make() -> Way:
            made = segue(line.waited(leave), laid.clip, exit=leave, entry=entry, seconds=seconds, **manner)
            rough = made.glue.baked(RATE).sampled
            if max(misses_of(made.goals, rough), default=0.0) <= MET:
                return Way(rough, made.goals)
            return Way(Constrained(rough, made.goals, solver="limbs").baked(RATE).sampled, made.goals)

        return self.director.keep(kept, make)

    # Touching --------------------------------------------------------------------------------------------------------

    def _touch(self) -> None:
        """What keeps parts together that touch; everybody gives way to how the others move before that."""
        goals: dict[str, list[Goal]] = {}
        for contact in self.play.contacts:
            begin, end = self._event(contact.begin, "start"), self._event(contact.end, "end")
            if end <= begin:
                self.report.add("ignored", f"{contact.first} touches {contact.second} for no time")
                continue
            first = self._side(contact.first)
            if contact.second in self.props and first.point is not None:
                self.paths[contact.second] = self._path(contact.second).shared(begin, end, first.at)
            second = self._side(contact.second)
            for name, found in contact_goals(contact, first, second, begin, end).items():
                goals.setdefault(name, []).extend(found)
        for name, found in goals.items():
            self.lines[name].contact = tuple(found)

    def _side(self, name: str) -> Side:
        if name in self.props:
            return side_of_prop(self._path(name))
        who, _, part = name.partition(".")
        return side_of_actor(who, part or "hips", self.lines[who].seen)

    # Props -----------------------------------------------------------------------------------------------------------

    def _handle(self, line: Line, done: Done) -> None:
        """What an action does to props."""
        for what, name in done.doing.handling.items():
            if what == "takes":
                self._take(line, done, name)
                continue
            holder, time = self.paths[name].last, self._release(done)
            if not (isinstance(holder, Held) and holder.actor == line.part.name):
                self.report.add("ignored", f"{done.doing.name} {what} {name}, which {line.part.name} does not hold")
                continue
            self.paths[name] = self._let_go(done, what, name, time)

    def _release(self, done: Done) -> float:
        times = done.key_times
        return times["release"] if "release" in times.names else times.end

    def _take(self, line: Line, done: Done, name: str) -> None:
        time = achieved(done) if "achieve" in done.key_times.names else done.key_times.start
        path = self._path(name)
        places, _ = world_transforms(line.body.skeleton, line.seen.at(time))
        joints = _holders(line.body)
        away = path.away(time, places[joints])
        joint, off = joints[int(np.argmin(away))], float(away.min())
        if off > GRASP * physique_of(line.body).height:
            self.report.add("missed", f"{done.doing.name} does not take {name}: it is {off:.2f} m out of reach")
            return
        self.paths[name] = path.taken(time, line.seen, joint, line.part.name)

    def _let_go(self, done: Done, what: str, name: str, time: float) -> PropPath:
        path = self._path(name)
        if what == "puts":
            return path.put(time)
        if what == "drops" or not done.action.values.has("target"):
            return path.dropped(time)
        target = np.asarray(done.action.values["target"], np.float64)
        apex = done.action.values["apex"] if done.action.values.has("apex") else None
        velocity, strike = thrown(time, path.at([time])[0][0], target, apex)  # type: ignore[arg-type]
        self.done[done.doing.name] = replace(done, events={**done.events, "strike": strike})
        return path.let_go(time, velocity=velocity).dropped(strike)

    def _path(self, name: str) -> PropPath:
        """A prop's way, held by all that its holders have done by now."""
        return self.paths[name].by({who: line.seen for who, line in self.lines.items()})


@dataclass(frozen=True, eq=False)
class Way:
    """A transition with its goals met, and these, in its own time."""

    clip: Clip
    goals: tuple[Goal, ...]


def _rise(clip: Clip) -> float:
    """Metres that the root of a body rises above where it stands at first."""
    heights = [stands(clip, float(time), clip.body)[0][1] for time in clip.times(30.0)]
    return max(heights) - heights[0]


def values_of(line: Line) -> dict[str, Any]:
    """Where somebody stands and faces, as parameters of every model."""
    return {"position": tuple(line.position.tolist()), "orientation": math.degrees(line.heading)}


def achieved(done: Done) -> float:
    """Seconds at which what an action is about is reached."""
    return done.key_times["achieve"] if "achieve" in done.key_times.names else done.key_times.end


def _breath(body: Character) -> Clip | None:
    """How a body breathes while it waits; None if it cannot."""
    try:
        return perform(body, "idle_breathe").baked(30.0).sampled
    except InputError:
        return None


def _holders(body: Character) -> list[int]:
    """The joints that can hold something: of hands, then of a mouth, else any."""
    assert body.anatomy is not None
    for what in ("grasper", "mouth"):
        found = body.anatomy.capabilities.get(what, ())
        if found:
            return list(found)
    return list(range(len(body.skeleton)))


def _near(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str) or isinstance(one, bool):
        return bool(one == other)
    return bool(np.allclose(np.asarray(one, np.float64), np.asarray(other, np.float64), rtol=0, atol=SAME))


def _frozen(value: Any) -> Hashable:
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, (int, float)):
        return round(float(value), 6)
    if isinstance(value, (list, tuple, np.ndarray)):
        return tuple(_frozen(each) for each in value)
    return repr(value)
