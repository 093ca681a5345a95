"""The layer of arms and hands: points of hands where they are wanted, fingers as they are wanted, things carried."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.hands import Hand, Shape, hands_of
from mummer.behavior.posed import Posed
from mummer.behavior.things import Thing
from mummer.engine.scalars import follow
from mummer.general.physique import Physique
from mummer.ik.body_point import BodyPoint
from mummer.ik.limbs import MAY_TURN, POINT, make_limbs
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import about, back, four, minus, mixed, plus, put_four, times, turned

LETS_GO = 8.0
"""How fast, as `follow` takes it, a hand that nothing is wanted of goes back."""
CLOSES = 18.0
"""The same of fingers."""
SOFTNESS = 0.002
"""The last part of an arm's reach over which it follows less and less."""


@dataclass(frozen=True)
class HandWish:
    """What is wanted of a hand now.

    Attributes:
        place: (3,) in the world, where its point should be.
        point: (3,) in the frame of the hand.
        turn: world_from_hand, or None for how it comes.
        weight: 0 for what the actor does with the arm, 1 for exactly there.
        shape: of the fingers, or None for what the actor does with them.
    """

    place: Three
    point: Three = (0.0, 0.0, 0.0)
    turn: Four | None = None
    weight: float = 1.0
    shape: Shape | None = None


@dataclass(frozen=True)
class Held:
    """Something in a hand.

    Attributes:
        thing: what.
        place, rotation: hand_from_thing.
        shape: of the fingers around it.
    """

    thing: Thing
    place: Three
    rotation: Four
    shape: Shape


@dataclass(eq=False)
class HandState:
    """How a hand is led.

    Attributes:
        wish: the last one, its place and turn as the joint above the shoulder sees them.
        weight: how much of it is left, and how fast that changes.
        fingers: finger to how far it is curled beside the actor's, how fast that changes, and how much that counts.
    """

    wish: HandWish | None = None
    weight: list[float] = field(default_factory=lambda: [0.0, 0.0])
    fingers: dict[str, list[float]] = field(default_factory=dict)


class HandLayer:
    """Places hands.

    Attributes:
        hands: which.
        wishes: hand joint to what is wanted of it in this step; forgotten after it.
        holds: hand joint to what it holds.
        misses: hand joint to metres by which the last wish was missed.
    """

    def __init__(self, physique: Physique) -> None:
        self.physique = physique
        self.hands = hands_of(physique)
        self.wishes: dict[int, HandWish] = {}
        self.holds: dict[int, Held] = {}
        self.misses: dict[int, float] = {}
        self.state = {hand.joint: HandState() for hand in self.hands}
        parts = [BodyPoint(hand.joint, hand.palm) for hand in self.hands]
        joints = [hand.limb for hand in self.hands]
        self._limbs = make_limbs(physique.character, parts, joints=joints, softness=SOFTNESS) if parts else None

    def place_of(self, hand: Hand, posed: Posed, point: Three) -> Three:
        """Where a point of a hand is in the world."""
        return plus(posed.place(hand.joint), turned(posed.facing(hand.joint), point))

    def apply(self, posed: Posed, seconds: float) -> None:
        """Place hands, bend fingers, carry things; see `Layer`."""
        for hand in self.hands:
            self._place(hand, posed, seconds)
            self._close(hand, posed, seconds)
        self.wishes = {}
        self.carry(posed)

    def carry(self, posed: Posed) -> None:
        """Let what is held go where its hand is."""
        for hand in self.hands:
            held = self.holds.get(hand.joint)
            if held is None:
                continue
            if held.thing.holder is not self:
                del self.holds[hand.joint]
                continue
            facing = posed.facing(hand.joint)
            held.thing.place = np.array(plus(posed.place(hand.joint), turned(facing, held.place)))
            held.thing.rotation = np.array(times(facing, held.rotation))

    def take(self, hand: Hand, thing: Thing, posed: Posed, shape: Shape) -> None:
        """Let a hand hold something as it is now."""
        facing = posed.facing(hand.joint)
        x, y, z = thing.place.tolist()
        a, b, c, d = thing.rotation.tolist()
        place = turned(back(facing), minus((x, y, z), posed.place(hand.joint)))
        thing.holder = self
        self.holds[hand.joint] = Held(thing, place, times(back(facing), (a, b, c, d)), shape)

    def release(self, hand: Hand) -> None:
        """Let go of what a hand holds."""
        held = self.holds.pop(hand.joint, None)
        if held is not None and held.thing.holder is self:
            held.thing.holder = None

    def _place(self, hand: Hand, posed: Posed, seconds: float) -> None:
        state = self.state[hand.joint]
        above = int(self.physique.character.skeleton.parents[hand.limb.base])
        wish = self.wishes.get(hand.joint)
        if wish is not None:
            state.wish, state.weight = _seen_from(wish, above, posed), [wish.weight, 0.0]
        elif state.wish is not None:
            state.weight[:] = follow(state.weight[0], state.weight[1], 0.0, LETS_GO, seconds)
            if state.weight[0] < 1e-4:
                state.wish, state.weight = None, [0.0, 0.0]
                return
            wish = dataclasses.replace(_from_joint(state.wish, above, posed), weight=state.weight[0])
        if wish is not None:
            self.misses[hand.joint] = self.place(hand, wish, posed)

    def place(self, hand: Hand, wish: HandWish, posed: Posed) -> float:
        """Bend an arm so that a point of its hand is where it is wanted; metres by which it misses."""
        assert self._limbs is not None
        row = self.hands.index(hand)
        rows = self._limbs.rows[row : row + 1].copy()
        rows[0, POINT : POINT + 3] = wish.point
        limb = dataclasses.replace(self._limbs, joints=self._limbs.joints[row : row + 1], rows=rows)
        turns = None if wish.turn is None else np.array([[wish.turn]])
        found, missed = limb.place(posed.rotations[None], posed.root[None], np.array([[wish.place]]), turns=turns)
        for part, joint in enumerate(hand.limb.joints):
            if rows[0, MAY_TURN + part] > 0.0:
                solved = four(found[0], joint, 0)
                put_four(posed.rotations, joint, 0, mixed(four(posed.rotations, joint, 0), solved, wish.weight))
        posed.changed()
        return float(missed[0, 0])

    def _close(self, hand: Hand, posed: Posed, seconds: float) -> None:
        """Bend fingers toward the shape that is wanted."""
        state, wish, held = self.state[hand.joint], self.wishes.get(hand.joint), self.holds.get(hand.joint)
        shape = held.shape if held is not None else None if wish is None else wish.shape
        for finger in {finger for finger, _ in hand.curls}:
            row = state.fingers.setdefault(finger, [0.0, 0.0, 0.0, 0.0])
            if shape is not None:
                wanted = shape.get(finger, shape.get("finger", 0.0))
                row[0], row[1] = follow(row[0], row[1], wanted, CLOSES, seconds)
            row[2], row[3] = follow(row[2], row[3], 0.0 if shape is None else 1.0, CLOSES, seconds)
        shown = {finger: row for finger, row in state.fingers.items() if row[2] > 1e-4}
        bend_fingers(hand, posed, {finger: row[0] for finger, row in shown.items()},
                     {finger: min(row[2], 1.0) for finger, row in shown.items()})  # fmt: skip


