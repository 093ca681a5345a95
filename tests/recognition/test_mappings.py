"""Real rigs against hand-checked maps of their joints, with names and without."""

from __future__ import annotations

from pathlib import Path

import pytest

from mummer.character import Source
from mummer.io import load
from mummer.recognition import recognize
from tests.recognition.bodies import shuffled
from tests.recognition.rigs import Rig, judge, load_rigs
from tests.recognition.study import study


@pytest.fixture(scope="module")
def rigs(data_dir: Path) -> list[Rig]:
    return load_rigs(data_dir)


def outcome(rigs: list[Rig], *, ignore_names: bool) -> tuple[dict[str, list[str]], list[str]]:
    """Files that are not wholly right with what is wrong about them, and roles confidently on the other side."""
    results = {rig.file: judge(rig, recognize(rig.character, ignore_names=ignore_names)) for rig in rigs}
    swapped = [role for _, roles in results.values() for role in roles]
    return {file: wrong for file, (wrong, _) in results.items() if wrong}, swapped


def test_named_rigs_are_right(rigs: list[Rig]) -> None:
    failed, swapped = outcome(rigs, ignore_names=False)
    assert len(failed) <= 0.02 * len(rigs), failed
    assert not swapped


def test_rigs_without_names_are_right(rigs: list[Rig]) -> None:
    failed, swapped = outcome(rigs, ignore_names=True)
    assert len(failed) <= 0.1 * len(rigs), failed
    assert not swapped


LEAST = {
    "no mesh, no ends": 0.7, "turned": 0.9, "lying": 0.8, "mirrored": 0.9, "controls": 0.9, "sword on the back": 0.8,
    "prop in hand": 0.8, "hair and skirt": 0.75, "no toes": 0.85, "arms in T": 0.9, "arms down": 0.8,
}  # fmt: skip
"""Variant to the share of rigs that are wholly right without names at the least."""


@pytest.mark.slow
@pytest.mark.parametrize("variant", LEAST)
def test_harder_rigs_are_mostly_right(rigs: list[Rig], variant: str) -> None:
    outcomes = [each for each in study(rigs, variant) if each.variant == variant and not each.names]
    right = sum(not each.wrong for each in outcomes)
    assert right >= LEAST[variant] * len(outcomes), [each.file for each in outcomes if each.wrong]
    assert not [each.file for each in outcomes if each.swapped]


def test_shuffled_names_are_not_believed(rigs: list[Rig]) -> None:
    few = rigs[::6]
    outcomes = list(study(few, "names shuffled"))
    assert sum(not each.wrong for each in outcomes) >= 0.8 * len(few)
    assert not [each.file for each in outcomes if each.swapped]


def test_renamed_and_shuffled_rigs_are_right(rigs: list[Rig]) -> None:
    failed, swaps, count = {}, [], 0
    for seed, rig in enumerate(rigs):
        if rig.character.recordings and not rig.character.meshes and "rokoko" in rig.file:
            # Its rest is no pose; what it is shows only in the motion, which is not carried over here.
            continue
        count += 1
        strange, order = shuffled(rig.character, seed)
        source, names = rig.character.source, rig.character.skeleton.names
        ends = set(source.details.get("end_sites", ()) if source else ())
        sites = tuple(strange.skeleton.names[spot] for spot, joint in enumerate(order) if names[joint] in ends)
        anatomy = recognize(strange.replace(source=Source("made", details={"end_sites": sites})))
        wrong, swapped = judge(rig.placed(strange, {joint: spot for spot, joint in enumerate(order)}), anatomy)
        swaps += swapped
        if wrong:
            failed[rig.file] = wrong
    assert len(failed) <= 0.1 * count, failed
    assert not swaps


def test_every_anatomy_fits_its_skeleton(rigs: list[Rig]) -> None:
    for rig in rigs:
        anatomy = recognize(rig.character, ignore_names=True)
        assert not anatomy.problems(rig.character.skeleton), rig.file
        assert set(anatomy.evidence) == set(anatomy.roles), rig.file
        assert all(0 < evidence.confidence <= 1 and evidence.reason for evidence in anatomy.evidence.values())


def test_rigs_that_no_map_knows_give_an_anatomy(data_dir: Path) -> None:
    for name, kind in (
        ("quaternius/Spider.glb", "arachnid"),
        ("quaternius/Snake.glb", "snake"),
        ("khronos/RecursiveSkeletons.glb", None),
        ("khronos/SimpleSkin.gltf", "unknown"),
        ("webxr/webxr_hand_left.glb", None),
    ):
        rig = load(data_dir / "characters" / name)
        anatomy = recognize(rig)
        assert not anatomy.problems(rig.skeleton), name
        assert kind is None or anatomy.kind == kind, (name, anatomy.kind)


def test_all_legs_of_a_spider_have_their_places_alike(data_dir: Path) -> None:
    rig = load(data_dir / "characters" / "quaternius/Spider.glb")
    anatomy = recognize(rig)
    legs = [limb.joints for limb in anatomy.limbs if limb.kind == "leg"]
    rows = {
        tuple(leg.index(joint) for role, joint in anatomy.roles.items() if joint in leg and not role.endswith("foot"))
        for leg in legs
    }
    assert rows == {(0, 1)}
