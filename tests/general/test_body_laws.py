"""Laws of how animations see a body: zones, extents, lengths of limbs, strokes, fingers and jaws."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import mummer as mm
from mummer.general.bending import add_bends
from mummer.general.context_limbs import chain_to
from mummer.general.context_space import EXTENTS, ZONES, in_zones, outermost
from mummer.general.fingers import _axis_at_rest, curls_of
from mummer.general.gait.strokes import FINS, LATE, SWEEP, strokes_of
from mummer.general.modes.rotation_map import AXIAL
from mummer.general.part_frames import part_frames
from mummer.general.physique import Physique, physique_of
from mummer.math import quaternion

WAYS = {"left": (0, 1), "right": (0, -1), "top": (1, 1), "bottom": (1, -1), "front": (2, 1), "back": (2, -1)}
AMONG = {"middle": 0, "midway": 1, "center": 2}


def body(name: str) -> Physique:
    return physique_of(mm.zoo.body(name))


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "fish"])
def test_zones_and_extents_go_by_their_names(name: str) -> None:
    physique = body(name)
    everybody = list(range(len(physique)))
    for zone, (axis, side) in WAYS.items():
        found = in_zones(physique, everybody, (zone,), everybody)
        places = side * physique.positions[:, axis]
        if np.ptp(places) > 0.05 * physique.height:
            assert int(places.argmax()) in found
            assert int(places.argmin()) not in found
        (farthest,) = outermost(physique, everybody, f"{zone}_most")  # type: ignore[arg-type]
        assert places[farthest] >= places.max() - 1e-5 * physique.height
    for zone, axis in AMONG.items():
        places = physique.positions[:, axis]
        found = in_zones(physique, everybody, (zone,), everybody)
        assert {int(places.argmax()), int(places.argmin())}.isdisjoint(found) or np.ptp(places) < 1e-6
        middle = 0.5 * (places.max() + places.min())
        if found:
            assert np.abs(places[found] - middle).max() <= 0.1 * 0.5 * np.ptp(places) + 1e-9
    assert set(ZONES) == {*WAYS, *AMONG}
    assert set(EXTENTS) == {f"{zone}_most" for zone in WAYS}


def test_pairs_are_on_sides_however_near_to_the_middle() -> None:
    physique = body("adult")
    partners, across = physique.anatomy.mirror, physique.positions[:, 0]
    paired = [joint for joint in range(len(physique)) if partners[joint] != joint and across[joint] > 0]
    left = min(paired, key=lambda joint: across[joint])
    right = int(partners[left])
    assert in_zones(physique, [left, right], ("left",), None) == [left]
    assert in_zones(physique, [left, right], ("right",), None) == [right]
    assert in_zones(physique, [physique.root, left], ("middle",), None) == [physique.root]
    assert outermost(physique, [], "top_most") == []


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "snake"])
def test_limbs_are_as_long_as_their_bones(name: str) -> None:
    physique = body(name)
    parents, places = physique.character.skeleton.parents, physique.positions
    spine = {*physique.anatomy.capabilities.get("spine", ()), physique.root}
    for joint in range(len(physique)):
        chain, length = [joint], 0.0
        while chain[-1] not in spine and parents[chain[-1]] >= 0:
            length += float(np.linalg.norm(places[chain[-1]] - places[parents[chain[-1]]]))
            chain.append(int(parents[chain[-1]]))
        assert physique.limb_bases[joint] == chain[-1]
        if len(chain) > 1:
            assert physique.limb_lengths[joint] == pytest.approx(max(length, physique.limb_lengths.min()))
    inner = [joint for joint in spine if parents[joint] >= 0]
    whole = sum(float(np.linalg.norm(places[joint] - places[parents[joint]])) for joint in inner)
    assert physique.limb_lengths[physique.root] == pytest.approx(max(whole, physique.limb_lengths.min()))
    assert 0.0 < physique.limb_lengths.min() < 0.06 * physique.height
    assert physique.height == pytest.approx(float(physique.size.max()))
    assert physique.corners[0, 1] <= places[:, 1].min() + 0.05 * physique.height


def test_fish_beat_with_tails_most_at_the_tip_and_fins_alike() -> None:
    strokes = strokes_of(body("fish"))
    assert strokes
    for stroke in strokes:
        whole = np.abs(stroke.bends).sum(axis=0)
        assert whole.sum() == pytest.approx(SWEEP if np.abs(stroke.bends[-1, 2]) == 0 else FINS)
        assert stroke.late[0] == 0.0
        assert np.all(np.diff(stroke.late) > 0) or len(stroke.joints) == 1
        assert stroke.late[-1] == pytest.approx(LATE if len(stroke.joints) > 1 else 0.0)
        sizes = np.linalg.norm(stroke.bends, axis=1)
        if np.abs(stroke.bends[-1, 2]) == 0 and len(sizes) > 1:
            np.testing.assert_allclose(sizes / sizes[0], np.arange(1, len(sizes) + 1))
        else:
            np.testing.assert_allclose(sizes, sizes[0])
        assert not stroke.is_wing
    assert any(stroke.is_wing for stroke in strokes_of(body("bird")))


@pytest.mark.parametrize("name", ["adult", "dog", "dragon"])
def test_parts_point_along_their_last_bone(name: str) -> None:
    physique = body(name)
    frames = part_frames(physique)
    for limb in physique.anatomy.limbs:
        tip = limb.joints[-1]
        facing = {
            joint
            for kind in ("head", "mouth", "eye", "foot", "root", "spine", "jaw")
            for joint in physique.anatomy.capabilities.get(kind, ())
        }
        chain = chain_to(physique, tip)
        if tip in facing or len(chain) < 2:
            continue
        way = physique.positions[tip] - physique.positions[chain[-2]]
        if np.linalg.norm(way) > 0.01 * physique.height:
            pointed = quaternion.rotate(frames[tip], [0.0, 0.0, 1.0])
            np.testing.assert_allclose(pointed, way / np.linalg.norm(way), atol=1e-6)
            up = quaternion.rotate(frames[tip], [0.0, 1.0, 0.0])
            assert up[1] >= -1e-9 or "grasper" in str(limb.kind) or abs(pointed[1]) > 0.9 or limb.kind == "arm"


def test_fingers_that_close_come_nearer_together() -> None:
    physique = body("adult")
    for side in ("left", "right"):
        hand = physique.character.skeleton.index(f"{side}_hand")
        curls = curls_of(physique, hand)
        assert curls
        for curl in curls:
            assert abs(curl.closed) > abs(curl.opened)
            assert curl.closed * curl.opened <= 0.0
        limits = physique.character.limits
        assert limits is not None
        for curl in curls:
            if limits.ranges[curl.joint].any():
                low, high = limits.ranges[curl.joint]
                assert low - 1e-9 <= curl.closed <= high + 1e-9


@pytest.mark.parametrize("mirrored", [False, True])
def test_joints_of_a_limb_share_its_bend(mirrored: bool) -> None:
    physique = body("dog")
    tail = next(limb for limb in physique.anatomy.limbs if limb.kind == "tail")
    chain = chain_to(physique, tail.joints[-1])[1:]
    turns, bends = [np.ones((2, 3)) for _ in chain], {chain[0]: np.full((2, 3), 0.5)}
    add_bends(physique, SimpleNamespace(joint=tail.joints[-1], mirrored=mirrored), turns, bends)  # type: ignore[arg-type]
    share = np.asarray(AXIAL if mirrored else 1.0) * np.ones(3) / len(chain)
    np.testing.assert_allclose(bends[chain[0]], np.tile(0.5 + share, (2, 1)))
    np.testing.assert_allclose(bends[chain[-1]], np.tile(share, (2, 1)))
    assert set(bends) == set(chain)


@pytest.mark.parametrize(("bend", "follows"), [(0.005, False), (0.2, True), (-0.2, True)])
def test_a_finger_that_is_bent_at_rest_closes_that_way_and_a_straight_one_downwards(bend: float, follows: bool) -> None:
    """A finger that points ahead from its hand, its tip bent aside."""
    places = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.1], [0.0, 1.0, 0.2], [0.1 * bend, 1.0, 0.3]])
    skeleton = SimpleNamespace(parents=np.array([-1, 0, 1, 2]))
    body = SimpleNamespace(
        character=SimpleNamespace(skeleton=skeleton), positions=places, rotations=np.tile([0.0, 0.0, 0.0, 1.0], (4, 1))
    )
    down = np.array([1.0, 0.0, 0.0])
    np.testing.assert_allclose(_axis_at_rest(body, 0, 1), down, atol=1e-9)
    found = _axis_at_rest(body, 0, 2)
    assert np.linalg.norm(found) == pytest.approx(1.0)
    if follows:
        np.testing.assert_allclose(found, [0.0, np.sign(bend), 0.0], atol=1e-9)
    else:
        assert found @ down > 0.99
    # Each joint's axis is told in its own frame.
    turn = quaternion.exp(np.array([0.3, 0.8, -0.4]))
    turned = SimpleNamespace(**{**vars(body), "rotations": np.tile(turn, (4, 1))})
    np.testing.assert_allclose(quaternion.rotate(turn, _axis_at_rest(turned, 0, 2)), found, atol=1e-9)
