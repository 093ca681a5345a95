"""Parts that would go through others or into the ground make way: just so far, smoothly, and within limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mummer import zoo
from mummer.arrays import FloatArray
from mummer.character import violations
from mummer.clip import Frames
from mummer.general import Intent, Track, at_rest, perform, physique_of
from mummer.general.clearance import underside_of
from mummer.general.keeping_out import contacts_of, keep_out, with_room
from mummer.general.making_way import ways_of
from mummer.general.solving import solve_intent
from mummer.grid.judge import penetration, scene_of
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume import self_penetration, volume_of
from mummer.ik.volume.placed import placed_capsules
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


def copied(frames: Frames) -> Frames:
    return frames.select(np.arange(len(frames)))


def pitched(name: str, degrees: FloatArray) -> Intent:
    """A body whose root is pitched: its tail goes into the ground where that is upwards."""
    intent = at_rest(physique_of(zoo.body(name)), np.zeros(len(degrees)))
    turn = quaternion.exp(np.radians(degrees)[:, None] * np.array([-1.0, 0.0, 0.0]))
    turn = quaternion.multiply(
        quaternion.multiply(intent.stage_rotations, turn), quaternion.conjugate(intent.stage_rotations)
    )
    return replace(intent, root_rotations=quaternion.multiply(turn, intent.root_rotations))


def reaching(name: str, places: dict[str, FloatArray]) -> Intent:
    """A body whose parts are wanted at places (T, 3) of its character space."""
    physique = physique_of(zoo.body(name))
    count = len(next(iter(places.values())))
    intent = at_rest(physique, np.zeros(count))
    tracks = {
        physique.anatomy.roles[role]: Track(intent.to_world(there), np.ones(count)) for role, there in places.items()
    }
    return replace(intent, places=tracks)


def lowest_of(intent: Intent, frames: Frames, kind: str) -> FloatArray:
    """(T,) metres of the lowest point of limbs of a kind above where they may be."""
    physique, underside = intent.physique, underside_of(intent.physique)
    joints = {joint for limb in physique.anatomy.limbs if limb.kind == kind for joint in limb.joints}
    rows = [row for row, joint in enumerate(underside.volume.joints.tolist()) if joint in joints]
    placed = placed_capsules(underside.volume, WorldState(physique.character, frames.to_pose()))
    heights = (placed.ends[..., 1] - underside.volume.radii).min(axis=2) + underside.deepest
    return heights[:, rows].min(axis=1) - intent.stage_positions[:, 1]


@pytest.mark.parametrize("name", ["adult", "dog", "lizard", "crab", "beetle", "fish"])
def test_bodies_at_rest_stay_as_they_are(name: str) -> None:
    intent = at_rest(physique_of(zoo.body(name)), np.zeros(2))
    frames = solve_intent(intent)
    before = frames.rotations.copy()
    keep_out(intent, frames)
    np.testing.assert_array_equal(frames.rotations, before)


@pytest.mark.parametrize("name", ["lizard", "dragon"])
def test_tails_bend_up_from_the_ground(name: str) -> None:
    intent = pitched(name, np.array([30.0]))
    frames = solve_intent(intent)
    assert lowest_of(intent, frames, "tail")[0] < -0.08 * intent.physique.height
    keep_out(intent, frames)
    assert lowest_of(intent, frames, "tail")[0] > -0.03 * intent.physique.height


@pytest.mark.parametrize("name", ["lizard", "dragon", "bird"])
def test_how_far_parts_make_way_is_continuous(name: str) -> None:
    degrees = np.linspace(-15.0, 25.0, 801)
    intent = pitched(name, degrees)
    frames = solve_intent(intent)
    before = WorldState(intent.physique.character, copied(frames).to_pose()).positions
    keep_out(intent, frames)
    after = WorldState(intent.physique.character, frames.to_pose()).positions
    least = np.linalg.norm(np.diff(before, axis=0), axis=2).max()
    assert np.linalg.norm(np.diff(after, axis=0), axis=2).max() < 8 * least


def hands_together(apart: FloatArray) -> Intent:
    physique = physique_of(zoo.body("adult"))
    chest = physique.positions[physique.anatomy.roles["chest"]]
    ahead = chest + np.array([0.0, 0.0, 0.35])
    side = np.stack([apart / 2, np.zeros_like(apart), np.zeros_like(apart)], axis=1)
    return reaching("adult", {"left_hand": ahead + side, "right_hand": ahead - side})


def test_hands_that_meet_stop_at_each_other() -> None:
    intent = hands_together(np.array([0.6, 0.0]))
    frames = solve_intent(intent)
    body = intent.physique.character
    raw = copied(frames)
    deep = self_penetration(body, raw.to_pose()).worst
    keep_out(intent, frames)
    kept = self_penetration(body, frames.to_pose()).worst
    np.testing.assert_array_equal(frames.rotations[0], raw.rotations[0])
    assert deep[1] > 0.03
    assert kept[1] < 0.6 * deep[1]
    # Each gives way as much as the other.
    roles, moved = (
        intent.physique.anatomy.roles,
        [WorldState(body, each.to_pose()).positions[1] for each in (raw, copied(frames))],
    )
    left, right = (np.linalg.norm((moved[1] - moved[0])[roles[hand]]) for hand in ("left_hand", "right_hand"))
    assert left == pytest.approx(right, rel=0.2)


def test_a_hand_keeps_its_turn_while_it_makes_way() -> None:
    intent = hands_together(np.array([0.05]))
    frames = solve_intent(intent)
    body, hand = intent.physique.character, intent.physique.anatomy.roles["left_hand"]
    before = WorldState(body, copied(frames).to_pose()).rotations[0, hand]
    keep_out(intent, frames)
    after = WorldState(body, frames.to_pose()).rotations[0, hand]
    assert quaternion.angle_between(before, after) < np.radians(15)


def test_feet_that_stand_stay_where_they_stand() -> None:
    """A hand is put through the knee of a body that stands: the hand makes way, the foot does not."""
    physique = physique_of(zoo.body("adult"))
    roles, rest = physique.anatomy.roles, physique.positions
    knee = rest[roles["left_lower_leg"]]
    intent = reaching("adult", {"left_foot": rest[[roles["left_foot"]]], "left_hand": knee[None] + [0.0, 0.1, 0.0]})
    turned = quaternion.multiply(quaternion.exp(np.array([1.0, 0.0, 0.0])), physique.rotations[roles["spine"]])
    turns = {roles["spine"]: Track(quaternion.multiply(intent.stage_rotations, turned), np.ones(1))}
    intent = replace(intent, turns=turns)
    frames = solve_intent(intent)
    raw = WorldState(physique.character, copied(frames).to_pose())
    keep_out(intent, frames)
    kept = WorldState(physique.character, frames.to_pose())
    np.testing.assert_allclose(kept.positions[0, roles["left_foot"]], raw.positions[0, roles["left_foot"]], atol=1e-3)


@pytest.mark.parametrize("name", ["lizard", "dragon", "beetle", "crab"])
def test_limits_are_kept(name: str) -> None:
    intent = pitched(name, np.array([-40.0, 20.0, 40.0]))
    frames = solve_intent(intent)
    body = intent.physique.character
    limits = rigid_body(body).limits
    before = violations(limits, body.skeleton, copied(frames).to_pose()).max()
    keep_out(intent, frames)
    assert violations(limits, body.skeleton, frames.to_pose()).max() < before + 1e-6


def test_each_frame_is_by_itself() -> None:
    intent = hands_together(np.linspace(0.6, 0.0, 9))
    frames = solve_intent(intent)
    alone = hands_together(np.linspace(0.6, 0.0, 9)[[5]])
    one = solve_intent(alone)
    keep_out(intent, frames)
    keep_out(alone, one)
    np.testing.assert_allclose(one.rotations[0], frames.rotations[5], atol=1e-12)


def test_places_move_along_with_what_makes_way() -> None:
    intent = hands_together(np.array([0.0]))
    frames = solve_intent(intent)
    raw = copied(frames)
    keep_out(intent, frames)
    hand = intent.physique.anatomy.roles["left_hand"]
    moved = with_room(intent, raw, frames).places[hand].values - intent.places[hand].values
    assert np.linalg.norm(moved) > 0.01
    assert np.linalg.norm(with_room(intent, raw, raw).places[hand].values - intent.places[hand].values) == 0


def test_what_is_placed_turns_otherwise_than_what_is_free() -> None:
    physique = physique_of(zoo.body("adult"))
    hand, foot = (physique.anatomy.roles[role] for role in ("left_hand", "left_foot"))
    free, placed = ways_of(physique, ()), ways_of(physique, (hand, foot))
    limb = free.limbs[hand]
    assert free.tips[limb] == -1
    assert placed.tips[limb] == hand
    assert free.willing[placed.middles[limb]] > 0
    assert np.isinf(placed.planted[limb, 0])
    assert np.isfinite(placed.planted[placed.limbs[foot], 0])
    assert placed.limbs[physique.root] == -1


@pytest.mark.parametrize("name", ["adult", "dragon", "spider"])
def test_pairs_of_two_limbs_agree_which_of_them_is_first(name: str) -> None:
    physique = physique_of(zoo.body(name))
    contacts, ways = contacts_of(physique), ways_of(physique, ())
    carries, limbs = volume_of(physique.character).joints, np.maximum(ways.limbs, ways.necks)
    for bundle in range(int(contacts.bundles.max()) + 1):
        rows = contacts.bundles == bundle
        one, two = (set(limbs[carries[which[rows]]].tolist()) for which in (contacts.first, contacts.second))
        assert len(one) == len(two) == 1
        assert one != two


@pytest.mark.parametrize(("seed", "animation"), [(3046, "eat_from_ground"), (3343, "pick_up")])
def test_fingers_on_both_sides_of_a_part_leave_it_the_same_way(seed: int, animation: str) -> None:
    """Pairs that push each their own way hold one another where they are: a third too deep, both times."""
    clip = perform(zoo.random_creature(seed), animation)
    assert penetration.look(scene_of(clip)).value < 0.95


@pytest.mark.parametrize(("seed", "animation"), [(3347, "hop"), (3390, "eat_from_ground")])
def test_heads_make_way_for_one_another_and_for_chests(seed: int, animation: str) -> None:
    clip = perform(zoo.random_creature(seed), animation)
    assert penetration.look(scene_of(clip)).value < 0.9


def test_heads_do_not_make_way_for_hands() -> None:
    """A hand is put through the head: the hand makes way, the head does not."""
    physique = physique_of(zoo.body("adult"))
    roles = physique.anatomy.roles
    intent = reaching("adult", {"left_hand": physique.positions[[roles["head"]]] + [0.0, 0.1, 0.05]})
    frames = solve_intent(intent)
    before = frames.rotations.copy()
    keep_out(intent, frames)
    necks = ways_of(physique, ()).necks >= 0
    assert necks[roles["head"]]
    np.testing.assert_array_equal(frames.rotations[:, necks], before[:, necks])
    assert np.abs(frames.rotations - before).max() > 0.01
