"""Random commands for live actors, and what is seen of them: where joints and soles are, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import mummer as mm
from mummer.character import Character, Pose
from mummer.clip import Clip, Sampled
from mummer.clip.recorded import recorded
from mummer.engine.ground import level_ground
from mummer.errors import InputError
from mummer.general import animation_names
from mummer.general.gait.legs import legs_of
from mummer.general.physique import physique_of
from mummer.math import quaternion

RATE = 60.0


@dataclass(frozen=True)
class Seen:
    """What was seen of an actor, T frames.

    Attributes:
        clip: all of it.
        joints: (T, J, 3) metres.
        soles: (T, L, 3, 3) rear end and bearing point of each foot, and where its toes begin, metres.
        planted: (T, L) whether a foot stands: it is down, and no animation asks for it or lets it hang.
        said: what was said, and at which frame.
        leg: metres of its legs on the mean.
    """

    clip: Clip
    joints: np.ndarray
    soles: np.ndarray
    planted: np.ndarray
    said: list[tuple[int, str]]
    leg: float

    def slips(self) -> np.ndarray:
        """(T - 1, L) how far the slowest part of a foot goes over level ground while it stands, parts of a leg."""
        moved = np.linalg.norm(np.diff(self.soles, axis=0)[..., [0, 2]], axis=-1).min(axis=-1)
        # A foot rolls on and off: its first and last twentieth of a second do not count.
        held = np.pad(self.planted, ((3, 3), (0, 0)), constant_values=True)
        stands = np.lib.stride_tricks.sliding_window_view(held, 7, axis=0).all(axis=-1)[1:]
        return np.where(stands, moved, 0.0) / self.leg


def watch(actor: mm.Actor, seconds: float, rng: np.random.Generator | None = None) -> Seen:
    """Step an actor; with ``rng``, something is said to it at random moments."""
    physique = physique_of(actor.troupe.moved)
    legs = [leg for leg in legs_of(physique) if leg.foot in actor.troupe.body.limbs.tip]
    poses, joints, soles, planted, said = [], [], [], [], []
    soon, slope, tilted = 20, np.zeros(2), np.zeros(2)
    for frame in range(round(seconds * RATE)):
        if rng is not None and frame >= soon:
            soon = frame + int(rng.uniform(20, 120))
            said.append((frame, say(actor, rng)))
            if said[-1][1] == "tilt":
                tilted = rng.normal(size=2) * 0.02
        if not np.array_equal(slope, tilted):
            # Not at once: a floor that moves carries those who stand on it.
            slope = tilted if np.abs(tilted - slope).max() < 1e-6 else slope + 0.03 * (tilted - slope)
            actor.troupe.ground = level_ground(0.0, tuple(slope))
        poses.append(actor.step(1 / RATE))
        state = actor.troupe.actors
        joints.append(state.places[actor.index].copy())
        goals, limbs = actor.troupe.goals, actor.troupe.body.legs.limb
        asked = (goals.free[actor.index] > 0) | (goals.places[actor.index, limbs, 3] > 0)
        planted.append((state.feet[actor.index, :, 0] < 0) & ~asked)
        points = []
        for leg in legs:
            low = leg.contact - physique.positions[leg.foot]
            offsets = low + np.array([[0, 0, leg.sole[0]], [0, 0, 0], leg.tip])
            turned = quaternion.rotate(state.turns[actor.index, leg.foot], offsets)
            points.append(state.places[actor.index, leg.foot] + turned)
        soles.append(np.array(points).reshape(-1, 3, 3))
    times, every = np.arange(len(poses)) / RATE, np.arange(len(actor.character.skeleton))
    clip = Sampled(actor.character, recorded(times, Pose.stack(poses), every, rate=RATE, name="seen"))
    length = actor.troupe.body.legs.length
    return Seen(clip, np.array(joints), np.array(soles), np.array(planted), said, length)


def say(actor: mm.Actor, rng: np.random.Generator) -> str:
    """Say something at random: go, stop, turn about, look, play, move the target, tilt the ground."""
    what = int(rng.integers(9))
    easy = actor.troupe.easy_speed
    if what == 0:
        actor.stop()
        return "stop"
    if what in (1, 2):
        speed, heading = easy * rng.uniform(0.3, 1.5), rng.uniform(-np.pi, np.pi)
        actor.go(speed=speed, heading=heading)
        return f"go at {speed:.2f} m/s to {heading:.1f}"
    if what == 3:
        actor.go(-actor.velocity)
        return "turn about"
    if what == 4:
        actor.look_at(rng.normal(size=3) * 3 if rng.random() < 0.8 else None)
        return "look"
    if what == 5:
        return "tilt"
    if what == 6:
        actor.go_to(actor.place + rng.normal(size=2) * 3)
        return "go to"
    name = str(rng.choice(animation_names()))
    try:
        play = actor.play(name)
        if rng.random() < 0.3:
            play.target = play.target + rng.normal(size=3) * 0.3 * actor.troupe.body.frame.height
    except InputError:
        return "not for this body"
    return f"play {name}"


def body_named(name: str) -> Character:
    """``zoo`` bodies by name, random creatures by number."""
    return mm.zoo.random_creature(int(name)) if name.isdigit() else mm.zoo.body(name)
