"""Recorded styles: base motions bound to a body, aligned, weighed, and blended in canonical time, step for step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.mirror import Mirror
from mummer.clip.motions import of
from mummer.clip.operated import Operated
from mummer.clip.pivot import Pivot, pivot_to
from mummer.clip.retimed import Shift
from mummer.clip.sampled import Sampled
from mummer.clip.standing import Standing, wrapped
from mummer.clip.time_warp import TimeWarp
from mummer.clip.weighted import Weighted
from mummer.general.physique import physique_of
from mummer.ik.body_point import Part, joint_of
from mummer.ik.constraints.plant import HEEL, TOE, sole_of, stands_of
from mummer.ik.world_state import WorldState
from mummer.io import load
from mummer.model.annotate import proposed
from mummer.model.jumping import landed
from mummer.model.key_times import KeyTimes, increasing
from mummer.model.model import Model
from mummer.model.parameter import Value
from mummer.model.performed import Rough, filled, origin_of
from mummer.model.style import BaseMotion, Style, stands_from
from mummer.model.values import Values
from mummer.model.weights import angular, cartesian, radial, throw
from mummer.report import ReportBuilder

SLIGHT = 0.02
"""Weights below this are left out: what they add is less than what recordings differ by."""
CLOSE = 0.02
"""Seconds by which moments that are brought together are apart from others, at least."""
SWAP = {"left": "right", "right": "left"}
MOST = 8
"""Base motions that are blended at most."""


@dataclass(frozen=True, eq=False)
class Bound:
    """A base motion on a body, in the actor's own frame.

    Attributes:
        name: of the motion.
        clip: it starts at zero, over the body's rest place, facing its rest front.
        key_times: of the clip.
        footsteps: marks of when heels and toes stand.
        tip: the part that acts, or None.
        values: what the motion shows, positions as measured.
    """

    name: str
    clip: Clip
    key_times: KeyTimes
    footsteps: tuple[Mark, ...]
    tip: Part | None
    values: dict[str, Value]


def recorded(character: Character, model: Model, style: Style, values: Values) -> Rough:
    """The motion of a recorded style; positions among ``values`` are in the actor's own frame."""
    side = str(values["hand"]) if values.has("hand") else "any"
    motions = bound_motions(character, model, style)
    chosen = [motion for motion in motions if side == "any" or side in _role(character, motion.tip)] or motions
    return blended(chosen, weights_of(chosen, model, values, origin_of(character)), model)


def bound_motions(character: Character, model: Model, style: Style) -> tuple[Bound, ...]:
    """The base motions of a style on a body, made once and kept with it; mirror images serve the other side."""
    table: dict[Any, tuple[Bound, ...]] = vars(character).setdefault("_bound_styles", {})
    key = (id(style), model.name)
    if key not in table:
        found: list[Bound] = []
        for motion in style.motions:
            one = bind_motion(character, model, motion, loaded(motion, style))
            found.append(one)
            if motion.mirrored and model.has("hand") and "_" in _role(character, one.tip):
                found.append(bind_motion(character, model, _other(motion, character, one), Mirror(one.clip)))
        table[key] = aligned(in_step(found, model) if model.deform == "travel" else found, model)
    return table[key]


def loaded(motion: BaseMotion, style: Style) -> Clip:
    """The recording of a base motion.

    Raises:
        MummerError: if it cannot be read.
    """
    path = style.folder / motion.file
    options = {name: getattr(motion, name) for name in ("unit",) if getattr(motion, name)}
    if motion.skeleton:
        options["skeleton"] = str(style.folder / motion.skeleton)
    return of(load(path, **options), motion.clip or None)


