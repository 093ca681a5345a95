"""Manipulation: touch, grasp, put down, hand over and point, with the hand that suits, walking there first."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from mummer import ik
from mummer.arrays import FloatArray
from mummer.behavior.behavior import Behavior
from mummer.behavior.body_layer import PoseWish
from mummer.behavior.hand_layer import HandWish, bend_fingers, palm_turn
from mummer.behavior.hands import SHAPES, Hand, Shape
from mummer.behavior.needs import need
from mummer.behavior.performer import Performer
from mummer.behavior.posed import Posed
from mummer.behavior.things import Thing, skin_gap
from mummer.behavior.travel import Traveller
from mummer.engine.scalars import wrapped
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import BodyPoint
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import mixed, plus, scaled, smooth_step

PREPARE, CLOSE, HOLD, RETRACT = 0.8, 0.3, 0.4, 0.7
"""Seconds that a hand takes to something, that fingers close in, that it stays, and takes back, where nothing else is
said."""
STANDS_OFF = 0.75
"""How far from a shoulder what is walked to ends up, on the level, in reaches of the arm."""
ARRIVED, FACED = 0.05, math.radians(6.0)
"""Metres and radians from where it should stand at which somebody who walks to something is there."""
PATIENCE = 4.0
"""Times as long as walking should take, after which it is given up."""
STANDS = 0.3
"""Seconds that who walked somewhere stands before its hands begin."""
AHEAD = 0.2
"""Seconds from now to which all that comes after a walk is put off while that takes longer than was thought."""
EXACT = 0.002
"""Metres by which an arm alone may miss before the body comes along."""
CROSSING = 0.5
"""How much worse a hand is that reaches across the body: this times how far across."""
FARTHER = (0.1, 0.25)
"""Parts of an arm's reach by which a body goes farther than it must, one after the other until the hand is there."""
SPARE = 0.001
"""Metres that a palm keeps off a thing."""
TRIALS = 6
"""How often where a palm touches a thing is made more exact."""
CLEAR = 1.5
"""How far beside a thing, in its radii, a hand comes on its way to it."""


class Lean(NamedTuple):
    """A stand of the whole body.

    Attributes:
        rotations: (J, 4) parent_from_joint.
        shift: (3,) metres from where the actor has its root.
    """

    rotations: FloatArray
    shift: FloatArray

    def applied(self, posed: Posed) -> Posed:
        """A pose brought to it."""
        posed.rotations[:] = self.rotations
        x, y, z = self.shift.tolist()
        posed.move((x, y, z))
        return posed


