"""Laws of position modes: exact inverses, rest is zero, mirroring; and what each mode is for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import Pose
from mummer.errors import InputError
from mummer.general import Context, select
from mummer.general.context_limbs import swing_length, walk_limb
from mummer.general.modes import PositionMode, Target, part_volume, position_map, rest_target
from mummer.general.modes.affine import least_turns
from mummer.general.modes.position_map import _plain
from mummer.general.modes.site import FLIP, site_of
from mummer.ik.volume import distance_to_volume
from mummer.math import quaternion
from tests.general.bodies import physique
from tests.general.modes.sampling import MODES, OUTSIDE, Case, cases

RELATIVE = [mode for mode in MODES if mode.relative == "rest" and not (mode.reach and mode.toward)]


@given(case=cases())
def test_what_is_meant_is_found_again(case: Case) -> None:
    general = case.general()
    for mirror in (False, True):
        found = case.map(mirror=mirror)
        assert np.allclose(found.generalize(found.specialize(general)), general, rtol=0, atol=1e-9)


@given(case=cases())
def test_where_it_is_posed_it_stays(case: Case) -> None:
    places = case.places()
    for mirror in (False, True):
        found = case.map(mirror=mirror)
        assert np.allclose(found.specialize(found.generalize(places)), places, rtol=0, atol=1e-9)


@given(case=cases(RELATIVE))
def test_rest_is_zero(case: Case) -> None:
    rest = np.repeat(case.physique.positions[case.joint][None], 5, axis=0)
    for mirror in (False, True):
        assert np.allclose(case.map(mirror=mirror).specialize(np.zeros((5, 3))), rest, rtol=0, atol=1e-12)
        assert np.allclose(case.map(mirror=mirror).generalize(rest), 0, rtol=0, atol=1e-9)


@given(case=cases())
def test_the_mirrored_map_of_the_mirrored_body_is_the_map_seen_in_a_mirror(case: Case) -> None:
    general = case.general()
    site = site_of(case.physique, case.joint, case.target)
    back = site.mirrored().mirrored()
    assert np.array_equal(_plain(back, case.mode).specialize(general), _plain(site, case.mode).specialize(general))
    assert np.allclose(
        case.map(mirror=True).specialize(general) * FLIP, _plain(site.mirrored(), case.mode).specialize(general)
    )


@given(case=cases([PositionMode(scale="limb"), PositionMode(toward=OUTSIDE), PositionMode(reach=True)]))
def test_mirroring_turns_sides_around(case: Case) -> None:
    body = case.physique
    partner = int(body.anatomy.mirror[case.joint])
    even = np.allclose(body.positions[[case.joint, body.limb_bases[case.joint]]] * FLIP,
                       body.positions[[partner, body.limb_bases[partner]]], atol=1e-9)  # fmt: skip
    if not even or abs(body.limb_lengths[case.joint] - body.limb_lengths[partner]) > 1e-9:
        return
    general = case.general()
    target = None if case.target is None else Target(case.target.positions * FLIP)
    other = position_map(body, partner, case.mode, mirror=True, target=target)
    assert np.allclose(other.specialize(general), case.map().specialize(general) * FLIP, atol=1e-6)


HANDS = ["adult", "crab", "spider", "two_headed", "random 4"]


@pytest.mark.parametrize("name", HANDS)
def test_one_means_ground_and_middle(name: str) -> None:
    body = physique(name)
    for hand in select(body, "grasper"):
        found = position_map(body, hand, PositionMode(ground=True, sagittal=True))
        place = found.specialize(np.array([[1.0, 1.0, 0.0]]))[0]
        assert abs(place[0]) < 1e-9 or abs(body.positions[hand, 0]) < 1e-3 * body.height
        assert place[1] == pytest.approx(0, abs=1e-9)


def test_one_means_the_target_as_it_moves() -> None:
    body = physique("adult")
    hand = body.anatomy.joint("left_hand")
    fruit = np.array([[0.5, 1.0, 0.6], [0.0, 2.0, 0.0], [-1.0, 0.3, 4.0]])
    found = position_map(body, hand, PositionMode(toward=OUTSIDE), target=Target(fruit))
    assert np.allclose(found.specialize(np.tile([0.0, 0.0, 1.0], (3, 1))), fruit)
    punch = position_map(body, hand, PositionMode(toward=OUTSIDE, directional=True, scale="limb"), target=Target(fruit))
    away = punch.specialize(np.tile([0.0, 0.0, 1.0], (3, 1))) - body.positions[hand]
    assert np.allclose(np.linalg.norm(away, axis=1), swing_length(body, hand))
    assert np.allclose(np.cross(away, fruit - body.positions[hand]), 0)


@pytest.mark.parametrize("name", HANDS)
def test_a_limb_draws_in_and_stretches_out(name: str) -> None:
    body = physique(name)
    for hand in select(body, "grasper"):
        found = position_map(body, hand, PositionMode(reach=True))
        z = np.linspace(-2, 2, 41)
        places = found.specialize(np.stack([0 * z, 0 * z, z], axis=1))
        far = np.linalg.norm(places - body.positions[walk_limb(body, [hand], "shoulder")[0]], axis=1)
        length = swing_length(body, hand)
        assert (np.diff(far) > 0).all()
        assert np.abs(np.diff(far, 2)).max() < 0.1 * length
        assert far[30] >= length - 1e-9
        assert far[10] <= 0.25 * length + 1e-9


def test_lifting_means_up_and_for_what_hangs_ahead() -> None:
    body = physique("adult")
    for role, axis in (("left_hand", 1), ("left_foot", 2)):
        joint = body.anatomy.joint(role)
        found = position_map(body, joint, PositionMode(reach=True))
        moved = found.specialize(np.array([[0.0, 0.3, 0.0]]))[0] - body.positions[joint]
        assert moved[axis] > 0.5 * np.linalg.norm(moved)


@pytest.mark.parametrize("name", ["adult", "two_headed", "random 4"])
@pytest.mark.parametrize("part", ["head", "root"])
def test_hands_come_to_lie_on_the_surface(name: str, part: str) -> None:
    body = physique(name)
    for hand in select(body, "grasper"):
        target = rest_target(body, hand, Context(part), surface=True)
        mode = PositionMode(toward=Context(part), boundary=(0.1, -0.3, 1.0))
        place = position_map(body, hand, mode, target=target).specialize(np.array([[1.0, 0.0, 1.0]]))
        surface = target.surface
        world = body.origin + quaternion.rotate(body.axes, place)
        near = distance_to_volume(body.character, Pose.rest(body.character.skeleton), world)
        thick = part_volume(body.character, hand).thickness
        assert near.distances[0] < thick + 1e-3 * body.height
        way = (place - surface.centers)[0]
        assert way / np.linalg.norm(way) == pytest.approx(np.array([0.1, -0.3, 1.0]) / np.sqrt(1.1), abs=1e-9)
        skin = float(surface.heights(way[None] / np.linalg.norm(way))[0])
        assert np.linalg.norm(way) == pytest.approx(skin + thick)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"relative": "near"}, "relative of a mode is 'near'; expected rest or absolute"),
        ({"scale": "big"}, "scale of a mode is 'big'; expected none, size or limb"),
        ({"directional": True}, "is directional but has nothing to move toward"),
        ({"boundary": (0, 0, 1)}, "is boundary but has nothing to move toward"),
        ({"toward": OUTSIDE, "ground": True}, "both toward and ground"),
        ({"reach": True, "sagittal": True}, "both reach and sagittal"),
        ({"reach": True, "relative": "absolute"}, "both reach and absolute"),
        ({"toward": OUTSIDE, "boundary": (0, 0, 0)}, "expected a direction"),
        ({"toward": OUTSIDE, "boundary": (0, 0, 1), "directional": True}, "both boundary and directional"),
    ],
)
def test_modes_that_make_no_sense(settings: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        PositionMode(**settings)


def test_maps_without_their_target() -> None:
    body = physique("snake")
    with pytest.raises(InputError, match="moves toward 'target' but no target was given"):
        position_map(body, 0, PositionMode(toward=OUTSIDE))
    with pytest.raises(InputError, match="its target has no surface"):
        position_map(body, 0, PositionMode(toward=OUTSIDE, boundary=(0, 0, 1)), target=Target(np.zeros((1, 3))))


def test_a_limb_points_at_its_target() -> None:
    body = physique("adult")
    hand = body.anatomy.joint("left_hand")
    base = body.positions[walk_limb(body, [hand], "shoulder")[0]]
    fruit = np.array([[0.5, 1.0, 5.0], [4.0, 2.0, 0.0]])
    point = position_map(body, hand, PositionMode(reach=True, toward=OUTSIDE), target=Target(fruit))
    away = point.specialize(np.tile([0.0, 0.0, 1.0], (2, 1))) - base
    assert np.allclose(np.cross(away, fruit - base), 0, atol=1e-9)
    length = max(swing_length(body, hand), 1.05 * float(np.linalg.norm(body.positions[hand] - base)))
    assert np.linalg.norm(away, axis=1) == pytest.approx(length, rel=0.01)


@pytest.mark.parametrize("mode", [PositionMode(), PositionMode(ground=True), PositionMode(reach=True)])
def test_a_palm_in_place_of_a_wrist(mode: PositionMode) -> None:
    body = physique("adult")
    hand = body.anatomy.joint("left_hand")
    palm = part_volume(body.character, hand).middle
    found = position_map(body, hand, mode, offset=palm)
    rest = body.positions[hand] + quaternion.rotate(body.rotations[hand], palm)
    assert np.linalg.norm(rest - body.positions[hand]) > 0.02
    assert np.allclose(found.specialize(np.zeros((1, 3))), rest, atol=1e-12)


@given(seed=st.integers(0, 2**32 - 1), near=st.floats(0, 1))
def test_least_turns_are_those_between_vectors(seed: int, near: float) -> None:
    chance = np.random.default_rng(seed)
    ways = np.concatenate([chance.normal(size=(4, 3)), [[1e-9, 0, -near], [0, 1e-5, -near], [0, 0, near]]])
    turns = least_turns(ways, np.linalg.norm(ways, axis=1))
    assert np.allclose(turns @ turns.swapaxes(1, 2), np.eye(3), rtol=0, atol=1e-14)
    usual = quaternion.to_matrix(quaternion.between_vectors([0.0, 0.0, 1.0], ways))
    assert np.allclose(turns, usual, atol=1e-7)


def test_least_turns_where_there_is_no_least() -> None:
    turns = least_turns(np.array([[0.0, 0.0, -2.0], [0.0, 0.0, 0.0]]), np.array([2.0, 0.0]))
    assert np.allclose(turns[0], np.diag([-1.0, 1.0, -1.0]))
    assert np.allclose(turns[1], np.eye(3))
