"""Performed styles: the live engine plays a general animation or a gait, so that a model works on every body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import known_feet
from mummer.clip.analysis.spells import spells, without_short
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.hold import Still
from mummer.clip.retimed import Shift
from mummer.clip.standing import Standing
from mummer.clip.wish import Wish
from mummer.engine.perform import Performance, perform
from mummer.general.animation import Animation, animation_names, load_animation
from mummer.general.gait import style_names
from mummer.ik.body_point import BodyPoint, Part
from mummer.ik.constraints.plant import HEEL, TOE, footholds, sole_of
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.model.key_times import KeyTimes
from mummer.model.model import Model
from mummer.model.style import ANIMATIONS, BaseMotion, Style
from mummer.model.values import Values
from mummer.report import Report

STILL = "still"
"""What is performed by who does nothing."""
ROCKS, HIGH = 0.02, 0.05
"""Leg lengths by which a foot that stands all the time may rock, and one that stands may be higher than at rest."""
LOOKS = 120.0
"""Moments a second at which it is looked whether feet stand."""
STILL_FEET = 0.03
"""Leg lengths a second up to which a foot does not move."""
BRIEF, LASTING = 0.05, 0.08
"""Seconds for which a foot that stands may seem to move, and that it stands at least."""
UNDER_WAY = 0.1
"""Part of its highest speed below which who has no feet stands."""
EVENTS = {"takeoff": "take off", "landing": "land"}
"""What key times are called where animations tell them as events."""
AGREES = 0.1
"""Seconds by which what is seen of these may be off."""
SHARES = {"achieve": 0.35, "release": 0.65, "settle": 0.85}
"""Where in a motion key times are that nobody says, 0 to 1; others lie evenly between their neighbours."""


@dataclass(frozen=True, eq=False)
class Rough:
    """A motion before it is bent to its goals, in the actor's own frame: at its rest place, facing its rest front.

    Attributes:
        clip: the motion.
        key_times: of the motion.
        footsteps: marks of when heels and toes stand.
        tip: the part that acts, or None.
        weights: of base motions by name.
        values: that base motions show, mixed by their weights, by parameter.
        told: what is worth telling.
    """

    clip: Clip
    key_times: KeyTimes
    footsteps: tuple[Mark, ...] = ()
    tip: Part | None = None
    weights: dict[str, float] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    told: Report = field(default_factory=Report)


THERE, STANDS = 1e-6, 1.0
"""Metres from where somebody is sent up to which it is there; seconds that it stands then."""


def performed(character: Character, model: Model, style: Style, values: Values) -> Rough:
    """The motion of a performed style; positions among ``values`` are in the actor's own frame."""
    motion = style.motions[0]
    tempo = values["tempo"] if values.has("tempo") else 1.0
    assert isinstance(tempo, float)
    options: dict[str, Any] = {"speed": motion.speed * tempo}
    if values.has("target"):
        options["target"] = values["target"]
    hand = values["hand"] if values.has("hand") else "any"
    if hand == "any" and values.has("by"):
        hand = next((side for side in ("left", "right") if side in str(values["by"])), "any")
    if motion.perform == STILL:
        return _still(character, model, values)
    animation = animation_of(motion, style.folder)
    if hand != "any":
        options["variant"] = variant_of(character, animation, str(hand))
    goes = animation in style_names()
    if goes and values.has("path"):
        options["path"] = [(place[0], place[2]) for place in values["path"]]  # type: ignore[union-attr, index]
    elif goes and values.has("to"):
        here, there = origin_of(character), np.asarray(values["to"])
        options["path"] = [(float(here[0]), float(here[2])), (float(there[0]), float(there[2]))]
    if "path" in options and float(np.ptp(options["path"], axis=0).max()) < THERE:
        # Who is there already stands.
        options["path"] = [(seconds, *options["path"][0]) for seconds in (0.0, STANDS)]
    if goes and values.has("pace"):
        options["pace"] = values["pace"]
    played = perform(character, animation, **options)
    tip, scale = tip_of(played), 1.0 / options["speed"]
    clip = _cut(played, motion, scale)
    steps = stands_of_performance(clip)
    known = under_way(clip, steps) if goes else {}
    times = key_times_of(clip, model, motion, scale, known)
    times = _let_go(clip, times, tip, AGREES * scale) if model.deform == "throw" and tip is not None else times
    return Rough(clip, times, steps, tip, {motion.name: 1.0}, {}, played.report)