class Reach(Behavior):
    """Brings a point of a hand to a place, stays there, and goes back; the base of all that hands do.

    Attributes:
        hand: which.
        target: what for; see `Performer.where`.
        point: of the hand, in its frame.
        shape: of the fingers on the way, and when they are there.
    """

    kind = "reach"

    def __init__(self, performer: Performer, hand: Hand, target: Any, *, point: Three, hold: float, walk: bool) -> None:
        super().__init__({
            "ready": 0.7 * PREPARE, "stroke_start": 0.7 * PREPARE, "stroke": PREPARE, "stroke_end": PREPARE + CLOSE,
            "relax": PREPARE + CLOSE + hold, "end": PREPARE + CLOSE + hold + RETRACT,
        }, frozenset({f"{hand.side}_arm"}))  # fmt: skip
        self.hand, self.target, self.point = hand, target, point
        self.open: Shape = SHAPES["flat"]
        self.shut: Shape = SHAPES["flat"]
        self.clear = 0.0
        self.stand = standing_place(performer, hand, self.place(performer)) if walk else None
        self.walked = 0.0 if self.stand is None else expected_walk(performer, self.stand)
        if self.stand is not None:
            self.channels |= {"locomotion"}
            # All that the hand does comes after the walk.
            later = {name: time + self.walked for name, time in self.syncs.items() if name != "start"}
            self.syncs = self.authored = {"start": 0.0, **later}
        self._walking, self._since, self._patience = self.stand is not None, 0.0, PATIENCE * max(self.walked, 1.0)
        self._stood = 0.0
        self._from: tuple[Three, Four] | None = None
        self._lean: Lean | None = None
        self._turn: Four | None = None

    def place(self, performer: Performer) -> Three:
        """Where the point of the hand should be now."""
        return performer.where(self.target)

    def turn(self, performer: Performer, shoulder: Three) -> Four | None:  # noqa: ARG002
        """How the hand should be turned when it is there, world_from_hand; None for how it comes.

        Args:
            performer: whose.
            shoulder: (3,) where its shoulder is then.
        """
        return None

    def arrive(self, performer: Performer) -> None:
        """Called when the hand is there and fingers have closed."""

    def step(self, performer: Performer, time: float, seconds: float) -> None:
        """See `Behavior.step`."""
        if self._walking and not self._walk(performer, time, seconds):
            return
        if self._from is None:
            self._leave(performer)
        assert self._from is not None
        relax, end, stroke = (self.syncs[name] for name in ("relax", "end", "stroke"))
        share = smooth_step((time - self._since) / max(stroke - self._since, 1e-6))
        weight = 1.0 - smooth_step((time - relax) / max(end - relax, 1e-6))
        place = self.place(performer)
        if self.follows:
            self._turn = self.turn(performer, performer.posed.place(self.hand.limb.base))
        start = performer.where(
            plus(self._from[0], (float(performer.actor.place[0]), 0.0, float(performer.actor.place[1])))
        )
        aside = scaled(self.aside(performer, place), self.clear * 4.0 * share * (1.0 - share))
        now = plus(plus(scaled(start, 1.0 - share), scaled(place, share)), aside)
        wanted = None if self._turn is None else mixed(self._from[1], self._turn, share)
        there = time >= stroke - 1e-9
        shape = self.shut if there else self.open
        if self._lean is not None:
            performer.trunk.pose = PoseWish(self._lean.rotations, self._lean.shift, share * weight)
        performer.hands.wishes[self.hand.joint] = HandWish(now, self.point, wanted, weight, shape)
        if time >= self.syncs["stroke_end"] - 1e-9 and not self._arrived:
            self._arrived = True
            self.arrive(performer)

    _arrived = False
    follows = False
    """Whether the hand turns on with what it is for."""

    def aside(self, performer: Performer, place: Three) -> Three:
        """The unit vector out of a thing to where the hand comes from."""
        shoulder = performer.posed.place(self.hand.limb.base)
        away = np.array([shoulder[0] - place[0], 0.3 * (shoulder[1] - place[1]), shoulder[2] - place[2]])
        x, y, z = (away / max(float(np.linalg.norm(away)), 1e-9)).tolist()
        return x, y, z

    def _leave(self, performer: Performer) -> None:
        """Remember where the hand sets out from, and how the whole body must stand if the arm does not reach."""
        posed, (x, z) = performer.posed, performer.actor.place.tolist()
        place = performer.hands.place_of(self.hand, posed, self.point)
        self._from = (place[0] - x, place[1], place[2] - z), posed.facing(self.hand.joint)
        base = self.hand.limb.base
        for _ in range(2):
            # A body that leans has its shoulder elsewhere, and its hand comes from there.
            self._turn = self.turn(performer, self._stand(performer).place(base))
            wish = HandWish(self.place(performer), self.point, self._turn)
            if performer.hands.place(self.hand, wish, self._stand(performer)) < EXACT:
                break
            self._lean = leaned(performer, self.hand, wish)

    def _stand(self, performer: Performer) -> Posed:
        """How the body stands when the hand is there, as far as that is known now."""
        return performer.acted() if self._lean is None else self._lean.applied(performer.acted())

    def _walk(self, performer: Performer, time: float, seconds: float) -> bool:
        """Whether the walk is over; then all that comes after is timed from now."""
        assert self.stand is not None
        actor, (x, z, heading) = performer.actor, self.stand
        if time == 0.0 or not self._since:
            actor.go_to((x, z))
            self._since = 1e-9
        away = math.hypot(actor.place[0] - x, actor.place[1] - z)
        if away < 4.0 * ARRIVED:
            actor.face(heading)
        is_still = float(np.linalg.norm(actor.velocity)) < 0.03 and abs(wrapped(actor.heading - heading)) < FACED
        self._stood = self._stood + seconds if away < ARRIVED and is_still else 0.0
        there = self._stood > STANDS or time > self._patience
        if there or time + AHEAD > self.walked:
            late = time - self.walked + (0.0 if there else AHEAD)
            self.walked += late
            self.syncs = {name: moment if name == "start" else moment + late for name, moment in self.syncs.items()}
        if there:  # not a step further: a hand that is on its way would have to follow
            actor.go((0.0, 0.0), heading=heading)
        self._walking, self._since = not there, time if there else 1e-9
        return there

    def retimed(self, syncs: Any) -> Behavior:
        """See `Behavior.retimed`; a walk takes as long as it takes."""
        made = super().retimed(syncs)
        assert isinstance(made, Reach)
        made.walked = self.walked if self.stand is not None else 0.0
        return made