def bend_fingers(hand: Hand, posed: Posed, shape: Shape, weights: Mapping[str, float] | None = None) -> None:
    """Bend the fingers of a hand to a shape, those that have a weight by as much of it."""
    rest = posed.character.skeleton.rest_rotations
    for finger, curl in hand.curls:
        amount, weight = shape.get(finger, shape.get("finger")), 1.0 if weights is None else weights.get(finger, 0.0)
        if amount is not None and weight > 0.0:
            angle = amount * curl.closed if amount >= 0.0 else -amount * curl.opened
            x, y, z = np.asarray(curl.axis, np.float64).tolist()
            wanted = times(four(rest, curl.joint, 0), about((x, y, z), angle))
            put_four(posed.rotations, curl.joint, 0, mixed(four(posed.rotations, curl.joint, 0), wanted, weight))
    posed.changed()


def _seen_from(wish: HandWish, joint: int, posed: Posed) -> HandWish:
    """A wish as a joint sees it."""
    facing = back(posed.facing(joint))
    place = turned(facing, minus(wish.place, posed.place(joint)))
    return dataclasses.replace(wish, place=place, turn=None if wish.turn is None else times(facing, wish.turn))


def _from_joint(wish: HandWish, joint: int, posed: Posed) -> HandWish:
    """A wish of a joint in the world."""
    facing = posed.facing(joint)
    place = plus(posed.place(joint), turned(facing, wish.place))
    return dataclasses.replace(wish, place=place, turn=None if wish.turn is None else times(facing, wish.turn))


def palm_turn(hand: Hand, along: Three, normal: Three) -> Four:
    """World_from_hand that lets fingers point along a direction and the palm face another, as nearly as it can."""
    ahead = np.array(along) / max(math.hypot(*along), 1e-12)
    out = np.array(normal) - (np.array(normal) @ ahead) * ahead
    if np.linalg.norm(out) < 1e-6:
        out = np.cross(ahead, [0.0, 1.0, 0.0] if abs(ahead[1]) < 0.9 else [1.0, 0.0, 0.0])
    out = out / np.linalg.norm(out)
    return _between_frames(np.array(hand.along), np.array(hand.normal), ahead, out)


def _between_frames(from_x: FloatArray, from_y: FloatArray, to_x: FloatArray, to_y: FloatArray) -> Four:
    """The rotation of two axes at right angles into two others."""
    from mummer.math import quaternion

    one = np.stack([from_x, from_y, np.cross(from_x, from_y)], axis=1)
    two = np.stack([to_x, to_y, np.cross(to_x, to_y)], axis=1)
    x, y, z, w = quaternion.from_matrix(two @ one.T).tolist()
    return x, y, z, w