def bind_motion(character: Character, model: Model, motion: BaseMotion, clip: Clip) -> Bound:
    """A base motion on a body: cut, retargeted unless it is that body's own, annotated as far as nobody did."""
    if isinstance(clip, Sampled) and _same(clip.body, character):
        clip = replace(clip, character=character)
    clip = _rooted(clip)
    cut = clip.trimmed(motion.begin, motion.finish)
    known = dict(motion.key_times)
    if not _same(cut.body, character):
        from mummer.retargeting.retarget import retarget

        cut = _rooted(retarget(cut, character, name=motion.name)).trimmed()
        known = {name: time - clip.trimmed(motion.begin, motion.finish).start for name, time in known.items()}
    shifted = Shift(cut, -cut.start)
    known = {name: time - cut.start for name, time in known.items()}
    if motion.speed != 1.0:
        shifted = shifted.at_speed(motion.speed)  # type: ignore[assignment]
        known = {name: time / motion.speed for name, time in known.items()}
    heading = pivot_to(shifted, origin_of(character), 0.0)
    guess = proposed(heading, motion.part or None)
    tip = motion.part or guess.part
    times = filled(model.key_times, guess.key_times(model.key_times, known), 0.0, heading.end)
    steps = guess.stands if motion.footsteps is None else stands_from(motion.footsteps, 0.0, heading.end)
    return Bound(motion.name, heading, times, steps, tip or None, dict(motion.values))


def in_step(motions: Sequence[Bound], model: Model) -> tuple[Bound, ...]:
    """All cut to the longest row of footsteps that every one of them has, so that they step alike; else as they are."""
    rows = [_strikes(motion) for motion in motions]
    feet = [[foot for _, foot in row] for row in rows]
    for count in range(len(feet[0]), 1, -1):
        for first in range(len(feet[0]) - count + 1):
            run = feet[0][first : first + count]
            places = [place for place in (_place_of(run, row) for row in feet) if place is not None]
            if len(places) == len(motions):
                sides = [_turned_over(one) if over else one for one, (_, over) in zip(motions, places, strict=True)]
                moments = [
                    [time for time, _ in row[at : at + count]] for row, (at, _) in zip(rows, places, strict=True)
                ]
                return tuple(_cut(motion, times, model) for motion, times in zip(sides, moments, strict=True))
    return tuple(motions)


def _strikes(motion: Bound) -> list[tuple[float, str]]:
    """When which foot comes to stand, in order.

    One that is on its toes alone at first, and comes down on its heel later on, stood there before the motion begins.
    """
    found = []
    for name, stands in stands_of(motion.footsteps).items():
        stood = stands[0].heel is None and any(stand.heel is not None for stand in stands)
        begins = [min(span[0] for span in (stand.heel, stand.toe) if span is not None) for stand in stands[stood:]]
        found += [(begin, name) for begin in begins if begin > motion.clip.start + CLOSE]
    return sorted(found)


def _place_of(run: Sequence[str], row: Sequence[str]) -> tuple[int, bool] | None:
    """Where a row holds a run first, and whether it does so mirrored; None if it does not."""
    for other in (False, True):
        wanted = [swapped(name) for name in run] if other else list(run)
        for place in range(len(row) - len(run) + 1):
            if list(row[place : place + len(run)]) == wanted:
                return place, other
    return None


def _turned_over(motion: Bound) -> Bound:
    """The mirror image of a motion that goes somewhere."""
    steps = tuple(sorted(replace(mark, name=swapped(mark.name)) for mark in motion.footsteps))
    return replace(motion, clip=_rooted(Mirror(motion.clip)), footsteps=steps)


def swapped(name: str) -> str:
    """The name of the same on the other side."""
    return " ".join("_".join(SWAP.get(part, part) for part in word.split("_")) for word in name.split(" "))


def _cut(motion: Bound, strikes: Sequence[float], model: Model) -> Bound:
    """A motion from its first to its last strike, from zero on, over the rest place.

    It faces the rest front on average over its first two steps: at a strike hips are turned one way or the other.
    """
    begin, end = strikes[0], strikes[-1]
    part = Shift(motion.clip.trimmed(begin, end), -begin)
    round_of = np.linspace(0.0, strikes[min(2, len(strikes) - 1)] - begin, 25)
    headings = Standing.of(part.body).places(part.frames(round_of))[1]
    ahead = math.atan2(float(np.sin(headings).mean()), float(np.cos(headings).mean()))
    turned = pivot_to(part, origin_of(part.body), float(wrapped(headings[0] - ahead)))
    steps = (mark.within(begin, end) for mark in motion.footsteps)
    moved = tuple(mark.moved(mark.time - begin, mark.until - begin) for mark in steps if mark is not None)
    return replace(motion, clip=turned, key_times=filled(model.key_times, {}, part.start, part.end), footsteps=moved)