class Grasp(Reach):
    """Takes something."""

    kind = "grasp"

    def __init__(self, performer: Performer, hand: Hand, thing: Thing, *, hold: float, walk: bool) -> None:
        self.thing = thing
        super().__init__(performer, hand, thing, point=hand.holding(thing.radius), hold=hold, walk=walk)
        self.shut = hand.wrapped(thing.radius)
        self.open = {finger: min(amount - 0.45, 0.1) for finger, amount in self.shut.items()}
        self.clear = CLEAR * thing.radius

    def step(self, performer: Performer, time: float, seconds: float) -> None:
        """See `Behavior.step`."""
        for first, second in (("stroke_start", "stroke"), ("stroke", "stroke_end")):
            # A body that has just come to stand moves on a little, so that it is looked at again.
            if self._from is not None and self.syncs[first] <= time < self.syncs[second]:
                if self._fitted is None or self._fitted[0] != first:
                    self._fitted = first, self.point, self._fit(performer)
                share = smooth_step(self.share(time + seconds, first, second))
                self.point = plus(scaled(self._fitted[1], 1.0 - share), scaled(self._fitted[2], share))
        super().step(performer, time, seconds)

    _fitted: tuple[str, Three, Three] | None = None

    def _leave(self, performer: Performer) -> None:
        super()._leave(performer)
        self.point = self._fit(performer)

    def _fit(self, performer: Performer) -> Three:
        """The point of the hand where the middle of the thing is when its skin, as it will be bent then, touches it."""
        point = self.point
        wish = HandWish(self.place(performer), self.point, self._turn)
        for _ in range(TRIALS):
            trial = self._stand(performer)
            missed = performer.hands.place(self.hand, wish, trial)
            bend_fingers(self.hand, trial, self.shut)
            gap = skin_gap(trial, self.hand.joint, self.thing)
            if gap is None:
                break
            gap -= SPARE
            if abs(gap) < 1e-5 or missed > EXACT or abs(gap) > self.thing.radius:
                break
            point = plus(point, scaled(self.hand.normal, -gap))
            wish = HandWish(wish.place, point, wish.turn)
        return point

    def turn(self, performer: Performer, shoulder: Three) -> Four | None:
        """Upright things are held from the side, with the thumb up."""
        if self.thing.form != "cup":
            return None
        return upright_turn(self.hand, shoulder, self.place(performer))

    def arrive(self, performer: Performer) -> None:
        """Hold it."""
        performer.hands.take(self.hand, self.thing, performer.posed, self.shut)


class PutDown(Reach):
    """Puts what a hand holds somewhere, and lets go."""

    kind = "put_down"

    def __init__(self, performer: Performer, hand: Hand, target: Any, *, hold: float, walk: bool) -> None:
        held = performer.hands.holds[hand.joint]
        super().__init__(performer, hand, target, point=held.place, hold=hold, walk=walk)
        self.open = self.shut = held.shape
        self.upright = held.thing.form == "cup"

    def turn(self, performer: Performer, shoulder: Three) -> Four | None:
        """Upright things are put down upright."""
        return upright_turn(self.hand, shoulder, self.place(performer)) if self.upright else None

    def arrive(self, performer: Performer) -> None:
        """Let go."""
        performer.hands.release(self.hand)
        self.shut = SHAPES["open"]


class HandOver(PutDown):
    """Holds something out to somebody until it is taken."""

    kind = "hand_over"

    def place(self, performer: Performer) -> Three:
        """Between the two, at the height of the elbow."""
        other, own = performer.where(self.target), performer.posed.place(self.hand.limb.base)
        away = np.array([other[0] - own[0], 0.0, other[2] - own[2]])
        far = max(float(np.linalg.norm(away)), 1e-9)
        out = away / far * min(0.5 * far, 0.85 * self.hand.reach)
        return own[0] + float(out[0]), own[1] - 0.35 * self.hand.reach, own[2] + float(out[2])

    def arrive(self, performer: Performer) -> None:
        """Keep it until the other has it."""

    def step(self, performer: Performer, time: float, seconds: float) -> None:
        """See `Behavior.step`."""
        if self._arrived and self.hand.joint not in performer.hands.holds:
            self.shut = SHAPES["open"]
        super().step(performer, time, seconds)


