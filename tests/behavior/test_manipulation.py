"""Hands touch, take, carry, put down, hand over and point."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mummer import zoo
from mummer.behavior import Performer, make
from mummer.behavior.hands import hands_of
from mummer.behavior.manipulation import choose_hand
from mummer.behavior.things import Thing
from mummer.errors import InputError
from mummer.general.physique import physique_of
from mummer.math import quaternion
from tests.behavior.grasp import INSIDE, ON, distances, taken


def until(performer, name, most=1200, also=()):
    """Step until a sync point is told."""
    for _ in range(most):
        for other in also:
            other.step(1 / 60)
        if any(event.name == name for event in performer.step(1 / 60).events):
            return
    raise AssertionError(f"{name} was never told")


@pytest.mark.parametrize("name", ["adult", "child", "centaur"])
def test_things_around_a_body_are_taken_by_the_skin_of_its_palm(name):
    generator = np.random.default_rng(77)
    for _ in range(2):
        found = taken(zoo.body(name), generator)
        assert found is not None
        away, inside = found
        assert away <= ON
        assert inside <= INSIDE


def test_a_palm_inside_a_thing_is_noticed():
    who = Performer("zoo:adult")
    hand = who.hands.hands[0]
    thing = Thing(np.array(who.posed.place(hand.joint)), size=0.1)
    assert distances(who, hand.joint, thing).min() < -0.02


def test_palms_face_each_other_and_thumbs_point_ahead_at_rest():
    physique = physique_of(zoo.body("adult"))
    left, right = hands_of(physique)
    assert (left.side, right.side) == ("left", "right")
    for hand, inward in ((left, -1.0), (right, 1.0)):
        turn = physique.rotations[hand.joint]
        assert quaternion.rotate(turn, np.array(hand.normal))[0] * inward > 0.5
        assert quaternion.rotate(turn, np.array(hand.thumb))[2] > 0.9


def test_the_hand_is_the_one_on_that_side_and_free():
    ball, box = Thing(np.array([0.3, 1.1, 0.4])), Thing(np.array([0.25, 1.1, 0.42]), "box")
    who = Performer("zoo:adult", world={"ball": ball, "box": box})
    assert choose_hand(who, (0.3, 1.1, 0.4), "any").side == "left"
    assert choose_hand(who, (-0.3, 1.1, 0.4), "any").side == "right"
    who.start(make("grasp", who, target="ball"))
    until(who, "end")
    assert ball.holder is who.hands
    assert choose_hand(who, box(), "any").side == "right"
    with pytest.raises(InputError, match="no hand 'middle'"):
        choose_hand(who, box(), "middle")


def test_what_is_taken_is_carried_and_put_down_where_it_was_asked():
    cup = Thing(np.array([0.2, 1.0, 0.4]), "cup", 0.07, 0.1)
    who = Performer("zoo:adult", world={"cup": cup})
    who.start(make("grasp", who, target="cup"))
    until(who, "end")
    hand = who.posed.place(who.hands.hands[0].joint)
    assert math.dist(cup(), hand) < 0.2
    assert cup.place[1] < 0.95
    target = np.array([0.1, 1.1, 0.42])
    who.start(make("put_down", who, target=tuple(target)))
    until(who, "relax")
    np.testing.assert_allclose(cup.place, target, atol=2e-3)
    until(who, "end")
    np.testing.assert_allclose(cup.place, target, atol=2e-3)
    assert cup.holder is None


def test_something_is_handed_over():
    ball = Thing(np.array([-0.2, 1.1, 0.4]))
    world = {"ball": ball}
    giver, taker = Performer("zoo:adult", world=world), Performer("zoo:adult", world=world, at=(0, 1.0), heading=np.pi)
    world |= {"giver": giver, "taker": taker}
    giver.start(make("grasp", giver, target="ball"))
    until(giver, "end", also=[taker])
    giver.start(make("hand_over", giver, target="taker", hold=3.0))
    until(giver, "stroke", also=[taker])
    assert math.dist(ball(), taker.posed.place(taker.hands.hands[0].limb.base)) < 0.9
    taker.start(make("grasp", taker, target="ball", walk=False))
    until(taker, "stroke_end", also=[giver])
    assert ball.holder is taker.hands
    until(taker, "end", also=[giver])
    assert giver.hands.holds == {}
    assert math.dist(ball(), taker.where(taker)) < 1.1


def test_a_finger_points_at_what_moves():
    place = [np.array([1.5, 1.2, 2.0])]
    who = Performer("zoo:adult", world={"kite": lambda: place[0]})
    point = make("point", who, target="kite", hold=2.0)
    who.start(point)
    until(who, "stroke")
    for _ in range(30):
        place[0] = place[0] + [0.01, 0.01, 0.0]
        who.step(1 / 60)
    wrist = np.array(who.posed.place(point.hand.joint))
    along = quaternion.rotate(np.array(who.posed.facing(point.hand.joint)), np.array(point.hand.along))
    away = place[0] - wrist
    assert math.degrees(math.acos(along @ away / np.linalg.norm(away))) < 8.0


def test_a_hand_that_is_stopped_goes_back_without_a_jump():
    who = Performer("zoo:adult")
    running = who.start(make("touch", who, target=(0.2, 1.3, 0.45)))
    until(who, "stroke")
    hand = who.hands.hands[0].joint
    places = [np.array(who.posed.place(hand))]
    who.stop(running)
    for _ in range(90):
        who.step(1 / 60)
        places.append(np.array(who.posed.place(hand)))
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert steps.max() < 0.04
    assert np.linalg.norm(places[-1] - places[0]) > 0.3
    assert steps[-1] < 1e-3


def test_a_body_without_hands_says_so():
    with pytest.raises(InputError, match="'dog' has no grasper, which manipulation needs"):
        make("grasp", Performer("zoo:dog"), target=(0.0, 0.2, 0.5))
    with pytest.raises(InputError, match="holds anything, which put_down needs"):
        make("put_down", Performer("zoo:adult"), target=(0.0, 1.0, 0.4))


def test_who_walked_to_something_stands_while_its_hand_is_under_way():
    cup = Thing(np.array([-0.735, 0.865, 1.559]), "cup", 0.12, 0.19)
    who = Performer("zoo:adult")
    who.start(make("grasp", who, target=cup))
    until(who, "stroke_start")
    place = who.actor.place.copy()
    until(who, "stroke_end")
    assert np.linalg.norm(who.actor.place - place) < 0.005
