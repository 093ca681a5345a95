"""Hands, feet and mouths that go where animations want them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.engine.arms import settle_swivel, swung
from mummer.engine.body import body_of
from mummer.engine.contact import base_of
from mummer.engine.ground import level_ground
from mummer.engine.limb import place_limb
from mummer.engine.reach import carry_joint
from mummer.engine.self_contact import free_of_contact
from mummer.engine.state import new_actors
from mummer.general import physique_of
from mummer.general.context_limbs import swing_length, walk_limb
from mummer.grid.bodies import load_body
from mummer.grid.judge import kept, reach
from mummer.grid.judge.scene import Scene, scene_of
from mummer.grid.judge.wished import wished
from mummer.ik import WorldState
from mummer.math import quaternion

BRANCHING = "random:9308"
"""A creature with two hands on each arm."""


def scene(body: str, animation: str) -> Scene:
    return scene_of(mm.perform(load_body(body), animation))


def test_an_elbow_that_jumps_goes_around_in_time_and_the_hand_stays() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0, ground=0.0)
    body, actors, seconds = actor.troupe.body, actor.troupe.actors, 1.0 / 60.0
    hand = int(np.flatnonzero(body.limbs.leg < 0)[0])
    first, count = int(body.limbs.first[hand]), int(body.limbs.number[hand])
    chain = [*body.limbs.chain[first : first + count].tolist(), int(body.limbs.tip[hand])]
    base, most = chain[0], float(body.frame.sudden[chain[0]])
    shoulder, length = np.array(base_of(0, hand, body, actors)), float(body.limbs.length[hand])
    angles, wrists = [], []
    for frame in range(90):
        # A hand that goes on steadily, and an elbow that is half a radian farther around from one moment to the next.
        way = 0.7 * length * np.array([0.6, -0.3 + 0.004 * frame, 0.7])
        target = shoulder + way
        place_limb(0, hand, tuple(target), tuple(target), 0.98, body, actors)
        plain = actors.bends[0, base].copy()
        axis = way / np.linalg.norm(way)
        if frame >= 30:
            actors.bends[0, base] = quaternion.multiply(quaternion.from_axis_angle(axis, 0.5), plain)
        settle_swivel(0, hand, body, actors, seconds)
        for joint in chain:
            carry_joint(0, joint, body, actors)
        turned = quaternion.multiply(actors.bends[0, base], quaternion.conjugate(plain))
        angles.append(float(quaternion.log(turned) @ axis))
        wrists.append(np.linalg.norm(actors.places[0, chain[-1]] - target) / length)
    assert max(wrists) < 0.02
    assert angles[29] == pytest.approx(0.0, abs=0.02)
    assert angles[-1] == pytest.approx(0.5, abs=0.02)
    # It begins, and ends, no more suddenly than the joint turns.
    assert np.abs(np.diff(angles, 2)).max() < 1.1 * most * seconds**2
    assert angles[31] < 0.25


def test_what_pushes_a_hand_out_of_the_body_does_not_jump() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0, ground=0.0)
    troupe, seconds = actor.troupe, 1.0 / 60.0
    body, actors, goals, hand = (
        troupe.body,
        troupe.actors,
        troupe.goals,
        int(np.flatnonzero(troupe.body.limbs.leg < 0)[0]),
    )
    head, length = int(body.necks.head[0]), float(body.limbs.length[hand])
    inside = actors.places[0, head] + body.solids.middle[head] + [0.02, 0.0, 0.02]
    outside = inside + np.array([0.5, 0.0, 0.5])
    pushes = []
    for frame in range(60):
        wish = outside if frame < 10 else inside
        free = free_of_contact(0, hand, tuple(wish), body, actors, goals, troupe.ground, seconds)
        pushes.append(np.linalg.norm(np.array(free) - wish) / length)
    assert max(pushes[:10]) == 0.0
    most = float(body.frame.sudden[body.limbs.chain[body.limbs.first[hand]]])
    assert np.abs(np.diff(pushes, 2)).max() < 0.5 * most * seconds**2
    there = np.array(free_of_contact(0, hand, tuple(inside), body, actors, goals, troupe.ground, 0.0)) - inside
    assert pushes[-1] == pytest.approx(np.linalg.norm(there) / length, rel=0.1)
    assert pushes[-1] > 0.1


# Creatures whose arms were in the way of themselves, too short, or too slow for what was wished of them.
@pytest.mark.parametrize(
    ("body", "animation"),
    [("random:46013", "cheer"), ("random:46028", "throw"), ("random:46022", "cheer"), ("random:46005", "hands_on_hips"),
     ("random:46020", "pound_ground")],
)  # fmt: skip
def test_hands_are_where_they_are_wished(body: str, animation: str) -> None:
    seen = scene(body, animation)
    assert (reach.JUDGE.score(seen).value or 0.0) < 10.0
    assert (kept.JUDGE.score(seen).value or 0.0) < 60.0


def test_hands_that_share_an_arm_are_mates() -> None:
    limbs = body_of(load_body(BRANCHING)).limbs
    names = load_body(BRANCHING).skeleton.names
    for one, tip in enumerate(limbs.tip):
        mates = [names[limbs.tip[other]] for other in np.flatnonzero(limbs.mate == limbs.mate[one])]
        if "_hand" in names[tip]:
            stem = names[tip].removesuffix("_a_hand").removesuffix("_b_hand")
            assert mates == [f"{stem}_a_hand", f"{stem}_b_hand"]
            assert limbs.shared[one] >= 1


@pytest.mark.parametrize("animation", ["wave", "clap", "punch"])
def test_a_hand_is_not_taken_along_by_the_other_one_of_its_arm(animation: str) -> None:
    seen = scene(BRANCHING, animation)
    assert (reach.JUDGE.score(seen).value or 0.0) < 10.0
    assert (kept.JUDGE.score(seen).value or 0.0) < 60.0


def test_the_other_hand_of_an_arm_goes_along() -> None:
    clip = mm.perform(load_body(BRANCHING), "wave")
    names = clip.body.skeleton.names
    places = WorldState(clip.body, clip.sample(np.linspace(clip.start, clip.end, 20))).positions
    a, b = (places[:, names.index(f"arm_1_left_{branch}_hand")] for branch in "ab")
    assert np.ptp(a[:, 1]) > 0.1 * physique_of(clip.body).height
    assert np.ptp(b[:, 1]) > 0.5 * np.ptp(a[:, 1])


def test_a_foot_that_folds_with_its_leg_is_settled_once() -> None:
    assert (reach.JUDGE.score(scene("zoo:horse", "punch")).value or 0.0) < 10.0


@pytest.mark.parametrize(
    ("body", "animation"), [("zoo:horse", "eat_from_ground"), ("zoo:snake", "pick_up"), ("zoo:adult", "bite")]
)
def test_mouths_come_to_what_they_take(body: str, animation: str) -> None:
    assert (reach.JUDGE.score(scene(body, animation)).value or 0.0) < 10.0


def test_heads_that_come_to_the_ground_nod_until_their_skin_is_above_it() -> None:
    seen = scene("random:9337", "pick_up")
    assert (reach.JUDGE.score(seen).value or 0.0) < 10.0
    head = seen.rows_of(seen.body.anatomy.capabilities["head"][0])  # type: ignore[union-attr]
    assert seen.heights[:, head].min() > -0.025 * seen.size


def test_who_points_holds_the_arm_out_to_the_target() -> None:
    goal = np.array([2.0, 1.2, 3.0])
    clip = mm.perform("zoo:adult", "point", target=goal, variant="left_hand")
    body = physique_of(clip.body)
    hand = body.anatomy.joint("left_hand")
    places = WorldState(clip.body, clip.sample(np.array([1.2]))).positions[0]
    shoulder = places[walk_limb(body, [hand], "shoulder")[0]]
    out, way = places[hand] - shoulder, goal - shoulder
    assert np.linalg.norm(out) > 0.85 * swing_length(body, hand)
    assert out @ way > 0.97 * np.linalg.norm(out) * np.linalg.norm(way)


def test_arms_are_measured_from_their_shoulders() -> None:
    adult = physique_of(mm.zoo.body("adult"))
    upper, elbow, hand = (adult.anatomy.joint(f"left_{name}") for name in ("upper_arm", "forearm", "hand"))
    bones = np.linalg.norm(np.diff(adult.positions[[upper, elbow, hand]], axis=0), axis=1)
    assert swing_length(adult, hand) == pytest.approx(float(bones.sum()))
    branching = physique_of(load_body(BRANCHING))
    names = branching.character.skeleton.names
    assert walk_limb(branching, [names.index("arm_1_left_a_hand")], "shoulder") == [names.index("arm_1_left_upper")]


def test_palms_take_things() -> None:
    seen = scene("zoo:adult", "eat_from_ground")
    takes = next(each for each in wished(seen) if each.wish.touches == "place" and np.any(each.wish.point))
    body = body_of(load_body("zoo:adult"))
    palm = body.solids.middle[takes.wish.joint]
    assert np.linalg.norm(takes.wish.point) == pytest.approx(np.linalg.norm(palm))
    assert np.linalg.norm(takes.found - takes.wanted, axis=1)[takes.counts].max() < 0.05 * takes.length
    assert (kept.JUDGE.score(seen).value or 0.0) < 60.0


def test_hands_swing_around_their_shoulders() -> None:
    body = body_of(load_body("zoo:adult"))
    limb = int(np.flatnonzero((body.limbs.leg < 0) & (body.limbs.side > 0))[0])
    actors = new_actors(body, np.zeros((1, 3)), level_ground())
    actors.places[0] = body.frame.places
    base, length = np.array(base_of(0, limb, body, actors)), body.limbs.length[limb]
    down, up = base - np.array([0.0, length, 0.0]), base + np.array([0.0, 0.8 * length, 0.0])
    ways = np.array([swung(0, limb, tuple(down), tuple(up), share, body, actors) for share in np.linspace(0, 1, 11)])
    np.testing.assert_allclose(ways[0], down)
    np.testing.assert_allclose(ways[-1], up)
    far = np.linalg.norm(ways - base, axis=1)
    np.testing.assert_allclose(far, np.linspace(1.0, 0.8, 11) * length)
    assert np.all(ways[1:-1, 0] > base[0])
    assert np.all(np.diff(ways[:, 1]) > 0.0)


def test_feelers_take_hold_with_their_ends() -> None:
    body = load_body("zoo:spider")
    limbs, able = body_of(body).limbs, body.anatomy.capabilities["grasper"]
    for limb in np.flatnonzero(np.isin(limbs.tip, able)):
        chain = limbs.chain[limbs.first[limb] : limbs.first[limb] + limbs.number[limb]]
        assert limbs.tip[limb] in chain, "it bends where its end hangs from"
        far = limbs.folds[limb, :, 0]
        assert far[-1] < 0.6 * far[0], "near and far"
        assert far[0] > 0.95 * swing_length(physique_of(body), int(limbs.tip[limb]))
    adult = body_of(load_body("zoo:adult")).limbs
    assert not adult.point[adult.leg < 0].any(), "hands have elbows above them"


@pytest.mark.parametrize("animation", ["hand_over", "point", "pick_up"])
def test_feelers_come_to_where_they_are_wanted(animation: str) -> None:
    for each in wished(scene("zoo:spider", animation)):
        miss = np.linalg.norm(each.found - each.wanted, axis=1)[each.counts]
        assert np.percentile(miss, 95.0) < 0.15 * each.reach


def test_limbs_fold_to_the_side_of_their_knees_and_elbows() -> None:
    for name, knees in (("adult", 1.0), ("dog", 1.0), ("bird", 1.0)):
        body = body_of(load_body(f"zoo:{name}"))
        for leg in body.legs.limb[-1:] if name != "dog" else body.legs.limb[:2]:
            assert body.limbs.knee[leg, 2] * knees > 0.8
    adult = body_of(load_body("zoo:adult")).limbs
    hands = np.flatnonzero(adult.leg < 0)
    assert (adult.knee[hands, 2] < -0.8).all()
    assert np.linalg.norm(adult.knee, axis=1) == pytest.approx(np.ones(len(adult.tip)))


def test_no_trunk_is_bent_for_an_arm_of_one_joint(data_dir: Path) -> None:
    clip = mm.perform(data_dir / "characters" / "kenney" / "character.glb", "wave")
    state = WorldState(clip.body, clip.sample(clip.times(30.0)))
    torso = clip.body.skeleton.index("torso")
    turned = np.abs(np.sum(state.rotations[:, torso] * state.rotations[0, torso], axis=-1))
    assert turned.min() > np.cos(0.15)