class Point(Reach):
    """Points at something with a straight arm."""

    kind = "point"
    follows = True

    def __init__(self, performer: Performer, hand: Hand, target: Any, *, hold: float) -> None:
        super().__init__(performer, hand, target, point=(0.0, 0.0, 0.0), hold=hold, walk=False)
        self.open = self.shut = SHAPES["point"]

    def _way(self, performer: Performer) -> Three:
        shoulder, target = performer.posed.place(self.hand.limb.base), performer.where(self.target)
        away = np.array(target) - shoulder
        x, y, z = (away / max(float(np.linalg.norm(away)), 1e-9)).tolist()
        return x, y, z

    def place(self, performer: Performer) -> Three:
        """On the line from the shoulder to what is pointed at."""
        far = math.dist(performer.where(self.target), performer.posed.place(self.hand.limb.base))
        reach = min(0.97 * self.hand.reach, max(far - 1.6 * self.hand.length, 0.3 * self.hand.reach))
        return plus(performer.posed.place(self.hand.limb.base), scaled(self._way(performer), reach))

    def turn(self, performer: Performer, shoulder: Three) -> Four | None:  # noqa: ARG002
        """Fingers along the arm, the palm inward and down."""
        heading = performer.actor.heading
        inward = -1.0 if self.hand.side == "left" else 1.0 if self.hand.side == "right" else 0.0
        normal = (inward * math.cos(heading), -0.6, -inward * math.sin(heading))
        return palm_turn(self.hand, self._way(performer), normal)


def upright_turn(hand: Hand, shoulder: Three, place: Three) -> Four:
    """World_from_hand for something upright: the thumb up, the palm inward."""
    away = np.array([place[0] - shoulder[0], 0.0, place[2] - shoulder[2]])
    away /= max(float(np.linalg.norm(away)), 1e-9)
    # A palm is to the side of what it holds: the fingers pass it by an eighth of a circle.
    sign = 1.0 if hand.side == "right" else -1.0
    normal = (sign * float(away[2]), 0.0, -sign * float(away[0]))
    ahead = (float(away[0]) + 0.4 * normal[0], 0.0, float(away[2]) + 0.4 * normal[2])
    return palm_turn(hand, ahead, normal)


def leaned(performer: Performer, hand: Hand, wish: HandWish) -> Lean | None:
    """How the whole body must stand for a hand that the arm alone cannot place; None where it can.

    The body goes a little farther than it must, so that the arm is not quite straight and can do the rest exactly.
    """
    if performer.hands.place(hand, wish, performer.acted()) < EXACT:
        return None
    posed, anatomy = performer.acted(), performer.physique.anatomy
    pose, (places, turns) = posed.to_pose(), posed.world
    standing: list[ik.Goal] = [ik.Place(foot, at=places[foot]) for foot in anatomy.capabilities.get("foot", ())]
    standing += [ik.Orient(foot, to=turns[foot]) for foot in anatomy.capabilities.get("foot", ())]
    standing += [ik.Balanced(weight=1.0)] if standing else []
    shoulder = np.array(posed.place(hand.limb.base))
    away = (np.array(wish.place) - shoulder) / max(math.dist(wish.place, shoulder), 1e-9)
    best, least = None, math.inf
    for farther in FARTHER:
        goal = ik.Place(BodyPoint(hand.joint, wish.point), at=np.array(wish.place) + farther * hand.reach * away)
        found = ik.solve(performer.body, [goal, *standing], pose).pose
        assert found.root_translation is not None
        lean = Lean(np.array(found.rotations), np.array(found.root_translation) - posed.root)
        missed = performer.hands.place(hand, wish, lean.applied(performer.acted()))
        if missed < least:
            best, least = lean, missed
        if least < EXACT:
            break
    return best


def standing_place(performer: Performer, hand: Hand, place: Three) -> tuple[float, float, float] | None:
    """Where to stand, x, z and heading, for a hand to reach a place; None if it is near enough already."""
    posed, actor = performer.posed, performer.actor
    shoulder, (x, z) = posed.place(hand.limb.base), actor.place.tolist()
    level = math.hypot(place[0] - shoulder[0], place[2] - shoulder[2])
    ahead = wrapped(math.atan2(place[0] - x, place[2] - z) - actor.heading)
    lean = 0.35 * hand.reach
    if level < STANDS_OFF * hand.reach + lean and (abs(ahead) < math.radians(70.0) or level < 0.3 * hand.reach):
        return None
    heading = math.atan2(place[0] - x, place[2] - z)
    side, front = _shoulder_offset(performer, hand)
    # The shoulder, and not the middle of the body, comes to stand before the thing.
    back_off = front + STANDS_OFF * hand.reach
    across = 0.6 * side
    sine, cosine = math.sin(heading), math.cos(heading)
    return place[0] - back_off * sine - across * cosine, place[2] - back_off * cosine + across * sine, heading


