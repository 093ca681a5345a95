"""The layer of gaze: eyes, heads, chest and waist turned, in this order and within limits, to what is looked at."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from mummer.behavior.face_layer import FaceLayer
from mummer.behavior.posed import Posed
from mummer.behavior.sight import GROUPS, Head, Sight, angles, base_frame, eyes_of, from_angles
from mummer.engine.scalars import follow, wrapped
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import back, exponential, logarithm, minus, plus, scaled, size, times, turned

EYES_ALONE = math.radians(12.0)
"""Radians that eyes stay turned when the head has come along; looks of less are left to the eyes."""
COMES_ALONG = {"chest": 0.15, "waist": 0.1}
"""How much of a look these take in any case where they are to take part."""
EYE_SPEED = math.radians(450.0)
"""Radians a second of eyes that turn to something: the mean of saccades of 20° to 30°."""
GLANCE_SPEED = math.radians(1000.0)
"""Radians a second that no glance is faster than."""
CATCHES_UP = math.radians(120.0)
"""Radians a second up to which heads go with what moves, and do not lag behind it."""
NOTICED = 0.08
"""Seconds in which they see how fast it moves."""
BEHIND = math.radians(150.0)
"""Radians from the front from which on something is behind, and stays on the side where it was seen first."""
AROUND = math.radians(170.0)
RETURNING = 6.0
"""How fast, radians a second a radian, a body comes back from a look."""
EYE_MORPHS = 0.5
"""Radians that a morph of a turned eye shows in full."""
LIDS = math.radians(30.0)
"""Radians that eyes look down when lids cover half of them."""


@dataclass(frozen=True)
class Look:
    """What is looked at now.

    Attributes:
        place: (3,) in the world.
        groups: which of `GROUPS` take part beside the eyes.
        omega: how fast heads come, as `follow` takes it.
        offset: radians to the left and up beside the place.
    """

    place: Three
    groups: tuple[str, ...] = GROUPS
    omega: float = 12.0
    offset: tuple[float, float] = (0.0, 0.0)


@dataclass(eq=False)
class Turned:
    """How one head is turned beside what the actor does with it.

    Attributes:
        vectors: group to rotation vector, and how fast it changes, in left, up and front of the base.
        eyes: eye joint to radians left and up.
        glance: radians left and up that eyes are beside that.
        asked: what was asked at the last step, and how fast it changes, rotation vectors of the base.
        point: the middle between the eyes from the base, as it was last.
        side: of what is behind the body: 1 left, -1 right.
    """

    vectors: dict[str, list[float]] = field(default_factory=lambda: {name: [0.0] * 6 for name in GROUPS})
    eyes: dict[int, tuple[float, float]] = field(default_factory=dict)
    glance: tuple[float, float] = (0.0, 0.0)
    asked: tuple[Three, Three] | None = None
    point: Three | None = None
    side: float = 1.0


class GazeLayer:
    """Turns heads and eyes.

    Attributes:
        look: what is looked at in this step; forgotten after it.
        habit: what is looked at while nothing else is.
        nod: radians (down, left, toward the left shoulder) that heads are turned beside the look in this step.
        glance: radians to the left and up that eyes go beside all in this step.
        state: how each head is turned.
    """

    def __init__(self, sight: Sight, face: FaceLayer) -> None:
        self.sight, self.face = sight, face
        self.look: Look | None = None
        self.habit: Look | None = None
        self.nod: Three = (0.0, 0.0, 0.0)
        self.glance = (0.0, 0.0)
        self.state = [Turned() for _ in sight.heads]

    def apply(self, posed: Posed, seconds: float) -> None:
        """Turn trunk, heads and eyes; see `Layer`."""
        look = self.look or self.habit
        for head, state in zip(self.sight.heads, self.state, strict=True):
            self._turn_body(head, state, look, posed, seconds)
        for head, state in zip(self.sight.heads, self.state, strict=True):
            self._turn_eyes(head, state, look, posed, seconds)
        self.look, self.nod, self.glance = None, (0.0, 0.0, 0.0), (0.0, 0.0)

    def _turn_body(self, head: Head, state: Turned, look: Look | None, posed: Posed, seconds: float) -> None:
        """Let waist, chest, neck and head come along."""
        frame = base_frame(head, posed)
        wanted = dict.fromkeys(GROUPS, (0.0, 0.0, 0.0))
        if look is None:
            state.asked = None
        else:
            asked = self._asked(head, state, look, frame, posed)
            ahead = led(state, asked, seconds)
            wanted = shared_out(head, look.groups, plus(asked, scaled(ahead, 2.0 / look.omega)))
        omega = RETURNING if look is None else look.omega
        for name in reversed(GROUPS):
            held = state.vectors[name]
            for part in range(3):
                held[part], held[3 + part] = follow(held[part], held[3 + part], wanted[name][part], omega, seconds)
            vector = (held[0], held[1], held[2])
            if name == "head":
                self._nod(head, frame, posed)
            if size(vector) > 1e-9:
                turn_group(head, name, vector, frame, posed, 1.0 if name == "head" else 1.0 / len(self.sight.heads))
        point = minus(eyes_of(head, posed), posed.place(head.base)) if head.base >= 0 else eyes_of(head, posed)
        state.point = turned(back(frame), point)

    def _asked(self, head: Head, state: Turned, look: Look, frame: Four, posed: Posed) -> Three:
        """The rotation vector, in the frame of the base, that turns the face to what is looked at."""
        base = posed.place(head.base) if head.base >= 0 else (0.0, 0.0, 0.0)
        eye = eyes_of(head, posed) if state.point is None else plus(base, turned(frame, state.point))
        yaw, pitch = angles(turned(back(frame), minus(look.place, eye)))
        yaw, pitch = wrapped(yaw + look.offset[0]), min(max(pitch + look.offset[1], -1.5), 1.5)
        if abs(yaw) < BEHIND:
            state.side = 1.0 if yaw >= 0.0 else -1.0
        elif yaw * state.side < 0.0:
            yaw = state.side * AROUND
        yaw = min(max(yaw, -AROUND), AROUND)
        own = angles(turned(back(frame), turned(posed.facing(head.joint), head.axes[head.joint])))
        return logarithm(times(from_angles(yaw, pitch), back(from_angles(*own))))

    def _nod(self, head: Head, frame: Four, posed: Posed) -> None:
        """Nod, shake or tilt, beside the look."""
        down, left, tilt = self.nod
        if self.nod != (0.0, 0.0, 0.0):
            own = times(posed.facing(head.joint), head.own)
            vector = turned(times(back(frame), own), (down, left, -tilt))
            turn_group(head, "head", vector, frame, posed, 1.0)

    def _turn_eyes(self, head: Head, state: Turned, look: Look | None, posed: Posed, seconds: float) -> None:
        """Turn each eye to what is looked at, as fast as eyes jump; lids go with them."""
        own = times(posed.facing(head.joint), head.own)
        pitch = 0.0
        state.glance = toward(state.glance, self.glance, GLANCE_SPEED * seconds)
        for eye in head.eyes or (None,):
            place = eyes_of(head, posed) if eye is None else posed.place(eye.joint)
            yaw, pitch = (0.0, 0.0) if look is None else angles(turned(back(own), minus(look.place, place)))
            if look is not None:
                yaw, pitch = yaw + look.offset[0], pitch + look.offset[1]
            room = (math.radians(30.0), math.radians(20.0)) if eye is None else (eye.side, eye.up)
            joint = -1 if eye is None else eye.joint
            before = state.eyes.get(joint, (0.0, 0.0))
            yaw, pitch = state.eyes[joint] = toward(before, inside(yaw, pitch, room), EYE_SPEED * seconds)
            yaw, pitch = inside(yaw + state.glance[0], pitch + state.glance[1], room)
            if eye is not None:
                posed.turn(eye.joint, times(times(own, from_angles(yaw, pitch)), back(own)))
            else:
                self._show_eyes(yaw, pitch)
        self._move_lids(pitch)

    def _show_eyes(self, yaw: float, pitch: float) -> None:
        """Eyes that are no joints, by their expressions."""
        for side, outward in (("left", 1.0), ("right", -1.0)):
            self.face.show(f"eye_look_out_{side}", max(outward * yaw, 0.0) / EYE_MORPHS)
            self.face.show(f"eye_look_in_{side}", max(-outward * yaw, 0.0) / EYE_MORPHS)
            self.face.show(f"eye_look_up_{side}", max(pitch, 0.0) / EYE_MORPHS)
            self.face.show(f"eye_look_down_{side}", max(-pitch, 0.0) / EYE_MORPHS)

    def _move_lids(self, pitch: float) -> None:
        for side in ("left", "right"):
            self.face.show(f"eye_blink_{side}", min(max(-pitch, 0.0) / LIDS, 1.0) * 0.5)
            self.face.show(f"eye_wide_{side}", min(max(pitch, 0.0) / LIDS, 1.0) * 0.5)


def toward(value: tuple[float, float], wanted: tuple[float, float], most: float) -> tuple[float, float]:
    """Two angles on their way to others, by no more than ``most`` in a step."""
    gap = (wanted[0] - value[0], wanted[1] - value[1])
    go = min(1.0, most / max(math.hypot(*gap), 1e-9))
    return value[0] + go * gap[0], value[1] + go * gap[1]


def inside(yaw: float, pitch: float, room: tuple[float, float]) -> tuple[float, float]:
    """Two angles held in an ellipse."""
    beyond = max(math.hypot(yaw / room[0], pitch / room[1]), 1.0)
    return yaw / beyond, pitch / beyond


def led(state: Turned, asked: Three, seconds: float) -> Three:
    """How fast what is asked changes, radians a second, as far as it moves and does not jump."""
    before, rate = state.asked or (asked, (0.0, 0.0, 0.0))
    change = scaled(minus(asked, before), 1.0 / max(seconds, 1e-6))
    if size(change) > CATCHES_UP:
        change = (0.0, 0.0, 0.0)
    rate = plus(rate, scaled(minus(change, rate), 1.0 - math.exp(-seconds / NOTICED)))
    state.asked = asked, rate
    return rate


def shared_out(head: Head, groups: tuple[str, ...], asked: Three) -> dict[str, Three]:
    """What of a rotation vector each group takes: the head most, then chest and waist as far as that does not do."""
    angle = size(asked)
    axis = scaled(asked, 1.0 / max(angle, 1e-12))
    rooms = {name: sum(each.room(axis) for each in head.carriers[name]) if name in groups else 0.0 for name in GROUPS}
    eyes = EYES_ALONE if head.eyes else 0.0
    left = angle - (eyes * (1.0 - math.exp(-angle / eyes)) if eyes else 0.0)
    taken = {name: min(part * left, rooms[name]) for name, part in COMES_ALONG.items()}
    taken["head"] = 0.0
    left -= sum(taken.values())
    for name in GROUPS:
        more = min(left, rooms[name] - taken[name])
        taken[name], left = taken[name] + more, left - more
    return {name: scaled(axis, taken[name]) for name in GROUPS}


def turn_group(head: Head, name: str, vector: Three, frame: Four, posed: Posed, part: float) -> None:
    """Turn the joints of a group by a rotation vector of the base, each by what it has room for."""
    length = size(vector)
    axis = scaled(vector, 1.0 / max(length, 1e-12))
    rooms = [each.room(axis) for each in head.carriers[name]]
    for each, room in zip(head.carriers[name], rooms, strict=True):
        own = exponential(scaled(vector, part * room / sum(rooms)))
        posed.turn(each.joint, times(times(frame, own), back(frame)))