@dataclass(frozen=True, eq=False, repr=False)
class Rooted(Operated):
    """The clip with the travel of its hips in its root, so that the mean of several goes where it should.

    Files whose root stands still while the hips go away mix turns of the one with places of the other.
    """

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made, standing = self.clip.frames(times), Standing.of(self.body)
        if made.translations is None or len(standing.chain) < 2:
            return made
        hips = standing.places(made)[0]
        # Above the root: what is turned with it must not be far away from it.
        between = list(standing.chain[1:])
        made.translations[:, between] = self.body.skeleton.rest_translations[between] @ np.outer(
            standing.up, standing.up
        )
        made.root += hips - standing.places(made)[0]
        return made


def _rooted(clip: Clip) -> Clip:
    chain = Standing.of(clip.body).chain
    is_apart = len(chain) > 1 and clip.frames(np.array([clip.start])).translations is not None
    return Rooted(clip) if is_apart else clip


def aligned(motions: Sequence[Bound], model: Model) -> tuple[Bound, ...]:
    """All with the ball of the right foot, or the first foot, where the first motion has it when it starts."""
    balls = [_ball(motion.clip) for motion in motions]
    if any(ball is None for ball in balls):
        return tuple(_measured(motion, model) for motion in motions)
    found = []
    for motion, ball in zip(motions, balls, strict=True):
        assert ball is not None
        assert balls[0] is not None
        away = balls[0] - ball
        # Mirror images have the other foot there; hips are over one place already, which is as near as it gets.
        shift = away if float(np.linalg.norm(away[[0, 2]])) < 0.1 * physique_of(motion.clip.body).height else 0.0 * away
        to = (float(shift[0]), 0.0, float(shift[2]))
        moved = replace(motion, clip=Pivot(motion.clip, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), to))
        found.append(_measured(moved, model))
    return tuple(found)


def _ball(clip: Clip) -> FloatArray | None:
    from mummer.clip.analysis.feet import known_feet

    feet = known_feet(clip.body)
    if not feet:
        return None
    foot = next((each for each in feet if "right" in each.name), feet[0])
    return sole_of(clip.body, foot.heel).place(WorldState(clip.body, clip.sample([clip.start])), TOE)[0]


def _measured(motion: Bound, model: Model) -> Bound:
    """With the place that the acting part has at its goal, heights, and where and how fast the body went, as values."""
    moment = motion.key_times["achieve"] if "achieve" in motion.key_times.names else motion.key_times.end
    if "release" in motion.key_times.names and "achieve" not in motion.key_times.names:
        moment = motion.key_times["release"]
    values = dict(motion.values)
    if motion.tip is not None and "target" not in values:
        place = WorldState(motion.clip.body, motion.clip.sample([moment])).point(motion.tip)[0]
        values["target"] = tuple(place.tolist())
    if "to" not in values:
        moment = motion.key_times["landing"] if "landing" in motion.key_times.names else motion.clip.end
        values["to"] = tuple(landed(motion.clip, motion.footsteps, moment).tolist())
    if model.has("pace") and "pace" not in values:
        hips = Standing.of(motion.clip.body).places(motion.clip.frames(motion.clip.times(30.0)))[0]
        way = float(np.linalg.norm(np.diff(hips[:, [0, 2]], axis=0), axis=1).sum())
        values["pace"] = way / max(motion.clip.duration, 1e-6)
    for rule in model.goals:
        if rule.kind == "height" and rule.at not in values:
            state = WorldState(motion.clip.body, motion.clip.sample([motion.key_times[rule.during[0]]]))
            values[rule.at] = float(state.point(rule.part)[0, 1])
    return replace(motion, values=values)


