"""What ``mummer clip`` must know of a body that a file does not say: sides, and which joints are feet."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Anatomy, Character, Skeleton
from mummer.character.derive import mirror_by_position, rest_positions
from mummer.clip.sides import other_side
from mummer.errors import InputError
from mummer.report import ReportBuilder


def with_sides(character: Character, report: ReportBuilder) -> Character:
    """The character with mirror partners: those of its anatomy, else by names, else by where joints are at rest."""
    if character.anatomy is not None:
        return character
    skeleton = character.skeleton
    mirror, how = partners_by_name(skeleton), "names"
    front = _front(skeleton, mirror)
    if front is None:
        mirror, how, front = mirror_by_position(skeleton), "positions", np.array([0.0, 0.0, 1.0])
    pairs = int(np.sum(mirror != np.arange(len(skeleton)))) // 2
    if not pairs:
        raise InputError(f"{character.name!r} cannot be mirrored: neither names nor positions tell left from right")
    report.add("guessed", f"left and right by {how}: {pairs} pairs of joints")
    everything = {"body": tuple(range(len(skeleton)))}
    anatomy = Anatomy("unknown", {}, {}, (), everything, mirror, front=front)
    return character.replace(anatomy=anatomy)


def partners_by_name(skeleton: Skeleton) -> IntArray:
    """(J,) the joint that has each joint's name with the sides exchanged; itself where there is none."""
    places = {name: joint for joint, name in enumerate(skeleton.names)}
    partner = np.array([places.get(_other(name), joint) for joint, name in enumerate(skeleton.names)], np.int32)
    mutual = partner[partner] == np.arange(len(partner))
    return np.where(mutual, partner, np.arange(len(partner), dtype=np.int32)).astype(np.int32)


def _other(name: str) -> str:
    """As `other_side`, and also for names that begin with the letter of a side: ``lFoot``, ``LHipJoint``."""
    swapped = other_side(name)
    if swapped == name and len(name) > 2 and name[0] in "lLrR" and name[1].isupper():
        swapped = {"l": "r", "r": "l", "L": "R", "R": "L"}[name[0]] + name[1:]
    return swapped


def _is_left(name: str) -> bool:
    return "left" in name.lower() or name[:1] in "lL" or name[-2:].lower() in (".l", "_l", "-l", " l")


def _front(skeleton: Skeleton, mirror: IntArray) -> FloatArray | None:
    """(3,) where the body looks: up crossed from its right to its left; None if the names of sides do not tell."""
    left = [joint for joint, other in enumerate(mirror) if other != joint and _is_left(skeleton.names[joint])]
    left = [joint for joint in left if not _is_left(skeleton.names[mirror[joint]])]
    if not left:
        return None
    places = rest_positions(skeleton)
    across = np.mean(places[left] - places[mirror[left]], axis=0)
    across[1] = 0.0
    length = float(np.linalg.norm(across))
    if length < 1e-6 * float(np.ptp(places, axis=0).max()):
        return None
    return np.cross(across / length, [0.0, 1.0, 0.0])


def named_feet(character: Character, feet: str, report: ReportBuilder) -> dict[str, str] | None:
    """Joint names of the feet by what to call them; None where the anatomy knows them.

    Args:
        character: the body.
        feet: joint names with commas between, or nothing.
        report: told if feet were guessed by their names.
    """
    if feet:
        return {name.strip(): name.strip() for name in feet.split(",") if name.strip()}
    if character.anatomy is not None and character.anatomy.capabilities.get("foot"):
        return None
    found = _guess_feet(character.skeleton)
    if not found:
        raise InputError(f"which joints of {character.name!r} are feet is not known; name them: --feet NAME,NAME")
    report.add("guessed", f"the feet are {', '.join(found)}; --feet names others")
    return {name: name for name in found}


def _guess_feet(skeleton: Skeleton) -> list[str]:
    for word in ("foot", "ankle", "paw", "hoof"):
        named = [joint for joint, name in enumerate(skeleton.names) if word in name.lower()]
        top = [joint for joint in named if not set(skeleton.ancestors(joint)) & set(named)]
        if top:
            return [skeleton.names[joint] for joint in top]
    return []
