"""Motion models as behaviours: an action with parameters, in a style of the performer's, or from a set of recordings.

A style that is performed is played by the engine at once. One that is made of recordings, or sketched, becomes a clip:
its recordings are put onto the body once and kept, blended by the parameters, bent to the goals, and shown by the body
from where it stands. Which style a model is done in is the performer's, and may be another one at any moment.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.behavior import Behavior
from mummer.behavior.body_layer import PoseWish
from mummer.behavior.hand_layer import HandWish
from mummer.behavior.locomotion import make_locomotion
from mummer.behavior.performer import Performer
from mummer.behavior.played import Played
from mummer.clip.clip import Clip
from mummer.clip.pivot import pivot_to
from mummer.engine.scalars import wrapped
from mummer.errors import InputError, UnknownNameError
from mummer.general import load_animation
from mummer.general.gait import style_names as gait_names
from mummer.ik.body_point import BodyPoint
from mummer.kernels.vectors import smooth_step
from mummer.math import interpolate, quaternion
from mummer.model import Model, Style, load_model, load_style
from mummer.model.act import act, placed
from mummer.model.performed import animation_of, filled, variant_of
from mummer.model.recorded import recorded
from mummer.model.values import settle

RATE = 60.0
FADES = 0.3
"""Seconds in which a motion is taken up."""
STEPS = 0.06
"""Leg lengths by which feet of a motion move that is not done where somebody stands."""
MOVES = ("jump", "travel", "throw")
"""What models do that get about or let go, which are bent as a whole."""
BEGINS, ENDS = ("achieve", "takeoff", "go"), ("release", "landing", "halt")
"""Key times of models that are the stroke of a behaviour, and its end."""


class Shown(Behavior):
    """A clip that the body shows, in the world where it stands; whoever gets about in it stands where it ends."""

    kind = "model"
    channels = frozenset({"body"})

    def __init__(
        self, performer: Performer, clip: Clip, syncs: Mapping[str, float], *, hand: int = -1, target: Any = None
    ) -> None:
        """A clip.

        Args:
            performer: who shows it.
            clip: of its body, in the world.
            syncs: its moments.
            hand: the joint of a hand that shall be at a target from the stroke on until it relaxes.
            target: where, see `Performer.where`; it may move.
        """
        if performer.actor.troupe.whole is not None:
            raise InputError(f"{performer.character.name!r} hangs in several pieces, which clips are not shown by")
        super().__init__(syncs)
        count = max(2, math.ceil(clip.duration * RATE) + 1)
        poses = clip.sample(np.linspace(clip.start, clip.end, count))
        self.rotations, self.rate = np.asarray(poses.rotations), (count - 1) / max(clip.duration, 1e-6)
        rest = performer.body.skeleton.rest_translations[0]
        roots = poses.root_translation
        self.roots: FloatArray = np.tile(rest, (count, 1)) if roots is None else np.asarray(roots)
        self.steps = _steps(performer, self.rotations, self.roots)
        self.hand, self.target = hand, target

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """See `Behavior.step`."""
        place = min(max(self.own_time(time) * self.rate, 0.0), len(self.roots) - 1.0)
        low = min(int(place), len(self.roots) - 2)
        share = place - low
        turns = interpolate.nlerp(self.rotations[low], self.rotations[low + 1], share)
        root = (1.0 - share) * self.roots[low] + share * self.roots[low + 1]
        weight = smooth_step(min(1.0, time / FADES))
        performer.trunk.pose = PoseWish(turns, np.zeros(3), weight, root=root, steps=self.steps)
        if self.hand in performer.hands.state:
            near = self.share(time, "start", "stroke_start") - self.share(time, "relax", "end")
            performer.hands.wishes[self.hand] = HandWish(performer.where(self.target), weight=smooth_step(near))

    def finish(self, performer: Performer) -> None:
        """Stand where it ended."""
        if not self.steps or performer.trunk.pose is None or performer.trunk.pose.root is None:
            return
        pose, actor = performer.trunk.pose, performer.actor
        assert pose.root is not None
        turned = quaternion.multiply(pose.rotations[0], quaternion.conjugate(self.rotations[0, 0]))
        x, z = actor.place + (pose.root - self.roots[0])[[0, 2]]
        heading = wrapped(actor.heading + 2.0 * math.atan2(float(turned[1]), float(turned[3])))
        actor.troupe.stand_at(actor.index, np.array([x, z, heading]))
        actor.go((0.0, 0.0), heading=heading)


def _steps(performer: Performer, rotations: FloatArray, roots: FloatArray) -> bool:
    """Whether feet get about in a motion."""
    from mummer.character import Pose, world_positions

    feet = list(performer.physique.anatomy.capabilities.get("foot", ()))
    if not feet:
        return True
    rows = np.linspace(0, len(roots) - 1, 24).astype(int)
    places = world_positions(performer.body.skeleton, Pose(rotations[rows], roots[rows]))[:, feet]
    far = float(np.linalg.norm(places - places[0], axis=-1).max())
    return far > STEPS * float(performer.actor.troupe.body.legs.length)


def style_for(performer: Performer, model: Model, style: str | Path | Style | None) -> Style:
    """The style in which a performer does a model: the one that is named, its own, or the first of the library."""
    if style is None:
        return load_style(performer.styles.get(model.name), model)
    return load_style(performer.sets.get(style, style) if isinstance(style, str) else style, model)


class Restyled(Behavior):
    """From its start on, a model is done in another style."""

    kind = "style"

    def __init__(self, style: Style) -> None:
        super().__init__({"end": 0.0})
        self.style = style

    def begin(self, performer: Performer) -> None:
        """Take the style up."""
        performer.styles[self.style.model] = self.style

    def step(self, performer: Performer, time: float, seconds: float) -> None:
        """See `Behavior.step`."""


def make_style(performer: Performer, *, name: str, model: str = "") -> Restyled:
    """Do a model in another style from now on.

    Args:
        performer: who.
        name: of a set that the performer has, see `Performer.sets`, or of a style of the library.
        model: which; that of the set if not given.
    """
    if name in performer.sets and model in ("", performer.sets[name].model):
        return Restyled(performer.sets[name])
    if not model:
        raise UnknownNameError(repr(performer.character.name), "set", name, performer.sets)
    return Restyled(load_style(name, load_model(model)))


def make_sketched(performer: Performer, *, animation: str, sketch: str) -> Shown:
    """Play a general animation in the manner of a character.

    Args:
        performer: who.
        animation: a name of the library.
        sketch: the character, see `mummer.script`.
    """
    from mummer.engine.perform import perform

    return shown_here(performer, _sketched(perform(performer.body, animation), sketch))


def shown_here(performer: Performer, clip: Clip) -> Shown:
    """A clip from where the performer stands."""
    here = _here(performer)["position"]
    return Shown(performer, pivot_to(clip, here, performer.actor.heading), _syncs({}, clip.duration))


def _sketched(clip: Clip, sketch: str) -> Clip:
    from mummer.script import Rehearsal, sketch_names

    if sketch not in sketch_names():
        raise UnknownNameError("the library", "sketch", sketch, sketch_names())
    return Rehearsal.of_clip(clip).sketch(sketch).clip


def make_model(
    performer: Performer,
    *,
    name: str,
    style: str | Path | Style | None = None,
    sketch: str = "",
    values: Mapping[str, Any] | None = None,
) -> Behavior:
    """Do an action of a motion model.

    Args:
        performer: who.
        name: of the model: ``reach``, ``throw``, ``jump`` ...
        style: how; as the performer does it if None, see `Performer.styles`.
        sketch: the character that it is done in the manner of, see `mummer.script`.
        values: of the model's parameters; positions may be names of the world.
    """
    model = load_model(name)
    chosen = style_for(performer, model, style)
    given = {key: _value(performer, model, key, value) for key, value in (values or {}).items()}
    if chosen.is_performed and not sketch and model.deform != "jump":
        return _performed(performer, model, chosen, given)
    if chosen.is_performed or sketch or model.layers or model.deform in MOVES:
        return _shown(performer, model, chosen, sketch, given)
    return _blended(performer, model, chosen, given)


def _value(performer: Performer, model: Model, name: str, value: Any) -> Any:
    """A value of a parameter; where it is a place, names of the world are places."""
    if model.parameter(name).kind == "position" and (value in performer.world if isinstance(value, str) else True):
        return performer.where(value)
    return value


def _performed(performer: Performer, model: Model, style: Style, given: Mapping[str, Any]) -> Behavior:
    values = settle(model, style, given, performer.physique.height)
    motion, target = style.motions[0], values["target"] if values.has("target") else None
    if motion.perform in gait_names():
        place = values["to"] if values.has("to") else None
        way: Any = values["path"] if values.has("path") else None
        path = None if way is None else [(float(each[0]), float(each[-1])) for each in way]
        pace = float(values["pace"]) if values.has("pace") else None  # type: ignore[arg-type]
        manner = "run" if model.name == "run" else "walk"
        return make_locomotion(performer, target=place, path=path, manner=manner, speed=pace)
    animation = load_animation(animation_of(motion, style.folder))
    hand = values["hand"] if values.has("hand") else "any"
    variant = None if hand == "any" else variant_of(performer.body, animation, str(hand))
    made = Played(animation, target=target, variant=variant)
    tempo = motion.speed * (float(values["tempo"]) if values.has("tempo") else 1.0)  # type: ignore[arg-type]
    end = animation.duration if motion.finish is None else motion.finish
    times = dict(filled(model.key_times, dict(motion.key_times), motion.begin or 0.0, end))
    made.syncs = made.authored = _syncs(times, animation.duration)
    return made if tempo == 1.0 else made.retimed({"end": made.duration / tempo})


def _blended(performer: Performer, model: Model, style: Style, given: Mapping[str, Any]) -> Behavior:
    """Recordings blended by the parameters; the body keeps its feet where they are, and its hand on the target."""
    asked = settle(model, style, {**given, **_here(performer)}, performer.physique.height)
    values, placing = placed(performer.body, model, asked)
    rough = recorded(performer.body, model, style, placing.into(model, values))
    clip = placing.outward(rough.clip)
    reaches = any(rule.kind == "place" and rule.part == "tip" for rule in model.goals) and values.has("target")
    roles = performer.physique.anatomy.roles
    hand = roles.get(str(rough.tip.part if isinstance(rough.tip, BodyPoint) else rough.tip), -1)
    syncs = _syncs({name: time - clip.start for name, time in rough.key_times}, clip.duration)
    target = values["target"] if reaches else None
    return Shown(performer, clip, syncs, hand=hand if reaches else -1, target=target)


def _here(performer: Performer) -> dict[str, Any]:
    """Where a performer stands and faces, as models take it."""
    x, z = performer.actor.place
    here = (float(x), float(performer.physique.origin[1]), float(z))
    return {"position": here, "orientation": math.degrees(performer.actor.heading)}


def _shown(performer: Performer, model: Model, style: Style, sketch: str, given: Mapping[str, Any]) -> Behavior:
    action = act(performer.body, model, style=style, **_here(performer), **given)
    if not sketch:
        times = {name: time - action.clip.start for name, time in action.key_times}
        return Shown(performer, action.clip, _syncs(times, action.clip.duration))
    clip = _sketched(action.clip, sketch)
    scale = clip.duration / max(action.clip.duration, 1e-6)
    times = {name: scale * (time - action.clip.start) for name, time in action.key_times}
    return Shown(performer, clip, _syncs(times, clip.duration))


def _syncs(times: Mapping[str, float], end: float) -> dict[str, float]:
    """Moments of a behaviour from the key times of a model."""
    first = next((times[name] for name in BEGINS if name in times), 0.5 * end)
    last = max(first, next((times[name] for name in ENDS if name in times), first))
    return {
        "start": 0.0, "ready": first, "stroke_start": first, "stroke": first, "stroke_end": last, "relax": last,
        "end": max(end, last),
    }  # fmt: skip