def weights_of(motions: Sequence[Bound], model: Model, values: Values, origin: FloatArray) -> FloatArray:
    """(n,) the weights of the motions: by the model's rule, over those of its parameters that have a value."""
    over = [name for name in model.over if values.has(name) and all(name in motion.values for motion in motions)]
    if not over or len(motions) == 1:
        return np.full(len(motions), 1.0 / len(motions)) if not over else np.ones(1)
    shown = np.array([_row(motion.values, over) for motion in motions])
    wish = _row(values, over)
    if model.rule == "throw" and {"near", "far"} <= {motion.name for motion in motions}:
        return _throw_weights(motions, values, origin)
    if model.rule == "angular":
        hips = origin + np.array([0.0, 0.55 * float(physique_of(motions[0].clip.body).height), 0.0])
        return angular(wish[:3], shown[:, :3], hips)
    return radial(wish, shown) if model.rule == "radial" else cartesian(wish, shown)


def _throw_weights(motions: Sequence[Bound], values: Values, origin: FloatArray) -> FloatArray:
    hips = origin + np.array([0.0, 0.55 * float(physique_of(motions[0].clip.body).height), 0.0])
    shown = {motion.name: np.asarray(motion.values["target"], np.float64) for motion in motions}
    target = np.asarray(values["target"], np.float64)
    apex = values["apex"] if values.has("apex") else max(float(target[1]), float(hips[1]))
    assert isinstance(apex, float)
    found = throw(target, apex, shown, hips)
    weights = np.array([found.get(motion.name, 0.0) for motion in motions])
    return np.asarray(weights / max(float(weights.sum()), 1e-9))


def _row(values: Any, over: Sequence[str]) -> FloatArray:
    return np.concatenate([np.atleast_1d(np.asarray(values[name], np.float64)) for name in over])


def blended(motions: Sequence[Bound], weights: FloatArray, model: Model) -> Rough:
    """The mean of the motions by weight: key times and footsteps happen at mean times, and together."""
    order = np.argsort(-weights)[:MOST]
    chosen = [int(number) for number in order if weights[number] >= min(SLIGHT, weights.max())]
    used, share = [motions[number] for number in chosen], weights[chosen] / weights[chosen].sum()
    keys, stands = _timing(used, share)
    times = KeyTimes(
        model.key_times, tuple(np.einsum("n,nk->k", share, [one.key_times.times for one in used]).tolist())
    )
    report = ReportBuilder()
    if stands is None:
        report.add("guessed", "base motions do not step alike; footsteps are those of the one with the largest weight")
        strongest = TimeWarp(used[0].clip, increasing(keys[0], share @ np.array(keys)))
        stands = tuple(mark.moved(*strongest.outer([mark.time, mark.until]).tolist()) for mark in used[0].footsteps)
    goal = share @ np.array(keys)
    warped = [TimeWarp(one.clip, increasing(key, goal)) for one, key in zip(used, keys, strict=True)]
    clip: Clip = Weighted(tuple(warped), tuple(share.tolist())) if len(used) > 1 else warped[0]
    clip = clip.trimmed(max(times.start, clip.start), min(times.end, clip.end))
    values = {
        name: _mixed([one.values[name] for one in used], share)
        for name in used[0].values if name not in ("to", "pace") and all(name in one.values for one in used)
    }  # fmt: skip
    stands = tuple(mark for mark in (mark.within(clip.start, clip.end) for mark in stands) if mark is not None)
    return Rough(
        clip, times, stands, used[0].tip, {one.name: float(part) for one, part in zip(used, share, strict=True)},
        values, report.build(),
    )  # fmt: skip


