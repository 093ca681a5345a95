"""Fitting: what a text wishes where no hand can be is wished where one can, and on the ground, not in it."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.engine.body import Body, body_of
from mummer.engine.fitting import AT_REST, Held, Wished, fit_to_body, fit_to_joints, within_stoop
from mummer.engine.footing import on_toes
from mummer.general import physique_of
from mummer.general.default_target import default_target
from mummer.general.variants import Variant
from mummer.grid.judge import reach
from mummer.grid.judge.scene import scene_of
from mummer.ik.presumed_limits import limited
from mummer.ik.volume import volume_of
from mummer.ik.volume.capsule import signed_distance
from mummer.math import quaternion

STILL = np.array([0.0, 0.0, 0.0, 1.0, 0.0])


def hands_of(body: Body) -> list[int]:
    """The limbs that do not walk, those of the left first."""
    found = np.flatnonzero(body.limbs.leg < 0).tolist()
    return sorted(found, key=lambda limb: -body.limbs.side[limb])


def shoulder_of(body: Body, limb: int) -> np.ndarray:
    return body.frame.places[body.limbs.chain[body.limbs.first[limb]]]


def wished(places: np.ndarray) -> Wished:
    return Wished(places, np.tile(STILL, (len(places), 1)), np.zeros(len(places)))


def moved(body: Body, limb: int, place: np.ndarray, held: Held = AT_REST) -> np.ndarray:
    """By how much a place is moved where a hand stays."""
    return fit_to_body(body, limb, {limb: wished(np.tile(place, (4, 1)))}, held)[0]


def test_who_is_clear_is_not_moved_and_who_is_inside_comes_out_once() -> None:
    body = body_of(mm.zoo.body("adult"))
    hand, head = hands_of(body)[0], int(body.necks.head[0])
    # All but straight arms are as straight as they are; see below for those.
    rest = shoulder_of(body, hand) + 0.9 * (body.frame.places[body.limbs.tip[hand]] - shoulder_of(body, hand))
    assert np.linalg.norm(moved(body, hand, rest)) < 1e-3 * body.frame.height
    # Anywhere about the middle of the head: it comes out, and there is next to nothing left to do.
    rng = np.random.default_rng(3)
    middle = body.frame.places[head] + body.solids.middle[head]
    inside = middle + 0.02 * rng.normal(size=(6, 3))
    once = np.array([moved(body, hand, place) for place in inside])
    assert np.linalg.norm(once, axis=1).min() > 0.05
    again = np.array([moved(body, hand, place) for place in inside + once])
    assert np.linalg.norm(again, axis=1).max() < 0.2 * np.linalg.norm(once, axis=1).min()


def test_what_is_out_of_reach_is_wished_as_far_that_way_as_the_arm_goes() -> None:
    body = body_of(mm.zoo.body("adult"))
    hand = hands_of(body)[0]
    length, away = float(body.limbs.length[hand]), np.array([2.0, 0.0, 0.5])
    found = away + moved(body, hand, shoulder_of(body, hand) + away)
    assert 0.9 * length < np.linalg.norm(found) < length
    assert found @ away > 0.98 * np.linalg.norm(found) * np.linalg.norm(away)
    # And what is within reach stays where it is.
    near = 0.4 * length * away
    assert np.linalg.norm(moved(body, hand, shoulder_of(body, hand) + near)) < 1e-3 * length


@pytest.mark.parametrize("loops", [False, True])
def test_what_is_quicker_than_an_arm_is_spread_over_time_and_what_is_not_stays(loops: bool) -> None:
    body = body_of(mm.zoo.body("adult"))
    hand = hands_of(body)[0]
    length, base = float(body.limbs.length[hand]), shoulder_of(body, hand)
    most = float(body.frame.sudden[body.limbs.chain[body.limbs.first[hand]]])

    def way(seconds: float) -> np.ndarray:
        """From one side to ahead and, of what loops, back, in so many seconds."""
        angle = np.interp(np.arange(121) / 60.0, [0.5, 0.5 + seconds, 1.3, 1.3 + seconds], [0.2, 1.4, 1.4, 0.2])
        return 0.8 * length * np.stack([np.cos(angle), np.full(121, 0.1), np.sin(angle)], axis=1)

    def suddenness(ways: np.ndarray) -> float:
        units = ways / np.linalg.norm(ways, axis=1, keepdims=True)
        return float(np.linalg.norm(np.diff(units, 2, axis=0), axis=1).max()) * 3600.0

    slow, quick = way(0.6), way(0.03)
    assert suddenness(quick) > 3.0 * most
    kept = slow + fit_to_body(body, hand, {hand: wished(base + slow)}, loops=loops)
    assert np.linalg.norm(kept - slow, axis=1).max() < 0.01 * length
    found = quick + fit_to_body(body, hand, {hand: wished(base + quick)}, loops=loops)
    assert suddenness(found) < most
    # Just there, and as far as before.
    away = np.linalg.norm(found - quick, axis=1)
    assert away[[0, 10, 60, 120]].max() < 0.02 * length
    assert away.max() > 0.05 * length


def test_fists_come_down_before_shoulders_that_stoop_and_what_needs_no_stoop_stays() -> None:
    body = body_of(mm.zoo.body("adult"))
    hand, root = hands_of(body)[0], body.frame.root
    length, base = float(body.limbs.length[hand]), shoulder_of(body, hand)
    # The body as a whole is turned down about its root, which is lowered, so that its shoulders are well ahead of it.
    moved = np.tile(
        [0.0, -0.5 * body.frame.places[root, 1], 0.0, *quaternion.from_axis_angle([1.0, 0.0, 0.0], 1.2)], (3, 1)
    )
    shoulder = body.frame.places[root] + moved[0, :3] + quaternion.rotate(moved[0, 3:], base - body.frame.places[root])
    before = np.array([[base[0], 0.05, shoulder[2] + 0.1 * length], [base[0], 0.05, -0.8], [base[0], 2.0, 1.5]])
    after = within_stoop(body, hand, before, AT_REST, moved)
    assert after[[0, 2]] == pytest.approx(before[[0, 2]])
    assert before[1, 2] + 0.1 < after[1, 2] < shoulder[2]
    assert after[1, :2] == pytest.approx(before[1, :2], abs=0.1)
    still = np.tile([0.0, 0.0, 0.0, *quaternion.IDENTITY], (3, 1))
    assert within_stoop(body, hand, before, AT_REST, still) == pytest.approx(before)


@pytest.mark.parametrize("seed", [46006, 46023])
def test_feet_are_wished_where_the_joints_of_their_legs_let_them_come_and_not_in_the_ground(seed: int) -> None:
    body = body_of(limited(on_toes(mm.zoo.random_creature(seed))))
    leg = int(np.flatnonzero(body.limbs.leg >= 0)[0])
    rest = body.frame.places[body.limbs.tip[leg]] + body.limbs.point[leg]
    length, base = float(body.limbs.length[leg]), shoulder_of(body, leg)
    # Where it stands it stays; drawn up before the hip it comes nearer to where the knee lets it.
    kick = np.array([rest, base + 0.67 * length * np.array([0.0, -0.1, 1.0])])
    still = np.tile(STILL, (2, 1))
    moves = fit_to_joints(body, leg, Wished(kick, still, np.zeros(2)))
    assert np.linalg.norm(moves[0]) < 0.02 * length
    assert np.linalg.norm(moves[1]) > 0.05 * length
    again = fit_to_joints(body, leg, Wished(kick + moves, still, np.zeros(2)))
    assert np.linalg.norm(again[1]) < 0.5 * np.linalg.norm(moves[1])
    low = np.array([rest, rest + 0.02 * length * np.array([0.0, 1.0, 0.0])])
    assert (low + fit_to_joints(body, leg, Wished(low, still, np.zeros(2))))[:, 1].min() > rest[1] - 1e-6


def test_both_hands_make_way_for_one_another_alike() -> None:
    body = body_of(mm.zoo.body("adult"))
    left, right = hands_of(body)
    # Ahead of the chest, where nothing else is.
    ahead = np.tile([0.01, 1.2, 0.45], (4, 1))
    both = {left: wished(ahead), right: wished(ahead * [-1, 1, 1])}
    one, two = fit_to_body(body, left, both)[0], fit_to_body(body, right, both)[0]
    assert one[0] > 0.005
    assert one == pytest.approx(two * [-1, 1, 1], abs=0.004)


def test_hands_go_around_a_large_head_in_time_and_never_past_their_shoulder() -> None:
    body = body_of(mm.zoo.random_creature(43047))
    hand = hands_of(body)[0]
    length, base = float(body.limbs.length[hand]), shoulder_of(body, hand)
    # From where it hangs to straight up, where its head is, in half a second.
    angle = np.interp(np.arange(61) / 60.0, [0.2, 0.7], [-1.4, 1.3])
    ways = np.stack([np.full(61, 0.35), np.sin(angle), 0.4 * np.cos(angle)], axis=1)
    ways *= 0.8 * length / np.linalg.norm(ways, axis=1, keepdims=True)
    found = ways + fit_to_body(body, hand, {hand: wished(base + ways)})
    assert np.linalg.norm(found - ways, axis=1).max() > 0.2 * length
    far = np.linalg.norm(found, axis=1)
    assert far.min() > 0.6 * length
    assert far.max() < 1.02 * length
    assert np.linalg.norm(np.diff(found, axis=0), axis=1).max() < 0.15 * length


def test_what_goes_round_and_round_has_no_beginning() -> None:
    body = body_of(mm.zoo.random_creature(43047))
    hand = hands_of(body)[0]
    length, base = float(body.limbs.length[hand]), shoulder_of(body, hand)
    angle = np.linspace(0.0, 2.0 * np.pi, 61)
    ways = 0.8 * length * np.stack([0.2 + 0 * angle, np.sin(angle), np.cos(angle)], axis=1)
    once = ways + fit_to_body(body, hand, {hand: wished(base + ways)}, loops=True)
    assert np.linalg.norm(once - ways, axis=1).max() > 0.2 * length
    assert once[0] == pytest.approx(once[-1])
    later = np.roll(ways[:-1], 30, axis=0)
    later = np.concatenate([later, later[:1]])
    found = later + fit_to_body(body, hand, {hand: wished(base + later)}, loops=True)
    assert np.linalg.norm(found[:-1] - np.roll(once[:-1], 30, axis=0), axis=1).max() < 0.1 * length


def test_hands_make_way_for_a_head_as_it_is_held() -> None:
    body = body_of(mm.zoo.body("adult"))
    hand, head = hands_of(body)[0], int(body.necks.head[0])
    # Where the head is once it is bent down to its side.
    turn = np.array([*quaternion.from_axis_angle(np.array([0.0, 0.0, 1.0]), -1.2), 1.0])
    middle = body.frame.places[head] + quaternion.rotate(turn[:4], 1.6 * body.solids.middle[head])
    held = Held({head: (-1, np.tile(turn, (4, 1)))}, {}, -1)
    assert np.linalg.norm(moved(body, hand, middle, held)) > 2.0 * np.linalg.norm(moved(body, hand, middle))


@pytest.mark.parametrize(
    ("seed", "animation"),
    [(43031, "clap"), (43051, "clap"), (43021, "fall"), (43056, "fall"), (43047, "cheer"), (43038, "wave")],
)
def test_hands_come_to_where_thick_bodies_let_them(seed: int, animation: str) -> None:
    scene = scene_of(mm.perform(mm.zoo.random_creature(seed), animation))
    assert (reach.JUDGE.score(scene).value or 0.0) < 10.0


@pytest.mark.parametrize("seed", [43022, 43031, 43039, 43051])
@pytest.mark.parametrize("kind", ["reach", "above"])
def test_no_large_head_is_in_the_way_of_what_a_hand_reaches(seed: int, kind: str) -> None:
    body = mm.zoo.random_creature(seed)
    physique, volume = physique_of(body), volume_of(body)
    for hand in body.anatomy.capabilities["grasper"]:
        place = default_target(physique, Variant("", (), (hand,), False), kind)  # type: ignore[arg-type]
        place = quaternion.rotate(quaternion.conjugate(physique.axes), place - physique.origin)
        head = np.isin(volume.joints, body.anatomy.capabilities["head"])
        ends = physique.positions[volume.joints[head]][:, None] + quaternion.rotate(
            physique.rotations[volume.joints[head]][:, None], volume.ends[head]
        )
        thick = volume.radii[volume.joints == hand].max()
        assert signed_distance(place, ends, volume.radii[head])[0].min() > thick


def test_hands_that_share_an_arm_and_both_arms_of_a_pair_hang_alike() -> None:
    for seed in (43000, 43004, 43030):
        limbs = body_of(mm.zoo.random_creature(seed)).limbs
        hands = np.flatnonzero((limbs.leg < 0) & (limbs.hangs > 0.0))
        assert len(hands) == (limbs.leg < 0).sum()
        for hand in hands:
            assert (limbs.hangs[limbs.mate == limbs.mate[hand]] == limbs.hangs[hand]).all()
