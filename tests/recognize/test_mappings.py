"""Real rigs against hand-checked maps of their joints, with names and without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mummer.character import Anatomy, Character, Source
from mummer.io import load
from mummer.recognize import recognize
from tests.recognize.bodies import shuffled

ESSENTIAL = {
    "humanoid": [
        "hips", "spine", "head",
        *(f"{side}_{part}" for side in ("left", "right")
          for part in ("upper_arm", "forearm", "hand", "upper_leg", "lower_leg", "foot")),
    ],
    "quadruped": [
        "hips", "head",
        *(f"{end}_{side}_{part}" for end in ("front", "hind") for side in ("left", "right")
          for part in ("upper", "lower", "foot")),
    ],
}  # fmt: skip
EITHER = {
    "front_{}_upper": "{}_upper_arm", "front_{}_lower": "{}_forearm", "front_{}_foot": "{}_hand",
    "hind_{}_upper": "{}_upper_leg", "hind_{}_lower": "{}_lower_leg", "hind_{}_foot": "{}_foot",
}  # fmt: skip
"""On bodies between man and beast either word is right."""


@pytest.fixture(scope="module")
def rigs(data_dir: Path) -> list[tuple[dict[str, Any], Character]]:
    maps = [json.loads(path.read_text()) for path in sorted((data_dir / "mappings").glob("*.json"))]
    return [(truth, load(data_dir / truth["file"])) for truth in maps]


def essential(truth: dict[str, Any]) -> list[str]:
    for kind, roles in ESSENTIAL.items():
        if truth["kind"].startswith(kind):
            return [role for role in roles if truth["mapping"].get(role)]
    ends = ("_upper", "_lower", "_leg", "_arm", "_forearm", "_foot", "_hand")
    known = [role for role, joint in truth["mapping"].items() if joint]
    return [role for role in known if role in ("hips", "head") or role.endswith(ends)]


def answer(anatomy: Anatomy, role: str, truth: dict[str, Any]) -> str | None:
    if role in anatomy.roles or (truth["kind"] in ("humanoid", "quadruped") and not truth["mapping"].get("tail")):
        return role if role in anatomy.roles else None
    for beast, man in EITHER.items():
        for side in ("left", "right"):
            words = (beast.format(side), man.format(side))
            if role in words:
                other = words[1 - words.index(role)]
                return other if other in anatomy.roles else None
    return None


def judge(truth: dict[str, Any], names: list[str], anatomy: Anatomy) -> tuple[list[str], list[str]]:
    """Essential roles that are wrong, and those of them that are on the other side with a confidence above one half."""
    wrong, swapped = [], []
    for role in essential(truth):
        given = answer(anatomy, role, truth)
        joint = names[anatomy.roles[given]] if given else None
        if joint == truth["mapping"][role] or joint in truth.get("accept", {}).get(role, []):
            continue
        wrong.append(role)
        other = role.replace("left", "#").replace("right", "left").replace("#", "right")
        is_other = given is not None and other != role and joint == truth["mapping"].get(other)
        if is_other and anatomy.evidence[str(given)].confidence > 0.5:
            swapped.append(role)
    return wrong, swapped


def test_named_rigs_are_right(rigs: list[tuple[dict[str, Any], Character]]) -> None:
    results = {truth["file"]: judge(truth, list(rig.skeleton.names), recognize(rig)) for truth, rig in rigs}
    failed = {file: wrong for file, (wrong, _) in results.items() if wrong}
    assert len(failed) <= 0.02 * len(rigs), failed
    assert not any(swapped for _, swapped in results.values())


def test_rigs_without_names_are_right(rigs: list[tuple[dict[str, Any], Character]]) -> None:
    results = {}
    for truth, rig in rigs:
        results[truth["file"]] = judge(truth, list(rig.skeleton.names), recognize(rig, ignore_names=True))
    failed = {file: wrong for file, (wrong, _) in results.items() if wrong}
    assert len(failed) <= 0.1 * len(rigs), failed
    assert not any(swapped for _, swapped in results.values())


def test_renamed_and_shuffled_rigs_are_right(rigs: list[tuple[dict[str, Any], Character]]) -> None:
    failed, swaps, count = {}, [], 0
    for seed, (truth, rig) in enumerate(rigs):
        if rig.recordings and not rig.meshes and "rokoko" in truth["file"]:
            # Its rest is no pose; what it is shows only in the motion, which is not carried over here.
            continue
        count += 1
        strange, order = shuffled(rig, seed)
        ends = set(rig.source.details.get("end_sites", ()) if rig.source else ())
        sites = tuple(
            strange.skeleton.names[spot] for spot, joint in enumerate(order) if rig.skeleton.names[joint] in ends
        )
        anatomy = recognize(strange.replace(source=Source("made", details={"end_sites": sites})))
        wrong, swapped = judge(truth, [rig.skeleton.names[joint] for joint in order], anatomy)
        swaps += swapped
        if wrong:
            failed[truth["file"]] = wrong
    assert len(failed) <= 0.1 * count, failed
    assert not swaps


def test_every_anatomy_fits_its_skeleton(rigs: list[tuple[dict[str, Any], Character]]) -> None:
    for truth, rig in rigs:
        anatomy = recognize(rig, ignore_names=True)
        assert not anatomy.problems(rig.skeleton), truth["file"]
        assert set(anatomy.evidence) == set(anatomy.roles), truth["file"]
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
