"""Handling: what actions do to things, and who touches whom."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mummer.character import Character
from mummer.clip.analysis.feet import known_feet
from mummer.general.physique import physique_of
from mummer.ik import Goal, Place, WorldState
from mummer.ik.body_point import Part, joint_of
from mummer.model.throwing import ballistic, spin_of
from mummer.stage.actions import model_of
from mummer.stage.contact import Side, contact_goals, side_of_actor, side_of_prop
from mummer.stage.cut import Done
from mummer.stage.line import Line
from mummer.stage.play import Contact
from mummer.stage.prop_path import Held, PropPath
from mummer.stage.scene import Scene

GRASP = 0.1
"""Body heights between what holds and the surface of a thing, up to which it is taken."""


def achieved(done: Done) -> float:
    """Seconds at which what an action is about is reached."""
    return done.key_times["achieve"] if "achieve" in done.key_times.names else done.key_times.end


def handle_props(scene: Scene, line: Line, done: Done) -> None:
    """What an action does to props."""
    for what, name in done.doing.handling.items():
        if what == "takes":
            _take(scene, line, done, name)
            continue
        holder = scene.paths[name].last
        if not (isinstance(holder, Held) and holder.actor == line.part.name):
            scene.report.add("ignored", f"{done.doing.name} {what} {name}, which {line.part.name} does not hold")
            continue
        scene.paths[name] = _let_go(scene, done, what, name)


def _take(scene: Scene, line: Line, done: Done, name: str) -> None:
    time = achieved(done) if "achieve" in done.key_times.names else done.key_times.start
    path, points = scene.path(name), _holders(done)
    state = WorldState(line.body, line.seen.at(time))
    away = path.away(time, np.concatenate([state.point(point) for point in points]))
    joint, off = joint_of(line.body, points[int(np.argmin(away))]), float(away.min())
    if off > GRASP * physique_of(line.body).height:
        scene.report.add("missed", f"{done.doing.name} does not take {name}: it is {off:.2f} m out of reach")
        return
    scene.paths[name] = path.taken(time, line.seen, joint, line.part.name)


def _let_go(scene: Scene, done: Done, what: str, name: str) -> PropPath:
    times, path = done.key_times, scene.path(name)
    time = times["release"] if "release" in times.names else times.end
    if what == "puts":
        return path.put(time)
    if what == "drops" or not done.action.values.has("target"):
        return path.dropped(time)
    target = np.asarray(done.action.values["target"], np.float64)
    flight = ballistic(path.at([time])[0][0], target, done.action.values, time)
    strike = time + flight.duration
    scene.done[done.doing.name] = replace(done, events={**done.events, "strike": strike})
    velocity = np.array(flight.velocity)
    spin = spin_of(done.action.values, velocity)
    return path.let_go(time, velocity=velocity, spin=spin, gravity=flight.gravity).dropped(strike)


def _holders(done: Done) -> list[Part]:
    """Points that can hold something: what the action is to touch with, then hands, then a mouth, else any joint."""
    body = done.action.body
    assert body.anatomy is not None
    feet = {foot.heel for foot in known_feet(body)}
    places = [goal for goal in done.action.invariants if isinstance(goal, Place) and goal.is_hard]
    tips = [goal.part for goal in places if not _belongs(body, joint_of(body, goal.part), feet)]
    joints = next((found for what in ("grasper", "mouth") if (found := body.anatomy.capabilities.get(what, ()))), ())
    return [*tips, *(joints or (() if tips else range(len(body.skeleton))))]


def _belongs(body: Character, joint: int, feet: set[int]) -> bool:
    return joint in feet or bool(feet & set(body.skeleton.ancestors(joint)))


def touch(scene: Scene) -> None:
    """What keeps parts together that touch; everybody gives way to how the others move before that."""
    goals: dict[str, list[Goal]] = {}
    for number, contact in enumerate(scene.play.contacts):
        begin, end = scene.event(contact.begin, "start"), scene.event(contact.end, "end")
        if end <= begin:
            scene.report.add("ignored", f"{contact.first} touches {contact.second} for no time")
            continue
        with scene.play.at(f"contact {number}"):
            first = _side(scene, contact.first)
            if contact.second in scene.props and first.point is not None:
                scene.paths[contact.second] = scene.path(contact.second).shared(begin, end, first.at)
            second = _side(scene, contact.second)
            contact = _answered(scene, contact, begin)
        for name, found in contact_goals(contact, first, second, begin, end).items():
            goals.setdefault(name, []).extend(found)
    for name, found in goals.items():
        scene.lines[name].contact = tuple(found)


def _answered(scene: Scene, contact: Contact, time: float) -> Contact:
    """A contact as the second of both answers it, by what they do when it begins."""
    line = scene.lines.get(contact.second.partition(".")[0])
    doing = None if line is None else line.doing(time)
    answer = "" if doing is None else model_of(doing.model, scene.play.folder)[0].contact
    if doing is None or not answer or answer == contact.control:
        return contact
    said = f"{contact.second} answers {contact.control!r} with {answer!r}, because of {doing.name}"
    scene.report.add("repaired", said)
    return replace(contact, control=answer)


def _side(scene: Scene, name: str) -> Side:
    if name in scene.props:
        return side_of_prop(scene.path(name))
    who, _, part = name.partition(".")
    return side_of_actor(who, part or "hips", scene.lines[who].seen)