def _timing(motions: Sequence[Bound], share: FloatArray) -> tuple[list[list[float]], tuple[Mark, ...] | None]:
    """For each motion the moments that are brought together; and when feet stand then, if all step alike."""
    keys = [list(motion.key_times.times) for motion in motions]
    stands = [stands_of(motion.footsteps) for motion in motions]
    counts = [{name: len(one) for name, one in each.items()} for each in stands]
    if any(count != counts[0] for count in counts[1:]):
        return _in_one_order(keys, len(keys[0])), None
    marks = []
    events: list[list[float]] = [[] for _ in motions]
    for name in stands[0]:
        for number in range(len(stands[0][name])):
            own = [each[name][number] for each in stands]
            heels = [stand.heel for stand in own if stand.heel is not None]
            toes = [stand.toe for stand in own if stand.toe is not None]
            whole = [(part, spans) for part, spans in ((HEEL, heels), (TOE, toes)) if len(spans) == len(own)]
            for part, spans in whole or [(TOE, [stand.flat for stand in own])]:
                begin, end = share @ np.array(spans, np.float64)
                marks.append(Mark(float(begin), f"{name} {part}", float(end)))
                for row, (first, last) in zip(events, spans, strict=True):
                    row += [first, last]
    merged = _in_one_order([[*key, *row] for key, row in zip(keys, events, strict=True)], len(keys[0]))
    return merged, tuple(sorted(marks))


def _in_one_order(rows: list[list[float]], count: int) -> list[list[float]]:
    """The moments of all motions in one order, without those that come in another order in some of them.

    Args:
        rows: of each motion ``count`` key times, the first and last of which stay, and then other moments.
        count: how many key times there are.
    """
    table = np.array(rows)
    last, kept = count - 1, [0]
    first = [*range(1, last), *(int(place) for place in np.argsort(table[:, count:].mean(axis=0)) + count)]
    for place in sorted(first, key=lambda each: (each >= count, float(table[:, each].mean()))):
        others = [*kept, last]
        sides = np.sign(table[:, [place]] - table[:, others])
        apart = np.abs(table[:, [place]] - table[:, others]).min()
        if np.all(sides == sides[0]) and apart > CLOSE:
            kept.append(place)
    order = sorted([*kept, last], key=lambda each: float(table[:, each].mean()))
    return [[float(table[row, place]) for place in order] for row in range(len(rows))]


def _mixed(values: Sequence[Value], share: FloatArray) -> Value:
    """Numbers by weight; of everything else the one with the largest."""
    if isinstance(values[0], float):
        return float(share @ np.array(values, np.float64))
    if isinstance(values[0], tuple) and len(values[0]) == 3:
        return tuple((share @ np.array(values, np.float64)).tolist())
    return values[int(np.argmax(share))]


def _same(one: Character, other: Character) -> bool:
    """Whether motions of one are motions of the other: poses are no differences from rest, so lengths alone count."""
    if one is other or one.skeleton.names != other.skeleton.names:
        return one is other
    below = ~np.isin(np.arange(len(one.skeleton)), Standing.of(one).chain)
    ends = ~np.isin(np.arange(len(one.skeleton)), one.skeleton.parents)
    skinned = bool(one.meshes or other.meshes)
    return bool(
        np.allclose(one.skeleton.rest_translations[below], other.skeleton.rest_translations[below], atol=1e-5)
        # What hangs from the end of a limb is skin alone.
        and (not skinned or _alike(one.skeleton.rest_rotations[ends], other.skeleton.rest_rotations[ends]))
    )


def _alike(one: FloatArray, other: FloatArray) -> bool:
    return bool(np.all(np.abs(np.sum(one * other, axis=-1)) > 1 - 1e-9))


def _role(character: Character, tip: Part | None) -> str:
    if tip is None:
        return ""
    joint = joint_of(character, tip)
    roles = {} if character.anatomy is None else {each: role for role, each in character.anatomy.roles.items()}
    return roles.get(joint, character.skeleton.names[joint])


def _other(motion: BaseMotion, character: Character, bound: Bound) -> BaseMotion:
    """The mirror image of a base motion, annotated alike."""
    role = _role(character, bound.tip)
    values = {name: _mirrored(value) for name, value in motion.values.items()}
    return replace(
        motion, name=f"{motion.name} mirrored", begin=None, finish=None, speed=1.0, values=values,
        part=swapped(role) if swapped(role) != role else "", footsteps=None,
        key_times=dict(zip(bound.key_times.names, bound.key_times.times, strict=True)),
    )  # fmt: skip


def _mirrored(value: Value) -> Value:
    if isinstance(value, tuple) and len(value) == 3 and isinstance(value[0], float):
        return (-value[0], *value[1:])
    return value
