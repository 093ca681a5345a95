"""What survives: python -m tests.stage.swaps [--bodies A,B] [--edits N] [--seed S].

Two laws, each with one figure. A style swap keeps every goal and every tweak: every model on every body in its first
style, in each other, and played at two thirds of its speed; the figure is by how much a goal is elsewhere, in metres,
by how much more it is missed, and how many degrees of a tweak are lost at its canonical time. A tweak stays at its
canonical time: its action is moved, re-styled, re-timed and paused at random in a play; the figure is how far from that
time the tweak is felt most, in milliseconds of the final cut, which has a frame every 17.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import mummer as mm
from mummer.character import Character
from mummer.clip import Clip
from mummer.clip.analysis.feet import known_feet
from mummer.ik import joint_of
from mummer.ik.goal import Goal
from mummer.math import quaternion
from mummer.model import Action, Style, load_model, load_style, model_names, style_names
from mummer.model.action import name_of
from mummer.stage import Director, Doing, Pause, Play, Tweak
from mummer.stage.actions import corrected
from tests.stage.pairs import THINGS, values_of

TURN = 40.0
"""Degrees of a tweak."""
SLOW = 2 / 3
PARTS = ("left_hand", "right_hand", "tail_tip", "tail", "left_wing", "left_feeler", "head")
"""What is tweaked, the first of them that a body has and no goal of an action is about."""
FINE = 1e-3
"""Seconds apart at which it is looked where a tweak is felt most."""


@dataclass(frozen=True)
class Kept:
    """What a swap of styles leaves of goals and tweaks.

    Attributes:
        moved: metres by which the goal that is furthest from where it was is so.
        missed: metres or radians by which the worst goal is missed more than before.
        lost: degrees of the tweak that are not there at its canonical time, of the worst style.
        clipped: styles in which a value was not legal, which is told, and does not count.
    """

    moved: float
    missed: float
    lost: float
    clipped: int = 0


def styles_of(model: str) -> list[str | Style]:
    """The styles of a model, and its first one slowed down."""
    found: list[str | Style] = [*style_names(model)]
    plain = load_style(None, load_model(model))
    if not plain.motions:
        return found
    slow = tuple(replace(motion, speed=SLOW * motion.speed) for motion in plain.motions)
    return [*found, replace(plain, name="slow", motions=slow)]


def part_for(action: Action) -> str:
    """A part to tweak that no goal of an action is about, and that carries none; empty if there is none."""
    groups, roles = action.rough.anatomy.groups, action.rough.anatomy.roles
    owner = {joint: name for name, joints in groups.items() for joint in joints}
    held = {joint_of(action.body, part) for goal in action.invariants for part in goal.points}
    taken = {0, *held} | {above for joint in held for above in action.body.skeleton.ancestors(joint)}
    about = {owner[joint] for joint in held}
    free = {name: joint for name, joint in roles.items() if joint not in taken and owner[joint] not in about}
    return next((name for name in (*PARTS, *free) if name in free), "")


def asked_of(action: Action) -> dict[str, Goal]:
    """The goals that a model makes of its parameters, by name; feet stand where a style has them."""
    goals = [goal for goal in action.invariants if goal.is_hard and not _is_foot(goal, action)]
    return {name_of(goal, action.body): goal for goal in goals}


def swapped(body: Character, model: str) -> Kept:
    """What is left of goals and a tweak of a model in all of its styles."""
    height = 1.0 if body.anatomy is None else body.anatomy.height
    values = values_of(model, height)
    first, worst = None, Kept(0.0, 0.0, 0.0)
    for style in styles_of(model):
        action = mm.act(body, model, style=style, **values)
        if action.values.clips:
            worst = replace(worst, clipped=worst.clipped + 1)
            continue
        first = action if first is None else first
        lost, missed = tweaked_of(action)
        ours, theirs = asked_of(action), asked_of(first)
        moved = [_apart(ours[name], theirs[name]) for name in set(ours) & set(theirs)]
        more = missed - max(first.misses, default=0.0)
        worst = replace(worst, moved=max([worst.moved, *moved]), missed=max(worst.missed, more),
                        lost=max(worst.lost, lost))  # fmt: skip
    return worst


def tweaked_of(action: Action) -> tuple[float, float]:
    """Degrees of a tweak of an action that are not there at its canonical time, and the worst miss of a goal then."""
    if not (part := part_for(action)):
        return 0.0, max(action.misses, default=0.0)
    bent = corrected(action, Doing("it", "a", action.model, tweaks=(Tweak(1.5, part, turn=(0.0, 0.0, TURN)),)))
    joint, time = joint_of(action.body, part), float(action.key_times.seconds(1.5))
    turns = [clip.at(time).rotations[joint] for clip in (action.clip, bent.clip)]
    return abs(TURN - float(np.degrees(quaternion.angle_between(*turns)))), max(bent.misses, default=0.0)


def _is_foot(goal: Goal, action: Action) -> bool:
    skeleton = action.body.skeleton
    feet = {joint for foot in known_feet(action.body) for joint in (foot.heel, *skeleton.descendants(foot.heel))}
    return any(joint_of(action.body, part) in feet for part in goal.points)


def _apart(one: Goal, other: Goal) -> float:
    places = [getattr(each, "at", 0.0) for each in (one, other)]
    # What goes along with another part goes where a style has that.
    return 0.0 if any(map(callable, places)) else float(np.abs(np.subtract(*places)).max())


# A tweak stays at its canonical time ----------------------------------------------------------------------------------


def edits(seed: int, count: int) -> Iterator[tuple[float, dict[str, Any], dict[str, Any]]]:
    """Canonical times of a tweak, changes of its action, and of the one before it, at random."""
    dice = np.random.default_rng(seed)
    for _ in range(count):
        change: dict[str, Any] = {"values": {"tempo": float(dice.uniform(0.5, 1.8))}}
        if dice.random() < 0.6:
            change["style"] = str(dice.choice(["normal", "stealthy", "fast"]))
        if dice.random() < 0.5:
            change |= {"at": float(dice.uniform(4.0, 7.0)), "key": str(dice.choice(["start", "achieve"]))}
        if dice.random() < 0.4:
            change["pauses"] = (Pause("settle", float(dice.uniform(0.1, 1.0))),)
        if dice.random() < 0.4:
            change["later"] = float(dice.uniform(-0.1, 0.2))
        yield float(dice.uniform(1.15, 1.85)), change, {"values": {"tempo": float(dice.uniform(0.6, 1.6))}}


def astray(body: str, at: float, change: dict[str, Any], before: dict[str, Any], director: Director) -> float:
    """Seconds from the canonical time of a tweak to where it is felt most in the final cut of a play, once edited."""
    height = 1.0 if (anatomy := mm.load(body).anatomy) is None else anatomy.height
    plain = Play("edit").actor("a", body).do("a", "nod", name="first")
    plain = plain.do("a", "peer", name="look", target=(0.5 * height, 0.7 * height, 1.2 * height))
    part = part_for(director.cut(plain).done["look"].action)
    change = dict(change)
    later = [Tweak("release", later=change.pop("later"))] if "later" in change else []
    plain = plain.tweaked("look", *later)
    tweaked = plain.tweaked("look", Tweak(at, part, turn=(0.0, 0.0, TURN)))
    one, other = (director.cut(play.changed("look", **change).changed("first", **before)) for play in (plain, tweaked))
    times, clips = other.done["look"].key_times, (one.clips["a"], other.clips["a"])
    wanted = float(times.seconds(at))
    return felt_at(*clips, part, (times["achieve"], times["release"])) - wanted


def felt_at(plain: Clip, tweaked: Clip, part: str, span: tuple[float, float]) -> float:
    """Seconds within ``span`` at which two motions of a part differ most."""
    joint, times = joint_of(plain.body, part), np.arange(span[0], span[1], FINE)
    turns = [clip.sample(times).rotations[:, joint] for clip in (plain, tweaked)]
    return float(times[np.argmax(quaternion.angle_between(*turns))])


def main() -> None:
    """Print both figures."""
    reader = argparse.ArgumentParser(prog="python -m tests.stage.swaps", description=__doc__)
    reader.add_argument("--bodies", default="zoo:adult,zoo:dog,zoo:spider")
    reader.add_argument("--edits", type=int, default=100)
    reader.add_argument("--seed", type=int, default=1)
    told = reader.parse_args()
    bodies = told.bodies.split(",")
    found = {}
    for body in bodies:
        character = mm.load(body)
        found |= {f"{body} {model}": swapped(character, model) for model in model_names() if model not in THINGS}
    lines = []
    for what, unit in (("moved", "m"), ("missed", "m or rad more"), ("lost", "degrees of a tweak")):
        where = max(found, key=lambda each: getattr(found[each], what))
        lines.append(f"{what}: {getattr(found[where], what):.2g} {unit} at most ({where})")
    clipped = sum(each.clipped for each in found.values())
    lines.append(f"{len(found)} models on bodies, {clipped} styles with a value that was clipped, and said")
    director, far = Director(), []
    for number, edit in enumerate(edits(told.seed, told.edits)):
        far.append(abs(astray(bodies[number % len(bodies)], *edit, director)))
    most, middle = 1000 * max(far), 1000 * float(np.median(far))
    lines.append(f"astray: {most:.1f} ms at most, {middle:.1f} in the median, of {len(far)} edits")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
