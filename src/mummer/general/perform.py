"""Perform: one call from a body and the name of an animation to a clip."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from mummer.arrays import as_number
from mummer.character import Character
from mummer.clip import Mark
from mummer.errors import InputError
from mummer.general.animated import Animated
from mummer.general.animation import Animation, animation_names, load_animation
from mummer.general.binding import bind
from mummer.general.default_target import default_target
from mummer.general.gait import Ground, gait, style_names
from mummer.general.gait.ground import Heights
from mummer.general.gait.make import Gait, Way, path_of
from mummer.general.gait.path import Ends
from mummer.general.performance import Performance
from mummer.general.physique import Physique, physique_of
from mummer.general.variants import choose
from mummer.general.whole import TakenApart, whole_of
from mummer.ik.moving import Target, at_times
from mummer.io.subjects import BodyLike, as_character, kind_of
from mummer.math import quaternion
from mummer.report import ReportBuilder


def perform(
    body: BodyLike,
    *animations: str | Path | Animation,
    target: Target | None = None,
    targets: Mapping[str, Target] | None = None,
    variant: str | None = None,
    speed: float = 1.0,
    duration: float | None = None,
    path: Way = None,
    pace: float | None = None,
    ground: Heights | Ground | None = None,
    ends: Ends = "stand",
) -> Performance:
    """A body plays animations, all at once; later ones over earlier ones.

    Args:
        body: a path, ``zoo:NAME``, a character or a clip of one; recognised if nobody knows its anatomy yet.
        animations: names of the library, files, or animations; and names of gaits, such as ``walk``, several of which
            make one gait.
        target: where the thing is that animations reach for, (3,) metres in the world or moving; a place that the body
            can reach if None.
        targets: further things by name.
        variant: which way to play, by the joints that do: ``left_hand``; the one nearest to the target if None.
        speed: how fast animations play, 1 as they were made.
        duration: seconds; as long as the longest, or one round of those that loop, if None.
        path: where to go: rows of x and z, or what else `gait` takes; straight ahead for a gait if None.
        pace: metres a second along the path; what suits the body if None.
        ground: the height of the ground as a function of x and z; level if None.
        ends: whether who goes somewhere stands before and after, or is on the way already and goes on (``moving``).

    Returns:
        A clip, whose ``report`` says what was guessed or left out.

    Raises:
        InputError: if an animation is not for this body.

    Example:
        >>> import mummer as mm
        >>> clip = mm.perform("zoo:adult", "wave")
        >>> clip.body.name
        'adult'
    """
    if not animations and path is None:
        raise InputError("nothing to perform; expected the name of an animation, such as 'wave'")
    if not 0 < as_number(speed, "the speed") < np.inf:
        raise InputError(f"a speed of {speed:g} makes no sense; expected a positive number")
    character = _known(_body_of(body, animations))
    whole = whole_of(character)
    physique, report = physique_of(character if whole is None else whole.character), ReportBuilder()
    known = dict(targets or {}) | ({} if target is None else {"": target})
    styles = [one for one in animations if isinstance(one, str) and one in style_names()]
    loaded = [load_animation(one) for one in animations if one not in styles]
    played = tuple(driver_of(one, physique, known, variant, speed, report) for one in loaded)
    for driver in played:
        for missing in driver.missing():
            report.add("ignored", missing)
    span = (0.0, _duration(loaded, speed, duration))
    going: tuple[Gait, ...] = ()
    if styles or path is not None:
        way = path_of(physique, path, speed=pace, heading=None, duration=duration, ends=ends)
        walk = gait(physique, path=way, style=styles or None, ground=ground)
        going = (walk,)
        span = (min(0.0, walk.start), max(walk.end, span[1]) if duration is None else span[1])
    follow = max((driver.bound.branch.root_follow for driver in played), default=0.0)
    marks = tuple(mark for driver in played for mark in _marks(driver, span[1]))
    drivers = (*going, *played)
    title = " ".join([*(styles or [driver.style.name for driver in going]), *(one.name for one in loaded)])
    if whole is not None:
        hung = ", ".join(character.skeleton.names[joint] for joint in whole.loose)
        report.add("repaired", f"these hang from elsewhere and are carried by their limbs: {hung}")
        return TakenApart(whole.character, drivers, *span, follow, marks, report.build(), title, whole=whole)
    return Performance(character, drivers, *span, follow, marks, report.build(), title)


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


def _known(character: Character) -> Character:
    """A character whose parts are known; recognition is loaded only where they are not."""
    if character.anatomy is not None and character.anatomy.roles:
        return character
    from mummer.recognition import recognized

    return recognized(character)


def driver_of(
    animation: Animation,
    physique: Physique,
    targets: Mapping[str, Target],
    variant: str | None,
    speed: float,
    report: ReportBuilder,
) -> Animated:
    """An animation as a body plays it: bound, in the variant that is asked for or nearest to its target."""
    bound = bind(animation, physique)
    if variant is not None:
        chosen = bound.variant(variant)
    elif "" in targets:
        place = at_times(targets[""], 3, 1, np.zeros(1), "the target")[0]
        seen = quaternion.rotate(quaternion.conjugate(physique.axes), place - physique.origin)
        chosen = choose(bound.variants, physique, nearest_to=seen)
    else:
        chosen = choose(bound.variants, physique)
    driver = Animated(bound, chosen, speed=speed, targets=targets)
    guessed = {
        name: default_target(physique, chosen, animation.target) for name in driver.outside if name not in targets
    }
    for name, place in guessed.items():
        where = ", ".join(f"{number:.2f}" for number in place)
        report.add("guessed", f"{animation.name!r} needs the target{' ' + name if name else ''}, put at ({where})")
    return replace(driver, targets={**targets, **guessed}) if guessed else driver


def _duration(animations: list[Animation], speed: float, duration: float | None) -> float:
    if duration is not None:
        if not 0 < as_number(duration, "the duration") < np.inf:
            raise InputError(f"a duration of {duration:g} s makes no sense; expected a positive number")
        return duration
    finite = [one.duration for one in animations if not one.loop] or [one.duration for one in animations]
    return max(finite, default=0.0) / speed


def _marks(driver: Animated, ends: float) -> list[Mark]:
    """The events of an animation, of each round if it loops."""
    animation = driver.bound.animation
    rounds = int(np.ceil(ends * driver.speed / animation.duration)) if animation.loop else 1
    found = []
    for channel in {part.channel for part in driver.parts}:
        for time, name in channel.events:
            for number in range(rounds):
                at = driver.start + (time + number * animation.duration) / driver.speed
                if at <= ends:
                    found.append(Mark(at, name))
    return found