def _still(character: Character, model: Model, values: Values) -> Rough:
    """A body that does nothing, for things that lie or fly about."""
    seconds = values["duration"] if values.has("duration") else 1.0
    assert isinstance(seconds, float)
    clip = Still(character, character.default_pose, seconds)
    return Rough(clip, filled(model.key_times, {}, clip.start, clip.end), (), None, {STILL: 1.0})


def _cut(clip: Clip, motion: BaseMotion, scale: float) -> Clip:
    """What counts of a performance, from zero on."""
    begin = clip.start if motion.begin is None else motion.begin * scale
    finish = clip.end if motion.finish is None else motion.finish * scale
    cut = clip.trimmed(begin, min(finish, clip.end)) if (begin, finish) != (clip.start, clip.end) else clip
    return Shift(cut, -cut.start) if cut.start else cut


def animation_of(motion: BaseMotion, folder: Path) -> str | Animation:
    """What a motion says is performed: a gait, an animation of a library, or a file."""
    name = motion.perform
    if name in style_names() or name in animation_names():
        return name
    for path in (folder / name, ANIMATIONS / f"{name}.toml"):
        if path.is_file():
            return load_animation(path)
    return load_animation(name)


def variant_of(character: Character, animation: str | Animation, hand: str) -> str | None:
    """The variant on a side; None if the body has none there."""
    from mummer.general import bind

    names = [variant.name for variant in bind(load_animation(animation), character).variants]
    return next((name for name in names if hand in name), None)


def tip_of(clip: Performance) -> Part | None:
    """The point that goes to the target: that of the wish that touches a place, or of what leads, or is wished most."""
    names = clip.body.skeleton.names

    def order(wish: Wish) -> tuple[bool, bool, float]:
        leads = any(names[wish.joint] in variant for variant in clip.variants)
        return wish.touches == "place", leads, float(wish.weights.sum())

    wishes = sorted(clip.wishes, key=order)
    return BodyPoint(wishes[-1].joint, wishes[-1].point) if wishes and wishes[-1].weights.max() > 0 else None


def under_way(clip: Clip, footsteps: Sequence[Mark]) -> dict[str, float]:
    """When a way is gone: ``go``, when the first foot is lifted, and ``halt``, when the last has come to stand.

    Who has no feet goes while its hips move.
    """
    lifts: dict[str, float] = {}
    lands: dict[str, float] = {}
    for mark in footsteps:
        foot = mark.name.rpartition(" ")[0]
        lifts[foot] = min(lifts.get(foot, clip.end), mark.until)
        lands[foot] = max(lands.get(foot, clip.start), mark.time)
    go, halt = min(lifts.values(), default=clip.start), max(lands.values(), default=clip.start)
    if not lifts:
        times = clip.times(30.0)
        hips = Standing.of(clip.body).places(clip.frames(times))[0]
        speeds = np.linalg.norm(np.gradient(hips, axis=0), axis=1)
        moving = times[speeds > UNDER_WAY * speeds.max(initial=0.0)]
        go, halt = (float(moving[0]), float(moving[-1])) if len(moving) else (clip.start, clip.start)
    return {"go": go, "halt": halt} if halt > go else {}


def key_times_of(
    clip: Clip, model: Model, motion: BaseMotion, scale: float, found: Mapping[str, float] | None = None
) -> KeyTimes:
    """Key times as the motion says, or as they were found in it, or marks of that name, or else shares of the whole."""
    known = {name: time for name, time in (found or {}).items() if name in model.key_times}
    known |= {name: (time - (motion.begin or 0.0)) * scale for name, time in motion.key_times.items()}
    if "takeoff" in model.key_times and "takeoff" not in known:
        from mummer.model.annotate import proposed

        told = {mark.name: mark.time for mark in clip.marks}
        for name, time in proposed(clip).key_times(("takeoff", "landing")).items():
            # Feet say it exactly, unless they are not where they are thought to stand.
            event = told.get(EVENTS.get(name, ""), time)
            known[name] = time if abs(time - event) < AGREES * scale else event
    for mark in clip.marks:
        if mark.name in model.key_times:
            known.setdefault(mark.name, mark.time)
    return filled(model.key_times, known, clip.start, clip.end)