def _shoulder_offset(performer: Performer, hand: Hand) -> tuple[float, float]:
    """Metres to the left and ahead of where the body stands, at rest."""
    x, _, z = performer.physique.positions[hand.limb.base].tolist()
    return x, z


def expected_walk(performer: Performer, stand: tuple[float, float, float]) -> float:
    """Seconds that walking somewhere should take."""
    way = np.array([stand[:2]])
    return STANDS + Traveller.of(performer, ARRIVED).seconds(way, max(performer.actor.troupe.easy_speed, 0.05))


def choose_hand(performer: Performer, place: Three, hand: str, *, free: bool = True) -> Hand:
    """The hand that suits a place: near, free, and not across the body.

    Raises:
        InputError: if the body has no such hand, or none is free.
    """
    need(performer, "grasper", "manipulation")
    hands = performer.hands.hands
    if not hands:
        raise InputError(f"{performer.character.name!r} has no arm that its hands could be placed by")
    if hand != "any":
        found = [each for each in hands if hand in (each.side, each.name)]
        if not found:
            raise UnknownNameError(
                repr(performer.character.name), "hand", hand, ["any", *(each.name for each in hands)]
            )
        return found[0]
    empty = [each for each in hands if not (free and each.joint in performer.hands.holds)]
    if not empty:
        raise InputError(f"no hand of {performer.character.name!r} is free; put something down first")
    heading, (x, z) = performer.actor.heading, performer.actor.place.tolist()
    left = (place[0] - x) * math.cos(heading) - (place[2] - z) * math.sin(heading)

    def cost(each: Hand) -> float:
        across = -left if each.side == "left" else left if each.side == "right" else 0.0
        return math.dist(place, performer.posed.place(each.limb.base)) + CROSSING * max(across, 0.0)

    return min(empty, key=cost)


def _thing(performer: Performer, target: Any) -> Thing:
    found = performer.world.get(target) if isinstance(target, str) else target
    if isinstance(target, str) and found is None:
        performer.where(target)
    if not isinstance(found, Thing):
        found = Thing(np.array(performer.where(target)), size=0.06)
    return found


def make_touch(performer: Performer, *, target: Any, hand: str = "any", hold: float = HOLD, walk: bool = True) -> Reach:
    """Touch something with the tip of a finger, or what there is of one.

    Args:
        performer: who.
        target: what; see `Performer.where`.
        hand: ``left``, ``right``, the name of a hand, or ``any`` for the one that suits.
        hold: seconds on it.
        walk: whether to walk there first if it is out of reach.
    """
    chosen = choose_hand(performer, performer.where(target), hand, free=False)
    made = Reach(performer, chosen, target, point=chosen.tip, hold=float(hold), walk=walk)
    made.open = made.shut = SHAPES["rest"]
    return made


def make_grasp(performer: Performer, *, target: Any, hand: str = "any", hold: float = HOLD, walk: bool = True) -> Grasp:
    """Take something in the hand and keep it; see `make_touch`. A place is taken for a small ball."""
    thing = _thing(performer, target)
    return Grasp(performer, choose_hand(performer, thing(), hand), thing, hold=float(hold), walk=walk)


def make_put_down(
    performer: Performer, *, target: Any, hand: str = "any", hold: float = HOLD, walk: bool = True
) -> PutDown:
    """Put what a hand holds somewhere, with its middle there; see `make_touch`."""
    return PutDown(performer, _full_hand(performer, hand, "put_down"), target, hold=float(hold), walk=walk)


def make_hand_over(
    performer: Performer, *, target: Any, hand: str = "any", hold: float = 2.0, walk: bool = False
) -> HandOver:
    """Hold out to somebody what a hand holds, and let go when it is taken; see `make_touch`."""
    return HandOver(performer, _full_hand(performer, hand, "hand_over"), target, hold=float(hold), walk=walk)


def make_point(performer: Performer, *, target: Any, hand: str = "any", hold: float = 0.8) -> Point:
    """Point at something; see `make_touch`."""
    return Point(performer, choose_hand(performer, performer.where(target), hand), target, hold=float(hold))


def _full_hand(performer: Performer, hand: str, kind: str) -> Hand:
    full = [each for each in performer.hands.hands if each.joint in performer.hands.holds]
    full = [each for each in full if hand in ("any", each.side, each.name)]
    if not full:
        raise InputError(f"no hand of {performer.character.name!r} holds anything, which {kind} needs; grasp it first")
    return full[0]
