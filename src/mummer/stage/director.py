"""The director: a play in, its final cut out. What did not change since is not made again."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, world_positions
from mummer.character.kinematics import world_transforms
from mummer.clip import Clip, Composite, Glue, Hold, Still
from mummer.engine.troupe import known_body
from mummer.errors import InputError, UnknownNameError
from mummer.general.physique import physique_of
from mummer.ik.body_point import joint_of
from mummer.io.subjects import as_character
from mummer.math import quaternion
from mummer.model.action import Action
from mummer.model.performed import origin_of
from mummer.report import ReportBuilder
from mummer.stage.actions import made, model_of, moment, placed_after
from mummer.stage.cut import Cut, Done
from mummer.stage.play import Doing, Part, Play
from mummer.stage.prop import Prop, body_of
from mummer.stage.prop_path import Held, Lying, PropPath, thrown
from mummer.stage.segue import segue

RATE = 60.0
"""Frames a second at which actions are kept."""
MOST = 1024
"""Actions and transitions that are kept at most."""
PASSES = 3
"""How often an action is made for a target that moves, so that it is met where it is then."""
SAME = 1e-3
"""Metres within which a target is where it was thought to be."""
SHORT = 0.3
"""Body heights that somebody who goes to a thing stops short of it."""
LATE = 0.05
"""Seconds by which an action may be later than it is asked for without a word."""
GRASP = 0.1
"""Body heights between what holds and the surface of a thing, up to which it is taken."""


@dataclass(eq=False)
class Line:
    """What somebody has done so far.

    Attributes:
        part: who.
        body: whose.
        position, heading: where they stand and face; metres, radians.
        timeline: all of it.
        done: the last action, with its motion on the timeline, and what it is kept under.
    """

    part: Part
    body: Character
    position: FloatArray
    heading: float
    timeline: Composite
    done: Done | None = None
    clip: Clip | None = None
    key: Hashable = None
    waiting: list[Doing] = field(default_factory=list)

    @property
    def ready(self) -> float:
        """Seconds at which they can leave what they do."""
        return 0.0 if self.done is None else moment(self.done.action, "exit") + self.done.shift

    @property
    def seen(self) -> Clip:
        """Their motion so far; standing, if they have not moved."""
        return self.timeline if self.timeline.segments else self.standing(1.0)

    def standing(self, seconds: float) -> Clip:
        """Standing where they are."""
        turn = quaternion.exp(np.array([0.0, self.heading, 0.0]))
        return Still(self.body, self.body.default_pose, seconds).pivoted(origin_of(self.body), turn, self.position)


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
        self.bodies = {prop.name: self._prop_body(prop) for prop in play.props}
        self.paths = {prop.name: _lying(prop) for prop in play.props}
        self.done: dict[str, Done] = {}

    def cut(self) -> Cut:
        """All actions, the one that can begin first always first."""
        while any(line.waiting for line in self.lines.values()):
            able = [line for line in self.lines.values() if line.waiting and self._is_due(line.waiting[0])]
            if not able:
                stuck = [line.waiting[0].name for line in self.lines.values() if line.waiting]
                raise InputError(f"actions wait for one another: {', '.join(stuck)}")
            line = min(able, key=lambda each: self._earliest(each))
            self._do(line, line.waiting[0])
            line.waiting.pop(0)
        done = {doing.name: self.done[doing.name] for doing in self.play.doings}
        clips = {name: line.seen for name, line in self.lines.items()}
        paths = {name: self._path(name) for name in self.paths}
        return Cut(self.play.name, clips, self.bodies, paths, done, self.report.build())

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
        return Line(part, body, place, math.radians(part.heading), Composite(body), waiting=waiting)

    def _prop_body(self, prop: Prop) -> Character:
        return self.director.keep(("prop", prop.shape, prop.size), lambda: body_of(prop, self.play.folder))

    # When -----------------------------------------------------------------------------------------------------------

    def _is_due(self, doing: Doing) -> bool:
        return all(self._action_in(name) in self.done for name in (doing.after, doing.together) if name)

    def _earliest(self, line: Line) -> float:
        doing = line.waiting[0]
        times = [self._event(name, end) for name, end in ((doing.after, "end"), (doing.together, "start")) if name]
        return max([line.ready, doing.at or 0.0, *times])

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
        model, style = model_of(doing.model, self.play.folder)
        guess = self._earliest(line)
        for _ in range(PASSES):
            values = self._values(line, doing, guess)
            action, key = self._made(line, doing, model, style, values)
            done, clip, glue = self._joined(line, doing, action, key)
            then = done.key_times["achieve"] if "achieve" in done.key_times.names else done.key_times.end
            again = self._values(line, doing, then)
            if all(_near(values[name], again[name]) for name in values):
                break
            guess = then
        if done.late > LATE:
            self.report.add(
                "unusual", f"{doing.name} comes {done.late:.2f} s late: {line.part.name} is not ready before"
            )
        self._lay(line, done, clip, glue, key)
        self.report.add_all(replace(action.report, findings=tuple(
            replace(each, message=f"{doing.name}: {each.message}") for each in action.report
        )))  # fmt: skip
        self._handle(line, done)
        line.position, line.heading = placed_after(action, line.body)

    def _made(self, line: Line, doing: Doing, model: Any, style: Any, values: Mapping[str, Any]) -> tuple[Action, Any]:
        chosen = doing.style or style
        if isinstance(chosen, str) and (self.play.folder / chosen).is_file():
            chosen = self.play.folder / chosen
        key = ("action", line.body, model.name, doing.style, tuple(sorted((n, _frozen(v)) for n, v in values.items())),
               doing.tweaks)  # fmt: skip
        try:
            return self.director.keep(key, lambda: made(line.body, model, chosen, values, doing.tweaks)), key
        except InputError as error:
            raise InputError(f"action {doing.name!r}: {error}") from None

    def _values(self, line: Line, doing: Doing, time: float) -> dict[str, Any]:
        """The values with names of props and parts replaced by where these are at ``time``."""
        values = {name: self._place(line, name, value, time) for name, value in doing.values.items()}
        values.setdefault("position", tuple(line.position.tolist()))
        values.setdefault("orientation", math.degrees(line.heading))
        return values

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

    def _joined(self, line: Line, doing: Doing, action: Action, key: Any) -> tuple[Done, Clip, Glue | None]:
        """Where on the timeline an action is, its motion there, and how it is come into."""
        clip = self.director.keep(("baked", key), lambda: action.clip.baked(RATE))
        wanted, exact = self._wanted(doing, action)
        if line.done is None or line.clip is None:
            shift = max(-clip.start, wanted if wanted is not None else -math.inf)
            return Done(doing, action, shift, clip.start + shift), clip, None
        leave, entry = line.ready, min(max(moment(action, "entry"), clip.start), clip.end)
        last = line.done
        glue = self._glue(line, clip, key, leave - last.shift, entry)
        shift = leave + glue.duration - entry
        if wanted is not None and wanted > shift:
            leave = wanted + entry - glue.duration
            glue, shift = self._glue(line, clip, key, leave - last.shift, entry, glue.duration), wanted
        length = glue.duration
        begin = shift + entry - length
        return (
            Done(doing, action, shift, begin, length, shift - wanted if exact and wanted is not None else 0.0), clip,
            Glue(begin, begin + length, glue.shifted(begin - glue.start)),
        )  # fmt: skip

    def _glue(self, line: Line, clip: Clip, key: Any, leave: float, entry: float, seconds: float | None = None) -> Clip:
        """The transition, in the time of the action that is left; kept for both actions, wherever they are in time."""
        first = line.clip
        assert first is not None
        if leave > first.end:
            held = Composite(first.body).with_segment(first)
            first = held.with_segment(Hold(first, first.end, leave - first.end))
        kept = ("glue", line.key, key, round(min(leave, 1e9), 4), round(entry, 4), seconds and round(seconds, 4))
        return self.director.keep(
            kept, lambda: segue(first, clip, exit=leave, entry=entry, seconds=seconds).glue.baked(RATE)
        )

    def _lay(self, line: Line, done: Done, clip: Clip, glue: Glue | None, key: Any) -> None:
        entry = clip.start if glue is None else glue.end - done.shift
        line.timeline = line.timeline.with_segment(clip, at=entry + done.shift, source=entry, entrance=glue)
        line.done, line.clip, line.key = done, clip, key
        self.done[done.doing.name] = done

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
            self.paths[name] = self._let_go(line, done, what, name, time)

    def _release(self, done: Done) -> float:
        times = done.key_times
        return times["release"] if "release" in times.names else times.end

    def _take(self, line: Line, done: Done, name: str) -> None:
        times = done.key_times
        time = times["achieve"] if "achieve" in times.names else times.start
        path = self._path(name)
        place = path.at([time])[0][0]
        pose = line.timeline.at(time)
        places, _ = world_transforms(line.body.skeleton, pose)
        joints = _holders(line.body)
        joint = joints[int(np.argmin(np.linalg.norm(places[joints] - place, axis=1)))]
        off = float(np.linalg.norm(places[joint] - place)) - self.props[name].radius
        if off > GRASP * physique_of(line.body).height:
            self.report.add("missed", f"{done.doing.name} does not take {name}: it is {off:.2f} m out of reach")
            return
        self.paths[name] = path.taken(time, line.part.name, line.timeline, joint)

    def _let_go(self, line: Line, done: Done, what: str, name: str, time: float) -> PropPath:
        path, floor = self._path(name), self.props[name].radius
        if what == "puts":
            return path.put(time)
        if what == "drops" or not done.action.values.has("target"):
            return path.let_go(time, floor)
        target = np.asarray(done.action.values["target"], np.float64)
        apex = done.action.values["apex"] if done.action.values.has("apex") else None
        velocity, strike = thrown(time, path.at([time])[0][0], target, apex)  # type: ignore[arg-type]
        self.done[done.doing.name] = line.done = replace(done, events={**done.events, "strike": strike})
        return path.let_go(time, floor, velocity).let_go(strike, floor)

    def _path(self, name: str) -> PropPath:
        """A prop's way, held by all that its holders have done by now."""
        spells = [
            (begin, replace(spell, clip=self.lines[spell.actor].timeline) if isinstance(spell, Held) else spell)
            for begin, spell in self.paths[name].spells
        ]
        return PropPath(tuple(spells))


def _lying(prop: Prop) -> PropPath:
    turn = quaternion.exp(np.array([0.0, math.radians(prop.heading), 0.0]))
    return PropPath(((0.0, Lying(np.asarray(prop.at, np.float64), turn)),))


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