def _let_go(clip: Clip, times: KeyTimes, tip: Part, within: float) -> KeyTimes:
    """Key times of a throw that lets go when what throws is fastest, by so many seconds sooner or later than said.

    Hands that go around large heads are as fast sooner than others.
    """
    moments = np.arange(times["windup"], times["follow_through"], 1.0 / LOOKS)
    if len(moments) < 3:
        return times
    places = WorldState(clip.body, clip.sample(moments)).point(tip)
    fastest = float(moments[np.argmax(np.linalg.norm(np.gradient(places, axis=0), axis=1))])
    if abs(fastest - times["release"]) > within:
        return times
    return KeyTimes(times.names, tuple(fastest if name == "release" else time for name, time in times), times.pauses)


def filled(names: tuple[str, ...], known: dict[str, float], start: float, end: float) -> KeyTimes:
    """Key times where some are known: the first and last at the ends, others by their usual share or evenly between."""
    said = {names[0]: start, names[-1]: end} | {name: min(max(time, start), end) for name, time in known.items()}
    if len(said) == 2:
        said |= {name: start + SHARES[name] * (end - start) for name in names if name in SHARES}
    places = [number for number, name in enumerate(names) if name in said]
    times = np.interp(np.arange(len(names)), places, [said[names[number]] for number in places])
    return KeyTimes(names, tuple(np.maximum.accumulate(times).tolist()))


def stands_of_performance(clip: Clip) -> tuple[Mark, ...]:
    """When heels and toes stand: all the time for feet that stay, else as found in the motion.

    The engine leaves feet that stand exactly where they are, so that what moves at all is not held: a hock that is slow
    for a moment, in the air. A foot that never is quite still slides, as in a recording, and is looked at like one.
    """
    feet = known_feet(clip.body)
    if not feet:
        return ()
    times = clip.times(LOOKS)
    state = WorldState(clip.body, clip.sample(times))
    # A file may hold a body in the midst of a run: then it is as it was bound.
    rests = [WorldState(clip.body, pose) for pose in (clip.body.default_pose, Pose.rest(clip.body.skeleton))]
    marks, sliding = [], []
    for foot in feet:
        sole = sole_of(clip.body, foot.heel)
        parts = (HEEL,) if sole.ball is None else (HEEL, TOE)
        heels = state.positions[:, foot.heel]
        if float(np.linalg.norm(heels - heels[0], axis=1).max()) < ROCKS * foot.leg:
            marks += [Mark(clip.start, f"{foot.name} {part}", clip.end) for part in parts]
            continue
        found = []
        for part in parts:
            high = max(float(sole.place(rest, part)[0, 1]) for rest in rests) + HIGH * foot.leg
            spans = _unmoved(times, sole.place(state, part), high, foot.leg)
            found += [Mark(begin, f"{foot.name} {part}", end) for begin, end in spans]
        marks += found
        sliding += [] if found else [foot.name]
    if sliding:
        marks += [mark for mark in footholds(clip) if mark.name.rpartition(" ")[0] in sliding]
    return tuple(sorted(marks))


def _unmoved(times: FloatArray, places: FloatArray, high: float, leg: float) -> list[tuple[float, float]]:
    """Seconds from when to when a part that is at ``places`` (T, 3), and lower than ``high``, does not move."""
    if len(times) < 2:
        return []
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) / np.diff(times)
    still = np.append(speeds, speeds[-1]) < STILL_FEET * leg
    still &= np.append(speeds[0], speeds) < STILL_FEET * leg
    still &= places[:, 1] < high
    runs = without_short(still, gap=round(BRIEF * LOOKS), shortest=round(LASTING * LOOKS))
    return [(float(times[run.first]), float(times[run.last])) for run in spells(runs) if len(run) > 1]


def origin_of(character: Character) -> FloatArray:
    """(3,) where the body stands at rest."""
    from mummer.general.physique import physique_of

    return np.asarray(physique_of(character).origin, np.float64)


def stands(clip: Clip, time: float, body: Character) -> tuple[tuple[float, ...], float]:
    """Where somebody is in the middle of a motion, as high as it is off the ground, and degrees to the left."""
    standing = Standing.of(body)
    places, headings = standing.places(clip.frames(np.array([time])))
    at_rest, _ = standing.places(Frames.of_pose(body.default_pose, 1))
    found = places[0] + quaternion.rotate(standing.turn(headings[0]), origin_of(body) - at_rest[0])
    return tuple(found.tolist()), float(np.degrees(headings[0]))
