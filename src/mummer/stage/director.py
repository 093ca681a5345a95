"""The director: a play in, its final cut out. What did not change since is not made again."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.clip import Clip, Composite, Glue
from mummer.engine.perform import perform
from mummer.engine.troupe import known_body
from mummer.errors import InputError, UnknownNameError
from mummer.general.physique import physique_of
from mummer.ik import Constrained, Goal
from mummer.io.subjects import as_character
from mummer.math import quaternion
from mummer.model.act import act
from mummer.model.action import MET, Action, misses_of, name_of
from mummer.model.needs import goes
from mummer.model.onward import onward
from mummer.model.performed import origin_of, stands
from mummer.model.retimed import delayed
from mummer.model.style import Style, load_style
from mummer.model.timing import SUDDEN, jumps_of
from mummer.report import Report
from mummer.stage.actions import WHOLE, corrected, kept_pose, model_of, moment, placed_after
from mummer.stage.clearance import pushed
from mummer.stage.cue import Cue, needs_of, touched
from mummer.stage.cut import Cut, Done
from mummer.stage.dependence import goes_on_into, handed_back, way_to
from mummer.stage.handling import achieved, handle_props, touch
from mummer.stage.line import RATE, Laid, Line
from mummer.stage.play import Doing, Part, Play
from mummer.stage.prop import Prop, body_of
from mummer.stage.prop_path import PropPath
from mummer.stage.requests import granted
from mummer.stage.scene import Scene
from mummer.stage.segue import Segue, segue
from mummer.stage.sketched import is_directed, is_script, scripted, sketched
from mummer.stage.starts import closest_approach, seconds_before
from mummer.stage.timing import transition_seconds
from mummer.stage.whereabouts import place_of, standing_of, values_at

MOST = 4096
"""Actions and transitions that are kept at most."""
PASSES = 3
"""How often an action is made for a target that moves, so that it is met where it is then."""
SAME = 1e-3
"""Metres within which a target is where it was thought to be."""
LATE = 0.05
"""Seconds by which an action may be later than it is asked for without a word."""
JUMP = 0.02
"""Body heights by which the way of a joint may change from one frame to the next in a step."""
SPARE = 0.02
"""Body heights that somebody jumps higher than a reach needs."""


class Director:
    """Makes cuts of plays, and keeps what it has made."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def cut(self, play: Play) -> Cut:
        """See `Play.cut`."""
        return Cutting(self, handed_back(play).with_habits).cut()

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
        self.director, self.play = director, play
        self.onward: dict[str, tuple[Action, Hashable]] = {}
        self.scene = Scene(
            play, {part.name: self._line(part) for part in play.actors}, {prop.name: prop for prop in play.props},
            {prop.name: self._lying(prop) for prop in play.props},
        )  # fmt: skip

    def cut(self) -> Cut:
        """All actions, the one that can begin first always first; then who touches whom, and how they wait."""
        scene, lines = self.scene, self.scene.lines
        while any(line.waiting for line in lines.values()):
            able = [(line, doing) for line in lines.values() for doing in self._next(line)]
            if not able:
                stuck = [line.waiting[0].name for line in lines.values() if line.waiting]
                with self.play.at(f"action {stuck[0]!r}"):
                    raise InputError(f"waits for ever: {self._loop(stuck)}")
            line, doing = min(able, key=lambda each: self._earliest(*each))
            with self.play.at(f"action {doing.name!r}"):
                _require_groups(line.body, doing)
                (self._layer if doing.over else self._do)(line, doing)
            line.waiting.remove(doing)
            for move in self.play.moves:
                if scene.action_in(move.after) == doing.name:
                    begin = scene.event(move.after, "end")
                    scene.paths[move.prop] = scene.path(move.prop).moved(begin, move.to, move.seconds)
        touch(scene)
        ends = [line.timeline.end for line in lines.values()] + [path.end for path in scene.paths.values()]
        for line in lines.values():
            line.rest_until(max([1.0, *ends]))
        done = {doing.name: scene.done[doing.name] for doing in self.play.doings}
        clips, paths = (
            {name: line.seen for name, line in lines.items()},
            {name: scene.path(name) for name in scene.paths},
        )
        return Cut(self.play.name, clips, paths, done, scene.report.build())

    def _loop(self, stuck: Sequence[str]) -> str:
        """Who waits for whom, where nobody can go on: ``grab for hi, hi for grab``."""
        waits = {doing.name: [self.scene.action_in(each) for each in (doing.after, doing.together, doing.over) if each]
                 for doing in self.play.doings if doing.name in stuck}  # fmt: skip
        open_ones = {name: [each for each in others if each not in self.scene.done] for name, others in waits.items()}
        return ", ".join(f"{name} for {' and '.join(others)}" for name, others in open_ones.items() if others)

    def _next(self, line: Line) -> list[Doing]:
        """What somebody can do next: the next on the lowest level, and what lies over what is done already."""
        lowest = next((doing for doing in line.waiting if not doing.over), None)
        over = [doing for doing in line.waiting if doing.over and doing.over in self.scene.done]
        return [doing for doing in (*over, *([lowest] if lowest else [])) if self._is_due(doing)]

    # Who and what ---------------------------------------------------------------------------------------------------

    def _line(self, part: Part) -> Line:
        given = part.body
        if isinstance(given, str) and (self.play.folder / given).is_file():
            given = self.play.folder / given
        with self.play.at(f"the body of {part.name!r}"):
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
        with self.play.at(f"the shape of {prop.name!r}"):
            key = ("prop", replace(prop, at=(0.0, 0.0, 0.0)))
            body = self.director.keep(key, lambda: body_of(prop, self.play.folder))
        return PropPath.lying(body, prop.at, quaternion.exp(np.array([0.0, math.radians(prop.heading), 0.0])))

    # When -----------------------------------------------------------------------------------------------------------

    def _is_due(self, doing: Doing) -> bool:
        return all(self.scene.action_in(name) in self.scene.done for name in (doing.after, doing.together) if name)

    def _earliest(self, line: Line, doing: Doing) -> float:
        times = [self.scene.event(name, end) for name, end in ((doing.after, "end"), (doing.together, "start")) if name]
        able = self.scene.done[doing.over].begin if doing.over else line.ready(doing.model)
        return max([able, doing.at or 0.0, *times])

    def _wanted(self, doing: Doing, action: Action) -> tuple[float | None, bool]:
        """What has to be added to the action's times at least; and whether it shall be just that."""
        start = action.key_times.start
        found = []
        if doing.after:
            found.append(self.scene.event(doing.after, "end") - start)
        exact = doing.at is not None or bool(doing.together)
        own = action.key_times[doing.key]
        if doing.at is not None:
            found.append(doing.at - own)
        if doing.together:
            found.append(self.scene.event(doing.together, "start") - own)
        return (max(found) if found else None), exact

    # What -----------------------------------------------------------------------------------------------------------

    def _do(self, line: Line, doing: Doing) -> None:
        """An action of the lowest level; again where what it is about has moved until it is achieved."""
        guess = self._earliest(line, doing)
        way = way_to(line, doing, values_at(self.scene, line, doing, guess)["position"])
        if way is not None:
            self._do(line, way)
            guess = self._earliest(line, doing)
            self.scene.report.add("repaired", f"{doing.name} is done elsewhere: {line.part.name} walks there first")
        self._go_on(line, doing, guess)
        for _ in range(PASSES):
            values = self._suited(line, doing, values_at(self.scene, line, doing, guess))
            laid, glue = self._joined(line, doing, *self._made(line, doing, values))
            then = achieved(laid.done)
            again = self._suited(line, doing, values_at(self.scene, line, doing, then))
            if all(_near(values[name], again[name]) for name in values):
                break
            guess = then
        if laid.done.late > LATE:
            self.scene.report.add(
                "unusual", f"{doing.name} comes {laid.done.late:.2f} s late: {line.part.name} is not ready before"
            )
        line.lay(laid, glue)
        self.scene.done[doing.name] = laid.done
        misses = self.director.keep(("misses", laid.key), lambda: misses_of(laid.done.action.invariants, laid.clip))
        self._tell(doing, laid.done.action.report_of(misses))
        handle_props(self.scene, line, laid.done)
        line.position, line.heading = self.director.keep(
            ("after", laid.key), lambda: placed_after(laid.done.action, line.body)
        )

    def _go_on(self, line: Line, doing: Doing, time: float) -> None:
        """Make ways that go on into one another, if this is the first of such, all at once."""
        ways = [] if doing.name in self.onward else goes_on_into(self.play, line, doing)
        if len(ways) < 2:
            return
        given = []
        for each in ways:
            style = each.style or line.part.styles.get(each.model, "")
            model, _ = model_of(each.model, self.play.folder)
            given.append((model, load_style(style or None, model), values_at(self.scene, line, each, time)))
        said = [(model.name, style.name, *((name, _frozen(value)) for name, value in values.items()))
                for model, style, values in given]  # fmt: skip
        key = ("onward", line.body, *said)
        made = self.director.keep(key, lambda: onward(line.body, given))
        self.onward |= {each.name: (action, (key, each.name)) for each, action in zip(ways, made, strict=True)}

    def _layer(self, line: Line, doing: Doing) -> None:
        """An action over another: at its time, or when that comes nearest to what it is about."""
        stack, base = line.stack(), self.scene.done[doing.over]
        for each in line.layers:
            assert each.cue is not None
            stack = stack.layered(each.cue, at=each.done.begin, seconds=each.done.seconds)
        below = stack.rough
        assert below is not None
        low, high = base.begin, min(line.until(doing.over), below.end)
        when = self._moment_over(line, doing, below.trimmed(low, high))
        values = values_at(self.scene, line, doing, when)
        for name, value in zip(("position", "orientation"), stands(below, when, line.body), strict=True):
            values[name] = doing.values.get(name, value)
        action, key = self._made(line, doing, values)
        cue = replace(Cue.of(action, needs_of(action, doing.groups)), name=doing.name)
        if goes(base.action.rough):
            cue = touched(cue)
        begin, seconds = self._entered(line, doing, cue, below, action, when)
        after = stack.layered(cue, at=begin, seconds=seconds)
        begun = begin + seconds - cue.enters
        self.scene.done[doing.name] = done = Done(doing, action, begun, begin, seconds)
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
        handle_props(self.scene, line, done)

    def _moment_over(self, line: Line, doing: Doing, below: Clip) -> float:
        """Seconds at which what lies over ``below`` is to be achieved, or begin where it is about nothing."""
        if doing.at is not None or doing.together:
            return float(doing.at if doing.at is not None else self.scene.event(doing.together, "start"))
        if doing.after:
            return max(below.start, self.scene.event(doing.after, "end"))
        target = place_of(self.scene, line, "target", doing.values.get("target", ""), below.start)
        return below.start if isinstance(target, str) else closest_approach(below, target)

    def _entered(
        self, line: Line, doing: Doing, cue: Cue, below: Clip, action: Action, when: float
    ) -> tuple[float, float]:
        """Seconds at which the way into what lies over others begins, and how long it takes."""
        fixed = doing.transition.get("seconds")
        durations = line.durations(float({**action.transition, **doing.transition}.get("haste", 1.0)))
        free = doing.at is None and not doing.together and not doing.after and action.values.has("target")
        if doing.key != "start" or free:
            entered = when - (0.0 if free else action.key_times[doing.key] - cue.enters)
            needed = seconds_before(below, cue.clip, entered, cue.enters, durations) if fixed is None else float(fixed)
            begin = max(entered - needed, below.start)
            return begin, max(entered - begin, 1e-3)
        begin = float(np.clip(when, below.start, below.end - 1e-3))
        if fixed is not None:
            return begin, float(fixed)
        return begin, transition_seconds(below, cue.clip, begin, cue.enters, durations=durations)

    def _suited(self, line: Line, doing: Doing, values: dict[str, Any]) -> dict[str, Any]:
        """Values that the play leaves free, set so that what lies over the action can reach what it is about."""
        model, _ = model_of(doing.model, self.play.folder)
        free = [name for name in ("to", "apex") if name not in doing.values]
        requests = self._requests(line, doing, values) if free and model.deform == "jump" else []
        if not requests:
            return values
        here, height = np.asarray(values["position"], np.float64), physique_of(line.body).height
        found = granted(model, requests, free, height)
        if "to" in free:
            values["to"] = tuple((here + found.way).tolist())
        if "apex" in free and found.rise > 0:
            values["apex"] = needed = found.rise + SPARE * height
            # Who takes off does so from lower or higher than it stands: the difference is made up for.
            values["apex"] = max(0.0, 2 * needed - _rise(self._baked(*self._made(line, doing, values))))
        return values

    def _requests(self, line: Line, doing: Doing, values: Mapping[str, Any]) -> list[FloatArray]:
        """By how much each layer over an action cannot reach what it is about from where the actor stands."""
        found = []
        for over in self.play.doings:
            if over.over == doing.name and "target" in over.values:
                target = place_of(self.scene, line, "target", over.values["target"], self._earliest(line, doing))
                stood = {**standing_of(line), **{name: values[name] for name in ("position", "orientation")}}
                reach, _ = self._made(line, over, {**stood, **over.values, "target": target})
                if "target" in reach.values.clips:
                    asked, used = reach.values.clips["target"]
                    found.append(np.subtract(asked, used))  # type: ignore[arg-type]
        return found

    def _tell(self, doing: Doing, report: Report) -> None:
        self.scene.report.add_all(replace(report, findings=tuple(
            replace(each, message=f"{doing.name}: {each.message}") for each in report
        )))  # fmt: skip

    def _made(self, line: Line, doing: Doing, values: Mapping[str, Any]) -> tuple[Action, Hashable]:
        if doing.name in self.onward:
            return self.onward[doing.name]
        model, style = model_of(doing.model, self.play.folder)
        own = line.part.styles.get(doing.model, "") if style is None else ""
        chosen: str | Path | Style | None = doing.style or own or style
        if isinstance(chosen, str) and (self.play.folder / chosen).is_file():
            chosen = self.play.folder / chosen
        plain = ("action", line.body, model.name, doing.style or own, doing.without,
                 tuple(sorted((name, _frozen(value)) for name, value in values.items())))  # fmt: skip
        said = (line.part.sketches, tuple(sorted(line.part.moods.items())), doing.edits, self.play.folder)
        manner: Hashable = (*plain, said) if is_directed(line.part, doing) else plain
        key: Hashable = (manner, doing.tweaks, doing.pauses)
        folder = self.play.folder
        if is_script(doing.model):
            action = self.director.keep(manner, lambda: scripted(line.body, line.part, doing, folder, **values))
        else:
            action = self.director.keep(
                plain, lambda: act(line.body, model, style=chosen, without=doing.without, **values)
            )
            if is_directed(line.part, doing):
                plainly = action
                action = self.director.keep(manner, lambda: sketched(plainly, line.part, doing, folder))
        action = self.director.keep(key, lambda: corrected(action, doing))
        last = line.last
        if not doing.hold or last is None:
            return action, key
        leave = min(line.ready(doing.model) - last.done.shift, last.clip.end)
        held = ("held", key, last.key, tuple(sorted(doing.groups.items())))
        return self.director.keep(held, lambda: kept_pose(action, last.clip.at(leave), doing.groups)), held

    # Joining ---------------------------------------------------------------------------------------------------------

    def _joined(self, line: Line, doing: Doing, action: Action, key: Hashable) -> tuple[Laid, Glue | None]:
        """Where on the timeline an action is, its motion there, and how it is come into."""
        clip = self._baked(action, key)
        wanted, exact = self._wanted(doing, action)
        if line.last is None:
            shift = max(-clip.start, wanted if wanted is not None else -math.inf)
            return Laid(Done(doing, action, shift, clip.start + shift), clip, key), None
        laid, last = Laid(Done(doing, action, 0.0, 0.0), clip, key), line.last.done
        leave, again = line.ready(action.model), last.action.model == action.model
        entry = min(max(moment(action, "entry", again), clip.start), clip.end)
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
        said = {**laid.done.action.transition, **laid.done.doing.transition}
        fixed, haste = said.pop("seconds", None), float(said.pop("haste", 1.0))
        seconds = fixed if seconds is None else seconds
        manner = {name: tuple(value) if name == "warp" else value for name, value in said.items()
                  if name not in (*WHOLE, "again")}  # fmt: skip
        last = line.last
        assert last is not None
        kept = ("way", last.key, laid.key, round(leave, 4), round(entry, 4), seconds and round(seconds, 4),
                tuple(sorted(manner.items())), haste, line.part.haste)  # fmt: skip
        manner = {"durations": line.durations(haste), **manner}

        def make() -> Way:
            found: list[tuple[float, Way]] = []
            # A leg that is held away from the body may swing over as it is brought back under its foot.
            for clear in (True, "arms") if manner.get("clear", True) else (False,):
                how = {**manner, "clear": clear}
                made = segue(line.waited(leave), laid.clip, exit=leave, entry=entry, seconds=seconds, **how)
                way = _stepped(made, clear=bool(clear))
                found.append((jumps_of(way.clip), way))
                if found[-1][0] <= SUDDEN or not made.around:
                    break
            return min(found, key=lambda each: each[0])[1]

        return self.director.keep(kept, make)


@dataclass(frozen=True, eq=False)
class Way:
    """A transition with its goals met, and these, in its own time."""

    clip: Clip
    goals: tuple[Goal, ...]


def _stepped(made: Segue, *, clear: bool) -> Way:
    """A transition with its feet where they are to be, and legs that this brings into the body pushed out of it."""
    rough = made.glue.baked(RATE).sampled
    if max(misses_of(made.goals, rough), default=0.0) <= MET:
        return Way(rough, made.goals)
    stepped = Constrained(rough, made.goals, solver="between").baked(RATE).sampled
    stepped = pushed(stepped, made.goals).baked(RATE).sampled if clear else stepped
    # Feet that slide a little are seen less than a body that is thrown about to keep them in their places.
    thrown_about = jumps_of(stepped) > max(JUMP, 3 * jumps_of(rough))
    return Way(rough, ()) if thrown_about else Way(stepped, made.goals)


def _rise(clip: Clip) -> float:
    """Metres that the root of a body rises above where it stands at first."""
    heights = [stands(clip, float(time), clip.body)[0][1] for time in clip.times(30.0)]
    return max(heights) - heights[0]


def _breath(body: Character) -> Clip | None:
    """How a body breathes while it waits; None if it cannot."""
    try:
        return perform(body, "idle_breathe").baked(30.0).sampled
    except InputError:
        return None


def _require_groups(body: Character, doing: Doing) -> None:
    groups = () if body.anatomy is None else tuple(body.anatomy.groups)
    for name in (*doing.groups, *doing.transition.get("warp", ())):
        if name not in groups:
            raise UnknownNameError(repr(body.name), "group", name, groups)


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
